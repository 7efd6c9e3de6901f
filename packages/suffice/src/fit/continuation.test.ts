import { describe, expect, test } from "vitest"
import type { Description } from "../contract/report.ts"
import {
  categorical,
  classes,
  dice,
  em,
  fit,
  gaussian,
  independent,
  load,
  mixture,
  specify,
} from "../index.ts"
import { calibrate } from "../measure.ts"

function points(seed: number, count: number): { y: string; x: number; c: string }[] {
  const d = dice(seed)
  return Array.from({ length: count }, () => {
    const far = d.integer(2)
    return { y: far ? "far" : "near", x: 2 * far + d.normal(), c: "pqr"[d.integer(2 + far)] }
  })
}

const body = independent({ x: gaussian(), c: categorical() })
const labelled = classes("y", body)
const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0)

describe("information criteria after an update", () => {
  test("are those of one fit to all rows, where nothing was hidden", async () => {
    const [first, more] = [points(1, 60), points(2, 40)]
    const learner = em({ prior: 0 })
    const updated = await (await fit(labelled, first, { learner })).update(more)
    const whole = await fit(labelled, [...first, ...more], { learner })
    expect(updated.training!.continued).toBeUndefined()
    for (const [name, value] of Object.entries(whole.criteria()))
      expect(updated.criteria()).toHaveProperty(name, expect.closeTo(value, 8))
    // and again, from what was updated
    const twice = await updated.update(points(3, 20))
    expect(twice.training!.continued).toBeUndefined()
    expect(twice.criteria().logLikelihood).toBeCloseTo(
      sum(twice.logDensity([...first, ...more, ...points(3, 20)])),
      8,
    )
  })

  test("stand where earlier rows were complete and only the new ones hide something", async () => {
    const first = points(1, 60)
    const more = points(2, 40).map((row, i) => ({ ...row, y: i % 2 ? row.y : null }))
    const updated = await (await fit(labelled, first)).update(more, { learner: em({ unlabelled: 1 }) })
    const { logLikelihood } = updated.training!
    expect(logLikelihood).toBeCloseTo(sum(updated.logDensity([...first, ...more])), 8)
    expect(updated.criteria().logLikelihood).toBe(logLikelihood)
    // from here on, guesses are continued
    const twice = await updated.update(first)
    expect(twice.training!.continued).toBe(true)
    expect(() => twice.criteria()).toThrow("updated")
  })

  test("are refused where something was guessed: the earlier rows' own likelihood is not known any more", async () => {
    const rows = points(1, 80)
    const begun = await fit(mixture(2, body), rows)
    const updated = await begun.update(points(2, 20))
    expect(updated.training).toMatchObject({ rows: 100, weight: 100, continued: true })
    const all = sum(updated.logDensity([...rows, ...points(2, 20)]))
    expect(Math.abs(updated.training!.logLikelihood - all)).toBeGreaterThan(0.1)
    expect(() => updated.criteria()).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model was updated from statistics that are not counts of rows: something was guessed in them, or they were specified. The likelihood of earlier rows cannot be had from those. Fit the model to all rows at once.]`,
    )
    const loaded = load(JSON.stringify(updated))
    expect(loaded.training).toEqual(updated.training)
    expect(() => loaded.criteria()).toThrow("updated")
    // complete rows do not mend it
    expect((await updated.update(rows)).training!.continued).toBe(true)
  })
})

describe("an update without a learner", () => {
  test("learns with the prior that the model was learned with", async () => {
    for (const prior of [0, 1, 7]) {
      const begun = await fit(labelled, points(1, 40), { learner: em({ prior }) })
      const updated = await begun.update(points(2, 40))
      expect(updated.training!.learner.options.prior).toBe(prior)
      const same = await begun.update(points(2, 40), { learner: em({ prior }) })
      expect(updated.describe()).toEqual(same.describe())
    }
  })

  test("of maximum likelihood is maximum likelihood on all rows", async () => {
    const [first, more] = [points(1, 30), points(2, 30)]
    const learner = em({ prior: 0 })
    const updated = await (await fit(labelled, first, { learner })).update(more)
    const whole = await fit(labelled, [...first, ...more], { learner })
    const cells = (description: Description): unknown[] =>
      JSON.stringify(description).match(/-?\d\.\d+/g) ?? []
    cells(whole.describe()).forEach((value, i) => {
      expect(Number(cells(updated.describe())[i])).toBeCloseTo(Number(value), 10)
    })
  })
})

test("a specified model weighs one row in its update, which brought the others", async () => {
  const specified = specify(independent({ x: gaussian() }), { x: { mean: 10, sd: 1 } })
  const updated = await specified.update([{ x: 0 }, { x: 0 }, { x: 4 }])
  expect(updated.training).toMatchObject({ rows: 3, weight: 4, continued: true })
  // the described mean counts once, each row once
  expect(updated.describe()).toMatchObject({ x: { mean: expect.closeTo(14 / 4, 12) } })
  expect(() => updated.criteria()).toThrow("updated")
  const weighed = await specified.update({ x: [0], w: [5] }, { weight: "w" })
  expect(weighed.training).toMatchObject({ rows: 1, weight: 6 })
  // rows that are counted do not make the described parameters counts
  const twice = await updated.update([{ x: 1 }])
  expect(twice.training).toMatchObject({ rows: 4, weight: 5, continued: true })
  expect(() => twice.criteria()).toThrow("updated")
})

test("an update drops the calibration, and says so", async () => {
  const fitted = await fit(labelled, points(1, 80))
  const calibrated = fitted.calibrated(calibrate(fitted, points(2, 200)))
  const more = points(3, 30)
  const updated = await calibrated.update(more)
  expect(updated.diagnostics).toMatchInlineSnapshot(`
    [
      {
        "code": "calibration-dropped",
        "column": "y",
        "message": "the calibration of "y" was dropped: it corrected the model as it was before the update. Calibrate the updated one, on rows it has not learned from.",
      },
    ]
  `)
  expect(updated.posterior(more)).toEqual((await fitted.update(more)).posterior(more))
  expect((await fitted.update(more)).diagnostics).toEqual([])
})
