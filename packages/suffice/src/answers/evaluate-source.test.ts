import { describe, expect, test } from "vitest"
import type { Row } from "../contract/cells.ts"
import { gaussian } from "../families/gaussian.ts"
import { fit } from "../fit/fit.ts"
import { Running } from "../measure/running.ts"
import { dice } from "../random.ts"
import { classes } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { evaluate, evaluateSource } from "./evaluate.ts"
import { judge } from "./judge.ts"

const d = dice(5)
const rows = Array.from({ length: 3000 }, (_, i) => {
  const y = d.integer(3)
  return {
    y: (i % 100 === 7 ? null : i % 500 === 9 ? "oak" : ["ash", "birch", "cedar"][y]) as string | null,
    x: i % 50 === 3 ? null : 1.5 * y + d.normal(),
    w: d.integer(4) / 2,
  }
})
const known = rows.filter(({ y }) => y !== "oak")
const fitted = await fit(classes("y", independent({ x: gaussian() })), known.slice(0, 300) as never)
const cut = (size: number, all: readonly Row[] = rows) => ({
  async *[Symbol.asyncIterator]() {
    yield []
    for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
  },
})
const said = async (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => "nothing was thrown",
    (error: Error) => error.message,
  )

describe("a source is measured", () => {
  test("as the rows in memory are, to the last digit, however it is cut", async () => {
    for (const options of [
      {},
      { weight: "w", curves: true },
      { target: "x" },
      { target: "x", weight: "w" },
    ]) {
      const inMemory = evaluate(fitted, rows as never, options as never)
      for (const size of [7, 256, 5000])
        expect(await evaluateSource(fitted, cut(size), options)).toEqual(inMemory)
    }
  })

  test("by batches that need not have a truth, nor weight", async () => {
    const some = rows.map((row, i) => ({ ...row, y: i < 100 ? null : row.y, w: i < 200 ? 0 : row.w }))
    expect(await evaluateSource(fitted, cut(50, some), { weight: "w" })).toEqual(
      evaluate(fitted, some as never, { weight: "w" }),
    )
  })
})

describe("where not all answers are held", () => {
  const part = (most: number, target: string, weight: string | undefined) => {
    const running = new Running(dice(3), most)
    for (let at = 0; at < rows.length; at += 200)
      running.add(judge("test", fitted as never, rows.slice(at, at + 200), { target, weight, partial: true }))
    return running.evaluation({ curves: true })
  }

  test("what is a sum is of all rows, and what is not of a part of them", () => {
    for (const weight of [undefined, "w"]) {
      const whole = evaluate(fitted, rows as never, { curves: true, ...(weight && { weight }) } as never)
      const found = part(1200, "y", weight)
      if (found.kind !== "levels") throw new Error("no levels")
      const close = (value: number): unknown => expect.closeTo(value, 9)
      expect(found).toMatchObject({
        rows: whole.rows,
        skipped: whole.skipped,
        weight: close(whole.weight),
        accuracy: close(whole.accuracy),
        accuracyInterval: whole.accuracyInterval.map(close),
        brier: close(whole.brier),
        macroF1: close(whole.macroF1),
        unseen: whole.unseen,
        confusion: {
          levels: whole.confusion.levels,
          counts: whole.confusion.counts.map(row => row.map(close)),
        },
      })
      // a level that was never seen makes it infinite
      expect([found.logLoss, found.logLossInterval]).toEqual([whole.logLoss, whole.logLossInterval])
      expect(found.sampled).toBeGreaterThan(600)
      expect(found.sampled).toBeLessThanOrEqual(1200)
      expect(whole.sampled).toBeUndefined()
      expect(Math.abs(found.auc! - whole.auc!)).toBeLessThan(0.03)
      expect(found.perLevel.oak.support).toBeCloseTo(whole.perLevel.oak.support, 9)
    }
  })

  test("log-loss has its interval from sums", () => {
    const running = new Running(dice(3), 500)
    for (let at = 0; at < known.length; at += 200)
      running.add(judge("test", fitted as never, known.slice(at, at + 200), { weight: "w", partial: true }))
    const found = running.evaluation({})
    const whole = evaluate(fitted, known as never, { weight: "w" } as never)
    if (found.kind !== "levels") throw new Error("no levels")
    expect(found.logLoss).toBeCloseTo(whole.logLoss, 10)
    expect(found.logLossInterval[0]).toBeCloseTo(whole.logLossInterval[0], 10)
    expect(found.logLossInterval[1]).toBeCloseTo(whole.logLossInterval[1], 10)
  })

  test("numbers need no part: all is summed", () => {
    const found = part(500, "x", "w")
    const whole = evaluate(fitted, rows as never, { target: "x", weight: "w" } as never)
    for (const [name, value] of Object.entries(whole)) {
      const got = (found as unknown as Record<string, unknown>)[name]
      if (typeof value === "number") expect(got, name).toBeCloseTo(value, 9)
      else if (typeof value !== "object") expect(got, name).toEqual(value)
      else {
        expect(Object.keys(got as object), name).toEqual(Object.keys(value))
        // an interval, or the mean and the standard deviation of the truths
        for (const [part, one] of Object.entries(value as Record<string, number>))
          expect((got as Record<string, number>)[part], name).toBeCloseTo(one, 9)
      }
    }
  })
})

test("messages say what, why and what to do", async () => {
  expect(await said(evaluateSource(fitted, cut(10, [])))).toMatchInlineSnapshot(
    `"evaluate: the data has no rows. There is nothing to compare. Pass at least one row."`,
  )
  expect(await said(evaluateSource(fitted, cut(10, [{ y: null, x: 1 }])))).toMatchInlineSnapshot(
    `"evaluate: "y" is missing in every row. There is no truth to compare with. Pass rows whose "y" is known."`,
  )
  expect(
    await said(evaluateSource(fitted, cut(1, [{ y: "ash", x: 1, w: 0 }]), { weight: "w" })),
  ).toMatchInlineSnapshot(
    `"evaluate: every row with a known "y" has weight 0, by "w". Nothing is left to measure. Give at least one of them a weight above 0."`,
  )
  expect(
    await said(
      evaluateSource(
        fitted,
        cut(1, [
          { y: "ash", x: 1 },
          { y: "ash", x: "one" },
        ]),
      ),
    ),
  ).toMatchInlineSnapshot(
    `"batch 2 of the source: row 0 of "x" holds "one". The column is modelled by numbers. Convert the cell to a number, put null for a missing one, or choose categorical()."`,
  )
  expect(await said(evaluateSource(fitted, cut(1), { bootstrap: 9 } as never))).toMatchInlineSnapshot(
    `"evaluateSource: there is no option "bootstrap". It knows "target", "weight", "curves", "seed" and "signal". Leave it out."`,
  )
})
