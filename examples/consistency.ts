/**
 * Maximum likelihood is consistent: with more rows it comes as near to the truth as one likes.
 *
 *     with probability ≥ 1 − δ      |θ̂ − θ*| ≤ √( ln(2/δ) / 2m )          Hoeffding; two sides, hence ln(2/δ)
 *     in the mean                   |θ̂ − θ*| ≈ √( 2 θ*(1 − θ*) / π m )     the central limit
 *
 * A coin with θ* = 0.3 is learned from m = 10 … 10,000 throws, 200 times each.
 */
import { bernoulli, dice, em, fit, independent } from "suffice"
import { hoeffdingBound } from "suffice/measure"

const [theta, delta, times] = [0.3, 0.05, 200]
const model = independent({ heads: bernoulli() })
const roll = dice(5)

/** |θ̂ − θ*| of one sample of m throws. */
async function error(m: number): Promise<number> {
  const heads = Uint8Array.from({ length: m }, () => (roll.uniform() < theta ? 1 : 0))
  const fitted = await fit(model, { heads }, { learner: em({ prior: 0 }) })
  const described = fitted.describe() as { heads: { probability: number } }
  return Math.abs(described.heads.probability - theta)
}

const table: { m: number; bound: number; exceeded: number; expected: number; mean: number }[] = []
for (const m of [10, 100, 1000, 10_000]) {
  const errors: number[] = []
  for (let time = 0; time < times; time++) errors.push(await error(m))
  const bound = hoeffdingBound(m, delta)
  table.push({
    m,
    bound,
    exceeded: errors.filter(error => error > bound).length / times,
    expected: Math.sqrt((2 * theta * (1 - theta)) / (Math.PI * m)),
    mean: errors.reduce((a, b) => a + b) / times,
  })
}

export const result = Object.fromEntries(
  table.flatMap(({ m, bound, exceeded, expected, mean }) => [
    [`m = ${m}: mean error`, { stated: expected, measured: mean }],
    [`m = ${m}: error above ${bound.toFixed(4)}`, { stated: `≤ ${delta}`, measured: exceeded }],
  ]),
)
console.table(result)
