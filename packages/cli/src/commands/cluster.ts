/** `suffice cluster`: unlabelled groups, and how many there are. */

import { type Columns, declare, em, independent, mixture, normal } from "suffice"
import { guideOf, type LeafSpec, leaves } from "suffice/describe"
import { bayes } from "suffice/learn"
import { choose } from "suffice/measure"
import type { CandidateAnswer, DataAnswer } from "../answers.ts"
import { componentsAnswer } from "../components.ts"
import { type DataOptions, type DataPaths, dataAnswer, dataText, isWide, openData, readBy } from "../data.ts"
import { capitalised, count, many, percent, plain } from "../format.ts"
import { IN_MEMORY } from "../holdout.ts"
import { learnedAnswer } from "../learned/answer.ts"
import { breathing } from "../learner.ts"
import type { LooseFitted, LooseModel } from "../loose.ts"
import { isOfSteps, refuseStates, type SequenceOptions } from "../sequences/options.ts"
import { type ColumnSource, gathered, rowCount } from "../tabular.ts"
import { checkPlace, save } from "../terminal/save.ts"
import { origin, type Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"
import { textTable } from "../terminal/table.ts"
import { checkTable, tableOut } from "../terminal/table-out.ts"
import { type TextChoice, withText } from "../text.ts"
import { basisOf, trainingAnswer } from "../training.ts"

export interface ClusterCommandOptions
  extends DataOptions,
    TextChoice,
    Pick<SequenceOptions, "sequence" | "order" | "states"> {
  readonly k?: readonly number[]
  readonly criterion?: "aic" | "bic" | "icl" | "evidence"
  readonly covariance?: "full" | "tied" | "diag" | "spherical" | "identity"
  readonly text?: readonly string[]
  readonly except?: readonly string[]
  readonly restarts?: number
  readonly assign?: string
  readonly output?: string
  readonly report?: string
  readonly seed?: number
}

const TRIED = [1, 2, 3, 4, 5, 6]
/** Starts of EM per number of components: a single one may end in a poor local maximum. */
const RESTARTS = 5
/** The name of the hidden column. */
const NAME = "cluster"

export async function clusterCommand(
  session: Session,
  paths: DataPaths,
  options: ClusterCommandOptions,
): Promise<void> {
  const {
    k = TRIED,
    criterion = "bic",
    covariance,
    text = [],
    except = [],
    restarts = RESTARTS,
    seed = 0,
  } = options
  const { assign, output, report } = options
  await checkTable(assign, "the groups")
  if (output !== undefined) await checkPlace(output, "the model")
  if (report !== undefined) await checkPlace(report, "the report")
  if (isOfSteps(options, paths))
    return (await import("./sequences/cluster.ts")).clusterSequences(session, paths, options)
  refuseStates(options)
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
    const proposal = proposeModel(reports, { text })
    const body = await withText(bodyWith(proposal, covariance), options)
    const make = (components: number): LooseModel => mixture(components, body, { name: NAME }) as LooseModel
    const data = dataAnswer(table.name, reports, body)
    reading.stop()
    await session.print(dataText(data))

    const source = pool(table.read(readBy(body, table)), proposal.pooled) as ColumnSource
    const memory = data.rows <= IN_MEMORY ? ((await gathered(source)) as Columns) : undefined
    const bar = session.progress("choosing", k.length, "numbers of groups")
    const chosen = await choose(
      k.map(components => ({ name: String(components), model: make(components) })),
      memory ?? source,
      {
        criterion,
        seed,
        learners:
          criterion === "evidence"
            ? { bayes: breathing(bayes({ restarts })) }
            : { em: breathing(em({ restarts })) },
        signal: session.signal,
        onTrial: ({ model }) => bar.advance(1, many(Number(model), "group")),
      },
    )
    const groups = Number(chosen.model)
    bar.stop()
    const fitted = chosen.fitted as LooseFitted
    for (const { message } of fitted.diagnostics) session.note(`note: ${message}`)
    const largest = Math.max(...k)
    if (k.length > 1 && groups === largest)
      session.note(
        `note: the largest number tried is the best so far. There may be more groups: try --k ${largest}..${2 * largest}.`,
      )
    const candidates = chosen.trials.map(({ model, criteria, score }): CandidateAnswer => {
      if (!criteria) return { k: Number(model), evidence: -score }
      const { aic, bic, icl } = criteria
      return { k: Number(model), aic, bic, icl }
    })
    const components = componentsAnswer(fitted, memory)
    await session.print(clustersText(data, candidates, groups, criterion, components))

    if (assign !== undefined) {
      const assignments: ColumnSource = {
        async *[Symbol.asyncIterator]() {
          for await (const batch of source) yield assigned(fitted, batch, groups)
        },
      }
      await tableOut(session, assign, "the groups", [NAME, "probability"], assignments)
      await session.print(`\nThe group of every row is in ${shown(assign)}.`)
    }
    if (output !== undefined) {
      await save(output, "the model", put => put(`${JSON.stringify(fitted)}\n`))
      await session.print(`\nThe model is in ${shown(output)}.`)
    }
    if (report !== undefined) {
      const { report: drawn } = await import("../report/page.ts")
      const page = drawn({
        title: capitalised(`${many(groups, "group")} in ${data.name}`),
        lead: `Found by a mixture model in ${many(data.rows, "row")}; how many, by ${criterion === "evidence" ? criterion : criterion.toUpperCase()}.`,
        command: session.command,
        facts: [
          ["data", `${data.name}, ${many(data.rows, "row")}`],
          ["beginnings per number", String(restarts)],
          ["seed", String(seed)],
          ...origin(session),
        ],
        warnings: fitted.diagnostics.map(({ message }) => message),
        data,
        candidates: { criterion, chosen: groups, each: candidates },
        ...(components && { components }),
        ...(memory && { learned: learnedAnswer(fitted, memory)! }),
        basis: basisOf(fitted),
        ...(fitted.training && { training: trainingAnswer(fitted.training) }),
      })
      await save(report, "the report", put => put(page))
      await session.print(`\nThe report is in ${shown(report)}.`)
    }
    await session.answer({
      command: "cluster",
      data,
      k: groups,
      criterion,
      candidates,
      clusters: components?.each ?? [],
      parameters: fitted.describe(),
      seed,
      diagnostics: fitted.diagnostics,
      output: output ?? null,
      assign: assign ?? null,
      report: report ?? null,
    })
  } finally {
    await table.close()
  }
}

/** With a covariance, the numeric columns are modelled jointly. */
function bodyWith(proposal: LooseModel, covariance: ClusterCommandOptions["covariance"]): LooseModel {
  const all = leaves(proposal.spec)
  const isNumber = ({ family }: LeafSpec): boolean => guideOf(family).varies === "alone"
  const numbers = covariance === undefined ? [] : all.filter(isNumber).flatMap(leaf => leaf.columns)
  const others = all.filter(leaf => numbers.length === 0 || !isNumber(leaf)).map(leaf => declare(leaf.spec))
  if (numbers.length === 0) return independent(...others) as LooseModel
  const together = normal(numbers, { covariance }) as unknown as LooseModel
  return others.length === 0 ? together : (independent(together, ...others) as LooseModel)
}

/** For all groups of a wide table. */
const LINES = 16

function clustersText(
  data: DataAnswer,
  candidates: readonly CandidateAnswer[],
  chosen: number,
  criterion: string,
  components: ReturnType<typeof componentsAnswer>,
): string {
  const isEvidence = criterion === "evidence"
  const titles = isEvidence ? ["ln p(rows)"] : ["AIC", "BIC", "ICL"]
  const tried = textTable(
    [
      { title: "groups", align: "right" },
      ...titles.map(title => ({ title, align: "right" as const })),
      { title: "" },
    ],
    candidates.map(one => [
      String(one.k),
      ...("evidence" in one ? [one.evidence] : [one.aic, one.bic, one.icl]).map(value => plain(value, 6)),
      one.k === chosen ? "← chosen" : "",
    ]),
  )
  const groups = components?.each ?? []
  const most = isWide(data.columns.length) ? Math.floor(LINES / Math.max(groups.length, 1)) - 3 : Infinity
  const each = groups.map(({ name, share, parts }) => {
    const first = parts.slice(0, Math.max(most, 0))
    const lines = first.map(({ column, summary }) => `    ${shown(`${column}: ${summary}`)}`)
    const left = parts.length - first.length
    const more = left > 0 ? [`    … ${count(left)} more: see --report or --json`] : []
    return [`  ${name}: ${percent(share)}`, ...lines, ...more].join("\n")
  })
  return [
    `${many(chosen, "group")} in ${many(data.rows, "row")}, by ${isEvidence ? "evidence (higher is better)" : `${criterion.toUpperCase()} (lower is better)`}:`,
    tried,
    ...each,
  ].join("\n\n")
}

function assigned(fitted: LooseFitted, batch: Columns, k: number): Columns {
  const chances = fitted.responsibilities(batch, { of: NAME as `mixture(${string})` })
  const groups = Array.from({ length: rowCount(batch) }, (_, i) => {
    let best = 0
    for (let c = 1; c < k; c++) if (chances[i * k + c] > chances[i * k + best]) best = c
    return best
  })
  return { [NAME]: groups, probability: groups.map((group, i) => chances[i * k + group]) }
}
