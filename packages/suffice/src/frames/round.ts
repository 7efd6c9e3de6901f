/**
 * A round: every machine learns from its own rows for an epoch of small steps, all from the same state, and the states are averaged by weight.
 *
 *     η = Σ_m W_m η_m / Σ_m W_m        W_m: the weight of the rows of machine m that taught something
 *
 * Mean parameters are a convex set, so the average is in the domain. Of P machines each takes 1/P of the steps: a round moves less far than an epoch of one machine,
 * and its noise is that of P times larger batches. Where a leaf moves by the sum over documents (words), a machine counts its own P times.
 */
import type { MovingState, Tally } from "../contract/moving.ts"
import type { Round, Rounded } from "../contract/round.ts"
import { CHUNK } from "../data/cut.ts"
import { priorOf } from "../engine/lay.ts"
import { moving } from "../engine/moving.ts"
import { shuffled } from "../engine/shuffle.ts"
import { stepSizes } from "../learners/schedule.ts"
import { dice } from "../random.ts"
import { refused } from "./answer.ts"
import { readFrame } from "./frame.ts"
import { Sweeper, type SweepTask } from "./sweeper.ts"

/** What a machine is told: structured data, without functions. */
export interface RoundTask {
  readonly sweep: SweepTask
  readonly round: Round
  readonly seed: number
  /** How many machines share the rows; whoever hands out the task says it. */
  readonly machines?: number
}

/** What a machine has learned from its rows. */
export interface RoundAnswer extends Rounded {
  /** The chunks it learned from, and the rows with weight of each. */
  readonly chunks: readonly (readonly [chunk: number, rows: number])[]
}

/** Learns from frames, which come in the order of their rows. */
export async function learnFrames(
  { sweep, round, seed, machines = 1 }: RoundTask,
  frames: Iterable<Uint8Array>,
): Promise<RoundAnswer> {
  const sweeper = new Sweeper(sweep, "kept")
  const { laid } = sweeper
  const { batch, epoch, of, average, passRows, words } = round
  const rho = stepSizes("round", round.stepSize as Parameters<typeof stepSizes>[1])
  const chunks: [number, number][] = []
  const all = frames[Symbol.iterator]()
  const first = all.next()
  const order = dice(seed).fork(first.done ? 0 : readFrame(first.value, []).first / CHUNK)
  const own = {
    *chunks() {
      for (let next = first; !next.done; next = all.next()) {
        const bytes = next.value
        const chunk = sweeper.chunkOf(bytes)
        const rows = chunk.reduce((sum, block) => sum + block.rows, 0)
        chunks.push([readFrame(bytes, []).first / CHUNK, rows])
        yield chunk
      }
    },
  }
  const { from } = round
  const moments = moving(
    laid,
    { prior: priorOf(laid), weight: round.weight },
    "stats" in from ? from.stats : from,
    round.course,
  )
  const whole = Math.min(batch, passRows)
  let { rows, steps } = round
  let loss = 0
  let weight = 0
  let guarded = 0
  // rounds whose steps count for the average: the second half
  const averages = average && 2 * (epoch + 1) > of
  for await (const block of shuffled(laid.columns, own, batch, order)) {
    steps++
    rows += block.rows
    const passes = epoch + ((rows - round.rows) * machines) / passRows
    const perDocument = words && (machines * words.rho) / (1 + words.decay * passes)
    const moved = moments.step(block, rho(rows / whole) * (block.rows / whole), perDocument)
    loss += moved.loss
    weight += moved.weight
    guarded += moved.guarded
    if (averages) moments.average()
  }
  moments.settle()
  return {
    ...{ chunks, loss, weight, guarded, state: moments.state() },
    ...{ steps: steps - round.steps, rows: rows - round.rows },
  }
}

/** The average of all answers. Refuses a round in which a chunk was not learned from, or twice. */
export function averaged(
  answers: readonly RoundAnswer[],
  expected: readonly number[],
  { from }: Pick<Round, "from">,
): Rounded {
  audit(answers, expected)
  // in the order of the rows, whoever answered first
  const sorted = answers
    .filter(({ chunks }) => chunks.length > 0)
    .sort((a, b) => a.chunks[0][0] - b.chunks[0][0])
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0)
  // where nothing taught anything, all states are the same
  const shares = sorted.map(({ weight }) => (total > 0 ? weight / total : 1 / sorted.length))
  const states = sorted.map(({ state }) => state)
  const mean = (arrays: readonly Float64Array[]): Float64Array => {
    const out = new Float64Array(arrays[0].length)
    arrays.forEach((array, m) => {
      for (let j = 0; j < out.length; j++) out[j] += shares[m] * array[j]
    })
    return out
  }
  const before = "stats" in from ? undefined : from.met
  const tallied = (of: "all" | "contrasted"): Tally => {
    const start = before?.[of] ?? { rows: 0, weight: 0 }
    return states.reduce(
      (sum, { met }) => ({
        rows: sum.rows + (met?.[of].rows ?? start.rows) - start.rows,
        weight: sum.weight + (met?.[of].weight ?? start.weight) - start.weight,
      }),
      start,
    )
  }
  const state: MovingState = {
    moments: mean(states.map(({ moments }) => moments)),
    averages: states[0].averages.map((_, a) => ({
      mean: mean(states.map(({ averages }) => averages[a].mean)),
      steps: Math.max(...states.map(({ averages }) => averages[a].steps)),
    })),
    met: { all: tallied("all"), contrasted: tallied("contrasted") },
  }
  const sum = (of: (answer: RoundAnswer) => number): number =>
    sorted.reduce((so, answer) => so + of(answer), 0)
  return {
    state,
    loss: sum(({ loss }) => loss),
    weight: total,
    guarded: sum(({ guarded }) => guarded),
    steps: Math.round(sum(({ steps }) => steps) / sorted.length),
    rows: Math.round(sum(({ rows }) => rows) / sorted.length),
  }
}

function audit(answers: readonly RoundAnswer[], expected: readonly number[]): void {
  const found = new Map<number, number>()
  for (const { chunks } of answers)
    for (const [chunk, rows] of chunks) {
      if (found.has(chunk)) throw refused(`chunk ${chunk} was answered twice`)
      found.set(chunk, rows)
    }
  expected.forEach((rows, chunk) => {
    const own = found.get(chunk)
    if (own === undefined) throw refused(`chunk ${chunk} of ${expected.length} was not answered`)
    if (own !== rows)
      throw refused(`the answer for chunk ${chunk} has ${own} rows, the first pass found ${rows}`)
  })
  if (found.size > expected.length)
    throw refused(`${found.size} chunks were answered, and there are ${expected.length}`)
}
