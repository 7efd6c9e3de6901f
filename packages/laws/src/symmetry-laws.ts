/** Laws about what must not matter: the order of rows, the names of levels, the numbers of components, units. */
import type { Description, Level, Model } from "suffice"
import type { Json } from "suffice/contract"
import { densities, type LooseRow } from "./api.ts"
import { supportOf } from "./axis.ts"
import type { Law, Trial } from "./law.ts"
import { columnsOf, isHidden, labelsOf, leafOptions } from "./models.ts"
import { allNear, near, sameDescription } from "./must.ts"
import { log } from "./numbers.ts"
import { firstRun, fitted, hasHidden, type ModelSubject, rowsOf, switchesIn, targetsOf } from "./subjects.ts"

const isRound = ({ covariance }: { covariance?: unknown }): boolean =>
  covariance === "spherical" || covariance === "identity"

export const symmetryLaws: readonly Law<ModelSubject>[] = [
  {
    id: "A10.rows",
    name: "the order of the rows does not matter",
    applies: () => true,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const start = isHidden(subject.model)
        ? (await firstRun(subject, { data: rows, options: {} }, { steps: 2 })).describe()
        : undefined
      const one = await firstRun(subject, { data: rows, options: {} }, { start, steps: 3 })
      const other = await firstRun(subject, { data: shuffled(rows, trial), options: {} }, { start, steps: 3 })
      sameDescription(other.describe(), one.describe(), 1e-9)
    },
  },
  {
    id: "A10.components",
    name: "renumbering the components renumbers the answers",
    applies: subject =>
      hasHidden(subject) !== true
        ? hasHidden(subject)
        : !hasOwnBodies(subject.model.spec) ||
          "components with bodies or an order of their own cannot change places",
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const hidden = (name: string): boolean => !labelsOf(subject.model).includes(name)
      const start = (await firstRun(subject, { data: rows, options: {} }, { steps: 2 })).describe()
      const one = await firstRun(subject, { data: rows, options: {} }, { start, steps: 3 })
      const turned = turn(start, hidden) as Description
      const other = await firstRun(subject, { data: rows, options: {} }, { start: turned, steps: 3 })
      sameDescription(turn(other.describe(), hidden), one.describe(), 1e-8)
      allNear(densities(other, rows), densities(one, rows), 1e-9, "ln p of the rows")
      for (const target of switchesIn(start).filter(hidden)) {
        const a = one.posterior(rows, { target })
        const b = other.posterior(rows, { target })
        const k = a.levels.length
        for (let i = 0; i < rows.length; i++) {
          for (let l = 0; l < k; l++) {
            near(
              b.probabilities[i * k + k - 1 - l],
              a.probabilities[i * k + l],
              1e-8,
              `p(component | row ${i})`,
            )
          }
        }
      }
    },
  },
  {
    id: "A10.levels",
    name: "renaming the levels renames the answers",
    applies: ({ model }) => {
      const named = model.uses.filter(use => use.need.kind === "level" && use.role !== "hidden")
      if (named.length === 0) return "no column has levels"
      if (named.some(use => use.need.kind === "level" && use.need.levels))
        return "the levels are declared by name"
      return !isHidden(model) || "first guesses are thrown class by class, in the order of the levels"
    },
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const columns = [...labelsOf(subject.model), ...columnsOf(subject.model, "level")]
      const names = new Map(columns.map(column => [column, renaming(rows.map(row => row[column] as Level))]))
      const renamed = rows.map(row => ({
        ...row,
        ...Object.fromEntries(columns.map(column => [column, names.get(column)!.get(row[column] as Level)])),
      }))
      const a = await fitted(subject, { data: rows, options: {} })
      const b = await fitted(subject, { data: renamed, options: {} })
      allNear(densities(b, renamed), densities(a, rows), 1e-10, "ln p of the rows")
      for (const target of columns) {
        const before = a.posterior(rows, { target })
        const after = b.posterior(renamed, { target })
        const k = before.levels.length
        before.levels.forEach((level, l) => {
          const there = after.levels.indexOf(names.get(target)!.get(level)!)
          for (let i = 0; i < rows.length; i++) {
            near(
              after.probabilities[i * k + there],
              before.probabilities[i * k + l],
              1e-9,
              `p(${target} = ${level} | row ${i})`,
            )
          }
        })
      }
    },
  },
  {
    id: "A10.affine",
    name: "other units for a numeric column change no posterior",
    applies: ({ model }) => {
      if (columnsOf(model, "number").length === 0) return "no column is a number"
      if (unitsOf(model).length === 0) return "a share has no other units"
      return !leafOptions(model.spec).some(isRound) || "round covariances depend on the units, by choice"
    },
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const read = columnsOf(subject.model, "number", "read")
      const numbers = [...unitsOf(subject.model), ...read]
      const column = numbers[trial.dice.integer(numbers.length)]
      // if 0 is the end of the support, it stays there
      const isFree = supportOf(subject.model, column) === "any"
      const factor = (isFree ? [1000, -0.004, 7, -1] : [1000, 0.004, 7, 1e-8])[trial.dice.integer(4)]
      const shift = isFree ? [0, 50, -1e4][trial.dice.integer(3)] * Math.abs(factor) : 0
      const changed = rows.map(row => ({ ...row, [column]: factor * (row[column] as number) + shift }))
      const a = await firstRun(subject, { data: rows, options: {} }, { steps: 3 })
      const b = await firstRun(subject, { data: changed, options: {} }, { steps: 3 })
      // only columns that are modelled affect the density
      const size = read.includes(column) ? 0 : log(Math.abs(factor))
      allNear(
        densities(b, changed).map(score => score + size),
        densities(a, rows),
        1e-6,
        "ln p of the rows",
      )
      for (const target of targetsOf(subject, a.describe())) {
        allNear(
          b.posterior(changed, { target }).probabilities,
          a.posterior(rows, { target }).probabilities,
          1e-6,
          `the posterior of ${target} after ${column} → ${factor}·${column} + ${shift}`,
        )
      }
    },
  },
]

/** Numeric columns whose units may change. */
function unitsOf(model: Model): string[] {
  return columnsOf(model, "number").filter(column => supportOf(model, column) !== "share")
}

function shuffled(rows: readonly LooseRow[], { dice }: Trial): LooseRow[] {
  const order = rows.slice()
  for (let i = order.length - 1; i > 0; i--) {
    const j = dice.integer(i + 1)
    ;[order[i], order[j]] = [order[j], order[i]]
  }
  return order
}

/** New names that sort the other way round. */
function renaming(levels: readonly Level[]): Map<Level, Level> {
  const sorted = [...new Set(levels)].sort((a, b) => (a < b ? -1 : 1))
  return new Map(
    sorted.map((level, l): [Level, Level] => {
      if (typeof level === "boolean") return [level, !level]
      if (sorted.every(other => other === 0 || other === 1)) return [level, 1 - (level as number)]
      return [level, typeof level === "number" ? -level : `level ${sorted.length - l}`]
    }),
  )
}

export function hasOwnBodies(spec: Description): boolean {
  const visit = (value: unknown): boolean =>
    typeof value === "object" &&
    value !== null &&
    (isOrdered(value as Description) || Object.values(value).some(visit))
  return visit(spec)
}

/** A mixture or a chain of hidden states whose values differ in more than their parameters. */
function isOrdered({ kind, bodies, states, transitions = "all" }: Description): boolean {
  if (kind === "chain" && states !== undefined && transitions !== "all") return true
  return (kind === "mixture" || states !== undefined) && (bodies as Json[]).length > 1
}

/** The components of every hidden switch in the opposite order. */
export function turn(value: Json, hidden: (name: string) => boolean): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value as Description).map(([key, entry]) => {
      const inside = turn(entry, hidden)
      if (!hidden(key) || typeof inside !== "object" || inside === null || !("given" in inside))
        return [key, inside]
      return [
        key,
        Object.fromEntries(
          Object.entries(inside as Record<string, Description>).map(([of, byLevel]) => [
            of,
            reversed(of === "transitions" ? mapped(byLevel, reversed) : byLevel),
          ]),
        ),
      ]
    }),
  )
}

function mapped(byLevel: Description, of: (entry: Description) => Description): Description {
  return Object.fromEntries(
    Object.entries(byLevel).map(([level, entry]) => [level, of(entry as Description)]),
  )
}

function reversed(byLevel: Description): Description {
  const keys = Object.keys(byLevel)
  return Object.fromEntries(keys.map((key, l) => [key, byLevel[keys[keys.length - 1 - l]]]))
}
