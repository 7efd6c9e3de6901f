/** A family bound to its columns: pure functions over its own part of θ (`params`) and of the statistics (`stats`). */
import type { Banking } from "./bank.ts"
import type { Belief } from "./belief.ts"
import type { Block, SummedWeights, Weights } from "./block.ts"
import type { Level } from "./cells.ts"
import type { Dice } from "./dice.ts"
import type { Description } from "./report.ts"
import type { Sparse } from "./sparse.ts"

/** What a family computes for its columns, slot by slot: `Family.bind` makes it. */
export interface Leaf {
  readonly slots: number
  /** Lengths of `stats` and of `params`, over all slots. */
  readonly statistics: number
  readonly parameters: number
  /** Free parameters over all slots: what AIC and BIC count. */
  readonly free: number
  /**
   * The layout of `stats`: one array after the other, each with its axes, outermost first. It lets statistics move to a schema with
   * more levels, words or slots.
   */
  readonly axes: readonly (readonly Axis[])[]

  // ── from rows to statistics ──

  /**
   * out[p·rows + i] += ln p(x_i | θ_p), missing cells integrated out. `upToConstant`: a term that is the same for all slots of a row may be
   * left out. Returns what `absorb` of the same block can use, if anything; `spent` is an earlier result that may be overwritten.
   */
  score(block: Block, params: Float64Array, out: Float64Array, upToConstant?: boolean, spent?: Work): Work
  /** stats += Σ_i w[p,i] · E[s(x_i) | what was seen, θ_p]. Returns true if the result depends on θ. */
  absorb(
    block: Block,
    params: Float64Array,
    weights: SummedWeights,
    stats: Float64Array,
    work?: Work,
  ): boolean
  /**
   * stats += Σ_i w[p,i] · E[s(x_i) | what it reads, θ_p] over the rows that `absorb` skips because the leaf's own cell is missing. They
   * say nothing about θ, so EM does not need them; learners that take partial steps need the statistics of whole rows.
   */
  absorbHoles?(block: Block, params: Float64Array, weights: Weights, stats: Float64Array): void
  /** When `absorb` needs θ. "missing": for rows with a missing cell. "always": the leaf has hidden values. Absent: never. */
  readonly guesses?: "missing" | "always"
  /**
   * For a leaf with hidden values: stats += statistics of these rows with random guesses, which differ by value because EM never separates equal ones.
   * `value`: only that one is restarted, at these rows. Absent: `absorb` needs no first guess.
   */
  start?(block: Block, weights: Weights, dice: Dice, stats: Float64Array, value?: number): void
  /** The mass of each hidden value, at value·slots + p. EM restarts those with less than one row. */
  hidden?(stats: Float64Array): Float64Array

  // ── from statistics to parameters, and back ──

  /**
   * params ← θ(stats + strength·α), α as `prior` adds it, around the means of these statistics. Slots without mass get the pooled
   * parameters. Returns how many slots were clamped to the edge of the domain, which is relative to the spread V; by default V(stats).
   */
  solve(stats: Float64Array, strength: number, params: Float64Array, spread?: Float64Array): number
  /** stats += Σ_p mass[p] · E[s | θ_p]: from θ back to η. */
  moments(params: Float64Array, mass: Float64Array, stats: Float64Array): void
  /**
   * stats += strength·α: the conjugate prior as pseudo-statistics. With a spread V, α = ν·E[s | x̄_p, V] in each slot, where x̄_p is the slot's mean
   * in `around`, so that means are free. Defaults: spread = V(around), around = stats.
   */
  prior(stats: Float64Array, strength?: number, spread?: Float64Array, around?: Float64Array): void
  /** value(α, θ), if there is a closed form; absent: computed from `prior` and `value`. Not for leaves with a spread. */
  logPrior?(params: Float64Array): number
  /** Length of the spread V, over all slots; absent: the leaf has none. */
  readonly spreads?: number
  /**
   * spread ← V(stats), stats in counts: the variation within slots, robust to a few outliers. The prior shrinks variances towards it, and
   * floors are relative to it. Learners keep it fixed, so that their objective stays the same.
   */
  spread?(stats: Float64Array, spread: Float64Array): void
  /** Σ_p ⟨stats_p, θ_p⟩ − n_p A(θ_p) (+ n_p ln h, if h is a function of the statistics): the log-likelihood of fully seen rows. */
  value(stats: Float64Array, params: Float64Array): number
  /** n_p: the weight this leaf saw in slot p. */
  mass(stats: Float64Array, slot: number): number

  // ── for learners that take small steps ──

  /**
   * Is θ(stats) of this slot well inside the domain (variances and probabilities clear of 0)? Steps that leave it are shortened. What several slots
   * share may be looked at for the first of them only: they are always asked together.
   */
  inside(stats: Float64Array, slot: number, spread?: Float64Array): boolean
  /** Lift each slot to this mass by E[s | θ], if its columns were seen with different masses; absent: they have one `mass`. */
  complete?(params: Float64Array, mass: Float64Array, stats: Float64Array): void
  /** The length of a cell is given, not modelled (bags of words): a missing cell then says nothing about the mass. */
  readonly lengthGiven?: true
  /** Small steps go by the sum over rows, as those of words do, not by their mean: what is rare (a transition) would hardly move. */
  readonly summed?: true
  /** Present if a step need not touch all entries: a mini-batch contains few of the words. */
  readonly sparse?: Sparse
  /**
   * d·m for m covariance matrices over d columns that share the mass; absent: there is none. Removing a row of relative weight w
   * keeps Σ positive definite if w·(x − μ)ᵀΣ⁻¹(x − μ) < 1, and that distance is about d.
   */
  readonly breadth?: number

  /** Present if neighbours in a product can be used as one leaf. */
  readonly banking?: Banking
  /** Present while a posterior is learned or asked: the belief that this leaf was made of. */
  readonly belief?: Belief

  // ── for people ──

  /** Throws if it needs a switch above it; asked where the model has none. */
  checkAlone?(): void

  /** What is wrong with statistics that were saved, after "has"; undefined: nothing. Absent: whatever has parameters will do. */
  damage?(stats: Float64Array): string | undefined

  /** θ_p by name, in the units of the data. */
  describe(params: Float64Array, slot: number): Description
  /** The inverse of `describe`: stats += mass · E[s | the described θ_p]. */
  adopt(description: Description, slot: number, mass: number, stats: Float64Array): void
  /** Throws if there is no log-density: then rows cannot be sampled, nor densities compared. */
  checkDensity?(): void
  /** out[p·rows + i] += a lower bound of ln p(x_i | θ_p), where the score is not a log-density; absent: it is one. */
  bound?(block: Block, params: Float64Array, out: Float64Array): void
  /** Draw the leaf's missing cells in row 0 of `block` from slot p, given those that are not missing. */
  sample(params: Float64Array, slot: number, block: Block, dice: Dice): void
  /**
   * mean[i], variance[i] of the numeric column at `place`, in slot p, given the leaf's other columns; in encoded units. freedom[i]: the degrees of freedom,
   * where it is Student's t.
   */
  expect?(
    block: Block,
    params: Float64Array,
    slot: number,
    place: number,
    mean: Float64Array,
    variance: Float64Array,
    freedom?: Float64Array,
  ): void
  /** P(X ≤ x) of a cell with this mean, variance and degrees of freedom (from `expect`), in encoded units. */
  cdf?(x: number, mean: number, variance: number, freedom?: number): number
  /**
   * out[c] += the term of column c, or of word c of a bag, in ln p(row 0 | θ_p); they sum to the score. `out` may have one place more, for a term of the
   * bag as a whole. Absent: there is one term.
   */
  contributions?(block: Block, params: Float64Array, slot: number, out: Float64Array): void
  /** ln p(row | θ_p) − ln h(row) = Σ weight · feature(row), in encoded units, if no cell is missing. Absent: it is not linear in features. */
  linear?(params: Float64Array, slot: number): readonly Weighted[]
  /** ln p(y | x) = top − ½λ(y − a − b·x)² of slot p, in encoded units: out ← a, b, λ, top. Absent: the density is none of these. */
  line?(params: Float64Array, slot: number, out: Float64Array): void
  /** Present if the leaf explains documents by topics. */
  readonly topics?: Topics
}

/** How a leaf of topics answers for them: slot p has `count` topics, of which the last `shared` are the same in all slots. */
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

/** What an upward pass leaves for the downward pass over the same block. Only the node or leaf that made it looks inside. */
export type Work = unknown

/**
 * An axis of statistics. "slot": one per slot. "entry": one per level or word of the leaf's column; { entry: c }: of its column c. A number: of
 * that length, whatever the schema. Transitions between the levels of one column are ["entry", "entry", "slot"].
 */
export type Axis = "slot" | "entry" | { readonly entry: number } | number

/** A function of the row in which a log-density can be linear. "count": how often a word occurs. "word": 1 if it occurs. */
export type Feature =
  | { readonly kind: "1" }
  | { readonly kind: "x" | "x²"; readonly column: string }
  | { readonly kind: "xy"; readonly column: string; readonly other: string }
  | { readonly kind: "level"; readonly column: string; readonly level: Level }
  | { readonly kind: "count" | "word"; readonly column: string; readonly word: string }

export type Weighted = readonly [feature: Feature, weight: number]
