/** The sequences of a file for a model that has been learned: its columns are read as what they were then. */
import type { FileTable } from "suffice-files"
import { type DataOptions, type DataPaths, openData, openDataFor, pooledFor, sayAbsent } from "../data.ts"
import { Failure } from "../failure.ts"
import type { LooseFitted } from "../loose.ts"
import type { Session } from "../terminal/session.ts"
import { columnsOfSteps, stepsColumn } from "./model.ts"
import { cutOf, isConll, type SequenceOptions } from "./options.ts"
import { type Sequences, sequencesIn } from "./table.ts"

export interface ReadOptions extends DataOptions, Omit<SequenceOptions, "format"> {
  readonly sequence?: string
}

/** Opens data to learn from; what it says of a label is said of --tag where that is given. */
export async function openSteps(
  session: Session,
  paths: DataPaths,
  options: ReadOptions & { readonly tag?: string; readonly label?: string },
  onRows: (rows: number) => void,
): Promise<FileTable> {
  const { tag, label } = options
  const target = tag ?? label
  try {
    return await openData(paths, options, {
      signal: session.signal,
      onRows,
      ...(target !== undefined && { label: target }),
    })
  } catch (error) {
    if (tag === undefined || !(error instanceof Error) || !error.message.startsWith("label names "))
      throw error
    const isTable =
      options.sequence !== undefined || options.order !== undefined || isConll(paths, options.format)
    const hint = isTable
      ? ""
      : " A file of tokens, with a blank line after each sentence, is read with --format conll."
    throw new Failure("column", `${error.message.replace("label names", "--tag names")}${hint}`, {
      column: tag,
    })
  }
}

/** Opens the data, reads it, and closes it again. */
export async function readSequences(
  session: Session,
  fitted: LooseFitted,
  paths: DataPaths,
  options: ReadOptions,
): Promise<Sequences> {
  const table = await openDataFor(fitted, paths, options, session.signal)
  try {
    return await sequencesOf(session, fitted, table, paths, options)
  } finally {
    await table.close()
  }
}

/** `also`: further columns of the rows, to be repeated. `target`: what is predicted need not be there. */
export async function sequencesOf(
  session: Session,
  fitted: LooseFitted,
  table: FileTable,
  paths: DataPaths,
  options: ReadOptions,
  {
    also = [],
    target = fitted.model.target,
  }: { readonly also?: readonly string[]; readonly target?: string | undefined } = {},
): Promise<Sequences> {
  const steps = stepsColumn(fitted.model)!
  const cut = cutOf(options, paths)
  const { steps: inner, beside } = columnsOfSteps(fitted.model)
  const cells = [...inner, ...beside].filter(column => column !== target)
  const absent = cells.filter(column => !table.has(column))
  const names = table.columns.map(({ name }) => name)
  if (absent.length > 0) sayAbsent(session, table.name, names, absent, cells.length)
  const { pooling } = await import("suffice-files")
  const pooled = pooling(await pooledFor(fitted))
  const all = await sequencesIn(
    table,
    [...inner, ...also].filter(column => table.has(column)),
    cut,
    {
      keep: beside.filter(column => table.has(column) && column !== cut.sequence),
      steps,
      prepared: pooled,
    },
  )
  if (all.length === 0)
    throw new Failure(
      "data",
      `${table.name} has no rows. There is nothing to say of it. Name a file that has some.`,
    )
  // a model of one series is asked about one
  if (cut.sequence === undefined && fitted.training?.rows !== 1)
    session.note(
      `note: all ${all.length} rows are one sequence. If there are several, name the column that tells them apart with --sequence.`,
    )
  return all
}
