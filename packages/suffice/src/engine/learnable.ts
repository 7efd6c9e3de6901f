/** A model laid out on data, in this process, as learners see it. */
import type { Block, Chunk, Dice, GuessingSink, Learnable } from "../contract.ts"
import { contrast } from "./contrast.ts"
import { guard } from "./guard.ts"
import { type Laid, priorOf, solve, value, withPrior } from "./lay.ts"
import { ownersOf } from "./owners.ts"
import { pullOf, targetColumn } from "./pull.ts"
import { takeSample, worstRow } from "./sample.ts"
import { firstGuess } from "./seeding.ts"
import { shuffled } from "./shuffle.ts"
import { rootWeights, StatisticsSink, sweep } from "./sweep.ts"

export interface Table {
  readonly rows: number
  readonly weight: number
  /** Is every label seen, and every cell of a correlated leaf? Then nothing is guessed. */
  readonly certain: boolean
  /** The model's label. */
  readonly label?: string | undefined
  /** The chunks, from the beginning. */
  chunks(): Iterable<Chunk> | AsyncIterable<Chunk>
}

/** Statistics of first guesses. */
class StartSink extends StatisticsSink implements GuessingSink {
  guess = firstGuess
}

export function learnable(laid: Laid, table: Table, signal: AbortSignal | undefined, dice: Dice): Learnable {
  const prior = priorOf(laid)
  const hidden = laid.parts.filter(part => part.part === "switch").filter(part => part.hidden)
  const sampleDice = dice.fork(1)
  // The weight of one row: weights may be small fractions.
  const one = Math.min(1, table.weight / table.rows)
  let sample: Promise<Block> | undefined
  const sampled = (): Promise<Block> => {
    sample ??= takeSample(laid.columns, table, sampleDice)
    return sample
  }

  return {
    rows: table.rows,
    weight: table.weight,
    prior,

    async start(startDice) {
      const stats = new Float64Array(laid.statistics)
      // θ before anything was seen: the pooled parameters.
      const { params } = solve(laid, withPrior(stats, prior, 1))
      if (table.certain) return stats
      const block = await sampled()
      laid.root.start(block, params, rootWeights(block), startDice, new StartSink(params, stats))
      return stats
    },

    adopt(description) {
      const stats = new Float64Array(laid.statistics)
      laid.root.adopt(description, 0, 1, stats)
      return stats
    },

    batches: (size, order) => shuffled(laid.columns, table, size, order),
    target: (column, against) => targetColumn(laid, table.label, column, against),
    contrast: (block, params, regime, stats) => contrast(laid, block, params, regime, stats),
    moments(params, counts) {
      const stats = new Float64Array(laid.statistics)
      laid.root.moments(params, Float64Array.of(1), stats)
      for (const part of laid.parts) {
        if (part.part === "switch" || !part.leaf.lengthGiven) continue
        for (let j = part.statsAt; j < part.statsAt + part.statistics; j++)
          stats[j] = counts[j] / table.weight
      }
      return stats
    },
    pull: params => pullOf(laid, prior, params),
    guard: (before, after) => guard(laid, before, after, prior, table.weight),

    sweep: params => sweep(laid, table.chunks(), params, { certain: table.certain, signal }),
    solve: stats => solve(laid, stats),
    value: (stats, params) => value(laid, stats, params),

    starved(stats) {
      let count = 0
      for (const part of hidden) {
        for (let j = 0; j < part.statistics; j++) if (stats[part.statsAt + j] < one) count++
      }
      return count
    },

    async reseed(stats, params, seedDice) {
      const fresh = stats.slice()
      const block = await sampled()
      const sink = new StartSink(params, fresh)
      const taken = new Set<number>()
      for (const part of hidden) {
        for (let j = 0; j < part.statistics; j++) {
          if (stats[part.statsAt + j] >= one) continue
          const slot = j % part.slots
          const row = worstRow(laid, block, params, part, slot, taken)
          if (!row) continue
          part.seed(row, params, slot, Math.trunc(j / part.slots), one, seedDice.fork(j), sink)
        }
      }
      return taken.size > 0 ? fresh : undefined
    },
  }
}

/**
 * The same problem with statistics of earlier rows in it, as fixed pseudo-rows: EM then climbs
 * L(new rows) + value(base, θ), which is the log-likelihood of all rows where nothing was hidden in the earlier ones. Else
 * value(base, θ) is the expected log-likelihood of those rows and what was guessed of them, not theirs alone.
 */
export function continued(
  problem: Learnable,
  base: Float64Array,
  before: { readonly rows: number; readonly weight: number },
  laid: Laid,
): Learnable {
  return {
    ...problem,
    rows: problem.rows + before.rows,
    weight: problem.weight + before.weight,
    start: async dice => withNewSlots(laid, base, await problem.start(dice)),
    async sweep(params) {
      const { stats, logLikelihood, ...rest } = await problem.sweep(params)
      return {
        ...rest,
        stats: stats.map((value, j) => value + base[j]),
        logLikelihood: logLikelihood === undefined ? undefined : logLikelihood + problem.value(base, params),
      }
    },
  }
}

/** The base, and first guesses for slots it knows nothing of: equal components of a new class would stay equal for ever. */
function withNewSlots(laid: Laid, base: Float64Array, guess: Float64Array): Float64Array {
  const start = base.slice()
  for (const part of laid.parts) {
    const owner = ownersOf(part)
    const known = new Set<number>()
    owner.forEach((slot, j) => {
      if (base[part.statsAt + j] !== 0) known.add(slot)
    })
    owner.forEach((slot, j) => {
      if (slot >= 0 && !known.has(slot)) start[part.statsAt + j] = guess[part.statsAt + j]
    })
  }
  return start
}
