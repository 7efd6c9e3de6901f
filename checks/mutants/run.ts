/**
 * Mutants: small slips planted one at a time in the sources, each of which some test must notice.
 *
 *     npx tsx checks/mutants/run.ts                       all of them: a quarter of an hour, and more on a busy machine
 *     npx tsx checks/mutants/run.ts engine "the prior" those whose file or description holds one of these
 *
 * For each one its file is patched, the nearest tests run until the first fails, and the file is put back, also after Ctrl-C. First the
 * same tests run without any mutant: where they fail by themselves, nothing can be said. It fails if more than one in twenty survives,
 * if a mutant's text is not in its file exactly once (checks/mutants/anchors.test.ts, which `npm test` runs, fails too), or if a file
 * does not even load with its mutant in it. laws/testing/faults.ts does the same in memory, for the laws alone; what a law of its quick suite
 * finds belongs there.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { mutants } from "./list.ts"
import { type Mutant, planted } from "./mutant.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const VITEST = join(ROOT, "node_modules/vitest/vitest.mjs")
/** Time for the tests of one mutant, and for each file of tests without one. What is not done by then has no verdict, and counts among those that survive. */
const PATIENCE = 300_000
/** At most this part may survive. */
const SURVIVORS = 1 / 20

type Verdict = "killed" | "survived" | "timed out" | "does not load"

interface Outcome {
  readonly verdict: Verdict
  /** The first test that failed. */
  readonly by?: string
}

/** A part of what vitest's reporter "json" writes. */
interface Report {
  readonly numFailedTests: number
  readonly success: boolean
  readonly testResults: readonly {
    readonly message?: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

const folder = mkdtempSync(join(tmpdir(), "suffice-mutants-"))
/** What has to be put back, whatever happens. */
let patched: { readonly path: string; readonly text: string } | undefined
let running: ChildProcess | undefined

function putBack(): void {
  if (patched) writeFileSync(patched.path, patched.text)
  patched = undefined
}

/** vitest and its workers. */
function stop(): void {
  try {
    if (running?.pid) process.kill(-running.pid, "SIGKILL")
  } catch {
    // it has ended already
  }
}

process.on("exit", () => {
  stop()
  putBack()
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130))

/** Runs tests until the first fails. */
function tried({ tests, named }: Pick<Mutant, "tests" | "named">, patience = PATIENCE): Promise<Outcome> {
  const file = join(folder, "report.json")
  rmSync(file, { force: true })
  const only = named === undefined ? [] : ["-t", named]
  const options = [
    "--project=!typescript",
    "--bail=1",
    "--maxWorkers=1",
    "--reporter=json",
    `--outputFile=${file}`,
  ]
  return new Promise((resolve, reject) => {
    // a group of its own, so that its workers end with it
    running = spawn(process.execPath, [VITEST, "run", ...options, ...only, ...tests], {
      cwd: ROOT,
      detached: true,
      stdio: "ignore",
    })
    let isLate = false
    const clock = setTimeout(() => {
      isLate = true
      stop()
    }, patience)
    running.on("error", reject)
    running.on("close", () => {
      clearTimeout(clock)
      running = undefined
      if (isLate) resolve({ verdict: "timed out" })
      else if (!existsSync(file)) resolve({ verdict: "does not load", by: "vitest left no report" })
      else resolve(outcomeOf(JSON.parse(readFileSync(file, "utf8")) as Report))
    })
  })
}

function outcomeOf({ numFailedTests, success, testResults }: Report): Outcome {
  const cases = testResults.flatMap(({ assertionResults }) => assertionResults)
  if (numFailedTests > 0) {
    return { verdict: "killed", by: cases.find(({ status }) => status === "failed")?.fullName ?? "a test" }
  }
  if (!success) return { verdict: "does not load", by: testResults.find(({ message }) => message)?.message }
  if (cases.some(({ status }) => status === "passed")) return { verdict: "survived" }
  return { verdict: "does not load", by: "no test ran" }
}

async function judged(mutant: Mutant): Promise<Outcome> {
  const path = join(ROOT, mutant.file)
  const text = readFileSync(path, "utf8")
  const changed = planted(text, mutant)
  patched = { path, text }
  try {
    writeFileSync(path, changed)
    return await tried(mutant)
  } finally {
    putBack()
  }
}

/** The tests by themselves: all files at once, and each choice by name. */
async function checkSound(chosen: readonly Mutant[]): Promise<void> {
  const whole = chosen.filter(({ named }) => named === undefined).flatMap(({ tests }) => tests)
  const choices = new Map(chosen.filter(({ named }) => named !== undefined).map(m => [m.named, m] as const))
  const runs = [...(whole.length > 0 ? [{ tests: [...new Set(whole)] }] : []), ...choices.values()]
  for (const run of runs) {
    const { verdict, by } = await tried(run, run.tests.length * PATIENCE)
    if (verdict === "survived") continue
    console.error(`Without a mutant the tests do not pass (${verdict}): ${by}. Mend that first.`)
    process.exit(1)
  }
}

const asked = process.argv.slice(2)
const chosen = mutants.filter(
  ({ file, about }) => asked.length === 0 || asked.some(part => file.includes(part) || about.includes(part)),
)
if (chosen.length === 0) {
  console.error(
    `No mutant's file or description holds ${asked.join(" or ")}. checks/mutants/list.ts has them all.`,
  )
  process.exit(1)
}
for (const mutant of chosen) planted(readFileSync(join(ROOT, mutant.file), "utf8"), mutant)
await checkSound(chosen)

const counts: Record<Verdict, number> = { killed: 0, survived: 0, "timed out": 0, "does not load": 0 }
for (const mutant of chosen) {
  const begin = performance.now()
  const { verdict, by } = await judged(mutant)
  counts[verdict]++
  const seconds = ((performance.now() - begin) / 1000).toFixed(0)
  console.log(`${verdict.padEnd(13)} ${seconds.padStart(4)} s  ${mutant.file}: ${mutant.about}`)
  if (by !== undefined) console.log(`${" ".repeat(22)}${verdict === "killed" ? "by " : ""}${by}`)
}
const alive = chosen.length - counts.killed
console.log(
  `\n${counts.killed} of ${chosen.length} killed, ${counts.survived} survived, ${counts["timed out"]} timed out, ${counts["does not load"]} did not load.`,
)
if (counts["does not load"] > 0 || alive > SURVIVORS * chosen.length) process.exitCode = 1
