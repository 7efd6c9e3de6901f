/** The values of one switch, a label's levels or a mixture's components, and what a model says of single columns given each. */
import type { Cell, Columns, Level } from "suffice"
import type { LooseFitted } from "../loose.ts"
import { plainCell, rowCount } from "../tabular.ts"

export interface Groups {
  /** The label, or the name of the mixture. */
  readonly of: string
  readonly kind: "levels" | "components" | "all"
  /** In the order of the model. */
  readonly names: readonly string[]
  /** p(group | what the rows hold): rows × groups. */
  chances(question: Columns): ArrayLike<number>
  /** ln p(cell | group), one cell after the other. */
  logDensity(column: string, cells: ArrayLike<Cell>, group: number): Float64Array
  /** The group of each row: what its label says, or the most probable component; -1 if it has none. */
  groupOf(data: Columns): Int32Array
}

export function labelGroups(fitted: LooseFitted, label: string): Groups {
  const levels = fitted.posterior([{}], { target: label }).levels as readonly Level[]
  const codes = new Map(levels.map((level, l) => [String(level), l]))
  let alone: Float64Array | undefined
  return {
    of: label,
    kind: "levels",
    names: levels.map(String),
    chances: question => fitted.posterior(question, { target: label }).probabilities,
    // ln p(x | l) = ln p(x, l) − ln p(l)
    logDensity(column, cells, group) {
      const level = levels[group]
      alone ??= fitted.logDensity({ [label]: levels } as Columns)
      const own = alone[group]
      const joint = fitted.logDensity({
        [label]: new Array(cells.length).fill(level),
        [column]: cells,
      } as Columns)
      return joint.map(value => value - own)
    },
    groupOf: data =>
      Int32Array.from(data[label] as ArrayLike<Cell>, cell => codes.get(String(plainCell(cell))) ?? -1),
  }
}

export function mixtureGroups(fitted: LooseFitted, name: string, components: readonly string[]): Groups {
  const of = name as `mixture(${string})`
  const k = components.length
  const chances = (question: Columns): Float64Array => fitted.responsibilities(question, { of })
  const alone = fitted.responsibilities([{}], { of })
  return {
    of: name,
    kind: "components",
    names: components,
    chances,
    // ln p(x | c) = ln p(x) + ln p(c | x) − ln p(c)
    logDensity(column, cells, group) {
      const question = { [column]: cells } as Columns
      const given = chances(question)
      return fitted
        .logDensity(question)
        .map((value, i) => value + Math.log(given[i * k + group]) - Math.log(alone[group]))
    },
    groupOf(data) {
      const given = chances(data)
      return Int32Array.from({ length: rowCount(data) }, (_, i) => {
        let best = 0
        for (let c = 1; c < k; c++) if (given[i * k + c] > given[i * k + best]) best = c
        return best
      })
    },
  }
}

/** All rows as one group, for a model that has no switch above its columns, or whose target is a number. */
export function oneGroup(fitted: LooseFitted): Groups {
  return {
    of: "rows",
    kind: "all",
    names: ["all rows"],
    chances: question => new Float64Array(rowCount(question)).fill(1),
    logDensity: (column, cells) => fitted.logDensity({ [column]: cells } as Columns),
    groupOf: data => new Int32Array(rowCount(data)),
  }
}
