/** Laws about labels and weights: what the data says decides, not how it is written down. */
import { type Cell, classes, type Dice, em, type Level, type Model, mixture } from "suffice"
import { bayes } from "suffice/learn"
import { densities, fit, isPass, type LooseRow, type LooseStep, learn } from "./api.ts"
import type { Law } from "./law.ts"
import { ncll, targetsFor } from "./learners.ts"
import { everything, isHidden, labelsOf } from "./models.ts"
import { allNear, must, near, same, sameDescription } from "./must.ts"
import { probe } from "./probe.ts"
import { answers, firstRun, fitted, type ModelSubject, rowsOf } from "./subjects.ts"
import { copiesOf } from "./variants.ts"

const hasLabel = ({ model }: ModelSubject): true | string =>
  labelsOf(model).length > 0 || "the model has no label"

export const labelLaws: readonly Law<ModelSubject>[] = [
  {
    id: "A7.onehot",
    name: "a soft label that is sure is a hard label",
    applies: hasLabel,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const labels = labelsOf(subject.model)
      const soft = rows.map((row, i) => ({
        ...row,
        ...(i % 2 > 0 && Object.fromEntries(labels.map(label => [label, { [String(row[label])]: 2.5 }]))),
      }))
      const hard = await fitted(subject, { data: rows, options: {} })
      const sure = await fitted(subject, { data: soft, options: {} })
      sameDescription(sure.describe(), hard.describe(), 0)
      same(answers(subject, sure, rows), answers(subject, hard, rows), "answers")
    },
  },
  {
    id: "A7.copies",
    name: "a soft label is one weighted copy of the row per level",
    applies: hasLabel,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const labels = labelsOf(subject.model)
      const soft = rows.map(row => ({
        ...row,
        ...Object.fromEntries(
          labels.map(label => [
            label,
            Object.fromEntries(
              rows.slice(0, 8).map(other => [String(other[label]), 1 + trial.dice.integer(3)]),
            ),
          ]),
        ),
      }))
      // hard labels first, so that every level occurs with its own type
      const mixed = [...rows, ...soft]
      const copies = copiesOf(mixed, labels, rows).map(({ row, weight }) => ({ ...row, w: weight }))
      const a = await firstRun(subject, { data: mixed, options: {} }, { steps: 0 + 2 })
      const start = isHidden(subject.model) ? a.describe() : undefined
      const one = await firstRun(subject, { data: mixed, options: {} }, { steps: 1, start })
      const other = await firstRun(subject, { data: copies, options: { weight: "w" } }, { steps: 1, start })
      sameDescription(other.describe(), one.describe(), 1e-9)
    },
  },
  {
    id: "A7.unsupervised",
    name: "with all labels missing, classes are a mixture",
    applies: ({ specimen }) =>
      specimen.under !== undefined || "the model is not classes(label, body) with one body",
    async check(subject, trial) {
      const { label, body } = subject.specimen.under!
      const rows = rowsOf(subject, trial)
      const levels = ["0", "1", "2"]
      const supervised = classes(label, body(everything) as never, { levels, prior: 0.5 }) as unknown as Model
      const blind = mixture(3, body(everything) as never, { name: label, prior: 0.5 }) as unknown as Model
      const unlabelled = rows.map(row => ({ ...row, [label]: null }))
      const seed = trial.dice.integer(100)
      const a = await firstRun(
        subject,
        { data: unlabelled, options: {} },
        { model: supervised, seed, steps: 4 },
      )
      const b = await firstRun(subject, { data: rows, options: {} }, { model: blind, seed, steps: 4 })
      allNear(densities(a, unlabelled), densities(b, unlabelled), 1e-11, "ln p of the rows")
      // there are no labelled rows to weigh them against
      for (const given of [{}, { unlabelled: 0 }, { unlabelled: 0.4 }]) {
        const by = subject.learner.keepsPosterior ? bayes : em
        const learner = by({ prior: subject.learner.prior, maxIterations: 4, tolerance: 0, ...given })
        const weighed = { ...subject, learner: { ...subject.learner, make: () => learner } }
        const c = await firstRun(
          weighed,
          { data: unlabelled, options: {} },
          { model: supervised, seed, steps: 4 },
        )
        sameDescription(c.describe(), a.describe(), 0)
      }
      allNear(
        a.posterior(unlabelled, { target: label }).probabilities,
        b.responsibilities(unlabelled, { of: label }),
        1e-9,
        "posterior and responsibilities",
      )
    },
  },
  {
    id: "A7.unlabelled",
    name: "unlabelled: λ weighs rows without a label by λ, and 0 is without them; EM climbs with any λ",
    applies: hasLabel,
    effort: 0.34,
    async check(subject, trial) {
      const { model } = subject
      const label = model.target!
      const rows = rowsOf(subject, trial).map(row => ({ ...row, w: 0.5 + trial.dice.uniform() }) as LooseRow)
      const some = hidden(rows, label, trial.dice)
      const steps = async (data: readonly LooseRow[], unlabelled: number | undefined) => {
        const learner = em({
          maxIterations: 4,
          tolerance: 0,
          ...(unlabelled !== undefined && { unlabelled }),
        })
        const all: LooseStep[] = []
        for await (const step of learn(model, data, { weight: "w", learner })) {
          all.push(step)
          if (step.stopped) break
        }
        const objectives = all.map(({ objective }) => objective)
        objectives.forEach((value, i) => {
          const slack = 1e-9 * (1 + Math.abs(value))
          must(
            i === 0 || all[i].run !== all[i - 1].run || isPass(all[i]) || value >= objectives[i - 1] - slack,
            () =>
              `with λ = ${unlabelled ?? "its default"} the objective falls from ${objectives[i - 1]} to ${value}.`,
          )
        })
        return { fitted: all[all.length - 1].fitted(), objectives }
      }
      const lambda = trial.dice.uniform()
      const weighed = some.map(row => (row[label] === null ? { ...row, w: (row.w as number) * lambda } : row))
      const one = await steps(some, lambda)
      const other = await steps(weighed, 1)
      same(one.objectives, other.objectives, "the objective of every step")
      sameDescription(one.fitted.describe(), other.fitted.describe(), 0)
      near(one.fitted.training!.weight, other.fitted.training!.weight, 0, "the weight")
      const none = await steps(some, 0)
      const known = some.filter(row => row[label] !== null)
      const alone = await steps(known, 1)
      same(none.objectives, alone.objectives, "the objective of every step")
      sameDescription(none.fitted.describe(), alone.fitted.describe(), 0)
      must(
        none.fitted.training!.rows === known.length,
        () => `${none.fitted.training!.rows} rows were counted, not ${known.length}.`,
      )
      await steps(some, undefined)
    },
  },
  {
    id: "A7.target",
    name: "rows without the target are no rows for sdEM",
    applies: ({ model }) => targetsFor(model, "ncll").length > 0 || "a bag of words cannot be a target",
    effort: 0.34,
    async check(subject, trial) {
      const { model } = subject
      const targets = targetsFor(model, "ncll")
      const target = targets[trial.dice.integer(targets.length)]
      const rows = rowsOf(subject, trial)
      const some = hidden(rows, target, trial.dice)
      const known = some.filter(row => row[target] !== null)
      const learner = ncll.make({}, model, { target })
      const one = await fit(model, some, { learner })
      const other = await fit(model, known, { learner })
      sameDescription(one.describe(), other.describe(), 0)
      same(answers(subject, one, rows), answers(subject, other, rows), "answers")
      same(one.training!.trace, other.training!.trace, "the objective of every step")
    },
  },
  {
    id: "A7.start",
    name: "first guesses leave the labels that were seen",
    applies: ({ specimen }) =>
      specimen.under !== undefined || "the model is not classes(label, body) with one body",
    async check(subject, trial) {
      const { label, body } = subject.specimen.under!
      const rows = rowsOf(subject, trial)
      // a level without rows, which has to be guessed
      const levels = [...new Set(rows.map(row => row[label] as Level)), "nobody"]
      const model = classes(label, body(everything) as never, { levels }) as unknown as Model
      const some = rows.map((row, i) => (i % 3 > 0 ? row : { ...row, [label]: null }))
      const found = await probe(model, some)
      const stats = await found.problem.start.guess(trial.dice)
      const part = found.parts[0]
      levels.forEach((level, l) => {
        const seen = some.filter(row => row[label] === level).length
        must(
          part.role !== "leaf" && part.ranges.statsOf(stats)[l] >= seen,
          () => `${seen} rows are labelled ${String(level)}, but the first guess gives it less.`,
        )
      })
    },
  },
  {
    id: "A7.zero",
    name: "a row of weight 0 is no row",
    applies: () => true,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial).map(row => ({ ...row, w: 0.5 + trial.dice.uniform() }) as LooseRow)
      const ghosts = rowsOf(subject, { ...trial, rows: 10 }).map(row => ({
        ...odd(subject.model, row),
        w: 0,
      }))
      const mixed = [...ghosts.slice(0, 4), ...rows.slice(0, 9), ...ghosts.slice(4), ...rows.slice(9)]
      const one = await fitted(subject, { data: rows, options: { weight: "w" } })
      const other = await fitted(subject, { data: mixed, options: { weight: "w" } })
      sameDescription(other.describe(), one.describe(), 0)
      same(answers(subject, other, rows), answers(subject, one, rows), "answers")
      must(
        other.training!.rows === rows.length,
        () => `${other.training!.rows} rows were counted, not ${rows.length}.`,
      )
    },
  },
  {
    id: "A7.repeat",
    name: "weight w is the row repeated w times",
    applies: () => true,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial).map(row => ({ ...row, w: 1 + trial.dice.integer(3) }) as LooseRow)
      const repeated = rows.flatMap(row => Array.from({ length: row.w as number }, () => ({ ...row, w: 1 })))
      const first = await firstRun(subject, { data: rows, options: { weight: "w" } }, { steps: 2 })
      const start = isHidden(subject.model) ? first.describe() : undefined
      const weighed = await firstRun(subject, { data: rows, options: { weight: "w" } }, { steps: 1, start })
      const copied = await firstRun(subject, { data: repeated, options: {} }, { steps: 1, start })
      sameDescription(copied.describe(), weighed.describe(), 1e-11)
      near(copied.training!.logLikelihood, weighed.training!.logLikelihood, 1e-11, "the log-likelihood")
      near(copied.training!.objective, weighed.training!.objective, 1e-11, "the objective")
      near(copied.training!.weight, weighed.training!.weight, 1e-12, "the weight")
    },
  },
]

/** Hides the column in some rows; every level of it stays visible somewhere. */
function hidden(rows: readonly LooseRow[], column: string, dice: Dice): LooseRow[] {
  const seen = new Set<Cell>()
  return rows.map(row => {
    const isNew = !seen.has(row[column])
    seen.add(row[column])
    return isNew || dice.uniform() < 0.6 ? row : { ...row, [column]: null }
  })
}

/** A row as far from the others as its columns allow: levels of its own, words of its own, numbers far away. */
function odd(model: Model, row: LooseRow): LooseRow {
  const changed: Record<string, Cell> = { ...row }
  for (const { column, need, role } of model.uses) {
    if (role === "hidden") continue
    if (need.kind === "number") changed[column] = need.support === "share" ? 1 - 1e-6 : 1e6
    else if (need.kind === "bag") changed[column] = ["never", "seen"]
    else if (need.kind === "level" && !need.binary && !need.levels && typeof row[column] === "string")
      changed[column] = "nowhere else"
  }
  return changed
}
