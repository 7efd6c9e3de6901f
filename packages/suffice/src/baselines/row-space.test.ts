import { expect, test } from "vitest"
import { linearSvm, logisticRegression } from "../baselines.ts"
import { classes, gaussian, independent } from "../index.ts"
import { dice } from "../random.ts"
import { type DesignMatrix, rowAdd, rowDot, rowNorms, rowScores, someRows } from "./design-matrix.ts"
import { lbfgs } from "./lbfgs.ts"
import { logisticLoss, marginProblem } from "./margin-loss.ts"
import { inFeatures, inRowSpace, isWiderThanLong } from "./row-space.ts"

/** Forty numbers and two levels of a column in each of twelve rows; the last row is the first once more. */
const die = dice(5)
const ROWS = 12
const DENSE = 40
const numbers = Float64Array.from({ length: ROWS * DENSE }, () => die.normal())
numbers.copyWithin((ROWS - 1) * DENSE, 0, DENSE)
const levels = Int32Array.from({ length: ROWS }, (_, i) => DENSE + ((i % (ROWS - 1)) % 2))
const x: DesignMatrix = {
  rows: ROWS,
  dense: DENSE,
  values: numbers,
  offsets: Int32Array.from({ length: ROWS + 1 }, (_, i) => i),
  indices: levels,
  counts: new Float64Array(ROWS).fill(1),
  width: DENSE + 2,
  intercept: true,
}

function run<T>(steps: Generator<undefined, T, void>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value as T
  }
}

/** x_i·x_j, the intercept included. */
function inner(x: DesignMatrix, i: number, j: number): number {
  const row = new Float64Array(x.width + 1)
  rowAdd(x, i, 1, row)
  return rowDot(x, j, row)
}

test("rows have the inner products they had, one that is there twice too", () => {
  const short = run(inRowSpace(x))
  expect(short).toMatchObject({ rows: ROWS, dense: ROWS, width: ROWS, intercept: true })
  for (let i = 0; i < ROWS; i++) {
    for (let j = 0; j < ROWS; j++) expect(inner(short, i, j)).toBeCloseTo(inner(x, i, j), 10)
  }
})

test("of numbers alone, in pairs of rows, they have them too, and end where they end", () => {
  for (const rows of [3, 4, 11, 13]) {
    const dense = { ...x, rows, width: DENSE, offsets: new Int32Array(rows + 1) }
    const none = { indices: new Int32Array(0), counts: new Float64Array(0) }
    const all: DesignMatrix = {
      ...dense,
      ...none,
      values: Float64Array.from({ length: rows * DENSE }, () => die.normal()),
    }
    const short = run(inRowSpace(all))
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < rows; j++) expect(inner(short, i, j)).toBeCloseTo(inner(all, i, j), 10)
      // nothing is cut off, and something is saved
      expect(
        [...short.values.subarray(i * rows + short.ends![i], (i + 1) * rows)].every(value => value === 0),
      ).toBe(true)
    }
    expect(short.ends![0]).toBe(Math.min(4, rows))
    expect(rowNorms(short)).toHaveLength(rows)
    rowNorms(short).forEach((norm, i) => {
      expect(norm).toBeCloseTo(inner(short, i, i), 10)
    })
    const last = someRows(short, Int32Array.of(rows - 1, 0))
    expect([...last.ends!]).toEqual([short.ends![rows - 1], short.ends![0]])
  }
})

test("whichever rows are learned from, the scores of all others are those of all features", () => {
  const some = Int32Array.from({ length: ROWS - 4 }, (_, i) => i)
  const scores = (all: DesignMatrix): number[] => {
    const learned = someRows(all, some)
    const signs = Float64Array.from(some, i => (i % 3 === 0 ? 1 : -1))
    const cost = new Float64Array(some.length).fill(0.7)
    const problem = marginProblem(learned, signs, cost, logisticLoss, true)
    const { w } = run(lbfgs(problem, { tolerance: 1e-12, maxIterations: 1000 }))
    return Array.from({ length: ROWS }, (_, i) => rowDot(all, i, w))
  }
  const wanted = scores(x)
  scores(run(inRowSpace(x))).forEach((score, i) => {
    expect(score).toBeCloseTo(wanted[i], 9)
  })
})

test("weights of rows become the shortest weights of features with the same scores, for every output", () => {
  const short = run(inRowSpace(x))
  const roll = dice(8)
  const v = Float64Array.from({ length: (ROWS + 1) * 3 }, () => roll.normal())
  // the direction that the doubled row does not have says nothing
  v.fill(0, (ROWS - 1) * 3, ROWS * 3)
  const w = inFeatures(x, short, v, 3)
  const [found, wanted] = [new Float64Array(3), new Float64Array(3)]
  for (let i = 0; i < ROWS; i++) {
    rowScores(x, i, w, 3, found)
    rowScores(short, i, v, 3, wanted)
    for (let c = 0; c < 3; c++) expect(found[c]).toBeCloseTo(wanted[c], 10)
  }
  const norm = (all: Float64Array): number => Math.hypot(...all)
  expect(norm(w)).toBeCloseTo(norm(v), 10)
})

test("on a wide table, the classifier of the C that was chosen is the one of that C", async () => {
  const roll = dice(9)
  const names = Array.from({ length: 60 }, (_, j) => `x${j}`)
  const rows = Array.from({ length: 45 }, (_, i) => ({
    y: "abc"[i % 3],
    ...Object.fromEntries(names.map((name, j) => [name, roll.normal() + (j < 6 && j % 3 === i % 3 ? 1 : 0)])),
  }))
  const model = classes("y", independent(Object.fromEntries(names.map(name => [name, gaussian()]))))
  for (const made of [logisticRegression, linearSvm]) {
    const chosen = await made({ c: "cv", folds: 3 }).fit(model, rows)
    const { c } = chosen.chosen!
    const given = await made({ c }).fit(model, rows)
    expect(chosen.optimum.converged && given.optimum.converged).toBe(true)
    expect(chosen.optimum.objective / given.optimum.objective).toBeCloseTo(1, 4)
    // begun at its end, it is soon over
    expect(chosen.optimum.iterations).toBeLessThan(given.optimum.iterations)
  }
})

test("a table is wider than it is long by the entries of a row, not by all words there are", () => {
  expect(isWiderThanLong(x)).toBe(true)
  expect(isWiderThanLong({ ...x, dense: 10, values: new Float64Array(10 * ROWS), width: 1e6 })).toBe(false)
  expect(isWiderThanLong({ ...x, rows: 0 })).toBe(false)
})
