import { describe, expect, test } from "vitest"
import type { Chunk } from "../contract/block.ts"
import type { Row } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import type { Regime } from "../contract/moving.ts"
import { discover } from "../data/discover.ts"
import { encodeForLearning } from "../data/encode.ts"
import {
  bernoulli,
  categorical,
  classes,
  dice,
  gaussian,
  independent,
  linear,
  mixture,
  normal,
  poisson,
} from "../index.ts"
import { contrast } from "./contrast.ts"
import { guarding } from "./guard.ts"
import { lay, solve, value } from "./lay.ts"
import { learnable } from "./learnable.ts"
import { namesOf } from "./parts.ts"
import { pulling } from "./pull.ts"

const rolls = dice(11)
const others = dice(12)
const rows = Array.from({ length: 80 }, (_, i): Row => {
  const y = ["a", "b", "c"][i % 3]
  const shift = i % 3
  const hole = <T>(cell: T): T | null => (rolls.uniform() < 0.3 ? null : cell)
  return {
    y: rolls.uniform() < 0.1 ? null : y,
    v: rolls.uniform() < 0.5 ? "p" : "q",
    x: hole(shift + rolls.normal()),
    z: hole(0.5 * shift - rolls.normal()),
    u: hole(["m", "n"][rolls.integer(2)]),
    f: hole(rolls.uniform() < 0.3 + 0.2 * shift),
    n: hole(rolls.poisson(2 + shift)),
    ...response(i, shift),
  }
})

/** A response to two doses: missing here and there, and where it is, a dose may be too. */
function response(i: number, shift: number): Row {
  const d = 5 + others.normal()
  const e = shift + others.normal()
  const r = 2 * d - shift * e + others.normal()
  return { d: i % 10 === 7 ? null : d, e: i % 15 === 2 ? null : e, r: i % 5 === 2 || i % 10 === 7 ? null : r }
}

const mixed = () => independent({ x: gaussian(), u: categorical(), f: bernoulli(), n: poisson() })
const models: Record<string, { model: Model; targets: string[] }> = {
  "naive Bayes of mixed leaves": { model: classes("y", mixed()) as Model, targets: ["y", "u", "f"] },
  "tied gaussians": {
    model: classes("y", independent({ x: gaussian({ variance: "tied" }), z: gaussian() })) as Model,
    targets: ["y", "x"],
  },
  "full normals": { model: classes("y", normal(["x", "z"])) as Model, targets: ["y", "x"] },
  "diagonal normals": {
    model: classes("y", normal(["x", "z"], { covariance: "diag" })) as Model,
    targets: ["y", "x"],
  },
  "spherical normals": {
    model: classes("y", normal(["x", "z"], { covariance: "spherical" })) as Model,
    targets: ["y"],
  },
  "tied normals": {
    model: classes("y", normal(["x", "z"], { covariance: "tied" })) as Model,
    targets: ["y", "z"],
  },
  "a mixture in each class": { model: classes("y", mixture(2, mixed())) as Model, targets: ["y", "u"] },
  "classes in a mixture": { model: mixture(2, classes("y", mixed())) as Model, targets: ["y"] },
  "a regression": { model: linear("r", ["d", "e"]) as Model, targets: ["r"] },
  "a regression in each class": { model: classes("y", linear("r", ["d"])) as Model, targets: ["y", "r"] },
  "a mixture of regressions": { model: mixture(2, linear("r", ["d", "e"])) as Model, targets: ["r"] },
  "a mixture of experts": {
    model: mixture(2, independent({ e: gaussian() }, normal(["d", "x"]), linear("r", ["d", "e"]))) as Model,
    targets: ["r", "x"],
  },
  "nested classes": { model: classes("v", classes("y", mixed())) as Model, targets: ["v", "y"] },
  "a body for each class": {
    model: classes("y", {
      a: independent({ x: gaussian(), z: gaussian() }),
      b: mixture(2, independent({ x: gaussian(), z: gaussian() })),
      c: normal(["x", "z"]),
    }) as Model,
    targets: ["y", "z"],
  },
}

/** The model on the rows, its first block, and moments somewhere inside the domain. */
async function problemOf(model: Model) {
  const { schema, rows: count } = await discover(model.uses, rows, {})
  const laid = lay(model, schema.columns)
  const chunks: Chunk[] = []
  for await (const chunk of encodeForLearning(schema, rows, {}, count)) chunks.push(chunk)
  const table = { rows: count, weight: count, certain: false, chunks: () => chunks }
  const problem = learnable(laid, table, undefined, dice(1))
  const start = await problem.start.guess(dice(2))
  const counts = start.map((stat, j) => stat + problem.theta.prior[j])
  const course = { regime: { against: "nothing" }, generative: 1, prior: 1, inertia: 0 } as const
  const eta = problem.moments.moving(counts, course).state().moments
  return { laid, problem, block: chunks[0][0], eta }
}

const regimes = (target: string, level: boolean): Regime[] => [
  { against: "nothing" },
  { against: "hidden", target },
  ...(level ? [{ against: "rival" as const, target, margin: 2 }] : []),
]

describe.each(Object.entries(models))("%s", (_name, { model, targets }) => {
  test.each(targets)("the completed direction is minus the gradient of the loss, target %s", async target => {
    const { laid, block, eta } = await problemOf(model)
    const column = laid.columns.find(({ name }) => name === target)!
    for (const regime of regimes(target, column.kind === "level")) {
      const params = solve(laid, eta, 0).params
      const delta = new Float64Array(laid.statistics)
      contrast(laid, block, params, regime, delta)
      const lossAt = (theta: Float64Array): number =>
        contrast(laid, block, theta, regime, new Float64Array(laid.statistics)).loss
      for (let direction = 0; direction < 4; direction++) {
        // a curve of moments: towards those of other parameters
        const step = dice(direction)
        const other = eta.map(stat => stat * (1 + 0.02 * step.normal()))
        const theta = (t: number): Float64Array =>
          solve(
            laid,
            eta.map((stat, j) => stat + t * (other[j] - stat)),
            0,
          ).params
        const h = 1e-5
        const slope = (lossAt(theta(h)) - lossAt(theta(-h))) / (2 * h)
        const claimed = -(value(laid, delta, theta(h)) - value(laid, delta, theta(-h))) / (2 * h)
        expect(Math.abs(slope - claimed)).toBeLessThan(2e-5 * (1 + Math.abs(slope)))
      }
    }
  })

  test("every leaf slot keeps the mass of its context, and a step of moments loses none", async () => {
    const { laid, problem, block, eta } = await problemOf(model)
    const column = laid.columns.find(({ name }) => name === targets[0])!
    for (const regime of regimes(targets[0], column.kind === "level")) {
      const params = solve(laid, eta, 0).params
      const delta = new Float64Array(laid.statistics)
      const { weight } = contrast(laid, block, params, regime, delta)
      const generative = regime.against === "nothing"
      const next = eta.map((stat, j) => stat + 0.05 * (delta[j] / weight - (generative ? stat : 0)))
      guarding(
        laid,
        laid.parts,
        eta,
        next,
        problem.theta.prior,
        problem.theta.spread(eta),
      )(problem.data.weight)
      laid.root.descend(next, Float64Array.of(1), (part, mass) => {
        if (part.role !== "leaf") return
        mass!.forEach((wanted, p) => {
          expect(part.leaf.mass(part.ranges.statsOf(next), p)).toBeCloseTo(wanted, 10)
          expect(wanted).toBeGreaterThan(0)
          // a normal without correlations counts each column apart
          if (part.leaf.moving?.complete) {
            const width = part.leaf.shape.statistics / part.leaf.shape.slots
            for (let j = 0; j < namesOf(part).length; j++) {
              expect(part.ranges.statsOf(next)[p * width + j]).toBeCloseTo(wanted, 10)
            }
          }
        })
      })
    }
  })
})

test.each([
  "naive Bayes of mixed leaves",
  "a mixture in each class",
  "classes in a mixture",
  "a body for each class",
])("the prior pulls, uphill its own density; leaves follow what switches move: %s", async name => {
  const { laid, problem, eta } = await problemOf(models[name].model)
  const { params } = solve(laid, eta, 0)
  const spread = problem.theta.spread(eta.map(stat => stat * problem.data.weight))
  const pull = pulling(laid, laid.parts, problem.theta.prior, spread, params, eta)()
  laid.root.descend(pull, Float64Array.of(0), (part, mass) => {
    for (let p = 0; p < part.leaf.shape.slots; p++) {
      expect(part.leaf.mass(part.ranges.statsOf(pull), p)).toBeCloseTo(mass![p], 12)
    }
  })
  // it is the gradient of ln prior: along a curve of moments both change alike
  for (let direction = 0; direction < 3; direction++) {
    const step = dice(direction)
    const other = eta.map(stat => stat * (1 + 0.02 * step.normal()))
    const theta = (t: number): Float64Array =>
      solve(
        laid,
        eta.map((stat, j) => stat + t * (other[j] - stat)),
        0,
      ).params
    const h = 1e-5
    const slope = (of: (params: Float64Array) => number): number => (of(theta(h)) - of(theta(-h))) / (2 * h)
    const pulled = slope(params => value(laid, pull, params))
    const wanted = slope(params => problem.theta.logPrior(params, spread))
    expect(Math.abs(pulled - wanted)).toBeLessThan(2e-5 * (1 + Math.abs(pulled)))
  }
  expect(pull.some(value => Math.abs(value) > 1e-3)).toBe(true)
})

test("a step out of the domain is shortened in its slot, and in no other", async () => {
  const { laid, problem, eta } = await problemOf(models["naive Bayes of mixed leaves"].model)
  const part = laid.parts.find(part => part.columns[0].name === "x")!
  const far = eta.slice()
  far[part.ranges.statsAt + 2] = -1 // Σx² of slot 0: no variance is that small
  expect(
    guarding(laid, laid.parts, eta, far, problem.theta.prior, problem.theta.spread(eta))(problem.data.weight),
  ).toBe(1)
  expect([...far.subarray(part.ranges.statsAt + 3)]).toEqual([...eta.subarray(part.ranges.statsAt + 3)])
  expect(solve(laid, far, 0).clamped).toBe(0)
})

test("what a regression expects of a hidden response is given the doses of the row, not those of all rows", async () => {
  const { laid, block, eta } = await problemOf(models["a regression"].model)
  const params = solve(laid, eta, 0).params
  const [b0, b1, b2, precision] = params
  const direction = new Float64Array(laid.statistics)
  contrast(laid, block, params, { against: "hidden", target: "r" }, direction)
  const expected = new Float64Array(laid.statistics)
  const cells = ["d", "e", "r"].map(
    name => block.cells[laid.columns.findIndex(column => column.name === name)] as Float64Array,
  )
  for (let i = 0; i < block.rows; i++) {
    const [d, e, r] = cells.map(held => held[i])
    if (Number.isNaN(r)) continue
    const guess = b0 + b1 * d + b2 * e
    // 1, d, d², e, ed, e²: the same seen and hidden
    expected[6] += r - guess
    expected[7] += d * (r - guess)
    expected[8] += e * (r - guess)
    expected[9] += r * r - (guess * guess + 1 / precision)
  }
  direction.forEach((value, j) => {
    expect(value).toBeCloseTo(expected[j], 10)
  })
})
