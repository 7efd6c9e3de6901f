/**
 * The most typical of the given rows for each level: of the rows whose most probable level it is, those with the highest
 *
 *     ln p(row | level) = ln p(row, level) − ln p(level)
 *
 * Densities of different columns cannot be compared, so rows with fewer missing cells come first. Among bags of words, shorter ones are more probable.
 */

import { blankRows, isHole } from "../blocks/encoded.ts"
import type { Level } from "../contract/cells.ts"
import { encodedForQuestion } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { refuseUnknown, wrongOption } from "../errors.ts"
import { exp } from "../kernels/exp.ts"
import { logSumExp } from "../kernels/log-sum-exp.ts"
import type { SolvedModel } from "./knowledge.ts"
import { rowTarget } from "./target.ts"

export interface PrototypesOptions<Name extends string = string> {
  /** The column with the levels, or the name of a mixture; by default the model's label. */
  readonly target?: Name
  /** How many rows for each level. */
  readonly count?: number
}

export interface Prototypes<L extends Level = Level> {
  readonly level: L
  /** The most typical first; fewer than `count` if this level is the most probable one of fewer rows. */
  readonly rows: readonly Prototype[]
}

export interface Prototype {
  /** The index of the row in the data. */
  readonly row: number
  /** ln p(row | level) */
  readonly logDensity: number
  /** p(level | row) */
  readonly probability: number
}

export function prototypes(solved: SolvedModel, data: Data, options: PrototypesOptions = {}): Prototypes[] {
  refuseUnknown("prototypes", options, ["target", "count"])
  const { count = 3 } = options
  if (!Number.isSafeInteger(count) || count < 1) {
    throw wrongOption(
      "prototypes",
      "count",
      count,
      "It says how many rows each level gets, so it must be a whole number ≥ 1. Leave it out for 3.",
    )
  }
  const { known, params } = solved
  const { columns } = known.schema
  const { column, levels } = rowTarget(known, options.target)
  const { blocks } = encodedForQuestion(known.schema, data, column)
  const prior = new Float64Array(levels.length)
  known.laid.root.open(blankRows(columns, 1), params, column, prior)

  const found: (Prototype & { readonly holes: number })[][] = levels.map(() => [])
  let first = 0
  for (const block of blocks) {
    const joint = new Float64Array(levels.length * block.rows)
    known.laid.root.open(block, params, column, joint)
    for (let i = 0; i < block.rows; i++) {
      const best = winner(joint, i, levels.length, block.rows)
      const score = joint[best * block.rows + i]
      // a row that is impossible under every level is typical of none
      if (score === -Infinity) continue
      found[best].push({
        row: first + i,
        logDensity: score - prior[best],
        probability: exp(score - logSumExp(joint, i, levels.length, block.rows)),
        holes: columns.filter((other, place) => isHole(other, block.cells[place], i)).length,
      })
    }
    first += block.rows
  }
  return levels.map((level, l) => ({
    level,
    rows: found[l]
      .sort((a, b) => a.holes - b.holes || b.logDensity - a.logDensity || a.row - b.row)
      .slice(0, count)
      .map(({ row, logDensity, probability }) => ({ row, logDensity, probability })),
  }))
}

function winner(joint: Float64Array, row: number, levels: number, rows: number): number {
  let best = 0
  for (let l = 1; l < levels; l++) if (joint[l * rows + row] > joint[best * rows + row]) best = l
  return best
}
