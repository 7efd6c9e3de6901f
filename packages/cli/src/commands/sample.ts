/** `suffice sample`: new rows from a model. */
import type { Cell, Row } from "suffice"
import { columnsOf } from "../data.ts"
import { many } from "../format.ts"
import { loadModel } from "../model.ts"
import { csvLine } from "../terminal/csv.ts"
import { checkPlace, save } from "../terminal/save.ts"
import type { Session } from "../terminal/session.ts"

export interface SampleCommandOptions {
  readonly rows?: number
  readonly given?: Readonly<Record<string, string>>
  readonly words?: number
  readonly seed?: number
  readonly output?: string
}

export async function sampleCommand(
  session: Session,
  path: string,
  options: SampleCommandOptions,
): Promise<void> {
  const { rows: wanted = 10, given = {}, words, seed = 0, output } = options
  if (output !== undefined) await checkPlace(output, "the rows")
  const fitted = await loadModel(path)
  const rows = fitted.sample(wanted, {
    seed,
    given: knownOf(fitted, given),
    ...(words !== undefined && { words }),
  }) as readonly Row[]
  const names = Object.keys(rows[0] ?? Object.fromEntries(columnsOf(fitted).map(({ name }) => [name, null])))
  const csv = [csvLine(names), ...rows.map(row => csvLine(names.map(name => row[name])))].join("")
  if (output !== undefined) {
    await save(output, "the rows", put => put(csv))
    session.note(`${many(rows.length, "row")} in ${output}.`)
    await session.answer({ command: "sample", rows: rows.length, seed, output })
  } else if (session.json) await session.answer({ command: "sample", seed, rows })
  else await session.put(csv)
}

/** What is typed is text; where the model has numbers it is one. What cannot be is refused by the model itself. */
function knownOf(
  fitted: Parameters<typeof columnsOf>[0],
  given: Readonly<Record<string, string>>,
): Record<string, Cell> {
  const columns = new Map(columnsOf(fitted).map(column => [column.name, column]))
  return Object.fromEntries(
    Object.entries(given).map(([name, text]): [string, Cell] => {
      const column = columns.get(name)
      if (column?.kind === "number" || column?.kind === "count")
        return [name, text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text)]
      if (column?.kind === "level") return [name, column.levels.find(level => String(level) === text) ?? text]
      return [name, text]
    }),
  )
}
