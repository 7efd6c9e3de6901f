/** Posteriors and predictives beside scipy and scikit-learn (checks/golden/bayes.py). */
import { expect, test } from "vitest"
import golden from "../../../../checks/golden/bayes.json" with { type: "json" }
import { solvedOf } from "../answers/predictor.ts"
import { answering, believing, logEvidence } from "../engine/believe.ts"
import { lay, spreadOf } from "../engine/lay.ts"
import {
  bernoulli,
  exponential,
  fit,
  gaussian,
  geometric,
  independent,
  logNormal,
  mixture,
  multinomial,
  normal,
  poisson,
} from "../index.ts"
import {
  betaQuantile,
  gammaQuantile,
  logMultivariateGamma,
  studentBelow,
  studentQuantile,
} from "../kernels/student.ts"
import { bayes, beliefs, learn } from "../learn.ts"

const learner = bayes()

/** |a − b| relative to b. */
function close(a: ArrayLike<number>, b: readonly number[], tolerance: number): void {
  expect(a.length).toBe(b.length)
  b.forEach((wanted, j) => {
    expect(
      Math.abs(a[j] - wanted) / Math.max(1, Math.abs(wanted)),
      `${a[j]} beside ${wanted}`,
    ).toBeLessThanOrEqual(tolerance)
  })
}

test("Student's t, beta, gamma and ln Γ_d are scipy's", () => {
  const { t, p, below, quantile, beta, gamma, multigamma } = golden.kernels
  for (const [f, wanted] of below as [number, number[]][])
    close(
      t.map(x => studentBelow(x, f)),
      wanted,
      1e-13,
    )
  for (const [f, wanted] of quantile as [number, number[]][])
    close(
      p.map(x => studentQuantile(x, f)),
      wanted,
      1e-10,
    )
  for (const [a, b, wanted] of beta as [number, number, number[]][])
    close(
      p.map(x => betaQuantile(x, a, b)),
      wanted,
      1e-12,
    )
  for (const [a, wanted] of gamma as [number, number[]][])
    close(
      p.map(x => gammaQuantile(x, a)),
      wanted,
      1e-9,
    )
  for (const [x, d, wanted] of multigamma as [number, number, number][])
    close([logMultivariateGamma(x, d)], [wanted], 1e-13)
})

test("predictives are scipy's: t, multivariate t, negative binomial, Dirichlet–multinomial and beta-binomial", async () => {
  const { gaussian: g, normal: n, poisson: c, multinomial: w, bernoulli: b } = golden
  const one = await fit(
    independent({ x: gaussian({ prior: g.prior }) }),
    g.rows.map(x => ({ x })),
    { learner },
  )
  close(one.logDensity(g.asked.map(x => ({ x }))), g.logs, 1e-12)

  const names = ["a", "b", "c"] as const
  const by = (row: readonly number[]) => ({ a: row[0], b: row[1], c: row[2] })
  const covariance = Object.fromEntries(names.map((name, j) => [name, by(n.covariance[j])]))
  const prior = { mean: by(n.mean), strength: n.strength, degrees: n.degrees, covariance }
  const three = await fit(normal(["a", "b", "c"], { prior }), n.rows.map(by), { learner })
  close(three.logDensity(n.asked.map(by)), n.logs, 1e-12)
  close(three.logDensity(n.asked.map(row => ({ ...by(row), b: null }))), n.marginal, 1e-12)

  const counts = await fit(
    independent({ n: poisson({ prior: c.prior }) }),
    c.rows.map(n => ({ n })),
    { learner },
  )
  close(counts.logDensity(c.asked.map(n => ({ n }))), c.logs, 1e-12)

  const bag = (row: readonly number[]) => ({ text: { u: row[0], v: row[1], w: row[2] } })
  const texts = await fit(independent({ text: multinomial() }), w.rows.map(bag), { learner })
  close(texts.logDensity([bag(w.bag)]), [w.log], 1e-12)

  const coins = [1, 0, 1, 1, 0, 1, 0].map(coin => ({ coin }) as { coin: 0 | 1 })
  close([(await fit(independent({ coin: bernoulli() }), coins, { learner })).evidence.value], [b.log], 1e-12)
})

test("waiting times, their counts and products are scipy's: Lomax, beta negative binomial of one success, t of logarithms", async () => {
  const { exponential: e, geometric: g, logNormal: l } = golden
  const kinds = [
    [e, exponential({ prior: e.prior }), "mean", e.mean, e.sd],
    [g, geometric({ prior: g.prior }), "mean", g.mean, g.sd],
    [l, logNormal({ prior: l.prior }), "logMean", undefined, undefined],
  ] as const
  for (const [{ rows, asked, logs, coverage, interval, credible }, family, name, mean, sd] of kinds) {
    const fitted = await fit(
      independent({ x: family }),
      rows.map(x => ({ x })),
      { learner },
    )
    close(fitted.logDensity(asked.map(x => ({ x }))), logs, 1e-12)
    const [next] = fitted.predict([{ x: null }], { target: "x", coverage })
    close(next.interval, interval, 1e-9)
    if (mean !== undefined) close([next.value, next.sd], [mean, sd], 1e-12)
    const known = fitted.credible({ probability: 0.9 }) as unknown as {
      x: Record<string, { value: number; interval: number[] }>
    }
    close(known.x[name].interval, credible, 1e-9)
    // the evidence is what each row was given, one after the other
    let sum = 0
    for (let i = rows.length - 1; i >= 0; i--) {
      const before = await fit(
        independent({ x: family }),
        rows.slice(i + 1).map(x => ({ x })),
        { learner },
      )
      sum += before.logDensity([{ x: rows[i] }])[0]
    }
    close([fitted.evidence.value], [sum], 1e-10)
  }
})

test("an interval of a wide t of logarithms stays above 0, from one end to the other", async () => {
  const prior = { logMean: 2, strength: 0.1, logSd: 3, degrees: 1 }
  const fitted = await fit(independent({ x: logNormal({ prior }) }), [], { learner })
  const [{ interval }] = fitted.predict([{ x: null }], { target: "x", coverage: 0.9 })
  // Cauchy: the quantile of p is tan π(p − ½)
  const reach = Math.tan(0.45 * Math.PI) * 3 * Math.sqrt(11)
  close(interval.map(Math.log), [2 - reach, 2 + reach], 1e-9)
})

test("a mixture takes the path of BayesianGaussianMixture, whose bound lacks constants of the prior", async () => {
  const { rows, prior, each } = golden.mixture
  const by = ([x, y]: readonly number[]) => ({ x, y })
  const matrix = (m: readonly (readonly number[])[]) => ({ x: by(m[0]), y: by(m[1]) })
  const data = rows.map(by)
  // S₀ = degrees · covariance
  const third = prior.covariance.map(row => row.map(value => value / 3))
  const body = normal(["x", "y"], {
    prior: { mean: by(prior.mean), strength: 1, degrees: 3, covariance: matrix(third) },
  })
  for (const { k, weights, means, covariances, after, path, bounds } of each) {
    const start = {
      z: {
        probabilities: Object.fromEntries(weights.map((p, c) => [String(c), p])),
        given: Object.fromEntries(
          means.map((mean, c) => [
            String(c),
            { "x, y": { family: "normal", mean: by(mean), covariance: matrix(covariances[c]) } },
          ]),
        ),
      },
    }
    const model = mixture(k, body, { name: "z" })
    const steps = learn(model, data, { learner: bayes({ start, maxIterations: 60, tolerance: 1e-300 }) })
    const gaps: number[] = []
    let entropy = Number.NaN
    for await (const step of steps) {
      const fitted = step.fitted()
      const at = after.indexOf(step.iteration)
      if (at >= 0) {
        const given = (
          fitted.describe() as unknown as {
            z: { given: Record<string, { "x, y": { mean: { x: number; y: number } } }> }
          }
        ).z.given
        path[at].forEach((wanted, c) => {
          const { mean } = given[c]["x, y"]
          close([mean.x, mean.y], wanted, 1e-10)
        })
      }
      // after the M-step the bound is entropy + B(α + s) − B(α)
      const { known } = solvedOf(fitted)
      const laid = lay(believing(model, beliefs, answering), known.schema.columns)
      const spread = known.spread ?? spreadOf(laid, known.stats)
      if (step.iteration > 0)
        gaps.push(bounds[step.iteration - 1] - entropy - logEvidence(laid, known.stats, 1, spread))
      entropy = fitted.training!.entropy
    }
    // it stops where the bound no longer rises in its last digit
    expect(gaps.length).toBeGreaterThanOrEqual(30)
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThan(1e-8)
  }
})
