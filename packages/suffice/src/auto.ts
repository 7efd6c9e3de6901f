/**
 * `auto(data)`: a model of independent columns, each with the first family of the list that suits it; with a label, one
 * such model per class. `inferred` says what was chosen and why, and what was left out.
 */
import type { Cell, Columns, Row } from "./contract/cells.ts"
import type { ColumnSummary } from "./contract/columns.ts"
import type { Family, FamilyKind } from "./contract/family.ts"
import type { Model } from "./contract/model.ts"
import { MOST_DISTINCT, summarise } from "./data/summarise.ts"
import { list, nearest, refuseUnknown, SufficeError, show, wrongOption } from "./errors.ts"
import { families as known } from "./families/list.ts"
import { classes } from "./structures/classes.ts"
import { independent } from "./structures/independent.ts"

export interface AutoOptions {
  /** The column to switch on. Without it, the columns are independent. */
  readonly label?: string
  /** Columns to leave out. */
  readonly except?: readonly string[]
  /** The families to choose from: the first that suits a column is taken. */
  readonly families?: readonly FamilyKind[]
}

/** What auto() chose for one column: the name of its family, or none if it was left out. */
export interface Inferred {
  readonly column: string
  readonly family: string | undefined
  readonly why: string
}

/** Columns are known only at run time: any name, any cell. */
export type AutoModel = Model<Record<string, Cell>, string> & { readonly inferred: readonly Inferred[] }

export function auto(data: readonly Row[] | Columns, options: AutoOptions = {}): AutoModel {
  refuseUnknown("auto", options, ["label", "except", "families"])
  return chosenFor(data, options)
}

function chosenFor(
  data: readonly Row[] | Columns,
  { label, except = [], families = known }: AutoOptions,
): AutoModel {
  if (!Array.isArray(except)) {
    throw wrongOption(
      "auto",
      "except",
      except,
      "It is a list of columns to leave out. Leave it out for none.",
    )
  }
  if (!Array.isArray(families) || families.some(kind => typeof kind?.make !== "function")) {
    throw wrongOption(
      "auto",
      "families",
      families,
      "It is a list of kinds of families, such as gaussianKind. Leave it out for all that are known.",
    )
  }
  const summaries = summarise(data)
  if (summaries.every(summary => summary.rows === 0)) {
    throw new SufficeError(
      "data",
      "auto: the data has no rows. Families are chosen by looking at cells. Give at least one row, or name the families with independent({ ... }).",
    )
  }
  const names = summaries.map(summary => summary.name)
  if (label !== undefined) checkColumn("label", label, names)
  for (const name of except) checkColumn("except", name, names)

  const chosen: [string, Family][] = []
  const inferred: Inferred[] = []
  for (const summary of summaries) {
    const column = summary.name
    if (column === label || except.includes(column)) continue
    const choice = familyFor(summary, families)
    inferred.push({ column, family: choice.kind?.name, why: choice.why })
    if (choice.kind) chosen.push([column, choice.kind.make({})])
  }
  if (chosen.length === 0) {
    const reasons = inferred.map(({ column, why }) => `${show(column)}: ${why}`)
    throw new SufficeError(
      "data",
      `auto: no column is left to model${reasons.length > 0 ? ` (${reasons.slice(0, 5).join("; ")})` : ""}. A model needs at least one. Give more columns, or name the families with independent({ ... }).`,
      { inferred },
    )
  }
  const body = independent(Object.fromEntries(chosen))
  const model: Model = label === undefined ? body : classes(label, body)
  return { ...(model as AutoModel), inferred }
}

function checkColumn(option: string, name: string, names: readonly string[]): void {
  if (names.includes(name)) return
  if (typeof name !== "string") {
    throw wrongOption("auto", option, name, `It names a column. The data has ${list(names)}.`)
  }
  const near = nearest(name, names)
  throw new SufficeError(
    "column",
    `auto: ${option} names ${show(name)}, which is no column. The data has ${list(names)}. ${near.length > 0 ? `Did you mean ${near.map(show).join(" or ")}?` : "Name one of them."}`,
    { option, column: name, nearest: near },
  )
}

/** The family that suits a column and why; or none, and why not. */
export interface FamilyChoice {
  readonly kind: FamilyKind | undefined
  readonly why: string
}

/** What auto() chooses for a column that was summarised elsewhere, for example by a file reader. */
export function familyFor(summary: ColumnSummary, kinds: readonly FamilyKind[] = known): FamilyChoice {
  checkSummary(summary)
  const against = unusable(summary)
  if (against) return { kind: undefined, why: against }
  for (const kind of kinds) {
    const why = kind.suits?.(summary)
    if (why) return { kind, why }
  }
  const distinct = summary.distinct === MOST_DISTINCT ? `${MOST_DISTINCT} or more` : summary.distinct
  return { kind: undefined, why: `no family suits ${distinct} different values in ${summary.rows} rows` }
}

/** Only its counts are looked at here: a kind asks for the rest. */
function checkSummary(summary: ColumnSummary): void {
  const counts = ["rows", "missing", "numbers", "booleans", "strings", "texts", "bags", "distinct"] as const
  const wrong = counts.find(name => typeof summary?.[name] !== "number")
  if (wrong === undefined) return
  const found =
    typeof summary === "object" && summary
      ? `its ${wrong} is ${show(summary[wrong])}`
      : `it is ${show(summary)}`
  throw new SufficeError(
    "data",
    `familyFor: the summary of the column is none: ${found}. It holds what was counted in the cells. Take it from a reader, or call auto() with the rows.`,
    { value: summary },
  )
}

/** Why a column cannot be part of any model, if it cannot. */
function unusable(summary: ColumnSummary): string | undefined {
  const { rows, missing, numbers, booleans, strings, texts, bags, distinct } = summary
  const seen = rows - missing
  if (seen === 0) return "every cell is missing"
  const parts = [
    count(numbers, "number"),
    count(booleans, "boolean"),
    count(strings + bags, bags > 0 ? "bag" : "string"),
    count(seen - numbers - booleans - strings - bags, "cell of another type"),
  ].filter(part => part !== undefined)
  if (parts.length > 1) return `it mixes ${parts.slice(0, -1).join(", ")} and ${parts[parts.length - 1]}`
  if (numbers + booleans + strings + bags === 0) return "no cell is a number, a boolean, a string or a bag"
  if (distinct === 1) return "every cell is the same"
  if (strings === seen && texts * 2 < strings && distinct === strings) {
    return "every string is different: an id says nothing about other rows"
  }
  return undefined
}

function count(n: number, word: string): string | undefined {
  if (n === 0) return undefined
  return n === 1 ? `1 ${word}` : `${n} ${word.replace(/^\w+/, "$&s")}`
}
