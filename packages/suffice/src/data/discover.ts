/**
 * The first pass over the data: the columns, their levels, words, location and scale, and what is missing.
 * Rows of weight 0 are ignored, with their levels.
 */
import type { Column, TextOptions, Use } from "../contract/columns.ts"
import type { Diagnostic } from "../contract/report.ts"
import { noNeighbours, SufficeError, show } from "../errors.ts"
import { isOnes } from "../kernels/all-ones.ts"
import { CHUNKS_PER_STRETCH, TieredSum } from "../kernels/tiered.ts"
import { CHUNK } from "./cut.ts"
import { diagnosed } from "./diagnose.ts"
import { type ColumnPart, type Explorer, explorer } from "./explore.ts"
import { type Breadth, type Data, isSource, type Slice, slices, unknownColumn } from "./read.ts"
import { type Readings, readingsOf } from "./readings.ts"
import { pooledScales } from "./scale.ts"
import { isSoft, softLevels } from "./soft.ts"
import { missingWithin, stepsWithin } from "./steps-explorer.ts"
import { classFactor, rowWeights, type Weighting } from "./weigh.ts"

export interface Schema {
  readonly columns: readonly Column[]
  /** The columns that are labels: their cells may be soft, and they may be left out at prediction. */
  readonly labels: readonly string[]
  /** The reading of each column of bags. */
  readonly readings: Readings
}

export interface Discovery {
  readonly schema: Schema
  /** The number of rows with weight, soft labels expanded, and their total weight. */
  readonly rows: number
  readonly weight: number
  /** Rows with weight, and of these the ones without the label, chunk by chunk. */
  readonly chunks: readonly (readonly [number, number])[]
  /** The total number of steps of each column of steps. */
  readonly steps: Readonly<Record<string, number>>
  /** The number of missing cells by column, columns of steps included. */
  readonly missing: Readonly<Record<string, number>>
  /** Columns that are missing in every row. */
  readonly empty: ReadonlySet<string>
  readonly diagnostics: readonly Diagnostic[]
}

export async function discover(
  uses: readonly Use[],
  data: Data,
  weighting: Weighting,
  signal?: AbortSignal,
  known?: Schema,
  scaling?: TextOptions["scaling"],
  /** No rows at all are fine: what is believed before any row is enough. */
  mayBeEmpty = false,
  onRows?: (rows: number) => void,
): Promise<Discovery> {
  const exploration = new Exploration(uses, weighting, known, scaling, !isSource(data))
  for await (const slice of slices(data, signal, exploration.breadth)) {
    exploration.look(slice)
    onRows?.(slice.rows)
  }
  return exploration.found(mayBeEmpty)
}

/** What was found in some chunks of one stretch: plain data, so that they can be explored elsewhere. */
export interface ExploredPart {
  /** The number of the first row. */
  readonly first: number
  readonly columns: readonly ColumnPart[]
  readonly present: readonly string[]
  readonly named: readonly string[]
  readonly given: number
  readonly weight: number
  /** Rows with weight, and of these the ones without the label, chunk by chunk. */
  readonly chunks: readonly (readonly [number, number])[]
}

/** The first pass, slice by slice; or parts of it that were made elsewhere, joined in the order of the rows, to the same bits. */
export class Exploration {
  readonly #uses: readonly Use[]
  readonly #seen: readonly Use[]
  readonly #weighting: Weighting
  readonly #isUpdate: boolean
  readonly #explorers: readonly Explorer[]
  readonly #labels: readonly string[]
  /** The explorer of the label whose missing cells are counted by chunk. */
  readonly #label: number
  readonly #present = new Set<string>()
  readonly #named = new Set<string>()
  readonly #chunks: [number, number][] = []
  readonly #weight = new TieredSum()
  #first = -1
  #stretch = 0
  /** Rows with weight, before soft labels are expanded. */
  #given = 0
  /** Of the current chunk, if it has begun. */
  #rows = 0
  #unlabelled = 0
  #isOpen = false

  constructor(
    uses: readonly Use[],
    weighting: Weighting,
    known?: Schema,
    scaling?: TextOptions["scaling"],
    remember = false,
  ) {
    this.#uses = uses
    this.#weighting = weighting
    this.#isUpdate = known !== undefined
    this.#seen = uses.filter(use => use.role !== "hidden")
    for (const { column, need } of this.#seen)
      if (need.kind === "bag" && need.reading.made) throw noNeighbours(column)
    this.#explorers = this.#seen.map(use => {
      const before = known?.columns.find(({ name }) => name === use.column)
      return explorer(use, weighting, before, scaling, remember)
    })
    this.#labels = this.#seen.filter(use => use.role === "label").map(use => use.column)
    this.#label = this.#seen.findIndex(({ column }) => column === weighting.label)
  }

  get breadth(): Breadth {
    return breadthOf(this.#seen)
  }

  /** Slices come in order, and do not cross the end of a chunk. */
  look(slice: Slice): void {
    this.#begin(slice.first)
    this.#isOpen = true
    const weights = rowWeights(slice, this.#weighting)
    const before = this.#explorers[this.#label]?.missing ?? 0
    this.#seen.forEach(({ column }, c) => {
      const cells = slice.cells(column)
      if (cells) this.#present.add(column)
      this.#explorers[c].look(cells ?? new Array(slice.rows), weights, slice.first)
    })
    // names are needed for the message about an absent column
    if (this.#present.size < this.#seen.length) for (const name of slice.names()) this.#named.add(name)
    this.#rows += copies(slice, this.#labels, weights, this.#weighting)
    this.#unlabelled += (this.#explorers[this.#label]?.missing ?? 0) - before
    // added row by row, so that the sum does not depend on how slices are cut
    if (isOnes(weights)) {
      this.#given += slice.rows
      this.#weight.add(slice.rows)
    } else {
      for (let i = 0; i < slice.rows; i++) {
        if (weights[i] > 0) this.#given++
        this.#weight.add(weights[i])
      }
    }
    if ((slice.first + slice.rows) % CHUNK === 0) this.#endChunk()
  }

  /** The first rows of a stretch end the one before. */
  #begin(first: number): void {
    const stretch = Math.floor(first / (CHUNK * CHUNKS_PER_STRETCH))
    if (this.#first < 0) this.#first = first
    else if (stretch > this.#stretch) {
      for (const explorer of this.#explorers) explorer.endStretch()
      this.#weight.endStretch()
    }
    this.#stretch = stretch
  }

  #endChunk(): void {
    if (!this.#isOpen) return
    for (const explorer of this.#explorers) explorer.endChunk()
    this.#weight.endChunk()
    this.#chunks.push([this.#rows, this.#unlabelled])
    this.#rows = 0
    this.#unlabelled = 0
    this.#isOpen = false
  }

  /** Everything that was looked at, which must lie in one stretch; nothing is looked at afterwards. */
  part(): ExploredPart {
    this.#endChunk()
    return {
      first: this.#first,
      columns: this.#explorers.map(explorer => explorer.part()),
      present: [...this.#present],
      named: [...this.#named],
      given: this.#given,
      weight: this.#weight.part,
      chunks: this.#chunks,
    }
  }

  /** Parts come in order. */
  join({ first, columns, present, named, given, weight, chunks }: ExploredPart): void {
    this.#begin(first)
    columns.forEach((part, c) => void this.#explorers[c].join(part))
    for (const name of present) this.#present.add(name)
    for (const name of named) this.#named.add(name)
    this.#given += given
    this.#weight.join(weight)
    for (const [rows, unlabelled] of chunks) this.#chunks.push([rows, unlabelled])
  }

  /** `mayBeEmpty`: no rows at all are fine. */
  found(mayBeEmpty = false): Discovery {
    this.#endChunk()
    const seenUses = this.#seen
    const rows = this.#chunks.reduce((sum, [rows]) => sum + rows, 0)
    const weight = this.#weight.sum
    const isEmpty = this.#present.size === 0 && this.#named.size === 0 && rows === 0
    if (isEmpty && !mayBeEmpty) {
      throw new SufficeError(
        "data",
        "the data has no rows. There is nothing to learn from. Pass at least one row.",
      )
    }
    for (const { column } of seenUses)
      if (!isEmpty && !this.#present.has(column)) throw unknownColumn(column, this.#named)
    if (!isEmpty && !(weight > 0 && weight < Number.POSITIVE_INFINITY))
      throw weightless(this.#weighting, weight)
    const found = this.#explorers.map(explorer => explorer.found())
    const each = found.map(({ column }) => column)
    return {
      schema: {
        columns: pooledScales(each, seenUses, this.#isUpdate),
        labels: this.#labels,
        readings: readingsOf(this.#uses),
      },
      rows,
      weight,
      chunks: this.#chunks,
      steps: Object.fromEntries(found.flatMap(stepsWithin)),
      missing: Object.fromEntries(found.flatMap(missingWithin)),
      empty: new Set(found.flatMap(({ column, missing }) => (missing === this.#given ? [column.name] : []))),
      diagnostics: found.flatMap((explored, c) => diagnosed(seenUses[c], explored, rows, "row")),
    }
  }
}

function weightless(weighting: Weighting, weight: number): SufficeError {
  const given = [weighting.column && show(weighting.column), weighting.classes && "classWeights"]
  return new SufficeError(
    "weight",
    `all rows together weigh ${weight}, by ${given.filter(Boolean).join(" and ")}. The total must be finite and above 0. ${weight > 0 ? "Divide the weights by their mean." : "Give at least one row a weight above 0."}`,
    { column: weighting.column, weight },
  )
}

function breadthOf(uses: readonly Use[]): Breadth {
  const long = uses.filter(({ need }) => need.kind === "bag" || need.kind === "steps")
  return { columns: uses.length, long: long.map(({ column }) => column) }
}

/** The number of rows with weight; a soft label makes one copy of the row per level. */
function copies(
  slice: Slice,
  labels: readonly string[],
  weights: Float64Array,
  weighting: Weighting,
): number {
  const columns = labels.flatMap(name => {
    const cells = slice.cells(name)
    // numbers are not soft
    return cells && !ArrayBuffer.isView(cells) ? [{ name, cells, factor: classFactor(weighting, name) }] : []
  })
  if (columns.length === 0 && isOnes(weights)) return slice.rows
  let count = 0
  for (let i = 0; i < slice.rows; i++) {
    if (weights[i] === 0) continue
    let here = 1
    for (let c = 0; c < columns.length; c++) {
      const { name, cells, factor } = columns[c]
      if (isSoft(cells[i])) here *= softLevels(cells[i], slice.first + i, name, factor)!.length
    }
    count += here
  }
  return count
}
