/**
 * The downward pass: every node with the weights of the steps, at the configuration of its parents. As in a network of rows, a level that is missing is delivered once for
 * each value. Both slices deliver in the frame of all steps, so that a sink may tell steps by their place.
 */
import type { Block, Encoded, Weights } from "../../../contract/block.ts"
import type { Sink } from "../../../contract/node.ts"
import { grow } from "../../../kernels/workspace.ts"
import { Points } from "../points.ts"
import type { Passes } from "./passes.ts"
import {
  type Alphas,
  type Codes,
  type Owned,
  type Reading,
  type Seen,
  scattered,
  type TemplateLayout,
} from "./slices.ts"

export type Deliver = (
  reading: Reading,
  params: Float64Array,
  weights: Weights,
  sink: Sink,
  passes: Passes,
  alphas: Alphas | undefined,
  hidden?: Codes,
) => void

export function deliverer({ slots: P, levels }: TemplateLayout, owned: readonly Owned[]): Deliver {
  const own = owned.map(() => grow())
  const expected = owned.map(() => grow())

  return (reading, params, weights, sink, passes, alphas, hidden) => {
    const { first, later, nested } = reading
    const { block: steps } = nested
    const S = steps.rows
    const weightAt = (p: number, t: number): number => {
      if (weights.form === "each") return weights.values[p * S + t]
      return weights.slot[t] === p ? weights.weight[t] : 0
    }
    const surveys = [first, later].map(side => side.inference.observed.survey())
    const sidesOf = ({ inFirst, inLater }: Owned): readonly (readonly [Seen, (typeof surveys)[0]])[] =>
      [first, later].flatMap((side, j) =>
        (j === 0 ? inFirst : inLater) && side.steps.length > 0 ? [[side, surveys[j]] as const] : [],
      )
    const isOpen = owned.map(entry => sidesOf(entry).some(([, { isOpen }]) => isOpen[entry.v]))
    const isMasked = owned.map(entry =>
      sidesOf(entry).some(([{ inference }]) => inference.masks.isMasked(entry.v)),
    )
    const isGuessed = owned.map(entry => sidesOf(entry).some(([, { isGuessed }]) => isGuessed[entry.v]))
    const isSplit = owned.map(({ inFirst, inLater }) => !(inFirst && inLater))
    const each = owned.map(({ laid }, o) => {
      const isAnywhere = laid.configurations > 1 || isSplit[o]
      if (isOpen[o] || isMasked[o] || (weights.form === "each" && isAnywhere))
        return own[o](laid.part.leaf.shape.slots * S)
      return undefined
    })
    const guesses = owned.map(({ laid, v }, o) =>
      isGuessed[o] ? expected[o](levels[v] * laid.part.leaf.shape.slots * S) : undefined,
    )
    owned.forEach((entry, o) => {
      const values = each[o]
      if (!values) return
      const { v } = entry
      for (const [{ inference, steps: places }] of sidesOf(entry)) {
        for (let r = 0; r < places.length; r++) {
          const c = inference.observed.configurations(v)[r]
          if (c < 0 || inference.observed.isGuessed(v, r) || inference.masks.isGrouped(v, r)) continue
          for (let p = 0; p < P; p++) values[(c * P + p) * S + places[r]] = weightAt(p, places[r])
        }
      }
    })
    const entryOf = [first, later].map(side => side.nodes.map(laid => owned.findIndex(e => e.laid === laid)))
    const points = [first, later].map(side => new Points(side.nodes, side.inference.numbers, params))
    if (isOpen.includes(true) || isMasked.includes(true)) {
      passes.down(reading, params, alphas, (t, p) => weightAt(p, t) !== 0, {
        entries(side, v, r, places, base, shares) {
          const o = entryOf[side === first ? 0 : 1][v]
          if (o < 0) return
          const t = side.steps[r]
          const guessed = side.inference.observed.isGuessed(v, r)
          const to = guessed ? guesses[o]! : each[o]!
          const modulus = owned[o].laid.part.leaf.shape.slots
          for (let e = 0, j = 0; e < places.length; e++) {
            const at = guessed ? base + places[e] : (base + places[e]) % modulus
            for (let p = 0; p < P; p++, j++) to[(at + p) * S + t] += weightAt(p, t) * shares[j]
          }
        },
        group(side, group, r, shares) {
          const t = side.steps[r]
          const own = points[side === first ? 0 : 1]
          for (let s = 0; s < shares.length; s++) shares[s] *= weightAt(s % P, t)
          if (!sink.normal) own.add(group, r, shares, side.block)
          else
            own.tell(group, r, shares, (part, row, ...known) => sink.normal!(part, side.steps[row], ...known))
        },
      })
    }
    owned.forEach((entry, o) => {
      const { laid, v } = entry
      const { part, place, configurations } = laid
      const values = each[o]
      const seen = blockFor(entry)
      if (values) sink.leaf(part, seen, { form: "each", values }, undefined, isOpen[o])
      else if (weights.form === "one" && (configurations > 1 || isSplit[o])) {
        const slot = new Int32Array(S)
        const weight = isSplit[o] ? new Float64Array(S) : weights.weight
        for (const [{ inference, steps: places }] of sidesOf(entry)) {
          for (let r = 0; r < places.length; r++) {
            const t = places[r]
            slot[t] = Math.max(inference.observed.configurations(v)[r], 0) * P + weights.slot[t]
            if (isSplit[o]) weight[t] = weights.weight[t]
          }
        }
        sink.leaf(part, seen, { form: "one", slot, weight })
      } else sink.leaf(part, seen, weights)
      const guess = guesses[o]
      if (!guess) return
      const size = part.leaf.shape.slots * S
      for (let l = 0; l < levels[v]; l++) {
        const cells = steps.cells.slice()
        cells[place] = new Int32Array(S).fill(l)
        sink.leaf(
          part,
          { ...steps, cells },
          { form: "each", values: guess.subarray(l * size, (l + 1) * size) },
          undefined,
          true,
        )
      }
    })
    for (const own of points) own.deliver(sink)

    /** The steps as a node sees them: a hidden one with its codes in place, a number without what its group tells. */
    function blockFor(entry: Owned): Block {
      const { laid, v, inFirst, inLater } = entry
      const { place, isHidden, numberParents } = laid
      const o = owned.indexOf(entry)
      if (isHidden) {
        const cells = steps.cells.slice()
        cells[place] = hidden?.get(v) ?? new Int32Array(S).fill(-1)
        return { ...steps, cells }
      }
      if (!isMasked[o] && (!isSplit[o] || numberParents.length === 0)) return steps
      const nodes = inLater ? later.nodes : first.nodes
      const cells: Encoded[] = steps.cells.slice()
      const changed = [place, ...numberParents.map(u => nodes[u].place)]
      for (const at of changed) cells[at] = (cells[at] as Float64Array).slice()
      for (const [side] of sidesOf(entry)) {
        if (!side.inference.masks.isMasked(v)) continue
        const masked = side.inference.masks.blockFor(v, side.block)
        for (const at of changed) scattered(cells[at], masked.cells[at], side.steps)
      }
      // steps of the other slice have no weight: there, what it reads must not matter
      for (const t of isSplit[o] ? (inFirst ? later : first).steps : []) {
        ;(cells[place] as Float64Array)[t] = NaN
        for (const u of numberParents) (cells[nodes[u].place] as Float64Array)[t] = 0
      }
      return { ...steps, cells }
    }
  }
}
