/** What a report draws of a model, beside the closed forms of what the model describes. */
import {
  type Cell,
  categorical,
  classes,
  dice,
  fit,
  gaussian,
  independent,
  linear,
  mixture,
  multinomial,
  normal,
  poisson,
  type Row,
} from "suffice"
import { describe, expect, test } from "vitest"
import type { LooseFitted, LooseModel } from "../loose.ts"
import { type LearnedByGroup, type LearnedOfNumber, learnedAnswer } from "./answer.ts"
import type { LearnedLevels, LearnedNumber } from "./columns.ts"
import { labelGroups, mixtureGroups } from "./groups.ts"
import { binsOf, heights } from "./histogram.ts"
import { whatColumnsSay } from "./says.ts"
import type { LearnedWords } from "./words.ts"

function columnsOf(rows: readonly Row[]): Record<string, Cell[]> {
  return Object.fromEntries(Object.keys(rows[0]).map(name => [name, rows.map(row => row[name])]))
}

const die = dice(5)
const ROWS: Row[] = Array.from({ length: 300 }, (_, i) => ({
  y: "abc"[i % 3],
  x: die.uniform() < 0.1 ? null : die.normal() + 2 * (i % 3),
  noise: die.normal(),
  c: die.uniform() < 0.3 + 0.2 * (i % 3) ? "p" : "q",
  n: die.poisson(1 + 3 * (i % 3)),
  w: i % 3 === 0 ? "sun sea" : i % 3 === 1 ? "sun rain" : "rain wind storm",
}))
const COLUMNS = columnsOf(ROWS)

async function fitted(model: unknown, rows: readonly Row[] = ROWS): Promise<LooseFitted> {
  return (await fit(model as LooseModel, rows as Row[], { seed: 1 })) as LooseFitted
}

const naive = (): Promise<LooseFitted> =>
  fitted(
    classes(
      "y",
      independent({
        x: gaussian(),
        noise: gaussian(),
        c: categorical(),
        n: poisson(),
        w: multinomial(),
      }),
    ),
  )

function bell(x: number, mean: number, sd: number): number {
  return Math.exp(-0.5 * ((x - mean) / sd) ** 2) / (sd * Math.sqrt(2 * Math.PI))
}

describe("given each level", () => {
  test("the density of a number is that of its described parameters", async () => {
    const model = await naive()
    const answer = learnedAnswer(model, COLUMNS) as LearnedByGroup
    const given = (
      model.describe().y as never as { given: Record<string, { x: { mean: number; sd: number } }> }
    ).given
    const x = answer.columns.find(({ column }) => column === "x") as LearnedNumber
    answer.drawn.forEach((level, g) => {
      const { mean, sd } = given[level].x
      x.at.forEach((at, i) => {
        expect(x.each[g].density[i]).toBeCloseTo(bell(at, mean, sd), 10)
      })
    })
    expect(x.each.reduce((sum, { rows }) => sum + rows, 0)).toBe(ROWS.filter(row => row.x !== null).length)
  })

  test("counts have probabilities at whole numbers, which add up to one", async () => {
    const answer = learnedAnswer(await naive(), COLUMNS) as LearnedByGroup
    const n = answer.columns.find(({ column }) => column === "n") as LearnedNumber
    expect(n.at.every(Number.isInteger)).toBe(true)
    for (const { density } of n.each) {
      const total = density.reduce((a, b) => a + b, 0)
      expect(total).toBeGreaterThan(0.98)
      expect(total).toBeLessThanOrEqual(1)
    }
  })

  test("levels have the described probabilities, beside their shares of the rows", async () => {
    const model = await naive()
    const answer = learnedAnswer(model, COLUMNS) as LearnedByGroup
    const c = answer.columns.find(({ column }) => column === "c") as LearnedLevels
    const given = (
      model.describe().y as never as {
        given: Record<string, { c: { probabilities: Record<string, number> } }>
      }
    ).given
    expect(c.values).toEqual(["p", "q"])
    answer.drawn.forEach((level, g) => {
      expect(c.each[g].probabilities[0]).toBeCloseTo(given[level].c.probabilities.p, 12)
      const of = ROWS.filter(row => row.y === level)
      expect(c.each[g].shares[0]).toBe(of.filter(row => row.c === "p").length / of.length)
    })
  })

  test("words that all levels share do not set one apart, however frequent", async () => {
    const answer = learnedAnswer(await naive(), COLUMNS) as LearnedByGroup
    const w = answer.columns.find(({ column }) => column === "w") as LearnedWords
    expect(w.each.map(({ words }) => words[0].word)).toEqual([
      "sea",
      "rain",
      expect.stringMatching(/wind|storm/),
    ])
    expect(w.each[2].words.map(({ word }) => word)).not.toContain("sun")
  })

  test("a mixture below a level is summed out", async () => {
    const model = await fitted(classes("y", mixture(2, independent({ w: multinomial(), x: gaussian() }))))
    const answer = learnedAnswer(model, COLUMNS) as LearnedByGroup
    const w = answer.columns.find(({ column }) => column === "w") as LearnedWords
    // of a level whose documents are "sun sea", with the prior of one pseudo-count per word and component
    const { probability } = w.each[0].words.find(({ word }) => word === "sea")!
    expect(probability).toBeGreaterThan(0.4)
    expect(probability).toBeLessThan(0.5)
    const x = answer.columns.find(({ column }) => column === "x") as LearnedNumber
    const step = x.at[1] - x.at[0]
    for (const { density } of x.each) expect(step * density.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 1)
  })

  test("what a column says is the mean divergence of the posterior from the base rate; noise says nothing", async () => {
    const model = await naive()
    const groups = labelGroups(model, "y")
    const says = whatColumnsSay(groups, ["x", "noise", "c"], COLUMNS, groups.groupOf(COLUMNS))
    expect(says.map(({ column }) => column)).toEqual(["x", "c", "noise"])
    // of "c", by enumeration of its two values, at the 24 quantiles that are asked about
    const shares = ROWS.filter(row => row.c === "p").length / ROWS.length
    const asked = Math.round(24 * shares)
    const alone = model.posterior([{}], { target: "y" }).probabilities
    const divergence = (cell: string): number =>
      model
        .posterior([{ c: cell }], { target: "y" })
        .probabilities.reduce((sum, p, l) => sum + p * Math.log(p / alone[l]), 0)
    const wanted = (asked * divergence("p") + (24 - asked) * divergence("q")) / 24
    expect(says[1].nats).toBeCloseTo(wanted, 12)
    expect(says[2].nats).toBeLessThan(0.02)
  })
})

test("the density of a component is that of its described parameters", async () => {
  const model = await fitted(mixture(2, independent({ x: gaussian(), c: categorical() }), { name: "group" }))
  const groups = mixtureGroups(model, "group", ["0", "1"])
  const given = (
    model.describe().group as never as { given: Record<string, { x: { mean: number; sd: number } }> }
  ).given
  for (const g of [0, 1]) {
    const { mean, sd } = given[g].x
    const [density] = groups.logDensity("x", [1.5], g)
    expect(density).toBeCloseTo(Math.log(bell(1.5, mean, sd)), 10)
  }
  const answer = learnedAnswer(model, COLUMNS) as LearnedByGroup
  expect(answer).toMatchObject({ of: "group", by: "components", drawn: ["0", "1"] })
  expect(answer.groups.reduce((sum, { rows }) => sum + rows, 0)).toBe(ROWS.length)
})

describe("of a number", () => {
  const rows = ROWS.filter(row => row.x !== null)

  test("a joint normal is asked with one column alone: the slope is covariance over variance", async () => {
    const model = (await fitted(normal(["x", "noise", "n"]), rows)).withTarget("n") as LooseFitted
    const answer = learnedAnswer(model, columnsOf(rows)) as LearnedOfNumber
    expect(answer.columns.map(({ column }) => column)).toEqual(["x", "noise"])
    expect(answer.atMean).toEqual([])
    const { covariance } = Object.values(model.describe())[0] as never as {
      covariance: Record<string, Record<string, number>>
    }
    const { line } = answer.columns[0]
    const slope = (line[9].value - line[4].value) / ((line[9].x as number) - (line[4].x as number))
    expect(slope).toBeCloseTo(covariance.x.n / covariance.x.x, 8)
  })

  test("a regression is asked with the others at their means: the slope is its coefficient", async () => {
    const model = (await fitted(linear("n", ["x", "noise"]), rows)).withTarget("n") as LooseFitted
    const answer = learnedAnswer(model, columnsOf(rows)) as LearnedOfNumber
    expect(answer.atMean).toEqual(["x", "noise"])
    const { coefficients } = model.describe().n as never as { coefficients: Record<string, number> }
    const { line } = answer.columns.find(({ column }) => column === "x")!
    const slope = (line[9].value - line[4].value) / ((line[9].x as number) - (line[4].x as number))
    expect(slope).toBeCloseTo(coefficients.x, 8)
    // what is only read has no density
    expect(answer.densities.map(({ column }) => column).filter(column => column !== "n")).toEqual([])
  })
})

describe("without a level to be given", () => {
  type Joint = { mean: Record<string, number>; covariance: Record<string, Record<string, number>> }

  test("all rows are one group, and a number of a joint normal has its marginal density", async () => {
    const model = await fitted(normal(["x", "noise"]))
    const answer = learnedAnswer(model, COLUMNS) as LearnedByGroup
    expect(answer).toMatchObject({ by: "all", drawn: ["all rows"], undrawn: [] })
    expect(answer.columns.map(({ column }) => column)).toEqual(["x", "noise"])
    const { mean, covariance } = Object.values(model.describe())[0] as never as Joint
    for (const column of answer.columns as LearnedNumber[]) {
      const { at, each } = column
      at.forEach((x, i) => {
        expect(each[0].density[i]).toBeCloseTo(
          bell(x, mean[column.column], Math.sqrt(covariance[column.column][column.column])),
          10,
        )
      })
    }
  })

  test("of a number that is asked for, every number has its density by itself, the asked one first", async () => {
    const model = (await fitted(normal(["x", "n"]))).withTarget("n") as LooseFitted
    const { densities } = learnedAnswer(model, COLUMNS) as LearnedOfNumber
    expect(densities.map(({ column }) => column)).toEqual(["n", "x"])
    const { mean, covariance } = Object.values(model.describe())[0] as never as Joint
    const { at, each } = densities[0]
    expect(each[0].density[20]).toBeCloseTo(bell(at[20], mean.n, Math.sqrt(covariance.n.n)), 10)
  })
})

describe("bins", () => {
  test("around whole numbers, where all are whole: none is empty by rounding", () => {
    const values = Float64Array.from([0, 1, 1, 2, 3, 3, 3, 4])
    const bins = binsOf(values)!
    expect(bins).toEqual({ from: -0.5, width: 1, count: 5 })
    expect(heights(bins, values)).toEqual([1, 2, 1, 3, 1].map(n => n / 8))
  })

  test("have the area of what lies inside, and leave numbers that lie far out outside", () => {
    const near = Float64Array.from({ length: 999 }, () => die.normal())
    const bins = binsOf(near)!
    expect(bins.width * heights(bins, near).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12)
    const far = Float64Array.from([...near, 1e6])
    const kept = binsOf(far)!
    expect(kept.from + kept.width * kept.count).toBeLessThan(5)
    expect(binsOf(Float64Array.from([]))).toBeUndefined()
    expect(binsOf(Float64Array.from([7, 7]))).toEqual({ from: 6.5, width: 1, count: 1 })
  })
})

test("of many columns, those that say most are drawn, and the others listed", async () => {
  const rows = Array.from({ length: 120 }, (_, i) => ({
    y: i % 2 ? "a" : "b",
    ...Object.fromEntries(
      Array.from({ length: 30 }, (_, j) => [`x${j}`, die.normal() + (j === 17 ? 3 * (i % 2) : 0)]),
    ),
  }))
  const names = Array.from({ length: 30 }, (_, j) => `x${j}`)
  const body = independent(Object.fromEntries(names.map(name => [name, gaussian()])) as never)
  const answer = learnedAnswer(await fitted(classes("y", body), rows), columnsOf(rows)) as LearnedByGroup
  expect(answer.columns).toHaveLength(12)
  expect(answer.columns[0].column).toBe("x17")
  expect(answer.says).toHaveLength(30)
})

test("of more than a hundred columns, the model is asked about those that differ most in the rows", async () => {
  const names = Array.from({ length: 130 }, (_, j) => `x${j}`)
  const rows = Array.from({ length: 90 }, (_, i) => ({
    y: i % 2 ? "a" : "b",
    ...Object.fromEntries(names.map((name, j) => [name, die.normal() + (j % 40 === 7 ? 3 * (i % 2) : 0)])),
    told: i % 2 ? "p" : "q",
  }))
  const body = independent({
    ...Object.fromEntries(names.map(name => [name, gaussian()])),
    told: categorical(),
  } as never)
  const answer = learnedAnswer(await fitted(classes("y", body), rows), columnsOf(rows)) as LearnedByGroup
  expect(answer.all).toBe(131)
  expect(answer.says).toHaveLength(100)
  expect(
    answer.says
      .slice(0, 5)
      .map(({ column }) => column)
      .sort(),
  ).toEqual(["told", "x127", "x47", "x7", "x87"])
})

test("numbers beside scaled words, which have no density, are drawn all the same", async () => {
  const scaled = independent({ x: gaussian(), w: multinomial({ scaling: "tfidf" }) })
  const answer = learnedAnswer(await fitted(classes("y", scaled)), COLUMNS) as LearnedByGroup
  expect(answer.columns.map(({ column }) => column).sort()).toEqual(["w", "x"])
  expect(answer.undrawn).toEqual([])
})
