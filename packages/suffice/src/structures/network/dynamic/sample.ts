/**
 * Draws what is missing of a row's steps, given the rest: forward through all of them, then, from the last step to the first, each step with what is missing of the one before that it
 * depends on; the numbers last, from the first step on.
 */
import { rowsOf } from "../../../blocks/encoded.ts"
import { Gatherer } from "../../../blocks/gather.ts"
import type { Block, Nested } from "../../../contract/block.ts"
import type { Dice } from "../../../contract/dice.ts"
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

export function sampler(layout: TemplateLayout, sampling: Sampling): Node["sample"] {
  const { first, slots: P, columns } = layout
  const { stepsOf, reader, passes } = sampling
  const alphas = new Alphas()
  const gatherer = new Gatherer(columns)

  return (block, params, slot, dice, chosen) => {
    const nested = stepsOf(block)
    const { block: steps } = nested
    const S = steps.rows
    if (S === 0) return
    const reading = reader.read(nested)
    passes.up(reading, params, alphas, new Float64Array(P * S))
    const draws: Draws = {
      layout,
      steps,
      params,
      slot,
      dice,
      codes: codesOf(layout, steps),
      numbers: new Map(),
    }
    for (let t = S - 1; t >= 0; t--) drawLevels(draws, t, reading.sizes, alphas, gatherer)
    for (const [v, drawn] of draws.numbers) {
      const cells = steps.cells[first.nodes[v].place] as Float64Array
      for (let t = 0; t < S; t++) if (cells[t] !== cells[t]) cells[t] = drawn[t]
    }
    for (let t = 0; t < S; t++) {
      sampling.carry(steps, t)
      first.nodes.forEach(({ isHidden, name }, v) => {
        if (isHidden) chosen?.(name, draws.codes[v]![t])
      })
      drawNumbers(draws, t)
    }
  }
}

/** Values of the steps of one row, while they are drawn. */
interface Draws {
  readonly layout: TemplateLayout
  readonly steps: Block
  readonly params: Float64Array
  readonly slot: number
  readonly dice: Dice
  /** Levels of every step, by node. Undefined for numbers. */
  readonly codes: readonly (Int32Array | undefined)[]
  /** Missing numbers with children, by node. */
  readonly numbers: Map<number, Float64Array>
}

function codesOf({ first, levels }: TemplateLayout, steps: Block): Draws["codes"] {
  return first.nodes.map(({ isHidden, place }, v) => {
    if (levels[v] === 0) return undefined
    return isHidden ? new Int32Array(steps.rows).fill(-1) : (steps.cells[place] as Int32Array)
  })
}

/** Draws the missing levels of step t jointly with the missing carried columns of the step before. */
function drawLevels(
  { layout, steps, params, slot, dice, codes: drawn, numbers }: Draws,
  t: number,
  sizes: Int32Array,
  alphas: Alphas,
  gatherer: Gatherer,
): void {
  const { carried, ghosts } = layout
  const S = steps.rows
  const { inference, nodes, before, after } = t === 0 ? layout.first : layout.later
  const assumed = new Map<string, Int32Array>()
  nodes.forEach(({ name, isHidden }, v) => {
    if (isHidden && v < drawn.length) assumed.set(name, Int32Array.of(drawn[v]![t]))
  })
  if (t > 0)
    ghosts.forEach((ghost, j) => {
      assumed.set(nodes[ghost].name, Int32Array.of(drawn[carried[j]]![t - 1]))
    })
  inference.read({ ...gatherer.runs([steps], [t], [t + 1]), assumed })
  if (t > 0 && sizes[t - 1] > 0) inference.setBorder(before, alphas.of(t - 1))
  if (t === S - 1 && sizes[t] > 0) inference.setBorder(after, new Float64Array(sizes[t]))
  const values = inference.draw(params, slot, dice, (v, x) => {
    const column = numbers.get(v) ?? new Float64Array(S).fill(NaN)
    numbers.set(v, column)
    column[t] = x
  })
  drawn.forEach((codes, v) => {
    if (codes) codes[t] = values[v]
  })
  if (t > 0)
    ghosts.forEach((ghost, j) => {
      drawn[carried[j]]![t - 1] = values[ghost]
    })
}

/** Draws the other missing numbers of step t, given the levels of this step and the one before. */
function drawNumbers({ layout, steps, params, slot, dice, codes: drawn }: Draws, t: number): void {
  const { first, later, carried, ghosts, levels, slots: P } = layout
  const { inference, nodes } = t === 0 ? first : later
  const row = rowsOf(steps, t, t + 1)
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
