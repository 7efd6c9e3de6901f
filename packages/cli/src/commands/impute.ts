/** `suffice impute`: the same table with missing cells filled. */
import type { Cell, Columns } from "suffice"
import { type DataOptions, type DataPaths, openDataFor, pooledFor } from "../data.ts"
import { count, many } from "../format.ts"
import { loadModel } from "../model-file.ts"
import { refuseSteps } from "../sequences/model.ts"
import { type ColumnSource, rowCount } from "../tabular.ts"
import { listOut } from "../terminal/list-out.ts"
import type { Session } from "../terminal/session.ts"
import { checkTable, type TableOutOptions, tableOut } from "../terminal/table-out.ts"

export interface ImputeCommandOptions extends DataOptions, TableOutOptions {
  readonly spread?: boolean
  readonly draw?: boolean
  readonly output?: string
  readonly seed?: number
}

interface Filled {
  readonly rows: readonly Readonly<Record<string, Cell>>[]
  readonly spread: readonly Readonly<Record<string, number>>[]
}

export async function imputeCommand(
  session: Session,
  path: string,
  data: DataPaths,
  options: ImputeCommandOptions,
): Promise<void> {
  const { output, seed = 0 } = options
  await checkTable(output, "the filled table")
  const fitted = await loadModel(path)
  refuseSteps(fitted, "impute", "Use impute() of the package, which fills cells of steps from both sides.")
  const table = await openDataFor(fitted, data, options, session.signal)
  try {
    const { pool } = await import("suffice-files")
    const names = table.columns.map(({ name }) => name)
    const inModel = fitted.model.uses.filter(use => use.role !== "hidden").map(use => use.column)
    const others = inModel.filter(name => !names.includes(name))
    const missing = others.filter(name => !table.has(name))
    // the parts of dates say something of the other cells, and are no cells of the table
    const parts = others.filter(name => table.has(name))
    const source = pool(table.read([...names, ...parts]), await pooledFor(fitted)) as ColumnSource
    const known = new Set(inModel)
    let cells = 0
    let rows = 0
    let batches = 0
    const bar = session.progress("filling")
    async function* filled(): AsyncGenerator<Filled> {
      for await (const batch of source) {
        session.signal.throwIfAborted()
        // a label that the file lacks is filled, too
        const whole = {
          ...batch,
          ...Object.fromEntries(
            missing.map(name => [name, Array.from({ length: rowCount(batch) }, () => null)]),
          ),
        } as Columns
        const done = fitted.impute(whole, options.draw ? { draws: 1, seed: seed + batches } : {})
        batches++
        rows += rowCount(batch)
        bar.advance(rowCount(batch))
        for (const spread of done.spread) cells += Object.keys(spread).length
        yield { rows: (options.draw ? done.draws[0] : done.rows) as Filled["rows"], spread: done.spread }
      }
      bar.stop()
    }
    const columns = [...names, ...missing]
    if (session.json && output === undefined) await jsonOut(session, filled())
    else {
      const unsure = options.spread ? columns.filter(name => known.has(name)) : []
      const heads = [...columns, ...unsure.map(name => `${name} (spread)`)]
      await tableOut(session, output, "the filled table", heads, tableOf(filled(), columns, unsure), options)
      if (output !== undefined)
        session.note(`${count(cells)} cells filled in ${many(rows, "row")}: ${output}.`)
      await session.answer({ command: "impute", rows, filled: cells, output })
    }
  } finally {
    await table.close()
  }
}

function tableOf(
  filled: AsyncGenerator<Filled>,
  names: readonly string[],
  unsure: readonly string[],
): ColumnSource {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const { rows, spread } of filled) {
        yield {
          ...Object.fromEntries(names.map(name => [name, rows.map(row => row[name])])),
          ...Object.fromEntries(
            unsure.map(name => [
              `${name} (spread)`,
              spread.map(one => (Object.hasOwn(one, name) ? one[name] : null)),
            ]),
          ),
        }
      }
    },
  }
}

async function jsonOut(session: Session, filled: AsyncGenerator<Filled>): Promise<void> {
  const unsure: Filled["spread"][number][] = []
  async function* rowsOf(): AsyncGenerator<Filled["rows"]> {
    for await (const { rows, spread } of filled) {
      unsure.push(...spread)
      yield rows
    }
  }
  await listOut(session, { command: "impute" }, "rows", rowsOf(), () => ({ spread: unsure }))
}
