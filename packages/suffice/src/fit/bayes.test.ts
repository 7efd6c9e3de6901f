/** bayes() from end to end: what it answers, and what it refuses. The laws of posteriors are in laws/belief-laws.ts. */
import { describe, expect, test } from "vitest"
import { gaussianKind } from "../families/gaussian.ts"
import {
  bernoulli,
  categorical,
  chain,
  classes,
  dice,
  em,
  exponential,
  fit,
  gamma,
  gaussian,
  geometric,
  given,
  independent,
  linear,
  load,
  logNormal,
  mixture,
  multinomial,
  network,
  normal,
  plate,
  poisson,
  topics,
  wordSet,
} from "../index.ts"
import { logGamma } from "../kernels/log-gamma.ts"
import { bayes, beliefs, learn, sdem } from "../learn.ts"
import { average, choose } from "../measure.ts"
import { loadPredictor } from "../predict.ts"

const learner = bayes()
const roll = dice(3)
const points = Array.from({ length: 60 }, (_, i) => ({
  kind: i % 3 === 0 ? "near" : "far",
  x: (i % 3 === 0 ? 0 : 6) + roll.normal(),
  y: roll.normal(),
}))
const x = independent({ x: gaussian() })

function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

/** Its message, in one line. */
async function refusal(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    return (error as Error).message
  }
  return "it went through"
}

describe("evidence", () => {
  test("of a coin is the number of ways to throw it: ln 1/((n + 1) C(n, k))", async () => {
    const coins = [true, true, false, true, false].map(coin => ({ coin }))
    const { evidence } = await fit(independent({ coin: bernoulli() }), coins, { learner })
    expect(evidence.exact).toBe(true)
    expect(evidence.value).toBeCloseTo(-Math.log(6 * 10), 12)
  })

  // in the units of the data: a default prior would depend on the labels
  const bodies = {
    "gaussian and poisson": independent({
      n: poisson({ prior: { rate: 3, strength: 1 } }),
      x: gaussian({ prior: { mean: 1, strength: 0.5, sd: 2, degrees: 3 } }),
    }),
    "waiting times, their counts and products": independent({
      n: geometric({ prior: { mean: 3, strength: 0.7 } }),
      w: exponential({ prior: { mean: 2, strength: 0.5 } }),
      a: logNormal({ prior: { logMean: 0.5, strength: 0.5, logSd: 1, degrees: 2 } }),
    }),
    "tied gaussians": independent({
      x: gaussian({ variance: "tied", prior: { mean: 1, strength: 0.5, sd: 2, degrees: 3 } }),
    }),
    "levels and words": independent({ u: categorical(), b: bernoulli(), t: multinomial() }),
    "sets of words": independent({ t: wordSet() }),
    normals: normal(["x", "n"], {
      prior: {
        mean: { x: 1, n: 3 },
        strength: 0.5,
        degrees: 4,
        covariance: { x: { x: 3, n: 1 }, n: { x: 1, n: 9 } },
      },
    }),
    lines: linear("x", ["n"], {
      prior: {
        intercept: 0,
        coefficients: { n: 0.5 },
        strength: 1,
        sd: 1,
        degrees: 3,
        on: { mean: { n: 3 }, covariance: { n: { n: 9 } } },
      },
    }),
  }
  test.each(
    Object.entries(bodies).flatMap(([name, body]) => [
      [2, name, body] as const,
      ...(name === "normals" ? [[3, name, body] as const] : []),
    ]),
  )(
    "of a mixture of %i %s lies below the sum over all ways to assign its rows, in every step",
    async (k, _, body) => {
      const rows = [0, 1, 7, 9, 8, 2].slice(0, 8 - k).map((n, i) => ({
        n,
        x: n / 2 + Math.sin(i),
        w: n / 3 + i / 5,
        a: 1 + n * n,
        u: n > 4 ? "p" : "q",
        b: n % 2 === 0,
        t: n > 4 ? "sun moon sun" : "rain",
      }))
      let whole = Number.NEGATIVE_INFINITY
      const levels = ["a", "b", "c"].slice(0, k)
      const given = classes("z", body as never, { levels, prior: 1 })
      for (let way = 0; way < k ** rows.length; way++) {
        const seen = rows.map((row, i) => ({ ...row, z: levels[Math.floor(way / k ** i) % k] }))
        const { value } = (await fit(given as never, seen as never, { learner })).evidence
        const most = Math.max(whole, value)
        whole = most + Math.log(Math.exp(whole - most) + Math.exp(value - most))
      }
      for (const seed of [1, 2]) {
        let before = Number.NEGATIVE_INFINITY
        for await (const step of learn(mixture(k, body as never) as never, rows as never, {
          learner,
          seed,
        })) {
          expect(step.objective).toBeLessThan(whole)
          expect(step.objective).toBeGreaterThanOrEqual(before - 1e-10 * Math.abs(before))
          before = step.objective
        }
        // one of k! equal modes: nearly all that there is, up to ln k!
        expect(whole - before).toBeLessThan(Math.log(k * (k - 1)) + 2)
      }
    },
  )

  test("of broken sticks lies below the sum over all ways to assign the rows to them", async () => {
    const body = independent({ x: gaussian({ prior: { mean: 1, strength: 0.5, sd: 2, degrees: 3 } }) })
    const rows = [0, 0.4, 6, 7, -1].map(x => ({ x }))
    const [k, concentration] = [3, 0.6]
    const known = new Map<string, number>([["", 0]])
    let whole = Number.NEGATIVE_INFINITY
    for (let way = 0; way < k ** rows.length; way++) {
      const z = rows.map((_, i) => Math.floor(way / k ** i) % k)
      // ln p(z) = Σ_j ln B(1 + n_j, c + Σ_{l>j} n_l) / B(1, c)
      let value = 0
      for (let j = 0; j < k; j++) {
        const own = rows.filter((_, i) => z[i] === j)
        const key = own.map(({ x }) => x).join(" ")
        if (!known.has(key)) known.set(key, (await fit(body, own, { learner })).evidence.value)
        value += known.get(key)!
        if (j === k - 1) continue
        const [a, b] = [1 + own.length, concentration + z.filter(l => l > j).length]
        value += logGamma(a) + logGamma(b) - logGamma(a + b) + Math.log(concentration)
      }
      const most = Math.max(whole, value)
      whole = most + Math.log(Math.exp(whole - most) + Math.exp(value - most))
    }
    const sticks = mixture(k, body, { weights: "sticks", concentration })
    for (const seed of [1, 2, 3]) {
      for await (const step of learn(sticks, rows, { learner, seed })) {
        expect(step.objective).toBeLessThan(whole)
        expect(whole - step.objective).toBeLessThan(20)
      }
    }
  })

  test("chooses the number of groups, and says why", async () => {
    const numbers = Array.from({ length: 80 }, (_, i) => ({ x: [0, 9][i % 2] + roll.normal() }))
    const models = [1, 2, 3].map(k => ({ name: String(k), model: mixture(k, x) }))
    const chosen = await choose(models, numbers, {
      criterion: "evidence",
      learners: { bayes: bayes({ restarts: 2 }) },
    })
    expect(chosen.model).toBe("2")
    expect(chosen.why).toMatch(/^2 has the highest evidence of 3, ln p\(rows\) = -\d/)
    expect(chosen.trials.map(({ evidence }) => evidence?.exact)).toEqual([true, false, false])
    const silent = await choose(models, numbers, { learners: { bayes: bayes({ restarts: 2 }) } })
    expect(silent.criterion).toBe("evidence")
    expect(silent.trials).toEqual(chosen.trials)
    // by evidence alone it is bayes()
    const usual = await choose(models.slice(0, 1), numbers, { criterion: "evidence" })
    expect(usual.trials.map(({ learner }) => learner)).toEqual(["bayes"])
    expect(usual.trials[0].score).toBe(chosen.trials[0].score)
    const learners = { em: em() }
    expect(
      await refusal(() => choose(models, numbers, { criterion: "evidence", learners })),
    ).toMatchInlineSnapshot(
      `"choose: the criterion is "evidence", but "em" keeps no posterior. The evidence integrates over the parameters. Write { learners: { bayes: bayes() } }, with bayes from "suffice/learn"."`,
    )
  })

  test("weighs models that answer together", async () => {
    const shared = await fit(classes("kind", independent({ x: gaussian({ variance: "tied" }) })), points, {
      learner,
    })
    const own = await fit(classes("kind", x), points, { learner })
    const both = average([shared, own])
    const odds = Math.exp(shared.evidence.value - own.evidence.value)
    expect(both.weights[0]).toBeCloseTo(odds / (1 + odds), 12)
    const asked = [{ x: 2.5 }, { x: 3.4 }]
    const p = [shared.posterior(asked), own.posterior(asked), both.posterior(asked)].map(
      ({ probabilities }) => probabilities[0],
    )
    expect(p[2]).toBeCloseTo(both.weights[0] * p[0] + both.weights[1] * p[1], 12)
    expect(both.predict(asked).map(({ value }) => value)).toHaveLength(2)
    const row = [{ kind: "far", x: 1 }]
    const [a, b, c] = [shared.logDensity(row)[0], own.logDensity(row)[0], both.logDensity(row)[0]]
    expect(Math.exp(c)).toBeCloseTo(both.weights[0] * Math.exp(a) + both.weights[1] * Math.exp(b), 12)
    const [number] = both.predict([{ kind: "far" }], { target: "x" }) as unknown as {
      value: number
      interval: number[]
    }[]
    expect(number.interval[0]).toBeLessThan(number.value)
    expect(number.value).toBeLessThan(number.interval[1])
  })

  test("of a stochastic posterior is a bound, below that of one sweep over rows with nothing hidden", async () => {
    const rows = points.map(({ x }) => ({ x }))
    const whole = await fit(x, rows, { learner })
    const counting = bayes({ batch: 20, epochs: 1, stepSize: { kind: "average" } })
    const small = await fit(x, rows, { learner: counting })
    expect(small.evidence.exact).toBe(false)
    expect(small.evidence.value).toBeLessThanOrEqual(whole.evidence.value + 1e-9)
    const streamed = await fit(
      x,
      (async function* () {
        yield rows
      })(),
      { learner: bayes({ batch: 20, warmup: 30 }) },
    )
    expect(streamed.predict([{ x: null }], { target: "x" })[0].value).toBeCloseTo(
      whole.predict([{ x: null }], { target: "x" })[0].value,
      0,
    )
    expect(await refusal(() => streamed.evidence)).toMatchInlineSnapshot(
      `"evidence: the model was learned from a stream, whose rows were read once. The evidence needs a pass over all rows with the last posterior. Fit it to data that can be read again."`,
    )
  })
})

describe("a posterior", () => {
  test("is saved, loaded and shown in a page as it answers", async () => {
    const fitted = await fit(classes("kind", x), points, { learner })
    const text = JSON.stringify(fitted)
    const asked = [{ x: 3 }, { x: 1e6 }]
    const wanted = fitted.posterior(asked).probabilities
    expect(load(text).posterior(asked).probabilities).toEqual(wanted)
    expect(load(text).evidence).toEqual(fitted.evidence)
    expect(loadPredictor(text, { families: [gaussianKind], beliefs }).posterior(asked).probabilities).toEqual(
      wanted,
    )
    expect(await refusal(() => loadPredictor(text, { families: [gaussianKind] }))).toMatchInlineSnapshot(
      `"the model file has a posterior, learned by bayes(). Pages that predict carry no beliefs about parameters unless they ask for them. Pass them: { beliefs }, imported from "suffice/learn"."`,
    )
  })

  test("of A and then of B is that of both, to the bit, and forgetting nothing changes nothing", async () => {
    const height = independent({
      x: gaussian({ prior: { mean: 3, strength: 1, sd: 3, degrees: 2 } }),
      n: categorical({ levels: ["a", "b"] }),
    })
    const rows = points.map(({ x }, i) => ({ x: Math.round(8 * x) / 8, n: i % 2 ? "a" : "b" }) as const)
    // the same schema: the door goes by the first rows
    const first = await fit(height, rows.slice(0, 40), { learner })
    const then = await first.update(rows.slice(40))
    const same = await first.update(rows.slice(40), { forget: 1 })
    const none = await then.update(
      [
        { ...rows[0], w: 0 },
        { ...rows[1], w: 0 },
        { ...rows[2], w: 1e-300 },
      ],
      { weight: "w" },
    )
    expect(then.describe()).toEqual(same.describe())
    expect(none.evidence.value).toBeCloseTo(then.evidence.value, 12)
    const again = await (await first.update(rows.slice(40, 50))).update(rows.slice(50))
    expect(again.credible()).toEqual(then.credible())
    expect(again.evidence).toEqual(then.evidence)
  })

  test("of levels answers as em() with a prior of one row on the labels, and A and then B is A ∪ B", async () => {
    const table = Array.from({ length: 50 }, (_, i) => ({
      y: ["p", "q", "r"][roll.integer(3)],
      u: ["a", "b", "c", "d"][roll.integer(4)],
      v: ["s", "t"][(i + roll.integer(2)) % 2],
      w: roll.uniform() < 0.3,
    }))
    const columns = independent({ u: categorical(), v: categorical(), w: bernoulli() })
    const one = await fit(classes("y", columns), table, { learner })
    const other = await fit(classes("y", columns, { prior: 1 }), table)
    const [p, q] = [one.posterior(table).probabilities, other.posterior(table).probabilities]
    p.forEach((value, j) => {
      expect(Math.abs(value - q[j])).toBeLessThan(1e-12)
    })
    const first = await fit(classes("y", columns), table.slice(0, 40), { learner })
    const then = await first.update(table.slice(40))
    expect(then.credible()).toEqual(one.credible())
    expect(then.evidence).toEqual(one.evidence)
  })

  test("of a million rows answers as em()", async () => {
    const model = classes("kind", independent({ x: gaussian(), y: gaussian({ variance: "tied" }) }), {
      prior: 1,
    })
    const rows = points.map(point => ({ ...point, weight: 1e6 / points.length }))
    const [one, other] = await Promise.all(
      [learner, em()].map(learner => fit(model, rows, { weight: "weight", learner })),
    )
    other.logDensity(points).forEach((value, i) => {
      expect(Math.abs(one.logDensity(points)[i] - value)).toBeLessThan(1e-4)
    })
  })

  test("that forgets follows what changes: f^k is left of the rows k updates ago, and all of the prior", async () => {
    const prior = { mean: 3, strength: 0.1, sd: 3, degrees: 2 }
    let kept = await fit(independent({ x: gaussian({ prior }) }), points.slice(0, 30), { learner })
    let forgot = kept
    let [count, sum] = [30, points.slice(0, 30).reduce((sum, { x }) => sum + x, 0)]
    for (const { y } of points.slice(30)) {
      kept = await kept.update([{ x: 50 + y }])
      forgot = await forgot.update([{ x: 50 + y }], { forget: 0.7 })
      ;[count, sum] = [0.7 * count + 1, 0.7 * sum + 50 + y]
    }
    const [a, b] = [kept, forgot].map(model => model.predict([{ x: null }], { target: "x" })[0])
    expect(b.value).toBeCloseTo((prior.strength * prior.mean + sum) / (prior.strength + count), 9)
    expect(Math.abs(b.value - 50)).toBeLessThan(2)
    expect(Math.abs(a.value - 50)).toBeGreaterThan(15)
  })

  test("has intervals around what it describes, and draws that fall into them", async () => {
    const model = classes("kind", independent({ x: gaussian(), y: gaussian({ variance: "tied" }) }))
    const fitted = await fit(model, points, { learner })
    type Far = { kind: { given: { far: { x: { mean: never; sd: never } } } } }
    const { mean, sd } = (fitted.credible({ probability: 0.8 }) as unknown as Far).kind.given.far.x as Record<
      string,
      { value: number; interval: [number, number] }
    >
    const described = (fitted.describe() as unknown as Far).kind.given.far.x as Record<string, number>
    expect([mean.value, sd.value]).toEqual([described.mean, described.sd])
    const drawn = fitted
      .draws(400, { seed: 2 })
      .map(one => (one as unknown as Far).kind.given.far.x as Record<string, number>)
    for (const [name, { interval }] of Object.entries({ mean, sd })) {
      const inside = drawn.filter(one => one[name] > interval[0] && one[name] < interval[1]).length
      expect(inside / 400).toBeGreaterThan(0.74)
      expect(inside / 400).toBeLessThan(0.86)
    }
    expect(fitted.draws(2, { seed: 2 })).toEqual(fitted.draws(400, { seed: 2 }).slice(0, 2))
  })

  test("of broken sticks leaves components empty that are not needed", async () => {
    const rows = Array.from({ length: 200 }, (_, i) => ({ x: [0, 20][i % 2] + roll.normal() }))
    const fitted = await fit(mixture(8, x, { name: "z", weights: "sticks", concentration: 0.1 }), rows, {
      learner: bayes({ maxIterations: 500 }),
      seed: 4,
    })
    const { trace } = fitted.training!
    for (let t = 1; t < trace.length; t++) expect(trace[t]).toBeGreaterThanOrEqual(trace[t - 1] - 1e-9)
    const { probabilities } = (fitted.describe() as { z: { probabilities: Record<string, number> } }).z
    const shares = Object.values(probabilities).sort((a, b) => b - a)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
    expect(shares.filter(share => share > 0.02)).toHaveLength(2)
    expect(load(JSON.stringify(fitted)).logDensity(rows)).toEqual(fitted.logDensity(rows))
  })

  test("of no rows answers from the prior", async () => {
    const prior = { mean: 170, strength: 5, sd: 10, degrees: 4 }
    const fitted = await fit(mixture(2, independent({ x: gaussian({ prior }) })), [], { learner })
    expect(fitted.evidence).toEqual({ value: 0, exact: true })
    expect(fitted.predict([{ x: null }], { target: "x" })[0].value).toBe(170)
  })

  test("of more components than rows leaves the others as they were believed", async () => {
    const rows = [{ x: 1 }, { x: 2 }]
    const prior = { mean: 0, strength: 1, sd: 1, degrees: 3 }
    for (const options of [{}, { weights: "sticks", concentration: 1 }] as const) {
      const model = mixture(20, independent({ x: gaussian({ prior }) }), { name: "z", ...options })
      const fitted = await fit(model, rows, { learner })
      const { probabilities, given } = (
        fitted.describe() as never as {
          z: { probabilities: Record<string, number>; given: Record<string, { x: { mean: number } }> }
        }
      ).z
      expect(Object.values(probabilities).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
      // m₀ = 0 counts as one row, and both rows are at most two: m_k = Σ r·x/(1 + n_k) ≤ 3/3
      expect(Object.values(given).every(({ x }) => x.mean >= 0 && x.mean <= 1)).toBe(true)
      expect(Object.values(given).some(({ x }) => x.mean > 0.05)).toBe(true)
    }
  })

  test("is finite with one row, constant columns, more columns than rows, and numbers of 1e±150", async () => {
    const names = ["a", "b", "c", "d"]
    const tables = [
      [{ a: 1, b: 2, c: 3, d: 4 }],
      [
        { a: 1, b: 1, c: 1, d: 1 },
        { a: 1, b: 1, c: 1, d: 1 },
      ],
      [
        { a: 1e150, b: 1e-150, c: 0, d: 1 },
        { a: -2e150, b: 3e-150, c: 0, d: 2 },
      ],
    ]
    for (const rows of tables)
      for (const model of [
        normal(names),
        normal(names, { covariance: "spherical" }),
        independent({ a: gaussian(), b: gaussian() }),
        linear("a", ["b", "c"]),
        mixture(2, normal(names)),
        classes("d", independent({ a: gaussian(), b: gaussian({ variance: "tied" }) })),
        network({ c: gaussian(), d: categorical(), a: given(["c", "d"], gaussian()) }),
        // of numbers above 0
        independent({ a: rows.length > 1 && rows[1].a < 0 ? gaussian() : logNormal(), b: exponential() }),
        mixture(2, independent({ a: gaussian(), b: logNormal() })),
      ]) {
        const fitted = await fit(model as never, rows as never, { learner })
        expect(Number.isFinite(fitted.evidence.value)).toBe(true)
        expect(numbersIn([fitted.credible(), fitted.draws(3)]).filter(x => !Number.isFinite(x))).toEqual([])
        const [{ value, sd, interval }] = fitted.predict(
          rows as never,
          { target: "a" } as never,
        ) as never as { value: number; sd: number; interval: number[] }[]
        expect([value, sd, ...interval].every(Number.isFinite)).toBe(true)
      }
  })
})

describe("refused are", () => {
  const rows = [
    { x: 1, z: 2, k: "a", n: 1 },
    { x: 2, z: 1, k: "b", n: 2 },
  ]
  const of = (model: unknown, by = learner) =>
    refusal(() => fit(model as never, rows as never, { learner: by }))

  test.each([
    [
      { mean: 1, strength: 0, sd: 1, degrees: 1 },
      'gaussian: strength in the prior of "x" is 0. It counts pseudo-rows, and with none the prior is improper. Give a finite number above 0, in the units of the data.',
    ],
    [
      { mean: 1, strength: 1, sd: 0, degrees: 1 },
      'gaussian: sd in the prior of "x" is 0. A spread is positive. Give a finite number above 0, in the units of the data.',
    ],
    [
      { mean: 1, strength: 1, sd: -1, degrees: 1 },
      'gaussian: sd in the prior of "x" is -1. A spread is positive. Give a finite number above 0, in the units of the data.',
    ],
    [
      { mean: 1, strength: 1, sd: 1, degrees: 0 },
      'gaussian: degrees in the prior of "x" is 0. With so few degrees of freedom the prior of a spread is improper. Give a finite number above 0, in the units of the data.',
    ],
    [
      { men: 1 },
      'gaussian: the prior of "x" has "men". It knows "mean", "strength", "sd" and "degrees". Did you mean "mean"?',
    ],
    [
      0,
      'gaussian: the prior of "x" is 0, and bayes() learns it. Evidence needs a proper prior. Give a number above 0, or leave it out.',
    ],
  ])("%j as the prior of a number", async (prior, sentence) => {
    expect(await of(independent({ x: gaussian({ prior: prior as never }) }))).toBe(sentence)
  })

  test("improper priors of others", async () => {
    const eye = { x: { x: 1, z: 0 }, z: { x: 0, z: 1 } }
    const mean = { x: 0, z: 0 }
    const two = (prior: unknown) => of(normal(["x", "z"], { prior: prior as never }))
    expect(await two({ mean, strength: 1, degrees: 1, covariance: eye })).toMatchInlineSnapshot(
      `"normal: degrees in the prior of "x" and "z" is 1. With so few degrees of freedom the prior of a spread is improper. Give a finite number above 1, in the units of the data."`,
    )
    expect(
      await two({ mean, strength: 1, degrees: 3, covariance: { x: { x: 1, z: 2 }, z: { x: 2, z: 1 } } }),
    ).toMatchInlineSnapshot(
      `"normal: the prior cannot be used. normal: the covariance leaves column "z" no variance of its own, given the columns before it. A covariance must be positive definite. Give the parameters as describe() prints them, or add a little to the diagonal."`,
    )
    expect(await two({ mean: { x: 0 }, strength: 1, degrees: 3, covariance: eye })).toMatchInlineSnapshot(
      `"normal: the prior cannot be used. normal: "mean" of column "z" is undefined. It must be a finite number. Give the parameters as describe() prints them."`,
    )
    expect(
      await two({ mean: { x: 0, z: 0, q: 1 }, strength: 1, degrees: 3, covariance: eye }),
    ).toMatchInlineSnapshot(
      `"normal: mean in the prior of "x" and "z" has "q", which is none of "x" and "z". Nothing can be believed of it. Leave it out."`,
    )
    expect(
      await of(
        independent({ k: categorical({ prior: { probabilities: { a: 0.5, c: 0.5 }, strength: 1 } }) }),
      ),
    ).toMatchInlineSnapshot(
      `"categorical: probabilities in the prior of "k" has "c", which is none of "a" and "b". Nothing can be believed of it. Leave it out."`,
    )
    expect(
      await of(independent({ k: categorical({ prior: { probabilities: { a: 1, b: 0 }, strength: 1 } }) })),
    ).toMatchInlineSnapshot(
      `"categorical: the probabilities in the prior of "k" are 1, 0 for "a" and "b". A proper prior gives every level a probability above 0, and they add up to 1. Give one for each level."`,
    )
    expect(await of(independent({ n: poisson({ prior: { rate: 0, strength: 1 } }) }))).toMatchInlineSnapshot(
      `"poisson: rate in the prior of "n" is 0. A rate is positive. Give a finite number above 0, in the units of the data."`,
    )
  })

  test("an elicited prior with another learner, and learners with no prior", async () => {
    const believed = independent({ x: gaussian({ prior: { mean: 1, strength: 1, sd: 1, degrees: 1 } }) })
    expect(await of(believed, em())).toMatchInlineSnapshot(
      `"em: "gaussian" of "x" has a prior in the units of the data. Only a posterior uses it, and em estimates parameters. Learn by bayes(), or give prior a number."`,
    )
    expect(await refusal(() => bayes({ prior: 0 }))).toMatchInlineSnapshot(
      `"bayes: prior is 0. It must be a number above 0, as evidence needs a proper prior, and at most 1e9, beyond which it is lost to rounding. Leave it out for the default."`,
    )
    expect(await refusal(() => bayes({ batch: 10, restarts: 2 }))).toMatchInlineSnapshot(
      `"bayes: restarts is given beside options of small steps. batch, stepSize, epochs and warmup make learning stochastic, and it then takes no sweeps. Give one or the other."`,
    )
  })

  test("what keeps no posterior", async () => {
    const byEm = await fit(x, points)
    expect(await refusal(() => byEm.evidence)).toMatchInlineSnapshot(
      `"evidence: the model was learned by "em", which keeps an estimate of the parameters and no posterior. What is asked depends on the posterior. Learn it by bayes(), from "suffice/learn"."`,
    )
    const bySdem = await fit(classes("kind", x), points, { learner: sdem({ epochs: 1 }) })
    expect(await refusal(() => bySdem.evidence)).toMatch(/^evidence: the model was learned by "sdem"/)
    expect(await refusal(() => byEm.credible())).toMatch(/^credible: the model was learned by "em"/)
    expect(await refusal(() => byEm.draws(1))).toMatch(/^draws: the model was learned by "em"/)
    const byBayes = await fit(x, points, { learner })
    expect(await refusal(() => byBayes.criteria())).toMatchInlineSnapshot(
      `"criteria: the model is a posterior, learned by bayes(). AIC, BIC and ICL weigh the likelihood at one estimate of the parameters. Compare models by their evidence, or learn by em()."`,
    )
    expect(await refusal(() => byBayes.credible({ probability: 1 }))).toMatchInlineSnapshot(
      `"credible: probability is 1. It must lie between 0 and 1. Write for example { probability: 0.9 }."`,
    )
    expect(await refusal(() => byBayes.update(points, { forget: 0 }))).toMatchInlineSnapshot(
      `"update: forget is 0. It must be above 0 and at most 1. Write for example { forget: 0.99 }."`,
    )
    expect(await refusal(() => byBayes.update(points, { forget: 1.5 }))).toMatch(/forget is 1.5/)
  })

  test("models that are not of the same rows", async () => {
    const one = await fit(x, points, { learner })
    const fewer = await fit(x, points.slice(1), { learner })
    const other = await fit(independent({ y: gaussian() }), points, { learner })
    const bound = await fit(mixture(2, x), points, { learner })
    expect(await refusal(() => average([one, fewer]))).toMatchInlineSnapshot(
      `"average: model 0 was learned from 60 rows, model 1 from 59. Their evidence is of other data, and cannot be compared. Fit them to the same rows."`,
    )
    // as many rows, and others: what statistics say of the columns tells them apart, whatever the models
    const tables = [
      points,
      points.map(({ kind, x, y }) => ({ kind: kind === "far" ? "near" : "far", x: x + 1, y })),
    ]
    const pairs: [string, unknown, unknown][] = [
      ['the mean of "x" is', independent({ x: gaussian(), y: gaussian() }), normal(["x", "y"])],
      [
        'the share of "far" in "kind" is',
        classes("kind", x),
        classes("kind", independent({ x: gaussian({ variance: "tied" }) })),
      ],
      ['the mean of "x" is', mixture(2, x), mixture(3, x)],
      ['the mean of "x" is', linear("x", ["y"]), linear("x", ["y"], { prior: 3 })],
    ]
    for (const [says, a, b] of pairs) {
      const [same, also, apart] = await Promise.all(
        [
          [a, 0],
          [b, 0],
          [b, 1],
        ].map(([model, t]) => fit(model as never, tables[t as number] as never, { learner })),
      )
      expect(average([same, also]).weights[0]).toBeGreaterThan(0)
      expect(await refusal(() => average([same, apart]))).toContain(`learned from as many rows, but ${says}`)
      const bit = await fit(b as never, tables[0].slice(0, 30) as never, { learner })
      expect(average([same, await bit.update(tables[0].slice(30) as never)]).weights).toHaveLength(2)
    }
    const later = await fit(
      x,
      points.map(({ x }) => ({ x: x + 1 })),
      { learner },
    )
    expect(await refusal(() => average([one, later]))).toMatch(
      /^average: models 0 and 1 were learned from as many rows, but the mean of "x" is \S+ in the rows of one and \S+ in those of the other. Their evidence is of other data, and cannot be compared. Fit them to the same rows.$/,
    )
    expect(await refusal(() => average([one, other] as never))).toMatchInlineSnapshot(
      `"average: model 0 is of "x", model 1 of "y". Their evidence is of other data, and cannot be compared. Average models of the same columns."`,
    )
    expect(await refusal(() => average([one, bound] as never))).toMatchInlineSnapshot(
      `"average: the evidence of model 1 is a bound, that of model 0 is exact. A bound is too low by an unknown amount, so its model would count for too little. Average models in which nothing is hidden, or accept it with { bounds: true }."`,
    )
    expect(average([one, bound] as never, { bounds: true }).weights[0]).toBeGreaterThan(0)
    expect(await refusal(() => average([one, "two"] as never))).toMatchInlineSnapshot(
      `"average: model 1 is "two". Only a fitted model has evidence to be weighed by. Give a list of models that bayes() has learned."`,
    )
    expect(await refusal(() => average([]))).toMatchInlineSnapshot(
      `"average: the models are a list of 0. There must be at least one to answer. Give a list of models that bayes() has learned."`,
    )
  })

  test("families, structures and documents without a posterior", async () => {
    expect(await of(independent({ x: gamma() }))).toMatchInlineSnapshot(
      `"bayes: gamma of "x" has no posterior here. Posteriors are kept where counting updates them: of "bernoulli", "categorical", "exponential", "gaussian", "geometric", "linear", "logNormal", "multinomial", "normal", "poisson" and "wordSet", and of the switches classes and mixture. Use one of these, or another learner."`,
    )
    const words = [{ text: "sun moon" }, { text: "rain" }]
    const on = (model: unknown, data: unknown) =>
      refusal(() => fit(model as never, data as never, { learner }))
    expect(await on(topics(2, "text"), words)).toMatch(/^bayes: topics of "text" has no posterior here/)
    expect(await on(independent({ text: multinomial({ scaling: "tfidf" }) }), words)).toMatchInlineSnapshot(
      `"bayes: the documents in "text" are scaled ("tfidf"), so their counts are no counts of words. There is no distribution to keep a posterior of. Use multinomial({ scaling: "raw" })."`,
    )
    const steps = [{ days: [{ x: 1 }, { x: 2 }] }, { days: [{ x: 1 }] }]
    for (const model of [chain(2, x, { column: "days" }), plate("days", x)])
      expect(await on(model, steps)).toBe(
        'bayes: "days" holds steps. The steps of a row share parameters, so with these integrated out no step is independent of the others, and predictions here go cell by cell. Use em(), or make a row of every step.',
      )
  })

  test("sticks without a concentration, or a concentration without sticks", async () => {
    expect(await refusal(() => mixture(2, x, { weights: "sticks", concentration: 0 }))).toMatchInlineSnapshot(
      `"mixture: concentration is 0. It must be a finite number above 0: with none there is no prior. Give for example 1."`,
    )
    expect(await refusal(() => mixture(2, x, { concentration: 1 }))).toMatchInlineSnapshot(
      `"mixture: concentration is 1. It belongs to weights: "sticks". Name them, or give prior, the pseudo-rows of each component."`,
    )
    expect(await refusal(() => mixture(2, x, { weights: "stick" as never }))).toMatchInlineSnapshot(
      `"mixture: weights is "stick". It must be one of "dirichlet" and "sticks". Choose one of them, or leave it out."`,
    )
  })
})
