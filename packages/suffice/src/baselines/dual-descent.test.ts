import { describe, expect, test } from "vitest"
import { dice } from "../random.ts"
import type { DesignMatrix } from "./design-matrix.ts"
import { type DualMinimum, dualDescent } from "./dual-descent.ts"
import { lbfgs } from "./lbfgs.ts"
import { marginProblem, squaredHinge } from "./margin-loss.ts"

function run<T>(steps: Generator<undefined, T, void>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

const die = dice(9)
const ROWS = 60
const signs = Float64Array.from({ length: ROWS }, () => (die.uniform() < 0.4 ? 1 : -1))
const cost = Float64Array.from({ length: ROWS }, () => 0.1 + 3 * die.uniform())

function dense(width: number, intercept: boolean): DesignMatrix {
  return {
    rows: ROWS,
    dense: width,
    values: Float64Array.from(
      { length: ROWS * width },
      (_, at) => die.normal() + 0.6 * signs[Math.floor(at / width)],
    ),
    offsets: new Int32Array(ROWS + 1),
    indices: new Int32Array(0),
    counts: new Float64Array(0),
    width,
    intercept,
  }
}

const tall = dense(3, true)
const wide = dense(100, false)
const solve = (x: DesignMatrix, hinge: "plain" | "squared", tolerance = 1e-8, seed = 0): DualMinimum =>
  run(dualDescent(x, signs, cost, hinge, { tolerance, maxIterations: 100_000 }, dice(seed)))

/** P(w), written out. */
function primal(x: DesignMatrix, w: Float64Array, hinge: "plain" | "squared"): number {
  let value = 0.5 * w.reduce((sum, each) => sum + each * each, 0)
  for (let i = 0; i < ROWS; i++) {
    let score = x.intercept ? w[x.width] : 0
    for (let j = 0; j < x.width; j++) score += x.values[i * x.width + j] * w[j]
    value += cost[i] * Math.max(0, 1 - signs[i] * score) ** (hinge === "plain" ? 1 : 2)
  }
  return value
}

describe.each([
  ["tall", "plain"],
  ["tall", "squared"],
  ["wide", "plain"],
  ["wide", "squared"],
] as const)("%s, %s hinge:", (shape, hinge) => {
  const x = { tall, wide }[shape]

  test("the gap closes, and bounds how far any point can lie below", () => {
    const { w, objective, dualityGap, converged } = solve(x, hinge)
    expect(converged).toBe(true)
    expect(dualityGap).toBeLessThanOrEqual(1e-8 * objective)
    expect(dualityGap).toBeGreaterThan(-1e-12 * objective)
    expect(primal(x, w, hinge)).toBeCloseTo(objective, 9)
    for (let tries = 0; tries < 100; tries++) {
      const near = w.map(each => each + 0.01 * die.normal())
      expect(primal(x, near, hinge)).toBeGreaterThanOrEqual(objective - dualityGap)
    }
  })

  test("a loose tolerance is met, honestly: its gap holds the optimum", () => {
    const { objective, dualityGap } = solve(x, hinge, 0.1)
    const best = solve(x, hinge).objective
    expect(objective).toBeGreaterThanOrEqual(best * (1 - 1e-8))
    expect(objective - dualityGap).toBeLessThanOrEqual(best)
  })

  test("the same dice give the same bits, other dice the same optimum", () => {
    expect(solve(x, hinge)).toEqual(solve(x, hinge))
    const other = solve(x, hinge, 1e-8, 5)
    expect(other.w).not.toEqual(solve(x, hinge).w)
    expect(Math.abs(other.objective / solve(x, hinge).objective - 1)).toBeLessThan(1e-8)
  })

  test("epochs that run out are said to be too few", () => {
    const few = run(dualDescent(x, signs, cost, hinge, { tolerance: 1e-12, maxIterations: 3 }, dice(0)))
    expect(few).toMatchObject({ iterations: 3, converged: false })
    expect(few.dualityGap).toBeGreaterThan(0)
  })
})

test("the squared hinge has the minimum that L-BFGS finds from the other side", () => {
  for (const x of [tall, wide]) {
    const other = run(
      lbfgs(marginProblem(x, signs, cost, squaredHinge, false), { tolerance: 1e-9, maxIterations: 1000 }),
    )
    const found = solve(x, "squared", 1e-10)
    expect(found.objective / other.objective).toBeCloseTo(1, 9)
    found.w.forEach((each, j) => {
      expect(each).toBeCloseTo(other.w[j], 4)
    })
  }
})

test("rows that were set aside too early come back", () => {
  // they do in this one: without them the gap stays open for ever
  const many = dice(4)
  const [rows, width] = [300, 20]
  const own = Float64Array.from({ length: rows }, () => (many.uniform() < 0.4 ? 1 : -1))
  const x: DesignMatrix = {
    ...dense(0, true),
    rows,
    dense: width,
    values: Float64Array.from(
      { length: rows * width },
      (_, at) => many.normal() + 0.3 * own[Math.floor(at / width)],
    ),
    offsets: new Int32Array(rows + 1),
    width,
  }
  for (const hinge of ["plain", "squared"] as const) {
    const stopping = { tolerance: 1e-6, maxIterations: 2000 }
    const { converged } = run(dualDescent(x, own, new Float64Array(rows).fill(1), hinge, stopping, dice(1)))
    expect(converged).toBe(true)
  }
})

test("rows without any feature only cost", () => {
  const nothing: DesignMatrix = { ...dense(0, false), values: new Float64Array(0) }
  const total = cost.reduce((sum, each) => sum + each, 0)
  for (const hinge of ["plain", "squared"] as const) {
    const { objective, dualityGap } = solve(nothing, hinge)
    expect(objective).toBeCloseTo(total, 9)
    expect(dualityGap).toBeCloseTo(0, 9)
  }
})
