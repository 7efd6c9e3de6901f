/**
 * The worker's side of a Spark task: lines in, lines out, between tabs. One bundled file, which Spark runs with Node beside each partition.
 *
 *     frame     row number, cells …                  → chunk, frame
 *     explore   task on the first line, chunk, frame → part of the first pass
 *     sweep     the same                             → answer of a stretch or a chunk
 *     pick      the same                             → rows of a chunk
 *     round     the same                             → what it has learned from all of its rows
 *     judge     the same                             → measures of a stretch or a chunk
 *     predict   the same                             → row, value …
 *
 * Bytes cross as base64, since Spark destroys binary there. Before it fails, a worker reads its input to the end: otherwise Spark loses what it says.
 */
import { readSync, writeSync } from "node:fs"
import {
  blockToJson,
  CHUNK,
  type ExploreTask,
  exploreFrames,
  type JudgeTask,
  judgeFrames,
  learnFrames,
  type Per,
  type PredictedRow,
  type PredictTask,
  packAnswer,
  packData,
  packFrame,
  predictFrames,
  type Ranks,
  type RoundTask,
  readData,
  Sweeper,
  type SweepTask,
  sweepFrames,
} from "suffice/worker"
import { cellOf, type Kind } from "./cells.ts"

const TAB = 9
const NEW_LINE = 10

/** What a worker is told, on the first line of its partition. */
export interface WorkerTask {
  readonly per: Per
  readonly explore?: ExploreTask
  readonly sweep?: SweepTask
  /** θ */
  readonly params?: Float64Array
  readonly pick?: ReadonlyMap<number, Ranks>
  readonly round?: RoundTask
  readonly judge?: JudgeTask
  readonly predict?: PredictTask
  /** Predictions have the probability of every level. */
  readonly wide?: boolean
}

/** A pipe may say that it is not ready (EAGAIN); then it is asked again. */
function ready(act: () => number): number {
  for (;;) {
    try {
      return act()
    } catch (error) {
      if ((error as { code?: string }).code !== "EAGAIN") throw error
      Atomics.wait(WAIT, 0, 0, 2)
    }
  }
}
const WAIT = new Int32Array(new SharedArrayBuffer(4))

/** The lines of stdin, without their ends; each is good until the next. */
function* lines(): Generator<Buffer> {
  let buffer = Buffer.allocUnsafe(1 << 20)
  let from = 0
  let to = 0
  for (;;) {
    const end = buffer.subarray(0, to).indexOf(NEW_LINE, from)
    if (end >= 0) {
      yield buffer.subarray(from, end)
      from = end + 1
      continue
    }
    if (to === buffer.length) {
      const larger = from > to / 2 ? buffer : Buffer.allocUnsafe(2 * buffer.length)
      buffer.copy(larger, 0, from, to)
      buffer = larger
      to -= from
      from = 0
    }
    const [into, at] = [buffer, to]
    const got = ready(() => readSync(0, into, at, into.length - at, null))
    if (got === 0) {
      if (to > from) throw new Error("the last line has no end.")
      return
    }
    to += got
  }
}

function say(...fields: readonly string[]): void {
  const bytes = Buffer.from(`${fields.join("\t")}\n`, "latin1")
  for (let at = 0; at < bytes.length; ) at += ready(() => writeSync(1, bytes, at))
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64")
const text = (data: string): string => Buffer.from(data).toString("base64")

/** Rows of a chunk, one line each, in order. */
function frame(columns: readonly { readonly name: string; readonly kind: Kind }[]): void {
  let chunk = -1
  let rows = 0
  let cells: unknown[][] = []
  const end = (): void => {
    if (rows === 0) return
    const named = Object.fromEntries(columns.map(({ name }, c) => [name, cells[c].slice(0, rows)]))
    say(String(chunk), base64(packFrame({ first: chunk * CHUNK, rows, columns: named as never })))
    rows = 0
  }
  for (const line of lines()) {
    const fields = line.toString("utf8").split("\t")
    const row = Number(fields[0])
    if (Math.floor(row / CHUNK) !== chunk) {
      end()
      chunk = Math.floor(row / CHUNK)
      cells = columns.map(() => new Array(CHUNK))
    }
    if (row % CHUNK !== rows || fields.length !== columns.length + 1)
      throw new Error(`row ${chunk * CHUNK + rows} is not there: row ${fields[0]} has its place.`)
    columns.forEach(({ kind }, c) => {
      cells[c][rows] = cellOf(fields[c + 1], kind)
    })
    rows++
  }
  end()
}

/** The task, and the frames of the partition in order. */
function partition(): { task: WorkerTask; frames: Generator<Uint8Array> } | undefined {
  const each = lines()
  const first = each.next()
  if (first.done) return undefined
  const body = (line: Buffer): Buffer =>
    Buffer.from(line.toString("latin1", line.lastIndexOf(TAB) + 1), "base64")
  const task = readData<WorkerTask>(
    Buffer.from(first.value.toString("latin1", 0, first.value.indexOf(TAB)), "base64").toString(),
  )
  if (!task) throw new Error("the first line of the partition has no task.")
  const start = body(first.value)
  function* frames(): Generator<Uint8Array> {
    yield start
    for (const line of each) yield body(line)
  }
  return { task, frames: frames() }
}

/** A prediction between tabs: text as JSON, which has neither tabs nor ends of lines. */
function predictedLine(
  { row, value, probability, probabilities, sd, low, high }: PredictedRow,
  wide: boolean,
) {
  if (sd !== undefined) return [row, value, sd, low, high].map(String)
  const all = wide ? [ascii(JSON.stringify(probabilities))] : []
  return [String(row), ascii(JSON.stringify({ v: value })), String(probability), ...all]
}

/** JSON in ASCII alone, so that no machine's encoding matters. */
function ascii(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

async function run(mode: string, argument: string | undefined): Promise<void> {
  if (mode === "frame") {
    frame(JSON.parse(Buffer.from(argument!, "base64").toString()))
    return
  }
  const own = partition()
  if (!own) return
  const { task, frames } = own
  const { per } = task
  if (mode === "explore")
    for (const part of exploreFrames(task.explore!, frames, per)) say(text(packData(part)))
  else if (mode === "sweep") {
    for (const answer of sweepFrames(task.sweep!, task.params!, frames, per)) say(base64(packAnswer(answer)))
  } else if (mode === "pick") pick(task, frames)
  else if (mode === "round") say(text(packData(await learnFrames(task.round!, frames))))
  else if (mode === "judge") {
    for (const part of judgeFrames(task.judge!, frames, per)) say(text(packData(part)))
  } else if (mode === "predict") {
    for (const row of predictFrames(task.predict!, frames)) say(...predictedLine(row, task.wide === true))
  }
}

function pick(task: WorkerTask, frames: Iterable<Uint8Array>): void {
  const sweeper = new Sweeper(task.sweep!)
  for (const bytes of frames) {
    const chunk = sweeper.chunkOf(bytes)
    const number = Math.floor((chunk[0]?.first ?? 0) / CHUNK)
    const ranks = task.pick!.get(number)
    if (ranks && chunk.length > 0)
      say(text(packData({ chunk: number, block: blockToJson(sweeper.pick(chunk, ranks)) })))
  }
}

try {
  await run(process.argv[2], process.argv[3])
} catch (error) {
  // to the end, so that Spark hears what was wrong
  const rest = Buffer.allocUnsafe(1 << 16)
  while (ready(() => readSync(0, rest, 0, rest.length, null)) > 0);
  const { message, code, details } = error as { message: string; code?: string; details?: unknown }
  console.error(
    code === undefined
      ? message
      : `SufficeError ${text(JSON.stringify({ code, message, details }))} ${message}`,
  )
  process.exit(3)
}
