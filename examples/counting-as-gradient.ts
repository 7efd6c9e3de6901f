/**
 * Counting is a stochastic natural gradient with step 1/t.
 *
 *     In the moments η = E[s] of an exponential family the natural gradient of ln p(x) is s(x) − η, so a step of ρ is
 *     η ← η + ρ (s(x_t) − η)
 *
 * With ρ = 1/t this keeps η at the counts divided by t, wherever it starts. Started at (⅓, ⅓, ⅓) with the weight of three
 * rows, ρ = 1/(t + 3), it keeps the add-one estimate. (A printed table of this has (3/4, 1/4) in its fourth row; check with
 * the counts, as is done here.)
 */
import { categorical, em, fit, independent } from "suffice"

const levels = ["a", "b", "c"] as const
const draws = [..."abab", ..."caac", ..."abaa"].map(x => ({ x }))
const model = independent({ x: categorical({ levels }) })
const learner = em({ prior: 0 })

function momentsOf(fitted: { describe(): unknown }): number[] {
  const { x } = fitted.describe() as { x: { probabilities: Record<string, number> } }
  return levels.map(level => x.probabilities[level])
}
const gap = (a: number[], b: number[]) => Math.max(...a.map((value, l) => Math.abs(value - b[l])))

// ── step by step: the recursion, the counts, and three ways to ask the library ─────────────────────
let eta = [0.2, 0.3, 0.5] // forgotten at once: the first step has ρ = 1
let smooth = [1 / 3, 1 / 3, 1 / 3]
let online = await fit(model, draws.slice(0, 1), { learner })
const gaps: number[][] = []
const table: Record<string, string>[] = []
for (const [i, { x }] of draws.entries()) {
  const t = i + 1
  const s = levels.map(level => (x === level ? 1 : 0))
  eta = eta.map((value, l) => value + (1 / t) * (s[l] - value))
  smooth = smooth.map((value, l) => value + (1 / (t + 3)) * (s[l] - value))
  const seen = draws.slice(0, t)
  const counts = levels.map(level => seen.filter(row => row.x === level).length)
  const shares = counts.map(count => count / t)
  if (t > 1) online = await online.update([{ x }], { learner })
  const counted = await fit(model, seen, { learner })
  const addOne = await fit(model, seen) // one pseudo-count per level
  const rivals = [shares, momentsOf(counted), momentsOf(online)]
  gaps.push([...rivals.map(rival => gap(eta, rival)), gap(smooth, momentsOf(addOne))])
  table.push({ x, ρ: `1/${t}`, counts: counts.join(" "), η: eta.map(value => value.toFixed(4)).join(" ") })
}
console.table(table)

const [toCounts, toFit, toUpdate, toAddOne] = [0, 1, 2, 3].map(j => Math.max(...gaps.map(row => row[j])))
export const result = {
  "gap to the counts": { stated: 0, measured: toCounts },
  "gap to fit() by counting": { stated: 0, measured: toFit },
  "gap to update(), row by row": { stated: 0, measured: toUpdate },
  "gap of the smoothed steps to add-one": { stated: 0, measured: toAddOne },
}
console.table(result)
