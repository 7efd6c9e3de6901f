import { readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { defineConfig, type TestProjectConfiguration } from "vitest/config"
import { LongestFirst } from "./checks/tiers/longest-first.ts"
import { Recorder } from "./checks/tiers/recorder.ts"
import { fits, onBothKernels, shared, type Tier, testFiles, tierOf } from "./checks/tiers/tiers.ts"

/** Folders whose tests may share a process, which loads the core once. */
const TOGETHER = ["packages/{suffice,files,cli}/src/**/*.test.ts", "packages/studio/src/read/*.test.ts"]
/** A process per file: they start processes, build, or try the laws. */
const APART = [
  "packages/suffice/src/threads/*.test.ts",
  "packages/laws/src/*.test.ts",
  "packages/*/src/testing/*.test.ts",
]
/** Text of a file that changes or measures what a process shares: its folder, kernels, workers, memory, timers. */
const ALONE =
  /\/scratch\.ts|[kK]ernels\(|\bthreads:|child_process|worker_threads|globalThis|process\.|performance|setTimeout|\bvi\.|\bgc\b/

const files = testFiles()
const together = files.filter(
  path =>
    TOGETHER.some(glob => fits(path, glob)) &&
    !APART.some(glob => fits(path, glob)) &&
    !ALONE.test(readFileSync(path, "utf8")),
)

/** The projects of a tier: a process per file, and processes that files share. */
function projectsOf(tier: Exclude<Tier, "spark">): TestProjectConfiguration[] {
  const its = files.filter(path => tierOf(path) === tier || shared.some(({ file }) => file === path))
  const include = (wanted: boolean): string[] => its.filter(path => together.includes(path) === wanted)
  const env = { TIER: tier }
  return [
    { extends: true, test: { name: tier, include: include(false), env } },
    { extends: true, test: { name: `${tier}-shared`, include: include(true), env, isolate: false } },
  ]
}

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    setupFiles: ["checks/setup.ts"],
    // no test may fail because the machine is busy: these limits only end what hangs
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 600_000,
    pool: "forks",
    // every core: without it vitest leaves one idle, which of two is half
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    reporters: process.env.DURATIONS === "write" ? ["default", new Recorder()] : ["default"],
    projects: [
      ...projectsOf("test"),
      ...projectsOf("all"),
      {
        // what wasm computes is computed once more by the TypeScript it is made after
        extends: true,
        test: {
          name: "typescript",
          include: onBothKernels,
          env: { SUFFICE_KERNELS: "typescript" },
          // checks/setup.ts resets the choice of kernels before each file
          isolate: false,
        },
      },
    ],
  },
})
