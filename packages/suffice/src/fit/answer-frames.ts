/** What a learned model says of rows in frames: measured, or predicted. For workers on other machines, which are given the model in its saved form. */

import { judge } from "../answers/judge.ts"
import type { LevelPrediction, NumberPrediction } from "../answers/types.ts"
import type { Level } from "../contract/cells.ts"
import { CHUNK } from "../data/cut.ts"
import { readFrame } from "../frames/frame.ts"
import type { JudgedPart, JudgeTask, PredictTask } from "../frames/remote.ts"
import { groupOf, type Per } from "../frames/work.ts"
import { chanceFor, Running } from "../measure/running.ts"
import { dice } from "../random.ts"
import { load } from "./load.ts"

/** Measures frames, which come in the order of their rows: a part for each stretch, or for each chunk. */
export function* judgeFrames(
  { model, target, weight, seed, rows }: JudgeTask,
  frames: Iterable<Uint8Array>,
  per: Per,
): Generator<JudgedPart> {
  const fitted = load(model)
  let sum: { chunk: number; chunks: number; rows: number; running: Running } | undefined
  const ended = ({ running, ...counts }: NonNullable<typeof sum>): JudgedPart => ({
    ...counts,
    part: running.part(),
  })
  for (const bytes of frames) {
    const frame = readFrame(bytes)
    const chunk = frame.first / CHUNK
    if (sum && groupOf(frame.first, per) !== groupOf(sum.chunk * CHUNK, per)) {
      yield ended(sum)
      sum = undefined
    }
    const judged = judge("evaluate", fitted as never, frame.columns, { target, weight, partial: true })
    // dice of the chunk's own: which rows are kept does not depend on who has them
    const own = new Running(dice(seed).fork(chunk), undefined, chanceFor(judged, rows))
    own.add(judged)
    sum ??= { chunk, chunks: 0, rows: 0, running: new Running(dice(seed)) }
    sum.running.join(own.part())
    sum.chunks++
    sum.rows += frame.rows
  }
  if (sum) yield ended(sum)
}

/** A prediction in the columns of a table. */
export interface PredictedRow {
  readonly row: number
  readonly value: Level
  /** Of levels. */
  readonly probability?: number
  readonly probabilities?: Readonly<Record<string, number>>
  /** Of numbers. */
  readonly sd?: number
  readonly low?: number
  readonly high?: number
}

/** Predicts the rows of frames. */
export function* predictFrames(
  { model, options }: PredictTask,
  frames: Iterable<Uint8Array>,
): Generator<PredictedRow> {
  const fitted = load(model)
  for (const bytes of frames) {
    const { first, columns } = readFrame(bytes)
    const answers = fitted.predict(columns as never, options as never) as unknown as readonly (
      | LevelPrediction
      | NumberPrediction
    )[]
    for (let i = 0; i < answers.length; i++) {
      const answer = answers[i]
      if (!("sd" in answer)) yield { row: first + i, ...answer }
      else {
        const { value, sd, interval } = answer
        yield { row: first + i, value, sd, low: interval[0], high: interval[1] }
      }
    }
  }
}
