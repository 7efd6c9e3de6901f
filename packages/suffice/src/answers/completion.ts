/**
 * Completion: how well does one part of a document predict the rest? (Wallach, Murray, Salakhutdinov & Mimno 2009)
 *
 *     the words of each document are cut into two parts at random; θ_t by the first;
 *     perWord = Σ c_w ln Σ_t θ_t φ_tw / Σ c_w over the second      perplexity = exp(−perWord)
 *
 * Best on rows that the model has not learned from. It compares models of any number of topics, which no likelihood does: theirs is a bound.
 */

import { bagsOf } from "../blocks/encoded.ts"
import type { Bags, Block } from "../contract/block.ts"
import type { Dice } from "../contract/dice.ts"
import { encodedForQuestion } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { refuseUnknown, SufficeError, show } from "../errors.ts"
import type { Fitted } from "../fit/fitted.ts"
import { exp } from "../kernels/exp.ts"
import { log } from "../kernels/log.ts"
import { checkSeed, expected } from "../option-checks.ts"
import { dice } from "../random.ts"
import { checkFitted } from "./evaluate.ts"
import type { SolvedModel } from "./knowledge.ts"
import { proportionsIn, topicSpace, wordsOf } from "./topic-space.ts"
import type { QuestionFor } from "./types.ts"

export interface CompletionOptions {
  /** The part of each document that is given. The default is a half. */
  readonly share?: number
  readonly seed?: number
  /** The column of the documents, if the model has topics of several. */
  readonly column?: string
}

/** How well one part of documents predicts the rest of their words. */
export interface Completion {
  /** exp(−perWord): how many words it hesitates between, as it were. Lower is better. */
  readonly perplexity: number
  /** Mean of ln p(word | the given part of its document). */
  readonly perWord: number
  /** Words that were predicted, and the documents they are from. */
  readonly words: number
  readonly documents: number
  /** Documents with fewer than two known words. */
  readonly skipped: number
}

export function completion<Cells, Target extends string, const Given>(
  fitted: Fitted<Cells, Target>,
  rows: QuestionFor<Cells, Target, Given>,
  options: CompletionOptions = {},
): Completion {
  refuseUnknown("completion", options, ["share", "seed", "column"])
  const { share, seed, column } = options
  const cuts = typeof share === "number" && share > 0 && share < 1
  expected("completion", "share", share, cuts, "lie between 0 and 1", "{ share: 0.5 }")
  checkSeed("completion", seed)
  checkFitted("completion", fitted)
  const { logs, counts } = predictedWords(solvedOf(fitted as Fitted), rows as Data, options)
  let [total, words, documents] = [0, 0, 0]
  for (let i = 0; i < logs.length; i++) {
    if (counts[i] === 0) continue
    total += logs[i]
    words += counts[i]
    documents++
  }
  if (documents === 0) throw noSecondWord(column)
  const perWord = total / words
  return { perplexity: exp(-perWord), perWord, words, documents, skipped: logs.length - documents }
}

/** By row: Σ c ln p(word) over the words to be predicted, and their number; 0 where there is none. */
export function predictedWords(
  solved: SolvedModel,
  data: Data,
  { share = 0.5, seed = 0, column }: CompletionOptions,
): { readonly logs: Float64Array; readonly counts: Float64Array } {
  const space = topicSpace("completion", solved, column)
  const phi = wordsOf(space, solved)
  const topics = space.topics.length
  const vocabulary = space.column.words.length
  const draws = dice(seed)
  const { blocks } = encodedForQuestion(solved.known.schema, data)
  const rows = blocks.reduce((sum, block) => sum + block.rows, 0)
  const logs = new Float64Array(rows)
  const counts = new Float64Array(rows)
  let first = 0
  for (const block of blocks) {
    const { given, asked } = halves(block, space.place, share, draws)
    const theta = new Float64Array(block.rows * topics)
    proportionsIn(space, solved, given, theta, 0)
    for (let i = 0; i < block.rows; i++) {
      for (let j = asked.offsets[i]; j < asked.offsets[i + 1]; j++) {
        let p = 0
        for (let t = 0; t < topics; t++) p += theta[i * topics + t] * phi[t * vocabulary + asked.words[j]]
        logs[first + i] += asked.counts[j] * log(p)
        counts[first + i] += asked.counts[j]
      }
    }
    first += block.rows
  }
  return { logs, counts }
}

/** The block with a part of every document, and the words that it lacks. Documents of fewer than two words lack none. */
function halves(
  block: Block,
  place: number,
  share: number,
  draws: Dice,
): { readonly given: Block; readonly asked: Bags } {
  const bags = block.cells[place] as Bags
  const [given, asked] = [new Growing(), new Growing()]
  for (let i = 0; i < block.rows; i++) {
    const tokens = tokensOf(bags, i)
    shuffle(tokens, draws)
    const cut =
      tokens.length < 2
        ? tokens.length
        : Math.min(Math.max(Math.round(share * tokens.length), 1), tokens.length - 1)
    given.add(tokens.slice(0, cut))
    asked.add(tokens.slice(cut))
  }
  const cells = block.cells.slice()
  cells[place] = given.bags()
  return { given: { ...block, cells }, asked: asked.bags() }
}

interface Token {
  readonly word: number
  /** 1, or what is left of a count that is not whole. */
  readonly count: number
}

function tokensOf({ offsets, words, counts }: Bags, row: number): Token[] {
  const tokens: Token[] = []
  for (let j = offsets[row]; j < offsets[row + 1]; j++) {
    for (let left = counts[j]; left > 0; left--) tokens.push({ word: words[j], count: Math.min(left, 1) })
  }
  return tokens
}

/** Fisher & Yates. */
function shuffle(tokens: Token[], draws: Dice): void {
  for (let i = tokens.length - 1; i > 0; i--) {
    const j = draws.integer(i + 1)
    const token = tokens[i]
    tokens[i] = tokens[j]
    tokens[j] = token
  }
}

/** Bags of a block, one after the other; the words of each in order. */
class Growing {
  readonly #offsets = [0]
  readonly #words: number[] = []
  readonly #counts: number[] = []

  add(tokens: readonly Token[]): void {
    const bag = new Map<number, number>()
    for (const { word, count } of tokens) bag.set(word, (bag.get(word) ?? 0) + count)
    for (const [word, count] of [...bag].sort(([a], [b]) => a - b)) {
      this.#words.push(word)
      this.#counts.push(count)
    }
    this.#offsets.push(this.#words.length)
  }

  bags(): Bags {
    return bagsOf(
      Int32Array.from(this.#offsets),
      Int32Array.from(this.#words),
      Float64Array.from(this.#counts),
    )
  }
}

/** The solved model of a fitted one: kept from callers, not from this package. */
export function solvedOf(fitted: Fitted): SolvedModel {
  return (fitted as unknown as { readonly solved: SolvedModel }).solved
}

export function noSecondWord(column: string | undefined): SufficeError {
  return new SufficeError(
    "data",
    `completion: no document${column === undefined ? "" : ` of ${show(column)}`} has two words that the model knows. One is to be predicted from the other. Pass longer documents, or look whether the column holds the same kind of text.`,
  )
}
