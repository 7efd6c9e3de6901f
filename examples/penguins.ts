/**
 * A real table with holes, start to finish: 344 penguins, 19 cells missing, and every third label hidden on purpose.
 * One declared model is learned from all of it, then asked about penguins it never saw.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import papaparse from "papaparse"
import { categorical, classes, dice, fit, independent, normal } from "suffice"

const measures = ["culmen_length_mm", "culmen_depth_mm", "flipper_length_mm", "body_mass_g"] as const

// ── the table ──────────────────────────────────────────────────────────────────────────────────────
const file = createRequire(import.meta.url).resolve("@observablehq/sample-datasets/penguins.csv")
const { data } = papaparse.parse<Record<string, string>>(readFileSync(file, "utf8"), {
  header: true,
  skipEmptyLines: true,
})
const number = (text: string) => (text === "" || text === "NaN" ? null : Number(text))
const penguins = data.map(row => ({
  species: row.species as string | null,
  island: row.island,
  sex: row.sex === "MALE" || row.sex === "FEMALE" ? row.sex : null,
  culmen_length_mm: number(row.culmen_length_mm),
  culmen_depth_mm: number(row.culmen_depth_mm),
  flipper_length_mm: number(row.flipper_length_mm),
  body_mass_g: number(row.body_mass_g),
}))

// ── 70 % to learn from, 30 % to be honest with ─────────────────────────────────────────────────────
const order = Int32Array.from(penguins, (_, i) => i)
dice(7).shuffle(order)
const cut = Math.round(0.7 * penguins.length)
const train = Array.from(order.subarray(0, cut), (i, j) => ({
  ...penguins[i],
  species: j % 3 === 0 ? null : penguins[i].species,
}))
const held = Array.from(order.subarray(cut), i => penguins[i])

// ── the model: correlated measurements and two categories, given the species ───────────────────────
const model = classes("species", independent(normal(measures), { island: categorical(), sex: categorical() }))
const missing = train.flatMap(row => Object.values(row)).filter(cell => cell === null).length
console.log(`${train.length} penguins to learn from, ${missing} cells missing (labels among them)\n`)
const fitted = await fit(model, train, {
  seed: 7,
  onStep: ({ iteration, objective, stopped }) =>
    console.log(
      `  EM ${String(iteration).padStart(3)}   objective ${objective.toFixed(6)}${stopped ? `   ${stopped}` : ""}`,
    ),
})

// ── held-out quality ───────────────────────────────────────────────────────────────────────────────
const answers = fitted.predict(held)
const right = answers.filter((answer, i) => answer.value === held[i].species).length
const loss = answers.reduce((sum, answer, i) => sum - Math.log(answer.probabilities[held[i].species!]), 0)
console.log(
  `\n${held.length} penguins held out: accuracy ${((100 * right) / held.length).toFixed(1)} %, log-loss ${(loss / held.length).toFixed(3)}`,
)

// ── the most telling parameters ────────────────────────────────────────────────────────────────────
const described = fitted.describe().species as {
  given: Record<
    string,
    Record<string, { mean: Record<string, number>; probabilities: Record<string, number> }>
  >
}
console.table(
  Object.fromEntries(
    Object.entries(described.given).map(([species, part]) => [
      species,
      {
        ...Object.fromEntries(
          measures.map(name => [name, Number(part[measures.join(", ")].mean[name].toFixed(1))]),
        ),
        ...Object.fromEntries(
          Object.entries(part.island.probabilities).map(([island, p]) => [
            `p(${island})`,
            Number(p.toFixed(3)),
          ]),
        ),
      },
    ]),
  ),
)
