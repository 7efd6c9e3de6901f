/**
 * Logistic regression and a linear SVM that take missing cells as they are: naive Bayes whose posterior is linear, learned by sdEM.
 *
 *     counting   Σ ln p(species, seen cells)          the generative fit
 *     "ncll"     Σ ln p(species | seen cells)         with no cell missing: multinomial logistic regression
 *     "hinge"    the best wrong species at a margin   with no cell missing: a linear SVM
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import papaparse from "papaparse"
import { classes, dice, em, fit, gaussian, independent } from "suffice"
import { sdem } from "suffice/learn"
import { evaluate, split } from "suffice/measure"

const measures = ["culmen_length_mm", "culmen_depth_mm", "flipper_length_mm", "body_mass_g"] as const
type Penguin = { species: string } & Record<(typeof measures)[number], number | null>
const file = createRequire(import.meta.url).resolve("@observablehq/sample-datasets/penguins.csv")
const transform = (cell: string) => (/^(NaN|\.)?$/.test(cell) ? null : cell)
const parsing = { header: true, dynamicTyping: true, skipEmptyLines: true, transform }
const { data: penguins } = papaparse.parse<Penguin>(readFileSync(file, "utf8"), parsing)

/** Two cells in five cut out at random; and the same with every hole filled by the mean of its column. */
function tables(seed: number) {
  const roll = dice(seed)
  const cut = penguins.map(row => {
    const holes = measures.filter(() => roll.uniform() < 0.4)
    return { ...row, ...Object.fromEntries(holes.map(name => [name, null])) }
  })
  const holed = split(cut, { test: 0.3, stratify: "species", seed })
  const means = measures.map(name => {
    const seen = holed.train.flatMap(row => row[name] ?? [])
    return [name, seen.reduce((sum, x) => sum + x, 0) / seen.length] as const
  })
  const filled = (rows: readonly Penguin[]): Penguin[] =>
    rows.map(row => ({ ...row, ...Object.fromEntries(means.filter(([name]) => row[name] === null)) }))
  return { stated: { train: filled(holed.train), test: filled(holed.test) }, measured: holed }
}

// ── one spread per measure for all species: the log-odds are linear in the measures ────────────────
const [tied, [length, depth, flipper, mass]] = [gaussian({ variance: "tied" }), measures]
const body = independent({ [length]: tied, [depth]: tied, [flipper]: tied, [mass]: tied })
const model = classes("species", body)
const learners = { counting: em(), NCLL: sdem({ loss: "ncll" }), hinge: sdem({ loss: "hinge" }) }

export const result: Record<string, { stated: number; measured: number }> = {}
for (const [name, learner] of Object.entries(learners)) {
  const [accuracy, logLoss] = [1, 2].map(() => ({ stated: 0, measured: 0 }))
  for (let seed = 0; seed < 10; seed++) {
    for (const side of ["stated", "measured"] as const) {
      const { train, test } = tables(seed)[side]
      const found = evaluate(await fit(model, train, { learner, seed }), test)
      accuracy[side] += found.accuracy / 10
      logLoss[side] += found.logLoss / 10
    }
  }
  result[`${name}: accuracy, beside filled holes`] = accuracy
  result[`${name}: log-loss, beside filled holes`] = logLoss
}
console.table(result)
