/** The rows that a structure is looked for in: encoded once by the door, column by column. */
import type { Block, Encoded } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Dice } from "../contract/dice.ts"
import type { Family } from "../contract/family.ts"
import { discover } from "../data/discover.ts"
import { encodeForLearning } from "../data/encode.ts"
import type { Batch } from "../data/read.ts"
import { independent } from "../structures/independent.ts"

export interface Table {
  readonly names: readonly string[]
  readonly families: readonly Family[]
  readonly columns: readonly Column[]
  /** All rows in one block. */
  readonly block: Block
  /** The total weight. */
  readonly weight: number
  /** Is a cell missing in any row? */
  readonly hasHoles: boolean
}

export async function tableOf(
  families: Readonly<Record<string, Family>>,
  data: Batch,
  weight: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Table> {
  const { uses } = independent(families)
  const weighting = { column: weight }
  const found = await discover(uses, data, weighting, signal)
  const blocks: Block[] = []
  for await (const chunk of encodeForLearning(found.schema, data, weighting, found.rows, signal))
    blocks.push(...chunk)
  const names = Object.keys(families)
  const places = names.map(name => found.schema.columns.findIndex(column => column.name === name))
  const rows = blocks.reduce((sum, block) => sum + block.rows, 0)
  return {
    names,
    families: Object.values(families),
    columns: places.map(place => found.schema.columns[place]),
    block: {
      rows,
      weight: joined(
        blocks.map(block => block.weight.subarray(0, block.rows)),
        new Float64Array(rows),
      ),
      cells: places.map(place => {
        const cells = blocks.map(block => (block.cells[place] as Float64Array).subarray(0, block.rows))
        const isLevel = found.schema.columns[place].kind === "level"
        return joined(cells, isLevel ? new Int32Array(rows) : new Float64Array(rows))
      }),
    },
    weight: found.weight,
    hasHoles: Object.values(found.missing).some(count => count > 0),
  }
}

function joined<Numbers extends Float64Array | Int32Array>(
  parts: readonly ArrayLike<number>[],
  out: Numbers,
): Numbers {
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

/** As many rows, drawn with replacement. */
export function resampled(table: Table, dice: Dice): Table {
  const { rows, weight, cells } = table.block
  const picked = Int32Array.from({ length: rows }, () => dice.integer(rows))
  const taken = weight.slice(0, rows).map((_, i) => weight[picked[i]])
  return {
    ...table,
    weight: taken.reduce((sum, each) => sum + each, 0),
    block: {
      rows,
      weight: taken,
      cells: cells.map((own): Encoded => {
        const column = own as Float64Array | Int32Array
        return column.map((_, i) => column[picked[i]])
      }),
    },
  }
}

/** Does a column with levels, or a number, say the same as another? Levels up to their names, numbers up to a line through all their values. */
export function saysTheSame(table: Table, one: number, other: number): boolean {
  const { columns, block } = table
  if (columns[one].kind !== columns[other].kind) return false
  const a = block.cells[one] as Float64Array | Int32Array
  const b = block.cells[other] as Float64Array | Int32Array
  if (columns[one].kind === "number") {
    const isLine = (sign: number): boolean => {
      for (let i = 0; i < block.rows; i++) {
        const isMissing = a[i] !== a[i]
        if (isMissing ? b[i] === b[i] : !(Math.abs(a[i] - sign * b[i]) < 1e-9)) return false
      }
      return true
    }
    return isLine(1) || isLine(-1)
  }
  const to = new Map<number, number>()
  const from = new Map<number, number>()
  for (let i = 0; i < block.rows; i++) {
    if (a[i] < 0 !== b[i] < 0) return false
    if ((to.get(a[i]) ?? b[i]) !== b[i] || (from.get(b[i]) ?? a[i]) !== a[i]) return false
    to.set(a[i], b[i])
    from.set(b[i], a[i])
  }
  return true
}
