/**
 * Gaussian discriminant analysis is a logistic regression that was counted instead of climbed.
 *
 *     y ~ Bernoulli(φ),  x | y ~ N(μ_y, Σ), one Σ for both classes
 *     p(y = 1 | x) = 1 / (1 + exp(−(w·x + b)))
 *     w = Σ⁻¹ (μ₁ − μ₀)      b = ½ (μ₀ᵀ Σ⁻¹ μ₀ − μ₁ᵀ Σ⁻¹ μ₁) − ln((1 − φ) / φ)
 *
 * Adélie and chinstrap penguins by two measures of the bill: w and b by hand, from toLinear(), and the posterior itself.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import papaparse from "papaparse"
import { classes, em, fit, normal } from "suffice"

interface Penguin {
  species: string
  culmen_length_mm: number
  culmen_depth_mm: number
}
const file = createRequire(import.meta.url).resolve("@observablehq/sample-datasets/penguins.csv")
const { data } = papaparse.parse<Penguin>(readFileSync(file, "utf8"), { header: true, dynamicTyping: true })
const penguins = data.filter(row => /Adelie|Chinstrap/.test(row.species) && row.culmen_length_mm > 0)

// ── counting ───────────────────────────────────────────────────────────────────────────────────────
const columns = ["culmen_length_mm", "culmen_depth_mm"] as const
const model = classes("species", normal(columns, { covariance: "tied" }))
const fitted = await fit(model, penguins, { learner: em({ prior: 0 }) })

// ── w and b by hand, from μ₀, μ₁, Σ and φ ──────────────────────────────────────────────────────────
type Numbers = Record<string, number>
type Part = Record<string, { mean: Numbers; covariance: Record<string, Numbers> }>
const { probabilities, given } = fitted.describe().species as unknown as {
  probabilities: Numbers
  given: Record<string, Part>
}
const [zero, one] = [given.Adelie, given.Chinstrap].map(part => part[columns.join(", ")])
const [mu0, mu1] = [zero, one].map(({ mean }) => columns.map(name => mean[name]))
const [[a, c], [, d]] = columns.map(row => columns.map(column => zero.covariance[row][column]))
const det = a * d - c * c
const times = ([x, y]: number[]) => [(d * x - c * y) / det, (a * y - c * x) / det] // Σ⁻¹ (x, y)
const dot = (u: number[], v: number[]) => u[0] * v[0] + u[1] * v[1]
const w = times([mu1[0] - mu0[0], mu1[1] - mu0[1]])
const odds = probabilities.Adelie / probabilities.Chinstrap // (1 − φ) / φ
const b = 0.5 * (dot(mu0, times(mu0)) - dot(mu1, times(mu1))) - Math.log(odds)

// ── three ways to the same posterior ───────────────────────────────────────────────────────────────
const linear = fitted.toLinear()
const gaps = fitted.predict(penguins).map(({ probabilities }, i) => {
  const score = w[0] * penguins[i].culmen_length_mm + w[1] * penguins[i].culmen_depth_mm + b
  return Math.abs(probabilities.Chinstrap - 1 / (1 + Math.exp(-score)))
})
export const result = {
  "weight of the bill's length": { stated: w[0], measured: linear.weights[1][0] },
  "weight of the bill's depth": { stated: w[1], measured: linear.weights[1][1] },
  bias: { stated: b, measured: linear.bias[1] },
  "largest gap of the logistic to the posterior": { stated: 0, measured: Math.max(...gaps) },
}
console.table(result)
