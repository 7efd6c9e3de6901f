/**
 * The toy of the slides: what a learner is worth when the model is wrong. Blue is one normal, red two narrow ones, and the model
 * has one normal per class. Maximum likelihood describes; conditional likelihood and hinge bend the same normals until they tell apart.
 *
 *     blue N(0, 3²)      red 0.8·N(−5, 0.1²) + 0.2·N(5, 0.1²)      both as frequent
 */
import { classes, dice, em, fit, gaussian, independent, mixture } from "suffice"
import { sdem } from "suffice/learn"

const roll = dice(1)
const rows = Array.from({ length: 30_000 }, () =>
  roll.uniform() < 0.5
    ? { colour: "blue", x: 3 * roll.normal() }
    : { colour: "red", x: (roll.uniform() < 0.8 ? -5 : 5) + 0.1 * roll.normal() },
)

// ── p(right), by quadrature under the distribution itself: no test rows ────────────────────────────
const step = 0.0005
const grid = Array.from({ length: 64_000 }, (_, i) => ({ x: -16 + (i + 0.5) * step }))
const normal = (x: number, mean: number, sd: number) =>
  Math.exp(-0.5 * ((x - mean) / sd) ** 2) / (sd * Math.sqrt(2 * Math.PI))
const blue = grid.map(({ x }) => 0.5 * normal(x, 0, 3))
const red = grid.map(({ x }) => 0.5 * (0.8 * normal(x, -5, 0.1) + 0.2 * normal(x, 5, 0.1)))
const sum = (numbers: number[]) => numbers.reduce((all, x) => all + x, 0)
interface Told {
  posterior(rows: { x: number }[]): { levels: readonly unknown[]; probabilities: Float64Array }
}
function accuracy(model: Told): number {
  const { levels, probabilities } = model.posterior(grid)
  const at = levels.indexOf("blue")
  return step * sum(grid.map((_, i) => (probabilities[2 * i + at] > 0.5 ? blue[i] : red[i])))
}

// ── three learners, two models ─────────────────────────────────────────────────────────────────────
const learners = {
  ML: em(),
  "conditional likelihood": sdem({ loss: "ncll", epochs: 2 }),
  hinge: sdem({ loss: "hinge", epochs: 2 }),
}
const slides = { ML: 0.78, "conditional likelihood": 0.904, hinge: 0.906 }
const best = { ML: 0.7905, "conditional likelihood": 0.9228, hinge: 0.9181 }
const bayes = step * sum(grid.map((_, i) => Math.max(blue[i], red[i])))
const body = independent({ x: gaussian() })

export const result: Record<string, { stated: number; measured: number }> = {}
for (const [name, learner] of Object.entries(learners) as [
  keyof typeof learners,
  (typeof learners)["ML"],
][]) {
  const one = accuracy(await fit(classes("colour", body), rows, { learner, seed: 1 }))
  const two = accuracy(await fit(classes("colour", mixture(2, body)), rows, { learner, seed: 1 }))
  result[`${name}, by the slides`] = { stated: slides[name], measured: one }
  result[`${name}, beside the optimum of its loss`] = { stated: best[name], measured: one }
  result[`${name}, two normals per class, beside Bayes`] = { stated: bayes, measured: two }
}
console.table(result)
