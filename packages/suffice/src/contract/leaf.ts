/** A family bound to its columns: pure functions over its own part of θ (`params`) and of the statistics (`stats`). */
import type { Banking } from "./bank.ts"
import type { Belief } from "./belief.ts"
import type { Block, SummedWeights, Weights } from "./block.ts"
import type { Level } from "./cells.ts"
import type { Dice } from "./dice.ts"
import type { Notice } from "./notice.ts"
import type { Description } from "./report.ts"
import type { Sparse } from "./sparse.ts"

/** What a family computes for its columns, slot by slot: `Family.bind` makes it. */
export interface Leaf {
  readonly shape: Shape

  /** out[p·rows + i] += ln p(x_i | θ_p), missing cells integrated out. `upToConstant`: terms common to all slots may be omitted. Returns work for `absorb`. */
  score(block: Block, params: Float64Array, out: Float64Array, upToConstant?: boolean, reuse?: Work): Work
  /** stats += Σ_i w[p,i] · E[s(x_i) | observed cells, θ_p]. Returns true if the result depends on θ. */
  absorb(
    block: Block,
    params: Float64Array,
    weights: SummedWeights,
    stats: Float64Array,
    work?: Work,
  ): boolean
  /** params ← θ(stats + strength·α), pooled for slots without mass; by default with V(stats). Returns the number of clamped slots. */
  solve(stats: Float64Array, strength: number, params: Float64Array, spread?: Float64Array): number
  /** stats += Σ_p mass[p] · E[s | θ_p]: from θ back to η. */
  moments(params: Float64Array, mass: Float64Array, stats: Float64Array): void
  /** stats += strength·α: pseudo-statistics of the conjugate prior. With a spread V, α = ν·E[s | x̄_p, V], x̄_p the slot's mean in `around` (default: stats). */
  prior(stats: Float64Array, strength?: number, spread?: Float64Array, around?: Float64Array): void
  /** Σ_p ⟨stats_p, θ_p⟩ − n_p A(θ_p) (+ n_p ln h, if h is a function of the statistics): the log-likelihood of fully observed rows. */
  value(stats: Float64Array, params: Float64Array): number
  /** n_p: the observed weight of slot p. */
  mass(stats: Float64Array, slot: number): number
  /** True if θ(stats) of this slot is well inside the domain. Shared parameters may be checked for their first slot only. */
  inside(stats: Float64Array, slot: number, spread?: Float64Array): boolean
  /** θ_p by name, in the units of the data. */
  describe(params: Float64Array, slot: number): Description
  /** Inverse of `describe`: stats += mass · E[s | the described θ_p]. */
  adopt(description: Description, slot: number, mass: number, stats: Float64Array): void
  /** Draws the missing cells of row 0 of `block` from slot p, given the others. */
  sample(params: Float64Array, slot: number, block: Block, dice: Dice): void

  /** value(α, θ) in closed form. Undefined if computed from `prior` and `value`; always with a spread. */
  logPrior?(params: Float64Array): number
  /** out[p·rows + i] += a lower bound of ln p(x_i | θ_p). Undefined if the score is the log-density. */
  bound?(block: Block, params: Float64Array, out: Float64Array): void
  /** Undefined if the prior is not relative to a variation within slots. */
  readonly spread?: Spread
  /** Undefined if `absorb` never depends on θ. */
  readonly latent?: Latent
  /** Undefined if no column is numeric. */
  readonly numbers?: Numbers
  readonly terms?: Terms
  readonly moving?: SmallSteps
  readonly refusals?: Refusals
  /** A check of the data. Undefined if none. */
  readonly notice?: Notice
  /** Undefined if documents are not explained by topics. */
  readonly topics?: Topics
  /** Undefined if neighbours in a product cannot be used as one leaf. */
  readonly banking?: Banking
  /** The belief this leaf was made of. Undefined unless a posterior is learned or queried. */
  readonly belief?: Belief
}

/** Lengths and layout, over all slots. */
export interface Shape {
  readonly slots: number
  /** Lengths of `stats` and of `params`. */
  readonly statistics: number
  readonly parameters: number
  /** Free parameters, as counted by AIC and BIC. */
  readonly free: number
  /** Layout of `stats`: consecutive arrays with their axes, outermost first. Transfers statistics to more levels, words or slots. */
  readonly axes: readonly (readonly Axis[])[]
  /** True if the length of a cell is given, not modelled (bags of words): a missing cell then has no mass. */
  readonly lengthGiven?: true
}

/** V, the variation within slots, robust to a few outliers. The prior shrinks variances towards it; floors are relative to it. */
export interface Spread {
  readonly length: number
  /** spread ← V(stats), stats in counts. Learners keep it fixed, so that their objective stays the same. */
  estimate(stats: Float64Array, spread: Float64Array): void
}

/** The E-step within a leaf. */
export interface Latent {
  /** When `absorb` depends on θ. "missing": for rows with a missing cell. "always": the leaf has latent variables. */
  readonly when: "missing" | "always"
  /** stats += statistics of these rows with random guesses of latent values. `value`: only that one is restarted, at these rows. */
  start?(block: Block, weights: Weights, dice: Dice, stats: Float64Array, value?: number): void
  /** Mass of each latent value, at value·slots + p; EM restarts those below one row. */
  mass?(stats: Float64Array): Float64Array
}

/** Conditional distributions of numeric columns, in encoded units. */
export interface Numbers {
  /** mean[i], variance[i] of the column at `place`, in slot p, given the other columns. freedom[i]: degrees of freedom of Student's t. */
  expect(
    block: Block,
    params: Float64Array,
    slot: number,
    place: number,
    mean: Float64Array,
    variance: Float64Array,
    freedom?: Float64Array,
  ): void
  /** P(X ≤ x) of a cell with this mean, variance and degrees of freedom (from `expect`). */
  cdf(x: number, mean: number, variance: number, freedom?: number): number
  /** ln p(y | x) = top − ½λ(y − a − b·x)² of slot p: out ← a, b, λ, top. Undefined for other densities. */
  line?(params: Float64Array, slot: number, out: Float64Array): void
}

/** The score as a sum of terms. */
export interface Terms {
  /** out[c] += the term of column (or word) c in ln p(row 0 | θ_p); a term of the bag as a whole follows, if there is room. Undefined if there is one term. */
  contributions?(block: Block, params: Float64Array, slot: number, out: Float64Array): void
  /** ln p(row | θ_p) − ln h(row) = Σ weight · feature(row), in encoded units, for complete rows. Undefined if not linear in features. */
  linear?(params: Float64Array, slot: number): readonly Weighted[]
}

/** For learners that take small steps. */
export interface SmallSteps {
  /** Undefined if every step updates all entries. With it, a step updates those in the mini-batch. */
  readonly sparse?: Sparse
  /** True if steps use the sum over rows, as for words, not the mean: rare events (a transition) would hardly move. */
  readonly summed?: true
  /** d·m for m covariance matrices over d columns: Σ stays positive definite without a row of weight w if w·(x − μ)ᵀΣ⁻¹(x − μ) < 1; that distance is about d. */
  readonly breadth?: number
  /** Lifts each slot to this mass by E[s | θ]. Undefined if all columns have one mass. */
  complete?(params: Float64Array, mass: Float64Array, stats: Float64Array): void
  /** stats += Σ_i w[p,i] · E[s(x_i) | parents, θ_p] over rows without a cell, which `absorb` skips: partial steps need whole rows. */
  absorbHoles?(block: Block, params: Float64Array, weights: Weights, stats: Float64Array): void
}

/** Checks of what a leaf cannot do. */
export interface Refusals {
  /** Throws if the leaf needs a switch above it. Called if the model has none. */
  alone?(): void
  /** Throws if there is no log-density: then rows cannot be sampled, nor densities compared. */
  density?(): void
  /** Fault of saved statistics, as a phrase after "has"; undefined if none. */
  damage?(stats: Float64Array): string | undefined
}

/** Queries about topics: slot p has `count` topics, of which the last `shared` are the same in all slots. */
export interface Topics {
  readonly count: number
  readonly shared: number
  /** out[(p·rows + i)·count + k] = θ̂_k of row i in slot p: they sum to 1. A row without words has the mean of the prior, α/Σα. */
  proportions(block: Block, params: Float64Array, out: Float64Array): void
  /** φ_k: out[w] = p(word w | topic k of the slot). */
  words(params: Float64Array, slot: number, topic: number, out: Float64Array): void
  /** α_k of the slot's topics: the prior of the proportions. */
  alpha(params: Float64Array, slot: number): Float64Array
  /** Expected number of words of each of the slot's topics; of a shared topic, over all slots. */
  tokens(stats: Float64Array, slot: number): Float64Array
}

/** Result of an upward pass for the downward pass over the same block; opaque to others. */
export type Work = unknown

/** "slot": one per slot. "entry": one per level or word of the column; { entry: c }: of column c. A number: of that length, whatever the schema. */
export type Axis = "slot" | "entry" | { readonly entry: number } | number

/** A function of the row in which a log-density can be linear. "count": how often a word occurs. "word": 1 if it occurs. */
export type Feature =
  | { readonly kind: "1" }
  | { readonly kind: "x" | "x²"; readonly column: string }
  | { readonly kind: "xy"; readonly column: string; readonly other: string }
  | { readonly kind: "level"; readonly column: string; readonly level: Level }
  | { readonly kind: "count" | "word"; readonly column: string; readonly word: string }

export type Weighted = readonly [feature: Feature, weight: number]
