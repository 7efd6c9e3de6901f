/** A model laid out on a table of rows, as learners see it (contract/learnable.ts). Long because what learners ask for stands in one object. */
import type { Block, Chunk, Weights } from "../contract/block.ts"
import type { Dice } from "../contract/dice.ts"
import type { Lifetime } from "../contract/door.ts"
import type { Learnable, Sweep } from "../contract/learnable.ts"
import type { Guess, GuessingSink } from "../contract/node.ts"
import { isDue, paced, pause } from "../pause.ts"
import { withGuesses } from "./grown.ts"
import { holdOut } from "./hold-out.ts"
import { type Laid, logPrior, priorOf, solve, spreadOf, value, withPrior } from "./lay.ts"
import { moving } from "./moving.ts"
import { posteriorsOf } from "./posteriors.ts"
import { targetColumn } from "./pull.ts"
import { type Ranks, Taken, takeSample, worstRow } from "./sample.ts"
import { firstGuess, type GuessColumn, guessColumns, guessing } from "./seeding.ts"
import { shuffled } from "./shuffle.ts"
import { rootWeights, StatisticsSink, sweep } from "./sweep.ts"
import { starvedTopics } from "./topic-shortage.ts"

export interface Table {
  readonly rows: number
  readonly weight: number
  /** Every label is seen, and every cell of a correlated leaf: nothing is guessed. */
  readonly certain: boolean
  /** Nothing is hidden but tags of steps. */
  readonly onlyTagsHide?: boolean
  /** The model's label, and the number of rows in which it is missing. */
  readonly label?: string | undefined
  readonly unlabelled?: number | undefined
  /** The chunks, from the beginning; with "chunk" each may be good until the next one only, which is cheaper. */
  chunks(lifetime?: Lifetime): Iterable<Chunk> | AsyncIterable<Chunk>
  /** The chunks, if they are all in memory: the same ones at every pass. */
  readonly inMemory?: readonly Chunk[] | undefined
  /** A sweep by other threads, to the same bits. Once it has begun, the rows may be in those threads only. */
  sweep?(params: Float64Array): Promise<Sweep>
  /** These rows as one block, where that is cheaper than reading all chunks. */
  rowsAt?(ranks: Ranks): Promise<Block>
  /** An epoch of small steps on the machines where the rows are. */
  round?: Learnable["round"]
  /** For a stream: mini-batches from where the last call ended. `chunks` then returns the warm-up. */
  batches?(size: number): AsyncIterable<Block>
  readonly stream?: { readonly ended: boolean }
}

/** Statistics of first guesses: those in `made`, in the order in which they are asked for, then new ones. */
class StartSink extends StatisticsSink implements GuessingSink {
  readonly #columnsFor: (guess: Guess) => readonly GuessColumn[]
  readonly #made: Float64Array[]
  readonly #stats: Float64Array
  readonly isAgain: boolean

  constructor(
    columnsFor: (guess: Guess) => readonly GuessColumn[],
    params: Float64Array,
    stats: Float64Array,
    made: readonly Float64Array[],
    isAgain: boolean,
  ) {
    super(params, stats)
    this.isAgain = isAgain
    this.#stats = stats
    this.#columnsFor = columnsFor
    this.#made = [...made]
  }

  guess(asked: Guess): Float64Array {
    return this.#made.shift() ?? firstGuess(asked, this.#columnsFor(asked))
  }

  start: GuessingSink["start"] = (part, block, weights, dice, value) => {
    if (part.leaf.start) part.leaf.start(block, weights, dice, part.statsOf(this.#stats), value)
    else this.leaf(part, block, weights)
  }
}

/** Interrupts a walk at a guess that has not been made yet. */
class Unguessed extends Error {
  readonly asked: Guess

  constructor(asked: Guess) {
    super("not guessed yet")
    this.asked = asked
  }
}

/**
 * The guesses that a walk over the tree asks for, in order. A guess may take long and is awaited, but the walk is synchronous: it is repeated, without
 * statistics, up to the first guess that is missing, until all are made.
 */
async function guessesOf(
  walk: (sink: GuessingSink) => void,
  make: (asked: Guess) => Promise<Float64Array>,
): Promise<Float64Array[]> {
  const made: Float64Array[] = []
  for (;;) {
    let next = 0
    try {
      walk({
        leaf: () => undefined,
        choice: () => undefined,
        start: () => undefined,
        guess(asked) {
          if (next === made.length) throw new Unguessed(asked)
          return made[next++]
        },
      })
      return made
    } catch (error) {
      if (!(error instanceof Unguessed)) throw error
      made.push(await make(error.asked))
    }
  }
}

export function learnable(laid: Laid, table: Table, signal: AbortSignal | undefined, dice: Dice): Learnable {
  const facts = new Facts(laid, table)
  const hidden = laid.parts.filter(part => part.hidden)
  // the weight of an average row, as weights may be small fractions
  const one = Math.min(1, table.weight / table.rows)
  const columnsFor = ({ node }: Guess): readonly GuessColumn[] => guessColumns(node)
  let sample: Promise<Block> | undefined
  const sampled = (): Promise<Block> => {
    sample ??= takeSample(laid.columns, table, dice.fork(1))
    return sample
  }

  const work: Omit<Learnable, keyof Facts> = {
    isSparse: laid.parts.every(
      ({ isChoice, leaf, steps }) => isChoice || (steps.length === 0 && leaf.sparse?.inertia),
    ),

    isChained:
      laid.switches.some(({ walk }) => walk) || laid.parts.some(({ follows }) => follows !== undefined),

    async start(startDice, isAgain = false) {
      const stats = new Float64Array(laid.statistics)
      if (table.certain) return stats
      // θ before any row is seen: the pooled parameters
      const { params } = solve(laid, stats, 1)
      const block = await sampled()
      const walk = (sink: GuessingSink): void =>
        laid.root.start(block, params, rootWeights(block), startDice, sink)
      const guesses = await guessesOf(walk, guess => paced(guessing(guess, columnsFor(guess)), signal))
      walk(new StartSink(columnsFor, params, stats, guesses, isAgain))
      return stats
    },

    adopt(description) {
      const stats = new Float64Array(laid.statistics)
      laid.root.adopt(description, 0, 1, stats)
      return stats
    },

    batches: (size, order) =>
      withPauses(table.batches?.(size) ?? shuffled(laid.columns, table, size, order), signal),
    stream: table.batches && table.stream,
    ...(table.round && { round: table.round }),
    target: (column, against) => targetColumn(laid, table.label, column, against),
    moving: (from, course) => moving(laid, facts, from, course),
    ...(!table.batches && {
      posteriors: (params: Float64Array, target: string, byLevel: Float64Array | undefined) =>
        posteriorsOf(laid, table.chunks("chunk"), params, target, byLevel),
    }),
    async holdOut(share, order) {
      const [rest, heldOut] = await holdOut(laid.columns, table, share, order)
      return { rest: learnable(laid, rest, signal, dice), heldOut: learnable(laid, heldOut, signal, dice) }
    },

    certain: table.certain,
    hidesInLeaves: !table.certain && laid.parts.some(({ leaf }) => leaf.start),
    async sweep(params = new Float64Array(laid.parameters)) {
      if (!table.sweep) return sweep(laid, table.chunks("chunk"), params, { certain: table.certain, signal })
      // reseed needs the sample when the rows are in other threads
      if (!table.certain) await sampled()
      return table.sweep(params)
    },
    ...(table.onlyTagsHide && {
      async countSeen() {
        const params = new Float64Array(laid.parameters)
        const { stats } = await sweep(laid, table.chunks("chunk"), params, {
          ...{ certain: true, waits: true, signal },
        })
        const isEverywhere = laid.switches.every(
          ({ part, walk }) => !walk || part.statsOf(stats).every(visits => visits > 0),
        )
        return isEverywhere ? stats : undefined
      },
    }),
    spreads: laid.spreads,
    spread: stats => spreadOf(laid, stats),
    withPrior: (stats, strength, spread) => withPrior(laid, stats, strength, spread),
    solve: (stats, strength, spread) => solve(laid, stats, strength, spread),
    value: (stats, params) => value(laid, stats, params),
    logPrior: (params, spread) => logPrior(laid, params, spread),

    starvedInside: stats => starvedTopics(laid.parts, stats, one),
    starved(stats) {
      let count = 0
      for (const part of hidden) for (const mass of part.hidden!(stats)) if (mass < one) count++
      return count
    },

    async reseed(stats, params, seedDice) {
      const fresh = stats.slice()
      const block = await sampled()
      const sink = new StartSink(columnsFor, params, fresh, [], false)
      const taken = new Taken()
      for (const part of hidden) {
        const node = laid.switches.find(node => node.part === part)
        part.hidden!(stats).forEach((mass, j) => {
          if (mass >= one) return
          const slot = j % part.slots
          const value = Math.trunc(j / part.slots)
          const row = worstRow(laid, block, params, part, slot, taken)
          if (!row) return
          const dice = seedDice.fork(j)
          if (node) node.seed(row, params, slot, value, one, dice, sink)
          else sink.start(part, row, onlyIn(slot, one), dice, value)
        })
      }
      return taken.size > 0 ? fresh : undefined
    },
  }
  return Object.assign(facts, work)
}

/** The weights of a block of one row that belongs to this slot. */
function onlyIn(slot: number, weight: number): Weights {
  return { form: "one", slot: Int32Array.of(slot), weight: Float64Array.of(weight) }
}

/**
 * The members that change while a stream is read. A class, not getters in the object of closures: that would give every problem a hidden class of its own,
 * through which engines keep everything that the closures hold until a full collection.
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

  get passRows(): number {
    return this.#table.rows
  }

  get weight(): number {
    return this.#table.weight
  }

  get inMemory(): Table["inMemory"] {
    return this.#table.inMemory
  }

  /** α of all parts, words too. */
  get prior(): Float64Array {
    this.#prior ??= priorOf(this.#laid)
    return this.#prior
  }
}

/** Yields to the event loop between batches. */
async function* withPauses(
  batches: AsyncIterable<Block>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Block> {
  for await (const block of batches) {
    yield block
    if (isDue()) await pause()
    signal?.throwIfAborted()
  }
}

/**
 * The same problem plus the statistics `base` of earlier rows, as fixed pseudo-rows: EM then climbs L(new rows) + value(base, θ). That is the
 * log-likelihood of all rows if nothing was hidden in the earlier ones; else value(base, θ) is the expected log-likelihood of those rows and the
 * guesses made for them. If something is hidden, the spread stays as it was.
 */
export function continued(
  problem: Learnable,
  base: Float64Array,
  before: { readonly rows: number; readonly weight: number; readonly spread?: Float64Array | undefined },
  laid: Laid,
): Learnable {
  const spread = (stats: Float64Array): Float64Array =>
    problem.certain ? problem.spread(stats) : (before.spread ?? problem.spread(stats))
  return {
    ...problem,
    prior: problem.prior,
    spread,
    posteriors: undefined,
    hidesInLeaves: false,
    rows: problem.rows + before.rows,
    passRows: problem.passRows,
    weight: problem.weight + before.weight,
    start: async (dice, isAgain) => withGuesses(laid, base, await problem.start(dice, isAgain)),
    ...(problem.countSeen && {
      async countSeen() {
        const stats = await problem.countSeen!()
        return stats?.map((value, j) => value + base[j])
      },
    }),
    moving: (from, course) =>
      moving(laid, { prior: problem.prior, weight: problem.weight + before.weight }, from, course),
    async holdOut(share, dice) {
      const { rest, heldOut } = await problem.holdOut(share, dice)
      return { rest: continued(rest, base, before, laid), heldOut }
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
