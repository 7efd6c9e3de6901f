/** Expected and predictive densities of regression lines. */
import { placeIn } from "../blocks/encoded.ts"
import type { Block } from "../contract/block.ts"
import type { Dice } from "../contract/dice.ts"
import { unreadable } from "../errors.ts"
import { log } from "../kernels/log.ts"
import { logOnePlusSquare, studentTop } from "../kernels/student.ts"
import { solveLower, triangle } from "../kernels/triangle.ts"
import { type LineBelief, put } from "./linear-posterior.ts"
import { expectedTop, LN_2PI } from "./spreads.ts"
import { studentVariance } from "./student.ts"

function moreAt({ slots, plainWidth, more }: LineBelief, p: number): number {
  return slots * plainWidth + p * more
}

function putMore(belief: LineBelief, q: Float64Array, p: number, params: Float64Array): void {
  const { width, NU, S, entries, logScale } = belief
  const [nu, s] = [q[p * width + NU], q[p * width + S]]
  for (let j = 0; j < entries; j++) params[moreAt(belief, p) + j] = q[p * width + j]
  params[moreAt(belief, p) + entries] = nu
  params[moreAt(belief, p) + entries + 1] = s / nu
  params[moreAt(belief, p) + entries + 2] = studentTop(nu, 1) - logScale
}

/** zᵀΛ⁻¹z of row i, with L at `at`; NaN if a column it reads is missing. */
function leverage(belief: LineBelief, block: Block, i: number, q: Float64Array, at: number): number {
  const { z, d, places } = belief
  z[0] = 1
  for (let j = 0; j < d; j++) z[1 + j] = (block.cells[places[1 + j]] as Float64Array)[i]
  solveLower(q, at, d + 1, z, 0)
  let sum = 0
  for (let j = 0; j <= d; j++) sum += z[j] * z[j]
  return sum
}

function centreOf(belief: LineBelief, block: Block, i: number, params: Float64Array, at: number): number {
  const { d, places } = belief
  let sum = params[at]
  for (let j = 0; j < d; j++) sum += params[at + 1 + j] * (block.cells[places[1 + j]] as Float64Array)[i]
  return sum
}

function refusal(belief: LineBelief, block: Block, i: number): Error {
  const { given, places, y } = belief
  const missing = given.find((_, j) => Number.isNaN((block.cells[places[1 + j]] as Float64Array)[i]))!
  return unreadable(
    placeIn(block, i),
    y.name,
    missing.name,
    given.map(({ name }) => name),
  )
}

export function fillExpected(belief: LineBelief, q: Float64Array, params: Float64Array): void {
  const { slots, width, NU, S, logScale } = belief
  for (let p = 0; p < slots; p++) {
    // without −½/κ: that is zᵀΛ⁻¹z here
    put(belief, q, p, params, expectedTop(q[p * width + NU], q[p * width + S], Infinity) - logScale)
    putMore(belief, q, p, params)
  }
}

export function scoreExpected(
  belief: LineBelief,
  block: Block,
  params: Float64Array,
  out: Float64Array,
  upToConstant: boolean | undefined,
  reuse: unknown,
): unknown {
  const { plain, places, slots } = belief
  const work = plain.score(block, params, out, upToConstant, reuse)
  const cells = block.cells[places[0]] as Float64Array
  for (let p = 0; p < slots; p++) {
    for (let i = 0; i < block.rows; i++)
      if (cells[i] === cells[i])
        out[p * block.rows + i] -= 0.5 * leverage(belief, block, i, params, moreAt(belief, p))
  }
  return work
}

export function valueExpected(belief: LineBelief, stats: Float64Array, params: Float64Array): number {
  const { plain, d, slots, size } = belief
  let sum = plain.value(stats, params)
  // −½ tr Λ⁻¹ Σzzᵀ = −½ Σ_k (row k of L⁻¹) Σzzᵀ (row k of L⁻¹)ᵀ
  const v = new Float64Array(d + 1)
  for (let p = 0; p < slots; p++) {
    for (let k = 0; k <= d; k++) {
      // column k of Σzzᵀ, then Λ⁻¹ of it at k
      for (let j = 0; j <= d; j++) v[j] = stats[p * size + (j >= k ? triangle(j) + k : triangle(k) + j)]
      solveLower(params, moreAt(belief, p), d + 1, v, 0)
      for (let j = d; j >= k; j--) {
        v[j] /= params[moreAt(belief, p) + triangle(j) + j]
        for (let i = k; i < j; i++) v[i] -= params[moreAt(belief, p) + triangle(j) + i] * v[j]
      }
      sum -= 0.5 * v[k]
    }
  }
  return sum
}

export function fillPredictive(belief: LineBelief, q: Float64Array, params: Float64Array): void {
  const { slots, width, S, NU, logScale } = belief
  for (let p = 0; p < slots; p++) {
    put(belief, q, p, params, -0.5 * (LN_2PI + log(q[p * width + S] / q[p * width + NU])) - logScale)
    putMore(belief, q, p, params)
  }
}

export function scorePredictive(
  belief: LineBelief,
  block: Block,
  params: Float64Array,
  out: Float64Array,
): undefined {
  const { places, slots, entries, plainWidth } = belief
  const cells = block.cells[places[0]] as Float64Array
  for (let p = 0; p < slots; p++) {
    const [nu, variance, top] = params.subarray(moreAt(belief, p) + entries, moreAt(belief, p) + entries + 3)
    for (let i = 0; i < block.rows; i++) {
      if (cells[i] !== cells[i]) continue
      const square = variance * (1 + leverage(belief, block, i, params, moreAt(belief, p)))
      const gap = cells[i] - centreOf(belief, block, i, params, p * plainWidth)
      if (gap !== gap) throw refusal(belief, block, i)
      out[p * block.rows + i] +=
        top - 0.5 * log(square) - 0.5 * (nu + 1) * logOnePlusSquare(gap / Math.sqrt(square * nu))
    }
  }
  return undefined
}

export function samplePredictive(
  belief: LineBelief,
  params: Float64Array,
  slot: number,
  block: Block,
  dice: Dice,
): void {
  const { places, plainWidth, plain, entries } = belief
  const cells = block.cells[places[0]] as Float64Array
  if (!Number.isNaN(cells[0])) return
  if (Number.isNaN(centreOf(belief, block, 0, params, slot * plainWidth))) {
    plain.sample(params, slot, block, dice) // it says what is missing
    return
  }
  const [nu, variance] = params.subarray(moreAt(belief, slot) + entries, moreAt(belief, slot) + entries + 2)
  const square = variance * (1 + leverage(belief, block, 0, params, moreAt(belief, slot)))
  const t = dice.normal() / Math.sqrt((2 / nu) * dice.gamma(0.5 * nu))
  cells[0] = centreOf(belief, block, 0, params, slot * plainWidth) + t * Math.sqrt(square)
}

export function expectPredictive(
  belief: LineBelief,
  block: Block,
  params: Float64Array,
  slot: number,
  mean: Float64Array,
  variance: Float64Array,
  freedom: Float64Array | undefined,
): void {
  const { entries, plainWidth } = belief
  const [nu, residual] = params.subarray(moreAt(belief, slot) + entries, moreAt(belief, slot) + entries + 2)
  for (let i = 0; i < block.rows; i++) {
    mean[i] = centreOf(belief, block, i, params, slot * plainWidth)
    if (Number.isNaN(mean[i])) throw refusal(belief, block, i)
    variance[i] =
      residual * (1 + leverage(belief, block, i, params, moreAt(belief, slot))) * studentVariance(nu)
  }
  freedom?.fill(nu)
}
