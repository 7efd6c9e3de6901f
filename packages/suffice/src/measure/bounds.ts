/**
 * What a finite sample can promise, and how far apart two distributions are. Natural logarithms: nats.
 *
 *     P( |θ̂ − θ*| > ε ) ≤ 2 exp(−2 m ε²)      so with probability 1 − δ, |θ̂ − θ*| ≤ √( ln(2/δ) / 2m )   (Hoeffding 1963, Thm 2)
 *
 * θ̂ is the share of m independent rows (or the mean of m values in [0, 1]). The bound is two-sided; with ln(1/δ), which some
 * texts print, it is one-sided.
 */
import { SufficeError, show, wrongOption } from "../errors.ts"
import { log } from "../kernels/log.ts"

/** √( ln(2/δ) / 2m ): how far a share of m rows may be from the truth, with probability 1 − δ. hoeffdingBound(1000, 0.05) = 0.0429… */
export function hoeffdingBound(rows: number, delta: number): number {
  checkRows("hoeffdingBound", rows, 1)
  checkDelta("hoeffdingBound", delta)
  return Math.sqrt(log(2 / delta) / (2 * rows))
}

/** The interval around an estimate, cut to [0, 1]. hoeffdingInterval(0.9, 1000, 0.05) = [0.857…, 0.942…] */
export function hoeffdingInterval(
  estimate: number,
  rows: number,
  delta: number,
): readonly [low: number, high: number] {
  if (!(Number.isFinite(estimate) && estimate >= 0 && estimate <= 1)) {
    throw new SufficeError(
      "option",
      `hoeffdingInterval: the estimate is ${show(estimate)}. The bound is for a share, between 0 and 1. Divide the count by the rows.`,
      { value: estimate },
    )
  }
  const bound = hoeffdingBound(rows, delta)
  return [Math.max(0, estimate - bound), Math.min(1, estimate + bound)]
}

/** The fewest rows whose bound is at most ε: ⌈ ln(2/δ) / 2ε² ⌉. hoeffdingRows(0.01, 0.05) = 18445 */
export function hoeffdingRows(epsilon: number, delta: number): number {
  checkDelta("hoeffdingRows", delta)
  if (!(Number.isFinite(epsilon) && epsilon > 0)) {
    throw wrongOption(
      "hoeffdingRows",
      "epsilon",
      epsilon,
      "No number of rows makes an estimate exact. Give the error you accept, for example 0.01.",
    )
  }
  return Math.ceil(log(2 / delta) / (2 * epsilon * epsilon))
}

/** H(p) = −Σ p ln p, with 0 ln 0 = 0: the log-loss of knowing the truth. entropy([0.5, 0.5]) = ln 2 */
export function entropy(p: ArrayLike<number>): number {
  checkProbabilities("entropy", p)
  let sum = 0
  for (let l = 0; l < p.length; l++) if (p[l] > 0) sum -= p[l] * log(p[l])
  return sum
}

/**
 * D(p‖q) = Σ p ln(p/q): the cost of believing q when p is true; the expected log-loss of q is H(p) + D(p‖q)
 * (Kullback & Leibler 1951). Infinity if q rules out what p does not. relativeEntropy([1, 0], [0.5, 0.5]) = ln 2
 */
export function relativeEntropy(p: ArrayLike<number>, q: ArrayLike<number>): number {
  checkProbabilities("relativeEntropy", p)
  checkProbabilities("relativeEntropy", q)
  if (p.length !== q.length) {
    throw new SufficeError(
      "option",
      `relativeEntropy: p has ${p.length} levels, q has ${q.length}. They must be probabilities of the same levels. Give 0 to a level that one of them lacks.`,
    )
  }
  let sum = 0
  for (let l = 0; l < p.length; l++) if (p[l] > 0) sum += p[l] * (log(p[l]) - log(q[l]))
  return Math.max(sum, 0) // Gibbs: never negative, except by rounding
}

/** (hits + 1) / (m + 2): the estimate of Laplace (1774), under which nothing is impossible. addOne(0, 8) = 0.1 */
export function addOne(hits: number, rows: number): number {
  checkRows("addOne", rows, 0)
  if (!(Number.isFinite(hits) && hits >= 0 && hits <= rows)) {
    throw new SufficeError(
      "option",
      `addOne: ${show(hits)} hits among ${rows} rows. Hits are some of the rows. Give a number between 0 and ${rows}.`,
      { value: hits },
    )
  }
  return (hits + 1) / (rows + 2)
}

/**
 * ln(m + 2): whatever the truth, the log-loss of the add-one estimate from m rows is at most this, because neither outcome
 * is given less than 1/(m + 2). Plain ML has no such bound: after m hits a miss is impossible. addOneBound(8) = ln 10
 */
export function addOneBound(rows: number): number {
  checkRows("addOneBound", rows, 0)
  return log(rows + 2)
}

function checkRows(where: string, rows: number, least: number): void {
  if (Number.isSafeInteger(rows) && rows >= least) return
  throw new SufficeError(
    "option",
    `${where}: the number of rows is ${show(rows)}. Rows are counted: a whole number from ${least} on. Pass the count.`,
    { value: rows },
  )
}

function checkDelta(where: string, delta: number): void {
  if (Number.isFinite(delta) && delta > 0 && delta < 1) return
  throw wrongOption(
    where,
    "delta",
    delta,
    "It is the probability that the bound fails, above 0 and below 1. Write for example 0.05.",
  )
}

function checkProbabilities(where: string, p: ArrayLike<number>): void {
  const values = typeof p === "object" && p !== null ? Array.from(p) : []
  const bad = values.findIndex(value => typeof value !== "number" || !(value >= 0))
  const sum = bad < 0 ? values.reduce((a, b) => a + b, 0) : Number.NaN
  if (values.length > 0 && bad < 0 && Math.abs(sum - 1) <= 1e-9) return
  const what =
    values.length === 0
      ? `the probabilities are ${show(p)}`
      : bad >= 0
        ? `probability ${bad} is ${show(values[bad])}`
        : `the probabilities add up to ${sum}`
  throw new SufficeError(
    "option",
    `${where}: ${what}. They must be numbers ≥ 0 that add up to 1. Divide counts by their sum.`,
  )
}
