/** Do the words of a topic occur together in documents? By the measures of measure/coherence.ts. */
import type { Cell } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { Reading } from "../contract/door.ts"
import { isMissing } from "../data/cells.ts"
import type { Data } from "../data/read.ts"
import { columnOf, inMemory } from "../data/take.ts"
import { list, notABag, refuseUnknown, SufficeError, show, wrongOption } from "../errors.ts"
import type { Fitted } from "../fit/fitted.ts"
import { type CoherenceMeasure, Occurrences, WINDOWS } from "../measure/coherence.ts"
import { solvedOf } from "./completion.ts"
import { checkFitted } from "./evaluate.ts"
import { topicSpace, wordsOf } from "./topic-space.ts"
import { checkTop, highest } from "./topics.ts"
import type { QuestionFor } from "./types.ts"

export interface CoherenceOptions {
  /** "npmi", between −1 and 1; "umass", at most 0; "c_v", mostly between 0.3 and 0.7, which needs texts or lists. The default is "npmi". */
  readonly measure?: CoherenceMeasure
  /** How many words of each topic, the most probable ones. The default is 10. */
  readonly top?: number
  /** The column of the documents, if the model has topics of several. */
  readonly column?: string
}

/** How well the top words of topics go together. */
export interface Coherence {
  readonly measure: CoherenceMeasure
  /** By topic, in the order of `topics()`. */
  readonly topics: readonly number[]
  readonly mean: number
}

const MEASURES = Object.keys(WINDOWS) as CoherenceMeasure[]

export function coherence<Cells, Target extends string, const Given>(
  fitted: Fitted<Cells, Target>,
  rows: QuestionFor<Cells, Target, Given>,
  options: CoherenceOptions = {},
): Coherence {
  refuseUnknown("coherence", options, ["measure", "top", "column"])
  const { measure = "npmi" } = options
  if (!MEASURES.includes(measure)) {
    throw wrongOption(
      "coherence",
      "measure",
      measure,
      `It must be one of ${list(MEASURES)}. Leave it out for "npmi".`,
    )
  }
  checkFitted("coherence", fitted)
  const solved = solvedOf(fitted as Fitted)
  const space = topicSpace("coherence", solved, options.column)
  const { topics, column } = space
  const { top = Math.min(10, column.words.length) } = options
  checkTop("coherence", top, column.words.length)
  if (top < 2) {
    throw wrongOption("coherence", "top", top, "Coherence is that of pairs of words. Ask for at least 2.")
  }
  const phi = wordsOf(space, solved)
  const words = column.words.length
  const tops = topics.map((_, t) => highest(phi.subarray(t * words, (t + 1) * words), top))
  const occurrences = new Occurrences(tops, WINDOWS[measure])
  const reading = solved.known.schema.readings.get(column.name)!
  const cells = columnOf("coherence", inMemory("coherence", rows as Data), column.name, "the column")
  cells.forEach((cell, row) => {
    if (!isMissing(cell)) occurrences.add(codesOf(reading, column, cell, row, measure))
  })
  tops.forEach((top, t) => {
    const absent = top.find((_, i) => !(occurrences.share(t, i, i) > 0))
    if (absent !== undefined) throw neverMet(column.words[absent], t, column.name)
  })
  const each = tops.map((_, t) => occurrences.coherence(t, measure))
  return { measure, topics: each, mean: each.reduce((sum, value) => sum + value, 0) / each.length }
}

/** The words of a document in their order; of counts in any, as one window holds them all. */
function codesOf(
  reading: Reading,
  column: Column,
  cell: Cell,
  row: number,
  measure: CoherenceMeasure,
): readonly number[] {
  const isOrdered = typeof cell === "string" || Array.isArray(cell)
  if (!isOrdered && Number.isFinite(WINDOWS[measure])) throw noOrder(row, column.name, measure)
  const codes = reading.inOrder(column, cell)
  if (!codes) throw notABag(cell, row, column.name)
  return codes
}

function noOrder(row: number, column: string, measure: CoherenceMeasure): SufficeError {
  return new SufficeError(
    "cell",
    `coherence: row ${row} of ${show(column)} holds counts of words, which have no order, and ${show(measure)} looks at windows of ${WINDOWS[measure]} words. Pass texts or lists of words, or measure by "npmi".`,
    { row, column, measure },
  )
}

function neverMet(word: string, topic: number, column: string): SufficeError {
  return new SufficeError(
    "data",
    `coherence: ${show(word)}, a word of topic ${topic}, is in no row of ${show(column)}. How often words occur together is counted in these rows. Pass those the model was learned from, or more of them.`,
    { word, topic, column },
  )
}
