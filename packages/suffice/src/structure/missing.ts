/**
 * Structural EM (Friedman 1998): with missing cells, networks are searched in rows that the best network so far completed.
 *
 *     draw      10 completions of every row with a missing cell, each with a tenth of its weight
 *     search    the network with the best score on them
 *     fit       by EM, on the rows as they are; score = ln p(what is seen) − penalty · free
 *
 * It ends when that score no longer rises, and returns the network with the highest.
 */

import { solvedOf } from "../answers/predictor.ts"
import { drawRow } from "../answers/sample.ts"
import type { Cell, Columns, Row } from "../contract/cells.ts"
import type { Dice } from "../contract/dice.ts"
import type { Model } from "../contract/model.ts"
import { isMissing } from "../data/cells.ts"
import { encodedForQuestion } from "../data/question-blocks.ts"
import { slicesOf } from "../data/read.ts"
import { fit } from "../fit/fit.ts"
import type { Fitted } from "../fit/fitted.ts"
import { em } from "../learners/em.ts"
import { dice } from "../random.ts"
import type { Found } from "./structure.ts"

/** The column of weights of rows whose missing cells were drawn. */
export const COMPLETED = "weight of the completed row"

const DRAWS = 10
const ROUNDS = 10

export interface Completing {
  readonly data: readonly Row[] | Columns
  readonly weight: string | undefined
  readonly signal: AbortSignal | undefined
  readonly seed: number
  /** Per free parameter. */
  readonly penalty: number
  modelOf(parents: Found["parents"]): Model<Record<string, Cell>, string>
  /** Completed rows, weighed by the column COMPLETED. */
  search(rows: readonly Row[]): Promise<Found>
}

export async function completing(
  first: Found,
  { data, weight, signal, seed, penalty, modelOf, search }: Completing,
): Promise<{ readonly found: Found; readonly score: number; readonly trace: readonly number[] }> {
  const rows = rowsOf(data)
  let found = first
  let best: { readonly found: Found; readonly score: number } | undefined
  const trace: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const fitted = await fit(modelOf(found.parents), rows as never, {
      learner: em({ prior: 1 }),
      seed,
      ...(weight !== undefined && { weight }),
      ...(signal && { signal }),
    })
    const score = (fitted.training?.logLikelihood ?? Number.NaN) - penalty * fitted.free
    if (best && !(score > best.score + 1e-6 * Math.abs(best.score))) break
    best = { found, score }
    trace.push(score)
    found = await search(completions(fitted as never, rows, weight, dice([seed, round])))
  }
  return { ...best!, trace }
}

/** Complete rows once, and every other one drawn, with a share of its weight each. */
function completions(fitted: Fitted, rows: readonly Row[], weight: string | undefined, rolls: Dice): Row[] {
  const solved = solvedOf(fitted)
  const names = fitted.model.uses.map(use => use.column)
  const isWhole = (row: Row): boolean => names.every(name => !isMissing(row[name]))
  const complete = rows.filter(isWhole).map(row => weighed(row, weight, 1))
  const holed = rows.filter(row => !isWhole(row))
  let first = 0
  for (const block of encodedForQuestion(solved.known.schema, holed).blocks) {
    for (let i = 0; i < block.rows; i++) {
      const row = holed[first + i]
      for (let draw = 0; draw < DRAWS; draw++) {
        const drawn = drawRow(solved, block, i, rolls, 0)
        const filled = names.filter(name => isMissing(row[name])).map(name => [name, drawn[name]])
        complete.push(weighed({ ...row, ...Object.fromEntries(filled) }, weight, 1 / DRAWS))
      }
    }
    first += block.rows
  }
  return complete
}

function weighed(row: Row, weight: string | undefined, share: number): Row {
  return { ...row, [COMPLETED]: share * (weight === undefined ? 1 : (row[weight] as number)) }
}

function rowsOf(data: readonly Row[] | Columns): readonly Row[] {
  if (Array.isArray(data)) return data as readonly Row[]
  const rows: Row[] = []
  for (const slice of slicesOf(data as Columns))
    for (let i = 0; i < slice.rows; i++)
      rows.push(Object.fromEntries(slice.names().map(name => [name, slice.cells(name)![i]])))
  return rows
}
