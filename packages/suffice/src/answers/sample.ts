/** Drawing rows from the model, given any known cells: first hidden switches, from their posterior, then the leaves. */

import { cellOf, isHole } from "../blocks/encoded.ts"
import { rowOf } from "../blocks/gather.ts"
import type { Block } from "../contract/block.ts"
import type { Cell, Level, Row } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { Walk } from "../contract/node.ts"
import { sourcesOf } from "../data/lagged.ts"
import { encodedForQuestion } from "../data/question-blocks.ts"
import { didYouMean, list, nearest, refuseUnknown, SufficeError, show, wrongOption } from "../errors.ts"
import { checkSeed } from "../option-checks.ts"
import { dice } from "../random.ts"
import type { Knowledge, SolvedModel } from "./knowledge.ts"

export interface SampleOptions<Known = Row> {
  readonly seed?: number
  /** Cells that are known; the rest is drawn given them. */
  readonly given?: Known
  /** How many words to draw for a bag: the model does not model its length. */
  readonly words?: number
  /** How many steps to draw, where none are given. A chain that models its end (`ends`), below no switch, draws their number too. */
  readonly steps?: number
}

/** A sequence that has not ended by then is cut off. */
const MOST_STEPS = 100_000

export function samples(solved: SolvedModel, count: number, options: SampleOptions): Row[] {
  const { known } = solved
  refuseUnknown("sample", options, ["seed", "given", "words", "steps"])
  const { seed = 0, given = {}, words = 100, steps } = options
  checkSeed("sample", seed)
  wholeNumber("the number of rows", count)
  wholeNumber("words", words)
  const evidence = evidenceOf(known, steps === undefined ? given : withSteps(known, given, steps))
  const lengths = openLengths(known, evidence)
  // refuses a known cell whose conditioning columns are missing
  known.laid.root.up(evidence, solved.params, new Float64Array(1))
  const draws = dice(seed)
  /** The evidence, with as many empty steps as chains draw. */
  const complete = (): Block => {
    if (lengths.length === 0) return evidence
    const drawn = lengths.map(({ column, draw }) => {
      const length = draw(solved.params, draws, MOST_STEPS)
      return [column, Array.from({ length }, () => null)]
    })
    return evidenceOf(known, { ...given, ...Object.fromEntries(drawn) })
  }
  return Array.from({ length: count }, () => drawRow(solved, complete(), 0, draws, words))
}

/** One row of the block, with every missing cell drawn. */
export function drawRow(
  { known, params }: SolvedModel,
  block: Block,
  row: number,
  draws: ReturnType<typeof dice>,
  words: number,
): Row {
  const { columns } = known.schema
  const drawn = rowOf(columns, block, row, words)
  const hidden = new Map<string, Level>()
  const named = new Set(known.model.uses.map(use => use.column))
  known.laid.root.sample(drawn, params, 0, draws, (column, level) => {
    if (named.has(column)) hidden.set(column, level)
  })
  const cells: [string, Cell][] = columns.map((column, place) => {
    const cell = cellOf(column, drawn.cells[place], 0)
    return [column.name, column.kind === "steps" ? asRead(cell, column.columns, known) : cell]
  })
  return Object.fromEntries([...hidden, ...cells])
}

/** Steps as they are read: without the columns that are made of others. */
function asRead(cell: Cell, columns: readonly Column[], { schema }: Knowledge): Cell {
  const sources = sourcesOf(columns, schema)
  if (columns.every(({ name }) => sources.has(name)) || !Array.isArray(cell)) return cell
  return (cell as Row[]).map(step =>
    Object.fromEntries(Object.entries(step).filter(([name]) => sources.has(name))),
  )
}

/** So many steps in which nothing is seen, where none are given. */
function withSteps({ schema }: Knowledge, given: Row, steps: number): Row {
  wholeNumber("steps", steps)
  const lists = schema.columns.filter(({ kind }) => kind === "steps")
  if (lists.length === 0)
    throw wrongOption(
      "sample",
      "steps",
      steps,
      "It counts the steps of a row, and the model has none. Leave it out.",
    )
  const blank = (): Cell => Array.from({ length: steps }, () => null)
  const empty = lists.filter(({ name }) => given?.[name] === undefined || given[name] === null)
  return { ...given, ...Object.fromEntries(empty.map(({ name }) => [name, blank()])) }
}

/** Where steps are not given, the chain that draws how many there are; throws if none does: otherwise the model says nothing of it. */
function openLengths(
  { schema, laid }: Knowledge,
  evidence: Block,
): { column: string; draw: NonNullable<Walk["length"]> }[] {
  return schema.columns.flatMap((column, place) => {
    if (column.kind !== "steps" || !isHole(column, evidence.cells[place], 0)) return []
    const chained = laid.switches.find(({ walk, part }) => walk?.length && part.steps.includes(column.name))
    if (chained) return [{ column: column.name, draw: chained.walk!.length! }]
    throw new SufficeError(
      "option",
      `sample: ${show(column.name)} is not given. How many steps a row has is given to the model, not modelled by it, so they cannot be drawn out of nothing. Say how many: { steps: 3 }, or give them, those with nothing seen as null: { given: { ${column.name}: [null, null, null] } }.`,
      { column: column.name },
    )
  })
}

/** The known cells as a block of one row. */
function evidenceOf({ schema, model }: Knowledge, given: Row): Block {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw wrongOption(
      "sample",
      "given",
      given,
      'It holds the known cells by column. Write for example { given: { species: "Gentoo" } }.',
    )
  }
  const names = schema.columns.map(column => column.name)
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue
    throw new SufficeError(
      "column",
      model.uses.some(use => use.column === name)
        ? `sample: ${show(name)} is a hidden switch, so it cannot be given. Only columns of the data can. Draw more rows and keep those with the value you want.`
        : `sample: the model has no column ${show(name)}. It has ${list(names)}. ${didYouMean(nearest(name, names), "Leave it out.")}`,
      { column: name },
    )
  }
  const row = Object.fromEntries(names.map(name => [name, Object.hasOwn(given, name) ? given[name] : null]))
  const { blocks, unseen } = encodedForQuestion(schema, [row])
  for (const [column, level] of Object.entries(unseen.get(0) ?? {})) {
    throw new SufficeError(
      "cell",
      `sample: ${show(column)} is given as ${show(level)}, which training never saw. Nothing is known of rows like that. Give a level the model knows.`,
      { column, value: level },
    )
  }
  return blocks[0]
}

function wholeNumber(what: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return
  throw new SufficeError(
    "option",
    `sample: ${what} is ${show(value)}. It must be a whole number ≥ 0. Give one.`,
    { value },
  )
}
