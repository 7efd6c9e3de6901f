/** Posterior of broken sticks: its numbers, evidence, draws and intervals. */
import type { About } from "../contract/belief.ts"
import type { Dice } from "../contract/dice.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Description } from "../contract/report.ts"
import { log, log1p } from "../kernels/log.ts"
import { logGamma } from "../kernels/log-gamma.ts"
import { betaQuantile } from "../kernels/student.ts"
import { described } from "./level-probabilities.ts"
import { held } from "./stand-in.ts"

/** Layout of the posterior. */
export interface Sticks {
  readonly plain: Leaf
  readonly about: About
  readonly slots: number
  readonly levels: number
  readonly size: number
  readonly concentration: number
}

export function sticksOf(plain: Leaf, about: About): Sticks {
  const { slots } = plain.shape
  const levels = plain.shape.statistics / slots
  const size = plain.shape.statistics
  const concentration = (about.options.concentration as number | undefined) ?? 1
  return { plain, about, slots, levels, size, concentration }
}

function orderAt({ size, levels }: Sticks, p: number): number {
  return 2 * size + p * levels
}

/** Visits the sticks of a slot in the order of breaking; the last one is what is left. */
function eachStick(
  sticks: Sticks,
  q: Float64Array,
  p: number,
  visit: (at: number, isLast: boolean) => void,
): void {
  const { levels, slots } = sticks
  for (let k = 0; k < levels; k++) visit(q[orderAt(sticks, p) + k] * slots + p, k === levels - 1)
}

export function posterior(sticks: Sticks, stats: Float64Array, strength: number, q: Float64Array): void {
  const { slots, levels, size, concentration } = sticks
  for (let p = 0; p < slots; p++) {
    const massOf = (l: number): number => Math.max(stats[l * slots + p], 0)
    const order = Array.from({ length: levels }, (_, l) => l).sort((a, b) => massOf(b) - massOf(a) || a - b)
    q.set(order, orderAt(sticks, p))
    let after = 0
    for (let k = levels - 1; k >= 0; k--) {
      const at = order[k] * slots + p
      q[at] = 1 + massOf(order[k])
      q[size + at] = strength * concentration + after
      after += massOf(order[k])
    }
  }
}

/** params ← the sum of `of` of the own stick and of `rest` of those before. */
export function fillSums(
  sticks: Sticks,
  q: Float64Array,
  params: Float64Array,
  of: (a: number, both: number) => number,
): void {
  const { slots, size } = sticks
  for (let p = 0; p < slots; p++) {
    let before = 0
    eachStick(sticks, q, p, (at, isLast) => {
      const [a, b] = [q[at], q[size + at]]
      params[at] = before + (isLast ? 0 : of(a, a + b))
      before += of(b, a + b)
    })
  }
}

export function logNormaliser(sticks: Sticks, q: Float64Array): number {
  const { slots, size } = sticks
  let sum = 0
  for (let p = 0; p < slots; p++)
    eachStick(sticks, q, p, (at, isLast) => {
      if (!isLast) sum += logGamma(q[at]) + logGamma(q[size + at]) - logGamma(q[at] + q[size + at])
    })
  return sum
}

export function draw(sticks: Sticks, q: Float64Array, dice: Dice, params: Float64Array): void {
  const { slots, size } = sticks
  for (let p = 0; p < slots; p++) {
    let before = 0
    eachStick(sticks, q, p, (at, isLast) => {
      const v = isLast ? 1 : dice.beta(q[at], q[size + at])
      params[at] = before + log(v)
      before += isLast ? 0 : log1p(-v)
    })
  }
}

export function interval(sticks: Sticks, q: Float64Array, slot: number, probability: number): Description {
  const { levels, size, slots, plain, about } = sticks
  // a product of betas: as the beta with its mean and variance
  const beyond = 0.5 * (1 - probability)
  const first = new Float64Array(levels)
  const second = new Float64Array(levels)
  let [m, s] = [1, 1]
  eachStick(sticks, q, slot, (at, isLast) => {
    const [a, b] = [q[at], q[size + at]]
    const l = (at - slot) / slots
    const n = a + b
    first[l] = isLast ? m : (m * a) / n
    second[l] = isLast ? s : (s * a * (a + 1)) / (n * (n + 1))
    m *= b / n
    s *= (b * (b + 1)) / (n * (n + 1))
  })
  return described(plain, about, slot, l => {
    const mean = first[l]
    const variance = Math.max(second[l] - mean * mean, 1e-300)
    const total = (mean * (1 - mean)) / variance - 1
    return levels < 2 || !(total > 0)
      ? held(mean, mean, mean)
      : held(
          mean,
          betaQuantile(beyond, mean * total, (1 - mean) * total),
          betaQuantile(1 - beyond, mean * total, (1 - mean) * total),
        )
  })
}
