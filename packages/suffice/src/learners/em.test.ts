import { describe, expect, test } from "vitest"
import type { Dice } from "../contract/dice.ts"
import type { Learnable, Rows, Start, Theta } from "../contract/learnable.ts"
import type { LearnerStep } from "../contract/learner.ts"
import { dice } from "../random.ts"
import { type EmOptions, em } from "./em.ts"

interface Script {
  /** Log-likelihoods, run by run, sweep by sweep; the last one of a run goes on for ever. */
  readonly runs: readonly (readonly number[])[]
  readonly starved?: readonly number[]
  readonly guessed?: boolean
  readonly certain?: boolean
  readonly weight?: number
  readonly rowsLeft?: boolean
}

/** A problem that plays its part: stats hold (run, sweeps so far), the prior adds to a third number. */
function play({ runs, starved = [], guessed = true, certain = false, weight = 1, rowsLeft = true }: Script) {
  const calls: string[] = []
  let opened = 0
  const sweep: Rows["sweep"] = async params => {
    if (!params) calls.push("sweep without θ")
    const [run, sweeps] = params ?? [0, 0]
    const script = runs[run]
    return {
      stats: Float64Array.of(run, sweeps + 1, 0),
      logLikelihood: script[Math.min(sweeps, script.length - 1)],
      entropy: 0.5,
      guessed,
    }
  }
  const theta: Omit<Theta, "withPrior"> = {
    prior: Float64Array.of(0, 0, 1),
    solve: (stats, prior = 0) => ({
      params: stats.map((value, j) => value + (j === 2 ? prior : 0)),
      clamped: 0,
    }),
    // the prior's own logarithm: minus the strength that was added
    logPrior: params => -params[2],
    value: () => 42,
    spreads: 1,
    spread: stats => Float64Array.of(stats[0]),
    fixedSpread: stats => (certain ? undefined : Float64Array.of(stats[0])),
  }
  const start: Start = {
    counted: async () => (certain ? (await sweep()).stats : undefined),
    async guess(roll: Dice) {
      calls.push(`start ${roll.uniform().toFixed(6)}`)
      return Float64Array.of(opened++, 0, 0)
    },
    approach: () => undefined,
    adopt(description) {
      calls.push(`adopt ${JSON.stringify(description)}`)
      return Float64Array.of(opened++, 0, 0)
    },
    starved(stats) {
      const count = starved[stats[0]] ?? 0
      const message = `${count} components hold less than one row. Fewer components may be enough.`
      return { count, diagnostics: count > 0 ? [{ code: "starved-component", message }] : [] }
    },
    async reseed() {
      calls.push("reseed")
      return rowsLeft ? Float64Array.of(opened++, 0, 0) : undefined
    },
  }
  const problem = { data: { weight, rows: 10, sweep }, theta, start }
  // What only stochastic learners ask for is not there.
  return { problem: problem as unknown as Learnable, calls }
}

async function run(options: EmOptions, script: Script): Promise<{ steps: LearnerStep[]; calls: string[] }> {
  const { problem, calls } = play(script)
  const steps: LearnerStep[] = []
  for await (const step of em(options).learn(problem, dice(1))) steps.push(step)
  return { steps, calls }
}
const shape = (steps: readonly LearnerStep[]) =>
  steps.map(({ run, iteration, objective, stopped }) => [run, iteration, objective, stopped])

describe("a run ends", () => {
  test("when a step gains no more than the tolerance, in nats per row", async () => {
    const { steps } = await run({ prior: 0, tolerance: 0.1 }, { runs: [[-10, -5, -4, -3.6]], weight: 5 })
    // gains 5, 1, 0.4; 0.1 nats × 5 rows = 0.5
    expect(shape(steps)).toEqual([
      [0, 0, -10, undefined],
      [0, 1, -5, undefined],
      [0, 2, -4, undefined],
      [0, 3, -3.6, "tolerance"],
    ])
    expect(steps.map(step => step.change)).toEqual([Number.POSITIVE_INFINITY, 5, 1, expect.closeTo(0.4, 12)])
  })

  test("after maxIterations M-steps, and says that it had not converged", async () => {
    const { steps } = await run({ prior: 0, maxIterations: 2 }, { runs: [[-10, -5, -4, -3]] })
    expect(shape(steps)).toEqual([
      [0, 0, -10, undefined],
      [0, 1, -5, undefined],
      [0, 2, -4, "maxIterations"],
    ])
    expect(steps[2].diagnostics).toMatchInlineSnapshot(`
      [
        {
          "code": "not-converged",
          "message": "the run ended at maxIterations while the objective was still rising. Give it more, or a larger tolerance.",
        },
      ]
    `)
    expect(steps[1].diagnostics).toEqual([])
  })

  test("at tolerance 0 only when nothing is gained", async () => {
    const { steps } = await run({ prior: 0, tolerance: 0 }, { runs: [[-10, -10 + 1e-12, -10 + 1e-12]] })
    expect(steps).toHaveLength(3)
  })

  test("when it stays at −∞", async () => {
    const { steps } = await run({ prior: 0 }, { runs: [[Number.NEGATIVE_INFINITY]] })
    expect(steps.at(-1)?.stopped).toBe("tolerance")
    expect(steps).toHaveLength(2)
  })
})

test("with nothing hidden EM is counting: exactly one step, whatever the restarts", async () => {
  const { steps } = await run({ restarts: 3 }, { runs: [[-10], [-10]], guessed: false })
  expect(steps).toHaveLength(1)
  expect(steps[0]).toMatchObject({ iteration: 1, run: 0, stopped: "counted", entropy: 0, logLikelihood: 42 })
})

test("where the problem says that nothing is hidden, nothing is guessed and no θ solved before the sweep, and that of the counts is handed on", async () => {
  const { steps, calls } = await run({ restarts: 3, prior: 0.5 }, { runs: [[-10]], certain: true })
  expect(steps).toHaveLength(1)
  expect(calls).toEqual(["sweep without θ"])
  expect(steps[0]).toMatchObject({ stopped: "counted", prior: 0.5, params: Float64Array.of(0, 1, 0.5) })
})

test("the objective is the log-likelihood plus prior·value(α, θ), and steps say at which strength", async () => {
  const { steps } = await run({ prior: 3, tolerance: 0 }, { runs: [[-10, -9, -9]] })
  // θ holds strength·α = 3, so value(α, θ) = −3
  expect(steps.map(step => [step.objective, step.logLikelihood, step.prior])).toEqual([
    [-10 - 9, -10, 3],
    [-9 - 9, -9, 3],
    [-9 - 9, -9, 3],
  ])
})

test("further runs begin from other first guesses, and all are walked through", async () => {
  const { steps, calls } = await run({ restarts: 2, prior: 0 }, { runs: [[-5], [-3], [-4]] })
  expect(steps.filter(step => step.stopped).map(step => [step.run, step.objective])).toEqual([
    [0, -5],
    [1, -3],
    [2, -4],
  ])
  expect(new Set(calls).size).toBe(3)
})

describe("given parameters", () => {
  test("are where the run begins, without the prior, and only there", async () => {
    const { steps, calls } = await run({ start: { x: 1 }, restarts: 4, prior: 2 }, { runs: [[-10, -9]] })
    expect(calls).toEqual(['adopt {"x":1}'])
    expect(steps.map(step => step.prior)).toEqual([0, 2])
  })
})

describe("a starved component", () => {
  test("is reported, put elsewhere, and the run goes on as a new one", async () => {
    const { steps, calls } = await run({ prior: 0 }, { runs: [[-10], [-8]], starved: [2, 0] })
    expect(calls.filter(call => call === "reseed")).toHaveLength(1)
    const ends = steps.filter(step => step.stopped)
    // not before the end of its run: on the way it may come back
    expect(steps.filter(step => !step.stopped).flatMap(step => step.diagnostics)).toEqual([])
    expect(ends.map(step => [step.run, step.objective])).toEqual([
      [0, -10],
      [1, -8],
    ])
    expect(ends[0].diagnostics).toMatchInlineSnapshot(`
      [
        {
          "code": "starved-component",
          "message": "2 components hold less than one row. Fewer components may be enough.",
        },
      ]
    `)
    expect(ends[1].diagnostics).toEqual([])
  })

  test("gets a pseudo-row beside its one row at first, even without a prior", async () => {
    const { steps } = await run({ prior: 0 }, { runs: [[-10], [-8]], starved: [1, 0] })
    expect(steps.map(step => [step.run, step.iteration, step.prior])).toEqual([
      [0, 0, 0],
      [0, 1, 0],
      [1, 0, 1],
      [1, 1, 0],
    ])
  })

  test("is put elsewhere three times at most", async () => {
    const { steps, calls } = await run({}, { runs: Array(9).fill([-10]), starved: Array(9).fill(1) })
    expect(calls.filter(call => call === "reseed")).toHaveLength(3)
    expect(steps.at(-1)).toMatchObject({ run: 3, diagnostics: [{ code: "starved-component" }] })
  })

  test("stays where no row is left for it", async () => {
    const { steps } = await run(
      {},
      { runs: Array(9).fill([-10]), starved: Array(9).fill(1), rowsLeft: false },
    )
    expect(steps.at(-1)?.run).toBe(0)
  })
})

test("parameters at the edge of their domain are reported", async () => {
  const { problem } = play({ runs: [[-10]] })
  const solve: Theta["solve"] = stats => ({ params: stats.slice(), clamped: 1 })
  const clamped: Learnable = { ...problem, theta: { ...problem.theta, solve } }
  const steps: LearnerStep[] = []
  for await (const step of em().learn(clamped, dice(1))) steps.push(step)
  expect(steps[0].diagnostics).toMatchInlineSnapshot(`
    [
      {
        "code": "held-at-floor",
        "message": "1 parameter set was held at the edge of the domain (a variance near 0). More rows, fewer components or a larger prior would help.",
      },
    ]
  `)
})

describe("options out of range are refused", () => {
  test.each<[string, unknown]>([
    ["maxIterations", 0],
    ["maxIterations", 2.5],
    ["maxIterations", Number.NaN],
    ["maxIterations", Number.POSITIVE_INFINITY],
    ["tolerance", -1e-9],
    ["tolerance", Number.NaN],
    ["tolerance", "small"],
    ["restarts", -1],
    ["restarts", 0.5],
    ["restarts", Number.NaN],
    ["prior", -0.1],
    ["prior", Number.NaN],
    ["prior", Number.POSITIVE_INFINITY],
  ])("%s: %s", (option, value) => {
    expect(() => em({ [option]: value })).toThrow(`em: ${option} is `)
  })

  test("in sentences", () => {
    expect(() => em({ maxIterations: 0 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: em: maxIterations is 0. It must be a whole number ≥ 1. Leave it out for the default.]`,
    )
    expect(() => em({ tolerance: Number.NaN })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: em: tolerance is NaN. It must be a finite number ≥ 0. Leave it out for the default.]`,
    )
    expect(() => em({ restarts: -1 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: em: restarts is -1. It must be a whole number ≥ 0. Leave it out for the default.]`,
    )
    expect(() => em({ prior: -1 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: em: prior is -1. It must be a finite number ≥ 0 (0 = maximum likelihood). Leave it out for the default.]`,
    )
    expect(() => em({ maxIteration: 5 } as EmOptions)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: em: there is no option "maxIteration". It knows "maxIterations", "tolerance", "restarts", "prior", "start" and "unlabelled". Did you mean "maxIterations"?]`,
    )
    expect(() => em({ verbose: true } as EmOptions)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: em: there is no option "verbose". It knows "maxIterations", "tolerance", "restarts", "prior", "start" and "unlabelled". Leave it out.]`,
    )
  })
})

test("a learner names itself and its options, so that a model can say how it was learned", () => {
  expect(em()).toMatchObject({
    name: "em",
    options: { maxIterations: 200, tolerance: 1e-6, restarts: 0, prior: 1 },
  })
  expect(em({ start: { x: 1 } }).options.start).toEqual({ x: 1 })
})
