/** A column that is set from outside: it holds one value in every row, and nothing is learned of it. */
import type { Column } from "../../contract/columns.ts"
import type { Leaf } from "../../contract/leaf.ts"
import type { Description } from "../../contract/report.ts"
import { silentLeaf } from "./silent.ts"

/** The value as a block holds it. */
export function encodedValue(column: Column, value: unknown): number {
  if (column.kind === "level") return column.levels.indexOf(value as never)
  return column.kind === "number" ? ((value as number) - column.shift) / column.scale : Number(value)
}

/** ln p(x) = 0 for the value, −∞ for every other. */
export function heldLeaf(column: Column, place: number, slots: number, value: unknown): Leaf {
  const held = encodedValue(column, value)
  const isOther = (cell: number): boolean =>
    cell === cell && cell !== held && !(column.kind === "level" && cell < 0)
  return {
    ...silentLeaf(slots),
    score(block, _params, out) {
      const cells = block.cells[place] as Float64Array | Int32Array
      for (let p = 0; p < slots; p++)
        for (let i = 0; i < block.rows; i++) if (isOther(cells[i])) out[p * block.rows + i] = -Infinity
    },
    describe: () => ({ held: value as Description["held"] }),
    sample(_params, _slot, block) {
      ;(block.cells[place] as Float64Array | Int32Array)[0] = held
    },
    ...(column.kind !== "level" && {
      numbers: {
        expect(block, _params, _slot, _place, mean, variance) {
          mean.fill(held, 0, block.rows)
          variance.fill(0, 0, block.rows)
        },
        cdf: (x, mean) => (x >= mean ? 1 : 0),
      },
    }),
  }
}

/** Is a column of this name held somewhere in the model? */
export function isHeld(spec: unknown, name: string): boolean {
  if (typeof spec !== "object" || spec === null) return false
  const own = spec as { readonly name?: unknown; readonly held?: unknown }
  return (
    (own.name === name && own.held !== undefined) || Object.values(spec).some(inner => isHeld(inner, name))
  )
}
