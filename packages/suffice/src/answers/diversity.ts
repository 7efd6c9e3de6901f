/** How different topics are: the share of distinct words among the first of every topic (Dieng, Ruiz & Blei 2020). */
import { refuseUnknown } from "../errors.ts"
import type { Fitted } from "../fit/fitted.ts"
import { solvedOf } from "./completion.ts"
import { checkFitted } from "./evaluate.ts"
import { topicSpace, wordsOf } from "./topic-space.ts"
import { checkTop, highest } from "./topics.ts"

export interface DiversityOptions {
  /** How many words of each topic, the most probable ones. The default is 25. */
  readonly top?: number
  /** The column of the documents, if the model has topics of several. */
  readonly column?: string
}

/** 1: no word is among the first of two topics. */
export function diversity(fitted: Fitted<never, never> | Fitted, options: DiversityOptions = {}): number {
  refuseUnknown("diversity", options, ["top", "column"])
  checkFitted("diversity", fitted)
  const solved = solvedOf(fitted as Fitted)
  const space = topicSpace("diversity", solved, options.column)
  const words = space.column.words.length
  const { top = Math.min(25, words) } = options
  checkTop("diversity", top, words)
  const phi = wordsOf(space, solved)
  const tops = space.topics.map((_, t) => highest(phi.subarray(t * words, (t + 1) * words), top))
  return new Set(tops.flat()).size / (top * tops.length)
}
