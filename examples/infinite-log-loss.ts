/**
 * Maximum likelihood can hold something impossible because it has not happened yet; then the log-loss is infinite.
 *
 *     true log-loss of an estimate θ̂ of θ*  =  H(θ*) + D(θ* ‖ θ̂)          infinite where θ̂ ∈ {0, 1} and θ* is not
 *     ML: θ̂ = hits / m        add-one: θ̂ = (hits + 1) / (m + 2), never worse than ln(m + 2)
 *
 * A coin that falls on heads with θ* = 0.9 is thrown m = 10 times, and that a thousand times over.
 */
import { bernoulli, dice, em, fit, independent } from "suffice"
import { addOneBound, entropy, evaluate } from "suffice/measure"

const [theta, m, times] = [0.9, 10, 1000]
const model = independent({ heads: bernoulli() })
const ml = em({ prior: 0 })
const addOne = em() // bernoulli's own prior: one pseudo-count on each side
// Both outcomes, weighted by their true chance: measured on these two rows, a mean is an expectation.
const truth = [theta, 1 - theta].map((chance, i) => ({ heads: i === 0, chance }))

/** The expected log-loss after learning from these throws. */
async function loss(learner: typeof ml, rows: { heads: boolean }[]): Promise<number> {
  const fitted = await fit(model, rows, { learner })
  return evaluate(fitted, truth, { target: "heads", weight: "chance" }).logLoss
}

// ── a thousand samples, each learned twice ─────────────────────────────────────────────────────────
const roll = dice(6)
let [infinite, sum, byHand] = [0, 0, 0]
for (let time = 0; time < times; time++) {
  const rows = Array.from({ length: m }, () => ({ heads: roll.uniform() < theta }))
  if ((await loss(ml, rows)) === Number.POSITIVE_INFINITY) infinite++
  sum += await loss(addOne, rows)
  const q = (rows.filter(({ heads }) => heads).length + 1) / (m + 2)
  byHand -= theta * Math.log(q) + (1 - theta) * Math.log(1 - q)
}
console.log(`no estimate can be better than the entropy, ${entropy([theta, 1 - theta]).toFixed(4)}`)

// ── the worst case of the bound: ten heads, and then a tail ────────────────────────────────────────
async function surprise(learner: typeof ml): Promise<number> {
  const fitted = await fit(model, { heads: Array.from({ length: m }, () => true) }, { learner })
  return evaluate(fitted, [{ heads: false }], { target: "heads" }).logLoss
}
const unlucky = theta ** m + (1 - theta) ** m // all heads or all tails

export const result = {
  "ML: samples with an infinite log-loss": { stated: unlucky, measured: infinite / times },
  "ML: log-loss of a tail after ten heads": { stated: "Infinity", measured: await surprise(ml) },
  "add-one: log-loss of a tail after ten heads": { stated: addOneBound(m), measured: await surprise(addOne) },
  "add-one: mean expected log-loss": { stated: byHand / times, measured: sum / times },
}
console.table(result)
