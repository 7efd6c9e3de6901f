/** Second opinions: scikit-learn and plain numpy, read from checks/golden/ (each file names the script that made it). */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import {
  bernoulli,
  categorical,
  classes,
  type Description,
  em,
  fit,
  gaussian,
  independent,
  linear,
  type Model,
  mixture,
  multinomial,
  normal,
} from "./index.ts"

type Numbers = number | readonly Numbers[] | { readonly [key: string]: Numbers } | null

// biome-ignore lint/suspicious/noExplicitAny: golden files differ in shape; each test names what it reads
function golden(name: string): any {
  return JSON.parse(readFileSync(new URL(`../../../checks/golden/${name}.json`, import.meta.url), "utf8"))
}

/** |a − b| ≤ tolerance · max(1, |b|), everywhere. */
function close(actual: Numbers, expected: Numbers, tolerance: number, path = ""): void {
  if (typeof expected === "number") {
    expect(typeof actual, path).toBe("number")
    const gap = Math.abs((actual as number) - expected) / Math.max(1, Math.abs(expected))
    expect(gap, `${path}: ${actual} should be ${expected}`).toBeLessThanOrEqual(tolerance)
    return
  }
  if (expected === null) return
  for (const key of Object.keys(expected)) {
    close(
      (actual as Record<string, Numbers>)[key],
      (expected as Record<string, Numbers>)[key],
      tolerance,
      `${path}.${key}`,
    )
  }
}

/** rows × levels of one array as a matrix */
function matrix(values: Float64Array, width: number): number[][] {
  return Array.from({ length: values.length / width }, (_, i) => [
    ...values.subarray(i * width, (i + 1) * width),
  ])
}

const each = <T>(names: readonly string[], make: (name: string, j: number) => T): Record<string, T> =>
  Object.fromEntries(names.map((name, j) => [name, make(name, j)]))

/** parameters by class and column, out of describe() */
function given(description: Description, label: string, level: string): Record<string, Description> {
  const found = description[label] as { given: Record<string, Record<string, Description>> }
  return found.given[level]
}

describe("naive Bayes equals scikit-learn", () => {
  const { datasets, cases } = golden("naive-bayes")
  for (const { name, dataset, options, expected } of cases) {
    test(name, async () => {
      const { label, classes: levels, features, columns, weights, test: held } = datasets[dataset]
      const prior = options.alpha ?? 0
      const byColumn = {
        gaussian: () => independent(each(features, () => gaussian({ prior }))),
        bernoulli: () => independent(each(features, () => bernoulli({ prior }))),
        categorical: () => independent(each(features, () => categorical({ prior }))),
        multinomial: () => independent({ words: multinomial({ prior, words: features }) }),
      }[dataset as "gaussian"]
      // Counts by word are one bag per row; everything else is a column.
      const shape = (source: Record<string, number[]>): Record<string, unknown[]> =>
        dataset === "multinomial"
          ? { ...source, words: source[features[0]].map((_, i) => each(features, name => source[name][i])) }
          : source
      const model = classes(label, byColumn() as Model)
      const data = { ...shape(columns), ...(options.weighted && { importance: weights }) }
      const fitted = await fit(model as never, data as never, {
        ...(options.weighted && { weight: "importance" }),
      })
      expect(fitted.training?.iterations).toBe(1)
      const found = fitted.posterior(shape(held.columns) as never)
      expect(found.levels).toEqual(levels)
      close(matrix(found.probabilities, levels.length), expected.posterior, 1e-10, "posterior")
      levels.forEach((level: string, k: number) => {
        const params = given(fitted.describe(), label, level)
        features.forEach((feature: string, j: number) => {
          if (dataset === "gaussian") {
            close(params[feature].mean as number, expected.means[k][j], 1e-10)
            close((params[feature].sd as number) ** 2, expected.variances[k][j], 1e-10)
          } else if (dataset === "bernoulli") {
            close(Math.log(params[feature].probability as number), expected.logProb[k][j], 1e-10)
          }
        })
        const labelled = { ...shape(held.columns), [label]: held.columns[features[0]].map(() => level) }
        const joint = fitted.logDensity(labelled as never)
        close(
          [...joint],
          expected.joint.map((row: number[]) => row[k]),
          1e-10,
          "joint",
        )
      })
    })
  }
})

describe("discriminant analysis equals scikit-learn", () => {
  const { datasets, cases } = golden("discriminant")
  for (const { name, dataset, options, expected } of cases) {
    test(name, async () => {
      const { label, classes: levels, features, columns, test: held } = datasets[dataset]
      // Wine's covariances have condition numbers up to 2e7: scikit-learn and numpy agree to 3e-12 themselves.
      const tolerance = dataset === "wine" ? 1e-9 : 1e-10
      const model = classes(label, normal(features, { covariance: options.covariance }))
      const fitted = await fit(model as never, columns as never, { learner: em({ prior: 0 }) })
      expect(fitted.training?.iterations).toBe(1)
      const found = fitted.posterior(held.columns as never)
      close(matrix(found.probabilities, levels.length), expected.posterior, tolerance, "posterior")
      close(matrix(found.probabilities, levels.length), expected.sklearnPosterior, tolerance, "sklearn")
      close(fitted.training!.logLikelihood, expected.trainJointLogLikelihood, tolerance)
      levels.forEach((level: string, k: number) => {
        const params = given(fitted.describe(), label, level)[features.join(", ")]
        const covariance = options.covariance === "tied" ? expected.covariance : expected.covariance[k]
        features.forEach((a: string, i: number) => {
          close((params.mean as Record<string, number>)[a], expected.means[k][i], tolerance)
          features.forEach((b: string, j: number) => {
            const ours = (params.covariance as Record<string, Record<string, number>>)[a][b]
            close(ours, covariance[i][j], tolerance, `${level} ${a} ${b}`)
          })
        })
      })
    })
  }
})

/** The parameters of a normal as describe() prints them. */
function normalParameters(
  features: readonly string[],
  covariance: string,
  mean: readonly number[],
  spread: Numbers,
): Description {
  const means = each(features, (_, j) => mean[j])
  const matrixOf = spread as number[][]
  if (covariance === "full" || covariance === "tied") {
    return { mean: means, covariance: each(features, (_, i) => each(features, (_, j) => matrixOf[i][j])) }
  }
  const variance = (j: number): number =>
    covariance === "diag" ? (spread as number[])[j] : covariance === "spherical" ? (spread as number) : 1
  return { mean: means, variance: each(features, (_, j) => variance(j)) }
}

/** A mixture's parameters as describe() prints them. */
function mixtureParameters(
  called: string,
  weights: readonly number[],
  component: (k: number) => Description,
): Description {
  return {
    [called]: {
      probabilities: Object.fromEntries(weights.map((weight, k) => [k, weight])),
      given: Object.fromEntries(weights.map((_, k) => [k, component(k)])),
    },
  }
}

/** EM from a given start: the objective after every step, and the parameters after some. */
async function checkRun(
  model: Model,
  columns: object,
  weight: string | undefined,
  start: Description,
  run: { logLikelihoods: number[]; after: { steps: number; logLikelihood: number }[] },
  check: (description: Description, at: never, posterior: Float64Array | undefined) => void,
  rows?: number[],
): Promise<void> {
  for (const at of run.after) {
    const learner = em({ prior: 0, start, maxIterations: at.steps, tolerance: 0 })
    const fitted = await fit(model as never, columns as never, { learner, ...(weight && { weight }) })
    const training = fitted.training!
    close(training.trace.slice(0, 21), run.logLikelihoods.slice(0, training.trace.length), 1e-6, "trace")
    close(training.logLikelihood, at.logLikelihood, 1e-6, "log-likelihood")
    const picked = rows
      ? Object.fromEntries(
          Object.entries(columns).map(([name, cells]) => [name, rows.map(i => (cells as unknown[])[i])]),
        )
      : undefined
    check(fitted.describe(), at as never, picked && fitted.responsibilities(picked as never))
  }
}

describe("EM for normal mixtures equals scikit-learn step by step", () => {
  const { datasets, cases } = golden("mixture")
  for (const { name, dataset, covariance, weighted, components, nParameters, start, rows, ...run } of cases) {
    test(name, async () => {
      const { features, columns, weights } = datasets[dataset]
      const spreadOf = (covariances: Numbers, k: number): Numbers =>
        covariance === "tied" || covariance === "identity" ? covariances : (covariances as Numbers[])[k]
      const component =
        (at: { means: number[][]; covariances: Numbers }) =>
        (k: number): Description => ({
          [features.join(", ")]: normalParameters(
            features,
            covariance,
            at.means[k],
            spreadOf(at.covariances, k),
          ),
        })
      const model = mixture(components, normal(features, { covariance, prior: 0 }), { prior: 0 })
      const called = `mixture(${features.length > 3 ? `${features.slice(0, 3).join(", ")}, …` : features.join(", ")})`
      await checkRun(
        model as Model,
        { ...columns, ...(weighted && { importance: weights }) },
        weighted ? "importance" : undefined,
        mixtureParameters(called, start.weights, component(start)),
        run,
        (description, at: never, posterior) => {
          const golden = at as {
            weights: number[]
            means: number[][]
            covariances: Numbers
            posteriors: number[][]
          }
          const expected = mixtureParameters(called, golden.weights, component(golden))
          close(description as Numbers, expected as Numbers, 1e-6, name)
          close(matrix(posterior!, components), golden.posteriors, 1e-6, "posteriors")
        },
        rows,
      )
      const { aic, bic } = run.after.at(-1)
      if (aic !== undefined) {
        const learner = em({
          prior: 0,
          start: mixtureParameters(called, start.weights, component(start)),
          maxIterations: 300,
          tolerance: 0,
        })
        const fitted = await fit(model as never, columns as never, { learner })
        close(fitted.criteria().aic, aic, 1e-6)
        close(fitted.criteria().bic, bic, 1e-6)
        expect(fitted.criteria().free).toBe(nParameters)
      }
    })
  }
})

describe("EM for latent classes equals plain numpy step by step", () => {
  const { datasets, cases } = golden("bernoulli-mixture")
  for (const { name, dataset, components, start, rows, ...run } of cases) {
    test(name, async () => {
      const { features, levels, columns } = datasets[dataset]
      const called = `mixture(${features.length > 3 ? `${features.slice(0, 3).join(", ")}, …` : features.join(", ")})`
      const component =
        (at: { probs: Record<string, number[][]> }) =>
        (k: number): Description =>
          each(
            features,
            (name): Description =>
              dataset === "bernoulli"
                ? { probability: at.probs[name][k][1] }
                : { probabilities: each(levels[name], (_, l) => at.probs[name][k][l]) },
          )
      const family = dataset === "bernoulli" ? () => bernoulli() : () => categorical()
      await checkRun(
        mixture(components, independent(each(features, family)) as Model) as Model,
        columns,
        undefined,
        mixtureParameters(called, start.weights, component(start)),
        run,
        (description, at: never) => {
          const golden = at as { weights: number[]; probs: Record<string, number[][]> }
          close(
            description as Numbers,
            mixtureParameters(called, golden.weights, component(golden)) as Numbers,
            1e-6,
          )
        },
        rows,
      )
    })
  }
})

describe("linear regression equals scikit-learn", () => {
  const { regression, mixture: two } = golden("regression")
  const { target, label, classes: levels, features, columns, weights, test: held, cases } = regression
  const parameters = (at: { intercept: number; coefficients: number[]; sd: number }) => ({
    intercept: at.intercept,
    coefficients: each(features, (_, j) => at.coefficients[j]),
    sd: at.sd,
  })
  for (const { name, options, expected } of cases) {
    test(name, async () => {
      const data = { ...columns, ...(options.weighted && { importance: weights }) }
      const how = { learner: em({ prior: 0 }), ...(options.weighted && { weight: "importance" }) }
      const model = linear(target, features)
      const fitted = await fit(model as never, data as never, how)
      expect(fitted.training?.iterations).toBe(1)
      close(fitted.describe()[target] as Numbers, parameters(expected), 1e-9)
      const told = fitted.predict(held.columns as never, { target } as never) as {
        value: number
        sd: number
      }[]
      close(
        told.map(({ value }) => value),
        expected.predictions,
        1e-10,
      )
      close([...fitted.logDensity(held.columns as never)], expected.logDensities, 1e-9)
      const byClass = await fit(classes(label, model) as never, data as never, how)
      levels.forEach((level: string, k: number) => {
        close(
          given(byClass.describe(), label, level)[target] as Numbers,
          parameters(expected.classes[k]),
          1e-9,
        )
      })
      close(
        matrix(byClass.posterior(held.columns as never).probabilities, levels.length),
        expected.posterior,
        1e-9,
      )
    })
  }

  test("EM for a mixture of two regressions equals plain numpy step by step", async () => {
    const { columns, components, start, rows, ...run } = two
    type At = {
      weights: number[]
      intercepts: number[]
      slopes: number[]
      sds: number[]
      posteriors: number[][]
    }
    const parameters = (at: At): Description =>
      mixtureParameters("mixture(y)", at.weights, k => ({
        y: { intercept: at.intercepts[k], coefficients: { x: at.slopes[k] }, sd: at.sds[k] },
      }))
    await checkRun(
      mixture(components, linear("y", ["x"], { prior: 0 }), { prior: 0 }) as Model,
      columns,
      undefined,
      parameters(start),
      run,
      (description, at: never, posterior) => {
        close(description as Numbers, parameters(at) as Numbers, 1e-6)
        close(matrix(posterior!, components), (at as At).posteriors, 1e-6, "posteriors")
      },
      rows,
    )
  })
})

describe("missing cells are integrated out exactly", () => {
  const { normal: one, mixture: two, naiveBayes } = golden("missing")

  test("EM for one normal with holes equals plain numpy step by step", async () => {
    const key = one.features.join(", ")
    const parameters = (at: { mean: number[]; covariance: number[][] }): Description => ({
      [key]: normalParameters(one.features, "full", at.mean, at.covariance),
    })
    await checkRun(
      normal(one.features) as Model,
      one.columns,
      undefined,
      parameters(one.start),
      one,
      (description, at: never) => close(description as Numbers, parameters(at) as Numbers, 1e-6),
    )
  })

  for (const covariance of ["full", "tied"] as const) {
    test(`EM for a mixture of ${covariance} normals with holes equals plain numpy step by step`, async () => {
      const { features, columns, components } = two
      const { start, rows, ...run } = two[covariance]
      const key = features.join(", ")
      const parameters = (at: {
        weights: number[]
        means: number[][]
        covariances: number[][][]
      }): Description =>
        mixtureParameters(`mixture(${key})`, at.weights, k => ({
          [key]: normalParameters(
            features,
            covariance,
            at.means[k],
            covariance === "tied" ? (at.covariances as never) : at.covariances[k],
          ),
        }))
      await checkRun(
        mixture(components, normal(features, { covariance }) as Model) as Model,
        columns,
        undefined,
        parameters(start),
        run,
        (description, at: never) => close(description as Numbers, parameters(at) as Numbers, 1e-6),
        rows,
      )
    })
  }

  test("Gaussian naive Bayes counts the cells it has", async () => {
    const { label, classes: levels, features, columns, test: held, expected } = naiveBayes
    const model = classes(label, independent(each(features, () => gaussian())) as Model)
    const fitted = await fit(model as never, columns as never, { learner: em({ prior: 0 }) })
    const found = fitted.posterior(held.columns as never)
    close(matrix(found.probabilities, levels.length), expected.posterior, 1e-10)
    levels.forEach((level: string, k: number) => {
      const joint = fitted.logDensity({
        ...held.columns,
        [label]: held.columns[features[0]].map(() => level),
      } as never)
      close(
        [...joint],
        expected.joint.map((row: number[]) => row[k]),
        1e-10,
      )
    })
  })
})
