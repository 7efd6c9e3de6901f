/**
 * Laplace's rule of succession: the sun has risen n times; will it rise tomorrow? A coin of unknown bias, the bias integrated out: (n + 1)/(n + 2). And which
 * hypothesis do the throws support: a fair coin, or one of unknown bias?
 */
import { bernoulli, fit, independent } from "suffice"
import { bayes } from "suffice/learn"
import { average } from "suffice/measure"

const learner = bayes()
const unknown = independent({ rises: bernoulli() })
// so strong a prior that the bias is known
const fair = independent({ rises: bernoulli({ prior: { probability: 0.5, strength: 1e9 } }) })

const seen: Record<number, { rises: number; odds: number }> = {}
for (const days of [0, 1, 10, 100]) {
  const rows = Array.from({ length: days }, () => ({ rises: true }))
  const risen = await fit(unknown, rows, { learner })
  const chance = await fit(fair, rows, { learner })
  const rises = risen.posterior([{ rises: null }], { target: "rises" }).probabilities[1]
  const { weights } = average([risen, chance])
  seen[days] = { rises, odds: weights[0] / weights[1] }
}
console.table(seen)

/** n risings are 1/(n + 1) by a coin of unknown bias, and 1/2^n by a fair one. */
export const result = {
  "p(rises) after one day": { stated: 2 / 3, measured: seen[1].rises },
  "p(rises) after ten days": { stated: 11 / 12, measured: seen[10].rises },
  "odds against chance after ten days": { stated: 2 ** 10 / 11, measured: seen[10].odds },
}
