/** What the families over bags of words share: their options and what they ask of the door. */
import type { Bags, Block, Column, Description, Dice, Held, Need } from "../contract.ts"
import { list, SufficeError, show } from "../errors.ts"
import { SCALINGS, type Scaling } from "./scaling.ts"

export interface BagOptions {
  /** Whether text is lower-cased when it is cut into words. */
  readonly lowercase?: boolean
  /** The vocabulary, where the data should not decide it. Other words are ignored. */
  readonly words?: readonly string[]
}

export interface ScaledBagOptions extends BagOptions {
  /** What a count weighs: see scaling.ts. Without it: raw for generative learners, tfidf for discriminative ones. */
  readonly scaling?: Scaling
}

export type BagColumn = Extract<Column, { kind: "bag" }>
type BagNeed = Extract<Need, { kind: "bag" }>

/** What a family over bags of words asks of the door. */
export function bagNeed(family: string, { lowercase = true, words, scaling }: ScaledBagOptions): BagNeed {
  if (typeof lowercase !== "boolean") {
    throw new SufficeError(
      "option",
      `${family}: lowercase is ${show(lowercase)}. It says whether text is lower-cased, so it must be true or false. Leave it out for true.`,
      { family, option: "lowercase", value: lowercase },
    )
  }
  if (scaling !== undefined && !SCALINGS.includes(scaling)) {
    throw new SufficeError(
      "option",
      `${family}: scaling is ${show(scaling)}. It says what a count weighs: ${list(SCALINGS)}. Leave it out to let the learner choose.`,
      { family, option: "scaling", value: scaling },
    )
  }
  const text = { lowercase, ...(scaling !== undefined && { scaling }) }
  if (words === undefined) return { kind: "bag", text }
  const fine = Array.isArray(words) && words.length > 0 && words.every(word => typeof word === "string")
  if (!fine || new Set(words).size !== words.length) {
    throw new SufficeError(
      "option",
      `${family}: words is ${show(words)}. A vocabulary is a list of different words. Leave it out to take the words of the data.`,
      { family, option: "words", value: words },
    )
  }
  return { kind: "bag", text, words }
}

/** The options as saving writes them down. */
export function bagOptions({ text, words }: BagNeed): Description {
  return {
    lowercase: text.lowercase,
    ...(text.scaling !== undefined && { scaling: text.scaling }),
    ...(words && { words }),
  }
}

/** The column as a family over bags needs it. Only a model file that was changed by hand can hold another. */
export function bagColumn(column: Column, need: BagNeed): BagColumn {
  const { name, words, text } = column as BagColumn
  const fine =
    typeof text?.lowercase === "boolean" &&
    text.lowercase === need.text.lowercase &&
    (text.scaling === undefined || SCALINGS.includes(text.scaling)) &&
    (need.text.scaling === undefined || need.text.scaling === text.scaling) &&
    (text.scaling !== "tfidf" || isCounted(text, words.length)) &&
    Object.keys(text).every(key => TEXT.includes(key))
  if (fine) return column as BagColumn
  throw new SufficeError(
    "saved",
    `the text options of column ${show(name)} are not those of its model. How words are found and weighed must be as it was in training. Save the model again, or undo the change.`,
    { column: name },
  )
}

const TEXT = ["lowercase", "scaling", "documents", "frequencies"]

function isCounted({ documents, frequencies }: BagColumn["text"], words: number): boolean {
  const isCount = (value: unknown): boolean => Number.isFinite(value) && (value as number) >= 0
  return (
    isCount(documents) &&
    Array.isArray(frequencies) &&
    frequencies.length === words &&
    frequencies.every(count => isCount(count) && count <= documents!)
  )
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
