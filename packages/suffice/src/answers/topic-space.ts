/**
 * All topics over one column, in one list: those of every context, context by context, then the shared ones, each once.
 *
 *     θ_t of a row = Σ_p r_p θ̂_pt        r_p: how probable context p is for the row; θ̂_p: the proportions of its topics
 */

import type { Block } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Topics } from "../contract/leaf.ts"
import type { Part } from "../contract/part.ts"
import { namesOf } from "../engine/parts.ts"
import { didYouMean, list, nearest, SufficeError, show } from "../errors.ts"
import { expected } from "../option-checks.ts"
import type { SolvedModel } from "./knowledge.ts"
import { reach } from "./numeric.ts"

type BagColumn = Extract<Column, { kind: "bag" }>

/** One topic: topic k of these slots of a part; a shared one has several. */
export interface TopicPlace {
  readonly part: Part
  readonly topics: Topics
  readonly k: number
  readonly slots: readonly number[]
  /** The context it belongs to, as "label=spam"; absent: there is one context, or it is shared. */
  readonly context?: string
}

export interface TopicSpace {
  readonly column: BagColumn
  /** Its place in a block. */
  readonly place: number
  readonly topics: readonly TopicPlace[]
  /** The names of the contexts of a part: the values of the switches above it. */
  contexts(part: Part): readonly string[]
}

/** The topics of a column, which is named or the only one that has any. */
export function topicSpace(where: string, { known }: SolvedModel, named: string | undefined): TopicSpace {
  expected(where, "column", named, typeof named === "string", "name a column", '{ column: "text" }')
  const parts = known.laid.parts.filter(part => part.leaf.topics)
  const columns = [...new Set(parts.map(part => part.columns[0].name))]
  const name = named ?? columns[0]
  if (columns.length === 0) throw noTopics(where)
  if (named === undefined ? columns.length > 1 : !columns.includes(named)) throw which(where, named, columns)
  const own = parts.filter(part => part.columns[0].name === name)
  if (own[0].steps.length > 0) throw inSteps(where, name, own[0].steps[0])
  const others = known.laid.parts.find(part => namesOf(part).includes(name) && !part.leaf.topics)
  if (others) throw mixedFamilies(where, name, others.family)
  const contexts = new Map(
    [...known.laid.root.tree.contexts([""])].map(([part, names]) => [part, names.map(name => name.slice(1))]),
  )
  return {
    column: own[0].columns[0] as BagColumn,
    place: own[0].places[0],
    topics: own.flatMap(part => placesOf(part, contexts.get(part)!)),
    contexts: part => contexts.get(part)!,
  }
}

function placesOf(part: Part, contexts: readonly string[]): TopicPlace[] {
  const topics = part.leaf.topics!
  const own = topics.count - topics.shared
  const slots = Array.from({ length: part.leaf.shape.slots }, (_, slot) => slot)
  const named = (slot: number): { context?: string } =>
    contexts[slot] === "" ? {} : { context: contexts[slot] }
  return [
    ...slots.flatMap(slot =>
      Array.from({ length: own }, (_, k) => ({ part, topics, k, slots: [slot], ...named(slot) })),
    ),
    ...Array.from({ length: topics.shared }, (_, k) => ({ part, topics, k: own + k, slots })),
  ]
}

/** φ: topics × words. */
export function wordsOf({ topics, column }: TopicSpace, { params }: SolvedModel): Float64Array {
  const words = column.words.length
  const phi = new Float64Array(topics.length * words)
  topics.forEach(({ part, topics, k, slots }, t) => {
    topics.words(part.ranges.paramsOf(params), slots[0], k, phi.subarray(t * words, (t + 1) * words))
  })
  return phi
}

/** out[i·topics + t] = θ_t of row i of the block. */
export function proportionsIn(
  space: TopicSpace,
  solved: SolvedModel,
  block: Block,
  out: Float64Array,
  at: number,
): void {
  const { rows } = block
  const count = space.topics.length
  out.fill(0, at, at + rows * count)
  let first = 0
  for (const { part, weights } of reach(solved, block, new Set([space.column.name]))) {
    const { topics } = part.leaf
    if (!topics) continue
    const own = topics.count - topics.shared
    const theta = new Float64Array(part.leaf.shape.slots * rows * topics.count)
    topics.proportions(block, part.ranges.paramsOf(solved.params), theta)
    for (let slot = 0, from = 0; slot < part.leaf.shape.slots; slot++) {
      for (let i = 0; i < rows; i++, from += topics.count) {
        const r = weights[slot][i]
        if (r === 0) continue
        for (let k = 0; k < topics.count; k++) {
          const t = first + (k < own ? slot * own + k : part.leaf.shape.slots * own + k - own)
          out[at + i * count + t] += r * theta[from + k]
        }
      }
    }
    first += part.leaf.shape.slots * own + topics.shared
  }
}

function noTopics(where: string): SufficeError {
  return new SufficeError(
    "model",
    `${where}: the model has no topics. Only documents that are mixtures of topics have them. Declare it with topics(20, "words").`,
  )
}

function which(where: string, named: string | undefined, columns: readonly string[]): SufficeError {
  return new SufficeError(
    "column",
    named === undefined
      ? `${where}: the model has topics of ${columns.length} columns: ${list(columns)}. Which is meant cannot be guessed. Name it: { column: ${show(columns[0])} }.`
      : `${where}: the model has no topics of ${show(named)}. It has those of ${list(columns)}. ${didYouMean(nearest(named, columns), "Name one of them.")}`,
    { column: named, columns },
  )
}

function inSteps(where: string, column: string, steps: string): SufficeError {
  return new SufficeError(
    "model",
    `${where}: the topics of ${show(column)} stand in the steps of ${show(steps)}, so that a row has many documents. This asks for one per row. Give the documents as rows to a model of their own.`,
    { column, steps },
  )
}

function mixedFamilies(where: string, column: string, family: string): SufficeError {
  return new SufficeError(
    "model",
    `${where}: ${show(column)} is modelled by topics in some contexts and by ${family} in others. Those have no topics to answer with. Write topics(1, ${show(column)}) for them, which is the same as multinomial.`,
    { column, family },
  )
}
