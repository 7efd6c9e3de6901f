/** Rows of a file, grouped by a mixture. */
import { type Columns, declare, independent, mixture, normal } from "suffice"
import { guideOf, type LeafSpec, leaves } from "suffice/describe"
import type { DataAnswer } from "../answers.ts"
import { componentsAnswer } from "../components.ts"
import { dataAnswer, dataText, isWide, openData, readBy } from "../data.ts"
import { count, many, percent } from "../format.ts"
import { type Grouping, type GroupOptions, type Groups, mostProbable, NAME, readAs } from "../grouping.ts"
import { IN_MEMORY } from "../holdout.ts"
import { learnedAnswer } from "../learned/answer.ts"
import type { LooseFitted, LooseModel } from "../loose.ts"
import { type Given, type Open, opened } from "../opened.ts"
import { refuseStates } from "../sequences/options.ts"
import { type ColumnSource, gathered } from "../tabular.ts"
import { shown } from "../terminal/shown.ts"
import { withText } from "../text.ts"
import { basisOf } from "../training.ts"

const TRIED = [1, 2, 3, 4, 5, 6]
/** Starts of EM per number of components: a single one may end in a poor local maximum. */
const RESTARTS = 5

export async function openGrouping({
  session,
  paths,
  options,
}: Given<GroupOptions>): Promise<Open<Grouping>> {
  refuseStates(options)
  const reading = session.progress("reading")
  const table = await openData(
    paths,
    { ...options, as: readAs(options) },
    { signal: session.signal, onRows: rows => reading.advance(rows) },
  )
  return opened(table, async () => {
    const { proposeModel, pool } = await import("suffice-files")
    const reports = await table.summary()
    const proposal = proposeModel(reports, { text: options.text ?? [] })
    const body = await withText(bodyWith(proposal, options.covariance), options)
    const data = dataAnswer(table.name, reports, body)
    reading.stop()
    const source = pool(table.read(readBy(body, table)), proposal.pooled) as ColumnSource
    let memory: Columns | undefined
    return {
      data,
      text: dataText(data),
      async columns() {
        if (data.rows <= IN_MEMORY) memory = (await gathered(source)) as Columns
        return memory ?? source
      },
      tried: TRIED,
      restarts: RESTARTS,
      mixture: groups => mixture(groups, body, { name: NAME }) as LooseModel,
      suggestsMore: true,
      groups: (fitted, groups) => groupsOf(fitted, groups, data, source, memory),
    }
  })
}

/** With a covariance, the numeric columns are modelled jointly. */
function bodyWith(proposal: LooseModel, covariance: GroupOptions["covariance"]): LooseModel {
  const all = leaves(proposal.spec)
  const isNumber = ({ family }: LeafSpec): boolean => guideOf(family).varies === "alone"
  const numbers = covariance === undefined ? [] : all.filter(isNumber).flatMap(leaf => leaf.columns)
  const others = all.filter(leaf => numbers.length === 0 || !isNumber(leaf)).map(leaf => declare(leaf.spec))
  if (numbers.length === 0) return independent(...others) as LooseModel
  const together = normal(numbers, { covariance }) as unknown as LooseModel
  return others.length === 0 ? together : (independent(together, ...others) as LooseModel)
}

function groupsOf(
  fitted: LooseFitted,
  groups: number,
  data: DataAnswer,
  source: ColumnSource,
  memory: Columns | undefined,
): Groups {
  const components = componentsAnswer(fitted, memory)
  const size = many(data.rows, "row")
  return {
    heading: `${many(groups, "group")} in ${size}`,
    paragraphs: componentLines(components, isWide(data.columns.length)),
    answer: { clusters: components?.each ?? [] },
    assigned: {
      columns: [NAME, "probability"],
      batches: {
        async *[Symbol.asyncIterator]() {
          for await (const batch of source) {
            const { groups: most, probability } = mostProbable(fitted, batch, groups)
            yield { [NAME]: most, probability }
          }
        },
      },
    },
    unit: "row",
    title: `${many(groups, "group")} in ${data.name}`,
    method: `a mixture model in ${size}`,
    size,
    sections: () => ({
      ...(components && { components }),
      ...(memory && { learned: learnedAnswer(fitted, memory)! }),
      basis: basisOf(fitted),
    }),
  }
}

/** For all groups of a wide table. */
const LINES = 16

function componentLines(components: ReturnType<typeof componentsAnswer>, brief: boolean): readonly string[] {
  const groups = components?.each ?? []
  const most = brief ? Math.floor(LINES / Math.max(groups.length, 1)) - 3 : Infinity
  return groups.map(({ name, share, parts }) => {
    const first = parts.slice(0, Math.max(most, 0))
    const lines = first.map(({ column, summary }) => `    ${shown(`${column}: ${summary}`)}`)
    const left = parts.length - first.length
    const more = left > 0 ? [`    … ${count(left)} more: see --report or --json`] : []
    return [`  ${name}: ${percent(share)}`, ...lines, ...more].join("\n")
  })
}
