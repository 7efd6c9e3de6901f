import { expect, test } from "vitest"
import {
  categorical,
  classes,
  em,
  fit,
  gaussian,
  independent,
  mixture,
  multinomial,
  normal,
} from "../index.ts"

const close = (a: number, b: number) => expect(Math.abs(a - b)).toBeLessThan(1e-9 * Math.max(1, Math.abs(b)))

const first = [
  { y: "b", x: 1, u: "p", w: "sun rain" },
  { y: "b", x: 2, u: "q", w: "rain" },
  { y: "d", x: 7, u: "q", w: "snow" },
  { y: "d", x: 9, u: "q", w: "snow" },
]
const more = [
  { y: "a", x: 3, u: "o", w: "fog snow" }, // a class, a level and words that were never seen
  { y: "a", x: 4, u: "p", w: "sun" },
  { y: "d", x: 5, u: "r", w: "sun" },
  { y: "b", x: 0, u: "p", w: null },
]

/** ln p of every row under every class, by name: the order of levels may differ. */
function answers(fitted: { predict(rows: object[]): { probabilities: object }[] }): Record<string, number>[] {
  return fitted
    .predict(first.concat(more as never))
    .map(answer => answer.probabilities as Record<string, number>)
}

test("learning on with new levels, words and classes equals counting all rows at once", async () => {
  // The prior of a number sits at the pooled mean of the first rows: without it, nothing depends on them.
  const model = classes("y", independent({ x: gaussian({ prior: 0 }), u: categorical(), w: multinomial() }))
  const options = { learner: em({ prior: 0.5 }) }
  const begun = await fit(model, first, options)
  const whole = await fit(begun.model, [...first, ...more], options)
  const updated = await begun.update(more, options)
  const [ours, theirs] = [answers(updated as never), answers(whole as never)]
  theirs.forEach((row, i) => {
    for (const level of Object.keys(row)) close(ours[i][level], row[level])
  })
  expect(updated.training?.rows).toBe(8)
  expect(
    updated.diagnostics.filter(({ code }) => code === "unseen-level").map(({ message }) => message),
  ).toMatchInlineSnapshot(`
    [
      "the update brought 1 level of "y" that the model had never seen: "a". Only the new rows speak of them.",
      "the update brought 2 levels of "u" that the model had never seen: "o" and "r". Only the new rows speak of them.",
      "the update brought 1 word of "w" that the model had never seen: "fog". Only the new rows speak of them.",
    ]
  `)
  expect(begun.diagnostics.some(({ code }) => code === "unseen-level")).toBe(false)
})

test("slots of a mixture below a growing label keep their statistics", async () => {
  const model = classes("y", mixture(2, normal(["x"], { covariance: "diag" })))
  const rows = (label: string, around: number) =>
    Array.from({ length: 20 }, (_, i) => ({ y: label, x: around + (i % 2) * 4 + (i % 5) / 10 }))
  const begun = await fit(model, [...rows("m", 0), ...rows("z", 100)])
  const updated = await begun.update(rows("a", 50))
  const [low, middle, high] = updated.predict([{ x: 1 }, { x: 52 }, { x: 101 }]).map(answer => answer.value)
  expect([low, middle, high]).toEqual(["m", "a", "z"])
  const before = begun.describe().y as { given: Record<string, object> }
  const after = updated.describe().y as { given: Record<string, object> }
  expect(Object.keys(after.given)).toEqual(["m", "z", "a"])
  expect(after.given.z).toEqual(before.given.z)
  expect(Object.keys(before.given)).toEqual(["m", "z"])
})

test("the components of a class that an update brings come apart", async () => {
  const model = classes("y", mixture(2, normal(["x"], { covariance: "diag" })))
  const rows = (label: string, around: number) =>
    Array.from({ length: 40 }, (_, i) => ({ y: label, x: around + (i % 2) * 8 + (i % 5) / 10 }))
  const updated = await (await fit(model, rows("m", 0))).update(rows("a", 50))
  const { given } = updated.describe().y as {
    given: Record<string, Record<string, { given: Record<string, { x: { mean: { x: number } } }> }>>
  }
  const means = Object.values(given.a["mixture(x)"].given).map(({ x }) => x.mean.x)
  expect(Math.abs(means[0] - means[1])).toBeGreaterThan(4)
})

test("each body of a class goes on with its own statistics", async () => {
  const body = () => independent({ x: gaussian({ prior: 0 }), u: categorical() })
  const model = classes("y", { b: body(), d: body() })
  const options = { learner: em({ prior: 0.5 }) }
  const later = more.filter(({ y }) => y !== "a")
  const begun = await fit(model, first, options)
  const updated = await begun.update(later, options)
  const whole = await fit(model, [...first, ...later], options)
  const [ours, theirs] = [updated, whole].map(fitted => fitted.predict([...first, ...later] as never))
  theirs.forEach(({ probabilities }, i) => {
    for (const [level, p] of Object.entries(probabilities)) close(ours[i].probabilities[level as "b"], p)
  })
  const { given } = updated.describe().y as never as { given: Record<string, { x: { mean: number } }> }
  close(given.b.x.mean, (1 + 2 + 0) / 3)
  close(given.d.x.mean, (7 + 9 + 5) / 3)
})
