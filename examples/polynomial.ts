/**
 * The degree of a polynomial by evidence: the residuals fall with every degree, the evidence does not. Rows are drawn around a cubic.
 */
import { dice, fit, gaussian, independent, linear, type Model } from "suffice"
import { bayes } from "suffice/learn"

const roll = dice(6)
const rows = Array.from({ length: 40 }, () => {
  const x = 4 * roll.uniform() - 2
  const y = x * x * x - 2 * x + 0.8 * roll.normal()
  return { x, x2: x * x, x3: x ** 3, x4: x ** 4, x5: x ** 5, x6: x ** 6, y }
})
const names = ["x", "x2", "x3", "x4", "x5", "x6"]

const tried: { degree: number; sd: number; evidence: number }[] = []
for (let degree = 0; degree <= 6; degree++) {
  const model = (degree === 0 ? independent({ y: gaussian() }) : linear("y", names.slice(0, degree))) as Model
  const fitted = await fit(model, rows as never, { learner: bayes() })
  const { sd } = (fitted.describe() as Record<string, { sd: number }>).y
  tried.push({ degree, sd, evidence: fitted.evidence.value })
}
console.table(tried)

const best = tried.reduce((most, one) => (one.evidence > most.evidence ? one : most))
export const result = {
  "degree with the highest evidence": { stated: 3, measured: best.degree },
  "sd around the line of that degree": { stated: 0.8, measured: best.sd },
}
