/**
 * The most probable completion of a row: the values that all its missing columns with levels, and all that hides in the model, have together.
 *
 *     argmax over values of ln p(what is seen, values)        missing numbers integrated out
 *
 * `impute` and `predict` ask for each of them by itself, and may answer what cannot be together. Then missing numbers are filled by their mean, given these levels.
 */
import { rowOf } from "../blocks/gather.ts"
import type { Level, Row } from "../contract/cells.ts"
import { encodedForQuestion } from "../data/question-blocks.ts"
import type { Batch, Data } from "../data/read.ts"
import { list, SufficeError } from "../errors.ts"
import { bestOf } from "../structures/best.ts"
import { holesOf, withCells } from "./holes.ts"
import { imputed, rowsOf } from "./impute.ts"
import type { SolvedModel } from "./knowledge.ts"

/** What rows most probably are as a whole. */
export interface MostProbable<R = Row> {
  /** The given rows with every missing cell of the model's columns filled, except bags of words and steps. */
  readonly rows: R[]
  /** The values of hidden columns and of the components of mixtures that go with them. */
  readonly hidden: Readonly<Record<string, Level>>[]
  /** ln p(what was seen, all these values), by row. */
  readonly logProbability: Float64Array
}

export function mostProbable(solved: SolvedModel, data: Data): MostProbable {
  const { known, params } = solved
  const { columns } = known.schema
  const { blocks, unseen } = encodedForQuestion(known.schema, data)
  const given = rowsOf(data as Batch)
  const named = new Set(known.model.uses.map(use => use.column))
  const levels = new Set(columns.flatMap(({ kind, name }) => (kind === "level" ? [name] : [])))
  const rows: Row[] = []
  const hidden: Record<string, Level>[] = []
  const logProbability: number[] = []
  for (const block of blocks) {
    const first = rows.length
    for (let i = 0; i < block.rows; i++) {
      const heights = new Float64Array(1)
      const tell = bestOf(known.laid.root, rowOf(columns, block, i, 0), params, heights)
      if (!(heights[0] > -Infinity)) throw impossible(first + i, Object.keys(given[first + i]))
      const values = new Map<string, Level>()
      tell(0, (column, level) => void values.set(column, level))
      const strange = unseen.get(first + i) ?? {}
      const holes = holesOf(
        columns,
        block,
        i,
        (column, name) => levels.has(column) && values.has(column) && !Object.hasOwn(strange, name),
      )
      rows.push(
        withCells(
          given[first + i],
          holes.map(hole => ({ ...hole, cell: values.get(hole.column)! })),
        ),
      )
      const apart = [...values].filter(([column]) => !levels.has(column) && named.has(column))
      hidden.push(Object.fromEntries(apart))
      logProbability.push(heights[0])
    }
  }
  return { rows: imputed(solved, rows, {}).rows, hidden, logProbability: Float64Array.from(logProbability) }
}

function impossible(row: number, columns: readonly string[]): SufficeError {
  return new SufficeError(
    "cell",
    `mostProbable: what is seen in row ${row}, of ${list(columns, 20)}, has probability 0. Nothing follows from what cannot be. Correct the row, or learn the model with a prior.`,
    { row, columns },
  )
}
