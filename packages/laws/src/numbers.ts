/** exp and ln computed in another way than by the kernels, exact to about 1e-13: a second opinion for laws that add up probabilities. */

/** e^x = (e^(x/2^k))^(2^k), the inner one by its series. */
export function exp(x: number): number {
  if (x !== x) return x
  if (x > 709.7) return Infinity
  if (x < -745) return 0
  // when e^x − 1 is near −1, the digits of e^x are lost
  if (x < -1) return 1 / exp(-x)
  let k = 0
  let y = x
  while (Math.abs(y) > 0.125) {
    y /= 2
    k++
  }
  let term = y
  let less = y // e^y − 1, which loses nothing when it is small
  for (let n = 2; n < 14; n++) {
    term *= y / n
    less += term
  }
  for (; k > 0; k--) less = less * (2 + less) // (1 + a)² − 1 = a (2 + a)
  return 1 + less
}

/** The y with e^y = x, by Halley's rule. */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : Number.NaN
  if (x === Infinity) return Infinity
  let half = 0
  let m = x
  for (; m > 1.5; half++) m /= 2
  for (; m < 0.75; half--) m *= 2
  let y = m - 1
  for (let step = 0; step < 6; step++) {
    const e = exp(y)
    y += (2 * (m - e)) / (m + e)
  }
  return y + half * Math.LN2
}

/** ln Σ exp */
export function logSumExp(values: readonly number[] | Float64Array): number {
  let top = -Infinity
  for (const value of values) top = Math.max(top, value)
  if (top === -Infinity) return top
  let sum = 0
  for (const value of values) sum += exp(value - top)
  return top + log(sum)
}
