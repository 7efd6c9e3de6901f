import { describe, expect, test } from "vitest"
import { evaluate } from "../answers/evaluate.ts"
import { binNames, binsExplorer, cutsIn } from "../data/bins-explorer.ts"
import { fit } from "../fit/fit.ts"
import { load } from "../fit/load.ts"
import { specify } from "../fit/specify.ts"
import { dice } from "../random.ts"
import { structure } from "../structure/structure.ts"
import { independent } from "../structures/independent.ts"
import { given, network } from "../structures/network/declare.ts"
import { bernoulli } from "./bernoulli.ts"
import { bins } from "./categorical.ts"
import { gaussian } from "./gaussian.ts"

const cutsOf = (fitted: unknown): unknown =>
  JSON.parse(JSON.stringify(fitted)).columns.find(({ cuts }: { cuts?: unknown }) => cuts)?.cuts

describe("a number as levels", () => {
  test("is cut at quantiles: every level has as many rows, fewer levels where values repeat", async () => {
    const rows = Array.from({ length: 80 }, (_, i) => ({ x: 80 - i }))
    const fitted = await fit(independent({ x: bins(8, { prior: 0 }) }), rows)
    expect(cutsOf(fitted)).toEqual([11, 21, 31, 41, 51, 61, 71])
    const chances = (fitted.describe() as { x: { probabilities: Record<string, number> } }).x.probabilities
    for (const level of ["< 11", "11 – 21", "≥ 71"]) expect(chances[level]).toBeCloseTo(0.125, 12)
    const zeros = rows.map(({ x }) => ({ x: Math.max(x - 60, 0) }))
    expect(cutsOf(await fit(independent({ x: bins(4) }), zeros))).toEqual([1])
    const weighed = await fit(
      independent({ x: bins(2) }),
      [
        { x: 1, w: 6 },
        { x: 2, w: 1 },
        { x: 3, w: 1 },
      ] as never,
      {
        weight: "w",
      },
    )
    expect(cutsOf(weighed)).toEqual([2])
    expect(cutsOf(await fit(independent({ x: bins(3) }), [{ x: 5 }, { x: 5 }]))).toEqual([])
  })

  test("can be a parent of levels, and answers for numbers as for the names of its levels", async () => {
    const rolls = dice(3)
    const rows = Array.from({ length: 600 }, () => {
      const age = 20 + 60 * rolls.uniform()
      return { age: rolls.uniform() < 0.1 ? null : age, ill: rolls.uniform() < (age > 50 ? 0.8 : 0.1) }
    })
    const model = network({ age: bins(4), ill: given(["age"], bernoulli()) })
    const fitted = await fit(model, rows)
    const cuts = cutsOf(fitted) as number[]
    expect(cuts.length).toBe(3)
    const p = (age: number | string) => fitted.predict([{ age }], { target: "ill" })[0].probabilities.true
    expect(p(25)).toBeLessThan(0.2)
    expect(p(75)).toBeGreaterThan(0.7)
    // a cut belongs to the level that it begins
    expect(p(cuts[2])).toBe(p(1e6))
    expect(p(`≥ ${cuts[2]}`)).toBe(p(75))
    const { levels, probabilities } = fitted.query({ of: "age", given: { ill: true } })
    expect(levels[0].length).toBe(4)
    expect(probabilities[3]).toBeGreaterThan(probabilities[0])
    const again = load(JSON.parse(JSON.stringify(fitted)))
    expect([...again.logDensity(rows)]).toEqual([...fitted.logDensity(rows)])
    expect(fitted.sample(3, { seed: 1 }).every(row => levels[0].includes(row.age))).toBe(true)
    // what was drawn can be read
    expect([...fitted.logDensity(fitted.sample(3, { seed: 1 }))].every(Number.isFinite)).toBe(true)
    const more = await fitted.update([{ age: 500, ill: true }])
    expect(cutsOf(more)).toEqual(cuts)
    expect(
      evaluate(fitted, rows.filter(row => row.age !== null) as never, { target: "age" }).accuracy,
    ).toBeGreaterThan(0.2)
  })

  test("is found by structure, where a family says so", async () => {
    const rolls = dice(5)
    const rows = Array.from({ length: 400 }, () => {
      const x = rolls.normal()
      return { x, far: Math.abs(x) > 1 }
    })
    const found = await structure(rows, { families: { x: bins(6) }, seed: 1 })
    expect(found.edges.length).toBe(1)
    const line = await structure(rows, { families: { x: gaussian() }, seed: 1, require: [["far", "x"]] })
    expect(line.edges.length).toBe(1)
  })

  test("has the same cuts however the rows arrive", async () => {
    const rolls = dice(9)
    const x = Array.from({ length: 9000 }, () => Math.exp(2 * rolls.normal()))
    const model = independent({ x: bins(7) })
    const one = await fit(model, { x })
    async function* batches() {
      for (let from = 0; from < x.length; from += 700) yield { x: x.slice(from, from + 700) }
    }
    const other = await fit(model, { [Symbol.asyncIterator]: batches } as never)
    const threaded = await fit(model, { x }, { threads: 2 })
    expect(cutsOf(other)).toEqual(cutsOf(one))
    expect(cutsOf(threaded)).toEqual(cutsOf(one))
  })

  test("parts that were read elsewhere join to the same cuts, whether values are counted one by one or coarsely", () => {
    const rolls = dice(2)
    const x = Float64Array.from({ length: 3000 }, () => 10 * rolls.normal())
    const weights = x.map(() => 0.1 + rolls.uniform())
    for (const most of [10_000, 500]) {
      const look = (from: number, to: number) => {
        const own = binsExplorer("x", 5, undefined, most)
        own.look(x.subarray(from, to), weights.subarray(from, to), from)
        own.endChunk()
        return own
      }
      const whole = binsExplorer("x", 5, undefined, most)
      for (const [from, to] of [
        [0, 1000],
        [1000, 1400],
        [1400, 3000],
      ]) {
        whole.look(x.subarray(from, to), weights.subarray(from, to), from)
        whole.endChunk()
        whole.endStretch()
      }
      const joined = binsExplorer("x", 5, undefined, most)
      for (const [from, to] of [
        [0, 1000],
        [1000, 1400],
        [1400, 3000],
      ])
        joined.join(look(from, to).part())
      expect(joined.found().column).toEqual(whole.found().column)
      // near the quantiles of all values
      const sorted = [...x].sort((a, b) => a - b)
      const { cuts } = whole.found().column as unknown as { cuts: number[] }
      cuts.forEach((cut, j) => {
        const rank = sorted.findIndex(value => value >= cut) / 3000
        expect(Math.abs(rank - (j + 1) / 5)).toBeLessThan(0.03)
      })
    }
  })

  test("names tell the cuts, to the bit", () => {
    for (const cuts of [[], [0.1], [-1e-7, 0, 1 / 3, 1e21]]) expect(cutsIn(binNames(cuts))).toEqual(cuts)
  })

  test("what it refuses", async () => {
    expect(() => bins(1)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: bins: the number of levels is 1. It is a whole number from 2 to 10000. Write for example bins(8), or name the cuts: bins([18, 65]).]`,
    )
    expect(() => bins([3, 3])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: bins: the cuts are a list of 2. They are numbers, each larger than the one before. Write for example bins([18, 65]), or bins(8) for quantiles.]`,
    )
    expect(() =>
      specify(independent({ x: bins(4) }), { x: { probabilities: {} } } as never),
    ).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: specify: column "x" has bins(4), which are cut at quantiles of data. There is no data here. Name the cuts: bins([18, 65]).]`,
    )
    await expect(
      fit(independent({ x: bins(4) }), [{ x: "tall" }]),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 0 of "x" holds "tall". The column is modelled by numbers. Convert the cell to a number, put null for a missing one, or choose categorical().]`,
    )
    const known = specify(independent({ x: bins([18, 65]) }), {
      x: { probabilities: { "< 18": 0.2, "18 – 65": 0.5, "≥ 65": 0.3 } },
    } as never)
    expect(known.logDensity([{ x: 18 }])[0]).toBeCloseTo(Math.log(0.5), 14)
    const file = JSON.parse(JSON.stringify(known))
    file.columns[0].cuts = [65, 18]
    expect(() => load(file)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model file has a list of 2 at columns[0].cuts, where 2 numbers, each larger than the one before, belongs. It was damaged, or changed by hand. Save the model again, or undo the change.]`,
    )
    const empty = network({ x: bins(4), y: given(["x"], bernoulli()) })
    await expect(fit(empty, [{ x: null, y: true }])).rejects.toThrow("empty in every row")
  })
})
