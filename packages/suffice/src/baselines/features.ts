/**
 * What a linear classifier sees of the columns of a model, which pass the same door:
 *
 *     number, count → (x − mean)/sd of the training rows; missing = the mean, so 0
 *     level         → 1 at its level, 0 elsewhere; missing or never seen = 0 everywhere
 *     bag           → the counts of its words, scaled as the column says (text/scaling.ts): the same cells that sdEM sees, even
 *                     if the model looks only at which words occur
 */
import type { Bags, Block } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import { Moments } from "../data/moments.ts"
import { scaler } from "../text/scaling.ts"
import type { DesignMatrix } from "./design-matrix.ts"

export interface Feature {
  /** "x", "island = Biscoe", "text: word": as toLinear() names them. */
  readonly name: string
  readonly column: string
  /** Mean and sd of the training rows, in the units of the data; only for numbers and counts. */
  readonly mean?: number
  readonly sd?: number
}

/** Which feature each cell of a block becomes. */
export interface Features {
  /** Numbers and counts, in order: feature f is (cell − mean)/sd of the column at `place`. */
  readonly dense: readonly { readonly place: number; readonly mean: number; readonly sd: number }[]
  /** Levels and bags: entry e of the column at `place` is feature from + e. */
  readonly sparse: readonly {
    readonly place: number
    readonly from: number
    /** For a bag: its scaled counts. */
    readonly weighed?: (bags: Bags) => Float64Array
  }[]
  readonly width: number
}

/** `used`: the rows to learn from, block by block. The column at `without` (the label) is not a feature. */
export function featuresOf(
  columns: readonly Column[],
  without: number,
  blocks: readonly Block[],
  used: (block: Block, row: number) => boolean,
): Features {
  const places = [...columns.keys()].filter(place => place !== without)
  const dense = places
    .filter(place => isNumeric(columns[place]))
    .map(place => {
      const moments = new Moments()
      for (const block of blocks) {
        const held = block.cells[place] as Float64Array
        for (let i = 0; i < block.rows; i++) {
          if (used(block, i) && held[i] === held[i]) moments.add(held[i], block.weight[i])
        }
      }
      const { mean, spread } = moments.found()
      // a constant column: its feature is 0 in training, and so is its weight
      return { place, mean, sd: spread > 0 ? spread : 1 }
    })
  let width = dense.length
  const sparse = places.flatMap(place => {
    const column = columns[place]
    if (column.kind !== "level" && column.kind !== "bag") return []
    const from = width
    width += column.kind === "level" ? column.levels.length : column.words.length
    return [{ place, from, ...(column.kind === "bag" && { weighed: scaler(column.text) }) }]
  })
  return { dense, sparse, width }
}

function isNumeric(column: Column): boolean {
  return column.kind === "number" || column.kind === "count"
}

/** The rows of these blocks (all, or those in `used`) as a matrix. */
export function designOf(
  { dense, sparse, width }: Features,
  blocks: readonly Block[],
  intercept: boolean,
  used: (block: Block, row: number) => boolean = () => true,
): DesignMatrix {
  let rows = 0
  let entries = 0
  for (const block of blocks) {
    for (let i = 0; i < block.rows; i++) {
      if (!used(block, i)) continue
      rows++
      for (const { place, weighed } of sparse) {
        if (!weighed) entries += (block.cells[place] as Int32Array)[i] >= 0 ? 1 : 0
        else {
          const { offsets } = block.cells[place] as Bags
          entries += offsets[i + 1] - offsets[i]
        }
      }
    }
  }
  const values = new Float64Array(rows * dense.length)
  const offsets = new Int32Array(rows + 1)
  const indices = new Int32Array(entries)
  const counts = new Float64Array(entries)
  let row = 0
  let at = 0
  for (const block of blocks) {
    for (let i = 0; i < block.rows; i++) {
      if (!used(block, i)) continue
      for (let f = 0; f < dense.length; f++) {
        const { place, mean, sd } = dense[f]
        const held = (block.cells[place] as Float64Array)[i]
        if (held === held) values[row * dense.length + f] = (held - mean) / sd
      }
      for (const { place, from, weighed } of sparse) {
        if (!weighed) {
          const code = (block.cells[place] as Int32Array)[i]
          if (code < 0) continue
          indices[at] = from + code
          counts[at++] = 1
        } else {
          const bags = block.cells[place] as Bags
          const weights = weighed(bags)
          for (let t = bags.offsets[i]; t < bags.offsets[i + 1]; t++) {
            indices[at] = from + bags.words[t]
            counts[at++] = weights[t]
          }
        }
      }
      offsets[++row] = at
    }
  }
  return { rows, dense: dense.length, values, offsets, indices, counts, width, intercept }
}

/** The names of the features, in their order. */
export function namesOf({ dense, sparse }: Features, columns: readonly Column[]): Feature[] {
  return [
    ...dense.map(({ place, mean, sd }): Feature => {
      const column = columns[place]
      const { shift, scale } = column.kind === "number" ? column : { shift: 0, scale: 1 }
      return { name: column.name, column: column.name, mean: shift + scale * mean, sd: scale * sd }
    }),
    ...sparse.flatMap(({ place }) => {
      const column = columns[place]
      if (column.kind === "level") {
        return column.levels.map(level => ({ name: `${column.name} = ${level}`, column: column.name }))
      }
      return column.kind === "bag"
        ? column.words.map(word => ({ name: `${column.name}: ${word}`, column: column.name }))
        : []
    }),
  ]
}
