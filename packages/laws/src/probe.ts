/**
 * Looks inside a model laid out on data, through the public contract alone: by a model that remembers the tree it was laid out as, and a
 * learner that takes no step.
 */
import type { Block, Cell, Column, Dice, Learnable, Learner, Model, Weights } from "suffice"
import type { Bags, Encoded, Nested, Node, Part, Sink, TextOptions } from "suffice/contract"
import { absorb } from "./absorb.ts"
import { type LooseData, type LooseRow, learn } from "./api.ts"

export { absorb }

/** A model laid out on rows: its tree, its parts, its encoded rows. */
export interface Probe {
  readonly root: Node
  readonly parts: readonly Part[]
  /** In the order of the cells of a block. */
  readonly columns: readonly Column[]
  readonly problem: Learnable
  readonly statistics: number
  /** The encoded rows, in order. */
  readonly blocks: readonly Block[]
  /** The dice of the learner. */
  readonly dice: Dice
}

export async function probe(
  model: Model,
  data: LooseData,
  {
    scaling,
    ...options
  }: {
    readonly weight?: string
    readonly seed?: number
    /** How a learner would scale documents. */
    readonly scaling?: TextOptions["scaling"]
  } = {},
): Promise<Probe> {
  const columns: Column[] = []
  const blocks: Block[] = []
  let root: Node | undefined
  let problem: Learnable | undefined
  let thrown: Dice | undefined
  const remembering: Model = {
    ...model,
    lay(plan, slots) {
      const laid = model.lay(
        {
          column(name) {
            const found = plan.column(name)
            columns[found.place] = found.column
            return found
          },
          reserve: plan.reserve,
          steps: plan.steps,
          within: plan.within,
        },
        slots,
      )
      root = laid
      return {
        ...laid,
        down(block, params, weights, sink, work) {
          blocks.push(block)
          laid.down(block, params, weights, sink, work)
        },
      }
    },
  }
  const idle: Learner = {
    name: "idle",
    options: {},
    scaling,
    // biome-ignore lint/correctness/useYield: it takes no step
    async *learn(found, dice) {
      problem = found
      thrown = dice
    },
  }
  for await (const _ of learn(remembering, data, { ...options, learner: idle }));
  const { params } = problem!.theta.solve(problem!.theta.prior, 0)
  await problem!.data.sweep(params)
  const parts = [...root!.tree.parts()]
  const seen = blocks.slice()
  return {
    root: root!,
    parts,
    columns,
    problem: problem!,
    statistics: problem!.theta.prior.length,
    blocks: seen,
    dice: thrown!,
  }
}

/** θ from statistics and a prior of this strength. */
export function solved({ problem }: Probe, stats: Float64Array, strength: number): Float64Array {
  return problem.theta.solve(
    stats.map((value, j) => value + strength * problem.theta.prior[j]),
    0,
  ).params
}

/** Every row in the root's one context, with its own weight. */
export function ownWeights(block: Block): Weights {
  return { form: "one", slot: new Int32Array(block.rows), weight: block.weight }
}

/** E[s | row], summed over a block, by up and down: a second opinion on the engine's sweep. */
export function expectedStatistics(
  { root, statistics }: Probe,
  params: Float64Array,
  block: Block,
): Float64Array {
  const stats = new Float64Array(statistics)
  const sink: Sink = {
    leaf(node, rows, weights) {
      absorb(node.leaf, rows, node.ranges.paramsOf(params), weights, node.ranges.statsOf(stats))
    },
    choice(node, { rows }, weights) {
      if (weights.form === "one") {
        for (let i = 0; i < rows; i++) stats[node.ranges.statsAt + weights.slot[i]] += weights.weight[i]
      } else {
        for (let at = 0; at < node.leaf.shape.statistics * rows; at++) {
          stats[node.ranges.statsAt + Math.trunc(at / rows)] += weights.values[at]
        }
      }
    },
  }
  const work = root.up(block, params, new Float64Array(block.rows))
  root.down(block, params, ownWeights(block), sink, work)
  return stats
}

/** ln p(row | θ) for each row of a block. */
export function scoresOf({ root }: Probe, params: Float64Array, block: Block): Float64Array {
  const scores = new Float64Array(block.rows)
  root.up(block, params, scores)
  return scores
}

/** Rows [from, to) of a block, as a block of their own. */
export function cut(block: Block, from: number, to: number): Block {
  return {
    rows: to - from,
    weight: block.weight.slice(from, to),
    cells: block.cells.map((held): Encoded => {
      if (!("offsets" in held)) return held.slice(from, to)
      const start = held.offsets[from]
      const end = held.offsets[to]
      const offsets = held.offsets.slice(from, to + 1).map(offset => offset - start)
      const missing = held.missing && Array.from(held.missing).slice(from, to)
      const inner = { ...cut(held.block, start, end), offsets }
      if (!("words" in held)) return { offsets, block: inner, missing }
      return { ...bagsOf(offsets, inner.cells[0] as Int32Array, inner.weight), missing }
    }),
  }
}

/** Bags as the door makes them: blocks of one column, the words, whose weights are the counts. */
export function bagsOf(offsets: Int32Array, words: Int32Array, counts: Float64Array): Bags {
  return { offsets, words, counts, block: { rows: words.length, weight: counts, cells: [words], offsets } }
}

/** One row without any cell. */
export function blank(columns: readonly Column[]): Block {
  return { rows: 1, weight: Float64Array.of(1), cells: columns.map(noCell) }
}

function noCell(column: Column): Encoded {
  if (column.kind === "level") return Int32Array.of(-1)
  if (column.kind === "steps") {
    const block = { ...cut(blank(column.columns), 0, 0), offsets: new Int32Array(2) }
    return { offsets: new Int32Array(2), block, missing: [1] }
  }
  if (column.kind !== "bag") return Float64Array.of(Number.NaN)
  return { ...bagsOf(new Int32Array(2), new Int32Array(0), new Float64Array(0)), missing: [1] }
}

/**
 * Draws every cell that `given` does not hold; its default is a row of the data with only the cells that nothing models. Bags are
 * left out: their length is given, not modelled.
 */
export function drawn(found: Probe, params: Float64Array, dice: Dice, given?: Block): Block {
  const { root } = found
  const block = cut(given ?? onlyRead(found, dice), 0, 1)
  root.up(block, params, new Float64Array(1))
  root.sample(block, params, 0, dice)
  return block
}

/** One row with the cells that nothing models, from the data. */
function onlyRead({ root, columns, blocks: [rows] }: Probe, dice: Dice): Block {
  const empty = blank(columns)
  if (columns.every(column => root.tree.columns.has(column.name))) return empty
  const i = dice.integer(rows.rows)
  const row = cut(rows, i, i + 1)
  return {
    ...empty,
    cells: columns.map(({ name }, place) => (root.tree.columns.has(name) ? empty : row).cells[place]),
  }
}

/** Row 0 of a block as cells. */
export function cellsOf(columns: readonly Column[], block: Block): LooseRow {
  return Object.fromEntries(columns.map((column, place) => [column.name, cellOf(column, block.cells[place])]))
}

function cellOf(column: Column, held: Encoded): Cell {
  switch (column.kind) {
    case "level": {
      const code = (held as Int32Array)[0]
      return code < 0 ? null : column.levels[code]
    }
    case "number": {
      const x = (held as Float64Array)[0]
      return x === x ? column.shift + column.scale * x : null
    }
    case "count": {
      const x = (held as Float64Array)[0]
      return x === x ? x : null
    }
    case "bag": {
      const { words, counts } = held as Bags
      return Object.fromEntries([...words].map((word, t) => [column.words[word], counts[t]]))
    }
    case "steps": {
      const { block } = held as Nested
      return Array.from({ length: block.rows }, (_, t) => cellsOf(column.columns, cut(block, t, t + 1)))
    }
    default:
      return column satisfies never
  }
}
