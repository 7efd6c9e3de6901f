/** `suffice structure`: which columns depend on which, as a Bayesian network. */
import { type Columns, em, fit } from "suffice"
import { arcStrengths, type ScoreName, type Search, structure } from "suffice/structure"
import type { NetworkFormat } from "suffice-files/networks"
import { type DataOptions, type DataPaths, dataAnswer, dataText, openData, readBy } from "../data.ts"
import { Failure } from "../failure.ts"
import { capitalised, many, percent, plain } from "../format.ts"
import { breathing } from "../learner.ts"
import type { LooseFitted } from "../loose.ts"
import { networkFamilies } from "../model.ts"
import { type ColumnSource, gathered } from "../tabular.ts"
import { checkPlace, save } from "../terminal/save.ts"
import { origin, type Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"
import { textTable } from "../terminal/table.ts"

export interface StructureCommandOptions extends DataOptions {
  readonly search?: Search
  readonly score?: ScoreName
  readonly target?: string
  readonly require?: readonly (readonly [string, string])[]
  readonly forbid?: readonly (readonly [string, string])[]
  readonly tiers?: readonly (readonly string[])[]
  readonly maxParents?: number
  readonly strengths?: number
  readonly except?: readonly string[]
  readonly seed?: number
  readonly output?: string
  readonly report?: string
}

/** An arrow of the answer; with --strengths, how often it was found in samples. */
interface ArrowAnswer {
  readonly from: string
  readonly to: string
  readonly isReversible: boolean
  readonly strength?: number
  readonly direction?: number
}

export async function structureCommand(
  session: Session,
  paths: DataPaths,
  options: StructureCommandOptions,
): Promise<void> {
  const { search = "orders", score, target, tiers, maxParents, strengths, except = [], seed = 0 } = options
  const { output, report } = options
  if (output !== undefined) await checkPlace(output, "the network")
  if (report !== undefined) await checkPlace(report, "the report")
  const format = output === undefined ? undefined : await formatOf(output)
  const as = { ...options.as, ...Object.fromEntries(except.map(column => [column, "ignore" as const])) }
  const reading = session.progress("reading")
  const table = await openData(
    paths,
    { ...options, as },
    { signal: session.signal, onRows: rows => reading.advance(rows) },
  )
  try {
    const { proposeModel, pool } = await import("suffice-files")
    const reports = await table.summary()
    const proposal = proposeModel(reports, {})
    const data = dataAnswer(table.name, reports, proposal)
    reading.stop()
    await session.print(dataText(data))
    const source = pool(table.read(readBy(proposal, table)), proposal.pooled) as ColumnSource
    const columns = (await gathered(source)) as Columns
    const asked = {
      search,
      families: networkFamilies(proposal),
      seed,
      signal: session.signal,
      ...(score && { score }),
      ...(target !== undefined && { target }),
      ...(tiers && { tiers }),
      ...(maxParents !== undefined && { maxParents }),
      require: options.require ?? [],
      forbid: options.forbid ?? [],
    }
    const bar = session.progress("searching")
    const found = await structure(columns, asked)
    const sure =
      strengths === undefined ? [] : await arcStrengths(columns, { ...asked, replicates: strengths })
    bar.stop()
    const arrows = found.edges.map(({ from, to, isReversible }): ArrowAnswer => {
      const own = sure.find(
        one => (one.from === from && one.to === to) || (one.from === to && one.to === from),
      )
      if (strengths === undefined) return { from, to, isReversible }
      const direction = own ? (own.from === from ? own.direction : 1 - own.direction) : 0
      return { from, to, isReversible, strength: own?.strength ?? 0, direction }
    })
    for (const { column, why } of found.leftOut) session.note(`note: ${column} is left out: ${why}.`)
    for (const { message } of found.diagnostics) session.note(`note: ${message}`)
    await session.print(arrowsText(arrows, found.score, search, score))

    const needsModel = output !== undefined || report !== undefined
    const fitted = needsModel
      ? ((await fit(found.model, columns as never, {
          learner: breathing(em()),
          seed,
          signal: session.signal,
        })) as LooseFitted)
      : undefined
    if (output !== undefined && fitted) {
      await save(output, "the network", async put => put(await writtenAs(fitted, format)))
      await session.print(`\nThe network is in ${shown(output)}.`)
    }
    if (report !== undefined && fitted) {
      const { report: drawn } = await import("../report/page.ts")
      const { graphOfModel } = await import("suffice-files/networks")
      const page = drawn({
        title: capitalised(`${many(arrows.length, "arrow")} between the columns of ${data.name}`),
        lead: `A Bayesian network found in ${many(data.rows, "row")} by ${search}.`,
        command: session.command,
        facts: [
          ["data", `${data.name}, ${many(data.rows, "row")}`],
          ["seed", String(seed)],
          ...origin(session),
        ],
        warnings: found.diagnostics.map(({ message }) => message),
        data,
        network: { nodes: graphOfModel(fitted.model)!, arrows },
      })
      await save(report, "the report", put => put(page))
      await session.print(`\nThe report is in ${shown(report)}.`)
    }
    await session.answer({
      command: "structure",
      data,
      search,
      score: found.score,
      arrows,
      leftOut: found.leftOut,
      seed,
      diagnostics: found.diagnostics,
      output: output ?? null,
      report: report ?? null,
    })
  } finally {
    await table.close()
  }
}

async function formatOf(output: string): Promise<NetworkFormat | "dot" | "json"> {
  const { networkFormatOf } = await import("suffice-files/networks")
  const ending = /\.([^./\\]+)$/.exec(output)?.[1].toLowerCase()
  const format = ending === "json" || ending === "dot" ? ending : networkFormatOf(output)
  if (format) return format
  throw new Failure(
    "usage",
    `-o names ${JSON.stringify(output)}, whose ending says no format. A network is written as .json, which the other commands read, .bif, .xmlbif, .xdsl, .net or .dot. Name one of these.`,
    { path: output },
  )
}

/** The network in the format of a file. */
async function writtenAs(
  fitted: LooseFitted,
  format: NetworkFormat | "dot" | "json" | undefined,
): Promise<string> {
  if (format === undefined || format === "json") return `${JSON.stringify(fitted)}\n`
  const { dotOf, graphOfModel, tablesOfFitted, writeNetwork } = await import("suffice-files/networks")
  if (format === "dot") return dotOf(graphOfModel(fitted.model)!)
  return writeNetwork(tablesOfFitted(fitted as never), format)
}

const MOST_ARROWS = 60

function arrowsText(
  arrows: readonly ArrowAnswer[],
  score: number,
  search: Search,
  scored: ScoreName | undefined,
): string {
  const judged = search === "orders" || search === "tabu" ? (scored ?? "bic") : scored
  const by = `by ${search}, ${judged === undefined ? "ln p(rows)" : judged} ${plain(score, 8)}`
  if (arrows.length === 0) return `No column depends on another, ${by}.`
  const hasStrengths = arrows.some(({ strength }) => strength !== undefined)
  const rows = arrows.map(({ from, to, isReversible, strength = 0, direction = 0 }) => [
    from,
    isReversible ? "—" : "→",
    to,
    ...(hasStrengths ? [percent(strength), percent(direction)] : []),
  ])
  const table = textTable(
    [
      { title: "from" },
      { title: "" },
      { title: "to" },
      ...(hasStrengths
        ? [
            { title: "found", align: "right" as const },
            { title: "this way", align: "right" as const },
          ]
        : []),
    ],
    rows.slice(0, MOST_ARROWS),
  )
  const more = rows.length > MOST_ARROWS ? `\n\n  … ${rows.length - MOST_ARROWS} more: see --json` : ""
  const open = arrows.some(({ isReversible }) => isReversible)
    ? "\n\n— : the rows do not tell the direction of these."
    : ""
  return `${many(arrows.length, "arrow")}, ${by}:\n\n${table}${more}${open}`
}
