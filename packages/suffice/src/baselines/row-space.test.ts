import { expect, test } from "vitest"
import { dice } from "../random.ts"
import { type DesignMatrix, rowAdd, rowDot, someRows } from "./design-matrix.ts"
import { lbfgs } from "./lbfgs.ts"
import { logisticLoss, marginProblem } from "./margin-loss.ts"
import { inRowSpace, isWiderThanLong } from "./row-space.ts"

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

test("a table is wider than it is long by the entries of a row, not by all words there are", () => {
  expect(isWiderThanLong(x)).toBe(true)
  expect(isWiderThanLong({ ...x, dense: 10, values: new Float64Array(10 * ROWS), width: 1e6 })).toBe(false)
  expect(isWiderThanLong({ ...x, rows: 0 })).toBe(false)
})
