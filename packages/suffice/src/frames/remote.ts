/**
 * A remote table: rows that stay where they are, on other machines. As data it is a source like any other, whose batches are read through this machine where
 * nothing better is known; what every sweep needs is asked for there, and only sums come back.
 */

import { gather } from "../blocks/gather.ts"
import type { Block } from "../contract/block.ts"
import type { Dice } from "../contract/dice.ts"
import type { Sweep } from "../contract/learnable.ts"
import type { Round, Rounded } from "../contract/round.ts"
import type { Discovery, Exploration, ExploredPart } from "../data/discover.ts"
import type { Data, Source } from "../data/read.ts"
import type { Laid } from "../engine/lay.ts"
import type { Ranks } from "../engine/sample.ts"
import type { RunningPart } from "../measure/running.ts"
import { type Answer, AuditedTotal, refused } from "./answer.ts"
import type { ExploreTask } from "./explorer.ts"
import { averaged, type RoundAnswer, type RoundTask } from "./round.ts"
import type { SweepTask } from "./sweeper.ts"

/** Where a source says that it is one. Registered, so that another copy of the package knows it. */
export const REMOTE = /* @__PURE__ */ Symbol.for("suffice.remote")

/** A form of `data`. */
export interface RemoteTable extends Source {
  readonly [REMOTE]: Remote
}

/** What is asked of the other machines. Everything that crosses is plain data. */
export interface Remote {
  /** The first pass: parts of one stretch each, in the order of the rows. */
  explore(task: ExploreTask, columns: readonly string[], signal?: AbortSignal): AsyncIterable<ExploredPart>
  /** A sweep at θ: one answer per stretch or per chunk, in any order; undefined for one that cannot be read. */
  sweep(task: SweepTask, params: Float64Array, signal?: AbortSignal): AsyncIterable<Answer | undefined>
  /** Rows of some chunks by their rank there: one block per chunk, in order. */
  pick(task: SweepTask, ranks: ReadonlyMap<number, Ranks>, signal?: AbortSignal): Promise<readonly Block[]>
  /** An epoch of small steps: one answer per machine, which learned from all of its rows. Absent: learners of small steps read the rows through this machine. */
  round?(task: RoundTask, signal?: AbortSignal): AsyncIterable<RoundAnswer>
  /** A learned model measured on all rows: one part per stretch or per chunk, in any order; undefined for one that cannot be read. Absent: rows are measured by this machine. */
  judge?(
    task: JudgeTask,
    columns: readonly string[],
    signal?: AbortSignal,
  ): AsyncIterable<JudgedPart | undefined>
  /** How many rows there are, by which `judge` is audited. */
  readonly rows?: number
}

/** What measuring a learned model needs: structured data. */
export interface JudgeTask {
  /** In its saved form. */
  readonly model: unknown
  readonly target?: string | undefined
  readonly weight?: string | undefined
  readonly seed: number
  /** Rows of the whole table. */
  readonly rows: number
}

/** What was measured of some chunks. */
export interface JudgedPart {
  readonly chunk: number
  readonly chunks: number
  readonly rows: number
  readonly part: RunningPart
}

/** What predicting with a learned model needs: plain data. */
export interface PredictTask {
  readonly model: unknown
  /** Those of `predict`. */
  readonly options: Readonly<Record<string, unknown>>
}

export function remoteOf(data: Data): Remote | undefined {
  return (data as Partial<RemoteTable> | null | undefined)?.[REMOTE]
}

/** The first pass, by the other machines. */
export async function discoverRemote(
  remote: Remote,
  exploration: Exploration,
  task: ExploreTask,
  columns: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Discovery> {
  for await (const part of remote.explore(task, columns, signal)) exploration.join(part)
  return exploration.found()
}

/** A sweep by the other machines, audited, to the bits of one by this machine. */
export async function sweepRemote(
  remote: Remote,
  task: SweepTask,
  { statistics }: Pick<Laid, "statistics">,
  chunks: Discovery["chunks"],
  params: Float64Array,
  signal: AbortSignal | undefined,
): Promise<Sweep> {
  const total = new AuditedTotal(
    chunks.map(([rows]) => rows),
    statistics,
  )
  for await (const answer of remote.sweep(task, params, signal)) total.add(answer)
  return total.ended().sweep(task.certain, statistics)
}

/** A round by the other machines, audited: their states, averaged by weight. */
export async function roundRemote(
  round: NonNullable<Remote["round"]>,
  task: SweepTask,
  chunks: Discovery["chunks"],
  given: Round,
  dice: Dice,
  signal: AbortSignal | undefined,
): Promise<Rounded> {
  const answers: RoundAnswer[] = []
  for await (const answer of round({ sweep: task, round: given, seed: dice.integer(0x7fffffff) }, signal))
    answers.push(answer)
  return averaged(
    answers,
    chunks.map(([rows]) => rows),
    given,
  )
}

/** The parts of a model measured elsewhere, audited, in the order of the rows. */
export async function judgeRemote(
  parts: AsyncIterable<JudgedPart | undefined>,
  rows: number,
): Promise<readonly RunningPart[]> {
  const found: JudgedPart[] = []
  for await (const part of parts) {
    if (!part) throw refused("a part of the measures cannot be read: it was changed, or cut short")
    found.push(part)
  }
  found.sort((a, b) => a.chunk - b.chunk)
  let next = 0
  for (const { chunk, chunks } of found) {
    if (chunk < next) throw refused(`chunk ${chunk} was answered twice`)
    if (chunk > next) throw refused(`chunk ${next} was not answered`)
    next += chunks
  }
  const seen = found.reduce((sum, part) => sum + part.rows, 0)
  if (seen !== rows) throw refused(`${seen} rows were answered for, and there are ${rows}`)
  return found.map(({ part }) => part)
}

/** Rows of the whole table by their rank, as one block in the order of the data. */
export async function pickRemote(
  remote: Remote,
  task: SweepTask,
  chunks: Discovery["chunks"],
  ranks: Ranks,
  signal: AbortSignal | undefined,
): Promise<Block> {
  const blocks = await remote.pick(task, byChunk(chunks, ranks), signal)
  return gather(task.columns, {
    blocks: blocks.flatMap(block => new Array<Block>(block.rows).fill(block)),
    rows: blocks.flatMap(block => Array.from({ length: block.rows }, (_, row) => row)),
  })
}

/** Ranks in the table as ranks in its chunks; chunks without any are left out. */
export function byChunk(chunks: Discovery["chunks"], { labelled, unlabelled }: Ranks): Map<number, Ranks> {
  const picked = new Map<number, Ranks>()
  let before = { labelled: 0, unlabelled: 0 }
  let next = { labelled: 0, unlabelled: 0 }
  const within = (ranks: readonly number[], from: number, start: number, end: number): number[] => {
    const own: number[] = []
    for (let j = from; j < ranks.length && ranks[j] < end; j++) own.push(ranks[j] - start)
    return own
  }
  chunks.forEach(([rows, hidden], c) => {
    const after = { labelled: before.labelled + rows - hidden, unlabelled: before.unlabelled + hidden }
    const own = {
      labelled: within(labelled, next.labelled, before.labelled, after.labelled),
      unlabelled: within(unlabelled, next.unlabelled, before.unlabelled, after.unlabelled),
    }
    if (own.labelled.length + own.unlabelled.length > 0) picked.set(c, own)
    next = {
      labelled: next.labelled + own.labelled.length,
      unlabelled: next.unlabelled + own.unlabelled.length,
    }
    before = after
  })
  return picked
}
