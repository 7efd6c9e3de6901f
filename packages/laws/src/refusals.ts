/** Habits of a good estimator: how a model responds to input that is wrong, or new. */
import type { Cell } from "suffice"
import type { Support } from "suffice/contract"
import { densities, fit, type LooseRow } from "./api.ts"
import type { Law } from "./law.ts"
import { columnsOf, featuresOf, isHidden, isScaled, labelsOf } from "./models.ts"
import { must, refuses, same } from "./must.ts"
import { fitted, type ModelSubject, rowsOf, targetsOf } from "./subjects.ts"
import { source } from "./variants.ts"

const always = (): true => true

/** Numbers outside each support. */
const OUTSIDE: Readonly<Record<Support, readonly number[]>> = {
  any: [],
  notNegative: [-1e-300, -3],
  positive: [0, -3],
  share: [0, 1, -0.5, 40],
}

export const refusals: readonly Law<ModelSubject>[] = [
  {
    id: "B.columns",
    name: "a column that is not there is named, with those that are",
    applies: always,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const features = featuresOf(subject.model)
      const column = features[trial.dice.integer(features.length)]
      const renamed = rows.map(row => ({ ...without(row, column), [`${column}_`]: row[column] }))
      await refuses(
        () => fitted(subject, { data: renamed, options: {} }),
        "column",
        [`"${column}"`, `"${column}_"`],
        "fit() with a renamed column",
      )
      const model = await fitted(subject, { data: rows, options: {} })
      await refuses(
        () => (isScaled(subject.model) ? model.impute(renamed) : model.logDensity(renamed)),
        "column",
        [`"${column}"`, `"${column}_"`],
        "asking with a renamed column",
      )
      await refuses(
        () => model.predict(rows, { target: "no such column" }),
        "target",
        ["no such column"],
        "an unknown target",
      )
    },
  },
  {
    id: "B.refusals",
    name: "bad cells, weights and tables are refused with row and column",
    applies: always,
    async check(subject, trial) {
      const { model } = subject
      const rows = rowsOf(subject, trial)
      const i = 1 + trial.dice.integer(rows.length - 1)
      const spoilt = (column: string, cell: unknown): LooseRow[] =>
        rows.map((row, j) => (i === j ? { ...row, [column]: cell as Cell } : row))
      const wrong: Record<string, readonly unknown[]> = {
        number: [Infinity, -Infinity, "seven", true, ["a"]],
        count: [Infinity, -1, 2.5, "seven"],
        level: [Infinity, ["a"]],
        bag: [5, true, [5], { a: -1 }, { a: "many" }],
        steps: [5, true, "seven", [5], { gap: 1 }, { gap: [1], turn: [] }],
      }
      const fine = await fitted(subject, { data: rows, options: {} }, { steps: 1 })
      for (const { column, need, role } of model.uses) {
        if (role !== "cell") continue
        const outside = need.kind === "number" ? OUTSIDE[need.support ?? "any"] : []
        for (const cell of [...wrong[need.kind], ...outside]) {
          const words = [`row ${i}`, `"${column}"`]
          await refuses(
            () => fitted(subject, { data: spoilt(column, cell), options: {} }),
            "cell",
            words,
            `fit() with ${String(cell)} in ${column}`,
          )
          await refuses(
            () =>
              isScaled(model) ? fine.impute(spoilt(column, cell)) : fine.logDensity(spoilt(column, cell)),
            "cell",
            words,
            `asking with ${String(cell)} in ${column}`,
          )
        }
      }
      for (const { column, reads = [] } of model.uses) {
        for (const read of reads) {
          const words = [`row ${i}`, `"${column}"`, `"${read}"`]
          const holed = spoilt(read, null)
          await refuses(
            () => fitted(subject, { data: holed, options: {} }),
            "cell",
            words,
            `fit() without ${read}`,
          )
          await refuses(() => fine.logDensity(holed), "cell", words, `logDensity() without ${read}`)
          await refuses(
            () => fine.predict(holed, { target: column }),
            "cell",
            words,
            `predict() without ${read}`,
          )
        }
      }
      for (const label of labelsOf(model)) {
        for (const cell of [{ a: -1 }, { a: 0 }, { a: Infinity }]) {
          await refuses(
            () => fitted(subject, { data: spoilt(label, cell), options: {} }),
            "label",
            [`row ${i}`, `"${label}"`],
            `the soft label ${JSON.stringify(cell)}`,
          )
        }
      }
      const weighed = (weight: (j: number) => unknown): LooseRow[] =>
        rows.map((row, j) => ({ ...row, w: weight(j) as Cell }))
      for (const weight of [-1, Infinity, Number.NaN, "heavy", null]) {
        const data = weighed(j => (j === i ? weight : 1))
        await refuses(
          () => fitted(subject, { data, options: { weight: "w" } }),
          "weight",
          [`row ${i}`, '"w"'],
          `the weight ${String(weight)}`,
        )
      }
      await refuses(
        () => fitted(subject, { data: weighed(() => 0), options: { weight: "w" } }),
        "weight",
        ['"w"'],
        "weights that are all 0",
      )
      await refuses(
        () => fitted(subject, { data: rows, options: { weight: "w" } }),
        "column",
        ['"w"'],
        "a column of weights that is not there",
      )
      await refuses(() => fit(model, []), "data", [], "no rows")
      await refuses(() => fit(model, {}), "data", [], "no columns")
      await refuses(
        () => fit(model, [{}, {}]),
        "column",
        [`"${model.uses.find(use => use.role !== "hidden")!.column}"`],
        "rows without cells",
      )
      await refuses(() => fit(model, 7 as never), "data", ["7"], "a number instead of data")
      await refuses(() => fit(model, [rows[0], null as never]), "data", ["row 1"], "a row that is null")
      await refuses(() => fit(model, source([], [])), "data", [], "an empty source")
    },
  },
  {
    id: "B.unseen",
    name: "a level or word that training never saw counts as missing, and levels are reported",
    applies: ({ model }) =>
      columnsOf(model, "level").length + columnsOf(model, "bag").length > 0 ||
      "no column has levels or words",
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await fitted(subject, { data: rows, options: {} })
      const targets = targetsOf(subject, model.describe())
      for (const column of columnsOf(subject.model, "level")) {
        const strange = rows.map(row => ({ ...row, [column]: "never seen before" }))
        const missing = rows.map(row => ({ ...row, [column]: null }))
        same(densities(model, strange), densities(model, missing), `ln p with a new level in ${column}`)
        const target = targets.find(name => name !== column)
        if (target === undefined) continue
        for (const { unseen } of model.predict(strange, { target })) {
          must(unseen?.[column] === "never seen before", () => `the new level in ${column} is not reported.`)
        }
        must(
          model.predict(rows, { target }).every(prediction => prediction.unseen === undefined),
          () => "a known level is reported as unseen.",
        )
      }
      for (const column of columnsOf(subject.model, "bag")) {
        const strange = rows.map(row => ({ ...row, [column]: [...wordsOf(row[column]), "neverseenbefore"] }))
        const usual = rows.map(row => ({ ...row, [column]: wordsOf(row[column]) }))
        same(densities(model, strange), densities(model, usual), `ln p with a new word in ${column}`)
      }
    },
  },
  {
    id: "B.abort",
    name: "an abort ends the work within one block",
    applies: always,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const gone = AbortSignal.abort("enough")
      must(
        (await outcome(() => fit(subject.model, rows, { signal: gone }))) === "enough",
        () => "an aborted signal did not stop fit().",
      )
      const controller = new AbortController()
      let batches = 0
      const counted = {
        async *[Symbol.asyncIterator]() {
          for (let batch = 0; batch < 50; batch++) {
            if (++batches === 3) controller.abort("enough")
            yield rows
          }
        },
      }
      const answer = await outcome(() => fit(subject.model, counted, { signal: controller.signal }))
      must(answer === "enough", () => `aborting while reading gave ${String(answer)}.`)
      must(batches <= 4, () => `${batches - 3} batches were read after the abort.`)
      const later = new AbortController()
      let steps = 0
      const stopped = await outcome(() =>
        fit(subject.model, rows, {
          signal: later.signal,
          learner: subject.learner.make({ steps: 5 }, subject.model),
          onStep: () => {
            steps++
            later.abort("enough")
          },
        }),
      )
      if (isHidden(subject.model)) {
        must(
          stopped === "enough" && steps === 1,
          () => `aborting in the first step gave ${steps} steps and ${String(stopped)}.`,
        )
      }
    },
  },
  {
    id: "B.options",
    name: "options that are unknown or out of range are refused",
    applies: always,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const wrong: Record<string, unknown> = {
        sed: 1,
        seed: Number.NaN,
        learner: "em",
        weight: featuresOf(subject.model)[0],
      }
      for (const [option, value] of Object.entries(wrong)) {
        await refuses(
          () => fit(subject.model, rows, { [option]: value }),
          "option",
          [option === "weight" ? String(value) : option],
          `the option ${option}`,
        )
      }
    },
  },
]

function without(row: LooseRow, column: string): LooseRow {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== column))
}

function wordsOf(cell: Cell): string[] {
  return typeof cell === "string" ? cell.split(" ") : (cell as string[])
}

/** The error that the work throws. */
async function outcome(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  return undefined
}
