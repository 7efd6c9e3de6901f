/**
 * p(columns together | what is known of a row):
 *
 *     p(a, b | known) = p(a, b, known) / Σ_{a, b} p(a, b, known)
 *
 * Every combination of their levels is a row of its own; what is in neither list is summed out.
 */
import type { Block } from "../contract/block.ts"
import type { Level, Row } from "../contract/cells.ts"
import { encodedForQuestion } from "../data/question-blocks.ts"
import { unknownColumn } from "../declare/arrows.ts"
import { list, refuseUnknown, SufficeError, show, wrongOption } from "../errors.ts"
import { exp } from "../kernels/exp.ts"
import { log } from "../kernels/log.ts"
import { intervened } from "./intervene.ts"
import { type Knowledge, paramsOf, type SolvedModel } from "./knowledge.ts"
import { hiddenLevels, hiddenNames } from "./target.ts"

/** What a joint table is asked of, and what is known or set. */
export interface QueryOptions<Known = Row> {
  /** Columns with levels, hidden ones too. */
  readonly of: string | readonly string[]
  /** Cells that are known; all others are summed out. Values of hidden columns can be given as well. */
  readonly given?: Known
  /** Columns that are set from outside, whatever their parents say: p(of | given, do). */
  readonly do?: Known
}

/** The levels of some columns with their probability. */
export interface QueryEntry {
  readonly levels: Readonly<Record<string, Level>>
  readonly probability: number
}

/** A joint table: the first column outermost. */
export interface QueryAnswer {
  readonly of: readonly string[]
  /** Of each column. */
  readonly levels: readonly (readonly Level[])[]
  /** Of every combination, the last column changing fastest. They sum to 1. */
  readonly probabilities: Float64Array
  /** The same, one by one. */
  readonly entries: readonly QueryEntry[]
  /** ln p(given): how probable what is known is. */
  readonly logEvidence: number
}

const MOST_ENTRIES = 1_000_000
const ROWS = 480

export function queried(solved: SolvedModel, options: QueryOptions): QueryAnswer {
  refuseUnknown("query", options, ["of", "given", "do"])
  if (options.do !== undefined) {
    const known = intervened(solved.known, options.do as Row, "query")
    const { do: _, ...rest } = options
    const given = { ...rest.given, ...options.do }
    return queried({ known, params: paramsOf(known), questions: new Map() }, { ...rest, given })
  }
  const { known, params } = solved
  const of = typeof options.of === "string" ? [options.of] : options.of
  if (!Array.isArray(of) || of.length === 0 || new Set(of).size < of.length) {
    throw wrongOption(
      "query",
      "of",
      options.of,
      'It names the columns whose table is asked for, each once. Write for example { of: ["a", "b"] }.',
    )
  }
  const given = checkedGiven(known, of, options.given ?? {})
  const levels = of.map(name => levelsOf(known, name))
  const size = levels.reduce((product, own) => product * own.length, 1)
  if (size > MOST_ENTRIES) {
    throw new SufficeError(
      "size",
      `query: a table of ${list(of)} has ${size} entries, more than ${MOST_ENTRIES}. Ask for fewer columns at a time, or give some of them.`,
      { entries: size, columns: of },
    )
  }
  const logs = new Float64Array(size)
  for (let from = 0; from < size; from += ROWS) {
    const rows = Math.min(ROWS, size - from)
    const block = rowsWith(known, given, of, levels, from, rows)
    known.laid.root.up(block, params, logs.subarray(from, from + rows))
  }
  const most = logs.reduce((a, b) => Math.max(a, b), -Infinity)
  if (!(most > -Infinity)) throw impossible(given)
  const probabilities = logs.map(value => exp(value - most))
  const total = probabilities.reduce((sum, p) => sum + p, 0)
  for (let e = 0; e < size; e++) probabilities[e] /= total
  return {
    of,
    levels,
    probabilities,
    entries: Array.from(probabilities, (probability, e) => ({
      levels: Object.fromEntries(of.map((name, j) => [name, levels[j][codeOf(levels, j, e)]])),
      probability,
    })),
    logEvidence: most + log(total),
  }
}

/** The code of column j in entry e. */
function codeOf(levels: readonly (readonly Level[])[], j: number, e: number): number {
  const inner = levels.slice(j + 1).reduce((product, own) => product * own.length, 1)
  return Math.trunc(e / inner) % levels[j].length
}

/** Columns of the data, and hidden nodes of networks. */
function namesOf({ schema, laid }: Knowledge): string[] {
  return [...schema.columns.map(({ name }) => name), ...hiddenNames(laid)]
}

function levelsOf(known: Knowledge, name: string): readonly Level[] {
  const column = known.schema.columns.find(column => column.name === name)
  const levels = column?.kind === "level" ? column.levels : hiddenLevels(known.laid, name)
  if (levels && levels.length > 0) return levels
  if (!column) throw unknownColumn("query", name, namesOf(known))
  throw new SufficeError(
    "target",
    `query: column ${show(name)} has no levels. A table needs some. Predict it: predict(rows, { target: ${show(name)} }), or bin it.`,
    { column: name },
  )
}

function checkedGiven(known: Knowledge, of: readonly string[], given: Row): Row {
  const names = namesOf(known)
  for (const name of Object.keys(given)) {
    if (!names.includes(name)) throw unknownColumn("query", name, names)
    if (!of.includes(name)) continue
    throw new SufficeError(
      "option",
      `query: column ${show(name)} is given, and asked for. What is given is known. Leave it out of one of the two.`,
      { column: name },
    )
  }
  return given
}

/** Rows from … of the table: what is given, with one combination of levels each. */
function rowsWith(
  known: Knowledge,
  given: Row,
  of: readonly string[],
  levels: readonly (readonly Level[])[],
  from: number,
  count: number,
): Block {
  const hidden = hiddenNames(known.laid)
  const cells = known.schema.columns.map(({ name }) => {
    const j = of.indexOf(name)
    const cell = (e: number) => (j >= 0 ? levels[j][codeOf(levels, j, e)] : (given[name] ?? null))
    return [name, Array.from({ length: count }, (_, i) => cell(from + i))]
  })
  const { blocks, unseen } = encodedForQuestion(known.schema, Object.fromEntries(cells))
  for (const [column, level] of Object.entries(unseen.get(0) ?? {})) {
    throw new SufficeError(
      "cell",
      `query: ${show(column)} is given as ${show(level)}, which training never saw. Nothing is known of rows like that. Give a level the model knows.`,
      { column, value: level },
    )
  }
  const [block] = blocks
  const assumed = new Map(
    hidden.flatMap(name => {
      const j = of.indexOf(name)
      if (j < 0 && !Object.hasOwn(given, name)) return []
      const own = hiddenLevels(known.laid, name)!
      const fixed = j < 0 ? hiddenCode(own, name, given[name] as Level) : -1
      const code = (e: number): number => (j < 0 ? fixed : codeOf(levels, j, e))
      return [[name, Int32Array.from({ length: count }, (_, i) => code(from + i))] as const]
    }),
  )
  return assumed.size > 0 ? { ...block, assumed } : block
}

function hiddenCode(levels: readonly Level[], name: string, value: Level): number {
  const code = levels.indexOf(value)
  if (code >= 0) return code
  throw new SufficeError(
    "cell",
    `query: the hidden column ${show(name)} is given as ${show(value)}. Its values are ${list(levels)}. Give one of these.`,
    { column: name, value },
  )
}

function impossible(given: Row): SufficeError {
  const names = Object.keys(given)
  return new SufficeError(
    "cell",
    names.length > 0
      ? `query: what is given of ${list(names)} has probability 0. Nothing follows from what cannot be. Give other cells, or learn the model with a prior.`
      : "query: every combination of these columns has probability 0. There is no distribution to tell. Learn the model with a prior.",
    { columns: names },
  )
}
