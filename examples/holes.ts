/**
 * Rows with holes: nothing is dropped and nothing is filled in beforehand. A missing cell is summed out, a missing label
 * is a hidden class, and both come back with a probability when asked for.
 *
 *     fit       EM on what was seen: Σ_i ln p(seen cells of row i)
 *     predict   p(species | seen cells)          impute   E[missing cell | seen cells of the row]
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import papaparse from "papaparse"
import { categorical, classes, dice, fit, independent, normal } from "suffice"
import { evaluate, split } from "suffice/measure"

const measures = ["culmen_length_mm", "culmen_depth_mm", "flipper_length_mm", "body_mass_g"] as const
type Penguin = Record<"species" | "island" | "sex", string | null> &
  Record<(typeof measures)[number], number | null>
const file = createRequire(import.meta.url).resolve("@observablehq/sample-datasets/penguins.csv")
const transform = (cell: string) => (/^(NaN|\.)?$/.test(cell) ? null : cell)
const parsing = { header: true, dynamicTyping: true, skipEmptyLines: true, transform }
const { data: penguins } = papaparse.parse<Penguin>(readFileSync(file, "utf8"), parsing)

// ── one in five measurements is cut out at random, then half of the labels ─────────────────────────
const roll = dice(9)
const holed = penguins.map(row => {
  const cut = measures.filter(name => row[name] !== null && roll.uniform() < 0.2)
  return { ...row, ...Object.fromEntries(cut.map(name => [name, null])), truth: row, cut }
})
const { train, test } = split(holed, { test: 0.3, stratify: "species", seed: 9 })
const half = train.map(row => ({ ...row, species: roll.uniform() < 0.5 ? null : row.species }))

// ── the same model from two tables ─────────────────────────────────────────────────────────────────
const model = classes("species", independent(normal(measures), { island: categorical(), sex: categorical() }))
const [all, some] = [await fit(model, train, { seed: 9 }), await fit(model, half, { seed: 9 })]
const uncut = test.map(row => row.truth)
const accuracy = [evaluate(all, uncut), evaluate(all, test), evaluate(some, test)].map(e => e.accuracy)

// ── imputation, in standard deviations of each measurement ─────────────────────────────────────────
const errors: { mean: number; model: number; spread: number }[] = []
const { rows: filled, spread } = some.impute(test)
for (const name of measures) {
  const seen = train.map(row => row[name]).filter(cell => cell !== null)
  const mean = seen.reduce((a, b) => a + b) / seen.length
  const sd = Math.sqrt(seen.reduce((sum, cell) => sum + (cell - mean) ** 2, 0) / seen.length)
  for (const [i, { truth, cut }] of test.entries()) {
    if (!cut.includes(name)) continue
    const [guess, x] = [filled[i][name] as number, truth[name]!]
    errors.push({ mean: (mean - x) / sd, model: (guess - x) / sd, spread: spread[i][name] / sd })
  }
}
const rms = (of: keyof (typeof errors)[0]) =>
  Math.sqrt(errors.reduce((sum, error) => sum + error[of] ** 2, 0) / errors.length)

export const result = {
  "accuracy with cells cut, beside none cut": { stated: accuracy[0], measured: accuracy[1] },
  "accuracy with half of the labels, beside all": { stated: accuracy[1], measured: accuracy[2] },
  "imputation RMSE in sd, beside the column's mean": { stated: rms("mean"), measured: rms("model") },
  "imputation RMSE in sd, beside what the model expects": { stated: rms("spread"), measured: rms("model") },
}
console.table(result)
