/** `suffice`: reads the command line, runs one command, and ends with an exit code. Commands load what they need when they run. */
import { readFileSync } from "node:fs"
import { type Command, CommanderError } from "commander"
import { Closed, EXIT, Failure, SIGNALS, Stopped, type StopSignal, toldOf } from "./failure.ts"
import { program } from "./program.ts"
import { openSession, type Session, toJson } from "./terminal/session.ts"
import { shown, shownLines } from "./terminal/shown.ts"
import { streamFailure } from "./terminal/stream.ts"

export const VERSION = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
).version

export async function main(argv: readonly string[]): Promise<void> {
  const stop = new AbortController()
  const json = argv.includes("--json")
  const debug = argv.includes("--debug")
  const session = openSession({
    json,
    quiet: argv.includes("--quiet"),
    signal: stop.signal,
    command: commandLine(argv),
    version: VERSION,
  })
  const ended = listen(stop, session)
  try {
    await Promise.race([run(argv, session), ended.closed])
    process.exitCode = EXIT.done
  } catch (error) {
    process.exitCode = await tell(error, session, debug)
  } finally {
    ended.forget()
  }
}

/** Help and version are not errors but ordinary answers: a full disk is reported. */
async function run(argv: readonly string[], session: Session): Promise<void> {
  const told: string[] = []
  const root = program(session, text => told.push(text))
  try {
    await root.parseAsync([...argv], { from: "user" })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) throw new Failure("usage", usage(error, root, argv[0]), { usage: error.code })
  }
  if (told.length > 0) await session.put(told.join(""))
}

/** The command line, ready to be typed again; unprintable characters are quoted as in bash. */
export function commandLine(argv: readonly string[]): string {
  const quoted = argv.map(word => {
    if (/^[\w@%+=:,./-]+$/.test(word)) return word
    if (shown(word) === word) return `'${word.replaceAll("'", "'\\''")}'`
    const typed = [...word].map(sign =>
      shown(sign) !== sign
        ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`
        : sign.replace(/['\\]/, "\\$&"),
    )
    return `$'${typed.join("")}'`
  })
  return ["suffice", ...quoted].join(" ")
}

async function tell(thrown: unknown, session: Session, debug: boolean): Promise<number> {
  const error = explained(thrown, session)
  const { exit, code, message, details } = toldOf(error)
  if (message !== "") process.stderr.write(`suffice: ${shown(message)}\n`)
  if (debug && error instanceof Error) {
    process.stderr.write(`${shownLines(error.stack ?? "")}\n`)
    if (error.cause instanceof Error)
      process.stderr.write(`caused by ${shownLines(error.cause.stack ?? "")}\n`)
  }
  if (session.json && exit !== EXIT.closed) {
    const told = { error: { code, message, details: plainDetails(details) } }
    const ended =
      session.unclosed === undefined
        ? session.answer(told)
        : session.put(`${session.unclosed},\n  "error": ${toJson(told.error, 0)}\n}\n`)
    await ended.catch(() => undefined)
  }
  return exit
}

/** If the signal was aborted, that is why the command ended, whatever failed as a result. */
function explained(error: unknown, session: Session): unknown {
  if (!session.signal.aborted) return error
  const { reason } = session.signal
  return reason instanceof Stopped ? new Stopped(reason.signal, session.kept) : streamFailure(reason)
}

/** What other programs call it. */
const MEANT: Readonly<Record<string, string>> = {
  "--target": "--label",
  "--y": "--label",
  "--class": "--label",
  "--output-file": "--output",
  "--out": "--output",
  "--algorithm": "--model",
  "--classifier": "--model",
  "--sep": "--delimiter",
  "--separator": "--delimiter",
  "--random-state": "--seed",
  "-l": "--label",
  "-m": "--model",
  "-s": "--seed",
  train: "fit",
  learn: "fit",
  classify: "predict",
  test: "evaluate",
  score: "evaluate",
  summary: "describe",
  show: "describe",
  generate: "sample",
  fill: "impute",
}

/** The parser compares letters; where a word is known, what it means elsewhere is the better guess. */
function meant(message: string, root: Command, name: string): string {
  const word = /^error: unknown (?:option|command) '([^'=]+)/.exec(message)?.[1] ?? ""
  const better = Object.hasOwn(MEANT, word) ? MEANT[word] : undefined
  if (better === undefined) return message
  const options = root.commands.find(command => command.name() === name)?.options ?? []
  const isThere = !better.startsWith("-") || options.some(({ long }) => long === better)
  return isThere ? `${message.split("\n")[0]}\n(Did you mean ${better}?)` : message
}

/** The parser's message ("error: unknown option '--labl'\n(Did you mean --label?)") as a sentence that says what to do. */
function usage({ code, message }: CommanderError, root: Command, command: string): string {
  // the help was printed
  if (code === "commander.help")
    return "no command is named. Nothing was done. Name one of the commands above."
  const said = meant(message, root, command)
    .replace(/^error: /, "")
    .split("\n")
    .map(line => line.replace(/^\((.*)\)$/, "$1").trim())
    .filter(line => line !== "")
    .map(line => (/[.?!]$/.test(line) ? line : `${line}.`))
  return `${said.join(" ")} See suffice --help, or suffice COMMAND --help.`
}

/** The details of a message as JSON; what JSON cannot hold is left out. */
function plainDetails(details: Readonly<Record<string, unknown>>): unknown {
  try {
    return JSON.parse(toJson(details))
  } catch {
    return {}
  }
}

/** A signal stops the work at its next pause, a second one at once; whoever closed our output is not written to again. */
function listen(stop: AbortController, session: Session): { closed: Promise<never>; forget(): void } {
  let reject: (error: Error) => void = () => undefined
  const closed = new Promise<never>((_, no) => {
    reject = no
  })
  closed.catch(() => undefined)
  const interrupted = (signal: NodeJS.Signals): void => {
    if (stop.signal.aborted) process.exit(SIGNALS[signal as StopSignal].exit)
    session.note(signal === "SIGINT" ? "Stopping … (Ctrl-C again stops at once)" : "Stopping …")
    stop.abort(new Stopped(signal as StopSignal))
  }
  const broken = (error: Error): void => {
    // a file that was asked for is written all the same
    if (session.writesFiles && streamFailure(error) instanceof Closed) return
    stop.abort(error)
    reject(streamFailure(error))
  }
  const signals = Object.keys(SIGNALS) as StopSignal[]
  for (const signal of signals) process.on(signal, interrupted)
  process.stdout.on("error", broken)
  // if stderr is closed, notes are lost
  process.stderr.on("error", () => undefined)
  return {
    closed,
    forget() {
      for (const signal of signals) process.off(signal, interrupted)
    },
  }
}
