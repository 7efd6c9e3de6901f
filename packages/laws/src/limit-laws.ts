/** Laws about the limits of EM, and about what it sums up. */
import { type Description, em, type Model, mixture } from "suffice"
import { densities, fit, type LooseFitted, type LooseRow, learn } from "./api.ts"
import type { Law } from "./law.ts"
import { emWith } from "./learners.ts"
import { hidesInside, holesOf, isHidden, isMixture, isScaled, labelsOf, leafOptions } from "./models.ts"
import { allNear, must, near, same, sameDescription } from "./must.ts"
import { cut, expectedStatistics, probe } from "./probe.ts"
import { firstRun, hasHidden, type ModelSubject, rowsOf, someParameters } from "./subjects.ts"
import { punch, someCuts } from "./variants.ts"

export const limitLaws: readonly Law<ModelSubject>[] = [
  {
    id: "A3.bound",
    name: "log-likelihood = value of the expected statistics + entropy of what is hidden",
    applies: subject =>
      hidesInside(subject.model)
        ? "the value knows nothing of what hides inside the leaf"
        : hasHidden(subject),
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const found = await probe(subject.model, rows)
      const params = await someParameters(found)
      const { data, theta } = found.problem
      const { stats, logLikelihood, entropy, guessed } = await data.sweep(params)
      must(guessed, () => "something is hidden, but the sweep guessed nothing.")
      near(theta.value(stats, params) + entropy, logLikelihood!, 1e-10, "bound and log-likelihood")
      must(entropy >= 0, () => `the entropy is ${entropy}.`)
    },
  },
  {
    id: "A3.fixed",
    name: "where EM stops by itself, another step gains nothing",
    applies: subject =>
      hidesInside(subject.model) ? "passes of online EM come before the steps of EM" : hasHidden(subject),
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const tolerance = 1e-5
      const steps = []
      for await (const step of learn(subject.model, rows, {
        learner: em({ tolerance, maxIterations: 300 }),
      })) {
        steps.push(step)
        if (step.stopped) break
      }
      const last = steps[steps.length - 1]
      if (last.stopped !== "tolerance") return
      // the same run, one step longer
      const further = []
      for await (const step of learn(subject.model, rows, {
        learner: em({ tolerance: 1e-300, maxIterations: last.iteration + 1 }),
      })) {
        further.push(step.objective)
        if (step.stopped) break
      }
      must(further[last.iteration] === last.objective, () => "the same run ended elsewhere.")
      const gain = (further[last.iteration + 1] ?? last.objective) - last.objective
      must(gain < 10 * tolerance * rows.length, () => `one more step gains ${gain}.`)
    },
  },
  {
    id: "A5.counting",
    name: "with every label seen EM is counting, in one step",
    applies: ({ model }) => !isHidden(model) || "a mixture is never seen: nothing can be counted",
    async check(subject, trial) {
      const rows = rowsOf(subject, trial).map(row => ({ ...row, w: 0.3 + trial.dice.gamma(1) }))
      const steps = []
      for await (const step of learn(subject.model, rows, { weight: "w", learner: em({ prior: 0 }) }))
        steps.push(step)
      must(steps.length === 1 && steps[0].stopped === "counted", () => `it took ${steps.length} steps.`)
      const found = await probe(subject.model, rows, { weight: "w" })
      const { data, theta } = found.problem
      const one = await data.sweep(theta.solve(theta.prior, 0).params)
      const other = await data.sweep(await someParameters(found))
      same(one.stats, other.stats, "statistics at two different θ")
      must(!one.guessed, () => "nothing is hidden, but something was guessed.")
      const [label] = labelsOf(subject.model)
      const described = steps[0].fitted().describe() as Record<
        string,
        { probabilities: Record<string, number> }
      >
      if (label === undefined) return
      const total = rows.reduce((sum, row) => sum + row.w, 0)
      for (const [level, probability] of Object.entries(described[label].probabilities)) {
        const own = rows
          .filter(row => String((row as LooseRow)[label]) === level)
          .reduce((sum, row) => sum + row.w, 0)
        near(probability, own / total, 1e-12, `p(${label} = ${level}) and its share of the weight`)
      }
    },
  },
  {
    id: "A5.prior",
    name: "MAP with a vanishing prior is maximum likelihood",
    applies: () => true,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const start = isHidden(subject.model)
        ? (await fit(subject.model, rows, { learner: em({ maxIterations: 2 }) })).describe()
        : undefined
      const at = (prior: number) =>
        firstRun(
          { ...subject, learner: emWith("em", prior) },
          { data: rows, options: {} },
          { start, steps: 2 },
        )
      const ml = await at(0)
      // at the edge of the domain there is no maximum likelihood, so no limit to reach
      if (ml.diagnostics.some(({ code }) => code === "held-at-floor")) return
      const map = await at(1e-10)
      allNear(densities(map, rows), densities(ml, rows), 1e-5, "ln p of the rows")
      sameDescription(map.describe(), ml.describe(), 1e-5)
      // maximum likelihood maximises the likelihood
      if (isHidden(subject.model)) return
      const pulled = await at(3)
      must(
        ml.training!.logLikelihood >= pulled.training!.logLikelihood - 1e-9,
        () => "a prior explains the rows better than maximum likelihood.",
      )
    },
  },
  {
    id: "A5.most",
    name: "no other weights on the rows lead to parameters that explain them better, holes or not",
    applies({ model }) {
      if (isScaled(model)) return "other weights are another scaling of the documents"
      return !isHidden(model) || "a mixture is never seen: nothing can be counted"
    },
    effort: 0.34,
    async check(subject, trial) {
      const rows = punch(rowsOf(subject, trial), holesOf(subject.model), 0.3, trial.dice)
      const learner = em({ prior: 0, tolerance: 1e-12, maxIterations: 500 })
      const explained = (model: LooseFitted): number =>
        densities(model, rows).reduce((sum, score) => sum + score, 0)
      const ml = await fit(subject.model, rows, { learner })
      // at the edge of the domain maximum likelihood does not exist
      if (ml.diagnostics.some(({ code }) => code === "held-at-floor")) return
      const most = explained(ml)
      for (let t = 0; t < 6; t++) {
        const weighed = rows.map(row => ({ ...row, w: 0.95 + 0.1 * trial.dice.uniform() }))
        const other = explained(await fit(subject.model, weighed, { weight: "w", learner }))
        must(
          other <= most + 1e-9 * Math.abs(most),
          () => `other weights explain the rows by ${other}, maximum likelihood by ${most}.`,
        )
      }
    },
  },
  {
    id: "A5.strong",
    name: "an overwhelming prior makes components alike, and leaves the shares of labels",
    applies: subject =>
      labelsOf(subject.model).length > 0 ||
      isMixture(subject.model) ||
      "nothing is chosen: the model has no switch",
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await firstRun({ ...subject, learner: emWith("em", 1e9) }, { data: rows, options: {} })
      for (const [column, part] of Object.entries(
        model.describe() as Record<
          string,
          { probabilities?: Record<string, number>; initial?: Record<string, number>; given?: unknown }
        >,
      )) {
        // a column of a network is given its parents, and chooses nothing
        if (!part.given || !(part.probabilities ?? part.initial)) continue
        const shares = Object.entries(part.probabilities ?? part.initial!)
        for (const [level, probability] of shares) {
          const own = rows.filter(row => String(row[column]) === level).length / rows.length
          near(
            probability,
            labelsOf(subject.model).includes(column) ? own : 1 / shares.length,
            1e-6,
            `p(${column} = ${level})`,
          )
        }
      }
    },
  },
  {
    id: "A5.one",
    name: "a mixture of one component is its body",
    applies: () => true,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const start = isHidden(subject.model)
        ? (await firstRun(subject, { data: rows, options: {} }, { steps: 2 })).describe()
        : undefined
      const body = await firstRun(subject, { data: rows, options: {} }, { start, steps: 3 })
      const one = mixture(1, subject.model as never, { name: "single" }) as unknown as Model
      const wrapped = await firstRun(
        subject,
        { data: rows, options: {} },
        {
          model: one,
          steps: 3,
          start: start && { single: { probabilities: { 0: 1 }, given: { 0: start } } },
        },
      )
      allNear(densities(wrapped, rows), densities(body, rows), 1e-11, "ln p of the rows")
      sameDescription(
        ((wrapped.describe() as Record<string, Description>).single.given as Record<string, Description>)[
          "0"
        ],
        body.describe(),
        1e-10,
      )
    },
  },
  {
    id: "A5.labels",
    name: "learning with nearly all labels is learning with all of them",
    applies: ({ model }) =>
      labelsOf(model).length === 0 ? "the model has no label" : !isHidden(model) || "a mixture is never seen",
    async check(subject, trial) {
      const rows = rowsOf(subject, trial).map(row => ({ ...row, w: 1 }))
      const extra = {
        ...rows[0],
        ...Object.fromEntries(labelsOf(subject.model).map(label => [label, null])),
        w: 1e-11,
      }
      const all = await firstRun(subject, { data: rows, options: { weight: "w" } })
      const nearly = await firstRun(
        subject,
        { data: [...rows, extra], options: { weight: "w" } },
        { steps: 2 },
      )
      sameDescription(nearly.describe(), all.describe(), 1e-8)
    },
  },
  {
    id: "A6.dropped",
    name: "a column missing in every row is a column dropped",
    applies({ specimen, model }) {
      if (specimen.drops.length === 0) return "the model needs its only column"
      return (
        !leafOptions(model.spec).some(({ covariance }) => covariance === "spherical") ||
        "the variance is shared by the columns, and so is the prior's pseudo-row"
      )
    },
    async check(subject, trial) {
      const { specimen } = subject
      const rows = rowsOf(subject, trial)
      const drop = specimen.drops[trial.dice.integer(specimen.drops.length)]
      const holed = rows.map(row => ({ ...row, [drop]: null }))
      const slim = specimen.build(column => column !== drop)
      const dropped = await firstRun(subject, { data: rows, options: {} }, { model: slim })
      const missing = await firstRun(subject, { data: holed, options: {} })
      allNear(densities(missing, holed), densities(dropped, rows), 1e-8, `ln p without ${drop}`)
      for (const target of labelsOf(subject.model)) {
        allNear(
          missing.posterior(holed, { target }).probabilities,
          dropped.posterior(rows, { target }).probabilities,
          1e-8,
          `the posterior of ${target} without ${drop}`,
        )
      }
    },
  },
  {
    id: "A8.merge",
    name: "statistics of any parts of the rows add up to those of the whole",
    applies: () => true,
    async check(subject, trial) {
      const few = rowsOf(subject, trial)
      // more than one block
      const rows = Array.from({ length: 600 }, (_, i) => few[(i * 5) % few.length])
      const found = await probe(subject.model, rows)
      const params = await someParameters(found, 2)
      const whole = await found.problem.data.sweep(params)
      const sum = new Float64Array(found.statistics)
      // the whole first: a workspace that remembers it would be noticed
      const parts = found.blocks.flatMap(block => {
        const ends = [...new Set([...someCuts(block.rows, trial.dice), block.rows])].sort((a, b) => a - b)
        return ends.map((end, j) => cut(block, j === 0 ? 0 : ends[j - 1], end)).filter(part => part.rows > 0)
      })
      for (const part of parts.reverse()) {
        expectedStatistics(found, params, part).forEach((value, j) => {
          sum[j] += value
        })
      }
      allNear(sum, whole.stats, 1e-11, "the statistics")
      let likelihood = 0
      for (const block of found.blocks) {
        const scores = new Float64Array(block.rows)
        found.root.up(block, params, scores)
        for (let i = 0; i < block.rows; i++) likelihood += block.weight[i] * scores[i]
      }
      near(
        whole.logLikelihood ?? found.problem.theta.value(whole.stats, params),
        likelihood,
        1e-10,
        "the log-likelihood",
      )
    },
  },
]
