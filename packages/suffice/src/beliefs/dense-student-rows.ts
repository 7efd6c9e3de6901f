/** Rows under a t in several correlated columns: scored, drawn, expected, shared out. */
import type { Block } from "../contract/block.ts"
import type { Dice } from "../contract/dice.ts"
import type { Layout } from "../families/normal/layout.ts"
import { arrange, type Patterns, patterns as patternsOf } from "../families/normal/patterns.ts"
import { log } from "../kernels/log.ts"
import { logOnePlusSquare, studentTop } from "../kernels/student.ts"
import { cholesky, logDetFromCholesky, solveUpper, triangle } from "../kernels/triangle.ts"
import type { StudentSource } from "./dense-student.ts"
import { shareOf, studentVariance } from "./student.ts"

/** Places of the parameters, and memory within one call. */
export interface DenseStudent {
  readonly layout: Layout
  readonly from: StudentSource
  readonly d: number
  readonly size: number
  readonly slots: number
  readonly places: readonly number[]
  readonly logScale: Float64Array
  readonly width: number
  readonly order: Int32Array
  readonly l: Float64Array
  readonly z: Float64Array
  readonly grouped: Patterns
}

export function studentOf(layout: Layout, from: StudentSource): DenseStudent {
  const { d, size, slots, places, logScale } = layout
  // after the plain parameters, slot by slot: f, m, Ψ
  const width = 1 + d + size
  const order = new Int32Array(d)
  const l = new Float64Array(size)
  const z = new Float64Array(d)
  const grouped = patternsOf(places)
  return { layout, from, d, size, slots, places, logScale, width, order, l, z, grouped }
}

function placeOf({ layout, width }: DenseStudent, slot: number): number {
  return layout.parameters + slot * width
}

/** l ← L of Ψ with the columns in the present order, the first `count` of them. */
function factor(student: DenseStudent, params: Float64Array, slot: number, count: number): void {
  const { d, order, l } = student
  const own = placeOf(student, slot) + 1 + d
  for (let i = 0; i < count; i++)
    for (let j = 0; j <= i; j++) {
      const [a, b] = [Math.max(order[i], order[j]), Math.min(order[i], order[j])]
      l[triangle(i) + j] = params[own + triangle(a) + b]
    }
  cholesky(l, 0, count)
}

/** z ← L⁻¹(x − m) of the first `seen` columns of a row; returns δ². */
function whiten(
  student: DenseStudent,
  block: Block,
  row: number,
  params: Float64Array,
  slot: number,
  seen: number,
): number {
  const { places, order, l, z } = student
  let square = 0
  for (let i = 0; i < seen; i++) {
    let sum =
      (block.cells[places[order[i]]] as Float64Array)[row] - params[placeOf(student, slot) + 1 + order[i]]
    for (let j = 0; j < i; j++) sum -= l[triangle(i) + j] * z[j]
    z[i] = sum / l[triangle(i) + i]
    square += z[i] * z[i]
  }
  return square
}

export function fillSlots(student: DenseStudent, q: Float64Array, params: Float64Array): void {
  const { from, slots, d, size } = student
  from.fill(q, params)
  for (let p = 0; p < slots; p++) {
    const { kappa, mean, nu, scatter } = from.of(q, p)
    const f = nu - d + 1
    params[placeOf(student, p)] = f
    for (let j = 0; j < d; j++) params[placeOf(student, p) + 1 + j] = q[mean + j]
    for (let j = 0; j < size; j++)
      params[placeOf(student, p) + 1 + d + j] = q[scatter + j] * ((kappa + 1) / (kappa * f))
  }
}

export function scoreRows(
  student: DenseStudent,
  block: Block,
  params: Float64Array,
  out: Float64Array,
): undefined {
  const { grouped, places, order, logScale, slots, l } = student
  const { rows } = block
  grouped.group(block, -1)
  for (let g = 0; g < grouped.groups; g++) {
    const [first, end] = [grouped.offsets[g], grouped.offsets[g + 1]]
    if (first === end) continue
    const seen = arrange(places, block, grouped.rows[first], -1, order)
    if (seen === 0) continue
    let units = 0
    for (let k = 0; k < seen; k++) units += logScale[order[k]]
    for (let p = 0; p < slots; p++) {
      const f = params[placeOf(student, p)]
      factor(student, params, p, seen)
      const top = studentTop(f, seen) - 0.5 * logDetFromCholesky(l, 0, seen) - units
      for (let t = first; t < end; t++) {
        const i = grouped.rows[t]
        const square = whiten(student, block, i, params, p, seen)
        out[p * rows + i] += top - 0.5 * (f + seen) * logOnePlusSquare(Math.sqrt(square / f))
      }
    }
  }
  return undefined
}

export function sampleRow(
  student: DenseStudent,
  params: Float64Array,
  slot: number,
  block: Block,
  dice: Dice,
): void {
  const { places, order, d, z, l } = student
  const seen = arrange(places, block, 0, -1, order)
  if (seen === d) return
  factor(student, params, slot, d)
  const f = params[placeOf(student, slot)]
  const square = whiten(student, block, 0, params, slot, seen)
  const times = Math.sqrt((f + square) / (2 * dice.gamma(0.5 * (f + seen))))
  for (let i = seen; i < d; i++) z[i] = times * dice.normal()
  for (let i = seen; i < d; i++) {
    let sum = params[placeOf(student, slot) + 1 + order[i]]
    for (let j = 0; j <= i; j++) sum += l[triangle(i) + j] * z[j]
    ;(block.cells[places[order[i]]] as Float64Array)[0] = sum
  }
}

export function expectRows(
  student: DenseStudent,
  block: Block,
  params: Float64Array,
  slot: number,
  place: number,
  mean: Float64Array,
  variance: Float64Array,
  freedom: Float64Array | undefined,
): void {
  const { places, grouped, order, l, z } = student
  const asked = places.indexOf(place)
  grouped.group(block, asked)
  const f = params[placeOf(student, slot)]
  for (let g = 1; g < grouped.groups; g++) {
    const first = grouped.offsets[g]
    const seen = arrange(places, block, grouped.rows[first], asked, order)
    factor(student, params, slot, seen + 1)
    const last = l[triangle(seen) + seen]
    for (let t = first; t < grouped.offsets[g + 1]; t++) {
      const i = grouped.rows[t]
      const square = whiten(student, block, i, params, slot, seen)
      let sum = params[placeOf(student, slot) + 1 + asked]
      for (let j = 0; j < seen; j++) sum += l[triangle(seen) + j] * z[j]
      mean[i] = sum
      variance[i] = last * last * ((f + square) / (f + seen)) * studentVariance(f + seen)
      if (freedom) freedom[i] = f + seen
    }
  }
}

/** As of a normal (families/normal/shares.ts): each column has its part of δ², its own scale, and an equal share of what belongs to all. */
export function contributions(
  student: DenseStudent,
  block: Block,
  params: Float64Array,
  slot: number,
  out: Float64Array,
): void {
  const { places, order, d, z, l, logScale } = student
  const seen = arrange(places, block, 0, -1, order)
  if (seen === 0) return
  factor(student, params, slot, seen)
  const f = params[placeOf(student, slot)]
  const own = placeOf(student, slot) + 1 + d
  const square = whiten(student, block, 0, params, slot, seen)
  const solved = z.slice(0, seen) // Ψ_oo⁻¹ δ
  solveUpper(l, 0, seen, solved, 0)
  const tail = 0.5 * (f + seen) * logOnePlusSquare(Math.sqrt(square / f))
  let shared = studentTop(f, seen) - 0.5 * logDetFromCholesky(l, 0, seen)
  const scales = Array.from({ length: seen }, (_, k) => params[own + triangle(order[k]) + order[k]])
  for (const scale of scales) shared += 0.5 * log(scale)
  scales.forEach((scale, k) => {
    const j = order[k]
    const gap = (block.cells[places[j]] as Float64Array)[0] - params[placeOf(student, slot) + 1 + j]
    out[j] += shared / seen - 0.5 * log(scale) - logScale[j]
    out[j] -= tail * shareOf(gap * solved[k], square, seen)
  })
}
