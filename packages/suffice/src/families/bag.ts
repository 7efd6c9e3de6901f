/** What the families over bags of words share: their options and what they ask of the door. */
import type { Bags, Block, Column, Description, Dice, Held, Need } from "../contract.ts"
import { SufficeError, show } from "../errors.ts"

export interface BagOptions {
  /** Whether text is lower-cased when it is cut into words. */
  readonly lowercase?: boolean
  /** The vocabulary, where the data should not decide it. Other words are ignored. */
  readonly words?: readonly string[]
}

export type BagColumn = Extract<Column, { kind: "bag" }>
type BagNeed = Extract<Need, { kind: "bag" }>

/** What a family over bags of words asks of the door. */
export function bagNeed(family: string, { lowercase = true, words }: BagOptions): BagNeed {
  if (typeof lowercase !== "boolean") {
    throw new SufficeError(
      "option",
      `${family}: lowercase is ${show(lowercase)}. It says whether text is lower-cased, so it must be true or false. Leave it out for true.`,
      { family, option: "lowercase", value: lowercase },
    )
  }
  if (words === undefined) return { kind: "bag", text: { lowercase } }
  const fine = Array.isArray(words) && words.length > 0 && words.every(word => typeof word === "string")
  if (!fine || new Set(words).size !== words.length) {
    throw new SufficeError(
      "option",
      `${family}: words is ${show(words)}. A vocabulary is a list of different words. Leave it out to take the words of the data.`,
      { family, option: "words", value: words },
    )
  }
  return { kind: "bag", text: { lowercase }, words }
}

/** The options as saving writes them down. */
export function bagOptions({ text, words }: BagNeed): Description {
  return { lowercase: text.lowercase, ...(words && { words }) }
}

/** Row 0 of the block gets this bag: a count for each word of the vocabulary. */
export function putBag(block: Block, place: number, drawn: Float64Array): void {
  const words = Int32Array.from(drawn.keys()).filter(w => drawn[w] > 0)
  const bag: Bags = {
    offsets: Int32Array.of(0, words.length),
    words,
    counts: Float64Array.from(words, w => drawn[w]),
  }
  ;(block.cells as Held[])[place] = bag
}

/** A few words out of six, some more than once: for the laws. */
export function someWords(dice: Dice): string[] {
  const words = ["sun", "moon", "rain", "wind", "snow", "fog"]
  return Array.from({ length: 1 + dice.integer(5) }, () => words[dice.integer(words.length)])
}
