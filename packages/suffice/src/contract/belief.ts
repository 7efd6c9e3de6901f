/**
 * What is believed of θ, for learners that keep a posterior instead of an estimate.
 *
 *     q(θ) ∝ exp( ⟨α + s, θ⟩ − (ν + n) A(θ) )        conjugate: the posterior is of the form of the prior
 *
 * A belief stands beside a leaf, in a file of its own (beliefs/), and makes two other leaves of it, with the same statistics: one that is learned with, and one
 * that answers. Programs that learn no posterior carry none of it.
 */
import type { Column } from "./columns.ts"
import type { Dice } from "./dice.ts"
import type { Leaf } from "./leaf.ts"
import type { Description } from "./report.ts"

/** The belief about the parameters of one leaf. `q`: the numbers of the posterior, over all slots. */
export interface Belief {
  /** The length of q. */
  readonly numbers: number
  /** q ← the posterior after these statistics, in counts. Zeros: the prior. The default prior is relative to the spread V. */
  posterior(stats: Float64Array, strength: number, spread: Float64Array, q: Float64Array): void
  /** B(q) = ln ∫ exp( value(stats, θ) ) p(θ) dθ, up to a constant of the prior: B(q) − B(prior) is the log-evidence. */
  logNormaliser(q: Float64Array): number
  /** False: the slots of a switch cannot be renamed without changing what is believed (sticks). */
  readonly isSymmetric?: false
  /** The leaf to learn with: `solve` gives E_q[θ] and E_q[A(θ)], so that `score` is E_q[ln p(x | θ)], and `value` E_q[value(stats, θ)]. */
  readonly expected: Leaf
  /** The leaf that answers: `score` is ln ∫ p(x | θ) q(θ) dθ. Its `describe` has θ at the posterior mean of the precision, the rate or the probabilities. */
  readonly predictive: Leaf
  /** params of the plain leaf ← θ ~ q, in all slots. */
  draw(q: Float64Array, dice: Dice, params: Float64Array): void
  /** The parameters of a slot as `describe` names them, each as { value, interval } with an interval that holds this probability. */
  interval(q: Float64Array, slot: number, probability: number): Description
}

/** What a belief is made for: a leaf as its place in the tree binds it. */
export interface About {
  readonly family: string
  /** Those of the family, or of the switch: the prior is one of them. */
  readonly options: Description
  readonly columns: readonly Column[]
  /** The columns it reads. */
  readonly given: readonly Column[]
  readonly places: readonly number[]
  /** The probabilities of the values of a switch. */
  readonly isChoice: boolean
  /** What the user called to make it, if not the family: a switch. */
  readonly maker?: string
}

/** One entry of the list of beliefs (beliefs/list.ts). */
export interface BeliefKind {
  /** The name of the family it belongs to. */
  readonly family: string
  /** The belief about this leaf. Throws if its prior is improper. */
  of(leaf: Leaf, about: About): Belief
}
