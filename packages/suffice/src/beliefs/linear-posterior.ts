/** Posterior of a regression line: its numbers, evidence, draws and intervals. */
import type { About } from "../contract/belief.ts"
import type { Dice } from "../contract/dice.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Description } from "../contract/report.ts"
import { linearSlots } from "../families/linear/slots.ts"
import { GIVEN, RESIDUAL, TIGHTNESS } from "../families/linear/spread.ts"
import type { NumberColumn } from "../families/normal/columns.ts"
import { log } from "../kernels/log.ts"
import { studentQuantile } from "../kernels/student.ts"
import { cholesky, logDetFromCholesky, solveLower, triangle } from "../kernels/triangle.ts"
import { priorOf } from "./elicited.ts"
import { elicitedLine } from "./linear-prior.ts"
import { heldSpread, LN_2PI, logSpread } from "./spreads.ts"
import { held } from "./stand-in.ts"

/** Pseudo-rows of the default prior on the line, times t. */
const PSEUDO = 0.1

/** Layout and prior of the posterior, and memory within one call. */
export interface LineBelief {
  readonly plain: Leaf
  readonly slots: number
  readonly y: NumberColumn
  readonly given: readonly NumberColumn[]
  readonly places: readonly number[]
  readonly d: number
  readonly size: number
  readonly plainWidth: number
  readonly PRECISION: number
  readonly TOP: number
  readonly MEAN: number
  readonly SPREAD: number
  readonly last: number
  readonly logScale: number
  readonly factor: number
  readonly own: { pseudo: Float64Array; degrees: number; scatter: number } | undefined
  readonly width: number
  readonly NU: number
  readonly S: number
  readonly N: number
  readonly z: Float64Array
  readonly entries: number
  readonly more: number
}

export function lineNumbers(plain: Leaf, about: About): LineBelief {
  const { slots } = plain.shape
  const columns = [...about.columns, ...about.given] as readonly NumberColumn[]
  const [y, ...given] = columns
  const { places } = about
  const laid = linearSlots(columns)
  const { d, size, width: plainWidth, precision: PRECISION, top: TOP, mean: MEAN, spread: SPREAD } = laid
  const last = d + 1
  const logScale = log(y.scale)
  const { factor, given: prior } = priorOf(about, [
    "intercept",
    "coefficients",
    "strength",
    "sd",
    "degrees",
    "on",
  ])
  const own = prior && elicitedLine(about, columns)
  // the numbers of a slot: L of (Λ, its row for y), m, ν, S, n
  const width = size + d + 1 + 3
  const [NU, S, N] = [size + d + 1, size + d + 2, size + d + 3]
  const z = new Float64Array(d + 1)

  // after the plain parameters, slot by slot: L of Λ, then ν, S/ν, ln of the density of a t at its centre
  const entries = triangle(d + 1)
  const more = entries + 3
  return {
    plain,
    slots,
    y,
    given,
    places,
    d,
    size,
    plainWidth,
    PRECISION,
    TOP,
    MEAN,
    SPREAD,
    last,
    logScale,
    factor,
    own,
    width,
    NU,
    S,
    N,
    z,
    entries,
    more,
  }
}

export function posterior(
  belief: LineBelief,
  stats: Float64Array,
  strength: number,
  spread: Float64Array,
  q: Float64Array,
): void {
  const { factor, slots, width, size, own, d, last, NU, S, N } = belief
  const s = strength * factor
  for (let p = 0; p < slots; p++) {
    const at = p * width
    for (let j = 0; j < size; j++) q[at + j] = stats[p * size + j]
    const n = Math.max(stats[p * size], 0)
    if (own) for (let j = 0; j < size; j++) q[at + j] += s * own.pseudo[j]
    else {
      const rows = s * PSEUDO * spread[TIGHTNESS]
      q[at] += rows
      for (let j = 0; j < d; j++) q[at + triangle(j + 1) + j + 1] += rows * spread[GIVEN + j]
    }
    const nu0 = s * (own?.degrees ?? 2)
    // as for a normal column, which has no slope: 3v; each coefficient takes a degree of freedom
    const s0 = s * (own ? own.scatter : (d + 3) * spread[RESIDUAL])
    q[at + triangle(last) + last] += s0
    factored(belief, q, at)
    // m solves Lᵀm = (the row of y)
    const row = at + triangle(last)
    for (let j = d; j >= 0; j--) {
      let sum = q[row + j]
      for (let k = j + 1; k <= d; k++) sum -= q[at + triangle(k) + j] * q[at + size + k]
      q[at + size + j] = sum / q[at + triangle(j) + j]
    }
    const pivot = q[row + last]
    q[at + NU] = nu0 + n
    q[at + S] = pivot * pivot
    q[at + N] = n
  }
}

/** A = LLᵀ in place; columns that repeat each other get a little more on the diagonal. */
function factored(belief: LineBelief, q: Float64Array, at: number): void {
  const { size, last } = belief
  const kept = q.slice(at, at + size)
  for (let ridge = 1e-12; cholesky(q, at, last + 1) !== 0 && ridge < 1e6; ridge *= 10) {
    for (let j = 0; j < size; j++) q[at + j] = kept[j]
    for (let j = 0; j <= last; j++) q[at + triangle(j) + j] *= 1 + ridge
  }
}

/** The plain parameters of slot p, at the posterior mean, with this log-density at the line. */
export function put(belief: LineBelief, q: Float64Array, p: number, params: Float64Array, top: number): void {
  const { width, plainWidth, d, size, PRECISION, NU, S, TOP, MEAN, SPREAD } = belief
  const from = p * width
  const to = p * plainWidth
  for (let j = 0; j <= d; j++) params[to + j] = q[from + size + j]
  params[to + PRECISION] = q[from + NU] / q[from + S]
  params[to + TOP] = top
  // x̄ and C, from Λ = LLᵀ
  const entry = (j: number, k: number): number => {
    let sum = 0
    for (let i = 0; i <= k; i++) sum += q[from + triangle(j) + i] * q[from + triangle(k) + i]
    return sum
  }
  const n = entry(0, 0)
  for (let j = 0; j < d; j++) {
    params[to + MEAN + j] = entry(j + 1, 0) / n
    for (let k = 0; k <= j; k++)
      params[to + SPREAD + triangle(j) + k] =
        entry(j + 1, k + 1) / n - params[to + MEAN + j] * params[to + MEAN + k]
  }
}

export function logNormaliser(belief: LineBelief, q: Float64Array): number {
  const { slots, width, NU, S, d, N, logScale } = belief
  let sum = 0
  for (let p = 0; p < slots; p++) {
    const at = p * width
    sum += logSpread(q[at + NU], q[at + S]) - 0.5 * logDetFromCholesky(q, at, d + 1)
    sum -= q[at + N] * (0.5 * LN_2PI + logScale)
  }
  return sum
}

export function draw(belief: LineBelief, q: Float64Array, dice: Dice, params: Float64Array): void {
  const { slots, width, S, NU, logScale, plainWidth, PRECISION, d, z } = belief
  for (let p = 0; p < slots; p++) {
    const at = p * width
    const variance = q[at + S] / (2 * dice.gamma(0.5 * q[at + NU]))
    put(belief, q, p, params, -0.5 * (LN_2PI + log(variance)) - logScale)
    params[p * plainWidth + PRECISION] = 1 / variance
    // w = m + σ L⁻ᵀ ε
    for (let j = 0; j <= d; j++) z[j] = dice.normal()
    for (let j = d; j >= 0; j--) {
      for (let k = j + 1; k <= d; k++) z[j] -= q[at + triangle(k) + j] * z[k]
      z[j] /= q[at + triangle(j) + j]
      params[p * plainWidth + j] += Math.sqrt(variance) * z[j]
    }
  }
}

export function interval(
  belief: LineBelief,
  q: Float64Array,
  slot: number,
  probability: number,
): Description {
  const { width, NU, S, d, y, given, size } = belief
  const at = slot * width
  const nu = q[at + NU]
  const reach = studentQuantile(0.5 + 0.5 * probability, nu) * Math.sqrt(q[at + S] / nu)
  // a linear function of w, a·w: centre a·m, spread √(aᵀΛ⁻¹a); of a/max|a|, as squares of 1e300 are no numbers
  const wide = (a: Float64Array): number => {
    const most = a.reduce((most, v) => Math.max(most, Math.abs(v)), 0)
    if (most === 0) return 0
    const unit = a.map(v => v / most)
    solveLower(q, at, d + 1, unit, 0)
    return most * (reach * Math.sqrt(unit.reduce((sum, v) => sum + v * v, 0)))
  }
  const slope = (j: number): Float64Array =>
    Float64Array.from({ length: d + 1 }, (_, k) => (k === j + 1 ? y.scale / given[j].scale : 0))
  const coefficient = (j: number): number => (q[at + size + 1 + j] * y.scale) / given[j].scale
  const intercept = given.reduce(
    (sum, { shift }, j) => sum - coefficient(j) * shift,
    y.shift + y.scale * q[at + size],
  )
  const a = Float64Array.from({ length: d + 1 }, (_, k) =>
    k === 0 ? y.scale : (-y.scale / given[k - 1].scale) * given[k - 1].shift,
  )
  const around = (value: number, off: number) => held(value, value - off, value + off)
  return {
    intercept: around(intercept, wide(a)),
    coefficients: Object.fromEntries(
      given.map(({ name }, j) => [name, around(coefficient(j), wide(slope(j)))]),
    ),
    sd: heldSpread(y.scale, q[at + S], nu, probability),
  }
}
