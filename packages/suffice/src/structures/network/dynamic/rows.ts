/** Passes of a network over steps over the rows of a block: up, down, and first guesses. */
import type { Block, Nested, Weights } from "../../../contract/block.ts"
import type { Dice } from "../../../contract/dice.ts"
import type { GuessingSink, Sink } from "../../../contract/node.ts"
import { SufficeError, show } from "../../../errors.ts"
import { grow } from "../../../kernels/workspace.ts"
import { type Deliver, deliverer } from "./deliver.ts"
import { stepsOf, type Template } from "./laid.ts"
import { Passes } from "./passes.ts"
import { Alphas, Reader } from "./slices.ts"

/** A template with its passes. */
export interface Runner {
  readonly template: Template
  readonly reader: Reader
  readonly passes: Passes
  readonly deliver: Deliver
  /** ln p of each step, valid within one call. */
  readonly logs: (length: number) => Float64Array
}

export function runnerOf(template: Template): Runner {
  const { layout, owned } = template
  return {
    template,
    reader: new Reader(layout),
    passes: new Passes(layout),
    deliver: deliverer(layout, owned),
    logs: grow(),
  }
}

export function up(
  { template, reader, passes, logs }: Runner,
  block: Block,
  params: Float64Array,
  out: Float64Array,
  reuse: unknown,
): Alphas {
  const P = template.layout.slots
  const nested = stepsOf(template, block)
  const { rows } = block
  checkLags(template, nested)
  const alphas = (reuse as Alphas | undefined) ?? new Alphas()
  const S = nested.block.rows
  const steps = logs(P * S)
  passes.up(reader.read(nested), params, alphas, steps)
  for (let p = 0; p < P; p++)
    for (let i = 0; i < rows; i++)
      for (let t = nested.offsets[i]; t < nested.offsets[i + 1]; t++) out[p * rows + i] += steps[p * S + t]
  return alphas
}

export function down(
  { template, reader, passes, deliver, logs }: Runner,
  block: Block,
  params: Float64Array,
  weights: Weights,
  sink: Sink,
  work: unknown,
): void {
  const P = template.layout.slots
  const nested = stepsOf(template, block)
  checkLags(template, nested)
  const reading = reader.read(nested)
  let alphas = work as Alphas | undefined
  if (!alphas && reading.sizes.some(size => size > 0)) {
    alphas = new Alphas()
    passes.up(reading, params, alphas, logs(P * nested.block.rows))
  }
  deliver(reading, params, ofSteps(nested, weights, P), sink, passes, alphas ?? new Alphas())
}

/** Draws hidden values. Other missing levels are uniform. */
export function start(
  { template, reader, passes, deliver }: Runner,
  block: Block,
  params: Float64Array,
  weights: Weights,
  dice: Dice,
  sink: GuessingSink,
): void {
  const { first, levels, slots: P } = template.layout
  const nested = stepsOf(template, block)
  const hidden = new Map<number, Int32Array>()
  first.nodes.forEach(({ isHidden }, v) => {
    if (!isHidden) return
    const rolls = dice.fork(v)
    hidden.set(
      v,
      Int32Array.from({ length: nested.block.rows }, () => rolls.integer(levels[v])),
    )
  })
  const starting: Sink = {
    leaf: (part, rows, weights) =>
      sink.start(part, rows, weights, dice.fork(first.nodes.length + part.ranges.statsAt)),
    choice: (...delivered) => sink.choice(...delivered),
  }
  const reading = reader.read(nested, hidden, true)
  deliver(reading, params, ofSteps(nested, weights, P), starting, passes, undefined, hidden)
}

/** Throws if a number of the step before is missing: it is read there, not modelled. */
function checkLags({ layout, slices, names }: Template, { offsets, block }: Nested): void {
  const { lagged, shades } = slices
  const { nodes } = layout.later
  nodes.forEach(({ name, place, numberParents }) => {
    for (const u of numberParents) {
      if (u < names.length) continue
      const x = block.cells[place] as Float64Array
      const early = block.cells[nodes[u].place] as Float64Array
      for (let i = 0; i + 1 < offsets.length; i++)
        for (let t = offsets[i] + 1; t < offsets[i + 1]; t++)
          if (x[t] === x[t] && early[t] !== early[t])
            throw missingBefore(block, i, t - offsets[i], name, names[lagged[shades.indexOf(u)]])
    }
  })
}

/** Every step has the weights of its row. */
function ofSteps({ offsets, block: { rows: S } }: Nested, weights: Weights, P: number): Weights {
  const rows = offsets.length - 1
  if (weights.form === "one") {
    const slot = new Int32Array(S)
    const weight = new Float64Array(S)
    for (let i = 0; i < rows; i++) {
      slot.fill(weights.slot[i], offsets[i], offsets[i + 1])
      weight.fill(weights.weight[i], offsets[i], offsets[i + 1])
    }
    return { form: "one", slot, weight }
  }
  const values = new Float64Array(P * S)
  for (let p = 0; p < P; p++)
    for (let i = 0; i < rows; i++)
      values.fill(weights.values[p * rows + i], p * S + offsets[i], p * S + offsets[i + 1])
  return { form: "each", values }
}

function missingBefore(
  { numbers, first = 0 }: Block,
  i: number,
  step: number,
  name: string,
  early: string,
): SufficeError {
  const row = numbers?.[i] ?? first + i
  return new SufficeError(
    "data",
    `row ${row}, step ${step}: ${show(name)} depends on ${show(early)} one step before, where it is missing. Numbers of the step before are not integrated out. Fill the cell, leave ${show(name)} out of this step, or let ${show(name)} depend on a hidden column instead.`,
    { row, step, column: name, parent: early },
  )
}
