import { probe } from "suffice-laws/probe"
import { describe, expect, it } from "vitest"
import { evaluate } from "../../../answers/evaluate.ts"
import type { Block, Nested } from "../../../contract/block.ts"
import type { Model } from "../../../contract/model.ts"
import type { Description } from "../../../contract/report.ts"
import { categorical } from "../../../families/categorical.ts"
import { gaussian } from "../../../families/gaussian.ts"
import { fit } from "../../../fit/fit.ts"
import { load } from "../../../fit/load.ts"
import { specify } from "../../../fit/specify.ts"
import { em } from "../../../learners/em.ts"
import { onlineEm } from "../../../learners/online-em.ts"
import { sdem } from "../../../learners/sdem.ts"
import { dice } from "../../../random.ts"
import { chain } from "../../chain/chain.ts"
import { classes } from "../../classes.ts"
import { independent } from "../../independent.ts"
import { linear } from "../../linear.ts"
import { before, given, hidden, network } from "../declare.ts"

// biome-ignore lint/suspicious/noExplicitAny: descriptions are walked by name
type Any = any

/** Sequences of three states, with a level, a number, and holes. */
function sequences(count: number, seed = 1, holes = 0.2) {
  const rolls = dice(seed)
  const hole = <T>(x: T): T | null => (rolls.uniform() < holes ? null : x)
  return Array.from({ length: count }, () => {
    let z = rolls.integer(3)
    const days = Array.from({ length: 1 + rolls.integer(12) }, () => {
      if (rolls.uniform() < 0.3) z = rolls.integer(3)
      return {
        z: hole(z),
        x: hole((z + (rolls.uniform() < 0.3 ? 1 : 0)) % 3),
        y: hole(2 * z + rolls.normal()),
      }
    })
    return { days }
  })
}

const without = (rows: ReturnType<typeof sequences>) =>
  rows.map(({ days }) => ({ days: days.map(({ x, y }) => ({ x, y })) }))

const emissions = () => ({ x: given(["z"], categorical()), y: given(["z"], gaussian()) })
const hmm = () =>
  network({ z: given([before("z")], hidden(3, { prior: 0.1 })), ...emissions() }, { steps: "days" })
const sameChain = () =>
  chain(3, independent({ x: categorical(), y: gaussian() }), { column: "days", name: "z" })

/** The parameters of a chain, as a network describes them. */
function asNetwork(described: Any): Description {
  const { initial, transitions, given: bodies } = described.days
  const states = Object.keys(initial)
  const by = (of: (state: string) => Any): Any => Object.fromEntries(states.map(z => [z, of(z)]))
  return {
    days: {
      z: {
        first: { probabilities: initial },
        later: { given: by(z => ({ probabilities: transitions[z] })) },
      },
      x: { given: by(z => bodies[z].x) },
      y: { given: by(z => bodies[z].y) },
    },
  }
}

/** The largest difference between two numbers at the same place. */
function apart(a: Any, b: Any): number {
  if (typeof a === "number") return Math.abs(a - b) / Math.max(1, Math.abs(b))
  if (typeof a !== "object" || a === null) return 0
  return Math.max(0, ...Object.keys(a).map(key => (key in b ? apart(a[key], b[key]) : 0)))
}

describe("a network over steps with one hidden column", () => {
  const rows = without(sequences(60)) as never
  const start: Any = {
    days: {
      initial: { 0: 0.5, 1: 0.3, 2: 0.2 },
      transitions: {
        0: { 0: 0.6, 1: 0.3, 2: 0.1 },
        1: { 0: 0.2, 1: 0.5, 2: 0.3 },
        2: { 0: 0.3, 1: 0.3, 2: 0.4 },
      },
      given: Object.fromEntries(
        [0, 1, 2].map(z => [
          z,
          {
            x: { probabilities: Object.fromEntries([0, 1, 2].map(x => [x, x === z ? 0.6 : 0.2])) },
            y: { mean: z, sd: 1.5 },
          },
        ]),
      ),
    },
  }

  it("is the hidden Markov model: the same densities and posteriors", async () => {
    const learner = em({ start, maxIterations: 3 })
    const other: Any = await fit(sameChain(), rows, { learner })
    const schema = { levels: { x: [0, 1, 2] } }
    const one: Any = specify(hmm() as Model, asNetwork(other.describe()) as never, schema as never)
    const same: Any = specify(sameChain() as Model, other.describe() as never, schema as never)
    expect(apart(one.logDensity(rows), same.logDensity(rows))).toBeLessThan(1e-12)
    for (const target of ["z", "x", "y"])
      expect(apart(one.predict(rows, { target }), same.predict(rows, { target }))).toBeLessThan(1e-11)
    expect(apart(one.impute(rows), same.impute(rows))).toBeLessThan(1e-11)
  })

  it("forecasts what the chain does", async () => {
    const other: Any = await fit(sameChain(), rows, { learner: em({ start, maxIterations: 3 }) })
    const schema = { levels: { x: [0, 1, 2] } }
    const one: Any = specify(hmm() as Model, asNetwork(other.describe()) as never, schema as never)
    const same: Any = specify(sameChain() as Model, other.describe() as never, schema as never)
    const asked = [...(rows as Any[]).slice(0, 10), { days: [] }]
    expect(apart(one.forecast(asked, { steps: 3 }), same.forecast(asked, { steps: 3 }))).toBeLessThan(1e-11)
    expect(Object.keys(one.forecast(asked)[0][0].columns)).toEqual(
      Object.keys(same.forecast(asked)[0][0].columns),
    )
  })

  it("is learned as it is, step by step", async () => {
    for (const maxIterations of [1, 2, 20]) {
      const other: Any = await fit(sameChain(), rows, { learner: em({ start, maxIterations }) })
      const one: Any = await fit(hmm(), rows, { learner: em({ start: asNetwork(start), maxIterations }) })
      expect(apart(one.describe(), asNetwork(other.describe()))).toBeLessThan(1e-10)
      expect(apart(one.training.objective, other.training.objective)).toBeLessThan(1e-11)
    }
  })
})

describe("a network over steps", () => {
  it("whose state is seen is the tagger: by counting, and where some tags are missing", async () => {
    const model = () =>
      network({ z: given([before("z")], categorical({ prior: 0.1 })), ...emissions() }, { steps: "days" })
    const tagger = () => chain("z", independent({ x: categorical(), y: gaussian() }), { column: "days" })
    const seen = sequences(80, 3, 0) as never
    const one: Any = await fit(model(), seen)
    const other: Any = await fit(tagger(), seen)
    expect(apart(one.describe(), asNetwork(other.describe()))).toBeLessThan(1e-12)
    expect(apart(one.logDensity(seen), other.logDensity(seen))).toBeLessThan(1e-12)
    const rows = sequences(80, 4, 0.3) as never
    const start = other.describe()
    const learned: Any = await fit(model(), rows, {
      learner: em({ start: asNetwork(start), maxIterations: 10 }),
    })
    const same: Any = await fit(tagger(), rows, { learner: em({ start, maxIterations: 10 }) })
    expect(apart(learned.describe(), asNetwork(same.describe()))).toBeLessThan(1e-10)
    expect(apart(learned.training.objective, same.training.objective)).toBeLessThan(1e-11)
  })

  it("with a number of the step before is a regression on the lagged column", async () => {
    const rolls = dice(4)
    const rows = Array.from({ length: 40 }, () => {
      let y = rolls.normal()
      return {
        days: Array.from({ length: 2 + rolls.integer(8) }, () => {
          y = 3 + 0.7 * y + 0.5 * rolls.normal()
          return { y }
        }),
      }
    })
    const one: Any = await fit(
      network({ y: given([before("y")], gaussian()) }, { steps: "days" }),
      rows as never,
      { learner: em({ prior: 0 }) },
    )
    const other: Any = await fit(
      chain(1, linear("y", ["y@-1"]) as Model, { column: "days" }) as Model,
      rows as never,
      { learner: em({ prior: 0 }) },
    )
    const { later } = one.describe().days.y
    const said = other.describe().days.given[0].y
    expect(apart(later, said)).toBeLessThan(1e-10)
    expect(() => one.forecast(rows)).toThrow("no column with levels")
    expect(Object.keys(later.coefficients)).toEqual(["y@-1"])
  })

  it("is learned by EM from rows with holes, and its likelihood never falls", async () => {
    const rows = without(sequences(60, 5)) as never
    const model = network(
      {
        a: given([before("a")], hidden(2)),
        b: given([before("b"), before("a")], hidden(2)),
        x: given(["a", "b"], categorical()),
        y: given(["b", before("x")], gaussian()),
      },
      { steps: "days" },
    )
    const trace: number[] = []
    const one: Any = await fit(model, rows, {
      seed: 2,
      learner: em({ restarts: 1, maxIterations: 30 }),
      onStep: step => void trace.push(step.objective!),
    })
    const run = trace.slice(0, 20)
    for (let k = 1; k < run.length; k++) expect(run[k]).toBeGreaterThan(run[k - 1] - 1e-9 * Math.abs(run[k]))
    const again: Any = load(JSON.stringify(one))
    expect([...again.logDensity(rows)]).toEqual([...one.logDensity(rows)])
    expect(again.describe()).toEqual(one.describe())
    const drawn = one.sample(3, { steps: 4, seed: 1 })
    expect(drawn[0].days).toHaveLength(4)
  })

  it("is learned by online EM and by sdEM, with a target above and within", async () => {
    const rows = sequences(40, 6, 0.1).map(row => ({ ...row, c: row.days.length > 6 ? "long" : "short" }))
    const model = () => network({ z: given([before("z")], categorical()), ...emissions() }, { steps: "days" })
    const online: Any = await fit(model(), rows as never, { learner: onlineEm() })
    expect(Number.isFinite(online.training.objective ?? 0)).toBe(true)
    for (const loss of ["ncll", "hinge"] as const) {
      const above: Any = await fit(classes("c", model()), rows as never, {
        learner: sdem({ loss, epochs: 2 }),
      })
      expect((evaluate(above, rows as never) as Any).accuracy).toBeGreaterThan(0.5)
    }
    const within: Any = await fit(model(), rows as never, { learner: sdem({ target: "z", epochs: 3 }) })
    const counted: Any = await fit(model(), rows as never)
    const loss = (fitted: Any): number =>
      (evaluate(fitted, rows as never, { target: "z" } as never) as Any).logLoss
    expect(loss(within)).toBeLessThan(loss(counted))
  })

  it("forecasts numbers by paths, where they depend on the step before", () => {
    const line = (z: number) => ({ intercept: z, coefficients: { "y@-1": 0.5 }, sd: 0.3 })
    const stays = (z: number) => ({ probabilities: { 0: z === 0 ? 1 : 0, 1: z === 1 ? 1 : 0 } })
    const fitted: Any = specify(
      network(
        { z: given([before("z")], categorical()), y: given(["z", before("y")], gaussian()) },
        { steps: "days" },
      ) as Model,
      {
        days: {
          z: { first: { probabilities: { 0: 0.5, 1: 0.5 } }, later: { given: { 0: stays(0), 1: stays(1) } } },
          y: {
            first: { given: { 0: { mean: 0, sd: 1 }, 1: { mean: 0, sd: 1 } } },
            later: { given: { 0: line(0), 1: line(1) } },
          },
        },
      } as never,
      { levels: { z: [0, 1] } } as never,
    )
    const [[one, two, three]] = fitted.forecast([{ days: [{ z: 1, y: 4 }] }], { steps: 3 })
    expect(one.state.probabilities[1]).toBeCloseTo(1, 12)
    expect(one.columns.y.value).toBeCloseTo(1 + 0.5 * 4, 10)
    expect(one.columns.y.sd).toBeCloseTo(0.3, 10)
    // 2,000 draws
    const error = (sd: number) => (4 * sd) / Math.sqrt(2000)
    const spread = 0.3 * Math.sqrt(1 + 0.25)
    expect(Math.abs(two.columns.y.value - (1 + 0.5 * 3))).toBeLessThan(error(spread))
    expect(Math.abs(two.columns.y.sd / spread - 1)).toBeLessThan(0.1)
    expect(Math.abs(three.columns.y.value - (1 + 0.5 * 2.5))).toBeLessThan(error(0.4))
  })

  it("has steps of sdEM that are minus the slope of the loss, with a target in the steps", async () => {
    const rows = sequences(6, 8, 0.15)
    const model = network(
      {
        h: given([before("h")], hidden(2)),
        z: given([before("z"), "h"], categorical({ levels: [0, 1, 2] })),
        x: given(["z"], categorical({ levels: [0, 1, 2] })),
        y: given(["z"], gaussian()),
      },
      { steps: "days" },
    )
    const { problem, root, blocks, parts, columns, dice: rolls } = await probe(model as Model, rows as never)
    const begun = problem.theta.solve(problem.theta.withPrior(await problem.start.guess(rolls), 1), 0).params
    const start = problem.theta.withPrior((await problem.data.sweep(begun)).stats, 1)
    for (const target of ["z", "x", "y"]) {
      problem.moments.target(target, "hidden")
      const course = { regime: { against: "hidden", target }, generative: 0, prior: 0, inertia: 0 } as const
      const moving = problem.moments.moving(start, course)
      const eta = moving.state().moments
      const tiny = 1e-6
      const { weight } = moving.step(blocks[0], tiny, undefined)
      const after = moving.state().moments
      const delta = after.map((value, j) => ((value - eta[j]) * weight) / tiny)
      const { params } = problem.theta.solve(
        eta.map(value => value * problem.data.weight),
        0,
      )
      const nested = blocks[0].cells[0] as Nested
      const place = (columns[0] as Any).columns.findIndex((column: Any) => column.name === target)
      const scoreOf = (hides: boolean, theta: Float64Array): number => {
        const cells = nested.block.cells.slice()
        const own = cells[place] as Float64Array
        if (hides) cells[place] = own.slice().fill(target === "y" ? NaN : -1)
        const block = { ...blocks[0], cells: [{ ...nested, block: { ...nested.block, cells } }] }
        const out = new Float64Array(block.rows)
        root.up(block as Block, theta, out)
        return out.reduce((a, b) => a + b, 0)
      }
      const loss = (theta: Float64Array): number => scoreOf(true, theta) - scoreOf(false, theta)
      let steepest = 0
      for (const part of parts.filter(({ family }) => family === "categorical")) {
        for (let j = 0; j < part.leaf.shape.parameters; j++) {
          const slot = j % part.leaf.shape.slots
          const chance = Math.exp(params[part.ranges.paramsAt + j])
          // the natural coordinate of one probability, the others renormalised
          const at = (t: number): Float64Array => {
            const moved = params.slice()
            moved[part.ranges.paramsAt + j] += t
            for (let e = slot; e < part.leaf.shape.parameters; e += part.leaf.shape.slots)
              moved[part.ranges.paramsAt + e] -= Math.log(1 + chance * (Math.exp(t) - 1))
            return moved
          }
          const slope = (loss(at(1e-5)) - loss(at(-1e-5))) / 2e-5
          steepest = Math.max(steepest, Math.abs(slope))
          let sum = 0
          for (let e = slot; e < part.leaf.shape.parameters; e += part.leaf.shape.slots)
            sum += delta[part.ranges.statsAt + e]
          expect(-slope, `${target} ${part.columns[0].name} ${j}`).toBeCloseTo(
            delta[part.ranges.statsAt + j] - sum * chance,
            4,
          )
        }
      }
      expect(steepest).toBeGreaterThan(0.1)
    }
  })
})
