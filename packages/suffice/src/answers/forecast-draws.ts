/**
 * What comes next where steps read earlier ones: the numbers of a step depend on those drawn before it, in every state, so that paths are drawn. The first step
 * ahead reads steps that have come, and needs no draws.
 */

import { blankRows, outOf } from "../blocks/encoded.ts"
import { gather } from "../blocks/gather.ts"
import { carrier } from "../blocks/lags.ts"
import type { Block } from "../contract/block.ts"
import { namesOf } from "../engine/parts.ts"
import { dice } from "../random.ts"
import type { Chain, ForecastOptions, Now } from "./forecast.ts"
import type { SolvedModel } from "./knowledge.ts"
import { catching, type Reached } from "./numeric.ts"
import { numbersFrom } from "./predict.ts"
import type { NumberPrediction } from "./types.ts"

/** Paths that are drawn: the error of a mean is a forty-fifth of the spread. */
export const DRAWS = 2000

/** The numbers ahead, by column. */
export function drawnAhead(
  solved: SolvedModel,
  { node, columns }: Chain,
  { alpha, isFirst, before }: Now,
  { steps: count, coverage }: Required<ForecastOptions>,
): Map<string, (h: number) => NumberPrediction> {
  const { params } = solved
  const numbers = columns.filter(({ kind }) => kind === "number")
  const joined = (): Block => withBlanks(columns, before, count)
  const roll = dice(0)
  const found = numbers.map(() => Array.from({ length: count }, () => new Float64Array(DRAWS)))
  for (let draw = 0; draw < DRAWS; draw++) {
    const steps = joined()
    node.walk!.draw(steps, before.rows, params, alpha, isFirst, roll)
    numbers.forEach((column, n) => {
      const cells = steps.cells[columns.indexOf(column)] as Float64Array
      for (let h = 0; h < count; h++) found[n][h][draw] = outOf(column, cells[before.rows + h])
    })
  }
  // the next step exactly
  const next = joined()
  carrier(columns)(next, before.rows)
  const only = gather(columns, { blocks: [next], rows: [before.rows] })
  const leaves: Reached[] = []
  node.walk!.ahead(only, params, alpha, isFirst, catching(new Set(numbers.map(({ name }) => name)), leaves))
  return new Map(
    numbers.map((column, n) => {
      const first = leaves.some(({ part }) => namesOf(part).includes(column.name))
        ? numbersFrom(solved, only, column, leaves, coverage)
        : undefined
      return [column.name, h => (h === 0 && first ? first(0) : summarised(found[n][h], coverage))]
    }),
  )
}

/** These steps, and some in which nothing is seen after them. */
function withBlanks(columns: Chain["columns"], before: Block, count: number): Block {
  const blank = blankRows(columns, count)
  const blocks = [...Array<Block>(before.rows).fill(before), ...Array<Block>(count).fill(blank)]
  const rows = blocks.map((block, i) => (block === before ? i : i - before.rows))
  return gather(columns, { blocks, rows })
}

export function summarised(draws: Float64Array, coverage: number): NumberPrediction {
  const mean = draws.reduce((sum, x) => sum + x, 0) / draws.length
  const variance = draws.reduce((sum, x) => sum + (x - mean) * (x - mean), 0) / draws.length
  const sorted = draws.slice().sort()
  const at = (share: number): number => sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)]
  const tail = (1 - coverage) / 2
  return { value: mean, sd: Math.sqrt(variance), interval: [at(tail), at(1 - tail)] }
}
