/**
 * What goes wrong, as a sentence and an exit code.
 *
 *     0  done          1  bad input, bad option, or a file that cannot be read or written
 *     70 a fault of Suffice itself          141 the reader of the output closed it
 *     128 + n stopped by signal n: 129 SIGHUP, 130 Ctrl-C (SIGINT), 143 SIGTERM
 */
import type { SufficeError } from "suffice"

export const EXIT = { done: 0, bad: 1, fault: 70, closed: 141 } as const

/** The signals that stop a command, in words, with their exit codes. */
export const SIGNALS = {
  SIGINT: { exit: 130, words: "by Ctrl-C" },
  SIGTERM: { exit: 143, words: "by SIGTERM, a request to end" },
  SIGHUP: { exit: 129, words: "by SIGHUP: its terminal was closed" },
} as const
export type StopSignal = keyof typeof SIGNALS

export type FailureCode = "usage" | "file" | "output" | "data" | "column" | "model"

/** A problem that the user can fix: what, why, what to do. */
export class Failure extends Error {
  override readonly name = "Failure"
  readonly code: FailureCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: FailureCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** The reader of our output is gone: there is no one to report to. */
export class Closed extends Error {
  override readonly name = "Closed"
}

/** A signal came; the message says what was kept. */
export class Stopped extends Error {
  override readonly name = "Stopped"
  readonly signal: StopSignal

  constructor(signal: StopSignal, kept = "") {
    super(`stopped ${SIGNALS[signal].words}.${kept === "" ? "" : ` ${kept}`}`)
    this.signal = signal
  }
}

export interface Told {
  readonly exit: number
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** An error as it is reported to people and, with --json, to programs. */
export function toldOf(error: unknown): Told {
  if (error instanceof Closed) return { exit: EXIT.closed, code: "closed", message: "", details: {} }
  if (error instanceof Stopped) {
    const { signal, message } = error
    return { exit: SIGNALS[signal].exit, code: "stopped", message, details: { signal } }
  }
  if (error instanceof Failure || isSufficeError(error)) {
    return {
      exit: EXIT.bad,
      code: error.code,
      message: asTyped(sentence(error.message)),
      details: error.details,
    }
  }
  const said = error instanceof Error ? error.message : String(error)
  return {
    exit: EXIT.fault,
    code: "fault",
    message: `something went wrong inside Suffice: ${sentence(said)} This is a fault of the program, not of your data. Run the command again with --debug and report what it prints.`,
    details: {},
  }
}

/** An error of the core or of the readers, recognised by name so that neither has to be loaded. */
function isSufficeError(error: unknown): error is SufficeError {
  return (
    error instanceof Error &&
    ["SufficeError", "FileError", "SparkError"].includes(error.name) &&
    "code" in error
  )
}

/** The library names its options as they are written in code; here they are spelled as on the command line. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\bas: \{ "([^"]+)": "(\w+)" \}/g, "--as $1=$2"],
  [/\b(pass) delimiter: ("[^"]+")/gi, "$1 --delimiter $2"],
  [/\b(pass) encoding: "([^"]+)"/gi, "$1 --encoding $2"],
  [/\b(pass) quote: ""/gi, "$1 --quote none"],
  [/\b(pass) header: false/gi, "$1 --no-header"],
  [/\b(pass) decimal: ("[^"]+")/gi, "$1 --decimal $2"],
  [/\b(pass) format: "(\w+)"/gi, "$1 --format $2"],
  [/^names (lists|is|gives) /, "--names $1 "],
  [/\bsheet: "…"/g, "--sheet NAME"],
  [/^(label|text|as) names /, "--$1 names "],
  [/\bname the cell among the missing ones/gi, "Name the cell with --missing"],
  [/: \{ target: … \}/, " with --target"],
  [/spark\(address, \{ node: "([^"]+)" \}\)/, "--node $1"],
  [/\{ orderBy: \["id"\] \}/, "--order id"],
  [/Use query\("SELECT \* FROM …", --order id\)/, 'Use --sql "SELECT * FROM …" --order id'],
  [/what checkpoint\.read\(\) returned/, "the file of --checkpoint"],
  [
    /Give back the bytes as they were written, or undefined to begin anew/,
    "Give the file as it was written, or remove it to begin anew",
  ],
  [/Take it out of keep/, "Name it with --tag if it is one of the steps"],
  [/, or choose categorical\(\)/, ", or read the column as a category"],
  [/put null in its cells/, "add it with empty cells"],
  [/put null for a missing cell/, "leave a missing cell empty"],
  [
    /, or choose exponential\(\), which takes 0 too, or gaussian\(\), which takes any number/,
    ", or read the column as exponential, which takes 0 too, or as number",
  ],
  [/, or choose gaussian\(\)/, ", or read the column as number"],
  [
    /, name a folder that has it with spill: \{ folder \}, or write spill: false to read the source again for each sweep/,
    ", or set TMPDIR to a folder that has it",
  ],
  [/Fit again, and name a folder of your own with spill: \{ folder \}/, "Set TMPDIR to a folder of your own"],
]

/** What the library says, with its options as they are typed. */
export function asTyped(text: string): string {
  const named = text.replace(
    /\bnames: \[([^\]]*)\]/g,
    (_, names: string) => `--names ${names.replaceAll('"', "")}`,
  )
  return SPELLINGS.reduce((said, [pattern, typed]) => said.replace(pattern, typed), named)
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
