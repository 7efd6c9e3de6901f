/**
 * Draws what is missing of a row's steps, given the rest: forward through all of them, then, from the last step to the first, each step with what is missing of the one before that it
 * depends on; the numbers last, from the first step on.
 */
import { rowsOf } from "../../../blocks/encoded.ts"
import { Gatherer } from "../../../blocks/gather.ts"
import type { Block, Nested } from "../../../contract/block.ts"
import type { Node } from "../../../contract/node.ts"
import type { Passes } from "./passes.ts"
import { Alphas, type Reader, type TemplateLayout } from "./slices.ts"

interface Sampling {
  stepsOf(block: Block): Nested
  readonly reader: Reader
  readonly passes: Passes
  /** Gives a step the numbers of earlier steps that it reads. */
  carry(steps: Block, t: number): void
}

export function sampler(
  layout: TemplateLayout,
  { stepsOf, reader, passes, carry }: Sampling,
): Node["sample"] {
  const { first, later, carried, ghosts, levels, slots: P, columns } = layout
  const alphas = new Alphas()
  const gatherer = new Gatherer(columns)

  return (block, params, slot, dice, chosen) => {
    const nested = stepsOf(block)
    const { block: steps } = nested
    const S = steps.rows
    if (S === 0) return
    const reading = reader.read(nested)
    const { sizes } = reading
    passes.up(reading, params, alphas, new Float64Array(P * S))
    /** The levels of every step, by node. */
    const drawn = first.nodes.map(({ isHidden, place }, v) =>
      levels[v] === 0
        ? undefined
        : isHidden
          ? new Int32Array(S).fill(-1)
          : (steps.cells[place] as Int32Array),
    )
    const numbers = new Map<number, Float64Array>()
    for (let t = S - 1; t >= 0; t--) {
      const side = t === 0 ? first : later
      const { inference, nodes, before, after } = side
      const assumed = new Map<string, Int32Array>()
      nodes.forEach(({ name, isHidden }, v) => {
        if (isHidden && v < drawn.length) assumed.set(name, Int32Array.of(drawn[v]![t]))
      })
      if (t > 0)
        ghosts.forEach((ghost, j) => {
          assumed.set(nodes[ghost].name, Int32Array.of(drawn[carried[j]]![t - 1]))
        })
      const row = { ...gatherer.runs([steps], [t], [t + 1]), assumed }
      inference.read(row)
      if (t > 0 && sizes[t - 1] > 0) inference.setBorder(before, alphas.of(t - 1))
      if (t === S - 1 && sizes[t] > 0) inference.setBorder(after, new Float64Array(sizes[t]))
      const values = inference.draw(params, slot, dice, (v, x) => {
        const own = numbers.get(v) ?? new Float64Array(S).fill(NaN)
        numbers.set(v, own)
        own[t] = x
      })
      drawn.forEach((codes, v) => {
        if (codes) codes[t] = values[v]
      })
      if (t > 0)
        ghosts.forEach((ghost, j) => {
          drawn[carried[j]]![t - 1] = values[ghost]
        })
    }
    for (const [v, own] of numbers) {
      const cells = steps.cells[first.nodes[v].place] as Float64Array
      for (let t = 0; t < S; t++) if (cells[t] !== cells[t]) cells[t] = own[t]
    }
    for (let t = 0; t < S; t++) {
      carry(steps, t)
      const { inference, nodes } = t === 0 ? first : later
      const row = rowsOf(steps, t, t + 1)
      first.nodes.forEach(({ isHidden, name }, v) => {
        if (isHidden) chosen?.(name, drawn[v]![t])
      })
      for (const v of inference.order) {
        if (v >= first.nodes.length || levels[v] > 0) continue
        const { part, levelParents } = nodes[v]
        let c = 0
        for (const u of levelParents) {
          const code = u < first.nodes.length ? drawn[u]![t] : drawn[carried[ghosts.indexOf(u)]]![t - 1]
          c = c * levels[u] + code
        }
        part.leaf.sample(part.ranges.paramsOf(params), c * P + slot, row, dice)
      }
    }
  }
}
