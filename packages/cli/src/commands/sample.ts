/** `suffice sample`: new rows from a model. */
import type { Cell, Row } from "suffice"
import { columnsOf, typedCells } from "../data.ts"
import { many } from "../format.ts"
import { loadModel } from "../model-file.ts"
import type { ColumnSource } from "../tabular.ts"
import type { Session } from "../terminal/session.ts"
import { checkTable, type TableOutOptions, tableOut } from "../terminal/table-out.ts"

export interface SampleCommandOptions extends TableOutOptions {
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
  await checkTable(output, "the rows")
  const fitted = await loadModel(path)
  const rows = fitted.sample(wanted, {
    seed,
    given: typedCells(fitted, given),
    ...(words !== undefined && { words }),
  }) as readonly Row[]
  const names = Object.keys(rows[0] ?? Object.fromEntries(columnsOf(fitted).map(({ name }) => [name, null])))
  if (session.json && output === undefined) return session.answer({ command: "sample", seed, rows })
  const table = Object.fromEntries(names.map(name => [name, rows.map(row => textOf(row[name]))]))
  const once: ColumnSource = {
    async *[Symbol.asyncIterator]() {
      yield table
    },
  }
  await tableOut(session, output, "the rows", names, once, options)
  if (output !== undefined) session.note(`${many(rows.length, "row")} in ${output}.`)
  await session.answer({ command: "sample", rows: rows.length, seed, output })
}

/** A bag as text: each word repeated by its count. */
function textOf(cell: Cell): Cell {
  if (typeof cell !== "object" || cell === null) return cell
  if (Array.isArray(cell)) return cell.join(" ")
  return Object.entries(cell as Readonly<Record<string, number>>)
    .flatMap(([word, times]) => Array.from({ length: times }, () => word))
    .join(" ")
}
