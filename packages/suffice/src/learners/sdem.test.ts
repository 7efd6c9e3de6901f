import { describe, expect, test } from "vitest"
import {
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
} from "../index.ts"
import { exp } from "../kernels/exp.ts"
import { normalCdf } from "../kernels/normal-cdf.ts"
import { learn, onlineEm, type SdemOptions, sdem } from "../learn.ts"

/** The toy of the slides: blue N(0, 3²), red 0.8·N(−5, 0.1²) + 0.2·N(5, 0.1²). */
function toy(seed: number, count: number) {
  const rolls = dice(seed)
  return Array.from({ length: count }, () => {
    const y = rolls.uniform() < 0.5 ? "blue" : "red"
    const x = y === "blue" ? 3 * rolls.normal() : (rolls.uniform() < 0.8 ? -5 : 5) + 0.1 * rolls.normal()
    return { y, x }
  })
}

/** P(right) under the toy's own distribution: the line is cut where the answer changes, and each piece measured exactly. */
function accuracy(fitted: {
  posterior(rows: { x: number }[]): { levels: readonly unknown[]; probabilities: Float64Array }
}) {
  const step = 0.005
  const xs = Array.from({ length: 6400 }, (_, i) => -16 + (i + 0.5) * step)
  const { levels, probabilities } = fitted.posterior(xs.map(x => ({ x })))
  const blue = levels.indexOf("blue")
  const within = (x: number, mean: number, sd: number): number =>
    normalCdf((x + step / 2 - mean) / sd) - normalCdf((x - step / 2 - mean) / sd)
  return xs.reduce(
    (sum, x, i) =>
      sum +
      0.5 *
        (probabilities[i * 2 + blue] > 0.5
          ? within(x, 0, 3)
          : 0.8 * within(x, -5, 0.1) + 0.2 * within(x, 5, 0.1)),
    0,
  )
}

describe("the toy of the slides, one Gaussian per class", () => {
  const model = classes("y", independent({ x: gaussian() }))
  test("counting is right 79 times in 100, conditional likelihood and hinge more than 91", async () => {
    const means = { counting: 0, ncll: 0, hinge: 0 }
    const seeds = [1, 2, 3, 4]
    for (const seed of seeds) {
      const rows = toy(seed, 30_000)
      means.counting += accuracy(await fit(model, rows)) / seeds.length
      for (const loss of ["ncll", "hinge"] as const) {
        const found = accuracy(await fit(model, rows, { learner: sdem({ loss, epochs: 2 }), seed }))
        expect(found).toBeGreaterThan(0.912)
        means[loss] += found / seeds.length
      }
    }
    expect(Math.abs(means.counting - 0.7905)).toBeLessThan(0.002)
    expect(means.ncll).toBeGreaterThan(0.92)
    expect(means.hinge).toBeGreaterThan(0.917)
  })
})

const people = (count: number, seed = 4) => {
  const rolls = dice(seed)
  return Array.from({ length: count }, (_, i) => ({
    y: ["a", "b"][i % 2],
    x: (i % 2) + rolls.normal(),
    z: rolls.normal() - 0.5 * (i % 2),
    u: ["m", "n", "o"][rolls.integer(3)],
    w: [`w${rolls.integer(5)}`, `w${rolls.integer(9)}`],
  }))
}

describe("limits", () => {
  const model = classes("y", independent({ x: gaussian(), u: categorical(), w: multinomial() }))
  test("online EM with ρ = 1/t on complete rows is counting", async () => {
    const rows = people(96)
    const learner = onlineEm({ epochs: 1, batch: 8, stepSize: { kind: "average" }, average: false })
    const online = await fit(model, rows, { learner })
    const counted = await fit(model, rows)
    online.posterior(rows).logs.forEach((log, j) => {
      expect(log).toBeCloseTo(counted.posterior(rows).logs[j], 10)
    })
  })

  test("and with weights counting with weights: a mini-batch that weighs more moves further", async () => {
    const rows = people(96).map((row, i) => ({ ...row, times: i % 7 === 0 ? 20 : 0.5 }))
    const learner = onlineEm({ epochs: 1, batch: 8, stepSize: { kind: "average" }, average: false })
    const online = await fit(model, rows, { learner, weight: "times" })
    const counted = await fit(model, rows, { weight: "times" })
    online.posterior(rows).logs.forEach((log, j) => {
      expect(log).toBeCloseTo(counted.posterior(rows).logs[j], 10)
    })
  })

  test("class weights mean the same in mini-batches as on all rows at once", async () => {
    const rolls = dice(2)
    const rows = Array.from({ length: 400 }, (_, i) => {
      const y = i % 20 === 0 ? "rare" : "common"
      return { y, x: (y === "rare" ? 1.5 : 0) + rolls.normal() }
    })
    const classWeights = { rare: 19 }
    const loss = async (batch: number, epochs: number): Promise<number> => {
      const learner = sdem({
        batch,
        epochs,
        classWeights,
        stepSize: { kind: "decay", rho: 0.1, decay: 0.02 },
      })
      const { levels, logs } = (
        await fit(classes("y", independent({ x: gaussian() })), rows, { learner })
      ).posterior(rows)
      return rows.reduce(
        (sum, { y }, i) => sum - (y === "rare" ? 19 : 1) * logs[i * 2 + levels.indexOf(y)],
        0,
      )
    }
    const whole = await loss(400, 1000)
    expect(Math.abs((await loss(16, 60)) / whole - 1)).toBeLessThan(0.01)
  })

  test("online EM with ρ = 1 on all rows at once is EM, step by step", async () => {
    const hidden = mixture(2, normal(["x", "z"]))
    const rows = people(60)
    const learner = onlineEm({ epochs: 5, batch: 60, stepSize: { kind: "constant", rho: 1 }, average: false })
    const online = await fit(hidden, rows, { learner, seed: 3 })
    const same = await fit(hidden, rows, { learner: em({ maxIterations: 5, tolerance: 0 }), seed: 3 })
    expect(online.training?.iterations).toBe(5)
    expect(Math.abs(mean(online.logDensity(rows)) - mean(same.logDensity(rows)))).toBeLessThan(1e-9)
  })

  test("sdEM with generative weight 1 is online EM", async () => {
    const rows = people(64)
    const options = { epochs: 2, batch: 16, stepSize: { kind: "power", power: 0.7, delay: 3 } as const }
    const all = classes("y", mixture(2, independent({ x: gaussian() })))
    const mixed = await fit(all, rows, { learner: sdem({ ...options, generative: 1 }), seed: 1 })
    const online = await fit(all, rows, { learner: onlineEm(options), seed: 1 })
    expect(mixed.posterior(rows)).toEqual(online.posterior(rows))
    expect(mixed.describe()).toEqual(online.describe())
  })

  test("conditional likelihood on tied gaussians goes to the optimum of logistic regression", async () => {
    const rows = people(400)
    const model = classes(
      "y",
      independent({ x: gaussian({ variance: "tied" }), z: gaussian({ variance: "tied" }) }),
    )
    const learner = sdem({
      prior: 0,
      epochs: 60,
      batch: 50,
      stepSize: { kind: "decay", rho: 0.2, decay: 0.02 },
    })
    const { levels, weights, bias } = (await fit(model, rows, { learner })).toLinear()
    const best = logistic(
      rows.map(({ x, z }) => [1, x, z]),
      rows.map(({ y }) => (y === levels[1] ? 1 : 0)),
    )
    const ours = [bias[1], ...weights[1]]
    best.forEach((weight, j) => void expect(Math.abs(ours[j] - weight)).toBeLessThan(0.03))
  })
})

/** Newton's method for two-class logistic regression on three features. */
function logistic(x: number[][], y: number[]): number[] {
  const w = [0, 0, 0]
  for (let step = 0; step < 30; step++) {
    const gradient = [0, 0, 0]
    const hessian = [0, 1, 2].map(() => [0, 0, 0])
    x.forEach((row, i) => {
      const p = 1 / (1 + exp(-row.reduce((sum, v, j) => sum + v * w[j], 0)))
      row.forEach((v, j) => {
        gradient[j] += (y[i] - p) * v
        row.forEach((u, k) => {
          hessian[j][k] += p * (1 - p) * v * u
        })
      })
    })
    const [a, b, c] = hessian
    const det = (m: number[][]): number =>
      m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
      m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
      m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    for (let j = 0; j < 3; j++) {
      const columns = [a, b, c].map((row, r) => row.map((v, k) => (k === j ? gradient[r] : v)))
      w[j] += det(columns) / det(hessian)
    }
  }
  return w
}

function mean(values: Float64Array): number {
  return values.reduce((sum, v) => sum + v, 0) / values.length
}

describe("what it says", () => {
  const rows = people(20)
  const model = classes("y", independent({ x: gaussian() }))
  test("options that cannot be are refused", () => {
    const wrong: SdemOptions[] = [
      { loss: "square" as "ncll" },
      { margin: 0 },
      { epochs: 0 },
      { batch: 1.5 },
      { generative: 2 },
      { prior: Number.NaN },
      { stepSize: { kind: "power", power: 0.3, delay: 1 } },
      { stepSize: { kind: "decay", rho: 0, decay: 0 } },
      { stepSize: "small" as never },
      { epoch: 3 } as never,
    ]
    const messages = wrong.map(options => {
      try {
        return sdem(options).name
      } catch (error) {
        return (error as Error).message
      }
    })
    expect(messages).toMatchInlineSnapshot(`
      [
        "sdem: loss is "square". It must be "ncll" or "hinge". Leave it out for the default.",
        "sdem: margin is 0. It must be a finite number above 0. Leave it out for the default.",
        "sdem: epochs is 0. It must be a whole number ≥ 1. Leave it out for the default.",
        "sdem: batch is 1.5. It must be a whole number ≥ 1. Leave it out for the default.",
        "sdem: generative is 2. It must be between 0 and 1. Leave it out for the default.",
        "sdem: prior is NaN. It must be a finite number ≥ 0. Leave it out for the default.",
        "sdem: power of stepSize is 0.3. It must be above ½ and at most 1. Leave stepSize out for the default.",
        "sdem: rho of stepSize is 0. It must be a finite number above 0. Leave stepSize out for the default.",
        "sdem: stepSize is "small". It says how far each step goes, as { kind: "average" | "power" | "decay" | "constant", … }. Leave it out for the default.",
        "sdem: there is no option "epoch". It knows "loss", "target", "margin", "epochs", "batch", "stepSize", "words", "average" and 6 more. Did you mean "epochs"?",
      ]
    `)
  })

  test("a misspelt option of onlineEm is refused", () => {
    expect(() => onlineEm({ stepsize: 1 } as never)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: onlineEm: there is no option "stepsize". It knows "epochs", "batch", "stepSize", "average", "warmup", "prior" and "unlabelled". Did you mean "stepSize"?]`,
    )
  })

  test("information criteria are refused: the likelihood of all rows was never computed", async () => {
    const fitted = await fit(model, rows, { learner: sdem({ epochs: 1 }) })
    expect(() => fitted.criteria()).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the learner saw a few rows at a time and never weighed its last parameters on all of them. Information criteria need that likelihood. Learn by em(), or compare models by evaluate() on held-out rows.]`,
    )
    expect(JSON.stringify(load(JSON.stringify(fitted)))).toBe(JSON.stringify(fitted))
  })

  test("targets that cannot be are refused", async () => {
    await expect(
      fit(model, rows, { learner: sdem({ target: "X" }) }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: "X" cannot be a target. The model has "y" and "x". Did you mean "x"?]`,
    )
    await expect(
      fit(model, rows, { learner: sdem({ loss: "hinge", target: "x" }) }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the hinge loss needs wrong values to compare with, but "x" is a number. Every other number is one. Use loss: "ncll", which is regression.]`,
    )
    await expect(
      fit(independent({ x: gaussian() }), rows, { learner: sdem() }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model has no label, and no target is named. What to learn to predict cannot be guessed. Name one of "x": { target: … }.]`,
    )
  })
})

describe("without being told, it goes over the rows", () => {
  const words = classes("y", independent({ text: multinomial() }))
  const raw = classes("y", independent({ text: multinomial({ scaling: "raw" }) }))
  const mixed = classes("y", independent({ text: multinomial(), x: gaussian() }))
  const rows = (count: number) => people(count).map(({ y, x }, i) => ({ y, x, text: `${y} word${i % 7}` }))
  const passes = async (model: typeof words | typeof mixed, count: number, options: SdemOptions) => {
    for await (const { of } of learn(model, rows(count), { learner: sdem(options) })) if (of) return of
    return undefined
  }

  test("20 times, and where nothing but words of one norm moves 3 times, with hinge 10 times", async () => {
    expect(await passes(mixed, 250, { batch: 1 })).toBe(20)
    expect(await passes(words, 700, { batch: 1 })).toBe(3)
    expect(await passes(words, 250, { batch: 1, loss: "hinge" })).toBe(10)
    expect(await passes(raw, 250, { batch: 1 })).toBe(20)
    // then words are statistics as any other
    expect(await passes(words, 250, { batch: 1, generative: 0.5 })).toBe(20)
    expect(await passes(words, 250, { batch: 1, epochs: 3 })).toBe(3)
  })

  test("as often as makes 2,000 steps, where there are few", async () => {
    expect(await passes(words, 100, { batch: 10 })).toBe(200)
    expect(await passes(words, 250, { batch: 1 })).toBe(8)
    expect(await passes(mixed, 100, { batch: 10 })).toBe(200)
  })
})

test("words start with 20 above what was counted; where every class moves, with less the more there are", async () => {
  const model = classes("y", independent({ text: multinomial() }))
  const rows = Array.from({ length: 90 }, (_, i) => ({
    y: `class ${i % 3}`,
    text: `word${i % 3} word${i % 7}`,
  }))
  const learned = async (options: SdemOptions) =>
    JSON.stringify((await fit(model, rows, { learner: sdem({ epochs: 2, ...options }) })).describe())
  const ncll = await learned({})
  expect(ncll).toBe(await learned({ words: { inertia: 20 / Math.sqrt(2 * 3) } }))
  expect(ncll).not.toBe(await learned({ words: { inertia: 20 } }))
  const hinge = await learned({ loss: "hinge" })
  expect(hinge).toBe(await learned({ loss: "hinge", words: { inertia: 20 } }))
})

describe("statistics of a step are made for who asks", () => {
  const model = classes("y", independent({ text: multinomial() }))
  const rows = (distinct: number) =>
    people(40).map(({ y }, i) => ({
      y,
      text: Array.from({ length: distinct }, (_, w) => `${y}${i}x${w}`).join(" "),
    }))
  const steps = async (distinct: number) => {
    const found = []
    for await (const step of learn(model, rows(distinct), { learner: sdem({ epochs: 3 }) })) found.push(step)
    return found
  }

  test("asked before the next step or at the end, they are those of the step", async () => {
    const asked = []
    const data = rows(900)
    for await (const step of learn(model, data, { learner: sdem({ epochs: 3 }) })) {
      if (step.run > 0) asked.push(JSON.stringify(step.fitted().describe()))
    }
    expect(new Set(asked).size).toBe(3)
    const ends = []
    for (const epochs of [1, 2, 3]) {
      const learner = sdem({ epochs, average: false })
      ends.push(JSON.stringify((await fit(model, data, { learner })).describe()))
    }
    const words = (text: string) => Object.values(JSON.parse(text).y.given)
    expect(asked.map(words)).toEqual(ends.map(words))
  })

  test("small ones are kept with every step, large ones until the next", async () => {
    const [, first] = await steps(20)
    expect(first.fitted().training!.iterations).toBe(1)
    const large = await steps(900)
    expect(large.at(-1)!.fitted().training!.iterations).toBe(3)
    expect(() => large[1].fitted()).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model of epoch 1 is gone. More than 65536 statistics are not kept with every step. Call fitted() before the next step.]`,
    )
  })
})
