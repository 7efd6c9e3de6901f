/** `suffice query`: the probabilities of columns together, or the distribution of a number, given what is known and what is set from outside. */
import type { Cell } from "suffice"
import { typedCells } from "../data.ts"
import { Failure } from "../failure.ts"
import { clipped, count, percent, plain, range } from "../format.ts"
import type { LooseFitted } from "../loose.ts"
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
  const said = [
    ...Object.entries(given).map(([name, value]) => `${name} = ${value}`),
    ...Object.entries(set).map(([name, value]) => `do(${name} = ${value})`),
  ]
  const asked = `p(${of.join(", ")}${said.length > 0 ? ` | ${said.join(", ")}` : ""})`
  const number = of.find(name => isNumber(fitted, name))
  if (number !== undefined) {
    if (of.length > 1) {
      throw new Failure(
        "column",
        `query: column ${JSON.stringify(number)} is a number, and a table of several columns is one of levels. Ask for it alone: --of ${number}.`,
        { column: number },
      )
    }
    await tellNumber(session, fitted, { path, of: number, asked, known, made })
    return
  }
  const answer = fitted.query({
    of,
    given: known,
    ...(Object.keys(made).length > 0 && { do: made }),
  } as Parameters<typeof fitted.query>[0])
  const entries = [...answer.entries].sort((one, other) => other.probability - one.probability)
  const rows = entries
    .slice(0, MOST_ROWS)
    .map(({ levels, probability }) => [
      ...of.map(name => clipped(String(levels[name]), 30)),
      percent(probability),
    ])
  const more =
    entries.length > MOST_ROWS ? `\n\n  … ${count(entries.length - MOST_ROWS)} more: see --json` : ""
  const table = textTable([...of.map(title => ({ title })), { title: "probability", align: "right" }], rows)
  await session.print(`${shown(asked)}:\n\n${table}${more}`)
  if (Object.keys(given).length > 0) {
    // with numbers it is a density, in their units
    const what = Object.keys(known).some(name => isNumber(fitted, name)) ? "density" : "probability"
    await session.print(`\nWhat is given has ${what} ${plain(Math.exp(answer.logEvidence), 4)}.`)
  }
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

function isNumber(fitted: LooseFitted, name: string): boolean {
  const kind = fitted.columns.find(column => column.name === name)?.kind
  return kind === "number" || kind === "count"
}

/** A number has no table: its mean, its spread, and where it lies. */
async function tellNumber(
  session: Session,
  fitted: LooseFitted,
  {
    path,
    of,
    asked,
    known,
    made,
  }: {
    readonly path: string
    readonly of: string
    readonly asked: string
    readonly known: Readonly<Record<string, Cell>>
    readonly made: Readonly<Record<string, Cell>>
  },
): Promise<void> {
  const given = { ...known, ...made }
  const columns = fitted.columns
  for (const [name, cell] of Object.entries(given)) {
    if (name === of)
      throw new Failure("column", `query: column ${JSON.stringify(of)} is given, and asked for.`)
    const column = columns.find(column => column.name === name)
    if (!column) {
      throw new Failure(
        "column",
        `query: ${JSON.stringify(name)} is given, and is no column of the data. The model has ${columns.map(({ name }) => JSON.stringify(name)).join(", ")}. Name one of these.`,
        { column: name },
      )
    }
    if (column.kind !== "level" || (column.levels as readonly unknown[]).includes(cell)) continue
    throw new Failure(
      "data",
      `query: ${JSON.stringify(name)} is given as ${JSON.stringify(cell)}, which training never saw. Nothing is known of rows like that. Give a level the model knows.`,
      { column: name, value: cell },
    )
  }
  const model = Object.keys(made).length > 0 ? (fitted.intervene(made as never) as LooseFitted) : fitted
  const [answer] = model.predict([given] as never, { target: of } as never) as unknown as {
    readonly value: number
    readonly sd: number
    readonly interval: readonly [number, number]
  }[]
  if (!(model.logDensity([given] as never)[0] > -Infinity)) {
    throw new Failure(
      "data",
      "query: what is given has probability 0. Nothing follows from what cannot be. Give other cells, or learn the model with a prior.",
    )
  }
  await session.print(
    `${shown(asked)}: mean ${plain(answer.value)}, standard deviation ${plain(answer.sd)}; 95 % of it lies in ${range(answer.interval)}.`,
  )
  await session.answer({ command: "query", model: path, of: [of], given: known, do: made, ...answer })
}
