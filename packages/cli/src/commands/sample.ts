/** `suffice sample`: new rows from a model. */
import type { Cell, Row, SufficeError } from "suffice"
import { typedCells } from "../data.ts"
import { Failure } from "../failure.ts"
import { many } from "../format.ts"
import type { LooseFitted } from "../loose.ts"
import { loadModel } from "../model-file.ts"
import { stepsColumn } from "../sequences/model.ts"
import { stepsOf } from "../sequences/table.ts"
import type { ColumnSource } from "../tabular.ts"
import type { Session } from "../terminal/session.ts"
import { checkTable, type TableOutOptions, tableOut } from "../terminal/table-out.ts"

export interface SampleCommandOptions extends TableOutOptions {
  readonly rows?: number
  readonly given?: Readonly<Record<string, string>>
  readonly words?: number
  readonly steps?: number
  readonly seed?: number
  readonly output?: string
}

export async function sampleCommand(
  session: Session,
  path: string,
  options: SampleCommandOptions,
): Promise<void> {
  const { rows: wanted = 10, given = {}, words, steps: length, seed = 0, output } = options
  await checkTable(output, "the rows")
  const fitted = await loadModel(path)
  const steps = stepsColumn(fitted.model)
  if (length !== undefined && steps === undefined) {
    throw new Failure(
      "usage",
      "--steps is given, but the model knows no sequences. It draws every row by itself. Say how many rows with -n, and leave --steps out.",
    )
  }
  const drawn = drawnFrom(fitted, steps, wanted, {
    seed,
    given: typedCells(fitted, given),
    ...(words !== undefined && { words }),
    ...(length !== undefined && { steps: length }),
  })
  const rows = steps === undefined || (session.json && output === undefined) ? drawn : inLines(drawn, steps)
  const names = Object.keys(rows[0] ?? Object.fromEntries(fitted.columns.map(({ name }) => [name, null])))
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

function drawnFrom(
  fitted: LooseFitted,
  steps: string | undefined,
  wanted: number,
  options: { readonly steps?: number } & Readonly<Record<string, unknown>>,
): readonly Row[] {
  try {
    return fitted.sample(wanted, options as never) as readonly Row[]
  } catch (error) {
    if (steps === undefined || options.steps !== undefined || (error as SufficeError).code !== "option")
      throw error
    throw new Failure(
      "usage",
      "how many steps a sequence has is given to the model, not modelled by it. They cannot be drawn out of nothing. Say how many with --steps.",
    )
  }
}

/** Sequences as a table with a row for each step, and the number of its sequence. */
function inLines(drawn: readonly Row[], steps: string): Row[] {
  const taken = new Set(
    drawn.flatMap(row => [...Object.keys(row), ...stepsOf(row[steps]).flatMap(Object.keys)]),
  )
  let name = "sequence"
  while (taken.has(name)) name = `${name}_`
  return drawn.flatMap((row, i) => {
    const { [steps]: own, ...beside } = row
    return stepsOf(own).map(step => ({ [name]: i + 1, ...beside, ...step }))
  })
}

/** A bag as text: each word repeated by its count. */
function textOf(cell: Cell): Cell {
  if (typeof cell !== "object" || cell === null) return cell
  if (Array.isArray(cell)) return cell.join(" ")
  return Object.entries(cell as Readonly<Record<string, number>>)
    .flatMap(([word, times]) => Array.from({ length: times }, () => word))
    .join(" ")
}
