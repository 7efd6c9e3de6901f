/** Our side of the jobs of numbers and levels. */

import type { Cell } from "suffice"
import {
  categorical,
  classes,
  type Description,
  em,
  type Family,
  fit,
  gaussian,
  independent,
  type Learner,
  type Model,
  mixture,
  normal,
} from "suffice"
import { learn } from "suffice/learn"
import {
  asked,
  columnsOf,
  doubles,
  firstOf,
  labels,
  loose,
  names,
  type Ready,
  size,
  threads,
  whole,
} from "./ready.ts"
import { clocked } from "./sides.ts"

const each = (family: () => Family) => independent(Object.fromEntries(names.map(name => [name, family()])))
const counting = em({ prior: 0 })
const smoothed = em({ prior: 1 })

/** fit, then the labels of all rows. */
function fitAndPredict(
  model: Model<Record<string, Cell>>,
  learner: Learner,
  compare: "posteriors" | "labels",
  options: { readonly prior?: Record<string, number> } = {},
): Ready {
  const columns = columnsOf()
  const given = { ...columns, y: labels() }
  const work = async () => {
    const fitted = await fit(model, given as never, { learner, threads })
    return { fitted, found: fitted.labels(columns as never, options) as number[] }
  }
  return whole(work, ({ fitted, found }) =>
    compare === "labels" ? found : fitted.posterior(firstOf(columns) as never).probabilities,
  )
}

function mixtures(covariance: "full" | "diag"): Ready {
  const columns = columnsOf()
  const k = size.classes
  const start = doubles("start.f64")
  const variances = start.subarray(k * (1 + names.length))
  const body = normal(names, { covariance })
  const model = loose(mixture(k, body))
  const told = (numbers: Float64Array) => Object.fromEntries(names.map((name, j) => [name, numbers[j]]))
  const spread =
    covariance === "diag"
      ? { variance: told(variances) }
      : {
          covariance: Object.fromEntries(
            names.map((name, j) => [
              name,
              Object.fromEntries(names.map((other, l) => [other, l === j ? variances[j] : 0])),
            ]),
          ),
        }
  const given = Array.from({ length: k }, (_, c) => ({
    [names.join(", ")]: {
      family: "normal",
      mean: told(start.subarray(k + c * names.length, k + (c + 1) * names.length)),
      ...spread,
    },
  }))
  const probabilities = Array.from(start.subarray(0, k))
  const called = `mixture(${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""})`
  const learner = em({
    maxIterations: asked.iterations,
    tolerance: 0,
    prior: 0,
    start: {
      [called]: { probabilities: { ...probabilities }, given: { ...given } },
    } as unknown as Description,
  })
  return {
    async round() {
      // the time between steps: an M-step and an E-step
      const steps = learn(model, columns as never, { learner, threads })
      await steps.next()
      await steps.next()
      const { clock, value } = await clocked(async () => {
        let taken = 0
        for (; ; taken++) if ((await steps.next()).done) return taken
      })
      return { seconds: clock.seconds / value, cpu: clock.cpu / value }
    },
    async result() {
      const fitted = await fit(model, columns as never, { learner, threads })
      const described = fitted.describe()[called] as unknown as {
        probabilities: Record<string, number>
        given: Record<string, Record<string, { mean: Record<string, number> }>>
      }
      const found = Array.from({ length: k }, (_, c) => described.given[c][names.join(", ")].mean)
      return [
        ...Object.values(described.probabilities),
        ...found.flatMap(mean => names.map(name => mean[name])),
      ]
    },
  }
}

function gaussianFit(): Ready {
  const columns = columnsOf()
  const given = { ...columns, y: labels() }
  const model = bayes(gaussian)
  const work = () => fit(model, given as never, { learner: counting, threads })
  return whole(work, fitted => fitted.posterior(firstOf(columns) as never).probabilities)
}

async function gaussianPosterior(): Promise<Ready> {
  const columns = columnsOf()
  const model = bayes(gaussian)
  const fitted = await fit(model, { ...columns, y: labels() } as never, { learner: counting })
  return {
    round: async () => (await clocked(async () => fitted.posterior(columns as never))).clock,
    result: async () => [...fitted.posterior(firstOf(columns) as never).probabilities],
  }
}

const bayes = (family: () => Family) => loose(classes("y", each(family)))
const full = () => loose(classes("y", normal(names)))
const tied = () => loose(classes("y", normal(names, { covariance: "tied" })))

export const NUMBERS: Readonly<Record<string, () => Ready | Promise<Ready>>> = {
  "mixture-full": () => mixtures("full"),
  "mixture-diag": () => mixtures("diag"),
  "gaussian-fit": gaussianFit,
  "gaussian-posterior": gaussianPosterior,
  lda: () => fitAndPredict(tied(), counting, "posteriors"),
  qda: () => fitAndPredict(full(), counting, "posteriors"),
  categorical: () => fitAndPredict(bayes(categorical), smoothed, "posteriors"),
  "gaussian-labels": () => fitAndPredict(bayes(gaussian), counting, "labels"),
  "categorical-labels"() {
    // the peer ignores the frequencies of the classes
    const prior = Object.fromEntries(Array.from({ length: size.classes }, (_, c) => [c, 1 / size.classes]))
    return fitAndPredict(bayes(categorical), smoothed, "labels", { prior })
  },
  "qda-labels": () => fitAndPredict(full(), counting, "labels"),
}
