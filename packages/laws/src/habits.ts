/** Habits of a good estimator: how a model treats what it is given. */
import { type Cell, type Columns, em, type Level } from "suffice"
import { densities, fit, type LooseRow, learn } from "./api.ts"
import type { Law } from "./law.ts"
import { labelsOf } from "./models.ts"
import { allNear, must, same, sameDescription } from "./must.ts"
import { answers, fitted, type ModelSubject, rowsOf, suits, targetsOf } from "./subjects.ts"
import { source } from "./variants.ts"

/** Rows as columns; numbers as a typed array if `typed`. */
export function columnsFrom(rows: readonly LooseRow[], typed: boolean): Columns {
  return Object.fromEntries(
    Object.keys(rows[0]).map((name): [string, ArrayLike<Cell>] => {
      const cells = rows.map(row => row[name])
      return [name, typed && typeof cells[0] === "number" ? Float64Array.from(cells as number[]) : cells]
    }),
  )
}

export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value
  for (const inside of Object.values(value)) deepFreeze(inside)
  return Object.freeze(value)
}

function reordered(row: LooseRow): LooseRow {
  return Object.fromEntries(Object.entries(row).reverse())
}

const always = (): true => true

export const habits: readonly Law<ModelSubject>[] = [
  {
    id: "B.inputs",
    name: "inputs are neither changed nor kept",
    applies: always,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const frozen = deepFreeze(structuredClone(rows)) as readonly LooseRow[]
      const model = await fitted(subject, { data: frozen, options: {} })
      const before = answers(subject, model, frozen)
      const columns = columnsFrom(rows, true)
      const copy = structuredClone(columns)
      const other = await fitted(subject, { data: columns, options: {} })
      answers(subject, other, rows)
      must(JSON.stringify(columns) === JSON.stringify(copy), () => "a column was changed.")
      const text = JSON.stringify(other.describe())
      for (const cells of Object.values(columns)) (cells as Cell[]).fill(cells[0])
      must(JSON.stringify(other.describe()) === text, () => "the model changed with the caller's column.")
      same(answers(subject, other, frozen), before, "answers after the caller changed its columns")
    },
  },
  {
    id: "B.forms",
    name: "rows, columns and typed arrays are the same data",
    applies: always,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const plain = columnsFrom(rows, false)
      const typed = columnsFrom(rows, true)
      const model = await fitted(subject, { data: rows, options: {} })
      const expected = answers(subject, model, rows)
      for (const data of [plain, typed, rows.map(reordered), source(rows, [3, 4, 20])]) {
        const other = await fitted(subject, { data, options: {} })
        sameDescription(other.describe(), model.describe(), 0)
        same(answers(subject, other, rows), expected, "answers")
      }
      same(
        answers(subject, model, rows.map(reordered)),
        expected,
        "answers with the columns in another order",
      )
      same(densities(model, typed), densities(model, rows), "logDensity() of typed columns")
      same(densities(model, plain), densities(model, rows), "logDensity() of plain columns")
    },
  },
  {
    id: "B.batch",
    name: "row by row is the same as all at once, in any order",
    applies: always,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await fitted(subject, { data: rows, options: {} })
      // more than one block, so that state left behind by a block would show
      const many = Array.from({ length: 530 }, (_, i) => rows[(i * 7) % rows.length])
      const whole = densities(model, many)
      const targets = targetsOf(subject, model.describe())
      const posteriors = targets.map(target => model.posterior(many, { target }))
      for (const i of [0, 1, 17, 479, 480, 529]) {
        same(densities(model, [many[i]]), whole.subarray(i, i + 1), `logDensity() of row ${i}`)
        targets.forEach((target, t) => {
          const { levels, probabilities } = posteriors[t]
          const own = probabilities.slice(i * levels.length, (i + 1) * levels.length)
          same(
            model.posterior([many[i]], { target }).probabilities,
            own,
            `the posterior of ${target}, row ${i}`,
          )
        })
      }
      same(
        densities(model, many.slice().reverse()),
        whole.slice().reverse(),
        "logDensity() of the rows in reverse",
      )
    },
  },
  {
    id: "B.methods",
    name: "asking changes nothing",
    applies: () => true,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await fitted(subject, { data: rows, options: {} })
      const before = answers(subject, model, rows)
      const text = JSON.stringify(model.describe())
      for (const target of targetsOf(subject, model.describe())) {
        model.posterior(rows.slice(0, 3), { target }).probabilities.fill(7)
        model.predict(rows.slice(3, 4), { target })
      }
      densities(model, rows.slice(0, 1)).fill(7)
      JSON.stringify(model)
      const after = answers(subject, model, rows)
      for (let j = 0; j < before.length; j++)
        must(Object.is(before[j], after[j]), () => `answer ${j} was ${before[j]} and is now ${after[j]}.`)
      must(JSON.stringify(model.describe()) === text, () => "the description changed.")
    },
  },
  {
    id: "B.labels",
    name: "labels come back as they went in",
    applies: ({ model }) => labelsOf(model).length > 0 || "the model has no label",
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await fitted(subject, { data: rows, options: {} })
      for (const target of labelsOf(subject.model)) {
        const there = new Set(rows.map(row => row[target] as Level))
        const { levels } = model.posterior(rows, { target })
        must(
          levels.length === there.size && levels.every(level => there.has(level)),
          () => `the levels of ${target} are ${levels.join(", ")}.`,
        )
        for (const { value, probability, probabilities } of model.predict(rows, { target })) {
          must(there.has(value as Level), () => `predict() answers ${String(value)}, which is no label.`)
          must(
            (probabilities as Record<string, number>)[String(value)] === probability,
            () => "probability and probabilities disagree.",
          )
        }
      }
    },
  },
  {
    id: "B.oneclass",
    name: "one class is enough",
    applies: ({ model }) => {
      const labels = model.uses.filter(use => use.role === "label")
      if (labels.length === 0) return "the model has no label"
      return !labels.some(({ need }) => need.kind === "level" && need.levels) || "the levels are declared"
    },
    async check(subject, trial) {
      const labels = labelsOf(subject.model)
      const first = rowsOf(subject, { ...trial, rows: 1 })[0]
      const rows = rowsOf(subject, trial).map(row => ({
        ...row,
        ...Object.fromEntries(labels.map(label => [label, first[label]])),
      }))
      const model = await fitted(subject, { data: rows, options: {} })
      for (const target of labels) {
        const { levels, probabilities } = model.posterior(rows, { target })
        must(levels.length === 1 && levels[0] === first[target], () => `the levels are ${levels.join(", ")}.`)
        allNear(
          probabilities,
          new Float64Array(rows.length).fill(1),
          1e-15,
          "the posterior of the only class",
        )
      }
    },
  },
  {
    id: "B.steps",
    name: "every step is a model, and fit() returns the best run's last one",
    applies: suits,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const learner = subject.learner.make({ steps: 4 }, subject.model)
      const final = await fit(subject.model, rows, { learner, seed: 3 })
      let best: { objective: number; text: string } | undefined
      for await (const step of learn(subject.model, rows, { learner, seed: 3 })) {
        const model = step.fitted()
        must(
          model.training!.objective === step.objective,
          () => "the step and its model disagree on the objective.",
        )
        if (step.stopped && (!best || step.objective > best.objective)) {
          best = { objective: step.objective, text: JSON.stringify(model.describe()) }
        }
      }
      must(
        best?.text === JSON.stringify(final.describe()),
        () => "fit() did not return the best run's last step.",
      )
      const several = await fit(subject.model, rows, {
        learner: em({ restarts: 5, maxIterations: 2 }),
        seed: 5,
      })
      const { runs, objective, run } = several.training!
      for (const other of runs) {
        must(
          other.objective <= objective,
          () => `run ${other.run} ended at ${other.objective}, but run ${run} was kept at ${objective}.`,
        )
      }
    },
  },
]
