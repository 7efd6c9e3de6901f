/** Laws about data that hardly deserves the name, and about the dice. */
import { em, type Model, mixture, SufficeError } from "suffice"
import { densities, fit, type LooseRow, learn } from "./api.ts"
import type { Law } from "./law.ts"
import { columnsOf, featuresOf, labelsOf } from "./models.ts"
import { distributions, finiteDescription, must, noNaN } from "./must.ts"
import { type ModelSubject, rowsOf, targetsOf } from "./subjects.ts"

export const degenerateLaws: readonly Law<ModelSubject>[] = [
  {
    id: "A12",
    name: "degenerate data gives finite parameters or one clear error",
    applies: () => true,
    async check(subject, trial) {
      const rows = rowsOf(subject, { ...trial, rows: 20 })
      const numbers = columnsOf(subject.model, "number")
      const labels = labelsOf(subject.model)
      const each = (change: (row: LooseRow, i: number) => LooseRow): LooseRow[] => rows.map(change)
      const scaled = (factor: number, shift = 0) =>
        each(row => ({
          ...row,
          ...Object.fromEntries(numbers.map(name => [name, factor * (row[name] as number) + shift])),
        }))
      const constant = (columns: readonly string[]) =>
        each(row => ({ ...row, ...Object.fromEntries(columns.map(name => [name, rows[0][name]])) }))
      const holed = (columns: readonly string[]) =>
        each(row => ({ ...row, ...Object.fromEntries(columns.map(name => [name, null])) }))
      const cases: Record<string, readonly LooseRow[]> = {
        "one row": rows.slice(0, 1),
        "two rows": rows.slice(0, 2),
        "three rows": rows.slice(0, 3),
        "one row twenty times": each(() => rows[0]),
        "two rows ten times": each((_, i) => rows[i % 2]),
        "constant columns": constant(featuresOf(subject.model)),
        "one class": constant(labels),
        "one row a class":
          labels.length > 0
            ? rows.filter((row, i) => rows.findIndex(other => other[labels[0]] === row[labels[0]]) === i)
            : rows,
        "no features": holed(featuresOf(subject.model)),
        "values of 1e150": scaled(1e150),
        "values of 1e-150": scaled(1e-150),
        "far from 0": scaled(1, 1e13),
        "copied columns": each(row => ({
          ...row,
          ...Object.fromEntries(numbers.map(name => [name, row[numbers[0]]])),
        })),
        "an outlier": rows.map((row, i) =>
          i > 0 ? row : { ...row, ...Object.fromEntries(numbers.map(name => [name, 1e100])) },
        ),
      }
      for (const [what, data] of Object.entries(cases)) {
        for (const prior of [0, 1]) {
          try {
            const model = await fit(subject.model, data, { learner: em({ prior, maxIterations: 8 }) })
            finiteDescription(model.describe(), `${what}, prior ${prior}: describe()`)
            noNaN(densities(model, data), `${what}, prior ${prior}: logDensity()`)
            noNaN(densities(model, rows), `${what}, prior ${prior}: logDensity() elsewhere`)
            for (const target of targetsOf(subject, model.describe())) {
              const { levels, probabilities } = model.posterior([...data, ...rows], { target })
              if (levels.length > 0)
                distributions(
                  probabilities,
                  levels.length,
                  `${what}, prior ${prior}: the posterior of ${target}`,
                )
            }
            must(
              !Number.isNaN(model.training!.objective),
              () => `${what}, prior ${prior}: the objective is NaN.`,
            )
          } catch (error) {
            if (!(error instanceof SufficeError)) {
              throw new Error(`${what}, prior ${prior}: ${(error as Error).message}`, { cause: error })
            }
          }
        }
      }
    },
  },
  {
    id: "A13.seed",
    name: "another seed is another first guess",
    applies: () => true,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      // enough components that k-means++ does not always find the same ones
      const many = mixture(9, subject.model as never, { name: "component" }) as unknown as Model
      // few distinct values can be divided in only one way, but which component gets which is random
      const firsts = new Set<string>()
      for (let seed = 0; seed < 8; seed++) {
        for await (const step of learn(many, rows, {
          seed,
          learner: subject.learner.make({ steps: 1 }, subject.model),
        })) {
          firsts.add(JSON.stringify(step.fitted().describe()))
          break
        }
      }
      must(firsts.size > 1, () => "eight seeds led to one and the same first guess.")
    },
  },
]
