/**
 * The state of learning, as bytes: what `fit({ checkpoint })` writes after each step and reads when it starts. It belongs to one model,
 * learner, seed and table, and names them. The first line holds the version and a digest of the rest, which is JSON.
 */
import type { Column } from "../contract/columns.ts"
import type { LearnerState, LearnerStep } from "../contract/learner.ts"
import type { Diagnostic, Json, Training } from "../contract/report.ts"
import { SufficeError } from "../errors.ts"
import { float64FromBase64, float64ToBase64 } from "../kernels/base64.ts"
import { digest } from "../kernels/digest.ts"
import {
  countAt,
  fieldsAt,
  isRecord,
  listAt,
  misshapen,
  namesAt,
  notNegativeAt,
  numberAt,
  positiveAt,
  recordAt,
  textAt,
} from "../shape.ts"
import { diagnosticAt, runAt } from "./history.ts"
import { decodePlain, encodePlain } from "./plain.ts"
import { columnsAt } from "./read.ts"

/** A step, and the objectives of its run up to it. */
export interface RecordedStep {
  readonly step: LearnerStep
  readonly trace: readonly number[]
}

export interface Checkpoint {
  readonly state: LearnerState
  /** The current run, and its objectives so far. */
  readonly run: number
  readonly trace: readonly number[]
  readonly runs: Training["runs"]
  /** The last step of the best finished run. */
  readonly best?: RecordedStep | undefined
  readonly stream?: StoredStream | undefined
}

/** Where a stream stands. */
export interface StreamState {
  /** Its columns, as found in the warm-up. */
  readonly schema: Schema
  /** Rows received so far, and their weight. */
  readonly rows: number
  readonly weight: number
  /** What the source has given so far: rows, with one that stands for several counted once, and batches. */
  readonly given: number
  readonly batches: number
  /** How many rows are mixed, the dice that mix them, and the rows that wait, encoded. */
  readonly capacity: number
  readonly dice: readonly number[]
  readonly waiting: Json
  /** Levels that the warm-up did not have, counted by column. */
  readonly unseen: Readonly<Record<string, number>>
}

export interface StoredStream extends StreamState {
  /** The weight of rows without a label. */
  readonly unlabelled?: { readonly column: string; readonly weight: number }
  /** What is to be said of the warm-up. */
  readonly warnings: readonly Diagnostic[]
}

interface Schema {
  readonly columns: readonly Column[]
  readonly labels: readonly string[]
}

/** What a checkpoint belongs to. */
export interface Owner {
  readonly model: Json
  readonly learner: Json
  readonly seed: number
  /** Identifies the rows of a table, or a stream. */
  readonly data: Json
}

const VERSION = 2
const FIRST_LINE = /^suffice checkpoint (\d+) ([0-9a-f]{8})\n/

export function writeCheckpoint(
  owner: Owner,
  { state, run, trace, runs, best, stream }: Checkpoint,
): Uint8Array {
  const text = JSON.stringify({
    ...owner,
    state: writeState(state),
    run,
    trace: float64ToBase64(Float64Array.from(trace)),
    runs: encodePlain(runs, "runs"),
    ...(best && { best: writeStep(best) }),
    ...(stream && { stream: encodePlain(stream, "stream") }),
  })
  const encoder = new TextEncoder()
  const body = encoder.encode(text)
  const line = encoder.encode(`suffice checkpoint ${VERSION} ${digest(body).toString(16).padStart(8, "0")}\n`)
  const bytes = new Uint8Array(line.length + body.length)
  bytes.set(line)
  bytes.set(body, line.length)
  return bytes
}

/** Throws if it is not a checkpoint, or belongs to something else. */
export function readCheckpoint(bytes: Uint8Array, owner: Owner): Checkpoint {
  const saved = parse(bytes)
  const names = ["model", "learner", "seed", "data"] as const
  const other = names.filter(name => JSON.stringify(saved[name]) !== JSON.stringify(owner[name]))
  if (other.length > 0) {
    throw new SufficeError(
      "checkpoint",
      `the checkpoint belongs to ${other.map(name => (name === "data" ? "other data" : `another ${name}`)).join(" and ")}. Learning cannot go on from there. Give the ones it was written with, or begin anew with an empty checkpoint.`,
      { other },
    )
  }
  try {
    return {
      state: readState(saved.state as Record<string, Record<string, string>>),
      run: countAt(saved.run, "run"),
      trace: [...numbersAt(saved.trace)],
      runs: runsAt(decodePlain(saved.runs, "runs")),
      best: saved.best === undefined ? undefined : readStep(saved.best as Record<string, Json>),
      stream:
        saved.stream === undefined
          ? undefined
          : fieldsAt(
              decodePlain(saved.stream, "stream"),
              "stream",
              {
                schema: (schema, at) => fieldsAt(schema, at, { columns: columnsAt, labels: namesAt }),
                rows: countAt,
                weight: notNegativeAt,
                given: countAt,
                batches: countAt,
                capacity: countAt,
                dice: diceAt,
                waiting: value => value as Json,
                unseen: countsAt,
                warnings: (list, at) => listAt(list, at, diagnosticAt),
              },
              {
                unlabelled: (weighed, at) => fieldsAt(weighed, at, { column: textAt, weight: notNegativeAt }),
              },
            ),
    }
  } catch (cause) {
    throw damaged(cause)
  }
}

function parse(bytes: Uint8Array): Readonly<Record<string, Json>> {
  if (!(bytes instanceof Uint8Array)) throw damaged(undefined)
  const decoder = new TextDecoder()
  const line = FIRST_LINE.exec(decoder.decode(bytes.subarray(0, 64)))
  if (!line) throw damaged(undefined)
  const [whole, version, hash] = line
  if (Number(version) !== VERSION) {
    throw new SufficeError(
      "checkpoint",
      `the checkpoint was written by another Suffice: its version is ${version}, this one reads ${VERSION}. What it means is not known here. Use that Suffice, or begin anew with an empty checkpoint.`,
      { version: Number(version) },
    )
  }
  const body = bytes.subarray(whole.length)
  if (digest(body) !== Number.parseInt(hash, 16)) throw damaged(undefined)
  try {
    const saved: unknown = JSON.parse(decoder.decode(body))
    if (isRecord(saved)) return saved as Record<string, Json>
  } catch (cause) {
    throw damaged(cause)
  }
  throw damaged(undefined)
}

/** Four words, and a normal that may wait. */
function diceAt(value: unknown, path: string): number[] {
  const state = listAt(value, path, numberAt)
  if (state.length < 4 || state.length > 5) throw misshapen(path, value, "the state of dice")
  return state
}

function countsAt(value: unknown, path: string): Readonly<Record<string, number>> {
  const counts = recordAt(value, path)
  for (const name of Object.keys(counts)) countAt(counts[name], `${path}.${name}`)
  return counts as Record<string, number>
}

function runsAt(value: unknown): Training["runs"] {
  listAt(value, "runs", runAt)
  return value as Training["runs"]
}

/** The bytes are not a valid checkpoint; `cause` is the error that says why. */
export function damaged(cause: unknown): SufficeError {
  return new SufficeError(
    "checkpoint",
    "what checkpoint.read() returned is no checkpoint. It was damaged, cut short, or is something else. Give back the bytes as they were written, or undefined to begin anew.",
    { cause },
  )
}

/** Exact to the last bit, infinities and NaN included. */
function writeState({ numbers, arrays }: LearnerState): Json {
  return {
    names: Object.keys(numbers),
    numbers: float64ToBase64(Float64Array.from(Object.values(numbers))),
    arrays: Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, float64ToBase64(array)])),
  }
}

function readState(saved: Readonly<Record<string, Json>>): LearnerState {
  const values = numbersAt(saved.numbers)
  const arrays = Object.entries(saved.arrays as Record<string, Json>)
  return {
    numbers: Object.fromEntries((saved.names as string[]).map((name, j) => [name, values[j]])),
    arrays: Object.fromEntries(arrays.map(([name, text]) => [name, numbersAt(text)])),
  }
}

const SCALARS = [
  "iteration",
  "run",
  "objective",
  "logLikelihood",
  "entropy",
  "change",
  "rows",
  "prior",
] as const

function writeStep({ step, trace }: RecordedStep): Json {
  return {
    scalars: float64ToBase64(Float64Array.from(SCALARS, name => step[name])),
    stats: float64ToBase64(step.stats),
    ...(step.spread && { spread: float64ToBase64(step.spread) }),
    diagnostics: encodePlain(step.diagnostics, "diagnostics"),
    stopped: step.stopped ?? null,
    ...(step.calibration && { calibration: encodePlain(step.calibration, "calibration") }),
    trace: float64ToBase64(Float64Array.from(trace)),
  }
}

function readStep(saved: Readonly<Record<string, Json>>): RecordedStep {
  const values = numbersAt(saved.scalars)
  const scalars = Object.fromEntries(SCALARS.map((name, j) => [name, values[j]])) as Record<
    (typeof SCALARS)[number],
    number
  >
  for (const name of ["iteration", "run", "rows"] as const) countAt(scalars[name], `best.${name}`)
  for (const name of SCALARS) numberAt(scalars[name], `best.${name}`)
  notNegativeAt(scalars.prior, "best.prior")
  return {
    step: {
      ...scalars,
      stats: numbersAt(saved.stats),
      ...(saved.spread !== undefined && { spread: numbersAt(saved.spread) }),
      diagnostics: listAt(decodePlain(saved.diagnostics, "diagnostics"), "diagnostics", diagnosticAt),
      ...(saved.calibration !== undefined && {
        calibration: fieldsAt(decodePlain(saved.calibration, "calibration"), "best.calibration", {
          target: textAt,
          temperature: positiveAt,
        }),
      }),
      ...(saved.stopped !== null && {
        stopped: textAt(saved.stopped, "best.stopped") as NonNullable<LearnerStep["stopped"]>,
      }),
    },
    trace: [...numbersAt(saved.trace)],
  }
}

function numbersAt(text: Json): Float64Array {
  const numbers = float64FromBase64(text as string)
  if (!numbers) throw new TypeError("no base64 of doubles")
  return numbers
}
