/**
 * Σ_x p(x) f(x) over the counts x = 0, 1, 2, …, for smooth p and f that know what lies between the counts too.
 *
 *     up to 4096: one by one
 *     beyond:     runs of w counts, w ≤ x/64 and ≤ spread/64: ∫ p f over the run, by Gauss and Legendre in three points
 *
 * From 40 spreads below the mean until the terms vanish beyond it. The sums begin and end where p is small, or where runs are long beside 1, so
 * that the integral errs by less than 1e-9 of the sum.
 */
export function expectedOverCounts(
  p: (x: number) => number,
  f: (x: number) => number,
  mean: number,
  spread: number,
): number {
  let total = 0
  let weight = 0
  const term = (x: number, by: number): number => {
    const chance = by * p(x)
    weight += chance
    total += chance * f(x)
    return chance
  }
  let x = Math.max(0, Math.floor(mean - 40 * spread))
  for (let rest = 1; rest > 1e-18 * weight || x < mean; ) {
    const run = x < ONE_BY_ONE ? 1 : Math.max(1, Math.floor(Math.min(x, spread) / 64))
    if (run === 1) rest = term(x, 1)
    else {
      const middle = x + 0.5 * (run - 1)
      const side = REACH * run
      rest = term(middle, (4 / 9) * run)
      rest += term(middle - side, (5 / 18) * run) + term(middle + side, (5 / 18) * run)
    }
    x += run
  }
  return total / weight
}

const ONE_BY_ONE = 4096
/** ½ √(3/5). */
const REACH = 0.3872983346207417
