/**
 * Moments η on their way, one mini-batch after the other, with θ(η) beside them.
 *
 *     η ← η + ρ [ λ·( mean E[s | row] − η )  +  (1 − λ)·mean( E[s | +] − E[s | −] )  +  (1 − λ)·( α − ν·E[s | θ] )/n ]
 *
 * λ = 1 is online EM; there the prior enters as in EM, θ(n·η + α). For λ < 1 it pulls, moves no mass and is not added again.
 * Where λ = 0, words move one by one (words.ts), and their counts are not averaged.
 */
import type { Course, LeafNode, Moving, MovingState, SwitchNode } from "../contract.ts"
import { Averages } from "./averages.ts"
import { contrast } from "./contrast.ts"
import { guard } from "./guard.ts"
import { type Laid, solve } from "./lay.ts"
import { Pull } from "./pull.ts"
import { WordSteps } from "./words.ts"

export function moving(
  laid: Laid,
  table: { readonly prior: Float64Array; readonly weight: number },
  from: Float64Array | MovingState,
  { regime, generative, prior: strength, inertia }: Course,
): Moving {
  const size = laid.statistics
  const { prior } = table
  // where rows come without end, n grows
  let { weight } = table
  const words = laid.parts.filter(part => generative === 0 && isWordwise(part)) as LeafNode[]
  const dense = laid.parts.filter(part => !words.includes(part as LeafNode))
  const eta = from instanceof Float64Array ? firstMoments() : from.moments.slice()
  const params = from instanceof Float64Array ? solve(laid, from).params : new Float64Array(laid.parameters)
  const counts = new Float64Array(size)
  if (!(from instanceof Float64Array)) resolve()
  const steps = words.map(node => {
    const place = laid.columns.findIndex(column => column.name === node.names[0])
    const alpha = prior[node.statsAt] / weight
    const start = (inertia ?? node.leaf.inertia ?? 0) / weight
    return {
      node,
      at: new WordSteps(node, place, node.statsOf(eta), node.paramsOf(params), strength * alpha, start),
    }
  })
  const averages = new Averages(
    dense.map(part => [part.statsAt, part.statsAt + part.statistics] as const),
    from instanceof Float64Array ? [] : from.averages,
  )
  const pull = generative < 1 && strength > 0 ? new Pull(dense, prior) : undefined
  const before = eta.slice()
  const delta = new Float64Array(size)
  const slots = dense.reduce((most, part) => Math.max(most, part.slots), 1)
  const plain = new Float64Array(generative > 0 ? size : 0)

  return {
    step(block, rho, perDocument) {
      weight = table.weight
      let loss = 0
      let counted = 0
      if (generative < 1) {
        const found = contrast(laid, block, params, regime, delta)
        loss += (1 - generative) * found.loss
        counted = found.weight
      }
      let seen = 0
      if (generative > 0) {
        const found = contrast(laid, block, params, { against: "nothing" }, plain)
        loss += generative * found.loss
        seen = found.weight
      }
      const pulled = pull?.at(params)
      const share = Math.min(1, (ENOUGH * slots) / weight)
      for (const part of dense) {
        const end = part.statsAt + part.statistics
        const isBag = part.part === "leaf" && part.leaf.lengthGiven
        const step =
          isBag && perDocument !== undefined ? (perDocument * Math.max(counted, seen)) / weight : rho
        for (let j = part.statsAt; j < end; j++) {
          before[j] = eta[j]
          let direction = 0
          if (counted > 0) direction += ((1 - generative) * delta[j]) / counted
          if (pulled) direction += ((1 - generative) * strength * share * pulled[j]) / weight
          if (seen > 0) direction += generative * (plain[j] / seen - eta[j])
          eta[j] += step * direction
        }
        delta.fill(0, part.statsAt, end)
        plain.fill(0, part.statsAt, end)
      }
      const guarded = generative < 1 ? guard(laid, dense, before, eta, prior, weight) : 0
      resolve()
      const document = (perDocument ?? rho) / weight
      for (const { node, at } of steps) {
        at.move(block, node.statsOf(delta), document, document * counted)
        delta.fill(0, node.statsAt + node.statistics - node.slots, node.statsAt + node.statistics)
      }
      return { loss, weight: Math.max(counted, seen), guarded }
    },

    loss(block) {
      const found = contrast(laid, block, params, regime, new Float64Array(size))
      return found
    },

    average: () => averages.add(eta),
    restart: () => averages.restart(size),
    settle() {
      for (const { at } of steps) at.settle()
    },
    stats() {
      const out = averages.over(eta)
      for (let j = 0; j < size; j++) out[j] *= weight
      return out
    },
    state: () => ({ moments: eta.slice(), averages: averages.state() }),
  }

  /** θ(n·η) of what moves as a whole; online EM: θ(n·η + α). */
  function resolve(): void {
    const added = generative === 1 ? strength : 0
    for (const part of dense) {
      const end = part.statsAt + part.statistics
      for (let j = part.statsAt; j < end; j++) counts[j] = eta[j] * weight + added * prior[j]
      part.solve(counts, params)
    }
  }

  /** E[s | θ] of one row; of bags, whose length is given, their share of the counts, and what unseen words start with. */
  function firstMoments(): Float64Array {
    const given = from as Float64Array
    const moments = new Float64Array(size)
    laid.root.moments(solve(laid, given).params, Float64Array.of(1), moments)
    for (const part of laid.parts) {
      if (part.part === "switch" || !part.leaf.lengthGiven) continue
      const more = words.includes(part) ? (inertia ?? part.leaf.inertia ?? 0) : 0
      for (let j = part.statsAt; j < part.statsAt + part.statistics; j++)
        moments[j] = (given[j] + more) / weight
    }
    return moments
  }
}

/**
 * Rows per slot up to which the prior pulls with all its strength; beyond, with ENOUGH·slots/n of it. A row that is predicted well does
 * not hold its slot any more, but the prior pulls at every step: over Σρ ≈ 25 it is worth 25 pseudo-rows. Slots of up to 268 rows were
 * better off with them, slots of 1610 no worse without, and narrow ones of 7500 were blurred. In between nothing was tried: bench/toy.md.
 */
const ENOUGH = 1000

function isWordwise(part: LeafNode | SwitchNode): boolean {
  return part.part === "leaf" && part.leaf.wordwise === true
}
