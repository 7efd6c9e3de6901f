/**
 * A variable that chooses among bodies: the label of `classes`, the component of a `mixture`.
 *
 *     up     ln p(row | context p) = ln Σ_l π_l p(row | l, p)            (l known: its term alone)
 *     down   r_l = π_l p(row | l, p) / Σ_l' π_l' p(row | l', p)          (l known: 1 for it, 0 for the others)
 *     s = 1[value = l] per context        π_l = n_l / n
 *
 * There are k values and P = `slots` contexts. Value l in context p is slot l·P + p of the body; if each value has its own body, body l has P
 * slots, rows [l·P, (l+1)·P) of the same matrix. Matrices are indexed by l and q = p·rows + i.
 *
 * Long because the passes up, down and open share what they compute.
 */
import type { Block, Weights } from "../contract/block.ts"
import type { Level } from "../contract/cells.ts"
import type { Work } from "../contract/leaf.ts"
import type { Node, Sink, SwitchNode } from "../contract/node.ts"
import type { Part } from "../contract/part.ts"
import type { Description } from "../contract/report.ts"
import { probabilitiesOf } from "../described.ts"
import { SufficeError, show } from "../errors.ts"
import { allOnes } from "../kernels/all-ones.ts"
import { collapse } from "../kernels/responsibilities.ts"
import { fastKernels } from "../kernels/twins.ts"
import { grow, growCodes, NOTHING } from "../kernels/workspace.ts"
import { bestOf } from "./best.ts"

export interface SwitchLayout {
  /** The probabilities of its values. */
  readonly part: Part
  readonly column: string
  /** The place of the label in a block; −1: it is never seen. */
  readonly place: number
  readonly levels: readonly Level[]
  /** One body for all values, laid out with slots · levels contexts, or one for each value with `slots`. */
  readonly bodies: readonly Node[]
}

/** What `up` leaves for `down`: scores, which become responsibilities r[l·P·rows + q]; the two sums of `collapse`; the works of the bodies. */
class SwitchWork {
  scores = NOTHING
  sums = NOTHING
  readonly bodies: Work[] = []
  readonly #scores = grow()
  readonly #sums = grow()

  reserve(levels: number, size: number): void {
    this.scores = this.#scores(levels * size)
    this.sums = this.#sums(2 * size)
  }
}

/** For rows whose values are all seen. */
const NO_WORK = /* @__PURE__ */ new SwitchWork()

export function laySwitch(layout: SwitchLayout): SwitchNode {
  const { part, column, place, levels, bodies } = layout
  const { slots, paramsAt } = part
  const k = levels.length
  const own = bodies.length > 1 || k === 1
  const isHidden = place < 0

  const kernels = fastKernels() ?? { collapse }

  // within one call
  const opened = grow()
  const scratch = new SwitchWork()
  const spread = grow()
  const slotScratch = growCodes()
  const branchSlots = bodies.map(growCodes)
  const branchWeights = bodies.map(grow)

  const seen = (block: Block): Int32Array | undefined =>
    isHidden ? undefined : (block.cells[place] as Int32Array)

  /** scores[l, q] = ln π_l + ln p(row | l, p), q = p·rows + i */
  function joints(block: Block, params: Float64Array, work: SwitchWork): void {
    work.reserve(k, slots * block.rows)
    fillWeights(work.scores, block.rows, params)
    addBodies(block, params, work.scores, work.bodies)
  }

  /** scores[l, q] += ln p(row | l, p) */
  function addBodies(
    block: Block,
    params: Float64Array,
    scores: Float64Array,
    works: Work[],
    upToConstant = false,
  ): void {
    const size = slots * block.rows
    if (!own) works[0] = bodies[0].up(block, params, scores, upToConstant, works[0])
    else {
      for (let b = 0; b < k; b++) {
        const below = scores.subarray(b * size, (b + 1) * size)
        works[b] = bodies[b].up(block, params, below, false, works[b])
      }
    }
  }

  function fillWeights(scores: Float64Array, rows: number, params: Float64Array): void {
    for (let s = 0; s < k * slots; s++) {
      const weight = params[paramsAt + s]
      // a call of `fill` boxes the number, which costs more than it saves for one row
      if (rows === 1) scores[s] = weight
      else scores.fill(weight, s * rows, (s + 1) * rows)
    }
  }

  /** out[q] += ln Σ_l exp scores[l, q], or the term of the label if it is seen; scores ← r. */
  function sumOut(
    { scores, sums }: SwitchWork,
    rows: number,
    label: Int32Array | undefined,
    out: Float64Array,
  ): void {
    const size = slots * rows
    if (label) {
      for (let q = 0; q < size; q++) {
        const known = label[q % rows]
        for (let l = 0; l < k; l++) if (known >= 0 && l !== known) scores[l * size + q] = -Infinity
      }
    }
    kernels.collapse(scores, k, size, sums)
    for (let q = 0; q < size; q++) out[q] += sums[q]
  }

  const node: SwitchNode = {
    part,
    slots,
    column,
    hidden: isHidden,
    levels,
    columns: new Set([column, ...bodies.flatMap(body => [...body.columns])]),

    up(block, params, out, _upToConstant, spent) {
      const work = (spent as SwitchWork | undefined) ?? new SwitchWork()
      joints(block, params, work)
      sumOut(work, block.rows, seen(block), out)
      return work
    },

    down(block, params, weights, sink, work) {
      const own = work as SwitchWork | undefined
      const { below, guessed, entropy } = spreadWeights(block, weights, seen(block), own)
      pass(block, params, below, sink, guessed, own, entropy)
    },

    pass: (block, params, weights, sink, work) =>
      pass(block, params, weights, sink, false, work as SwitchWork | undefined),

    open(block, params, asked, out, upToConstant, spent) {
      const work = (spent as SwitchWork | undefined) ?? new SwitchWork()
      if (asked !== column) {
        openBelow(block, params, asked, out, work)
        return work
      }
      fillWeights(out, block.rows, params)
      addBodies(block, params, out, work.bodies, upToConstant)
      return work
    },

    start(block, params, weights, dice, sink) {
      const below: Weights = {
        form: "each",
        values: sink.guess({ node, block, weights, label: seen(block), dice }),
      }
      sink.choice(part, block, below, isHidden)
      handDown(block, below, (body, own, b) => body.start(block, params, own, dice.fork(1000 + b), sink))
    },

    seed(block, params, slot, level, weight, dice, sink) {
      const below: Weights = {
        form: "one",
        slot: Int32Array.of(level * slots + slot),
        weight: Float64Array.of(weight),
      }
      sink.choice(part, block, below, true)
      handDown(block, below, (body, own, b) => body.start(block, params, own, dice.fork(b), sink))
    },

    parts: () => [part, ...bodies.flatMap(body => [...body.parts()])],
    switches: () => [node, ...bodies.flatMap(body => [...body.switches()])],

    moments(params, mass, stats) {
      const below = new Float64Array(k * slots)
      part.leaf.moments(part.paramsOf(params), mass, below)
      const counts = part.statsOf(stats)
      for (let s = 0; s < k * slots; s++) counts[s] += below[s]
      shareOut(below, (body, own) => body.moments(params, own, stats))
    },

    // every row has a value, so the counts are the masses of the contexts below
    descend(stats, mass, visit) {
      visit(part, mass)
      shareOut(part.statsOf(stats).slice(), (body, own) => body.descend(stats, own, visit))
    },

    contexts(names) {
      const under = (level: Level): string[] => names.map(name => `${name}/${column}=${String(level)}`)
      const below = bodies.flatMap((body, b) => [
        ...body.contexts(own ? under(levels[b]) : levels.flatMap(under)),
      ])
      return [[part, names], ...below]
    },

    describe: (params, slot) => ({
      [column]: {
        ...part.leaf.describe(part.paramsOf(params), slot),
        given: byLevel(l => bodyOf(l).describe(params, slotBelow(l, slot))),
      },
    }),

    adopt(description, slot, mass, stats) {
      const mine = description?.[column] as Description
      const probabilities = probabilitiesOf("switch", column, mine, levels)
      const given = mine.given as Record<string, Description> | undefined
      levels.forEach((level, l) => {
        part.statsOf(stats)[l * slots + slot] += mass * probabilities[l]
        const below = given?.[String(level)] as Description
        bodyOf(l).adopt(below, slotBelow(l, slot), mass * probabilities[l], stats)
      })
    },

    best(block, params, heights) {
      const joint = params.slice(paramsAt, paramsAt + k * slots)
      const tell = bodies.map((body, b) =>
        bestOf(body, block, params, own ? joint.subarray(b * slots) : joint),
      )
      const known = seen(block)?.[0] ?? -1
      const best = new Int32Array(slots)
      for (let p = 0; p < slots; p++) {
        best[p] = Math.max(known, 0)
        for (let l = 1; l < k && known < 0; l++)
          if (joint[l * slots + p] > joint[best[p] * slots + p]) best[p] = l
        heights[p] += joint[best[p] * slots + p]
      }
      return (slot, chosen) => {
        const value = best[slot]
        if (known < 0) chosen(column, levels[value])
        tell[own ? value : 0](slotBelow(value, slot), chosen)
      }
    },

    sample(block, params, slot, dice, chosen) {
      const codes = seen(block)
      let value = codes ? codes[0] : -1
      if (value < 0) {
        joints(block, params, scratch)
        const chances = new Float64Array(k)
        kernels.collapse(scratch.scores, k, slots, scratch.sums)
        for (let l = 0; l < k; l++) chances[l] = scratch.scores[l * slots + slot]
        value = dice.categorical(chances, 0, k)
        if (codes) codes[0] = value
        else chosen?.(column, levels[value])
      }
      bodyOf(value).sample(block, params, slotBelow(value, slot), dice, chosen)
    },
  }
  return node

  function pass(
    block: Block,
    params: Float64Array,
    below: Weights,
    sink: Sink,
    guessed: boolean,
    work: SwitchWork | undefined,
    entropy?: number,
  ): void {
    sink.choice(part, block, below, guessed, entropy)
    handDown(block, below, (body, own, b) => body.down(block, params, own, sink, work?.bodies[b]))
  }

  /** out[level, q] ← ln Σ_l π_l p(row, asked = level | l, p): `open` of a column below, the values of this switch summed out. */
  function openBelow(
    block: Block,
    params: Float64Array,
    asked: string,
    out: Float64Array,
    work: SwitchWork,
  ): void {
    const size = slots * block.rows
    const count = out.length / size
    checkOpen(asked, count)
    const scores = opened(count * k * size)
    bodies.forEach((body, b) => {
      if (!own) {
        work.bodies[b] = body.open(block, params, asked, scores, false, work.bodies[b])
        return
      }
      const alone = new Float64Array(count * size)
      work.bodies[b] = body.open(block, params, asked, alone, false, work.bodies[b])
      for (let l = 0; l < count; l++) {
        scores.set(alone.subarray(l * size, (l + 1) * size), (l * k + b) * size)
      }
    })
    for (let l = 0; l < count; l++) {
      work.reserve(k, size)
      fillWeights(work.scores, block.rows, params)
      for (let j = 0; j < k * size; j++) work.scores[j] += scores[l * k * size + j]
      sumOut(work, block.rows, seen(block), out.subarray(l * size, (l + 1) * size))
    }
  }

  /** A hidden switch that is not in every body, or has different numbers of components, has no posterior. */
  function checkOpen(asked: string, count: number): void {
    for (const body of bodies) {
      let own = body.columns.has(asked)
      for (const inner of body.switches()) if (inner.column === asked) own = inner.levels.length === count
      if (own) continue
      throw new SufficeError(
        "target",
        `${show(asked)} is not the same in every body of ${show(column)}. Where it is missing, or has other components, it has no probability. Give every body one of that name with as many components, or ask for ${show(column)}.`,
        { column: asked, switch: column },
      )
    }
  }

  /** Visits each body with the masses of its slots. */
  function shareOut(mass: Float64Array, visit: (body: Node, mass: Float64Array) => void): void {
    if (own) bodies.forEach((body, b) => void visit(body, mass.subarray(b * slots, (b + 1) * slots)))
    else visit(bodies[0], mass)
  }

  function bodyOf(level: number): Node {
    return own ? bodies[level] : bodies[0]
  }

  /** The slot of bodyOf(level) in this context. */
  function slotBelow(level: number, slot: number): number {
    return own ? slot : level * slots + slot
  }

  function byLevel<T>(of: (level: number) => T): Record<string, T> {
    return Object.fromEntries(levels.map((level, l) => [String(level), of(l)]))
  }

  /** The weights of the slots below: w · r_l. */
  function spreadWeights(
    block: Block,
    weights: Weights,
    label: Int32Array | undefined,
    work: SwitchWork | undefined,
  ): { below: Weights; guessed: boolean; entropy?: number } {
    // every row has the only value, whether `up` was run or not
    if (k === 1) return { below: weights, guessed: false }
    const rows = block.rows
    const size = slots * rows
    if (label && !label.includes(-1) && (weights.form === "one" || slots === 1)) {
      // every value is known: one slot per row; with one context, the value itself
      let slot = label
      if (weights.form === "one" && slots > 1) {
        slot = slotScratch(rows)
        for (let i = 0; i < rows; i++) slot[i] = label[i] * slots + weights.slot[i]
      }
      const weight = weights.form === "one" ? weights.weight : weights.values
      return { below: { form: "one", slot, weight }, guessed: false }
    }
    const one = weights.form === "one"
    const { scores, sums } = work ?? NO_WORK
    let guessed = false
    let entropy = 0
    if (!label && slots === 1 && one && allOnes(weights.weight, rows)) {
      // hidden, and every row has weight 1: w · r = r
      for (let i = 0; i < rows; i++) entropy += sums[rows + i]
      return { below: { form: "each", values: scores }, guessed: rows > 0, entropy }
    }
    const values = spread(k * size)
    for (let j = 0; j < (one ? rows : size); j++) {
      const q = one ? weights.slot[j] * rows + j : j
      const w = one ? weights.weight[j] : weights.values[j]
      const known = label ? label[j % rows] : -1
      if (known >= 0) {
        values[known * size + q] = w
        continue
      }
      guessed = true
      if (w > 0) entropy += w * sums[size + q]
      for (let at = q; at < k * size; at += size) values[at] = w * scores[at]
    }
    return { below: { form: "each", values }, guessed, entropy }
  }

  /** Visits each body with its weights: all of them, or its own rows of the matrix. */
  function handDown(
    block: Block,
    weights: Weights,
    visit: (body: Node, own: Weights, index: number) => void,
  ): void {
    if (!own) {
      visit(bodies[0], weights, 0)
      return
    }
    const size = slots * block.rows
    bodies.forEach((body, b) => {
      if (weights.form === "each") {
        visit(body, { form: "each", values: weights.values.subarray(b * size, (b + 1) * size) }, b)
        return
      }
      const slot = branchSlots[b](block.rows)
      const weight = branchWeights[b](block.rows)
      for (let i = 0; i < block.rows; i++) {
        if (Math.trunc(weights.slot[i] / slots) !== b) continue
        slot[i] = weights.slot[i] % slots
        weight[i] = weights.weight[i]
      }
      visit(body, { form: "one", slot, weight }, b)
    })
  }
}
