/** Laws about the densities and posteriors of one fitted model. */
import type { Cell } from "suffice"
import { densities, type LooseFitted, type LooseRow } from "./api.ts"
import { type Axis, axisOf, farFrom, supportOf } from "./axis.ts"
import type { Law, Trial } from "./law.ts"
import { columnsOf, featuresOf, holesOf, labelsOf, readsOf } from "./models.ts"
import { allNear, distributions, must, near, noNaN } from "./must.ts"
import { exp, log, logSumExp } from "./numbers.ts"
import { dressed, fitted, hasDensity, type ModelSubject, noBagsOnly, rowsOf, targetsOf } from "./subjects.ts"
import { punch } from "./variants.ts"

export interface Learned {
  readonly model: LooseFitted
  readonly rows: readonly LooseRow[]
}

async function learned(subject: ModelSubject, trial: Trial): Promise<Learned> {
  const rows = rowsOf(subject, trial)
  return { rows, model: await fitted(subject, { data: rows, options: {} }, { steps: 4 }) }
}

/** The range of the column that the model expects, on the column's axis, with the columns it reads as in this row. */
function endsOf(
  column: string,
  { model, rows }: Learned,
  subject: ModelSubject,
  given: LooseRow = rows[0],
): readonly [low: number, high: number] {
  const axis = axisOf(supportOf(subject.model, column))
  const values = rows.map(row => axis.into(row[column] as number))
  let low = Math.min(...values)
  let high = Math.max(...values)
  const alone = (u: number): number => {
    const row: Record<string, Cell> = { ...given }
    for (const name of [...labelsOf(subject.model), ...holesOf(subject.model)]) row[name] = null
    return densities(model, [{ ...row, [column]: axis.out(u) }])[0] + log(axis.slope(u))
  }
  // as far as the density is at least e⁻⁴⁰ of its value at a row
  const top = Math.max(...values.map(alone))
  for (let width = high - low; alone(low) > top - 40; width *= 1.3) low -= 0.3 * width
  for (let width = high - low; alone(high) > top - 40; width *= 1.3) high += 0.3 * width
  return [low, high]
}

/** Evenly spaced points between two ends on an axis, and the measure of each. */
function evenly(axis: Axis, [low, high]: readonly [number, number], points: number): Grid {
  const step = (high - low) / points
  const u = Array.from({ length: points }, (_, j) => low + (j + 0.5) * step)
  return { x: u.map(axis.out), dx: u.map(at => step * axis.slope(at)) }
}

export interface Grid {
  readonly x: readonly number[]
  readonly dx: readonly number[]
}

/** A grid over the range that the model expects of a numeric column, even on its axis. */
export function gridOf(
  column: string,
  found: Learned,
  subject: ModelSubject,
  points: number,
  given?: LooseRow,
): Grid {
  const axis = axisOf(supportOf(subject.model, column))
  return evenly(axis, endsOf(column, found, subject, given), points)
}

function levelsOf(column: string, rows: readonly LooseRow[]): unknown[] {
  return [...new Set(rows.map(row => row[column]))]
}

export const densityLaws: readonly Law<ModelSubject>[] = [
  {
    id: "A1.joint",
    name: "the joint of numbers and levels adds up to one",
    applies(subject) {
      if (hasDensity(subject) !== true) return hasDensity(subject)
      return labelsOf(subject.model).length > 0 || noBagsOnly(subject)
    },
    async check(subject, trial) {
      const { model: declared } = subject
      const found = await learned(subject, trial)
      // columns that are only read are given; a column that reads modelled ones is summed out unless all of them are seen
      const read = readsOf(declared)
      const modelled = columnsOf(declared, "number")
      const numeric = modelled
        .sort(() => trial.dice.uniform() - 0.5)
        .slice(0, 2)
        .filter(
          (column, _, chosen) =>
            declared.uses
              .find(use => use.column === column)!
              .reads?.every(name => !modelled.includes(name) || chosen.includes(name)) ?? true,
        )
      // columns that are not enumerated are missing: summed out
      let rows: Record<string, unknown>[] = [
        Object.fromEntries(
          featuresOf(declared).map(name => [
            name,
            read.includes(name) && !modelled.includes(name) ? found.rows[0][name] : null,
          ]),
        ),
      ]
      const across = (column: string, values: readonly unknown[]): void => {
        rows = rows.flatMap(row => values.map(value => ({ ...row, [column]: value })))
      }
      for (const column of [...labelsOf(declared), ...columnsOf(declared, "level")]) {
        const levels = levelsOf(column, found.rows)
        if (rows.length * levels.length <= (numeric.length === 2 ? 6 : 80)) across(column, levels)
      }
      for (const column of columnsOf(declared, "count")) {
        if (rows.length <= 80)
          across(
            column,
            Array.from({ length: 120 }, (_, x) => x),
          )
      }
      let measures = rows.map(() => 1)
      const reading = (column: string): boolean =>
        declared.uses.some(use => use.column === column && use.reads?.some(name => numeric.includes(name)))
      for (const column of numeric.sort((a, b) => Number(reading(a)) - Number(reading(b)))) {
        const points = numeric.length === 2 ? 140 : 600
        // for any value of what it reads
        const ends = reading(column) ? [rows[0], rows[rows.length - 1]] : [found.rows[0]]
        const reach = ends.map(end => endsOf(column, found, subject, end as LooseRow))
        const low = Math.min(...reach.map(([low]) => low))
        const high = Math.max(...reach.map(([, high]) => high))
        const { x, dx } = evenly(axisOf(supportOf(declared, column)), [low, high], points)
        across(column, x)
        measures = measures.flatMap(measure => dx.map(width => measure * width))
      }
      let sum = 0
      densities(found.model, rows as LooseRow[]).forEach((density, i) => {
        sum += exp(density) * measures[i]
      })
      near(sum, 1, 1e-6, `the total probability of ${[...numeric, "levels"].join(", ")}`)
    },
  },
  {
    id: "A1.posterior",
    name: "posteriors add up to one, however far the row is from the data",
    applies: () => true,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await fitted(subject, { data: rows, options: {} })
      const numbers = columnsOf(subject.model, "number")
      const far = rows.slice(0, 12).map((row, i) => ({
        ...row,
        ...Object.fromEntries(
          numbers.map(name => [
            name,
            farFrom(row[name] as number, i % 2 === 1, supportOf(subject.model, name)),
          ]),
        ),
        ...Object.fromEntries(
          columnsOf(subject.model, "bag").map(name => [name, { sun: 3e4, rain: 1e4 * i, moon: 5 }]),
        ),
      }))
      const asked = [...rows, ...far, ...punch(rows, holesOf(subject.model), 0.5, trial.dice)]
      noNaN(densities(model, asked), "logDensity")
      for (const target of targetsOf(subject, model.describe())) {
        const { levels, probabilities } = model.posterior(asked, { target })
        distributions(probabilities, levels.length, `the posterior of ${target}`)
        model.predict(asked, { target }).forEach((prediction, i) => {
          const own = probabilities.subarray(i * levels.length, (i + 1) * levels.length)
          must(
            prediction.probability === Math.max(...own) &&
              prediction.value === levels[own.indexOf(prediction.probability)],
            () =>
              `predict() says ${prediction.value} with ${prediction.probability}, the posterior of ${target} is ${own.join(", ")}.`,
          )
        })
      }
    },
  },
  {
    id: "A6.marginal",
    name: "a missing cell is summed out, and the posterior is Bayes' rule",
    applies(subject) {
      if (hasDensity(subject) !== true) return hasDensity(subject)
      const { model } = subject
      return (
        columnsOf(model, "bag").length < model.uses.length ||
        "bags have no density of their own: their length is given"
      )
    },
    async check(subject, trial) {
      const { model: declared } = subject
      const found = await learned(subject, trial)
      const { model, rows } = found
      const asked = punch(rows.slice(0, 9), [...holesOf(declared), ...labelsOf(declared)], 0.3, trial.dice)
      for (const column of [...labelsOf(declared), ...columnsOf(declared, "level")]) {
        const levels = model.posterior(asked, { target: column }).levels
        const without = densities(
          model,
          asked.map(row => ({ ...row, [column]: null })),
        )
        const joint = levels.map(level =>
          densities(
            model,
            asked.map(row => ({ ...row, [column]: level })),
          ),
        )
        const { probabilities } = model.posterior(asked, { target: column })
        asked.forEach((_, i) => {
          const terms = Float64Array.from(joint, scores => scores[i])
          const total = logSumExp(terms)
          near(without[i], total, 1e-9, `ln Σ p(row, ${column}) of row ${i}`)
          levels.forEach((level, l) => {
            near(
              probabilities[i * levels.length + l],
              exp(terms[l] - total),
              1e-9,
              `p(${column} = ${level} | row ${i})`,
            )
          })
        })
      }
      for (const column of columnsOf(declared, "number").filter(name => holesOf(declared).includes(name))) {
        const row = asked[trial.dice.integer(asked.length)]
        const { x, dx } = gridOf(column, found, subject, 1500, row)
        const without = densities(model, [{ ...row, [column]: null }])[0]
        let sum = 0
        densities(
          model,
          x.map(value => ({ ...row, [column]: value })),
        ).forEach((density, j) => {
          sum += exp(density - without) * dx[j]
        })
        near(sum, 1, 1e-6, `∫ p(row, ${column}) / p(row)`)
      }
    },
  },
  {
    id: "A6.nothing",
    name: "with nothing seen the density is 1 and the posterior is the prior",
    applies: hasDensity,
    async check(subject, trial) {
      const model = await fitted(subject, dressed(subject, trial))
      const row = Object.fromEntries(featuresOf(subject.model).map(name => [name, null]))
      near(densities(model, [row])[0], 0, 1e-12, "ln p of an empty row")
      const description = model.describe() as Record<
        string,
        { probabilities?: Record<string, number>; given?: unknown }
      >
      for (const [target, part] of Object.entries(description)) {
        if (!part.probabilities || !part.given) continue
        const { levels, probabilities } = model.posterior([row], { target })
        allNear(
          probabilities,
          levels.map(level => part.probabilities![String(level)]),
          1e-12,
          `p(${target} | nothing)`,
        )
      }
    },
  },
]
