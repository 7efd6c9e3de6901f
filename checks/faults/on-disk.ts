/** Slips that a test must notice: planted in their file, which is put back afterwards, also after Ctrl-C. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { planted, ROOT, type Slip, type TestCheck } from "./slips.ts"

const VITEST = join(ROOT, "node_modules/vitest/vitest.mjs")
/** Milliseconds for the tests of one slip. Later than that there is no verdict. */
const PATIENCE = 300_000

export interface Outcome {
  readonly verdict: "noticed" | "survived" | "timed out" | "does not load"
  /** The first test that failed. */
  readonly by?: string
}

/** A part of the report of vitest's reporter "json". */
interface Report {
  readonly numFailedTests: number
  readonly success: boolean
  readonly testResults: readonly {
    readonly message?: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

export class TestTrials {
  readonly #folder = mkdtempSync(join(tmpdir(), "suffice-slips-"))
  #patched: { readonly path: string; readonly text: string } | undefined
  #running: ChildProcess | undefined

  constructor() {
    process.on("exit", () => this.end())
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130))
  }

  /** The outcome of the tests with the slip planted. */
  async outcome(slip: Slip<TestCheck>): Promise<Outcome> {
    const path = join(ROOT, slip.file)
    const text = readFileSync(path, "utf8")
    const changed = planted(text, slip)
    this.#patched = { path, text }
    try {
      writeFileSync(path, changed)
      return await this.#tried(slip.check)
    } finally {
      this.#putBack()
    }
  }

  /** The first failure without any slip: all files at once, then each choice of tests by name. */
  async failure(slips: readonly Slip<TestCheck>[]): Promise<string | undefined> {
    const checks = slips.map(({ check }) => check)
    const whole = new Set(checks.filter(({ named }) => named === undefined).flatMap(({ files }) => files))
    const named = new Map(checks.filter(check => check.named !== undefined).map(one => [one.named, one]))
    for (const check of [...(whole.size > 0 ? [{ files: [...whole] }] : []), ...named.values()]) {
      const { verdict, by } = await this.#tried(check, check.files.length * PATIENCE)
      if (verdict !== "survived") return `${verdict}: ${by}`
    }
    return undefined
  }

  end(): void {
    this.#stop()
    this.#putBack()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #putBack(): void {
    if (this.#patched) writeFileSync(this.#patched.path, this.#patched.text)
    this.#patched = undefined
  }

  /** Ends vitest and its workers. */
  #stop(): void {
    try {
      if (this.#running?.pid) process.kill(-this.#running.pid, "SIGKILL")
    } catch {
      // it has ended already
    }
  }

  /** Runs tests until the first fails. */
  #tried({ files, named }: Omit<TestCheck, "by">, patience = PATIENCE): Promise<Outcome> {
    const report = join(this.#folder, "report.json")
    rmSync(report, { force: true })
    const only = named === undefined ? [] : ["-t", named]
    const options = [
      "--project=!typescript",
      "--bail=1",
      "--maxWorkers=1",
      "--reporter=json",
      `--outputFile=${report}`,
    ]
    return new Promise((resolve, reject) => {
      // a group of its own, so that its workers end with it
      const running = spawn(process.execPath, [VITEST, "run", ...options, ...only, ...files], {
        cwd: ROOT,
        detached: true,
        stdio: "ignore",
      })
      this.#running = running
      let isLate = false
      const clock = setTimeout(() => {
        isLate = true
        this.#stop()
      }, patience)
      running.on("error", reject)
      running.on("close", () => {
        clearTimeout(clock)
        this.#running = undefined
        if (isLate) resolve({ verdict: "timed out" })
        else if (!existsSync(report)) resolve({ verdict: "does not load", by: "vitest left no report" })
        else resolve(outcomeOf(JSON.parse(readFileSync(report, "utf8")) as Report))
      })
    })
  }
}

function outcomeOf({ numFailedTests, success, testResults }: Report): Outcome {
  const cases = testResults.flatMap(({ assertionResults }) => assertionResults)
  if (numFailedTests > 0)
    return { verdict: "noticed", by: cases.find(({ status }) => status === "failed")?.fullName ?? "a test" }
  if (!success) {
    const message = testResults.find(result => result.message)?.message
    return { verdict: "does not load", ...(message !== undefined && { by: message }) }
  }
  if (cases.some(({ status }) => status === "passed")) return { verdict: "survived" }
  return { verdict: "does not load", by: "no test ran" }
}
