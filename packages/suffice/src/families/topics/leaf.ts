/**
 * Latent Dirichlet allocation of one column. `score` maximises a bound over θ (kernels/topic-fold.ts).
 *
 *     absorb   W_wk += weight · c_w r_wk        ∂score/∂ln φ_kw = c_w r_wk: the maximum over θ needs no derivative (envelope theorem)
 *     solve    φ_kw = (W_kw + η) / Σ_w (W_kw + η)        α_k = T_k / S
 *
 * α_k = T_k/S is a step of Minka's fixed point for the evidence of proportions (2000, "Estimating a Dirichlet distribution"), with T and S as in layout.ts.
 * It raises the evidence, not the score. Therefore only learners that move in small steps add the true T (here, if all words move together; otherwise
 * moving-topics.ts). Under EM, `absorb` adds T_k = α_k·S: α is held fixed, and the objective never falls.
 */
import type { Leaf } from "../../contract/leaf.ts"
import type { Sparse } from "../../contract/sparse.ts"
import { scratchOf } from "../../kernels/topic-shape.ts"
import type { BagColumn } from "../bag.ts"
import { addContributions, adopt, linear, sample, topicsIn } from "./answers.ts"
import {
  alphasOf,
  type BoundTopics,
  bagsIn,
  bindTopics,
  logChance,
  type TopicPrior,
  type TopicSize,
} from "./bound.ts"
import { describeTopics } from "./description.ts"
import { absorb, addBound, scoredTopics, start } from "./documents.ts"
import { checkWords, damage, inside, notADensity, notShared } from "./domain.ts"
import type { Folded } from "./folded.ts"
import { axesOf } from "./layout.ts"
import { movingTopics, roomOf } from "./moving-topics.ts"
import { addMoments, addPrior, hiddenMass, solve, valueWith } from "./statistics.ts"
import { enoughDocuments } from "./topic-count.ts"

const NORMED_INERTIA = 20

export function topicsLeaf(column: BagColumn, place: number, size: TopicSize, prior: TopicPrior): Leaf {
  checkWords(column)
  const leaf = bindTopics(column, place, size, prior)
  const { shape, fixed, eta } = leaf
  const { slots, topics, words, n } = shape
  return {
    shape: {
      slots,
      statistics: shape.statistics,
      axes: axesOf(shape),
      lengthGiven: true,
      parameters: leaf.at.end,
      free: (slots * size.own + size.shared) * Math.max(words - 1, 0) + (fixed ? 0 : slots * topics),
    },
    latent: {
      when: "always",
      start: (block, weights, dice, stats, value) => start(leaf, block, weights, dice, stats, value),
      mass: stats => hiddenMass(leaf, stats),
    },
    notice: enoughDocuments,
    moving: { sparse: sparseIn(leaf) },
    prior: (stats, strength) => addPrior(leaf, stats, strength),
    score: (block, params, out, _, reuse) =>
      scoredTopics(leaf, block, params, out, reuse as Folded | undefined),
    absorb: (block, params, weights, stats, work) => absorb(leaf, block, params, weights, stats, work),
    solve: (stats, strength, params) => solve(leaf, stats, strength, params),
    moments: (params, mass, stats) => addMoments(leaf, params, mass, stats),
    inside: (stats, slot) => inside(leaf, stats, slot),
    value: (stats, params) => valueWith(leaf, params, j => stats[j]),
    logPrior: params => (eta === 0 ? 0 : valueWith(leaf, params, () => eta)),
    mass: (stats, slot) => stats[n + slot],
    refusals: {
      damage: stats => damage(leaf, stats),
      ...(size.shared > 0 && {
        alone() {
          throw notShared(size)
        },
      }),
      ...(leaf.isScaled && { density: () => notADensity(column) }),
    },
    describe: (params, slot) =>
      describeTopics(column, shape, alphasOf(leaf, params, slot), (k, w) =>
        logChance(leaf, params, slot, k, w),
      ),
    adopt: (description, slot, mass, stats) => adopt(leaf, description, slot, mass, stats),
    bound: (block, params, out) => addBound(leaf, block, params, out),
    sample: (params, slot, block, dice) => sample(leaf, params, slot, block, dice),
    terms: {
      contributions: (block, params, slot, out) => addContributions(leaf, block, params, slot, out),
      // scaled counts depend on the whole document
      ...(topics === 1 &&
        !leaf.isScaled && { linear: (params: Float64Array, slot: number) => linear(leaf, params, slot) }),
    },
    topics: topicsIn(leaf),
  }
}

/** Sparse updates, word by word. */
function sparseIn(leaf: BoundTopics): Sparse {
  const { shape, place, countsOf, eta, fixed } = leaf
  return {
    inertia: leaf.isNormed ? NORMED_INERTIA : 0,
    shrinks: true,
    room: {
      numbers: roomOf(shape),
      scratch: scratchOf(shape),
      longest: shape.words,
      kept: block => bagsIn(leaf, block).offsets[block.rows],
    },
    move: start => movingTopics(shape, place, countsOf, eta, fixed, start),
  }
}
