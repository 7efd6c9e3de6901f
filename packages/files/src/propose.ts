/** A model proposed for a table, and the source it learns from: families as the reports say, rare levels pooled. */
import { type Cell, type Columns, classes, type Family, independent, type Model, type Source } from "suffice"
import { families, guideOf, usualFamily } from "suffice/describe"
import { FileError, grouped, noColumn, quoted } from "./errors.ts"
import { LIMITS, OTHER } from "./limits.ts"
import type { ColumnReport } from "./summary.ts"
import type { FileTable } from "./table.ts"

export interface ProposeOptions {
  /** The column to switch on. Without it the columns are independent: a body for mixture(k, body). */
  readonly label?: string
  /** Columns of text, whatever they look like. */
  readonly text?: string | readonly string[]
}

/** What was made of one column: its family, or none if it was left out. */
export interface Proposed {
  readonly column: string
  readonly family: string | undefined
  readonly why: string
}

export type Proposal = Model<Record<string, Cell>, string> & {
  readonly inferred: readonly Proposed[]
  /** By column, the levels to keep: all others are "(other)". */
  readonly pooled: Readonly<Record<string, readonly string[]>>
}

export function proposeModel(
  reports: readonly ColumnReport[],
  { label, text = [] }: ProposeOptions = {},
): Proposal {
  const names = reports.map(({ name }) => name)
  const texts = typeof text === "string" ? [text] : text
  if (label !== undefined && !names.includes(label)) throw noColumn("label", label, "the table", names)
  for (const column of texts) if (!names.includes(column)) throw noColumn("text", column, "the table", names)
  if (label !== undefined) checkLabel(reports.find(({ name }) => name === label)!)

  const chosen: [string, Family][] = []
  const inferred: Proposed[] = []
  const pooled = new Map<string, readonly string[]>()
  for (const report of reports) {
    const { name, why } = report
    if (name === label) continue
    const family = texts.includes(name) ? usualFamily("text") : report.family
    inferred.push({ column: name, family, why: texts.includes(name) ? "as was asked" : why })
    if (family === undefined) continue
    if (isCategory(family) && report.keep) pooled.set(name, report.keep)
    chosen.push([name, make(family, report)])
  }
  if (chosen.length === 0) {
    if (inferred.length === 0 && label !== undefined) {
      throw new FileError(
        "column",
        `${quoted(label)} is the only column. A label is predicted from other columns. Add some; if the lines hold several cells, say what parts them: pass delimiter: ";".`,
        { inferred },
      )
    }
    const reasons = inferred.slice(0, 5).map(({ column, why }) => `${quoted(column)}: ${why}`)
    throw new FileError(
      "column",
      `no column is left to model${reasons.length > 0 ? ` (${reasons.join("; ")})` : ""}. A model needs at least one beside the label. Say what they are, for example as: { ${quoted(inferred[0]?.column ?? "x")}: "category" }.`,
      { inferred },
    )
  }
  const body = independent(Object.fromEntries(chosen))
  const model: Model = label === undefined ? body : classes(label, body)
  return { ...(model as Model<Record<string, Cell>, string>), inferred, pooled: Object.fromEntries(pooled) }
}

function make(family: string, { keep, declared }: ColumnReport): Family {
  const kind = families.find(({ name }) => name === family)
  const { usual, onRequest } = guideOf(family)
  if (!kind || !(usual || onRequest)) {
    throw new FileError(
      "option",
      `no family is called ${quoted(family)}. A report names the families of the core. Take it from summary().`,
    )
  }
  if (usual !== "category") return kind.make({})
  return kind.make(keep ? { levels: [...keep, OTHER] } : declared ? { levels: [...declared] } : {})
}

function isCategory(family: string): boolean {
  return guideOf(family).usual === "category"
}

/** With fewer rows than that nothing is said of levels that do not come back. */
const LEAST_PRESENT = 20

function checkLabel({ name, levels, type, rows, missing, kind }: ColumnReport): void {
  if (missing.count === rows) {
    throw new FileError(
      "label",
      `the label ${quoted(name)} is missing in every row. How many classes there are cannot be guessed. Choose another column, or a mixture for groups that nobody named.`,
      { column: name },
    )
  }
  const count = levels?.count
  if (count !== undefined && count <= LIMITS.labelLevels) {
    const present = rows - missing.count
    if (count > present / 2 && present >= LEAST_PRESENT && !levels!.more) {
      throw new FileError(
        "label",
        `the label ${quoted(name)} has ${grouped(count)} levels in ${grouped(present)} rows: hardly any comes back, as in names and ids. A class is learned from several rows. Choose another column${type === "string" ? "" : ", or, if it is a quantity, read it as a number"}.`,
        { column: name, levels: count },
      )
    }
    if (count > 1) return
    throw new FileError(
      "label",
      `the label ${quoted(name)} has one level only, in ${grouped(rows)} rows. There is nothing to tell apart. Choose another column.`,
      { column: name },
    )
  }
  const many = levels
    ? `${levels.more ? "more than " : ""}${grouped(levels.count)} levels`
    : `no levels: it was taken for ${kind}`
  throw new FileError(
    "label",
    `the label ${quoted(name)} has ${many} in ${grouped(rows)} rows. A class needs rows to learn from, and at most ${grouped(LIMITS.labelLevels)} classes are told apart. ${
      type === "number" || type === "integer"
        ? "If it is a quantity, leave the label out and predict the column as a number"
        : "Choose another column, or pool its rare levels"
    }.`,
    { column: name, levels: count },
  )
}

/** The columns a proposed model needs, of a table, with rare levels pooled. */
export function sourceFor(table: FileTable, proposal: Proposal): Source {
  return pool(table.read(proposal.uses.map(({ column }) => column)), proposal.pooled)
}

/** Every level that is not kept becomes "(other)"; missing cells stay missing. */
export function pool(source: Source, kept: Readonly<Record<string, readonly string[]>>): Source {
  if (Object.keys(kept).length === 0) return source
  const pooled = pooling(kept)
  return {
    async *[Symbol.asyncIterator]() {
      for await (const batch of source) yield pooled(batch as Columns)
    },
  }
}

/** The same of one batch at a time. */
export function pooling(kept: Readonly<Record<string, readonly string[]>>): (batch: Columns) => Columns {
  const sets = Object.entries(kept).map(([column, levels]) => [column, new Set(levels)] as const)
  if (sets.length === 0) return batch => batch
  return batch => {
    const columns = new Map(Object.entries(batch))
    for (const [column, levels] of sets) {
      const cells = columns.get(column)
      if (cells)
        columns.set(
          column,
          Array.from(cells, cell => pooledCell(cell, levels)),
        )
    }
    return Object.fromEntries(columns)
  }
}

function pooledCell(cell: Cell, levels: ReadonlySet<string>): Cell {
  if (cell === null || cell === undefined || Number.isNaN(cell)) return null
  const level = String(cell)
  return levels.has(level) ? level : OTHER
}
