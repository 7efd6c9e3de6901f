/** Laws about the limits of stochastic learners. */
import { em, type LearnerStep } from "suffice"
import { onlineEm, sdem } from "suffice/learn"
import { fit, type LooseRow, learn } from "./api.ts"
import { targetsAt } from "./downhill.ts"
import type { Law } from "./law.ts"
import { ncll, online, targetsFor } from "./learners.ts"
import { columnsOf, hidesInside, isHidden, labelsOf } from "./models.ts"
import { allNear, must, near, same, sameDescription } from "./must.ts"
import { probe } from "./probe.ts"
import { answers, dressed, firstRun, type ModelSubject, rowsOf, suits } from "./subjects.ts"
import { punch } from "./variants.ts"

/** With every learner, in every state of the data. */
export const stochasticMatrixLaws: readonly Law<ModelSubject>[] = [
  {
    id: "A5.generative",
    name: "sdEM with generative weight 1 is online EM, to the bit",
    applies(subject) {
      if (suits(subject) !== true) return suits(subject)
      if (subject.learner.name !== online.name) return "the law compares with online EM"
      return targetsFor(subject.model, "ncll").length > 0 || "a bag of words cannot be a target"
    },
    effort: 0.34,
    async check(subject, trial) {
      const { data, options, copies } = dressed(subject, trial)
      const how = { ...options, seed: trial.dice.integer(1000) }
      const stepSize = { kind: "power", power: 0.8, delay: 1 } as const
      const [target] = targetsFor(subject.model, "ncll")
      const shared = { epochs: 2, batch: 16, stepSize }
      const one = await fit(subject.model, data, { ...how, learner: onlineEm(shared) })
      const learner = sdem({ ...shared, target, generative: 1 })
      const other = await fit(subject.model, data, { ...how, learner })
      sameDescription(other.describe(), one.describe(), 0)
      const rows = copies.map(({ row }) => row)
      same(answers(subject, other, rows), answers(subject, one, rows), "answers")
      same(other.training!.trace, one.training!.trace, "the objective of every step")
    },
  },
  {
    id: "A5.still",
    name: "sdEM that takes no step to speak of hands out what EM ended with",
    applies(subject) {
      if (suits(subject) !== true) return suits(subject)
      return targetOf(subject) !== undefined || "the learner has no target"
    },
    effort: 0.34,
    async check(subject, trial) {
      const { data, options, copies } = dressed(subject, trial)
      const tiny = 1e-13
      const more = {
        stepSize: { kind: "constant", rho: tiny },
        words: { rho: tiny, inertia: 0 },
        // EM has no temperature
        calibrate: false,
      } as const
      const learner = subject.learner.make({}, subject.model, more)
      const steps = []
      for await (const step of learn(subject.model, data, { ...options, learner })) steps.push(step)
      const last = steps[steps.length - 1]
      const before = steps.filter(step => step.run < last.run).pop()!
      // at the edge of the domain θ is clamped, its moments are not
      if (before.diagnostics.some(({ code }) => code === "held-at-floor")) return
      const rows = copies.map(({ row }) => row)
      const [one, other] = [before.fitted(), last.fitted()]
      allNear(answers(subject, other, rows), answers(subject, one, rows), 1e-6, "answers")
    },
  },
]

/** On complete rows. */
export const stochasticLaws: readonly Law<ModelSubject>[] = [
  {
    id: "A5.average",
    name: "online EM with ρ = 1/t on complete rows is counting, for any batch, weights and number of rows, from a stream too",
    applies: ({ model }) => !isHidden(model) || "a mixture is never seen: nothing can be counted",
    effort: 0.34,
    async check(subject, trial) {
      const { dice } = trial
      const rows = rowsOf(subject, trial).map(row => ({ ...row, w: 0.2 + dice.gamma(1) }))
      const streams = dice.uniform() < 0.3
      const learner = onlineEm({
        epochs: 1 + dice.integer(2),
        batch: 1 + dice.integer(rows.length + 2),
        stepSize: { kind: "average" },
        average: false,
        // all rows, since they determine the scale of the columns
        warmup: rows.length,
      })
      const weight = "w"
      const one = await fit(subject.model, streams ? inSlices(rows, 7) : rows, { learner, weight })
      const other = await fit(subject.model, rows, { weight })
      sameDescription(one.describe(), other.describe(), 1e-9)
      allNear(answers(subject, one, rows), answers(subject, other, rows), 1e-8, "answers")
    },
  },
  {
    id: "A5.share",
    name: "as steps become small, a pass of sdEM goes where all rows together point, in whatever batches they come",
    applies: ({ model }) => targetsFor(model, "ncll").length > 0 || "a bag of words cannot be a target",
    effort: 0.34,
    async check(subject, trial) {
      // hinge has kinks where rivals tie: there a batch of rows points elsewhere than the rows one by one
      const { make, scaling, regime } = ncll
      const rows = rowsOf(subject, trial)
      const found = await probe(subject.model, rows, { ...(scaling && { scaling }) })
      // the last batch is short, by one row or more
      const batch = 2 + trial.dice.integer(rows.length - 2)
      const small = 1e-6
      /** (η after a pass − η before)/ρ, and how far from it rounding may be. */
      const way = async (size: number): Promise<{ moved: Float64Array; rounding: Float64Array }> => {
        const steps: LearnerStep[] = []
        const learner = make({}, subject.model, {
          epochs: 1,
          batch: size,
          average: false,
          stepSize: { kind: "constant", rho: small * size },
          words: { rho: small, decay: 0 },
        })
        for await (const step of learner.learn(found.problem, found.dice.fork(4))) steps.push(step)
        const [start, end] = steps.slice(-2)
        const counts = start.stats.map((value, j) => value + start.prior * found.problem.theta.prior[j])
        const [target] = targetsFor(subject.model, "ncll")
        const course = { regime: regime!(target), generative: 0, prior: 1 }
        const before = found.problem.moments.moving(counts, course).state().moments
        const after = end.state!().arrays.moments
        return {
          moved: after.map((value, j) => (value - before[j]) / small),
          rounding: before.map(value => (1e-13 * Math.abs(value)) / small),
        }
      }
      const [cut, whole] = [await way(batch), await way(rows.length)]
      cut.moved.forEach((value, j) => {
        const tolerance = 1e-3 * (1 + Math.abs(whole.moved[j])) + whole.rounding[j]
        const gap = Math.abs(value - whole.moved[j])
        must(
          gap <= tolerance,
          () => `entry ${j} moved by ${value} ρ in batches of ${batch}, by ${whole.moved[j]} ρ at once.`,
        )
      })
    },
  },
  {
    id: "A5.batch",
    name: "online EM with ρ = 1 on all rows at once is EM, step by step",
    applies: ({ model }) => !hidesInside(model) || "passes of online EM come before the steps of EM",
    effort: 0.34,
    async check(subject, trial) {
      // labels may be missing: the leaves below are then weighted, not missing
      const rows = punch(rowsOf(subject, trial), labelsOf(subject.model), 0.3, trial.dice)
      const epochs = 3
      const seed = trial.dice.integer(1000)
      const learner = onlineEm({
        ...{ epochs, batch: 1e6, stepSize: { kind: "constant", rho: 1 }, average: false },
        unlabelled: 1,
      })
      const one = await fit(subject.model, rows, { learner, seed })
      const climbing = {
        ...subject,
        learner: {
          ...subject.learner,
          make: () => em({ maxIterations: epochs, tolerance: 0, unlabelled: 1 }),
        },
      }
      const other = await firstRun(climbing, { data: rows, options: {} }, { seed })
      // EM stopped early, at a step without gain
      if (other.training!.iterations < epochs && other.training!.runs[0].stopped === "tolerance") return
      allNear(answers(subject, one, rows), answers(subject, other, rows), 1e-7, "answers")
    },
  },
  {
    id: "A5.averaged",
    name: "what is handed out is the mean of the moments over the second half of the steps",
    applies: ({ model }) => targetsFor(model, "ncll").length > 0 || "a bag of words cannot be a target",
    effort: 0.34,
    async check(subject, trial) {
      const learner = trial.dice.uniform() < 0.5 ? online : ncll
      const { scaling } = learner
      const rows = rowsOf(subject, trial)
      const found = await probe(subject.model, rows, { ...(scaling && { scaling }) })
      // one step per epoch
      const shared = { epochs: 4, batch: 1e6 }
      const run = async (average: boolean): Promise<LearnerStep[]> => {
        const steps = []
        const made = learner.make({}, subject.model, { ...shared, average })
        for await (const step of made.learn(found.problem, found.dice.fork(3))) steps.push(step)
        return steps.slice(-4)
      }
      const single = await run(false)
      const { stats } = (await run(true))[3]
      for (const part of found.parts) {
        // words that move one by one are not averaged: topics never are
        const words =
          part.leaf.topics !== undefined ||
          (learner === ncll && part.leaf.shape.lengthGiven === true && part.role === "leaf")
        for (let j = part.ranges.statsAt; j < part.ranges.statsAt + part.leaf.shape.statistics; j++) {
          const mean = words ? single[3].stats[j] : (single[2].stats[j] + single[3].stats[j]) / 2
          near(stats[j], mean, 1e-10, `entry ${j} of what is handed out`)
        }
      }
    },
  },
  {
    id: "A5.logistic",
    name: "conditional likelihood of tied normals ends at the optimum of logistic regression",
    applies({ model, specimen }) {
      if (specimen.under === undefined) return "the model is not classes(label, body) with one body"
      return isTied(model.spec) || "the posterior is not a softmax of the columns themselves"
    },
    effort: 0.34,
    async check(subject, trial) {
      const rows = rowsOf(subject, { ...trial, rows: trial.rows + 60 })
      const learner = sdem({
        prior: 0,
        epochs: 400,
        batch: 1e6,
        stepSize: { kind: "constant", rho: 0.5 },
        average: false,
      })
      const model = await fit(subject.model, rows, { learner })
      const [label] = labelsOf(subject.model)
      const { levels, probabilities } = model.posterior(rows)
      const numbers = columnsOf(subject.model, "number")
      const spreads = numbers.map(name => moments(rows, name))
      // Σ_i (1[y = l] − p(l | x))·(1, x) = 0, in standard deviations
      levels.forEach((level, l) => {
        const gap = rows.map(
          (row, i) => (row[label] === level ? 1 : 0) - probabilities[i * levels.length + l],
        )
        near(gap.reduce((sum, g) => sum + g, 0) / rows.length, 0, 2e-3, `the mean residual of ${level}`)
        numbers.forEach((name, c) => {
          const { mean, sd } = spreads[c]
          const sum = gap.reduce((all, g, i) => all + (g * ((rows[i][name] as number) - mean)) / sd, 0)
          near(sum / rows.length, 0, 2e-3, `the residual of ${level} times ${name}`)
        })
      })
    },
  },
]

/** Rows that come once. */
async function* inSlices(rows: readonly LooseRow[], size: number): AsyncGenerator<LooseRow[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size)
}

function targetOf(subject: ModelSubject): string | undefined {
  return subject.learner.regime && targetsAt(subject)[0] !== "" ? targetsAt(subject)[0] : undefined
}

function isTied(spec: unknown): boolean {
  const leaves = leavesOf(spec)
  return (
    leaves.length > 0 &&
    leaves.every(
      ({ covariance, variance }) => covariance === "tied" || covariance === "identity" || variance === "tied",
    )
  )
}

function leavesOf(spec: unknown): { covariance?: unknown; variance?: unknown }[] {
  if (typeof spec !== "object" || spec === null) return []
  const { family, options } = spec as { family?: unknown; options?: object }
  return [...(family && options ? [options] : []), ...Object.values(spec).flatMap(leavesOf)]
}

function moments(rows: readonly LooseRow[], name: string): { mean: number; sd: number } {
  const values = rows.map(row => row[name] as number)
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length
  return { mean, sd: Math.sqrt(values.reduce((sum, v) => sum + (v - mean) * (v - mean), 0) / values.length) }
}
