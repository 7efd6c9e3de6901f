/**
 * What is seen of a row says something of each of its columns with levels:
 *
 *     p(column = l | seen)        1 for the level of a cell that is seen
 *
 * A network tells all of them in one pass up and one down (Node.marginals); other models are asked column by column.
 */
import { isHole } from "../blocks/encoded.ts"
import type { Block } from "../contract/block.ts"
import type { Level } from "../contract/cells.ts"
import { encodedForQuestion } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { list, SufficeError } from "../errors.ts"
import type { Knowledge, SolvedModel } from "./knowledge.ts"
import { prepare } from "./question.ts"
import { hiddenLevels, hiddenNames, rowTarget } from "./target.ts"

/** What `marginals` says of one column. */
export interface Marginal {
  readonly levels: readonly Level[]
  /** rows × levels: p(level | what is seen of the row), 1 for that of a seen cell. */
  readonly probabilities: Float64Array
}

/** What `marginals` returns. */
export interface Marginals {
  /** Of every column with levels, hidden ones too. */
  readonly columns: Readonly<Record<string, Marginal>>
  /** ln p(what is seen of each row). */
  readonly logDensity: Float64Array
}

export function marginalsOf(solved: SolvedModel, data: Data): Marginals {
  const { known } = solved
  const { blocks } = encodedForQuestion(known.schema, data)
  const rows = blocks.reduce((sum, block) => sum + block.rows, 0)
  const logDensity = new Float64Array(rows)
  const columns: Record<string, Marginal> = {}
  for (const [name, levels] of levelsIn(known))
    columns[name] = { levels, probabilities: new Float64Array(rows * levels.length) }
  let at = 0
  for (const block of blocks) {
    const end = at + block.rows
    const own = Object.entries(columns).map(
      ([
        name,
        {
          levels: { length },
          probabilities,
        },
      ]) => [name, probabilities.subarray(at * length, end * length)] as const,
    )
    answer(solved, block, new Map(own), logDensity.subarray(at, end))
    for (let i = 0; i < block.rows; i++)
      if (!(logDensity[at + i] > -Infinity)) throw impossible(known, block, i, at + i)
    at = end
  }
  return { columns, logDensity }
}

/** The columns of rows that have levels, and the hidden ones. */
function levelsIn({ schema, laid }: Knowledge): (readonly [string, readonly Level[]])[] {
  const seen = schema.columns.flatMap(column =>
    column.kind === "level" ? [[column.name, column.levels] as const] : [],
  )
  const switches = laid.switches
    .filter(({ hidden, part }) => hidden && part.steps.length === 0)
    .map(({ column, levels }) => [column, levels] as const)
  return [...seen, ...switches, ...hiddenNames(laid).map(name => [name, hiddenLevels(laid, name)!] as const)]
}

function answer(
  solved: SolvedModel,
  block: Block,
  out: ReadonlyMap<string, Float64Array>,
  logs: Float64Array,
): void {
  const { known, params } = solved
  const { root } = known.laid
  if (root.joint?.marginals && !known.calibration) {
    root.joint?.marginals(block, params, out, logs)
    return
  }
  root.up(block, params, logs)
  for (const [name, chances] of out) {
    prepare(solved, rowTarget(known, name)).answer(block, 0, chances)
    const place = known.schema.columns.findIndex(column => column.name === name)
    if (place >= 0) sharpen(block.cells[place] as Int32Array, chances)
  }
}

/** A level that is seen is certain. */
function sharpen(codes: Int32Array, chances: Float64Array): void {
  const count = chances.length / codes.length
  for (let i = 0; i < codes.length; i++) {
    if (codes[i] < 0) continue
    chances.fill(0, i * count, (i + 1) * count)
    chances[i * count + codes[i]] = 1
  }
}

function impossible({ schema }: Knowledge, block: Block, i: number, row: number): SufficeError {
  const seen = schema.columns.filter((column, place) => !isHole(column, block.cells[place], i))
  const names = seen.map(({ name }) => name)
  return new SufficeError(
    "cell",
    `marginals: what row ${row} says of ${list(names)} has probability 0. Nothing follows from what cannot be. Leave cells of it out, or learn the model with a prior.`,
    { row, columns: names },
  )
}
