/**
 * Filling missing cells: a number by its mean, a level by its mode, each given everything the row holds. One upward and one downward pass
 * fill all cells of a block, each on its own; `draws` fills the cells of a row jointly, by random draws.
 */

import { isHole, outOf } from "../blocks/encoded.ts"
import { isLagged } from "../blocks/lags.ts"
import type { Block, Nested } from "../contract/block.ts"
import type { Cell, Level, Row } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import { encodedForQuestion } from "../data/question-blocks.ts"
import { type Batch, type Data, slicesOf } from "../data/read.ts"
import { namesOf } from "../engine/parts.ts"
import { refuseUnknown, SufficeError, show, wrongOption } from "../errors.ts"
import { checkSeed } from "../option-checks.ts"
import { dice } from "../random.ts"
import { drawnAt, holesOf, withCells } from "./holes.ts"
import type { SolvedModel } from "./knowledge.ts"
import { addShare, beliefs, levelOdds, reach, weightsOf } from "./numeric.ts"
import { drawRow } from "./sample.ts"

export interface ImputeOptions {
  /** The number of complete tables to draw from the posterior, for multiple imputation. */
  readonly draws?: number
  readonly seed?: number
}

export interface Imputed<R = Row> {
  /** The given rows with every missing cell of the model's columns filled, except bags of words; levels that training never saw stay. */
  readonly rows: R[]
  /** For each row, the filled cells, those of steps under names such as steps[3].x: standard deviation of a number; probability that a level is another. */
  readonly spread: Readonly<Record<string, number>>[]
  /** For each row, its levels and words that training never saw: they stay as they are, but tell the model nothing. */
  readonly unseen: Readonly<Record<string, Level | readonly string[]>>[]
  /** With `draws`: complete tables. */
  readonly draws: R[][]
}

export function imputed(solved: SolvedModel, data: Data, options: ImputeOptions): Imputed {
  refuseUnknown("impute", options, ["draws", "seed"])
  const { draws = 0, seed = 0 } = options
  checkSeed("impute", seed)
  if (!Number.isSafeInteger(draws) || draws < 0) {
    throw wrongOption(
      "impute",
      "draws",
      draws,
      "It counts complete tables, so it must be a whole number ≥ 0. Leave it out for one best guess.",
    )
  }
  const { known } = solved
  const { columns } = known.schema
  const { blocks, unseen: onUnseen } = encodedForQuestion(known.schema, data)
  const given = rowsOf(data as Batch)
  const rows: Row[] = []
  const spread: Record<string, number>[] = []
  const unseen: Imputed["unseen"] = []
  const tables: Row[][] = Array.from({ length: draws }, () => [])
  const rolls = Array.from({ length: draws }, (_, j) => dice([seed, j]))
  for (const block of blocks) {
    const first = rows.length
    const filled = fillBlock(solved, block)
    for (let i = 0; i < block.rows; i++) {
      const row = given[first + i]
      const strange = onUnseen.get(first + i) ?? {}
      // a level that training never saw is encoded as missing, but the cell is not empty
      const isEmpty = (column: string, name: string): boolean =>
        filled.has(column) && !Object.hasOwn(strange, name)
      const holes = holesOf(columns, block, i, isEmpty)
      const fills = holes.map(hole => ({ ...hole, ...filled.get(hole.column)!(hole.at) }))
      rows.push(withCells(row, fills))
      spread.push(Object.fromEntries(fills.map(({ name, spread }) => [name, spread])))
      unseen.push(strange)
      tables.forEach((table, j) => {
        const drawn = drawRow(solved, block, i, rolls[j], 0)
        table.push(
          withCells(
            row,
            holes.map(hole => ({ ...hole, cell: drawnAt(drawn, hole) })),
          ),
        )
      })
    }
  }
  return { rows, spread, unseen, draws: tables }
}

type Filler = (at: number) => { cell: Cell; spread: number }

/** The cells of one column, in rows or in steps. */
interface Cells {
  readonly column: Column
  readonly place: number
  readonly block: Block
}

/** All columns, those of steps with the block of the steps. */
function cellsIn(columns: readonly Column[], block: Block): Cells[] {
  return columns.flatMap((column, place) =>
    column.kind === "steps"
      ? cellsIn(column.columns, (block.cells[place] as Nested).block).filter(
          ({ column }) => !isLagged(column.name),
        )
      : [{ column, place, block }],
  )
}

/** How to fill each column that has a missing cell in the block; bags and what is made of other cells are not filled. */
function fillBlock(solved: SolvedModel, block: Block): Map<string, Filler> {
  const { known, params } = solved
  const holes = cellsIn(known.schema.columns, block).filter(({ column, place, block: { rows, cells } }) => {
    if (column.kind === "bag") return false
    for (let i = 0; i < rows; i++) if (isHole(column, cells[place], i)) return true
    return false
  })
  if (holes.length === 0) return new Map()
  const read = holes.find(({ column }) => !known.laid.root.tree.columns.has(column.name))
  if (read) {
    throw new SufficeError(
      "cell",
      `impute: ${show(read.column.name)} is missing in a row, and nothing in the model says what it is: it is only read. Fill it yourself, leave the row out, or add a part that models it.`,
      { column: read.column.name },
    )
  }
  // p(level | rest) of the columns with levels: levels × rows, or steps
  const chances = new Map(
    holes.flatMap(({ column, block: { rows } }) =>
      column.kind === "level" ? [[column.name, new Float64Array(column.levels.length * rows)]] : [],
    ),
  )
  const switches = new Set(known.laid.switches.map(({ part }) => part))
  const names = new Set(holes.map(({ column }) => column.name))
  const leaves = reach(solved, block, names, (part, own, weights) => {
    // a chain has other choices besides its state
    const out = switches.has(part) ? chances.get(part.columns[0].name) : undefined
    for (let s = 0; out && s < part.leaf.shape.statistics; s++)
      addShare(out, Math.trunc(s / part.leaf.shape.slots), weightsOf(weights, s, own), 1)
  })
  for (const { part, weights, block: own } of leaves) {
    const out = namesOf(part).length === 1 ? chances.get(part.columns[0].name) : undefined
    if (!out) continue
    const odds = levelOdds(part, part.columns[0], params)
    const codes = own.cells[part.places[0]] as Int32Array
    for (let s = 0; s < odds.length; s++)
      addShare(out, Math.trunc(s / part.leaf.shape.slots), weights[s % part.leaf.shape.slots], odds[s], codes)
  }
  return new Map(
    holes.map(({ column, block: own }) => {
      if (column.kind === "level") {
        const out = chances.get(column.name)!
        return [column.name, at => mode(column, out, own.rows, at)]
      }
      const belief = beliefs(solved, own, column.name, leaves)
      const scale = column.kind === "number" ? column.scale : 1
      return [column.name, at => ({ cell: outOf(column, belief.mean(at)), spread: scale * belief.sd(at) })]
    }),
  )
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

/** The data as rows, so that the answer also has the columns the model does not use. */
export function rowsOf(data: Batch): Row[] {
  if (Array.isArray(data)) return data as Row[]
  const rows: Row[] = []
  for (const slice of slicesOf(data)) {
    for (let i = 0; i < slice.rows; i++) {
      rows.push(Object.fromEntries(slice.names().map(name => [name, slice.cells(name)![i]])))
    }
  }
  return rows
}
