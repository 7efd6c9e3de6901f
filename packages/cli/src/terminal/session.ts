/**
 * A command's access to the world: an output for its answer, one for everything else, and a signal that stops it.
 *
 *     stdout   the answer: text for people, or with --json exactly one object
 *     stderr   notes, warnings, progress (on a terminal only)
 *
 * All text passes here, and control characters are shown (shown.ts). Rows of CSV are data: their bytes are kept, unless they go to
 * a terminal.
 */

import { Closed } from "../failure.ts"
import type { LooseModel } from "../loose.ts"
import { Progress } from "./progress.ts"
import { shown, shownJson, shownLines } from "./shown.ts"
import { write } from "./stream.ts"

export interface Session {
  readonly json: boolean
  readonly signal: AbortSignal
  /** The command line, as it can be typed again. */
  readonly command: string
  readonly version: string
  /** A part of the answer for people; nothing under --json. */
  print(text: string): Promise<void>
  /** The answer for programs; nothing without --json. */
  answer(value: object): Promise<void>
  /** Raw text of the answer, such as lines of CSV. */
  put(text: string): Promise<void>
  /** The model that a file declares. */
  modelIn(path: string): Promise<LooseModel>
  /** A remark besides the answer. */
  note(text: string): void
  /** A bar on a terminal, nothing elsewhere. */
  progress(label: string, total?: number, unit?: string): Progress
  /** What the message after Ctrl-C says was kept. */
  kept: string
  /** The command was asked for a file: it is written also if nobody reads the rest of the answer any more. */
  writesFiles: boolean
  /** An object that was begun and needs this before its next member: see list-out.ts. */
  unclosed: string | undefined
}

export interface SessionOptions {
  readonly json: boolean
  readonly quiet: boolean
  readonly signal: AbortSignal
  readonly command: string
  readonly version: string
}

export function openSession({ json, quiet, signal, command, version }: SessionOptions): Session {
  const live = process.stderr.isTTY === true && !quiet
  let current: Progress | undefined
  const say = async (text: string): Promise<void> => {
    current?.pause()
    try {
      await write(process.stdout, text)
    } catch (error) {
      if (!(error instanceof Closed && session.writesFiles)) throw error
    }
  }
  const session: Session = {
    json,
    signal,
    command,
    version,
    kept: "Nothing was written.",
    writesFiles: false,
    unclosed: undefined,
    print: text => (json ? Promise.resolve() : say(`${shownLines(text)}\n`)),
    answer: value => (json ? say(`${toJson(value)}\n`) : Promise.resolve()),
    put: text => say(process.stdout.isTTY ? shownLines(text) : text),
    // loaded when a file is named: help and completion must not load the library
    modelIn: async path => (await import("../model-file.ts")).modelIn(path),
    note(text) {
      if (quiet) return
      current?.pause()
      process.stderr.write(`${shown(text)}\n`)
    },
    progress(label, total, unit = "rows") {
      current?.stop()
      current = new Progress(label, total, unit, live)
      return current
    },
  }
  return session
}

/** What produced a report, and when. */
export function origin({ version }: Session): [string, string][] {
  return [
    ["suffice", version],
    ["node", process.version],
    ["made", new Date().toISOString()],
  ]
}

/** JSON has no infinity and no NaN: they are written as text. */
export function toJson(value: unknown, space = 2): string {
  const json = JSON.stringify(
    value,
    (_, item: unknown) => {
      if (typeof item === "number" && !Number.isFinite(item)) return String(item)
      if (item instanceof Float64Array) return [...item]
      return item
    },
    space,
  )
  return shownJson(json)
}
