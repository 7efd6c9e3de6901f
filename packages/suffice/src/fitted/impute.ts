/**
 * Missing cells filled: a number by its mean, a level by its mode, each given everything the row does hold.
 * One pass up and one down fill all cells of a block; `draws` fills them at random, jointly, as often as asked.
 */
import type { Block, Cell, Column, LeafNode, Row, Sink } from "../contract.ts"
import { emptyRow, isHole, outOf } from "../data/decode.ts"
import { encodeForAsking } from "../data/encode.ts"
import { type Batch, type Data, slicesOf } from "../data/read.ts"
import { rootWeights } from "../engine/sweep.ts"
import { SufficeError, show } from "../errors.ts"
import { exp } from "../kernels/exp.ts"
import { dice } from "../random.ts"
import type { Asked } from "./knowledge.ts"
import { beliefs, weightsOf } from "./numeric.ts"
import { drawRow } from "./sample.ts"

export interface ImputeOptions {
  /** So many complete tables drawn from the posterior, for multiple imputation. */
  readonly draws?: number
  readonly seed?: number
}

export interface Imputed<R = Row> {
  /** The rows as they came, every missing cell of a model's column filled (an empty bag of words stays empty). */
  readonly rows: R[]
  /** For each row, the filled cells: standard deviation of a number; probability that a level is another. */
  readonly spread: Readonly<Record<string, number>>[]
  /** With `draws`: complete tables. */
  readonly draws: R[][]
}

export function imputed(asked: Asked, data: Data, { draws = 0, seed = 0 }: ImputeOptions): Imputed {
  if (!Number.isSafeInteger(draws) || draws < 0) {
    throw new SufficeError(
      "option",
      `impute: draws is ${show(draws)}. It counts complete tables, so it must be a whole number ≥ 0. Leave it out for one best guess.`,
      { option: "draws", value: draws },
    )
  }
  const { known } = asked
  const { columns } = known.schema
  const { blocks } = encodeForAsking(known.schema, data, new Set())
  const given = rowsOf(data as Batch)
  const rows: Row[] = []
  const spread: Record<string, number>[] = []
  const tables: Row[][] = Array.from({ length: draws }, () => [])
  const rolls = Array.from({ length: draws }, (_, j) => dice([seed, j]))
  for (const block of blocks) {
    const first = rows.length
    const filled = fillBlock(asked, block)
    for (let i = 0; i < block.rows; i++) {
      const cells: [string, Cell][] = []
      const gaps: [string, number][] = []
      columns.forEach((column, place) => {
        if (!isHole(column, block.cells[place], i)) return
        const fill = filled.get(column.name)?.(i)
        if (!fill) return
        cells.push([column.name, fill.cell])
        gaps.push([column.name, fill.spread])
      })
      rows.push({ ...given[first + i], ...Object.fromEntries(cells) })
      spread.push(Object.fromEntries(gaps))
      tables.forEach((table, j) => {
        const drawn = drawRow(asked, block, i, rolls[j], 0)
        const holes = gaps.map(([name]) => [name, drawn[name]])
        table.push({ ...given[first + i], ...Object.fromEntries(holes) })
      })
    }
  }
  return { rows, spread, draws: tables }
}

type Filler = (row: number) => { cell: Cell; spread: number }

/** For every column with a hole in the block: how to fill it. */
function fillBlock(asked: Asked, block: Block): Map<string, Filler> {
  const { known, params } = asked
  const { root } = known.laid
  const fillers = new Map<string, Filler>()
  const chances = new Map<string, Float64Array>() // level columns: levels × rows
  const holes = known.schema.columns.filter((column, place) => {
    for (let i = 0; i < block.rows; i++) if (isHole(column, block.cells[place], i)) return true
    return false
  })
  if (holes.length === 0) return fillers
  root.up(block, params, new Float64Array(block.rows))
  const levelsOf = (column: Column): number => (column.kind === "level" ? column.levels.length : 0)
  for (const column of holes) {
    if (column.kind === "level") chances.set(column.name, new Float64Array(levelsOf(column) * block.rows))
  }
  const sink: Sink = {
    choice(node, { rows }, weights) {
      const out = chances.get(node.column)
      if (!out) return
      for (let s = 0; s < node.statistics; s++) {
        const share = weightsOf(weights, s, block)
        const l = Math.trunc(s / node.slots)
        for (let i = 0; i < rows; i++) out[l * rows + i] += share[i]
      }
    },
    leaf(node, { rows }, weights) {
      const out = node.names.length === 1 ? chances.get(node.names[0]) : undefined
      if (!out) return
      const place = known.schema.columns.findIndex(column => column.name === node.names[0])
      const odds = levelOdds(node, known.schema.columns, place, params)
      for (let s = 0; s < odds.length; s++) {
        const share = weightsOf(weights, s % node.slots, block)
        const at = Math.trunc(s / node.slots) * rows
        for (let i = 0; i < rows; i++) out[at + i] += share[i] * odds[s]
      }
    },
  }
  if (chances.size > 0) root.down(block, params, rootWeights(block), sink)
  for (const column of holes) {
    if (column.kind === "level") {
      const out = chances.get(column.name)!
      fillers.set(column.name, row => mode(column, out, block.rows, row))
    } else if (column.kind !== "bag") {
      const belief = beliefs(asked, block, column.name)
      const scale = column.kind === "number" ? column.scale : 1
      fillers.set(column.name, row => ({
        cell: outOf(column, belief.mean(row)),
        spread: scale * belief.sd(row),
      }))
    }
  }
  return fillers
}

/** p(level | slot) of a leaf: entry l·slots + p. */
function levelOdds(
  node: LeafNode,
  columns: readonly Column[],
  place: number,
  params: Float64Array,
): Float64Array {
  const row = emptyRow(columns, 0)
  const { levels } = columns[place] as Extract<Column, { kind: "level" }>
  const odds = new Float64Array(levels.length * node.slots)
  levels.forEach((_, l) => {
    ;(row.cells[place] as Int32Array)[0] = l
    node.up(row, params, odds.subarray(l * node.slots, (l + 1) * node.slots))
  })
  return odds.map(exp)
}

/** The most probable level and the probability that it is another. */
function mode(
  column: Extract<Column, { kind: "level" }>,
  chances: Float64Array,
  rows: number,
  row: number,
): { cell: Cell; spread: number } {
  let best = 0
  for (let l = 1; l < column.levels.length; l++) {
    if (chances[l * rows + row] > chances[best * rows + row]) best = l
  }
  return { cell: column.levels[best], spread: Math.max(1 - chances[best * rows + row], 0) }
}

/** The data as rows, so that columns the model does not know come back too. */
function rowsOf(data: Batch): Row[] {
  if (Array.isArray(data)) return data as Row[]
  const rows: Row[] = []
  for (const slice of slicesOf(data)) {
    for (let i = 0; i < slice.rows; i++) {
      rows.push(Object.fromEntries(slice.names.map(name => [name, slice.cells(name)![i]])))
    }
  }
  return rows
}
