/** Rows of a file, opened to learn from. */
import type { Columns } from "suffice"
import { openData, openDataFor, sourceOf } from "../data.ts"
import type { LooseFitted } from "../loose.ts"
import { type Given, type Open, opened } from "../opened.ts"
import type { FitOptions, OpenTask } from "../subject.ts"
import { gathered } from "../tabular.ts"
import type { Session } from "../terminal/session.ts"
import { planned, prepared } from "./prepare.ts"
import { rowsTask } from "./task.ts"

export async function openRows({ session, paths, options }: Given<FitOptions>): Promise<Open<OpenTask>> {
  const { label, test } = options
  planned(options)
  const reading = session.progress("reading")
  const table = await openData(paths, options, {
    signal: session.signal,
    onRows: rows => reading.advance(rows),
    ...(label !== undefined && { label }),
  })
  return opened(table, async () => {
    const base = await prepared(table, options, session, () => reading.stop())
    const testRows = (fitted: LooseFitted): Promise<Columns> => testColumns(session, fitted, options)
    return {
      task: rowsTask(base, options, test === undefined ? undefined : testRows),
      where: { data: base.data },
      place: "",
      howToUse: output => `Use it: suffice predict ${output} DATA`,
    }
  })
}

async function testColumns(session: Session, fitted: LooseFitted, options: FitOptions): Promise<Columns> {
  const { sql: _, ...reading } = options
  const table = await openDataFor(fitted, [options.test!], reading, session.signal)
  try {
    const also = options.weight === undefined ? [] : [options.weight]
    return (await gathered(await sourceOf(session, fitted, table, { also }))) as Columns
  } finally {
    await table.close()
  }
}
