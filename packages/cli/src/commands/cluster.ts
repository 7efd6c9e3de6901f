/** `suffice cluster`: unlabelled groups, and how many there are. */
import { em } from "suffice"
import { bayes } from "suffice/learn"
import { choose } from "suffice/measure"
import type { CandidateAnswer, Card } from "../answers.ts"
import type { DataPaths } from "../data.ts"
import { capitalised, many, plain } from "../format.ts"
import { candidateOf, type Grouping, type GroupOptions, type Groups } from "../grouping.ts"
import { breathing } from "../learner.ts"
import type { LooseFitted } from "../loose.ts"
import { subjectHere } from "../subject.ts"
import { checkPlace, save } from "../terminal/save.ts"
import { origin, type Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"
import { textTable } from "../terminal/table.ts"
import { checkTable, tableOut } from "../terminal/table-out.ts"
import { trainingAnswer } from "../training.ts"

/** The number of groups that fits best, and the others. */
interface Chosen {
  readonly fitted: LooseFitted
  readonly count: number
  readonly candidates: readonly CandidateAnswer[]
  readonly criterion: NonNullable<GroupOptions["criterion"]>
  readonly restarts: number
  readonly seed: number
}

export async function clusterCommand(
  session: Session,
  paths: DataPaths,
  options: GroupOptions,
): Promise<void> {
  const { assign, output, report } = options
  await checkTable(assign, "the groups")
  if (output !== undefined) await checkPlace(output, "the model")
  if (report !== undefined) await checkPlace(report, "the report")
  const grouping = await subjectHere(options, paths).grouping({ session, paths, options })
  try {
    await session.print(grouping.text)
    const chosen = await choosing(session, grouping, options)
    const { fitted, count, candidates, criterion } = chosen
    const groups = grouping.groups(fitted, count)
    await session.print(groupsText(chosen, groups))
    if (assign !== undefined) {
      const { columns, batches } = groups.assigned
      await tableOut(session, assign, "the groups", columns, batches)
      await session.print(`\nThe group of every ${groups.unit} is in ${shown(assign)}.`)
    }
    if (output !== undefined) {
      await save(output, "the model", put => put(`${JSON.stringify(fitted)}\n`))
      await session.print(`\nThe model is in ${shown(output)}.`)
    }
    if (report !== undefined) {
      const { report: drawn } = await import("../report/page.ts")
      const page = drawn(cardOf(session, grouping, groups, chosen))
      await save(report, "the report", put => put(page))
      await session.print(`\nThe report is in ${shown(report)}.`)
    }
    await session.answer({
      ...{ command: "cluster", data: grouping.data, k: count, criterion, candidates },
      ...groups.answer,
      ...{ parameters: fitted.describe(), seed: chosen.seed, diagnostics: fitted.diagnostics },
      ...{ output: output ?? null, assign: assign ?? null, report: report ?? null },
    })
  } finally {
    await grouping.close()
  }
}

/** Fit a mixture of each number of groups. */
async function choosing(session: Session, grouping: Grouping, options: GroupOptions): Promise<Chosen> {
  const { k = grouping.tried, criterion = "bic", restarts = grouping.restarts, seed = 0 } = options
  const columns = await grouping.columns()
  const bar = session.progress("choosing", k.length, "numbers of groups")
  const chosen = await choose(
    k.map(groups => ({ name: String(groups), model: grouping.mixture(groups) })),
    columns,
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
  bar.stop()
  const count = Number(chosen.model)
  const fitted = chosen.fitted as LooseFitted
  for (const { message } of fitted.diagnostics) session.note(`note: ${message}`)
  const largest = Math.max(...k)
  if (grouping.suggestsMore && k.length > 1 && count === largest)
    session.note(
      `note: the largest number tried is the best so far. There may be more groups: try --k ${largest}..${2 * largest}.`,
    )
  return { fitted, count, candidates: chosen.trials.map(candidateOf), criterion, restarts, seed }
}

function groupsText({ candidates, count, criterion }: Chosen, { heading, paragraphs }: Groups): string {
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
      one.k === count ? "← chosen" : "",
    ]),
  )
  const by = isEvidence ? "evidence (higher is better)" : `${criterion.toUpperCase()} (lower is better)`
  return [`${heading}, by ${by}:`, tried, ...paragraphs].join("\n\n")
}

function cardOf(
  session: Session,
  { data }: Grouping,
  { title, method, size, sections }: Groups,
  { fitted, count, candidates, criterion, restarts, seed }: Chosen,
): Card {
  const { training } = fitted
  return {
    title: capitalised(title),
    lead: `Found by ${method}; how many, by ${criterion === "evidence" ? criterion : criterion.toUpperCase()}.`,
    command: session.command,
    facts: [
      ["data", `${data.name}, ${size}`],
      ["beginnings per number", String(restarts)],
      ["seed", String(seed)],
      ...origin(session),
    ],
    warnings: fitted.diagnostics.map(({ message }) => message),
    data,
    candidates: { criterion, chosen: count, each: candidates },
    ...sections(),
    ...(training && { training: trainingAnswer(training) }),
  }
}
