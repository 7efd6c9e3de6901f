/** One downward pass of a network over steps. */
import type { Block, Weights } from "../../../../contract/block.ts"
import type { Sink } from "../../../../contract/node.ts"
import type { Codes, Owned, Reading, Seen, TemplateLayout } from "../slices.ts"

/** Scratch buffers by node. */
interface Buffers {
  readonly values: readonly ((length: number) => Float64Array)[]
  readonly guesses: readonly ((length: number) => Float64Array)[]
}

/** Lists are indexed as `owned`. */
export interface Delivery {
  readonly layout: TemplateLayout
  readonly owned: readonly Owned[]
  readonly reading: Reading
  readonly steps: Block
  readonly weights: Weights
  readonly sink: Sink
  readonly hidden: Codes | undefined
  /** True if the level or a level of a parent is missing in a step. */
  readonly isOpen: readonly boolean[]
  readonly isMasked: readonly boolean[]
  /** True if the node belongs to one slice alone. */
  readonly isSplit: readonly boolean[]
  /** Weights of the slots. Undefined if each step has one slot. */
  readonly values: readonly (Float64Array | undefined)[]
  /** Weights of every level and slot, where the level is missing. */
  readonly guesses: readonly (Float64Array | undefined)[]
}

export function deliveryOf(
  layout: TemplateLayout,
  owned: readonly Owned[],
  buffers: Buffers,
  reading: Reading,
  weights: Weights,
  sink: Sink,
  hidden: Codes | undefined,
): Delivery {
  const { first, later, nested } = reading
  const steps = nested.block
  const S = steps.rows
  const surveys = new Map([first, later].map(side => [side, side.inference.observed.survey()]))
  const sides = owned.map(entry => sidesOf({ reading }, entry))
  const isOpen = owned.map(({ v }, o) => sides[o].some(side => surveys.get(side)!.isOpen[v]))
  const isMasked = owned.map(({ v }, o) => sides[o].some(({ inference }) => inference.masks.isMasked(v)))
  const isGuessed = owned.map(({ v }, o) => sides[o].some(side => surveys.get(side)!.isGuessed[v]))
  const isSplit = owned.map(({ inFirst, inLater }) => !(inFirst && inLater))
  const values = owned.map(({ laid }, o) => {
    const isAnywhere = laid.configurations > 1 || isSplit[o]
    if (isOpen[o] || isMasked[o] || (weights.form === "each" && isAnywhere))
      return buffers.values[o](laid.part.leaf.shape.slots * S)
    return undefined
  })
  const guesses = owned.map(({ laid, v }, o) =>
    isGuessed[o] ? buffers.guesses[o](layout.levels[v] * laid.part.leaf.shape.slots * S) : undefined,
  )
  return { layout, owned, reading, steps, weights, sink, hidden, isOpen, isMasked, isSplit, values, guesses }
}

/** Slices of a node that have steps. */
export function sidesOf(
  { reading: { first, later } }: Pick<Delivery, "reading">,
  { inFirst, inLater }: Owned,
): readonly Seen[] {
  const sides: Seen[] = []
  if (inFirst && first.steps.length > 0) sides.push(first)
  if (inLater && later.steps.length > 0) sides.push(later)
  return sides
}
