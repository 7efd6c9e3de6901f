import { readdirSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { SlowFirst } from "./testing/slow-first.ts"

const CORE = "packages/suffice/src"
const ALL = [
  "packages/*/src/**/*.test.ts",
  "examples/**/*.test.ts",
  "docs/**/*.test.ts",
  "mutants/*.test.ts",
  "checks/**/*.test.ts",
  "testing/*.test.ts",
]

/**
 * Tests of the core run one after the other in the processes they share, so that the core is loaded twice and not a hundred times. A file
 * that says one of these words changes, or measures, what all of a process share (kernels, workers, memory, timers): it has one of its own.
 */
const ALONE =
  /[kK]ernels\(|\bthreads:|child_process|worker_threads|globalThis|process\.|performance|setTimeout|\bvi\.|\bgc\b/
const shared = readdirSync(CORE, { recursive: true, encoding: "utf8" })
  .map(path => `${CORE}/${path.replaceAll("\\", "/")}`)
  .filter(path => path.endsWith(".test.ts") && !/\/(gates|laws|threads)\//.test(path))
  .filter(path => !ALONE.test(readFileSync(path, "utf8")))

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    setupFiles: ["vitest.setup.ts"],
    // no test may fail because the machine is busy: these limits only end what hangs
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 600_000,
    pool: "forks",
    // every core: without it vitest leaves one idle, which of two is half
    maxWorkers: availableParallelism(),
    sequence: { sequencer: SlowFirst },
    projects: [
      { extends: true, test: { name: "alone", include: ALL, exclude: ["**/node_modules/**", ...shared] } },
      { extends: true, test: { name: "shared", include: shared, isolate: false } },
      {
        // what wasm computes is computed once more by the TypeScript it is made after
        extends: true,
        test: {
          name: "typescript",
          include: [
            `${CORE}/laws/laws.test.ts`,
            `${CORE}/families/**/*.test.ts`,
            `${CORE}/structures/**/*.test.ts`,
          ],
          env: { SUFFICE_KERNELS: "typescript" },
          // vitest.setup.ts chooses them anew for each file
          isolate: false,
        },
      },
    ],
  },
})
