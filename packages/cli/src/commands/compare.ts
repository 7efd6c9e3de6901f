/** `suffice compare`: generative or discriminative, which is better here? Every way of learning on the same folds. */
import type { Card, CompareAnswer } from "../answers.ts"
import { choiceText } from "../choosing.ts"
import { compared } from "../comparison.ts"
import { compareText } from "../comparison-text.ts"
import type { DataPaths } from "../data.ts"
import { capitalised } from "../format.ts"
import { type CompareOptions, type Contender, type Contest, FOLDS, subjectHere } from "../subject.ts"
import { checkPlace, save } from "../terminal/save.ts"
import { origin, type Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"

export async function compareCommand(
  session: Session,
  paths: DataPaths,
  options: CompareOptions,
): Promise<void> {
  const { report, folds = FOLDS, seed = 0 } = options
  if (report !== undefined) await checkPlace(report, "the report")
  const contest = await subjectHere(options, paths).contest({ session, paths, options })
  try {
    await session.print(contest.text)
    for (const remark of contest.remarks) session.note(remark)
    const contender = await contest.contender()
    const { choice, model } = contender
    if (choice) await session.print(choiceText(choice, contest))
    const curve = contest.hasCurve && options.curve
    const { columns, label, contestants } = contest
    const answer =
      model &&
      (await compared(session, {
        ...{ model, columns, label, folds, seed, contestants },
        // most of the work, so not where it would not be shown
        curve: curve && (!contest.brief || report !== undefined || session.json),
      }))
    if (answer) await session.print(compareText(answer, contest, curve))
    if (report !== undefined) {
      const { report: drawn } = await import("../report/page.ts")
      const page = drawn(cardOf(session, contest, contender, answer, { folds, seed }))
      await save(report, "the report", put => put(page))
      await session.print(`\nThe report is in ${shown(report)}.`)
    }
    await session.answer({
      command: "compare",
      data: contest.data,
      seed,
      rows: contest.rows,
      ...(contest.dates && { dates: contest.dates }),
      ...(choice && { choice }),
      ...answer,
      report: report ?? null,
    })
  } finally {
    await contest.close()
  }
}

function cardOf(
  session: Session,
  { data, label, facts }: Contest,
  { name, choice }: Contender,
  answer: CompareAnswer | undefined,
  { folds, seed }: { readonly folds: number; readonly seed: number },
): Card {
  return {
    title: capitalised(`ways to learn ${label}`),
    lead: answer
      ? `${capitalised(name)}, learned in ${answer.contestants.length} ways from ${data.name}.`
      : `${capitalised(name)}, the best of what was tried on ${data.name}.`,
    command: session.command,
    facts: [...facts, ["folds", String(folds)], ["seed", String(seed)], ...origin(session)],
    warnings: [],
    data,
    ...(choice && { choice }),
    ...(answer && { compare: answer }),
  }
}
