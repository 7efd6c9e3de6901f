/** A model laid out on data, in this process, as learners see it. */
import type { Block, Chunk, Column, Dice, Guess, GuessingSink, Learnable, Sweep } from "../contract.ts"
import { pause } from "../pause.ts"
import { withNewSlots } from "./grown.ts"
import { type Laid, priorOf, value } from "./lay.ts"
import { moving } from "./moving.ts"
import { parted } from "./part.ts"
import { posteriorsOf } from "./posteriors.ts"
import { factorsOf, targetColumn } from "./pull.ts"
import { takeSample, worstRow } from "./sample.ts"
import { firstGuess, guessColumns } from "./seeding.ts"
import { shuffled } from "./shuffle.ts"
import { priorOfOthers, solveWithPrior, valueOfPrior } from "./solve-with-prior.ts"
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
  /** The same chunks at every pass, where they stay in memory. */
  readonly held?: readonly Chunk[] | undefined
  /** A sweep over the chunks by other threads, to the same bits; the rows may be gone from here once it has begun. */
  sweep?(params: Float64Array): Promise<Sweep>
  /** Rows that come once: mini-batches from where the last call ended. The chunks are then those it began with. */
  batches?(size: number): AsyncIterable<Block>
  readonly stream?: { readonly ended: boolean }
}

/** Statistics of first guesses. */
class StartSink extends StatisticsSink implements GuessingSink {
  readonly #columns: readonly Column[]

  constructor(columns: readonly Column[], params: Float64Array, stats: Float64Array) {
    super(params, stats)
    this.#columns = columns
  }

  guess(asked: Guess): Float64Array {
    return firstGuess(asked, guessColumns(asked.node, this.#columns))
  }
}

export function learnable(laid: Laid, table: Table, signal: AbortSignal | undefined, dice: Dice): Learnable {
  const facts = new Facts(laid, table)
  const others = priorOfOthers(laid)
  const hidden = laid.parts.filter(part => part.part === "switch").filter(part => part.hidden)
  // The weight of one row: weights may be small fractions.
  const one = Math.min(1, table.weight / table.rows)
  let sample: Promise<Block> | undefined
  const sampled = (): Promise<Block> => {
    sample ??= takeSample(laid.columns, table, dice.fork(1))
    return sample
  }

  const work: Omit<Learnable, keyof Facts> = {
    wordwise: laid.parts.every(part => part.part === "switch" || (part.leaf.wordwise && part.leaf.inertia)),

    async start(startDice) {
      const stats = new Float64Array(laid.statistics)
      if (table.certain) return stats
      // θ before anything was seen: the pooled parameters.
      const { params } = solveWithPrior(laid, stats, others, 1)
      const block = await sampled()
      laid.root.start(
        block,
        params,
        rootWeights(block),
        startDice,
        new StartSink(laid.columns, params, stats),
      )
      return stats
    },

    adopt(description) {
      const stats = new Float64Array(laid.statistics)
      laid.root.adopt(description, 0, 1, stats)
      return stats
    },

    batches: (size, order) =>
      paced(table.batches?.(size) ?? shuffled(laid.columns, table, size, order), signal),
    stream: table.batches && table.stream,
    target: (column, against) => targetColumn(laid, table.label, column, against),
    factors: (target, byName) => factorsOf(laid, target, byName),
    moving: (from, course) => moving(laid, facts, from, course),
    ...(!table.batches && {
      posteriors: (stats: Float64Array, target: string, byLevel: Float64Array | undefined) =>
        posteriorsOf(laid, table.chunks(), solveWithPrior(laid, stats, others, 0).params, target, byLevel),
    }),
    async part(share, order) {
      const [rest, held] = await parted(laid.columns, table, share, order)
      return { rest: learnable(laid, rest, signal, dice), held: learnable(laid, held, signal, dice) }
    },

    certain: table.certain,
    async sweep(params = new Float64Array(laid.parameters)) {
      if (!table.sweep) return sweep(laid, table.chunks(), params, { certain: table.certain, signal })
      // Starved components will need it, when the rows are elsewhere.
      if (!table.certain) await sampled()
      return table.sweep(params)
    },
    solve: (stats, strength = 0) => solveWithPrior(laid, stats, others, strength),
    value: (stats, params) =>
      stats === "prior" ? valueOfPrior(laid, others, params) : value(laid, stats, params),

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
      const sink = new StartSink(laid.columns, params, fresh)
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
  return Object.assign(facts, work)
}

/**
 * What is asked anew each time: a stream goes on. A class, since a getter in an object of closures gives it a shape of its own, by which
 * engines keep all that the closures know until they collect everything.
 */
class Facts {
  readonly #laid: Laid
  readonly #table: Table
  #prior: Float64Array | undefined

  constructor(laid: Laid, table: Table) {
    this.#laid = laid
    this.#table = table
  }

  get rows(): number {
    return this.#table.rows
  }

  get weight(): number {
    return this.#table.weight
  }

  get held(): Table["held"] {
    return this.#table.held
  }

  /** α of all parts, words too. */
  get prior(): Float64Array {
    this.#prior ??= priorOf(this.#laid)
    return this.#prior
  }
}

/** Rows between two pauses. */
const PACE = 4096

/** Timers, aborts and the page get their turn now and then. */
async function* paced(batches: AsyncIterable<Block>, signal: AbortSignal | undefined): AsyncGenerator<Block> {
  let rows = 0
  for await (const block of batches) {
    yield block
    signal?.throwIfAborted()
    rows += block.rows
    if (rows < PACE) continue
    rows = 0
    await pause()
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
    prior: problem.prior,
    posteriors: undefined,
    rows: problem.rows + before.rows,
    weight: problem.weight + before.weight,
    start: async dice => withNewSlots(laid, base, await problem.start(dice)),
    moving: (from, course) =>
      moving(laid, { prior: problem.prior, weight: problem.weight + before.weight }, from, course),
    async part(share, dice) {
      const { rest, held } = await problem.part(share, dice)
      return { rest: continued(rest, base, before, laid), held }
    },
    async sweep(params) {
      const { stats, logLikelihood, ...rest } = await problem.sweep(params)
      return {
        ...rest,
        stats: stats.map((value, j) => value + base[j]),
        logLikelihood:
          logLikelihood === undefined || !params ? undefined : logLikelihood + problem.value(base, params),
      }
    },
  }
}
