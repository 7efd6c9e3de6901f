/** Where the numbers of topics stand: parameters, and the memory that one document is folded in. */

/**
 * P slots with `own` topics each, and `shared` ones that all slots have. Parameters: φ_wk = (U_wk + e) · inverse_k, with U of the own topics at
 * (w·P + p)·own + t, then of the shared ones at w·shared + t, then e, then `inverse` in the order of one word's topics, then α at p·topics + k.
 */
export interface TopicShape {
  readonly slots: number
  readonly own: number
  readonly shared: number
  readonly words: number
}

/** Topics of a slot. */
export function topicsOf({ own, shared }: TopicShape): number {
  return own + shared
}

/** The same, padded to an even number: the length of a row of g, and of φ. */
export function widthOf(shape: TopicShape): number {
  return (topicsOf(shape) + 1) & ~1
}

/** The number of U: all topics, word by word. */
export function sizeOf({ slots, own, shared, words }: TopicShape): number {
  return words * (slots * own + shared)
}

/** Where the parts of the parameters begin. */
export function placesOf(shape: TopicShape): {
  readonly shared: number
  readonly e: number
  readonly inverse: number
  readonly alpha: number
  readonly end: number
} {
  const { slots, own, shared, words } = shape
  const e = sizeOf(shape)
  const inverse = e + 1
  const alpha = inverse + slots * own + shared
  return { shared: words * slots * own, e, inverse, alpha, end: alpha + slots * (own + shared) }
}

/**
 * The memory of one document of so many words, in numbers: α, g and three rows of scratch, `width` each; then what its words weigh, their φ row by row, a number
 * more for each of them, and half of one.
 */
export function documentOf(
  width: number,
  count: number,
): { readonly x: number; readonly phi: number; readonly logs: number; readonly end: number } {
  const padded = (count + 1) & ~1
  const x = 5 * width
  const phi = x + padded
  const logs = phi + count * width
  return { x, phi, logs, end: logs + padded + padded / 2 }
}

/** Of a mini-batch, φ of so many words are gathered once; those of more words anew for each document. */
const GATHERED = 4096

/** The numbers that fast kernels need to gather them once: none where φ of a word differs by slot. See numberOf in assembly/topic-rows.ts. */
export function gatheredOf(shape: TopicShape): number {
  const { slots, own, words } = shape
  if (own > 0 && slots > 1) return 0
  return 1 + words + Math.min(words, GATHERED) * widthOf(shape)
}

/** The words whose φ so many numbers hold. */
export function mostGathered(shape: TopicShape, numbers: number): number {
  return Math.trunc((numbers - 1 - shape.words) / widthOf(shape))
}

/** Documents of more words are left to the plain kernels. */
const LONGEST = 4096

/** Numbers that fast kernels need beside the topics: scores and g of a document in every slot, and the memory it is folded in. */
export function scratchOf(shape: TopicShape): number {
  const width = widthOf(shape)
  return shape.slots * (1 + width) + documentOf(width, Math.min(shape.words, LONGEST)).end
}
