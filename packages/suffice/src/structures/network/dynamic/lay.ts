/**
 * A network over steps in the tree: two networks of one row, that of a first step and that of every other one beside the step before (slices.ts), tied together by the
 * passes forward and back (passes.ts). Both deliver to the same leaves, each at its own steps.
 */
import { carrier } from "../../../blocks/lags.ts"
import type { Block, Nested, Weights } from "../../../contract/block.ts"
import type { Plan } from "../../../contract/model.ts"
import type { Node, Sink } from "../../../contract/node.ts"
import type { Part } from "../../../contract/part.ts"
import type { Description } from "../../../contract/report.ts"
import { manyInRow, SufficeError, show } from "../../../errors.ts"
import { grow } from "../../../kernels/workspace.ts"
import { partOf } from "../../kind.ts"
import { layPart } from "../../part.ts"
import { adoptNode, contextsOf, describeNode } from "../described.ts"
import { sharesOf } from "../inference/shares.ts"
import { Inference } from "../inference.ts"
import { columnsIn, type Found, layNode } from "../lay.ts"
import type { LaidNode } from "../layout.ts"
import { silentLeaf } from "../silent.ts"
import { deliverer } from "./deliver.ts"
import { nameBefore } from "./name-before.ts"
import { Passes } from "./passes.ts"
import { sampler } from "./sample.ts"
import { Alphas, type Owned, Reader, type TemplateLayout } from "./slices.ts"
import type { Slices } from "./template.ts"

export function layTemplate(outer: Plan, slots: number, steps: string, slices: Slices): Node {
  const { place, column } = outer.column(steps)
  const plan = outer.within(steps)
  const columns = column.kind === "steps" ? column.columns : []
  const P = slots
  const { carried, ghosts, lagged, shades } = slices
  const count = slices.first.length
  const own = columnsIn(plan, slices.first)
  const behind = own.reduce((most, found) => Math.max(most, found.place), columns.length) + 1
  const found: Found[] = [
    ...own,
    ...carried.map((v, j) => ({
      column: { ...own[v].column, name: nameBefore(slices.first[v].name) },
      place: behind + j,
    })),
    ...lagged.map((_, j) => plan.column(slices.later[shades[j]].name)),
  ]
  const levels = found.map(({ column }) => (column.kind === "level" ? column.levels.length : 0))
  const isRead = slices.first.map(
    (_, v) =>
      carried.includes(v) ||
      slices.first.some(node => [...node.levelParents, ...node.numberParents].includes(v)),
  )
  const isSplit = slices.later.map((node, v) =>
    [...node.levelParents, ...node.numberParents].some(u => u >= count && v < count),
  )
  const first = slices.first.map((node, v) =>
    layNode(plan, P, node, v, slices.first, found, levels, isRead[v], true),
  )
  const later = slices.later.map((node, v): LaidNode => {
    if (v >= count) return layGhost(plan, found[v], P)
    if (!isSplit[v]) return first[v]
    return layNode(plan, P, node, v, slices.later, found, levels, isRead[v], true)
  })
  const owned: Owned[] = first.flatMap((laid, v): Owned[] =>
    isSplit[v]
      ? [
          { v, laid, inFirst: true, inLater: false },
          { v, laid: later[v], inFirst: false, inLater: true },
        ]
      : [{ v, laid, inFirst: true, inLater: true }],
  )
  const layout: TemplateLayout = {
    slots: P,
    first: {
      inference: new Inference(first, levels.slice(0, count), P, [carried]),
      nodes: first,
      before: -1,
      after: 0,
    },
    later: {
      inference: new Inference(later, levels, P, [ghosts, carried]),
      nodes: later,
      before: 0,
      after: 1,
    },
    carried,
    ghosts,
    levels,
    columns,
  }
  // without borders: what comes before is anything
  const apart = [
    { nodes: first, inference: new Inference(first, levels.slice(0, count), P) },
    { nodes: later, inference: new Inference(later, levels, P) },
  ]
  const names = first.map(({ name }) => name)
  const reader = new Reader(layout)
  const passes = new Passes(layout)
  const deliver = deliverer(layout, owned)
  const told = grow()
  const stepsOf = (block: Block): Nested => block.cells[place] as Nested

  /** Numbers are read, not modelled, in the step before: one that is missing there cannot be integrated out. */
  function checkLags({ offsets, block }: Nested): void {
    later.forEach(({ name, place, numberParents }) => {
      for (const u of numberParents) {
        if (u < count) continue
        const x = block.cells[place] as Float64Array
        const early = block.cells[later[u].place] as Float64Array
        for (let i = 0; i + 1 < offsets.length; i++)
          for (let t = offsets[i] + 1; t < offsets[i + 1]; t++)
            if (x[t] === x[t] && early[t] !== early[t])
              throw missingBefore(block, i, t - offsets[i], name, names[lagged[shades.indexOf(u)]])
      }
    })
  }

  const node: Node = {
    slots: P,
    tree: {
      columns: new Set([steps, ...names]),
      parts: () => owned.map(({ laid }) => laid.part),
      switches: () => [],
      contexts: above =>
        owned.map(({ laid, inFirst }): readonly [Part, readonly string[]] => [
          laid.part,
          contextsOf(laid, inFirst ? first : later, above),
        ]),
    },

    up(block, params, out, _upToConstant, reuse) {
      const nested = stepsOf(block)
      const { rows } = block
      checkLags(nested)
      const alphas = (reuse as Alphas | undefined) ?? new Alphas()
      const S = nested.block.rows
      const each = told(P * S)
      passes.up(reader.read(nested), params, alphas, each)
      for (let p = 0; p < P; p++)
        for (let i = 0; i < rows; i++)
          for (let t = nested.offsets[i]; t < nested.offsets[i + 1]; t++) out[p * rows + i] += each[p * S + t]
      return alphas
    },

    down(block, params, weights, sink, work) {
      const nested = stepsOf(block)
      checkLags(nested)
      const reading = reader.read(nested)
      let alphas = work as Alphas | undefined
      if (!alphas && reading.sizes.some(size => size > 0)) {
        alphas = new Alphas()
        passes.up(reading, params, alphas, told(P * nested.block.rows))
      }
      deliver(reading, params, ofSteps(nested, weights, P), sink, passes, alphas ?? new Alphas())
    },

    start(block, params, weights, dice, sink) {
      // hidden values are drawn; what else is missing is uniform, as nothing is known yet
      const nested = stepsOf(block)
      const hidden = new Map<number, Int32Array>()
      first.forEach(({ isHidden }, v) => {
        if (!isHidden) return
        const rolls = dice.fork(v)
        hidden.set(
          v,
          Int32Array.from({ length: nested.block.rows }, () => rolls.integer(levels[v])),
        )
      })
      const starting: Sink = {
        leaf: (part, own, weights) => sink.start(part, own, weights, dice.fork(count + part.ranges.statsAt)),
        choice: (...delivered) => sink.choice(...delivered),
      }
      const reading = reader.read(nested, hidden, true)
      deliver(reading, params, ofSteps(nested, weights, P), starting, passes, undefined, hidden)
    },

    open(_block, _params, asked) {
      throw manyInRow(asked, steps)
    },

    // a row's worth is one step after one in which every value is as likely: how many there are, nothing here knows
    moments(params, mass, stats) {
      apart.forEach(({ nodes, inference }, which) => {
        inference.nothing()
        sharesOf(inference, nodes, P, params).forEach((share, v) => {
          const entry = owned.find(({ laid }) => laid === nodes[v])
          if (!entry || (which === 0 && entry.inLater)) return
          const below = share.map((chance, s) => chance * mass[s % P])
          entry.laid.part.leaf.moments(
            entry.laid.part.ranges.paramsOf(params),
            below,
            entry.laid.part.ranges.statsOf(stats),
          )
        })
      })
    },

    // how many steps there are in a context is counted by no part
    descend(_stats, _mass, visit) {
      for (const { laid } of owned) visit(laid.part, undefined)
    },

    describe: (params, slot) => ({
      [steps]: Object.fromEntries(
        names.map((name, v) => {
          const of = (nodes: readonly LaidNode[], declared: Slices["first"]): Description =>
            describeNode(nodes[v], nodes, declared[v].parents, params, P, slot)
          if (!isSplit[v]) return [name, of(first, slices.first)]
          return [name, { first: of(first, slices.first), later: of(later, slices.later) }]
        }),
      ),
    }),

    adopt(description, slot, mass, stats) {
      const all = partOf(description, steps, "")
      for (const { v, laid, inFirst, inLater } of owned) {
        // as many steps in every configuration
        const each = mass * laid.configurations
        const whole = partOf(all, names[v], steps)
        const path = `${steps}.${names[v]}`
        if (inFirst && inLater) adoptNode(laid, first, whole, path, P, slot, each, stats)
        else {
          const which = inFirst ? "first" : "later"
          const mine = partOf(whole, which, path)
          adoptNode(laid, inFirst ? first : later, mine, `${path}.${which}`, P, slot, each, stats)
        }
      }
    },

    sample: sampler(layout, { stepsOf, reader, passes, carry: carrier(columns) }),
  }
  return node
}

/** A column of the step before, which is given. */
function layGhost(plan: Plan, { column, place }: Found, slots: number): LaidNode {
  const part = layPart(plan, silentLeaf(slots), { family: "given", columns: [column], places: [-1] })
  return {
    name: column.name,
    part,
    column,
    place,
    family: "given",
    isHidden: column.kind === "level",
    levelParents: [],
    numberParents: [],
    configurations: 1,
  }
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
