/** Laws that hold for every learner, whatever state the data is in. */
import { densities, fit, isPass, type LooseRow, learn, load } from "./api.ts"
import type { Law } from "./law.ts"
import { labelsOf } from "./models.ts"
import { distributions, finiteDescription, must, near, noNaN, same, sameDescription } from "./must.ts"
import {
  answers,
  dressed,
  effort,
  fitted,
  hasDensity,
  type ModelSubject,
  suits,
  targetsOf,
} from "./subjects.ts"
import { someCuts, source } from "./variants.ts"

export const matrixLaws: readonly Law<ModelSubject>[] = [
  {
    id: "A3",
    name: "the objective never falls",
    applies: subject =>
      suits(subject) === true ? subject.learner.climbs || "the learner takes partial steps" : suits(subject),
    async check(subject, trial) {
      const { data, options } = dressed(subject, trial)
      const learner = subject.learner.make({ steps: 10 }, subject.model)
      let before = { run: -1, objective: Number.NEGATIVE_INFINITY }
      for await (const step of learn(subject.model, data, {
        ...options,
        learner,
        seed: trial.dice.integer(1000),
      })) {
        must(!Number.isNaN(step.objective), () => `the objective of step ${step.iteration} is NaN.`)
        // clamped at the edge of the domain, θ is not the maximum of the M-step: maximum likelihood does not exist there
        const held = step.diagnostics.some(({ code }) => code === "held-at-floor")
        if (step.run === before.run && !isPass(step)) {
          const fall = before.objective - step.objective
          must(
            !(fall > 1e-10 * Math.abs(before.objective)) || held,
            () =>
              `the objective fell from ${before.objective} to ${step.objective} in step ${step.iteration}.`,
          )
        }
        before = step
      }
      must(before.run >= 0, () => "no step was taken.")
    },
  },
  {
    id: "A3.likelihood",
    name: "the log-likelihood a learner reports is that of the model it returns",
    applies(subject) {
      if (suits(subject) !== true) return suits(subject)
      if (!subject.learner.climbs) return "the learner never sees all rows with its last parameters"
      if (subject.learner.keepsPosterior) return "a posterior answers by no parameters of its own"
      return hasDensity(subject)
    },
    async check(subject, trial) {
      const { data, options, copies } = dressed(subject, trial)
      const model = await fitted(subject, { data, options })
      const scores = densities(
        model,
        copies.map(copy => copy.row),
      )
      let sum = 0
      copies.forEach(({ weight }, i) => {
        sum += weight * scores[i]
      })
      const { logLikelihood, objective, trace } = model.training!
      // without a prior a class of few rows can be nearly flat: inverting its covariance costs digits
      const tolerance = subject.learner.prior === 0 ? 1e-7 : 1e-9
      near(logLikelihood, sum, tolerance, "the log-likelihood by training and by logDensity()")
      if (subject.learner.prior === 0)
        near(objective, logLikelihood, 1e-12, "objective and log-likelihood without a prior")
      must(
        trace.length > 0 && trace[trace.length - 1] === objective,
        () => "the trace does not end at the objective.",
      )
    },
  },
  {
    id: "A1.matrix",
    name: "posteriors add up to one and parameters are finite",
    applies: suits,
    effort,
    async check(subject, trial) {
      const { data, options, copies } = dressed(subject, trial)
      const model = await fitted(subject, { data, options })
      finiteDescription(model.describe())
      const rows = copies.map(copy => copy.row)
      noNaN(densities(model, rows), "logDensity()")
      for (const target of targetsOf(subject, model.describe())) {
        const { levels, probabilities } = model.posterior(rows, { target })
        distributions(probabilities, levels.length, `the posterior of ${target}`)
      }
    },
  },
  {
    id: "A13",
    name: "same seed, same bits, however the rows arrive; fitting twice is fitting once",
    applies: suits,
    effort: 0.34,
    async check(subject, trial) {
      const { data, options, copies } = dressed(subject, trial)
      const rows = copies.map(copy => copy.row)
      const seed = trial.dice.integer(1000)
      const first = await fitted(subject, { data, options }, { seed })
      const whole: LooseRow[] = []
      if (Array.isArray(data)) whole.push(...(data as LooseRow[]))
      else for await (const batch of data as AsyncIterable<LooseRow[]>) whole.push(...batch)
      const again = await fitted(subject, { data: whole, options }, { seed })
      const cuts = [...someCuts(whole.length, trial.dice), 1]
      const streamed = await fitted(subject, { data: source(whole, cuts), options }, { seed })
      for (const other of [again, streamed]) {
        sameDescription(other.describe(), first.describe(), 0)
        same(answers(subject, other, rows), answers(subject, first, rows), "answers")
        same(other.training!.trace, first.training!.trace, "the objective of every step")
      }
    },
  },
  {
    id: "A14",
    name: "saved and loaded, the model gives the same bits",
    applies: suits,
    effort: 0.34,
    async check(subject, trial) {
      const { data, options, copies } = dressed(subject, trial)
      const rows = copies.map(copy => copy.row)
      const model = await fitted(subject, { data, options })
      const text = JSON.stringify(model)
      const back = load(text, { families: subject.specimen.families ?? [] })
      sameDescription(back.describe(), model.describe(), 0)
      same(answers(subject, back, rows), answers(subject, model, rows), "answers")
      must(JSON.stringify(back) === text, () => "saved again, the text differs.")
      const unlabelled = rows.map(row => without(row, labelsOf(subject.model)))
      same(densities(back, unlabelled), densities(model, unlabelled), "logDensity() without labels")
    },
  },
  {
    id: "A8.resume",
    name: "killed in the middle and resumed, learning ends with the same bytes",
    applies: suits,
    effort: 0.34,
    async check(subject, trial) {
      const { data, options } = dressed(subject, trial)
      const how = { ...options, seed: trial.dice.integer(1000) }
      // the moments are averaged from the second epoch on
      const learner = subject.learner.make({ steps: 4 }, subject.model, { epochs: 3, batch: 40 })
      const written: Uint8Array[] = []
      const checkpoint = {
        read: () => undefined,
        write: (bytes: Uint8Array) => void written.push(bytes.slice()),
      }
      const whole = await fit(subject.model, data, { ...how, learner, checkpoint })
      const counted = whole.training!.runs.every(({ stopped }) => stopped === "counted")
      must(counted || written.length > 1, () => `${written.length} checkpoints were written.`)
      const middle = written[Math.trunc((written.length - 1) / 2)]
      const again = { read: () => middle, write: () => undefined }
      const resumed = await fit(subject.model, data, { ...how, learner, checkpoint: again })
      must(JSON.stringify(resumed) === JSON.stringify(whole), () => "resumed, the model is another one.")
    },
  },
]

function without(row: LooseRow, columns: readonly string[]): LooseRow {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)))
}
