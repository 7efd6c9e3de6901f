/** Conjugate posteriors of θ, in beliefs/: q(θ) ∝ exp( ⟨α + s, θ⟩ − (ν + n) A(θ) ). Programs without posteriors do not include them. */
import type { Column } from "./columns.ts"
import type { Dice } from "./dice.ts"
import type { Leaf } from "./leaf.ts"
import type { Description } from "./report.ts"

/** Posterior of the parameters of one leaf. `q`: its numbers, over all slots. */
export interface Belief {
  /** The length of q. */
  readonly numbers: number
  /** q ← the posterior after these statistics, in counts. Zeros: the prior. The default prior is relative to the spread V. */
  posterior(stats: Float64Array, strength: number, spread: Float64Array, q: Float64Array): void
  /** B(q) = ln ∫ exp( value(stats, θ) ) p(θ) dθ, up to a constant of the prior: B(q) − B(prior) is the log-evidence. */
  logNormaliser(q: Float64Array): number
  /** False if the prior is not symmetric in the values of a switch (sticks). */
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
