/** Second opinions: LIBLINEAR (through scikit-learn), scikit-learn's multinomial, BFGS and interior points, read from checks/golden/linear.json. */
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import type { Level } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { multinomial } from "../families/multinomial.ts"
import { poisson } from "../families/poisson.ts"
import { classes } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { normal } from "../structures/normal.ts"
import type { LinearClassifier } from "./linear-classifier.ts"
import { linearSvm } from "./linear-svm.ts"
import { logisticRegression } from "./logistic-regression.ts"

interface Case {
  readonly dataset: "iris" | "mixed" | "bags"
  readonly c: number
  readonly loss: "logistic" | "squared" | "plain" | "multinomial"
  readonly levels: readonly string[]
  readonly expected: {
    readonly objectives: readonly number[]
    readonly liblinear?: readonly number[]
    readonly weights?: readonly (readonly number[])[]
    readonly scores?: readonly (readonly number[])[]
    readonly posterior?: readonly (readonly number[])[]
  }
}

const { datasets, cases } = JSON.parse(
  readFileSync(new URL("../../../../checks/golden/linear.json", import.meta.url), "utf8"),
) as {
  datasets: Record<
    string,
    { features: string[]; columns: Record<string, never[]>; test: Record<string, never[]> }
  >
  cases: Case[]
}

const MODELS: Record<Case["dataset"], Model> = {
  // one scale for all four columns at the door: the baseline standardises each by itself
  iris: classes("species", normal(["sepal_length", "sepal_width", "petal_length", "petal_width"])) as Model,
  mixed: classes(
    "kind",
    independent({ number: gaussian(), count: poisson(), colour: categorical() }),
  ) as Model,
  bags: classes("about", independent({ text: multinomial({ scaling: "raw" }) })) as Model,
}

function fitted({ dataset, c, loss }: Case): Promise<LinearClassifier> {
  const model = MODELS[dataset] as never
  const data = datasets[dataset].columns as never
  const options = dataset === "mixed" ? { weight: "importance" } : {}
  if (loss === "multinomial") {
    return logisticRegression({ c, tolerance: 1e-9 }).fit(model, data, options) as Promise<LinearClassifier>
  }
  const sure = {
    c,
    tolerance: loss === "logistic" ? 1e-9 : 1e-11,
    intercept: "regularised",
    maxIterations: 1_000_000,
  } as const
  return (
    loss === "logistic"
      ? logisticRegression({ ...sure, classes: "one-vs-rest" }).fit(model, data, options)
      : linearSvm({ ...sure, hinge: loss }).fit(model, data, options)
  ) as Promise<LinearClassifier>
}

function close(actual: ArrayLike<number>, expected: readonly (readonly number[])[], tolerance: number): void {
  const flat = expected.flat()
  expect(actual.length).toBe(flat.length)
  flat.forEach((value, at) => {
    expect(Math.abs(actual[at] - value)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(value)))
  })
}

test.each(cases.map(one => [`${one.dataset}, ${one.loss}, C = ${one.c}`, one] as const))(
  "%s",
  async (_, one) => {
    const { levels, expected } = one
    const learned = await fitted(one)
    const { problems, converged } = learned.optimum
    expect(converged).toBe(true)
    expect(learned.diagnostics.filter(({ code }) => code === "not-converged")).toEqual([])
    problems.forEach(({ objective }, p) => {
      expect(Math.abs(objective / expected.objectives[p] - 1)).toBeLessThan(1e-8)
      if (expected.liblinear) expect(objective).toBeLessThan(expected.liblinear[p] * (1 + 1e-8))
    })
    expect(problems.map(({ level }) => level satisfies Level | undefined)).toEqual(
      one.loss === "multinomial" ? [undefined] : levels.length === 2 ? [levels[1]] : levels,
    )
    // the plain hinge is flat around its optimum: points of one objective to 1e-9 may differ by 1e-4
    const tolerance = one.loss === "plain" ? 1e-3 : 1e-5
    const rows = datasets[one.dataset].test as never
    if (expected.scores) close(learned.scores(rows).scores, expected.scores, tolerance)
    if (expected.posterior) close(learned.posterior(rows).probabilities, expected.posterior, 1e-5)
    if (!expected.weights) return
    const { features, bias } = learned.describe()
    expect(features.map(({ name }) => name)).toEqual(datasets[one.dataset].features)
    levels.forEach((level, l) => {
      close(
        [...features.map(({ weights }) => weights[level]), bias[level]],
        [expected.weights![l]],
        tolerance,
      )
    })
  },
)
