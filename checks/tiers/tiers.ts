/** The tiers: which test files run in `npm test`, and which wait for `npm run test:all`. vitest.config.ts makes its projects from this list. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const ROOT = fileURLToPath(new URL("../..", import.meta.url))

/** `spark` is the last part of test:all: it needs a real Spark, and a vitest of its own. */
export type Tier = "test" | "all" | "spark"

export interface Group {
  readonly tier: Exclude<Tier, "test">
  readonly reason: string
  /** Paths from the root. A `*` is any text within a name, a `**` any folders. */
  readonly globs: readonly string[]
}

/** Files that no group names run in `npm test`: so does every new file. */
export const groups: readonly Group[] = [
  {
    tier: "all",
    reason: "drives a browser or workerd, or builds the site: 10 s and more each",
    globs: [
      "packages/studio/src/testing/*.test.ts",
      "packages/cli/src/report/{report,sequences,topics}.test.ts",
      "checks/gates/{browser,workerd}.test.ts",
    ],
  },
  {
    tier: "all",
    reason: "builds, packs and installs the packages, and starts processes",
    globs: [
      "checks/gates/package.test.ts",
      "checks/docs/installed.test.ts",
      "examples/start/*.test.ts",
      "packages/cli/src/testing/command.test.ts",
    ],
  },
  {
    tier: "all",
    reason:
      "executes the documentation and the examples; links, tables and names of the pages stay in npm test",
    globs: ["checks/gates/docs.test.ts", "checks/docs/commands.test.ts", "examples/examples.test.ts"],
  },
  {
    tier: "all",
    reason: "serves Spark's protocol from a server of our own",
    globs: ["packages/spark/src/**/*.test.ts", "packages/cli/src/spark/*.test.ts"],
  },
  {
    tier: "all",
    reason: "compiles the kernels; npm test compares the compiled ones with TypeScript",
    globs: ["checks/gates/kernels.test.ts"],
  },
  {
    tier: "all",
    reason: "measures memory, in processes whose garbage collector is held still",
    globs: ["checks/gates/{allocation,leftovers,question}.test.ts"],
  },
  {
    tier: "all",
    reason: "compares bits over many threads, cuts and restarts; smaller cases of the same stay in npm test",
    globs: [
      "packages/suffice/src/**/{pause,remote,round,spill,stream,topics-bits}.test.ts",
      "packages/suffice/src/threads/{pool,process,threads}.test.ts",
    ],
  },
  {
    tier: "spark",
    reason: "needs Java and pip, or SPARK_HOME",
    globs: ["packages/spark/test/*.test.ts"],
  },
]

/** Files whose cases are shared out: `npm test` takes some, test:all the others (checks/tiers/share.ts). */
export const shared: readonly { readonly file: string; readonly reason: string }[] = [
  {
    file: "packages/laws/src/laws.test.ts",
    reason: "every sixth model and every 26th pair, then the rest of every third and 13th",
  },
  {
    file: "checks/faults/faults.test.ts",
    reason: "every ninth slip of the laws, then the rest of every third",
  },
  { file: "packages/cli/src/testing/manifest.test.ts", reason: "a third of the cases, then the others" },
  { file: "packages/suffice/src/kernels/twins.test.ts", reason: "four shapes of each kernel, then 40" },
]

/** Tests of the core on the second kernels: test:all runs them once more, in TypeScript. */
export const onBothKernels = [
  "packages/laws/src/laws.test.ts",
  "packages/suffice/src/{families,structures}/**/*.test.ts",
]

/** True if a path fits a glob: `*` within a name, `**` over folders, `{a,b}` one of several. */
export function fits(path: string, glob: string): boolean {
  const source = glob
    .replace(/[.+^$()|[\]\\]/g, "\\$&")
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(",", "|")})`)
    .replace(/\*\*\/|\*/g, star => (star === "*" ? "[^/]*" : "(?:[^/]+/)*"))
  return new RegExp(`^${source}$`).test(path)
}

export function groupsOf(path: string): readonly Group[] {
  return groups.filter(({ globs }) => globs.some(glob => fits(path, glob)))
}

export function tierOf(path: string): Tier {
  return groupsOf(path)[0]?.tier ?? "test"
}

/** Every test file of the repository, by its path from the root. */
export function testFiles(): string[] {
  const below = (folder: string): string[] =>
    readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap(entry => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`
      if (!entry.isDirectory()) return path.endsWith(".test.ts") ? [path] : []
      return entry.name === "node_modules" || entry.name === "dist" || entry.name.startsWith(".")
        ? []
        : below(path)
    })
  return below("").sort()
}
