import { expect, test } from "vitest"
import {
  bernoulli,
  categorical,
  classes,
  em,
  fit,
  gaussian,
  independent,
  load,
  mixture,
  multinomial,
} from "../index.ts"

const model = classes("y", independent({ x: gaussian({ prior: 0 }), c: categorical() }))
const first = [
  { y: "a", x: 0, c: "p" },
  { y: "a", x: 2, c: "q" },
  { y: "b", x: 7, c: "q" },
  { y: "b", x: 9, c: "q" },
]
const more = [
  { y: "a", x: 4, c: "p" },
  { y: "b", x: 8, c: "r" }, // a new level
  { y: "z", x: 20, c: "r" }, // a new class
  { y: "z", x: 22, c: "p" },
]

test("counts go on: the parameters are those of all rows", async () => {
  const begun = await fit(model, first)
  const updated = await begun.update(more)
  const { y } = updated.describe() as never as {
    y: { probabilities: object; given: Record<string, { x: { mean: number }; c: { probabilities: object } }> }
  }
  expect(y.probabilities).toEqual({
    a: expect.closeTo(3 / 8, 12),
    b: expect.closeTo(3 / 8, 12),
    z: expect.closeTo(2 / 8, 12),
  })
  expect(y.given.a.x.mean).toBeCloseTo(2, 12)
  expect(y.given.z.x.mean).toBeCloseTo(21, 12)
  // one pseudo-count per level: a saw p, q, p
  expect(y.given.a.c.probabilities).toEqual({
    p: expect.closeTo(3 / 6, 12),
    q: expect.closeTo(2 / 6, 12),
    r: expect.closeTo(1 / 6, 12),
  })
  expect(updated.training).toMatchObject({ rows: 8, weight: 8 })
})

test("the model that is updated stays as it was, and can be updated another way", async () => {
  const begun = await fit(model, first)
  const before = JSON.stringify(begun)
  await begun.update(more)
  expect(JSON.stringify(begun)).toBe(before)
  const other = await begun.update(more.slice(0, 1))
  expect(other.training?.rows).toBe(5)
  expect(Object.keys((other.describe().y as { given: object }).given)).toEqual(["a", "b"])
})

test("one row after the other is all of them at once, from a file too", async () => {
  const whole = await fit(model, [...first, ...more])
  let step = await fit(model, first)
  for (const row of more) step = (await load(JSON.stringify(step)).update([row])) as never
  const rows = [
    { x: 5, c: "q" },
    { x: null, c: "r" },
  ]
  const [ours, theirs] = [step.predict(rows), whole.predict(rows)]
  ours.forEach(({ probabilities }, i) => {
    for (const [level, p] of Object.entries(probabilities))
      expect(p).toBeCloseTo((theirs[i].probabilities as Record<string, number>)[level], 9)
  })
})

test("weights, class weights and soft labels count in an update as in a fit", async () => {
  const options = { weight: "w", learner: em({ prior: 0 }) }
  const begun = await fit(
    model,
    first.map(row => ({ ...row, w: 1 })),
    options,
  )
  const updated = await begun.update([{ y: { a: 3, b: 1 }, x: 5, c: "q", w: 2 }], {
    ...options,
    classWeights: { b: 2 },
  } as never)
  const { probabilities } = updated.describe().y as { probabilities: Record<string, number> }
  // 2 + 2 · ¾ against 2 + 2 · ¼ · 2
  expect(probabilities.a).toBeCloseTo(3.5 / 6.5, 12)
})

test("new words stand behind the old ones, and count", async () => {
  const texts = classes("y", independent({ t: multinomial() }))
  const begun = await fit(texts, [
    { y: "a", t: "sun" },
    { y: "b", t: "rain" },
  ])
  const updated = await begun.update([{ y: "b", t: "fog fog" }])
  const { given } = updated.describe().y as unknown as { given: Record<string, { t: { words: object } }> }
  // one pseudo-count per word
  expect(given.b.t.words).toEqual({
    rain: expect.closeTo(2 / 6, 12),
    sun: expect.closeTo(1 / 6, 12),
    fog: expect.closeTo(3 / 6, 12),
  })
})

test("with hidden components learning goes on from what was learned: the objective never falls", async () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({ x: (i % 2) * 6 + Math.sin(i) }))
  const begun = await fit(mixture(2, independent({ x: gaussian() })), rows)
  const objectives: number[] = []
  const updated = await begun.update(
    rows.map(({ x }) => ({ x: x + 0.5 })),
    { learner: em({ tolerance: 0, maxIterations: 20 }), onStep: step => objectives.push(step.objective) },
  )
  objectives.slice(1).forEach((objective, i) => {
    expect(objective).toBeGreaterThanOrEqual(objectives[i] - 1e-10 * Math.abs(objectives[i]))
  })
  expect(updated.training?.rows).toBe(80)
})

test("data and options are refused with what, why and what to do", async () => {
  const begun = await fit(model, first)
  await expect(begun.update([] as never)).rejects.toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: the data has no rows. There is nothing to learn from. Pass at least one row.]`,
  )
  await expect(begun.update([{ x: 1, c: "p" }] as never)).rejects.toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: column "y" is not in the data. The data has "x" and "c". Rename the column in the model or in the data.]`,
  )
  await expect(
    begun.update([{ y: "a", x: "one", c: "p" }] as never),
  ).rejects.toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: row 0 of "x" holds "one". The column is modelled by numbers. Convert the cell to a number, put null for a missing one, or choose categorical().]`,
  )
  await expect(begun.update(more, { sed: 1 } as never)).rejects.toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: fit: there is no option "sed". It knows "learner", "seed", "weight", "classWeights", "threads", "spill", "signal", "onStep" and 2 more. Did you mean "seed"?]`,
  )
  await expect(begun.update(more, { classWeights: { y: 2 } })).rejects.toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: fit: classWeights names "y", which is no level of "y". Its levels are "a", "b" and "z". Leave it out.]`,
  )
  const declared = await fit(classes("y", independent({ f: bernoulli() }), { levels: ["a", "b"] }), [
    { y: "a", f: true },
    { y: "b", f: false },
  ])
  await expect(declared.update([{ y: "c", f: true }] as never)).rejects.toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: row 0 of "y" holds "c", which is not among the declared levels "a" and "b". A level that is not declared cannot be learned. Add it to the levels, or put null.]`,
  )
})
