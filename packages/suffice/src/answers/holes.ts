/** Missing cells of a row and of its steps, and the row with something in their place, in the form it came in. */
import { isHole } from "../blocks/encoded.ts"
import type { Block, Nested } from "../contract/block.ts"
import type { Cell, Row } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"

export interface Hole {
  readonly column: string
  /** x, or steps[3].x: as levels that training never saw are named. */
  readonly name: string
  /** The row of its block: a row, or a step of all rows. */
  readonly at: number
  /** The columns of steps around it and the step in each, outermost first. */
  readonly within: readonly { readonly steps: string; readonly step: number }[]
}

/** The missing cells of row i that are wanted, by their column and their name. */
export function holesOf(
  columns: readonly Column[],
  block: Block,
  i: number,
  isWanted: (column: string, name: string) => boolean,
  within: Hole["within"] = [],
): Hole[] {
  const prefix = within.map(({ steps, step }) => `${steps}[${step}].`).join("")
  return columns.flatMap((column, place): Hole[] => {
    if (column.kind === "steps") {
      const { offsets, block: steps } = block.cells[place] as Nested
      return Array.from({ length: offsets[i + 1] - offsets[i] }, (_, step) =>
        holesOf(column.columns, steps, offsets[i] + step, isWanted, [
          ...within,
          { steps: column.name, step },
        ]),
      ).flat()
    }
    const name = `${prefix}${column.name}`
    if (!isHole(column, block.cells[place], i) || !isWanted(column.name, name)) return []
    return [{ column: column.name, name, at: i, within }]
  })
}

/** The cell of a drawn row, whose steps are lists of rows. */
export function drawnAt(drawn: Row, { column, within }: Hole): Cell {
  const row = within.reduce((row, { steps, step }) => (row[steps] as readonly Row[])[step], drawn)
  return row[column]
}

type Fill = Hole & { readonly cell: Cell }

/** The row with these cells. */
export function withCells(row: Row, fills: readonly Fill[], depth = 0): Row {
  const cells = new Map<string, Cell>(Object.entries(row))
  for (const { column, within, cell } of fills) if (within.length === depth) cells.set(column, cell)
  for (const name of new Set(fills.flatMap(({ within }) => within[depth]?.steps ?? []))) {
    const own = fills.filter(({ within }) => within[depth]?.steps === name)
    cells.set(name, withSteps(row[name], own, depth))
  }
  return Object.fromEntries(cells)
}

/** Steps as rows, as columns, or as the cells of the only column: what is filled has the same form. */
function withSteps(given: Cell, fills: readonly Fill[], depth: number): Cell {
  const isDirect = fills.every(({ within }) => within.length === depth + 1)
  if (!Array.isArray(given) && !ArrayBuffer.isView(given)) {
    const columns = new Map<string, Cell[]>(
      Object.entries(given as Readonly<Record<string, ArrayLike<Cell>>>).map(([name, cells]) => [
        name,
        Array.from(cells),
      ]),
    )
    const [{ length }] = [...columns.values(), []]
    for (const { column, within, cell } of fills) {
      if (!columns.has(column)) columns.set(column, new Array<Cell>(length).fill(null))
      columns.get(column)![within[depth].step] = cell
    }
    return Object.fromEntries(columns)
  }
  const steps: Cell[] = Array.from(given as unknown as ArrayLike<Cell>)
  const isPlain = isDirect && steps.some(step => step !== null && typeof step !== "object")
  fills.forEach(({ within, cell }) => {
    if (isPlain) steps[within[depth].step] = cell
  })
  if (isPlain) return steps
  for (const step of new Set(fills.map(({ within }) => within[depth].step))) {
    const own = fills.filter(({ within }) => within[depth].step === step)
    steps[step] = withCells((steps[step] ?? {}) as Row, own, depth + 1)
  }
  return steps
}
