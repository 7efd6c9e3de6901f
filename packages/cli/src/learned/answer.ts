/** What a model has learned, column by column, beside the rows it has learned from: for the columns that say most. */
import type { Cell, Columns } from "suffice"
import { mixtureOf } from "../components.ts"
import type { LooseFitted } from "../loose.ts"
import { orderOf } from "../report/order.ts"
import { rowCount } from "../tabular.ts"
import { type LearnedLevels, type LearnedNumber, learnedLevels, learnedNumber } from "./columns.ts"
import { type Groups, labelGroups, mixtureGroups, oneGroup } from "./groups.ts"
import { type LearnedResponse, learnedResponse, readMeans } from "./response.ts"
import { type Says, whatColumnsSay } from "./says.ts"
import { type LearnedWords, learnedWords } from "./words.ts"

/** Given each level of a label, or each component of a mixture; of a model that has neither, all rows are one group. */
export interface LearnedByGroup {
  readonly kind: "groups"
  readonly of: string
  readonly by: "levels" | "components" | "all"
  /** All of them in the order of the model, with their rows. */
  readonly groups: readonly { readonly name: string; readonly rows: number }[]
  /** Those that are drawn: in the columns, one of `each` for each. */
  readonly drawn: readonly string[]
  /** How many rows histograms and shares are of. */
  readonly rows: number
  readonly columns: readonly (LearnedNumber | LearnedLevels | LearnedWords)[]
  /** The columns of the model beside the switch. */
  readonly all: number
  /** The one that says most first; of many columns, those that differ most between the groups. */
  readonly says: readonly Says[]
  /** Columns that say enough to be drawn, and have no density: their words are scaled, or they are lists of rows. */
  readonly undrawn: readonly string[]
}

/** Of a number: as one column moves. */
export interface LearnedOfNumber {
  readonly kind: "number"
  readonly target: string
  readonly rows: number
  /** The one that explains most first; those beyond the first few without their line. */
  readonly columns: readonly LearnedResponse[]
  /** The density of each number of the model by itself, the target's first; of those that have one. */
  readonly densities: readonly LearnedNumber[]
  /** Columns that are at their means while another moves; of all others nothing is known. */
  readonly atMean: readonly string[]
}

export type LearnedAnswer = LearnedByGroup | LearnedOfNumber

/** Columns that are drawn: more would only be scrolled past. */
const DRAWN = 12

/** Undefined for a model whose mixture stands below another switch, or whose rows are lists of steps or words alone. `data`: the rows it has learned from, or some of them. */
export function learnedAnswer(fitted: LooseFitted, data: Columns): LearnedAnswer | undefined {
  const { target } = fitted.model
  const isLabel = fitted.model.uses.some(use => use.column === target && use.role === "label")
  if (target !== undefined && !isLabel) return ofNumber(fitted, target, data)
  const mixture = isLabel ? undefined : mixtureOf(fitted)
  if (isLabel) return byGroup(fitted, labelGroups(fitted, target!), data)
  if (!mixture) {
    const whole = byGroup(fitted, oneGroup(fitted), data)
    return whole.columns.length > 0 ? whole : undefined
  }
  if (mixture.above.length > 0) return undefined
  return byGroup(fitted, mixtureGroups(fitted, mixture.name, Object.keys(mixture.probabilities)), data)
}

function byGroup(fitted: LooseFitted, groups: Groups, data: Columns): LearnedByGroup {
  const groupOf = groups.groupOf(data)
  const rows = groups.names.map((_, g) => groupOf.reduce((sum, one) => sum + (one === g ? 1 : 0), 0))
  const { drawn } = orderOf(groups.names, new Map(groups.names.map((name, g) => [name, rows[g]])))
  const places = drawn.map(name => groups.names.indexOf(name))
  const known = fitted.columns.filter(({ name }) => name !== groups.of && Object.hasOwn(data, name))
  const kinds = new Map(known.map(column => [column.name, column]))
  const says = known.length > 0 ? whatColumnsSay(groups, [...kinds.keys()], data, groupOf) : []
  // one group is told from no other: the columns stay in their order
  const chosen = says.filter(({ nats }) => nats > 0 || groups.kind === "all").slice(0, DRAWN)
  const parts = fitted.parts()
  const columns = chosen.map(({ column }) => {
    const one = kinds.get(column)!
    switch (one.kind) {
      case "number":
      case "count":
        return learnedNumber(groups, places, groupOf, column, data, one.kind === "count")
      case "level":
        return learnedLevels(groups, places, groupOf, column, data, one.levels as readonly Cell[])
      case "bag":
        // words set groups apart, and one group from nothing
        return groups.kind === "all"
          ? undefined
          : learnedWords(parts, groups.of, column, groups.names, places)
      default:
        return undefined
    }
  })
  return {
    kind: "groups",
    of: groups.of,
    by: groups.kind,
    groups: groups.names.map((name, g) => ({ name, rows: rows[g] })),
    drawn,
    rows: rowCount(data),
    columns: columns.filter(column => column !== undefined),
    all: known.length,
    says,
    undrawn: chosen.filter((_, i) => columns[i] === undefined).map(({ column }) => column),
  }
}

function ofNumber(fitted: LooseFitted, target: string, data: Columns): LearnedOfNumber {
  const names = fitted.columns
    .filter(({ name, kind }) => name !== target && kind !== "bag" && kind !== "steps")
    .map(({ name }) => name)
    .filter(name => Object.hasOwn(data, name))
  const known = readMeans(fitted, data)
  const columns = names
    .flatMap(name => learnedResponse(fitted, target, name, data, known) ?? [])
    .sort((a, b) => b.explains - a.explains)
    .map((one, i) => (i < DRAWN ? one : { ...one, line: [], points: [] }))
  return {
    kind: "number",
    target,
    rows: rowCount(data),
    columns,
    densities: densitiesOf(fitted, target, data),
    atMean: Object.keys(known),
  }
}

/** p(x) of each number by itself, whatever the others are. */
function densitiesOf(fitted: LooseFitted, target: string, data: Columns): LearnedNumber[] {
  const groups = oneGroup(fitted)
  const all = new Int32Array(rowCount(data))
  // what is only read has no density
  const modelled = new Set(
    fitted.model.uses.filter(({ role }) => role !== "read").map(({ column }) => column),
  )
  return fitted.columns
    .filter(({ name, kind }) => (kind === "number" || kind === "count") && Object.hasOwn(data, name))
    .filter(({ name }) => modelled.has(name))
    .sort((a, b) => Number(b.name === target) - Number(a.name === target))
    .slice(0, DRAWN)
    .flatMap(({ name, kind }) => learnedNumber(groups, [0], all, name, data, kind === "count") ?? [])
}
