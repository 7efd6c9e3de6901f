/** A regression bound to its columns: its rows and their refusals. */
import { placeIn } from "../../blocks/encoded.ts"
import type { Block, Weights } from "../../contract/block.ts"
import type { Dice } from "../../contract/dice.ts"
import { SufficeError, show, unreadable } from "../../errors.ts"
import type { NumberColumn } from "../normal/columns.ts"
import { openings } from "./openings.ts"
import { linearSlots, type Slots } from "./slots.ts"
import { type LinearSpread, linearSpread } from "./spread.ts"

/** Layout of one regression, and memory within one call. */
export interface Line {
  readonly places: readonly number[]
  readonly slots: number
  readonly kappa: number
  readonly own: NumberColumn
  readonly given: readonly NumberColumn[]
  readonly laid: Slots
  readonly d: number
  readonly size: number
  readonly width: number
  readonly PRECISION: number
  readonly TOP: number
  readonly MEAN: number
  readonly SPREAD: number
  readonly last: number
  readonly z: Float64Array
  readonly trial: Float64Array
  readonly x: Float64Array[]
  readonly within: LinearSpread
  readonly pseudo: Float64Array
  readonly isOpening: (i: number) => boolean
  readonly guessOf: (params: Float64Array, at: number, i: number) => { mean: number; variance: number }
}

export function lineOf(
  columns: readonly NumberColumn[],
  places: readonly number[],
  slots: number,
  kappa: number,
): Line {
  const [own, ...given] = columns
  const laid = linearSlots(columns)
  const { d, size, width, precision: PRECISION, top: TOP, mean: MEAN, spread: SPREAD } = laid
  const last = d + 1 // the index of y in z
  const z = new Float64Array(d + 2).fill(1)
  const trial = new Float64Array(slots * width)
  const x: Float64Array[] = []
  const within = linearSpread(d, laid.own, laid.given)
  /** θ of the prior's pseudo-rows in one slot. */
  const pseudo = new Float64Array(width)

  const { isOpening, guessOf } = openings(given, laid, x)
  return {
    places,
    slots,
    kappa,
    own,
    given,
    laid,
    d,
    size,
    width,
    PRECISION,
    TOP,
    MEAN,
    SPREAD,
    last,
    z,
    trial,
    x,
    within,
    pseudo,
    isOpening,
    guessOf,
  }
}

function cellsOf({ places }: Line, block: Block, j: number): Float64Array {
  return block.cells[places[j]] as Float64Array
}

function openCells(line: Line, block: Block): Float64Array {
  const { d, x } = line
  for (let j = 0; j < d; j++) x[j] = cellsOf(line, block, j + 1)
  return cellsOf(line, block, 0)
}

/** ŷ of row i; NaN if a column it reads is missing. */
function guess(line: Line, params: Float64Array, at: number, i: number): number {
  const { d, x } = line
  let sum = params[at]
  for (let j = 0; j < d; j++) sum += params[at + 1 + j] * x[j][i]
  return sum
}

/** stats of a slot += w E[zzᵀ], with x already in z. */
function addRow(line: Line, stats: Float64Array, slot: number, w: number, spread: number): void {
  const { size, last, z } = line
  let to = slot * size
  for (let j = 0; j <= last; j++) {
    const wz = w * z[j]
    for (let k = 0; k <= j; k++) stats[to++] += wz * z[k]
  }
  stats[to - 1] += w * spread
}

/** Adds the rows whose y is seen, which must have x; or, as E[zzᵀ | x], those with x whose y is missing. */
export function absorbRows(
  line: Line,
  block: Block,
  params: Float64Array,
  weights: Weights,
  stats: Float64Array,
  holes: boolean,
): void {
  const { d, z, x, isOpening, last, slots, width, PRECISION } = line
  const y = openCells(line, block)
  const one = weights.form === "one"
  for (let i = 0; i < block.rows; i++) {
    if ((y[i] !== y[i]) !== holes) continue
    let seen = true
    for (let j = 0; j < d; j++) {
      z[1 + j] = x[j][i]
      if (z[1 + j] !== z[1 + j]) seen = false
    }
    if (!seen && !holes && !isOpening(i)) throw refusal(line, block, i)
    if (!seen) continue
    z[last] = y[i]
    for (let p = one ? weights.slot[i] : 0; p < (one ? weights.slot[i] + 1 : slots); p++) {
      const w = one ? weights.weight[i] : weights.values[p * block.rows + i]
      if (w === 0) continue
      if (holes) z[last] = guess(line, params, p * width, i)
      addRow(line, stats, p, w, holes ? 1 / params[p * width + PRECISION] : 0)
    }
  }
}

function refusal(line: Line, block: Block, i: number): SufficeError {
  const { given, x, own } = line
  const missing = given.findIndex((_, j) => Number.isNaN(x[j][i]))
  return unreadable(
    placeIn(block, i),
    own.name,
    given[missing].name,
    given.map(({ name }) => name),
  )
}

export function scoreRows(line: Line, block: Block, params: Float64Array, out: Float64Array): void {
  const { slots, width, PRECISION, TOP, d, x, isOpening } = line
  const y = openCells(line, block)
  const rows = block.rows
  for (let p = 0; p < slots; p++) {
    const at = p * width
    const precision = params[at + PRECISION]
    const top = params[at + TOP]
    for (let i = 0; i < rows; i++) {
      if (y[i] !== y[i]) continue
      // `guess`, inlined by hand: V8 would box its result for every row
      let sum = params[at]
      for (let j = 0; j < d; j++) sum += params[at + 1 + j] * x[j][i]
      const gap = y[i] - sum
      if (gap !== gap) {
        if (isOpening(i)) continue
        throw refusal(line, block, i)
      }
      out[p * rows + i] += top - 0.5 * precision * gap * gap
    }
  }
}

export function sampleRow(line: Line, params: Float64Array, slot: number, block: Block, dice: Dice): void {
  const { guessOf, width, own, given, x } = line
  const y = openCells(line, block)
  if (!Number.isNaN(y[0])) return
  const { mean, variance } = guessOf(params, slot * width, 0)
  if (Number.isNaN(mean)) throw notGiven(own.name, given[x.findIndex(cells => Number.isNaN(cells[0]))].name)
  y[0] = mean + dice.normal() * Math.sqrt(variance)
}

export function expectRows(
  line: Line,
  block: Block,
  params: Float64Array,
  slot: number,
  mean: Float64Array,
  variance: Float64Array,
): void {
  const { guessOf, width } = line
  openCells(line, block)
  for (let i = 0; i < block.rows; i++) {
    const guessed = guessOf(params, slot * width, i)
    if (Number.isNaN(guessed.mean)) throw refusal(line, block, i)
    mean[i] = guessed.mean
    variance[i] = guessed.variance
  }
}

function notGiven(column: string, read: string): SufficeError {
  return new SufficeError(
    "cell",
    `sample: ${show(column)} is drawn given ${show(read)}, which no part of the model draws. There is nothing to draw it from. Give it: { given: { … } }, or add a part that models it.`,
    { column, read },
  )
}
