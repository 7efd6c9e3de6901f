import { describe, expect, test } from "vitest"
import { dice } from "../random.ts"
import { type DesignMatrix, sizeOf } from "./design-matrix.ts"
import { lbfgs, type Minimum, type Smooth, type Stopping } from "./lbfgs.ts"
import { logisticLoss, marginProblem, squaredHinge } from "./margin-loss.ts"
import { softmaxProblem } from "./softmax-loss.ts"

const die = dice(4)
const ROWS = 40
/** Two dense features, five sparse ones, an intercept. */
const offsets = Int32Array.from({ length: ROWS + 1 }, (_, i) => 2 * i)
const x: DesignMatrix = {
  rows: ROWS,
  dense: 2,
  values: Float64Array.from({ length: 2 * ROWS }, () => die.normal()),
  offsets,
  indices: Int32Array.from({ length: 2 * ROWS }, (_, t) =>
    t % 2 === 0 ? 2 + die.integer(2) : 4 + die.integer(3),
  ),
  counts: Float64Array.from({ length: 2 * ROWS }, () => 1 + die.integer(3)),
  width: 7,
  intercept: true,
}
const labels = Int32Array.from({ length: ROWS }, () => die.integer(3))
const signs = Float64Array.from(labels, label => (label === 0 ? 1 : -1))
const cost = Float64Array.from({ length: ROWS }, () => 0.1 + 2 * die.uniform())

const PROBLEMS: Record<string, () => Smooth> = {
  logistic: () => marginProblem(x, signs, cost, logisticLoss, false),
  "logistic, free intercept": () => marginProblem(x, signs, cost, logisticLoss, true),
  "squared hinge": () => marginProblem(x, signs, cost, squaredHinge, false),
  "squared hinge, free intercept": () => marginProblem(x, signs, cost, squaredHinge, true),
  softmax: () => softmaxProblem(x, labels, 3, cost, false),
  "softmax, free intercepts": () => softmaxProblem(x, labels, 3, cost, true),
}

function run(f: Smooth, stopping: Stopping): Minimum {
  const steps = lbfgs(f, stopping)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

describe.each(Object.keys(PROBLEMS))("%s:", name => {
  const f = PROBLEMS[name]()
  const point = Float64Array.from({ length: f.size }, () => 0.5 * die.normal())
  const away = (j: number, by: number): Float64Array =>
    point.map((value, i) => (i === j ? value + by : value))

  test("the gradient is the finite difference of the value, in every coordinate", () => {
    const gradient = new Float64Array(f.size)
    f.at(point)
    f.gradient(gradient)
    for (let j = 0; j < f.size; j++) {
      const difference = (f.at(away(j, 1e-5)) - f.at(away(j, -1e-5))) / 2e-5
      expect(gradient[j]).toBeCloseTo(difference, 6)
    }
  })

  test("the bends at 0 are the finite differences of the gradient there", () => {
    const [bends, above, below] = [0, 1, 2].map(() => new Float64Array(f.size))
    f.startBends(bends)
    for (let j = 0; j < f.size; j++) {
      const step = new Float64Array(f.size)
      step[j] = 1e-5
      f.at(step)
      f.gradient(above)
      step[j] = -1e-5
      f.at(step)
      f.gradient(below)
      expect(bends[j]).toBeCloseTo((above[j] - below[j]) / 2e-5, 6)
    }
  })

  test("value and slope along a line are those of the points on it, and moving there is going there", () => {
    const d = Float64Array.from({ length: f.size }, () => die.normal())
    const gradient = new Float64Array(f.size)
    const moved = new Float64Array(f.size)
    for (const t of [0, 0.3, 2]) {
      const there = point.map((value, j) => value + t * d[j])
      f.at(point)
      const { value, slope } = f.along(d)(t)
      f.move(t)
      f.gradient(moved)
      expect(value).toBeCloseTo(f.at(there), 9)
      f.gradient(gradient)
      expect(slope).toBeCloseTo(
        gradient.reduce((sum, g, j) => sum + g * d[j], 0),
        9,
      )
      gradient.forEach((g, j) => {
        expect(moved[j]).toBeCloseTo(g, 9)
      })
    }
  })

  test("the minimum has no gradient, and no neighbour is lower", () => {
    const start = new Float64Array(f.size)
    f.at(new Float64Array(f.size))
    f.gradient(start)
    const norm = Math.hypot(...start)
    const { w, objective, gradientNorm, converged } = run(f, { tolerance: 1e-9, maxIterations: 500 })
    expect(converged).toBe(true)
    expect(gradientNorm).toBeLessThanOrEqual(1e-9 * norm)
    expect(f.at(w)).toBe(objective)
    for (let tries = 0; tries < 50; tries++) {
      expect(f.at(w.map(value => value + 0.01 * die.normal()))).toBeGreaterThan(objective)
    }
  })

  test("too few iterations are said to be too few", () => {
    const { iterations, converged } = run(f, { tolerance: 1e-9, maxIterations: 2 })
    expect({ iterations, converged }).toEqual({ iterations: 2, converged: false })
  })
})

test("margins of a thousand overflow nothing", () => {
  for (const m of [-1000, 1000]) {
    expect(logisticLoss.value(m)).toBe(Math.max(-m, 0))
    expect(logisticLoss.slope(m)).toBeCloseTo(m < 0 ? -1 : 0, 15)
  }
  expect(sizeOf(x)).toBe(8)
})

test("a step that gains nothing is not taken, though it flattens the slope", () => {
  // ½(w − 1)²: the first step tried leads from 0 to 2, where it is as high as at 0
  let w = 0
  const taken: number[] = []
  let towards = 0
  const mirror: Smooth = {
    size: 1,
    at(point) {
      w = point[0]
      return 0.5 * (w - 1) * (w - 1)
    },
    gradient: out => void out.fill(w - 1),
    startBends: out => void out.fill(1 / 16),
    along(d) {
      towards = d[0]
      return t => {
        const gap = w + t * towards - 1
        return { value: 0.5 * gap * gap, slope: gap * towards }
      }
    },
    move(t) {
      taken.push(t * towards)
      w += t * towards
    },
  }
  const { w: found, converged } = run(mirror, { tolerance: 1e-9, maxIterations: 20 })
  expect(converged).toBe(true)
  expect(taken[0]).toBe(1)
  expect([...found]).toEqual([1])
})
