/** Chains, where laws that hold for every model do not speak of them: paths, tags seen in part, targets in the steps, limits, messages. */

import { probe } from "suffice-laws/probe"
import { describe, expect, test } from "vitest"
import type { Learner } from "../../contract/learner.ts"
import type { Model } from "../../contract/model.ts"
import {
  categorical,
  chain,
  classes,
  dice,
  em,
  fit,
  gaussian,
  independent,
  mixture,
  plate,
  specify,
} from "../../index.ts"
import { onlineEm, sdem } from "../../learn.ts"

type Step = { tag?: string | null; x?: number | null; c?: string | null } | null

/** Sequences that mostly stay in their state; its letters and numbers are noisy. */
function sequences(seed: number, count: number, longest = 12): { steps: Step[] }[] {
  const draws = dice(seed)
  return Array.from({ length: count }, () => {
    let state = draws.integer(3)
    return {
      steps: Array.from({ length: 1 + draws.integer(longest) }, () => {
        if (draws.uniform() < 0.3) state = draws.integer(3)
        return {
          tag: "abc"[state],
          x: 2 * state + draws.normal(),
          c: "uvw"[draws.uniform() < 0.7 ? state : draws.integer(3)],
        }
      }),
    }
  })
}

const body = () => independent({ x: gaussian(), c: categorical() }) as unknown as Model
const loose = (model: unknown): Model => model as Model
const withoutTags = (rows: readonly { steps: Step[] }[]): { steps: Step[] }[] =>
  rows.map(({ steps }) => ({ steps: steps.map(step => step && { x: step.x ?? null, c: step.c ?? null }) }))

// biome-ignore lint/suspicious/noExplicitAny: models of all kinds
type Any = any

describe("limits", () => {
  test("one state is the body on the steps as rows", async () => {
    const rows = withoutTags(sequences(1, 40))
    const one: Any = await fit(loose(chain(1, body())), rows as never)
    const flat: Any = await fit(loose(plate("steps", body())), rows as never)
    const found = one.logDensity(rows)
    flat.logDensity(rows).forEach((wanted: number, i: number) => {
      expect(found[i]).toBeCloseTo(wanted, 10)
    })
  })

  test("tags that are all seen are counted in one step", async () => {
    const rows = sequences(2, 50)
    const fitted: Any = await fit(loose(chain("tag", body(), { prior: 0 })), rows as never, {
      learner: em({ prior: 0 }),
    })
    expect(fitted.training.iterations).toBe(1)
    const { initial, transitions } = fitted.describe().steps
    const first = rows.filter(({ steps }) => steps[0]!.tag === "a").length
    expect(initial.a).toBeCloseTo(first / rows.length, 12)
    let from = 0
    let both = 0
    for (const { steps } of rows) {
      for (let t = 1; t < steps.length; t++) {
        if (steps[t - 1]!.tag !== "a") continue
        from++
        if (steps[t]!.tag === "b") both++
      }
    }
    expect(transitions.a.b).toBeCloseTo(both / from, 12)
  })

  test("equal rows of transitions are a mixture over the steps", () => {
    const given = {
      0: { x: { family: "gaussian", mean: 0, sd: 1 } },
      1: { x: { family: "gaussian", mean: 3, sd: 2 } },
    }
    const shares = { 0: 0.3, 1: 0.7 }
    const walking: Any = specify(loose(chain(2, independent({ x: gaussian() }))), {
      steps: { initial: shares, transitions: { 0: shares, 1: shares }, given },
    })
    const still: Any = specify(loose(plate("steps", mixture(2, independent({ x: gaussian() })))), {
      steps: { "mixture(x)": { probabilities: shares, given } },
    })
    const rows = [{ steps: [1, 2, null, -4] }, { steps: [7] }, { steps: [] }]
    const wanted = still.logDensity(rows)
    walking.logDensity(rows).forEach((found: number, i: number) => {
      expect(found).toBeCloseTo(wanted[i], 12)
    })
  })

  test("one step is the switch; last steps that are missing are no steps; all tags missing is a hidden chain", async () => {
    const rows = sequences(3, 60)
    const tagged: Any = await fit(loose(chain("tag", body())), rows as never)
    const hidden = withoutTags(rows)
    const { initial, transitions, given } = tagged.describe().steps
    const number = (byTag: Record<string, unknown>): Record<string, unknown> =>
      Object.fromEntries(["a", "b", "c"].map((tag, l) => [l, byTag[tag]]))
    const same: Any = specify(loose(chain(3, body())), {
      steps: {
        initial: number(initial),
        transitions: Object.fromEntries(["a", "b", "c"].map((tag, l) => [l, number(transitions[tag])])),
        given: number(given),
      },
    } as never)
    const wanted = tagged.logDensity(hidden)
    same.logDensity(hidden).forEach((found: number, i: number) => {
      expect(found).toBeCloseTo(wanted[i], 9)
    })
    const longer = hidden.map(({ steps }) => ({ steps: [...steps, null, null] }))
    tagged.logDensity(longer).forEach((found: number, i: number) => {
      expect(found).toBeCloseTo(wanted[i], 9)
    })
    const single: Any = await fit(
      loose(classes("tag", body(), { prior: 0.1 })),
      rows.map(({ steps }) => steps[0]) as never,
    )
    const ones = rows.map(({ steps }) => ({ steps: steps.slice(0, 1) }))
    const chained: Any = await fit(loose(chain("tag", body())), ones as never)
    const flat = single.logDensity(ones.map(({ steps }) => steps[0]))
    chained.logDensity(ones).forEach((found: number, i: number) => {
      expect(found).toBeCloseTo(flat[i], 9)
    })
  })
})

describe("learning", () => {
  test("the objective never falls, with weights and tags that are seen in part", async () => {
    const draws = dice(4)
    const rows = sequences(5, 60).map(({ steps }) => ({
      w: draws.gamma(2),
      steps: steps.map(step => (draws.uniform() < 0.5 ? step : { ...step, tag: null })),
    }))
    const fitted: Any = await fit(loose(chain("tag", body(), { ends: true })), rows as never, { weight: "w" })
    const { trace } = fitted.training
    expect(trace.length).toBeGreaterThan(2)
    for (let n = 1; n < trace.length; n++) expect(trace[n]).toBeGreaterThanOrEqual(trace[n - 1] - 1e-9)
  })

  for (const ends of [false, true]) {
    test(`visits are what flows in, and ${ends ? "" : "but for the last steps "}what flows out`, async () => {
      const rows = withoutTags(sequences(6, 40))
      const found = await probe(loose(chain(3, body(), { ends })), rows as never)
      const stats = await found.problem.start.guess(found.dice)
      const { params } = found.problem.theta.solve(stats, 1)
      const swept = (await found.problem.data.sweep(params)).stats
      const [initial, transitions, visits] = found.parts.map(part => part.ranges.statsOf(swept))
      const lengths = rows.map(({ steps }) => steps.length)
      expect(visits.reduce((sum, n) => sum + n, 0)).toBeCloseTo(
        lengths.reduce((a, b) => a + b),
        8,
      )
      let lost = 0
      for (let l = 0; l < 3; l++) {
        const inflow = initial[l] + [0, 1, 2].reduce((sum, i) => sum + transitions[l * 3 + i], 0)
        expect(inflow).toBeCloseTo(visits[l], 8)
        const outflow = [0, 1, 2, ...(ends ? [3] : [])].reduce((sum, j) => sum + transitions[j * 3 + l], 0)
        lost += visits[l] - outflow
        if (ends) expect(outflow).toBeCloseTo(visits[l], 8)
      }
      expect(lost).toBeCloseTo(ends ? 0 : rows.length, 8)
    })
  }

  test("δ of a tag, of a column of the steps and of a path is minus the slope of the loss", async () => {
    const draws = dice(7)
    const rows = sequences(8, 6, 4).map(({ steps }) => ({
      steps: steps.map(step => ({ ...step, tag: draws.uniform() < 0.8 ? step!.tag : null })),
    }))
    rows[0] = { steps: "abc".split("").map((tag, l) => ({ tag, x: 2 * l, c: "uvw"[l] })) as never }
    const model = loose(chain("tag", body(), { ends: true }))
    const found = await probe(model, rows as never)
    const { problem, root, blocks } = found
    const start = problem.theta.withPrior(
      (await problem.data.sweep(problem.theta.solve(problem.theta.prior, 0).params)).stats,
      1,
    )
    const regimes = [
      { against: "hidden", target: "tag" },
      { against: "hidden", target: "x" },
      { against: "hidden", target: "c" },
      { against: "rival", target: "tag", margin: 1 },
    ] as const
    for (const regime of regimes) {
      problem.moments.target(regime.target, regime.against)
      const course = { regime, generative: 0, prior: 0, inertia: 0 }
      const tiny = 1e-6
      const moving = problem.moments.moving(start, course)
      const eta = moving.state().moments
      const { weight } = moving.step(blocks[0], tiny, undefined)
      const after = moving.state().moments
      const delta = after.map((value, j) => ((value - eta[j]) * weight) / tiny)
      for (const part of found.parts) {
        if (part.role === "leaf" || part.leaf.shape.parameters === 0) continue
        const { params } = problem.theta.solve(
          eta.map(value => value * problem.data.weight),
          0,
        )
        for (let j = 0; j < part.leaf.shape.parameters; j++) {
          // the natural coordinate of one probability, the others renormalised
          const at = (t: number): Float64Array => {
            const moved = params.slice()
            const chance = Math.exp(params[part.ranges.paramsAt + j])
            const more = Math.log(1 + chance * (Math.exp(t) - 1))
            moved[part.ranges.paramsAt + j] += t
            for (
              let e = j % part.leaf.shape.slots;
              e < part.leaf.shape.parameters;
              e += part.leaf.shape.slots
            )
              moved[part.ranges.paramsAt + e] -= more
            return moved
          }
          const loss = (theta: Float64Array): number => lossOf(theta, regime)
          const h = 1e-5
          const slope = (loss(at(h)) - loss(at(-h))) / (2 * h)
          let sum = 0
          for (let e = j % part.leaf.shape.slots; e < part.leaf.shape.parameters; e += part.leaf.shape.slots)
            sum += delta[part.ranges.statsAt + e]
          const chance = Math.exp(params[part.ranges.paramsAt + j])
          expect(-slope, `${regime.target} ${part.family} ${j}`).toBeCloseTo(
            delta[part.ranges.statsAt + j] - sum * chance,
            4,
          )
        }
      }
    }

    /** By nothing but ln p of rows with tags replaced. */
    function lossOf(theta: Float64Array, regime: (typeof regimes)[number]): number {
      const scoreOf = (steps: readonly unknown[]): number => {
        const block = encode(steps as Step[])
        const out = new Float64Array(1)
        root.up(block, theta, out)
        return out[0]
      }
      let total = 0
      for (const { steps } of rows) {
        const seen = steps.filter(step => (step as Any)[regime.target] != null).length
        if (seen === 0) continue
        if (regime.against === "hidden") {
          const without = steps.map(step => ({ ...step, [regime.target]: null }))
          total += scoreOf(without) - scoreOf(steps)
          continue
        }
        let right = -Infinity
        let wrong = -Infinity
        for (let code = 0; code < 3 ** steps.length; code++) {
          const path = steps.map((_, t) => "abc"[Math.trunc(code / 3 ** t) % 3])
          const score = scoreOf(steps.map((step, t) => ({ ...step, tag: path[t] })))
          const misses = steps.filter((step, t) => step!.tag && step!.tag !== path[t]).length
          if (misses === 0) right = Math.max(right, score)
          wrong = Math.max(wrong, score + misses)
        }
        total += Math.max(0, wrong - right)
      }
      return total
    }

    function encode(steps: readonly Step[]) {
      const [column] = found.columns as Any
      const cells = column.columns.map((inner: Any) =>
        inner.kind === "level"
          ? Int32Array.from(steps, step => inner.levels.indexOf((step as Any)?.[inner.name]))
          : Float64Array.from(steps, step => {
              const x = (step as Any)?.[inner.name]
              return x == null ? Number.NaN : (x - inner.shift) / inner.scale
            }),
      )
      const offsets = Int32Array.of(0, steps.length)
      const block = { rows: steps.length, weight: new Float64Array(steps.length).fill(1), cells, offsets }
      return { rows: 1, weight: Float64Array.of(1), cells: [{ offsets, block }] }
    }
  })

  test("sdEM sees that evidence counts twice, counting does not", async () => {
    const twice = ({ steps }: { steps: Step[] }) => ({
      steps: steps.map(step => ({ c: step!.c, d: step!.c, tag: step!.tag as string | null })),
    })
    const data = sequences(9, 120).map(twice)
    const test = sequences(10, 120).map(twice)
    const model = loose(chain("tag", independent({ c: categorical(), d: categorical() }), { ends: true }))
    const lossOf = (fitted: Any): number => {
      const hidden = test.map(({ steps }) => ({ steps: steps.map(step => ({ ...step, tag: null })) }))
      const joint = fitted.logDensity(test)
      return fitted
        .logDensity(hidden)
        .reduce((sum: number, all: number, i: number) => sum + all - joint[i], 0)
    }
    const counted = lossOf(await fit(model, data as never))
    for (const loss of ["ncll", "hinge"] as const) {
      const learned: Any = await fit(model, data as never, { learner: sdem({ loss }) })
      expect(learned.training.trace.at(-1)).toBeGreaterThan(learned.training.trace[1])
      if (loss === "ncll") expect(lossOf(learned)).toBeLessThan(0.97 * counted)
    }
    const half = data.map(({ steps }, i) => ({
      steps: steps.map((step, t) => ((i + t) % 2 ? step : { ...step, tag: null })),
    }))
    const part: Any = await fit(model, half as never, { learner: sdem() })
    expect(lossOf(part)).toBeLessThan(counted)
  })

  test("online EM goes where EM does", async () => {
    const rows = withoutTags(sequences(11, 200))
    const model = loose(chain(3, body()))
    const exact: Any = await fit(model, rows as never)
    const online: Any = await fit(model, rows as never, { learner: onlineEm({ epochs: 6 }) })
    const sum = (fitted: Any): number => fitted.logDensity(rows).reduce((a: number, b: number) => a + b, 0)
    expect(sum(online)).toBeGreaterThan(sum(exact) - 30)
  })
})

describe("long sequences", () => {
  const tagged = (ends: boolean) =>
    loose(classes("y", chain("tag", body(), { ends, levels: ["a", "b", "c"] })))
  test.each([
    ["", tagged(false), 20_000],
    [", with ends", tagged(true), 20_000],
    // 3 · 64 · 2 numbers a step; some states are so unlikely that the product of two vanishes
    [
      ", where they are too many to be kept",
      loose(classes("y", chain(64, independent({ x: gaussian() })))),
      14_000,
    ],
  ])("cut into segments they say the same%s", async (_, model, length) => {
    const [{ steps }] = sequences(16, 1, 1)
    const draws = dice(17)
    const long = Array.from({ length: length }, (_, t) => ({
      tag: draws.uniform() < 0.2 ? "abc"[Math.trunc(t / 50) % 3] : null,
      x: 2 * (Math.trunc(t / 50) % 3) + draws.normal(),
      c: "uvw"[draws.integer(3)],
    }))
    const found = await probe(model, [
      { y: "one", steps: long },
      { y: "two", steps },
    ] as never)
    const { problem, root, blocks } = found
    const stats = await problem.start.guess(found.dice)
    const { params } = problem.theta.solve(stats, 1)
    const one = blocks.find(({ rows, cells }) => rows === 1 && (cells[1] as Any).block.rows === length)!
    const place = found.columns.findIndex(({ name }) => name === "steps")
    const nested = one.cells[place] as Any
    // beside a row without steps it is not cut
    const offsets = Int32Array.of(0, length, length)
    const cells = one.cells.map((cell, c) =>
      c === place
        ? { offsets, block: { ...nested.block, offsets } }
        : Int32Array.of((cell as Int32Array)[0], 0),
    )
    const two = { rows: 2, weight: Float64Array.of(1, 1), cells }
    const statisticsOf = (block: Any): { scores: Float64Array; own: Float64Array; entropy: number } => {
      const scores = new Float64Array(2 * block.rows)
      const own = new Float64Array(found.statistics)
      let entropy = 0
      const [, ...below] = [...root.tree.switches()]
      const [walking] = below.filter(({ walk }) => walk)
      const chained = walking.part
      const [node] = [...root.tree.switches()]
      const sink: Any = {
        leaf(part: Any, rows: Any, weights: Any) {
          for (let at = 0; weights.form === "each" && at < weights.values.length; at++) {
            const x = (rows.cells[part.places[0]] as Float64Array)[at % rows.rows]
            own[part.ranges.statsAt + Math.trunc(at / rows.rows)] +=
              weights.values[at] * (Number.isNaN(x) ? 0 : x)
          }
        },
        choice(part: Any, rows: Any, weights: Any, _guessed: boolean, more = 0) {
          entropy += more
          for (let at = 0; weights.form === "each" && at < weights.values.length; at++)
            own[part.ranges.statsAt + Math.trunc(at / rows.rows)] += weights.values[at]
          for (let i = 0; weights.form === "one" && i < rows.rows; i++)
            own[part.ranges.statsAt + weights.slot[i]] += weights.weight[i]
        },
      }
      expect(chained.steps).toEqual(["steps"])
      const weights = { form: "one", slot: new Int32Array(block.rows), weight: block.weight } as const
      const totals = new Float64Array(block.rows)
      const work = node.up(block, params, totals)
      node.down(block, params, weights, sink, work)
      scores.set(totals)
      return { scores, own, entropy }
    }
    const [cut, whole] = [statisticsOf(one), statisticsOf(two)]
    expect(cut.scores[0] / whole.scores[0]).toBeCloseTo(1, 12)
    expect(cut.entropy / whole.entropy).toBeCloseTo(1, 8)
    expect(whole.entropy).toBeGreaterThan(100)
    // the label of the row without steps counts once more
    const skip = found.parts[0].leaf.shape.statistics
    for (let j = skip; j < found.statistics; j++) {
      const gap = Math.abs(cut.own[j] - whole.own[j]) / Math.max(1, Math.abs(whole.own[j]))
      expect(gap, `statistic ${j}`).toBeLessThan(1e-8)
    }
    expect(whole.own.subarray(skip).some(n => n > 100)).toBe(true)
  })
})

describe("drawing", () => {
  test("states given the steps come with their posterior probabilities", () => {
    const model: Any = specify(loose(chain("tag", independent({ c: categorical() }))), {
      steps: {
        initial: { a: 0.5, b: 0.5 },
        transitions: { a: { a: 0.9, b: 0.1 }, b: { a: 0.2, b: 0.8 } },
        given: {
          a: { c: { family: "categorical", probabilities: { u: 0.8, v: 0.2 } } },
          b: { c: { family: "categorical", probabilities: { u: 0.3, v: 0.7 } } },
        },
      },
    })
    const given = { steps: [{ c: "u" }, { c: "v" }, {}] }
    const drawn = model.sample(4000, { seed: 1, given })
    const all = ["a", "b"]
    const logs = new Map<string, number>()
    for (const one of all)
      for (const two of all)
        for (const three of all) {
          const steps = [one, two, three].map((tag, t) => ({ ...given.steps[t], tag }))
          logs.set(one + two + three, model.logDensity([{ steps }])[0])
        }
    const total = [...logs.values()].reduce((sum, x) => sum + Math.exp(x), 0)
    for (const [path, x] of logs) {
      const wanted = Math.exp(x) / total
      const found =
        drawn.filter((row: Any) => row.steps.map((s: Any) => s.tag).join("") === path).length / 4000
      expect(Math.abs(found - wanted)).toBeLessThan(5 * Math.sqrt((wanted * (1 - wanted)) / 4000) + 1e-3)
    }
  })
})

describe("structure", () => {
  test("left to right: zeros stay zeros, and the path never goes back", async () => {
    const rows = withoutTags(sequences(12, 40))
    const fitted: Any = await fit(loose(chain(3, body(), { transitions: "left-right" })), rows as never)
    const { initial, transitions } = fitted.describe().steps
    expect([initial[1], initial[2], transitions[0][2], transitions[1][0], transitions[2][0]]).toEqual([
      0, 0, 0, 0, 0,
    ])
    expect(transitions[2][2]).toBe(1)
  })

  test("what the long run looks like", () => {
    const model: Any = specify(loose(chain(2, independent({ x: gaussian() }))), {
      steps: {
        initial: { 0: 1, 1: 0 },
        transitions: { 0: { 0: 0.9, 1: 0.1 }, 1: { 0: 0.3, 1: 0.7 } },
        given: { 0: { x: { mean: 0, sd: 1 } }, 1: { x: { mean: 1, sd: 1 } } },
      },
    })
    const { stay, stationary } = model.describe().steps
    expect(stay[0]).toBeCloseTo(10, 9)
    expect(stationary[0]).toBeCloseTo(0.75, 9)
    expect(stationary[1]).toBeCloseTo(0.25, 9)
  })

  test("a body for each state", async () => {
    const rows = sequences(13, 50)
    // the prior of a number's variance is drawn to the states of one leaf
    const learner = em({ prior: 0 })
    const one: Any = await fit(loose(chain("tag", { a: body(), b: body(), c: body() })), rows as never, {
      learner,
    })
    const other: Any = await fit(loose(chain("tag", body())), rows as never, { learner })
    const wanted = other.logDensity(rows)
    one.logDensity(rows).forEach((found: number, i: number) => {
      expect(found).toBeCloseTo(wanted[i], 9)
    })
  })
})

describe("edges", () => {
  test("more states than steps are told of", async () => {
    const few = [{ steps: [1, 2] }, { steps: [4] }]
    const fitted: Any = await fit(loose(chain(5, independent({ x: gaussian() }))), few as never)
    expect(fitted.diagnostics[0]).toEqual({
      code: "starved-component",
      column: "state",
      message:
        '"state" has 5 states for 3 steps: some hold nothing, and teach nothing. Ask for fewer states, or bring more steps.',
    })
    expect(fitted.logDensity(few).every(Number.isFinite)).toBe(true)
  })

  test("empty lists, one step, constant sequences, many sequences of one step, outliers", async () => {
    const model = loose(chain(2, independent({ x: gaussian() })))
    const rows = [
      { steps: [] },
      { steps: null },
      { steps: [1] },
      { steps: [2, 2, 2, 2] },
      { steps: [1e150, 3, -1e150] },
      ...Array.from({ length: 300 }, (_, i) => ({ steps: [i % 7] })),
    ]
    const fitted: Any = await fit(model, rows as never)
    const found = fitted.logDensity(rows)
    expect(found[0]).toBe(0)
    expect(found[1]).toBe(0)
    expect(found.every((x: number) => !Number.isNaN(x))).toBe(true)
    expect(Number.isFinite(fitted.training.objective)).toBe(true)
  })
})

describe("messages", () => {
  const said = (make: () => unknown): string => {
    try {
      make()
    } catch (error) {
      return (error as Error).message
    }
    return "nothing"
  }
  const saidBy = async (make: () => Promise<unknown>): Promise<string> => {
    try {
      await make()
    } catch (error) {
      return (error as Error).message
    }
    return "nothing"
  }

  test("of the declaration", () => {
    const wrong = chain as Any
    expect([
      said(() => wrong(0, body())),
      said(() => wrong([body()], body())),
      said(() => wrong(2, body(), { states: 3 })),
      said(() => wrong(2, body(), { transitions: "forward" })),
      said(() => wrong(2, body(), { transitions: { 0: [0, 1], 5: [0] } })),
      said(() => wrong(3, body(), { transitions: { 0: [0], 1: [1], 2: [2] }, initial: [0, 1] })),
      said(() => wrong(2, body(), { transitions: { 0: [] } })),
      said(() => wrong(2, body(), { initial: [] })),
      said(() => wrong(2, chain(2, body()))),
      said(() => wrong("x", body())),
      said(() => wrong("tag", body(), { name: "tags" })),
      said(() => wrong(2, body(), { levels: ["a"] })),
      said(() => wrong(2, body(), { column: "x" })),
      said(() => wrong("tag", { a: body(), b: body() }, { levels: ["a", "c"] })),
      said(() => wrong(2, body(), { ends: 1 })),
    ]).toMatchInlineSnapshot(`
      [
        "chain: the states are 0. They are a whole number from 1 to 4096, a list of bodies, or the name of a column of the steps. Write for example chain(4, body), or chain("tag", body).",
        "chain: a list of bodies is followed by another body. The list says everything. Write chain([a, b], undefined, options), or chain(2, body, options).",
        "chain: there is no option "states". It knows "column", "name", "levels", "ends", "transitions", "initial" and "prior". Leave it out.",
        "chain: transitions is "forward". It is one of "all", "left-right" and "cyclic", or the states that may follow, by state: { a: ["a", "b"] }. Leave it out for all.",
        "chain: transitions names the state "5". "state" has "0" and "1". Name one of them.",
        "chain: no sequence can reach the state 2 of "state". It neither comes first nor follows a state that is reached. Name it in initial, or in a list of transitions.",
        "chain: nothing may follow the state "0" of "state". A sequence could not go on from there, and without \`ends\` its length is given. Name a state that may follow, or set ends: true.",
        "chain: initial is a list of 0. It is "free", "equal", or a list of the states that may come first. Leave it out for "free".",
        "chain: the body has steps of its own in "steps". A chain of chains would need the states of all steps at once. Sum the inner steps up in columns, or make the outer ones rows.",
        "chain: the state "x" is also a column of the body. A state that explains itself teaches nothing. Leave it out of the body, or name the state otherwise.",
        "chain: name is "tags". The state is the column "tag", which is its name. Leave it out.",
        "chain: levels is a list of 1. It lists the levels of a state that is a column. Hidden states are numbered. Leave it out.",
        "chain: column "x" stands outside of the steps and in the steps of "x". Targets and answers go by the name, so it would not be clear which one is meant. Give one of the two another name.",
        "chain: "tag" has bodies for "a" and "b" but levels "a" and "c". Each level needs a body of its own. Name the same levels in both.",
        "chain: ends is 1. It is true or false. Leave it out for false.",
      ]
    `)
  })

  test("of the data", async () => {
    const model = loose(chain("tag", body(), { transitions: { a: ["a", "b"] } }))
    const ac = {
      steps: [
        { tag: "b", x: 1, c: "u" },
        { tag: "a", x: 1, c: "u" },
        { tag: "c", x: 2, c: "u" },
      ],
    }
    const first = loose(chain("tag", body(), { initial: ["a"] }))
    const none = [{ steps: [{ tag: null, x: 1, c: "u" }] }]
    const declared = loose(chain("tag", body(), { levels: ["a", "b"] }))
    const tagger = loose(chain("tag", body()))
    expect([
      await saidBy(() => fit(model, [ac] as never)),
      await saidBy(() => fit(first, [ac] as never)),
      await saidBy(() => fit(loose(chain("tag", body())), none as never)),
      await saidBy(() => fit(declared, none as never, { learner: sdem({ epochs: 1 }) })),
      await saidBy(() =>
        fit(tagger, sequences(15, 9) as never, {
          learner: sdem({ loss: "hinge", target: "c", epochs: 1 }),
        }),
      ),
      await saidBy(() =>
        fit(tagger, sequences(15, 9) as never, {
          learner: sdem({ loss: "hinge", target: "x", epochs: 1 }),
        }),
      ),
      await saidBy(() => fit(tagger, sequences(15, 9) as never, { learner: sdem({ target: "tags" }) })),
      await saidBy(() => fit(tagger, sequences(15, 9) as never, { learner: sdem({ target: "pos" }) })),
      await saidBy(() => fit(loose(chain(2, body())), sequences(15, 9) as never, { learner: sdem() })),
      await saidBy(() =>
        fit(loose(chain("tag", body())), sequences(15, 9) as never, { learner: sdem({ calibrate: true }) }),
      ),
      await saidBy(() =>
        fit(loose(chain("tag", body())), sequences(15, 9) as never, { classWeights: { a: 2 } }),
      ),
    ]).toMatchInlineSnapshot(`
      [
        "row 0, step 2: "c" follows "a" in "tag". The option transitions of the chain forbids it: the row would have probability 0. Allow it there, or correct the row.",
        "row 0, step 0: "b" comes first in "tag". The option initial of the chain forbids it: the row would have probability 0. Allow it there, or correct the row.",
        "all of "tag" is missing in the steps, and no levels are declared. How many states there are cannot be guessed. Declare them: chain("tag", body, { levels: [ … ] }), or hide them: chain(4, body).",
        "sdem: "tag" is missing everywhere. There is nothing to learn to predict. Bring rows in which it is seen, or learn without it by em().",
        "the hinge loss of "c" needs the best wrong values of all steps together. They are found for the state of a chain that is a column. Use loss: "ncll".",
        "the hinge loss needs wrong values to compare with, but "x" is a number. Every other number is one. Use loss: "ncll", which is regression.",
        ""tags" cannot be a target. The model has "steps.tag", "steps.x" and "steps.c". Did you mean "steps.tag"?",
        ""pos" cannot be a target. The model has "steps.tag", "steps.x" and "steps.c". Name one of them.",
        "the model has no label, and no target is named. What to learn to predict cannot be guessed. Name one of "steps.x" and "steps.c": { target: … }.",
        "sdem: calibrate is given, but "tag" stands in the steps of rows, which are predicted together. It applies to targets with one value in each row. Leave it out.",
        "fit: classWeights weigh rows by their label, but "tag" stands in the steps of rows, so that a row has many. Leave them out, or weigh rows by a column of weights.",
      ]
    `)
  })
})

test("a target in steps may be named with them", async () => {
  const [one, other]: Any[] = await Promise.all(
    ["c", "steps.c"].map(target =>
      fit(loose(chain("tag", body())), sequences(17, 9) as never, { learner: sdem({ target, epochs: 2 }) }),
    ),
  )
  expect(other.describe()).toEqual(one.describe())
})

test("steps that no path explains are told of by the step that cannot be reached, in long sequences too", async () => {
  const model = loose(
    chain("tag", independent({ x: gaussian() }), { transitions: { a: ["a"], b: ["a", "b"] } }),
  )
  const short = { steps: [{ tag: "a", x: 1 }] }
  /** The tag is a, then hidden for a while, then b. */
  const turning = (from: number, to: number, all: number, early: unknown = "a") => ({
    steps: Array.from({ length: all }, (_, t) => ({
      x: t % 7,
      tag: t < from ? (t === from - 1 ? early : "a") : t < to ? null : "b",
    })),
  })
  const said = async (row: object, learner: Learner = em()): Promise<string> => {
    try {
      await fit(model, [short, row] as never, { learner })
    } catch (error) {
      return (error as Error).message.split(".")[0]
    }
    return "nothing"
  }
  const why = 'no path through the states of "tag" explains the steps so far'
  expect(await said(turning(40, 60, 100))).toBe(`row 1, step 60: ${why}`)
  expect(await said(turning(40, 60, 100), sdem({ loss: "hinge" }))).toBe(`row 1, step 60: ${why}`)
  expect(await said(turning(2990, 3010, 5000))).toBe(`row 1, step 3010: ${why}`)
  expect(await said(turning(40, 60, 100, { a: 1 }))).toBe(`row 1, step 60: ${why}`)
  expect(await said(turning(3000, 3000, 5000))).toBe('row 1, step 3000: "b" follows "a" in "tag"')
})

test("lengths are drawn by their ends, or asked for", async () => {
  const model = loose(chain("tag", body(), { ends: true }))
  const data = sequences(16, 300)
  const fitted: Any = await fit(model, data as never)
  const drawn = fitted.sample(2000, { seed: 1 }) as { steps: Step[] }[]
  const mean = (rows: readonly { steps: Step[] }[]): number =>
    rows.reduce((sum, { steps }) => sum + steps.length, 0) / rows.length
  // E[T] = Σ_t visits / sequences: counting makes it the mean of the data, but for the prior
  expect(Math.abs(mean(drawn) / mean(data) - 1)).toBeLessThan(0.06)
  expect(drawn.every(({ steps }) => steps.length > 0 && steps.every(step => step!.tag && step!.c))).toBe(true)
  const [one] = fitted.sample(1, { steps: 4 })
  expect(one.steps).toHaveLength(4)
  expect(fitted.sample(1, { given: { steps: [null, { tag: "b" }] } })[0].steps[1].tag).toBe("b")
})
