/**
 * Laws about filled cells and drawn rows: impute() and sample().
 * Long because both are compared with the same moments.
 */
import type { Cell, Imputed, Level } from "suffice"
import { numericOf, questions } from "./answer-laws.ts"
import { densities, fit, type LooseFitted, type LooseRow, numbersOf } from "./api.ts"
import type { Law } from "./law.ts"
import { columnsOf, featuresOf, givenBy, isHidden, isScaled, labelsOf } from "./models.ts"
import { must, near } from "./must.ts"
import { probe } from "./probe.ts"
import {
  cellAt,
  keepsSteps,
  levelByDensity,
  numberByDensity,
  seenInSteps,
  stepHolesOf,
  withStrangeSteps,
} from "./step-holes.ts"
import { fitted, type ModelSubject, noBagsOnly, rowsOf } from "./subjects.ts"
import { isHole } from "./variants.ts"

/** Columns of the data that can be targets, by kind. */
function targetColumns(subject: ModelSubject): { numeric: string[]; levels: string[] } {
  const { model } = subject
  return { numeric: numericOf(subject), levels: [...labelsOf(model), ...columnsOf(model, "level")] }
}

/** Numeric columns that can be predicted for this row: what they read is seen, and nothing that is seen reads them. */
function numericTargetsOf({ model }: ModelSubject, row: LooseRow): string[] {
  const reads = new Map(model.uses.map(use => [use.column, use.reads ?? []]))
  return [...columnsOf(model, "number"), ...columnsOf(model, "count")].filter(
    column =>
      reads.get(column)!.every(read => !isHole(row[read])) &&
      model.uses.every(use => isHole(row[use.column]) || !reads.get(use.column)!.includes(column)),
  )
}

/** Whether some cell of a row can be drawn. */
function drawable(subject: ModelSubject): true | string {
  const { numeric, levels } = targetColumns(subject)
  return numeric.length + levels.length > 0 || noBagsOnly(subject)
}

export const fillLaws: readonly Law<ModelSubject>[] = [
  {
    id: "A6.fill",
    name: "a hole is filled by what predict() says of it, one in a step by what the density says, and nothing else is touched",
    applies: () => true,
    effort: 0.34,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await fitted(subject, { data: rows, options: {} }, { steps: 4 })
      const { numeric, levels } = targetColumns(subject)
      const asked = questions(subject, rows, trial, 12).map((row, i) => ({ ...row, note: `row ${i}` }))
      // one that names no label at all
      const [first] = asked
      asked.push(without(first, labelsOf(subject.model)) as typeof first)
      // one with levels that training never saw: they are no evidence, but not missing either
      const strange = columnsOf(subject.model, "level").map(column => [column, "never seen before"])
      asked.push({
        ...withStrangeSteps(subject.model, first),
        ...Object.fromEntries(strange),
      } as typeof first)
      const { rows: filled, spread, draws } = model.impute(asked)
      must(filled.length === asked.length && draws.length === 0, () => "rows were lost, or drawn.")
      asked.forEach((row, i) => {
        const inSteps = stepHolesOf(subject.model, row)
        const own = [...numeric, ...levels].filter(column => isHole((row as LooseRow)[column]))
        const holes = [...own, ...inSteps.map(({ name }) => name)]
        must(
          holes.slice().sort().join() === Object.keys(spread[i]).sort().join(),
          () => `row ${i} lacks ${holes}, but ${Object.keys(spread[i])} were filled.`,
        )
        for (const [column, cell] of Object.entries(row))
          must(
            own.includes(column) ||
              (inSteps.some(({ steps }) => steps === column)
                ? keepsSteps(row, filled[i], column, inSteps)
                : Object.is(filled[i][column], cell)),
            () => `row ${i} of ${column} was ${String(cell)} and is ${String(filled[i][column])}.`,
          )
      })
      for (const target of numeric) {
        numbersOf(model, asked as LooseRow[], target).forEach(({ value, sd }, i) => {
          if (spread[i][target] === undefined) return
          near(((filled[i][target] as number) - value) / sd, 0, 1e-11, `${target} of row ${i}`)
          near(spread[i][target] / sd, 1, 1e-11, `the spread of ${target} in row ${i}`)
        })
      }
      for (const target of levels) {
        const { levels: all, probabilities } = model.posterior(asked as LooseRow[], { target })
        asked.forEach((_, i) => {
          if (spread[i][target] === undefined) return
          const own = probabilities.subarray(i * all.length, (i + 1) * all.length)
          const top = Math.max(...own)
          const chosen = own[all.indexOf(filled[i][target] as Level)]
          must(
            chosen >= top - 1e-12,
            () =>
              `row ${i} of ${target} is filled with ${filled[i][target]}, whose probability is ${chosen}.`,
          )
          near(spread[i][target], 1 - top, 1e-12, `the doubt about ${target} in row ${i}`)
        })
      }
      fillsSteps(subject, model, rows, asked, { filled, spread })
    },
  },
  {
    id: "A6.draws",
    name: "drawn tables keep what was seen, and vary around the fillings by their spread",
    applies: drawable,
    effort: 0.34,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await fitted(subject, { data: rows, options: {} }, { steps: 4 })
      const { numeric, levels } = targetColumns(subject)
      const asked = questions(subject, rows, trial, 3)
      const count = 250
      const seed = trial.dice.integer(1000)
      const { rows: filled, spread, draws } = model.impute(asked, { draws: count, seed })
      must(draws.length === count, () => `${draws.length} tables were drawn, not ${count}.`)
      const again = model.impute(asked, { draws: 2, seed }).draws
      must(JSON.stringify(again) === JSON.stringify(draws.slice(0, 2)), () => "the seed does not decide.")
      asked.forEach((row, i) => {
        const drawn = draws.map(table => table[i])
        for (const [column, cell] of Object.entries(row)) {
          const free = column in spread[i]
          const inSteps = stepHolesOf(subject.model, row).filter(({ steps }) => steps === column)
          if (inSteps.length > 0) {
            must(
              drawn.every(other => keepsSteps(row, other, column, inSteps)),
              () => `steps of ${column} were not drawn, or were seen, but drawn.`,
            )
            continue
          }
          must(
            drawn.every(other => (free ? !isHole(other[column]) : Object.is(other[column], cell))),
            () => (free ? `${column} was not drawn.` : `${column} was seen, but drawn.`),
          )
        }
        for (const target of Object.keys(spread[i])) {
          const what = `${target} of row ${i}`
          const cells = drawn.map(other => other[target])
          if (numeric.includes(target))
            meanWithin(cells as number[], filled[i][target] as number, spread[i][target], what)
          else if (levels.includes(target))
            shareWithin(cells, filled[i][target], 1 - spread[i][target], `p(${what} = ${filled[i][target]})`)
        }
        for (const hole of stepHolesOf(subject.model, row)) {
          const what = `${hole.name} of row ${i}`
          const cells = drawn.map(other => cellAt(other, hole))
          const best = cellAt(filled[i], hole)
          const doubt = spread[i][hole.name]
          must(doubt !== undefined, () => `${what} has no spread.`)
          if (hole.kind === "level") shareWithin(cells, best, 1 - doubt, `p(${what} = ${String(best)})`)
          else meanWithin(cells as number[], best as number, doubt, what)
        }
      })
    },
  },
  {
    id: "A9.sample",
    name: "sampled rows have the moments of the model, column by column and one given the others",
    applies: subject => (isScaled(subject.model) ? "scaled documents cannot be drawn" : drawable(subject)),
    effort: 0.34,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await fitted(subject, { data: rows, options: {} }, { steps: 4 })
      const count = 400
      const seed = trial.dice.integer(1000)
      const given = givenBy(subject.model, rows[0])
      const drawn = model.sample(count, { seed, words: 4, given })
      must(drawn.length === count, () => `${drawn.length} rows were drawn, not ${count}.`)
      const again = model.sample(5, { seed, words: 4, given })
      must(JSON.stringify(again) === JSON.stringify(drawn.slice(0, 5)), () => "the seed does not decide.")
      must(
        JSON.stringify(model.sample(count, { seed: seed + 1, words: 4, given })) !== JSON.stringify(drawn),
        () => "another seed gives the same rows.",
      )
      hasMomentsOf(subject, model, drawn, { ...emptyOf(subject), ...given })
      residualsVanish(subject, model, drawn)
    },
  },
  {
    id: "A9.evidence",
    name: "rows sampled given some cells keep them, and vary as predict() says",
    applies: drawable,
    effort: 0.34,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await fitted(subject, { data: rows, options: {} }, { steps: 4 })
      const row = questions(subject, rows, trial, 6)[1 + trial.dice.integer(5)]
      // scaled documents cannot be drawn, so they are given
      const documents = isScaled(subject.model) ? columnsOf(subject.model, "bag") : []
      const given = Object.fromEntries([
        ...documents.map(column => [column, rows[0][column]]),
        ...Object.entries(row).filter(([, cell]) => !isHole(cell)),
      ])
      const drawn = model.sample(300, { seed: trial.dice.integer(1000), given })
      const numbers = [...columnsOf(subject.model, "number"), ...columnsOf(subject.model, "number", "read")]
      for (const column of Object.keys(given)) {
        if (columnsOf(subject.model, "bag").includes(column)) continue
        // a number is scaled and unscaled
        const scale = Math.abs(given[column] as number) + 1
        must(
          drawn.every(other =>
            numbers.includes(column)
              ? Math.abs((other[column] as number) - (given[column] as number)) <= 1e-12 * scale
              : other[column] === given[column],
          ),
          () => `${column} was given as ${String(given[column])}, but drawn.`,
        )
      }
      hasMomentsOf(subject, model, drawn, row)
    },
  },
  {
    id: "A9.recovered",
    name: "a model fitted on samples answers as the one that drew them",
    applies: subject =>
      drawable(subject) !== true
        ? drawable(subject)
        : columnsOf(subject.model, "bag").length > 0
          ? "the words of a bag are drawn, but not how many"
          : !isHidden(subject.model) || "the components of a mixture may change places, or merge",
    effort: 0.34,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await fitted(subject, { data: rows, options: {} })
      const n = 1500
      const drawn = drawnRows(subject, model, rows, n, trial.dice.integer(1000))
      const found = await fit(subject.model, drawn, {})
      const fresh = drawnRows(subject, model, rows, 300, 2000)
      // the loss is about half a χ² over n, with as many degrees of freedom as there are free parameters
      const free = (await probe(subject.model, rows)).parts.reduce(
        (sum, part) => sum + part.leaf.shape.free,
        0,
      )
      const here = densities(model, fresh)
      const there = densities(found, fresh)
      const gap = here.reduce((sum, score, i) => sum + score - there[i], 0) / fresh.length
      must(gap < (3 * free + 30) / n, () => `the fitted model loses ${gap} nats per row.`)
      for (const target of labelsOf(subject.model)) {
        const p = model.posterior(fresh, { target })
        const q = found.posterior(fresh, { target })
        must(p.levels.join() === q.levels.join(), () => `the levels of ${target} are ${q.levels}.`)
        let off = 0
        for (let j = 0; j < p.probabilities.length; j++)
          off += Math.abs(p.probabilities[j] - q.probabilities[j])
        must(off / fresh.length < 0.25, () => `posteriors of ${target} are off by ${off / fresh.length}.`)
      }
    },
  },
]

/** Levels in steps are those the density prefers, and so are the numbers: of them the first, as its density is integrated. */
function fillsSteps(
  { model: declared }: ModelSubject,
  model: LooseFitted,
  rows: readonly LooseRow[],
  asked: readonly LooseRow[],
  { filled, spread }: { readonly filled: readonly LooseRow[]; readonly spread: Imputed["spread"] },
): void {
  let numbers = 0
  asked.forEach((row, i) => {
    for (const hole of stepHolesOf(declared, row)) {
      const what = `${hole.name} of row ${i}`
      const filling = { row, filled: filled[i], spread: spread[i][hole.name], what }
      const cells = seenInSteps(rows, hole)
      if (hole.kind === "level") levelByDensity(model, hole, [...new Set(cells as Level[])], filling)
      else if (numbers++ === 0) numberByDensity(model, hole, cells as number[], filling)
    }
  })
}

function without(row: LooseRow, columns: readonly string[]): LooseRow {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)))
}

/** Rows drawn from the model; columns that it only reads are taken from the data. */
function drawnRows(
  { model: declared }: ModelSubject,
  model: LooseFitted,
  rows: readonly LooseRow[],
  count: number,
  seed: number,
): LooseRow[] {
  if (Object.keys(givenBy(declared, rows[0])).length === 0) return model.sample(count, { seed })
  return Array.from(
    { length: count },
    (_, i) => model.sample(1, { seed: count * seed + i, given: givenBy(declared, rows[i % rows.length]) })[0],
  )
}

function emptyOf({ model }: ModelSubject): LooseRow {
  return Object.fromEntries([...labelsOf(model), ...featuresOf(model)].map(column => [column, null]))
}

/** Every column that `row` lacks has the moments predict() states for it. */
function hasMomentsOf(
  subject: ModelSubject,
  model: LooseFitted,
  drawn: readonly LooseRow[],
  row: LooseRow,
): void {
  const { levels } = targetColumns(subject)
  for (const target of numericTargetsOf(subject, row).filter(column => isHole(row[column]))) {
    const [{ value, sd }] = numbersOf(model, [row], target)
    const cells = drawn.map(other => other[target] as number)
    meanWithin(cells, value, sd, `the mean of ${target}`)
    const squares = cells.map(x => ((x - value) / sd) * ((x - value) / sd))
    meanWithin(squares, 1, spreadOf(squares), `the variance of ${target}, as a share`)
  }
  for (const target of levels.filter(column => isHole(row[column]))) {
    const { levels: all, probabilities } = model.posterior([row], { target })
    const cells = drawn.map(other => other[target])
    all.forEach((level, l) => {
      shareWithin(cells, level, probabilities[l], `p(${target} = ${level})`)
    })
  }
}

/** E[(x − E[x | the rest]) · z] = 0 for every other z: dependence between columns is drawn, too. */
function residualsVanish(subject: ModelSubject, model: LooseFitted, drawn: readonly LooseRow[]): void {
  const { numeric, levels } = targetColumns(subject)
  const others = new Map<string, number[]>(
    numeric.map(column => [column, standardised(drawn.map(row => row[column] as number))]),
  )
  for (const column of levels) {
    const first = drawn[0][column]
    others.set(column, standardised(drawn.map(row => (row[column] === first ? 1 : 0))))
  }
  const check = (target: string, residuals: readonly number[]): void => {
    for (const [column, z] of others) {
      if (column === target) continue
      const products = residuals.map((residual, i) => residual * z[i])
      meanWithin(products, 0, spreadOf(products), `what ${target} keeps of ${column}`)
    }
  }
  for (const target of numeric) {
    const told = numbersOf(model, drawn, target)
    check(
      target,
      told.map(({ value, sd }, i) => ((drawn[i][target] as number) - value) / sd),
    )
  }
  for (const target of levels) {
    const { levels: all, probabilities } = model.posterior(drawn, { target })
    check(
      target,
      drawn.map((row, i) => (row[target] === all[0] ? 1 : 0) - probabilities[i * all.length]),
    )
  }
}

function standardised(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const spread = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) * (v - mean), 0) / values.length)
  return values.map(value => (spread > 0 ? (value - mean) / spread : 0))
}

function spreadOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, v) => sum + (v - mean) * (v - mean), 0) / values.length)
}

/** The mean of n draws lies within five standard errors, plus one draw. */
function meanWithin(values: readonly number[], expected: number, sd: number, what: string): void {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const most = values.reduce((most, value) => Math.max(most, Math.abs(value - expected)), 0)
  const error = sd / Math.sqrt(values.length) + most / values.length
  must(
    Math.abs(mean - expected) <= 5 * error + 1e-12 * (1 + Math.abs(expected)),
    () => `${what} is ${mean} over ${values.length} draws and ${expected} by the model, error ${error}.`,
  )
}

function shareWithin(cells: readonly Cell[], level: Cell, p: number, what: string): void {
  const share = cells.filter(cell => cell === level).length / cells.length
  const error = Math.sqrt(Math.max(p * (1 - p), 0) / cells.length) + 1 / cells.length
  must(
    Math.abs(share - p) <= 5 * error,
    () => `${what} is ${share} over ${cells.length} draws and ${p} by the model.`,
  )
}
