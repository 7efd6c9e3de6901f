/** The target of a contrast: a column of rows, or of the steps of rows. */
import type { Block, Encoded, Nested } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { SwitchNode } from "../contract/node.ts"
import type { Laid } from "./lay.ts"
import { namesOf } from "./parts.ts"

export interface Target {
  readonly column: Column
  /** Its place among the columns of the steps, or else of the rows. */
  readonly place: number
  /** The place of the column of steps that holds it; undefined for a column of rows. */
  readonly outer?: number
  /** The switch of the target, if it is above all that depends on its value: then the rest of the row is scored once. */
  readonly top?: SwitchNode | undefined
}

/** By name, since every mini-batch needs it. */
const targets = /* @__PURE__ */ new WeakMap<Laid, Map<string, Target>>()

export function targetIn(laid: Laid, name: string): Target {
  const known = targets.get(laid) ?? new Map<string, Target>()
  targets.set(laid, known)
  const target = known.get(name) ?? findTarget(laid, name)
  known.set(name, target)
  return target
}

function findTarget({ columns, parts, switches }: Laid, target: string): Target {
  const place = columns.findIndex(column => column.name === target)
  if (place < 0) {
    for (const [outer, steps] of columns.entries()) {
      const inner = steps.kind === "steps" ? steps.columns.findIndex(({ name }) => name === target) : -1
      if (steps.kind === "steps" && inner >= 0) return { column: steps.columns[inner], place: inner, outer }
    }
  }
  const covering = parts.filter(part => namesOf(part).includes(target))
  const isAlone = covering.length === 1 && covering[0].leaf.shape.slots === 1
  const top = isAlone ? switches.find(({ part }) => part === covering[0]) : undefined
  return { column: columns[place], place, top }
}

/** The cells of a target in one block. */
export interface TargetCells {
  readonly cells: Float64Array | Int32Array
  /** Row i has the cells from offsets[i] to offsets[i + 1]; undefined: one cell per row. */
  readonly offsets?: Int32Array
  /** The block with these cells instead. */
  within(values: Encoded): Block
  /** The block with all of them missing. */
  blank(): Block
}

export function cellsOf(block: Block, { column, place, outer }: Target): TargetCells {
  const nested = outer === undefined ? undefined : (block.cells[outer] as Nested)
  const inner = nested?.block ?? block
  const within = (values: Encoded): Block => {
    const changed = replaced(inner, place, values)
    return nested ? replaced(block, outer!, { ...nested, block: changed }) : changed
  }
  return {
    cells: inner.cells[place] as Float64Array | Int32Array,
    ...(nested && { offsets: nested.offsets }),
    within,
    blank: () => within(holes(column, inner.rows)),
  }
}

/** True if any cell of row i is observed. */
export function isSeen(column: Column, { cells, offsets }: TargetCells, i: number): boolean {
  if (!offsets) return !isMissing(column, cells, i)
  for (let t = offsets[i]; t < offsets[i + 1]; t++) if (!isMissing(column, cells, t)) return true
  return false
}

function isMissing({ kind }: Column, cells: Float64Array | Int32Array, i: number): boolean {
  // below −1 it is soft
  return kind === "level" ? cells[i] === -1 : cells[i] !== cells[i]
}

/** As many missing cells. */
export function holes({ kind }: Column, count: number): Int32Array | Float64Array {
  return kind === "level" ? new Int32Array(count).fill(-1) : new Float64Array(count).fill(NaN)
}

/** The block with other cells in one column. */
export function replaced(block: Block, place: number, cell: Encoded): Block {
  const cells = block.cells.slice()
  cells[place] = cell
  return { ...block, cells }
}
