/** Long because every option of fit and learn, and every sentence they refuse with, is read here. */
import { describe, expect, test } from "vitest"
import type { Learner } from "../contract/learner.ts"
import type { Model } from "../contract/model.ts"
import type { Description } from "../contract/report.ts"
import {
  bernoulli,
  categorical,
  classes,
  dice,
  em,
  fit,
  gaussian,
  independent,
  load,
  mixture,
  multinomial,
  normal,
  type Step,
} from "../index.ts"
import { learn } from "../learn.ts"
import type { Fitted } from "./fitted.ts"

const learned = (model: unknown, data: unknown, options: object = {}): Promise<Fitted> =>
  fit(model as Model, data as never, options) as Promise<Fitted>
const steps = (model: unknown, data: unknown, options: object = {}): AsyncGenerator<Step> =>
  learn(model as Model, data as never, options) as AsyncGenerator<Step>
const said = async (run: () => unknown): Promise<string> => {
  try {
    await run()
  } catch (error) {
    return (error as Error).message
  }
  return "nothing was thrown"
}
const x = independent({ x: gaussian() })

const roll = dice(2)
const people = Array.from({ length: 300 }, (_, i) => {
  const y = ["a", "b", "c"][i % 3]
  return {
    y: roll.uniform() < 0.2 ? null : y,
    x: roll.uniform() < 0.1 ? Number.NaN : (i % 3) * 3 + roll.normal(),
    z: 5 + roll.normal(),
    u: roll.uniform() < 0.1 ? undefined : ["r", "s"][roll.integer(2)],
    flag: roll.uniform() < 0.5,
    w: `p ${"q ".repeat(roll.integer(3))}`,
    weight: 0.5 + roll.integer(3),
  }
})
type Person = (typeof people)[number]
const columnsOf = (rows: readonly object[]): Record<string, unknown[]> =>
  Object.fromEntries(
    Object.keys(rows[0]).map(name => [name, rows.map(row => (row as Record<string, unknown>)[name])]),
  )
const sourceOf = (rows: readonly object[], size: number, asColumns = false): AsyncIterable<unknown> => ({
  async *[Symbol.asyncIterator]() {
    for (let from = 0; from < rows.length; from += size) {
      const batch = rows.slice(from, from + size)
      yield asColumns ? columnsOf(batch) : batch
    }
  },
})
const everything = classes(
  "y",
  mixture(2, independent(normal(["x", "z"]), { u: categorical(), flag: bernoulli(), w: multinomial() }), {
    name: "part",
  }),
)
const bits = (fitted: Fitted, rows: readonly object[]): string =>
  JSON.stringify([
    fitted.describe(),
    fitted.training,
    fitted.predict(rows as never),
    [...fitted.logDensity(rows as never)],
    [...fitted.responsibilities(rows as never)],
  ])

describe("the same data gives the same bits", () => {
  const options = { learner: em({ maxIterations: 5 }), weight: "weight", seed: 3 }
  test("as rows, as columns, and as a source of either in batches of any size", async () => {
    const ask = people.slice(0, 50)
    const expected = bits(await learned(everything, people, options), ask)
    expect(bits(await learned(everything, columnsOf(people), options), ask)).toBe(expected)
    for (const size of [1, 7, 256, 8192, 10000]) {
      expect(bits(await learned(everything, sourceOf(people, size), options), ask)).toBe(expected)
    }
    expect(bits(await learned(everything, sourceOf(people, 7, true), options), ask)).toBe(expected)
  })

  test.each([479, 480, 481, 8191, 8192, 8193])("at %d rows, where blocks and chunks are cut", async count => {
    const rows = Array.from({ length: count }, (_, i) => people[(i * 7) % 300])
    const model = mixture(2, classes("y", independent({ x: gaussian(), u: categorical() })))
    const quick = { learner: em({ maxIterations: 2 }) }
    const expected = bits(await learned(model, rows, quick), people.slice(0, 9))
    for (const size of [100, 8192]) {
      expect(bits(await learned(model, sourceOf(rows, size), quick), people.slice(0, 9))).toBe(expected)
    }
  })

  test("twice, and other bits for another seed", async () => {
    const once = bits(await learned(everything, people, options), people)
    expect(bits(await learned(everything, people, options), people)).toBe(once)
    const other = await learned(everything, people, { ...options, seed: 4 })
    expect(JSON.stringify(other.describe())).not.toBe(
      JSON.stringify((await learned(everything, people, options)).describe()),
    )
  })

  test("whichever way a cell is missing", async () => {
    const model = classes("y", independent({ x: gaussian(), u: categorical() }))
    const forms = [null, undefined, Number.NaN].map(none =>
      people.map(({ y, x, u }) => ({
        y: y ?? none,
        x: Number.isNaN(x) ? none : x,
        u: u ?? none,
      })),
    )
    const absent = people.map(({ y, x, u }) => ({
      ...(y !== null && { y }),
      ...(!Number.isNaN(x) && { x }),
      ...(u !== undefined && { u }),
    }))
    const [first, ...others] = await Promise.all([...forms, absent].map(rows => learned(model, rows)))
    for (const other of others) expect(other.describe()).toEqual(first.describe())
  })

  test("from every kind of array", async () => {
    const whole = [1, 2, 3, 4, 50, 60]
    const expected = (await learned(x, { x: whole })).describe()
    const kinds = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array]
    for (const kind of [...kinds, Float32Array, Float64Array]) {
      expect((await learned(x, { x: kind.from(whole) })).describe()).toEqual(expected)
    }
    for (const column of [
      BigInt64Array.from(whole.map(BigInt)),
      whole.map(BigInt),
      { ...whole, length: 6 },
    ]) {
      expect((await learned(x, { x: column })).describe()).toEqual(expected)
    }
  })
})

describe("what is given is left alone", () => {
  const frozen = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value
    for (const inner of Object.values(value)) frozen(inner)
    return Object.freeze(value)
  }
  const soft = people.map((row, i) => ({ ...row, y: i % 5 === 0 ? { a: 0.5, b: 0.5 } : row.y }))

  test("rows, columns and options may be frozen", async () => {
    const options = frozen({
      weight: "weight",
      classWeights: { a: 2 },
      learner: em(frozen({ maxIterations: 2 }) as object),
    }) as object
    const fitted = await learned(everything, frozen(structuredClone(soft)), options)
    await learned(everything, frozen(columnsOf(structuredClone(soft))), options)
    fitted.predict(frozen(structuredClone(people)) as never)
  })

  test("and may be changed afterwards without changing the model", async () => {
    const mine = structuredClone(soft)
    const columns = { x: Float64Array.from({ length: 50 }, (_, i) => i % 7), w: new Float64Array(50).fill(1) }
    const levels = ["a", "b", "c"]
    const declared = classes("y", independent({ x: gaussian() }), { levels })
    const fitted = [
      await learned(everything, mine, { learner: em({ maxIterations: 2 }) }),
      await learned(x, columns, { weight: "w" }),
      await learned(declared, mine),
    ]
    const before = fitted.map(one => JSON.stringify([one.describe(), [...one.logDensity(people as never)]]))
    for (const row of mine) Object.assign(row, { y: "zzz", x: 1e9, u: "zzz", w: "zzz" })
    columns.x.fill(99)
    columns.w.fill(99)
    levels.reverse()
    expect(fitted.map(one => JSON.stringify([one.describe(), [...one.logDensity(people as never)]]))).toEqual(
      before,
    )
  })
})

describe("names like parts of an object's prototype", () => {
  const names = ["constructor", "__proto__", "toString", "hasOwnProperty"]
  test.each(names)("%s may be a column, a label, a level, a word and a component", async name => {
    const row = (label: string, value: number, word: string): object =>
      Object.fromEntries([
        ["valueOf", label],
        [name, value],
        ["isPrototypeOf", word],
      ])
    const rows = Array.from({ length: 12 }, (_, i) =>
      row(i % 2 ? name : "plain", i % 2 ? i : -i, i % 2 ? name : "x"),
    )
    const body = independent(
      Object.fromEntries([
        [name, gaussian()],
        ["isPrototypeOf", multinomial({ lowercase: false })],
      ]),
    )
    const fitted = await learned(classes("valueOf", mixture(2, body, { name: "propertyIsEnumerable" })), rows)
    expect(fitted.predict([row("?", 11, name)] as never)[0].value).toBe(name)
    const described = fitted.describe().valueOf as unknown as { given: Description }
    expect(Object.keys(described.given).sort()).toEqual([name, "plain"].sort())
    expect(JSON.stringify(described)).toContain(`"${name}":{"family":"gaussian"`)
    expect(fitted.responsibilities(rows as never)).toHaveLength(24)
    const switched = await learned(classes(name, independent({ x: gaussian() })), [
      Object.fromEntries([
        [name, 1],
        ["x", 0],
      ]),
      Object.fromEntries([
        [name, 2],
        ["x", 5],
      ]),
    ])
    expect(switched.predict([{ x: 5 }] as never)[0].value).toBe(2)
    expect(
      await said(() => learned(independent(Object.fromEntries([[name, gaussian()]])), [{ x: 1 }])),
    ).toContain(`column "${name}" is not in the data`)
  })
})

describe("weights", () => {
  const model = classes("y", independent({ x: gaussian(), u: categorical(), w: multinomial() }))
  const base = [
    { y: "a", x: 1, u: "r", w: "p", n: 1 },
    { y: "a", x: 2, u: "s", w: "q", n: 2 },
    { y: "b", x: 8, u: "s", w: "q", n: 3 },
  ]
  const described = async (rows: readonly object[], options: object): Promise<unknown> => {
    const fitted = await learned(model, rows, options)
    return [fitted.describe(), fitted.training?.logLikelihood, fitted.training?.rows]
  }

  const flat = (value: unknown): number[] =>
    typeof value === "number" ? [value] : typeof value === "object" ? Object.values(value!).flatMap(flat) : []

  test("of 0 leave no trace: no level, no word, no moment", async () => {
    const ghost = { y: "ghost", x: 1e9, u: "boo", w: "boo", n: 0 }
    expect(await described([ghost, ...base, ghost], { weight: "n" })).toEqual(
      await described(base, { weight: "n" }),
    )
  })

  test("of n are n copies", async () => {
    const copies = base.flatMap(row => Array.from({ length: row.n }, () => row))
    const [weighed] = (await described(base, { weight: "n" })) as [Description]
    const [copied] = (await described(copies, {})) as [Description]
    expect(flat(weighed)).toEqual(flat(copied).map(value => expect.closeTo(value, 12)))
  })

  test("of classes multiply labelled rows", async () => {
    const tripled = base.map(row => ({ ...row, n: row.n * (row.y === "a" ? 3 : 1) }))
    expect(await described(base, { weight: "n", classWeights: { a: 3 } })).toEqual(
      await described(tripled, { weight: "n" }),
    )
    const unlabelled = [...base, { y: null, x: 5, u: "r", w: "p", n: 1 }]
    const fitted = await learned(model, unlabelled, {
      classWeights: { a: 3, b: 2 },
      learner: em({ unlabelled: 1 }),
    })
    expect(fitted.training?.weight).toBe(3 + 3 + 2 + 1)
  })

  test("of classes go to each level of a soft label", async () => {
    const soft = [...base, { y: { a: 0.25, b: 0.75 }, x: 4, u: "r", w: "p", n: 1 }]
    const apart = [
      ...base.map(row => ({ ...row, n: row.y === "a" ? 3 : 1 })),
      { y: "a", x: 4, u: "r", w: "p", n: 0.75 },
      { y: "b", x: 4, u: "r", w: "p", n: 0.75 },
    ]
    const found = flat(await described(soft, { classWeights: { a: 3 } }))
    // one row of weight 1.5 or two of 0.75: the column's mean is summed otherwise
    expect(found).toEqual(
      flat(await described(apart, { weight: "n" })).map(value => expect.closeTo(value, 12)),
    )
  })

  test("that are small fractions starve no component", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => ({ x: (i % 2) * 9 + (i % 5) / 5, n: 1e-4 }))
    const fitted = await learned(mixture(2, x), rows, { weight: "n" })
    expect(fitted.training?.runs).toHaveLength(1)
    expect(fitted.diagnostics).toEqual([])
  })
})

describe("the labels", () => {
  test("a one-hot soft label is the hard label", async () => {
    const model = classes("y", independent({ x: gaussian(), u: categorical() }))
    const hard = people.filter(row => row.y !== null)
    const soft = hard.map((row, i) => (i % 2 ? { ...row, y: { [row.y as string]: 7 } } : row))
    expect((await learned(model, soft)).describe()).toEqual((await learned(model, hard)).describe())
  })

  test("if all are missing but declared, are found as a mixture finds them", async () => {
    const rows = Array.from({ length: 60 }, (_, i) => ({ y: null, x: (i % 2) * 10 + (i % 7) / 7 }))
    const fitted = await learned(classes("y", x, { levels: ["one", "two"] }), rows)
    const sizes = [0, 0]
    for (const { value } of fitted.predict(rows)) sizes[value === "one" ? 0 : 1]++
    expect(sizes).toEqual([30, 30])
  })
})

// ── the loop ───────────────────────────────────────────────────────────────────────────────────────

const clusters = Array.from({ length: 120 }, (_, i) => ({ x: [0, 6, 12][i % 3] + roll.normal() }))
const three = mixture(3, x)

describe("learning", () => {
  test("with nothing hidden is counting: one step, whatever cells are missing", async () => {
    const model = classes("y", independent({ x: gaussian(), u: categorical() }))
    const rows = people.filter(row => row.y !== null)
    const all: Step[] = []
    for await (const step of steps(model, rows)) all.push(step)
    expect(all.map(({ iteration, run, stopped }) => ({ iteration, run, stopped }))).toEqual([
      { iteration: 1, run: 0, stopped: "counted" },
    ])
    expect(all[0].fitted().training).toMatchObject({
      trace: [all[0].objective],
      runs: [{ run: 0, iterations: 1, stopped: "counted" }],
    })
  })

  test("of correlated columns with missing cells is EM: their cells are guessed", async () => {
    const rows = people.filter(row => row.y !== null)
    const fitted = await learned(classes("y", normal(["x", "z"])), rows)
    expect(fitted.training?.iterations).toBeGreaterThan(1)
    expect(fitted.training?.runs).toMatchObject([{ stopped: "tolerance" }])
    // the likelihood of what was seen, not of what was filled in
    const seen = fitted.logDensity(rows).reduce((sum, score) => sum + score, 0)
    expect(fitted.training?.logLikelihood).toBeCloseTo(seen, 8)
    const complete = rows.filter(row => !Number.isNaN(row.x))
    const counted = await learned(classes("y", normal(["x", "z"])), complete)
    expect(counted.training?.runs).toMatchObject([{ iterations: 1, stopped: "counted" }])
  })

  test("never lowers the objective", async () => {
    for (const prior of [0, 1]) {
      const fitted = await learned(everything, people, {
        learner: em({ prior, maxIterations: 30 }),
        weight: "weight",
      })
      const { trace } = fitted.training!
      expect(trace.length).toBeGreaterThan(3)
      trace.slice(1).forEach((objective, i) => {
        expect(objective).toBeGreaterThanOrEqual(trace[i] - 1e-10 * Math.abs(trace[i]))
      })
    }
  })

  test("yields steps that can each be made a model, while the run goes on", async () => {
    let last: Step | undefined
    for await (const step of steps(everything, people, { learner: em({ maxIterations: 4 }) })) {
      const fitted = step.fitted()
      const [{ probability }] = fitted.predict(people.slice(0, 1) as never)
      expect(probability).toBeGreaterThan(1 / 3 - 1e-12)
      expect(fitted.training).toMatchObject({ objective: step.objective, iterations: step.iteration })
      last = step
    }
    // making models on the way changed nothing
    const straight = await learned(everything, people, { learner: em({ maxIterations: 4 }) })
    expect(last!.fitted().describe()).toEqual(straight.describe())
  })

  test("is in the caller's hands: break ends it, and nothing is read after that", async () => {
    let opened = 0
    let closed = 0
    const source = {
      async *[Symbol.asyncIterator]() {
        opened++
        yield clusters
        closed++
      },
    }
    let swept = 0
    for await (const step of steps(three, source, { spill: false })) {
      if (step.iteration === 1) swept = opened
      if (step.iteration === 2) break
    }
    expect([opened, closed]).toEqual([swept + 1, swept + 1])
    await new Promise(resolve => setTimeout(resolve, 5))
    expect(opened).toBe(swept + 1)
  })

  test("calls onStep after every step, with the steps learn() would yield", async () => {
    const called: number[] = []
    await learned(three, clusters, { onStep: (step: Step) => called.push(step.objective) })
    const yielded: number[] = []
    for await (const step of steps(three, clusters)) yielded.push(step.objective)
    expect(called).toEqual(yielded)
  })

  test("with restarts reports every run and keeps the best", async () => {
    const fitted = await learned(mixture(4, x), clusters, {
      learner: em({ restarts: 3, maxIterations: 40 }),
      seed: 1,
    })
    const { runs, objective, run } = fitted.training!
    expect(runs.length).toBeGreaterThanOrEqual(4)
    expect(runs.map(one => one.run)).toEqual(runs.map((_, i) => i))
    expect(objective).toBe(Math.max(...runs.map(one => one.objective)))
    expect(runs[run].objective).toBe(objective)
    expect(fitted.training!.trace.at(-1)).toBe(objective)
  })

  test("prefers every run that ends inside the domain to those held at its edge, and reports them all", async () => {
    const d = dice(3)
    const rows = [
      ...Array.from({ length: 80 }, (_, i) => ({ x: (i % 2) * 8 + d.normal() })),
      ...Array.from({ length: 3 }, () => ({ x: 3 })), // the likelihood of a spike here has no bound
    ]
    const learner = em({ prior: 0, restarts: 6 })
    const fitted = await learned(three, rows, { learner })
    const { runs, run, objective } = fitted.training!
    const held = runs.filter(one => one.held).map(one => one.objective)
    const inside = runs.filter(one => !one.held).map(one => one.objective)
    expect(runs.length).toBeGreaterThanOrEqual(7)
    expect(Math.min(...held)).toBeGreaterThan(Math.max(...inside))
    expect(objective).toBe(Math.max(...inside))
    expect(runs[run].held).toBeUndefined()
    expect(fitted.diagnostics.map(({ code }) => code)).not.toContain("held-at-floor")
    // where every run is held, the highest is still better than none
    const spiked = await learned(three, { x: [0, 0, 0, 1, 1, 1, 2, 2, 2] }, { learner })
    expect(spiked.training!.runs.every(one => one.held)).toBe(true)
    expect(spiked.training!.objective).toBe(Math.max(...spiked.training!.runs.map(one => one.objective)))
    expect((load(JSON.stringify(fitted)) as Fitted).training).toEqual(fitted.training)
  })

  test("finds separated clusters", async () => {
    const { "mixture(x)": found } = (await learned(three, clusters)).describe() as unknown as {
      "mixture(x)": { given: Record<string, { x: { mean: number } }> }
    }
    const means = Object.values(found.given).map(given => given.x.mean)
    expect(means.sort((a, b) => a - b)).toEqual([0, 6, 12].map(mean => expect.closeTo(mean, -0.3)))
  })

  test("identical points do not hang it", async () => {
    const same = Array.from({ length: 30 }, () => ({ x: 4 }))
    const fitted = await learned(three, same)
    expect(fitted.diagnostics.map(({ code }) => code)).toContain("constant-column")
    expect([...fitted.logDensity(same)].every(Number.isFinite)).toBe(true)
  })
})

describe("a starved component", () => {
  const start = {
    "mixture(x)": {
      probabilities: { 0: 0.5, 1: 0.5 },
      given: { 0: { x: { mean: 6, sd: 6 } }, 1: { x: { mean: 1e6, sd: 0.5 } } },
    },
  }
  test("is reported, put on a row, and the better run is kept", async () => {
    const learner = em({ start, prior: 0 })
    const ends: Step[] = []
    for await (const step of steps(mixture(2, x), clusters, { learner })) if (step.stopped) ends.push(step)
    expect(ends.length).toBeGreaterThan(1)
    expect(ends[0].diagnostics).toMatchObject([{ code: "starved-component" }])
    expect(ends.map(step => step.run)).toEqual(ends.map((_, i) => i))
    const fitted = await learned(mixture(2, x), clusters, { learner })
    const { runs, objective } = fitted.training!
    expect(runs.map(run => run.objective)).toEqual(ends.map(step => step.objective))
    expect(objective).toBe(Math.max(...runs.map(run => run.objective)))
    expect(objective).toBeGreaterThan(runs[0].objective)
    // no spike on a single row
    expect(fitted.diagnostics).toEqual([])
    const { probabilities } = fitted.describe()["mixture(x)"] as { probabilities: Record<string, number> }
    for (const p of Object.values(probabilities)) expect(p).toBeGreaterThan(2 / 120)
  })

  test("of a class without rows is left alone", async () => {
    const rows = clusters.map(row => ({ ...row, y: "a" }))
    const model = classes("y", mixture(2, x), { levels: ["a", "b"] })
    const fitted = await learned(model, rows)
    expect(fitted.training?.runs).toHaveLength(1)
  })
})

// ── aborting ───────────────────────────────────────────────────────────────────────────────────────

describe("an abort rejects with the signal's reason", () => {
  const reason = new Error("the user went home")
  test("before the start, without a look at the data", async () => {
    let read = false
    const source = {
      async *[Symbol.asyncIterator]() {
        read = true
        yield clusters
      },
    }
    await expect(learned(three, source, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(read).toBe(false)
    await expect(learned(three, clusters, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  test("from onStep, at that step", async () => {
    const controller = new AbortController()
    let count = 0
    const onStep = (): void => {
      if (++count === 2) controller.abort(reason)
    }
    await expect(learned(three, clusters, { onStep, signal: controller.signal })).rejects.toBe(reason)
    expect(count).toBe(2)
  })

  test("from onStep at the last step", async () => {
    const controller = new AbortController()
    const onStep = (): void => controller.abort(reason)
    await expect(learned(x, clusters, { onStep, signal: controller.signal })).rejects.toBe(reason)
  })

  test("from a timer, during a long sweep", async () => {
    const many = { x: Float64Array.from({ length: 400_000 }, (_, i) => i % 1000) }
    const controller = new AbortController()
    let late = 0
    const onStep = (step: Step): void => {
      if (step.iteration === 0) setTimeout(() => controller.abort(reason), 1)
      if (controller.signal.aborted) late++
    }
    const learner = em({ tolerance: 0, maxIterations: 1e6 })
    const run = learned(mixture(20, x), many, { learner, onStep, signal: controller.signal })
    await expect(run).rejects.toBe(reason)
    // the sweep in which it comes is not finished
    expect(late).toBe(0)
  })

  test("from a timer, while the data is still being read", async () => {
    const many = Array.from({ length: 300_000 }, (_, i) => ({ x: i }))
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 1)
    await expect(learned(three, many, { signal: controller.signal })).rejects.toBe(reason)
  })
})

// ── what is refused ────────────────────────────────────────────────────────────────────────────────

describe("refused are", () => {
  test("options that are none, or out of range", async () => {
    expect(await said(() => learned(x, clusters, { seeds: 1 }))).toMatchInlineSnapshot(
      `"fit: there is no option "seeds". It knows "learner", "seed", "weight", "classWeights", "threads", "spill", "signal", "onStep" and 2 more. Did you mean "seed"?"`,
    )
    expect(await said(() => learned(x, clusters, { verbose: true }))).toMatchInlineSnapshot(
      `"fit: there is no option "verbose". It knows "learner", "seed", "weight", "classWeights", "threads", "spill", "signal", "onStep" and 2 more. Leave it out."`,
    )
    expect(await said(() => learned(x, clusters, { onRows: 10 }))).toMatchInlineSnapshot(
      `"fit: onRows is 10. It must be a function. Write for example { onRows: rows => … }."`,
    )
    expect(await said(() => learned(x, clusters, { seed: Number.NaN }))).toMatchInlineSnapshot(
      `"fit: seed is NaN. The dice need a finite number. Give any, or leave it out for 0."`,
    )
    expect(await said(() => learned(x, clusters, { seed: "7" }))).toMatchInlineSnapshot(
      `"fit: seed is "7". The dice need a finite number. Give any, or leave it out for 0."`,
    )
    expect(await said(() => learned(x, clusters, { onStep: true }))).toMatchInlineSnapshot(
      `"fit: onStep is true. It must be a function. Write for example { onStep: step => … }."`,
    )
    expect(await said(() => learned(x, clusters, { signal: {} }))).toMatchInlineSnapshot(
      `"fit: signal is an object with 0 keys. It must be an AbortSignal. Write for example { signal: controller.signal }."`,
    )
    expect(await said(() => learned(x, clusters, { weight: 3 }))).toMatchInlineSnapshot(
      `"fit: weight is 3. It must name a column. Write for example { weight: "count" }."`,
    )
  })

  test("a learner that is none", async () => {
    expect(await said(() => learned(x, clusters, { learner: "em" }))).toMatchInlineSnapshot(
      `"fit: learner is "em". It must be a learner. Write for example { learner: em() }."`,
    )
    expect(await said(() => learned(x, clusters, { learner: em }))).toMatchInlineSnapshot(
      `"fit: learner is a function. It must be a learner. Write for example { learner: em() }."`,
    )
    const idle: Learner = { name: "idle", options: {}, async *learn() {} }
    expect(await said(() => learned(x, clusters, { learner: idle }))).toMatchInlineSnapshot(
      `"fit: the learner ended without finishing a run. Its last step must say why it stopped. Set \`stopped\` on the last step of each run, or take steps from learn()."`,
    )
  })

  test("a model that is none", async () => {
    expect(await said(() => learned({}, clusters))).toMatchInlineSnapshot(
      `"fit: the model is an object with 0 keys. It must be made by classes, mixture, independent or normal. Write for example fit(independent({ x: gaussian() }), rows)."`,
    )
    expect(await said(() => learned(gaussian(), clusters))).toMatchInlineSnapshot(
      `"fit: the model is an object with 6 keys. It must be made by classes, mixture, independent or normal. Write for example fit(independent({ x: gaussian() }), rows)."`,
    )
  })

  test("weights that are no weights", async () => {
    const weighed = (w: unknown) => () =>
      learned(
        x,
        [
          { x: 1, w: 1 },
          { x: 2, w },
        ],
        { weight: "w" },
      )
    expect(await said(weighed(-1))).toMatchInlineSnapshot(
      `"row 1 of the weights "w" holds -1. A weight is a finite number ≥ 0. Correct it, or give the row weight 0 to leave it out."`,
    )
    expect(await said(weighed(Number.NaN))).toMatchInlineSnapshot(
      `"row 1 of the weights "w" holds NaN. A weight is a finite number ≥ 0. Correct it, or give the row weight 0 to leave it out."`,
    )
    expect(await said(() => learned(x, { x: [1, 2], w: [0, 0] }, { weight: "w" }))).toMatchInlineSnapshot(
      `"all rows together weigh 0, by "w". The total must be finite and above 0. Give at least one row a weight above 0."`,
    )
    expect(await said(() => learned(x, clusters, { weight: "w" }))).toMatchInlineSnapshot(
      `"column "w" is not in the data. The data has "x". Rename the column in the model or in the data."`,
    )
    expect(await said(() => learned(x, clusters, { weight: "x" }))).toMatchInlineSnapshot(
      `"fit: the weights "x" are also a column of the model. A weight says how often a row counts, not what it holds. Use another column."`,
    )
  })

  test("class weights without classes, or for others", async () => {
    const model = classes("y", x)
    const rows: Partial<Person>[] = people.filter(row => row.y !== null)
    expect(await said(() => learned(x, clusters, { classWeights: { a: 1 } }))).toMatchInlineSnapshot(
      `"fit: classWeights weigh the levels of a label, but the model has none. Leave them out, or put the model in classes(column, body)."`,
    )
    expect(await said(() => learned(model, rows, { classWeights: { A: 2 } }))).toMatchInlineSnapshot(
      `"fit: classWeights names "A", which is no level of "y". Its levels are "a", "b" and "c". Did you mean "a"?"`,
    )
    expect(await said(() => learned(model, rows, { classWeights: { other: 2 } }))).toMatchInlineSnapshot(
      `"fit: classWeights names "other", which is no level of "y". Its levels are "a", "b" and "c". Leave it out."`,
    )
    expect(await said(() => learned(model, rows, { classWeights: { a: -2 } }))).toMatchInlineSnapshot(
      `"fit: classWeights gives "a" the weight -2. A class weight is a finite number ≥ 0. Correct it, or leave it out for 1."`,
    )
    expect(await said(() => learned(model, rows, { classWeights: { z: 0 } }))).toBe("nothing was thrown")
  })

  test("more components than rows", async () => {
    expect(await said(() => learned(mixture(5, x), { x: [1, 2, 3] }))).toMatchInlineSnapshot(
      `""mixture(x)" has 5 components for 3 rows. A component needs at least one row. Ask for fewer components, or bring more rows."`,
    )
    expect(await said(() => learned(mixture(2, x, { name: "part" }), [{ x: 1 }]))).toMatchInlineSnapshot(
      `""part" has 2 components for 1 row. A component needs at least one row. Ask for fewer components, or bring more rows."`,
    )
  })

  test("data without rows, without the column, or of another shape", async () => {
    for (const nothing of [[], {}, sourceOf([], 5)]) {
      expect(await said(() => learned(x, nothing))).toContain("the data has no rows")
    }
    expect(await said(() => learned(x, [{ X: 1 }]))).toMatchInlineSnapshot(
      `"column "x" is not in the data. The data has "X". Did you mean "X"?"`,
    )
    expect(await said(() => learned(x, [{ x: 1 }, { x: Number.POSITIVE_INFINITY }]))).toMatchInlineSnapshot(
      `"row 1 of "x" holds Infinity. A number must be finite to be modelled. Drop the row, or put null for a missing cell."`,
    )
    expect(await said(() => learned(x, Promise.resolve(clusters)))).toMatchInlineSnapshot(
      `"the data is a Promise. It must be rows, columns, or a source of them. Await the promise first."`,
    )
    expect(await said(() => learned(classes("y", x), [{ x: 1, y: null }]))).toMatchInlineSnapshot(
      `"all labels in "y" are missing and no levels are declared. How many classes there are cannot be guessed. Declare them: classes("y", body, { levels: [ … ] }), or use mixture(k, body)."`,
    )
  })

  test("a source that fails half-way, also when it is read again", async () => {
    let pass = 0
    const cause = new Error("connection reset")
    const source = {
      async *[Symbol.asyncIterator]() {
        pass++
        yield clusters.slice(0, 50)
        if (pass === 3) throw cause
        yield clusters.slice(50)
      },
    }
    const failed = await learned(three, source, { spill: false }).catch(error => error)
    expect(failed.message).toMatchInlineSnapshot(
      `"the source failed in batch 1, after 50 rows: connection reset. A model is learned from all of the rows. Mend the source (its own error is the cause of this one), and fit again."`,
    )
    expect(failed.cause).toBe(cause)
  })

  test("a source that changes between passes: a generator that runs once, other rows, other levels", async () => {
    async function* once() {
      yield clusters
    }
    expect(await said(() => learned(three, once()))).toMatchInlineSnapshot(
      `"em: the data is a stream, which can be read once. em reads the rows again and again. Use onlineEm() or sdem(), or give a source whose [Symbol.asyncIterator]() begins anew each time."`,
    )
    const changing = (...passes: readonly object[][]) => {
      let pass = 0
      return {
        async *[Symbol.asyncIterator]() {
          yield passes[Math.min(pass++, passes.length - 1)]
        },
      }
    }
    const longer = changing(clusters, [...clusters, { x: 1 }])
    expect(await said(() => learned(three, longer, { spill: false }))).toMatchInlineSnapshot(
      `"the source changed between passes: the first pass found 120 rows, this one more. It is read again for every sweep, and must give the same rows each time. Pass an object whose [Symbol.asyncIterator]() begins anew (a generator runs only once), or hold the rows in memory."`,
    )
    const levels = changing(
      [
        { y: "a", x: 1 },
        { y: "b", x: 2 },
      ],
      [
        { y: "a", x: 1 },
        { y: "c", x: 2 },
      ],
    )
    expect(await said(() => learned(classes("y", x), levels, { spill: false }))).toMatchInlineSnapshot(
      `"the source changed between passes: row 1 of "y" holds "c", which the first pass never met. It is read again for every sweep, and must give the same rows each time. Pass an object whose [Symbol.asyncIterator]() begins anew (a generator runs only once), or hold the rows in memory."`,
    )
  })

  test("a model beyond memory, before it is made", async () => {
    const ids = { id: Array.from({ length: 20_000 }, (_, i) => `customer ${i}`) }
    const model = mixture(100, mixture(100, independent({ id: categorical() })))
    expect(await said(() => learned(model, ids))).toMatchInlineSnapshot(
      `"the model would hold 200010100 numbers, more than the 134217728 that fit in a GiB. 200000000 of them are for "id": 20000 levels in each of 10000 contexts, as "mixture(id)" has 100 values. Leave out a column that is an id, pool rare levels, or ask for fewer components."`,
    )
  })
})
