/**
 * Moments η that move by one mini-batch after the other, with θ(η).
 *
 *     η ← η + ρ [ λ·( mean E[s | row] − η )  +  (1 − λ)·mean( E[s | +] − E[s | −] )  +  (1 − λ)·( α − ν·E[s | θ] )/n ]
 *
 * In the code η is `eta`, λ `generative`, n `weight`, α `prior`. λ = 1 is online EM: there the prior enters as in EM, θ(n·η + α). For λ < 1 it is
 * the last term, a pull that moves no mass, and is not added to θ. With λ = 0 or 1, parts of many entries move entry by entry (Leaf.sparse).
 */
import type { Block } from "../contract/block.ts"
import type { Course, Moving } from "../contract/moving.ts"
import { contrast, gathering } from "./contrast.ts"
import { type Laid, solve, spreadOf } from "./lay.ts"
import { type Moments, type MovingTable, momentsFrom, momentsNow } from "./moving/moments.ts"
import type { Origin } from "./moving/start.ts"
import { step } from "./moving/step.ts"

export function moving(laid: Laid, table: MovingTable, from: Origin, course: Course): Moving {
  const moments = momentsFrom(laid, table, from, course)
  return {
    step: (block, rho, perDocument) => step(moments, block, rho, perDocument),
    judge: () => judge(moments),
    average: () => moments.averages.add(moments.eta),
    restart: () => moments.averages.restart(laid.statistics),
    settle() {
      for (const { moving } of moments.entries) moving.settle()
    },
    stats: () => stats(moments),
    state: () => ({
      moments: momentsNow(moments),
      averages: moments.averages.state(),
      met: { all: moments.all.tally(), contrasted: moments.contrasted.tally() },
      begun: moments.begun,
    }),
  }
}

/** The older average, or the moments if there is none, in counts. */
function stats(moments: Moments): Float64Array {
  return moments.averages.over(momentsNow(moments), moments.weight)
}

/** Loss of a block under the model of `stats`. */
function judge(moments: Moments): (block: Block) => number {
  const { laid, added, spread, course } = moments
  const now = stats(moments)
  const { params } = solve(laid, now, added, spread ?? spreadOf(laid, now))
  const unused = new Float64Array(laid.statistics)
  const into = gathering(laid, params, unused)
  return block => contrast(laid, block, params, course.regime, unused.fill(0), into).loss
}
