/** How far words and the transitions of chains move: by the sum over documents or sequences, whatever the number of rows. */
import { refuseUnknown } from "../errors.ts"
import { isRecord, option, positive } from "./options.ts"

/** Bags of words have a step size of their own: a document counts as `rho / (1 + decay·passes so far)` documents, whatever the number of rows. */
export interface WordStep {
  /** The default is 2; 30 if the target is a tag, 10 if there are chains in classes. Their transitions move by the same steps. */
  readonly rho: number
  readonly decay: number
  /** Pseudo-counts that every word starts with: the more, the smaller the steps in ln p. The default is the family's, divided by √(2k) with "ncll" (engine/moving.ts). */
  readonly inertia?: number
}

export const WORDS: WordStep = { rho: 2, decay: 0.3 }

/**
 * Words and transitions of a tagger: a sequence has many steps, which move them together. Found with a prototype of this rule: on validation sentences of conll2000, words scaled to norm 2, ρ 2, 5, 10, 30
 * and 100 with inertia 3, 10, 30, 100 and 100 get a span F1 of 92.2, 92.7, 93.1, 93.2 and 93.1 % with NCLL, and 92.1, 92.8, 93.1, 93.5 and 92.8 % with hinge.
 */
export const TAGS: WordStep = { rho: 30, decay: 0.3, inertia: 100 }

/** A chain in each class. With the prototype, eight hidden states on the letters of names: 77.8 % by EM, 81.1 % by NCLL. */
export const SEQUENCES: WordStep = { rho: 10, decay: 0.3, inertia: 0 }

/** The options, checked. */
export function wordStep(words: Partial<WordStep>): Partial<WordStep> {
  option("sdem", "words", words, isRecord(words), "an object such as { rho: 1, decay: 0, inertia: 10 }")
  refuseUnknown("sdem", words, ["rho", "decay", "inertia"])
  const step = { ...WORDS, ...words }
  option("sdem", "words.rho", step.rho, Number.isFinite(step.rho) && step.rho > 0, "a finite number above 0")
  positive("sdem", "words.decay", step.decay)
  if (step.inertia !== undefined) positive("sdem", "words.inertia", step.inertia)
  return words
}
