/** `suffice explain`: why a row is predicted as it is. */
import type { Cell, Columns, Row } from "suffice"
import { type DataOptions, type DataPaths, openDataFor, sourceOf } from "../data.ts"
import { Failure } from "../failure.ts"
import { clipped, many, plain, signed, termName } from "../format.ts"
import { loadModel } from "../model-file.ts"
import { refuseSteps } from "../sequences/model.ts"
import { type ColumnSource, rowCount, rowsOf } from "../tabular.ts"
import type { Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"
import { bar, textTable } from "../terminal/table.ts"

export interface ExplainCommandOptions extends DataOptions {
  readonly row?: number
  readonly target?: string
  readonly level?: string
  readonly against?: string
}

const SHOWN = 20

export async function explainCommand(
  session: Session,
  path: string,
  data: DataPaths,
  options: ExplainCommandOptions,
): Promise<void> {
  const { row: wanted = 1, target, level, against } = options
  const fitted = await loadModel(path)
  refuseSteps(fitted, "explain", "Use explain(row, { step }) of the package, which names a step.")
  const table = await openDataFor(fitted, data, options, session.signal)
  try {
    const row = await rowAt(await sourceOf(session, fitted, table, { target }), wanted, table.name)
    const explanation = fitted.explain(row, {
      ...(target !== undefined && { target }),
      ...(level !== undefined && { level }),
      ...(against !== undefined && { against }),
    })
    const { terms, prior, logOdds } = explanation
    const truth = Object.hasOwn(row, explanation.target) ? row[explanation.target] : undefined
    const strongest = terms.reduce((most, term) => Math.max(most, Math.abs(term.contribution)), 0)
    const said = terms
      .slice(0, SHOWN)
      .map(term => [
        termName(term, 24),
        term.of === undefined ? cellText(term.value, term.word !== undefined) : "",
        signed(term.contribution),
        `${term.contribution < 0 ? "−" : "+"} ${bar(Math.abs(term.contribution) / strongest, 16)}`,
      ])
    const rest = terms.slice(SHOWN).reduce((sum, term) => sum + term.contribution, 0)
    const lines = [
      ["before anything is seen", "", signed(prior), ""],
      ...said,
      ...(terms.length > SHOWN ? [[`${terms.length - SHOWN} more`, "", signed(rest), ""]] : []),
      ["log-odds", "", signed(logOdds), ""],
    ]
    await session.print(
      `${shown(`Row ${wanted} of ${table.name}: ${explanation.target} = ${explanation.level} rather than ${explanation.against}${truth === null || truth === undefined ? "" : ` (in the data: ${String(truth)})`}.`)}\n\n${textTable(
        [
          { title: "because of" },
          { title: "value", align: "right" },
          { title: "nats", align: "right" },
          { title: "" },
        ],
        lines,
      )}\n\n${shown(`The terms add up: ${explanation.level} is ${factor(logOdds)} than ${explanation.against}.`)}`,
    )
    for (const [column, what] of Object.entries(explanation.unseen ?? {})) {
      session.note(
        `note: ${JSON.stringify(column)} holds ${Array.isArray(what) ? many(what.length, "word") : JSON.stringify(what)} that training never saw; it counts for nothing.`,
      )
    }
    await session.answer({
      command: "explain",
      model: path,
      data: table.name,
      row: wanted,
      cells: row,
      ...explanation,
    })
  } finally {
    await table.close()
  }
}

function factor(logOdds: number): string {
  const times = Math.exp(Math.abs(logOdds))
  return `${plain(times, 3)} times ${logOdds < 0 ? "less" : "more"} probable`
}

function cellText(cell: Cell, isWord: boolean): string {
  if (cell === null || cell === undefined) return "missing"
  if (isWord) return `× ${String(cell)}`
  return typeof cell === "number" ? plain(cell, 6) : clipped(String(cell), 24)
}

/** Counting rows from 1. */
async function rowAt(source: ColumnSource, wanted: number, name: string): Promise<Row> {
  let before = 0
  for await (const batch of source) {
    const rows = rowCount(batch as Columns)
    if (wanted <= before + rows) return rowsOf(batch, wanted - before - 1, wanted - before)[0]
    before += rows
  }
  throw new Failure(
    "usage",
    `--row is ${wanted}, but ${name} has ${many(before, "row")}. The first row is 1. Ask for one that is there.`,
    {
      option: "--row",
      rows: before,
    },
  )
}
