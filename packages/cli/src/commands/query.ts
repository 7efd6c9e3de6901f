/** `suffice query`: the probabilities of columns together, given what is known and what is set from outside. */
import { typedCells } from "../data.ts"
import { clipped, count, percent, plain } from "../format.ts"
import { loadModel } from "../model-file.ts"
import type { Session } from "../terminal/session.ts"
import { shown } from "../terminal/shown.ts"
import { textTable } from "../terminal/table.ts"

export interface QueryCommandOptions {
  readonly of: readonly string[]
  readonly given?: Readonly<Record<string, string>>
  readonly do?: Readonly<Record<string, string>>
}

/** Of a large table, the most probable. */
const MOST_ROWS = 40

export async function queryCommand(
  session: Session,
  path: string,
  options: QueryCommandOptions,
): Promise<void> {
  const { of, given = {}, do: set = {} } = options
  const fitted = await loadModel(path)
  const known = typedCells(fitted, given)
  const made = typedCells(fitted, set)
  const answer = fitted.query({
    of,
    given: known,
    ...(Object.keys(made).length > 0 && { do: made }),
  } as Parameters<typeof fitted.query>[0])
  const entries = [...answer.entries].sort((one, other) => other.probability - one.probability)
  const said = [
    ...Object.entries(given).map(([name, value]) => `${name} = ${value}`),
    ...Object.entries(set).map(([name, value]) => `do(${name} = ${value})`),
  ]
  const rows = entries
    .slice(0, MOST_ROWS)
    .map(({ levels, probability }) => [
      ...of.map(name => clipped(String(levels[name]), 30)),
      percent(probability),
    ])
  const more =
    entries.length > MOST_ROWS ? `\n\n  … ${count(entries.length - MOST_ROWS)} more: see --json` : ""
  const table = textTable([...of.map(title => ({ title })), { title: "probability", align: "right" }], rows)
  await session.print(
    `${shown(`p(${of.join(", ")}${said.length > 0 ? ` | ${said.join(", ")}` : ""})`)}:\n\n${table}${more}`,
  )
  if (Object.keys(given).length > 0)
    await session.print(`\nWhat is given has probability ${plain(Math.exp(answer.logEvidence), 4)}.`)
  await session.answer({
    command: "query",
    model: path,
    of,
    given: known,
    do: made,
    entries: answer.entries,
    logEvidence: answer.logEvidence,
  })
}
