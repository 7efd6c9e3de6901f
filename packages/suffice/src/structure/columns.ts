/** Which columns a structure is looked for among, and by which families. */
import { familyFor } from "../auto.ts"
import type { Columns, Row } from "../contract/cells.ts"
import type { ColumnSummary } from "../contract/columns.ts"
import type { Family } from "../contract/family.ts"
import type { Diagnostic } from "../contract/report.ts"
import { summarise } from "../data/summarise.ts"
import { didYouMean, list, nearest, SufficeError, show, wrongOption } from "../errors.ts"
import { bernoulli } from "../families/bernoulli.ts"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { LEVEL_FAMILIES } from "../families/names.ts"
import { isFamily } from "../structures/leaf.ts"

/** A column that is not part of the network, and why. */
export interface LeftOut {
  readonly column: string
  readonly why: string
}

export interface Chosen {
  readonly families: Readonly<Record<string, Family>>
  readonly leftOut: readonly LeftOut[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Up to this many different whole numbers are levels. */
const CODES = 10

/** Text, booleans and few whole numbers are levels, other numbers gaussian; what is given comes first. */
export function chooseFamilies(
  data: readonly Row[] | Columns,
  given: Readonly<Record<string, Family>>,
  except: readonly string[],
): Chosen {
  const summaries = summarise(data)
  const names = summaries.map(({ name }) => name)
  for (const [option, all] of [
    ["families", Object.keys(given)],
    ["except", except],
  ] as const)
    for (const name of all) checkColumn(option, name, names)
  const families: Record<string, Family> = {}
  const leftOut: LeftOut[] = []
  const diagnostics: Diagnostic[] = []
  for (const summary of summaries) {
    const { name } = summary
    if (except.includes(name)) continue
    const own = Object.hasOwn(given, name) ? given[name] : suiting(summary)
    if (typeof own === "string") leftOut.push({ column: name, why: own })
    else families[name] = own
    if (summary.distinct === 1) {
      diagnostics.push({
        code: "constant-column",
        column: name,
        message: `column ${show(name)} holds the same in every row. Nothing depends on it: it stays in the network without arrows.`,
      })
    }
  }
  if (Object.keys(families).length === 0) {
    const reasons = leftOut.map(({ column, why }) => `${show(column)}: ${why}`)
    throw new SufficeError(
      "data",
      `structure: no column is left to look at${reasons.length > 0 ? ` (${reasons.slice(0, 5).join("; ")})` : ""}. A network needs at least one. Give more columns, or name their families.`,
      { leftOut },
    )
  }
  return { families, leftOut, diagnostics }
}

/** The family, or why there is none. */
function suiting(summary: ColumnSummary): Family | string {
  const { rows, missing, numbers, booleans, integers, distinct } = summary
  const seen = rows - missing
  if (seen > 0 && distinct === 1) return booleans === seen ? bernoulli() : categorical()
  const { kind, why } = familyFor(summary)
  if (!kind) return why
  if (LEVEL_FAMILIES.has(kind.name)) return kind.make({})
  if (numbers !== seen) return "text is read word by word, and no word has parents"
  return integers === numbers && distinct <= CODES ? categorical() : gaussian()
}

function checkColumn(option: string, name: unknown, names: readonly string[]): void {
  if (names.includes(name as string)) return
  const near = typeof name === "string" ? nearest(name, names) : []
  throw new SufficeError(
    "column",
    `structure: ${option} names ${show(name)}, which is no column. The data has ${list(names)}. ${didYouMean(near, "Name one of them.")}`,
    { option, column: name, nearest: near },
  )
}

export function checkFamilies(given: unknown): void {
  const isRecord = typeof given === "object" && given !== null && !Array.isArray(given)
  if (isRecord && Object.values(given).every(family => isFamily(family) && !(family as Family).reads)) return
  throw wrongOption(
    "structure",
    "families",
    given,
    "It gives columns their families, by name. Write for example { families: { age: gaussian() } }.",
  )
}
