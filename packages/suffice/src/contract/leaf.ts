/** A family bound to its columns: pure functions over its own part of θ and of the statistics. */
import type { Block, SummedWeights, Weights } from "./block.ts"
import type { Dice } from "./dice.ts"
import type { Weighted } from "./family.ts"
import type { Description } from "./report.ts"
import type { Sparse } from "./sparse.ts"

/** What an upward pass leaves for the downward pass over the same block. Only the node or leaf that made it looks inside. */
export type Work = unknown

/**
 * An axis of statistics. "slot": one per slot. "entry": one per level or word of the column; { entry: c }: of the leaf's column c. A number: that long, whatever the schema.
 * Transitions between the levels of one column are ["entry", "entry", "slot"].
 */
export type Axis = "slot" | "entry" | { readonly entry: number } | number

/** A family bound to its columns: pure functions over its own part of θ (`params`) and of the statistics (`stats`). */
export interface Leaf {
  readonly slots: number
  /** How many numbers its statistics and its parameters take, over all slots. */
  readonly statistics: number
  /**
   * How the statistics are laid out: one array after the other, each with its axes, outermost first. With it, statistics can move to a schema with more
   * levels, words or slots.
   */
  readonly axes: readonly (readonly Axis[])[]
  readonly parameters: number
  /** Free parameters over all slots: what AIC and BIC count. */
  readonly free: number
  /** When does `absorb` need θ? "missing": for rows with a missing cell. "always": something hides inside. Absent: never. */
  readonly guesses?: "missing" | "always"
  /**
   * stats += first statistics of these rows, where something hides inside: guesses that differ by value, since EM never leaves equal ones. With
   * `value`, that one alone begins anew at the rows. Absent: `absorb` needs no guess to begin with.
   */
  start?(block: Block, weights: Weights, dice: Dice, stats: Float64Array, value?: number): void
  /** How much of the rows each value holds that hides inside: entry value·slots + p. EM begins those anew that hold less than a row. */
  hidden?(stats: Float64Array): Float64Array
  /** How many numbers say how far rows lie apart within slots, over all of them; absent: none, and nobody asks for them. */
  readonly spreads?: number
  /**
   * spread ← V(stats), of counts: how far rows lie apart within slots, robust to a few far cells. What the prior shrinks variances
   * towards, and what floors are relative to. Learners keep it fixed while they climb, so that what they climb stays the same.
   */
  spread?(stats: Float64Array, spread: Float64Array): void
  /**
   * stats += strength·α: the conjugate prior as pseudo-statistics. Where there is a spread V, α = ν·E[s | x̄_p, V] in each slot: around
   * its own mean, that of the statistics `around`, so that means are free. Without `spread` V(around), without `around` V(stats) and its means.
   */
  prior(stats: Float64Array, strength?: number, spread?: Float64Array, around?: Float64Array): void
  /**
   * out[p·rows + i] += ln p(x_i | θ_p), missing cells integrated out; `upToConstant`: what a row has in common for all slots may be left out. Returns what
   * `absorb` of the same block can use again, if anything; `spent` is an earlier one that may be overwritten.
   */
  score(block: Block, params: Float64Array, out: Float64Array, upToConstant?: boolean, spent?: Work): Work
  /** stats += Σ_i w[p,i] · E[s(x_i) | what was seen, θ_p]. True if θ mattered (something had to be guessed). */
  absorb(
    block: Block,
    params: Float64Array,
    weights: SummedWeights,
    stats: Float64Array,
    work?: Work,
  ): boolean
  /**
   * stats += Σ_i w[p,i] · E[s(x_i) | what it reads, θ_p] over the rows that `absorb` left out, its own cell being missing. EM has no
   * use for them: they say nothing of θ. Learners that take partial steps need the statistics of whole rows.
   */
  absorbHoles?(block: Block, params: Float64Array, weights: Weights, stats: Float64Array): void
  /**
   * params ← θ(stats + strength·α), α as `prior` adds it, around the means of these statistics. Slots without mass get the pooled parameters. Returns how
   * many slots were held at the edge of the domain, which is relative to the spread V; without it to V(stats).
   */
  solve(stats: Float64Array, strength: number, params: Float64Array, spread?: Float64Array): number
  /** value(α, θ), where that takes less than α in an array; absent: computed from `prior` and `value`. Not where there is a spread. */
  logPrior?(params: Float64Array): number
  /** stats += Σ_p mass[p] · E[s | θ_p]: back from θ to η. */
  moments(params: Float64Array, mass: Float64Array, stats: Float64Array): void
  /** Is θ(stats) of this slot well inside the domain (variances and probabilities clear of 0)? Steps that leave it are shortened. */
  inside(stats: Float64Array, slot: number, spread?: Float64Array): boolean
  /** Lift each slot to this mass by E[s | θ], where its columns were seen by different masses; absent: one `mass` says it all. */
  complete?(params: Float64Array, mass: Float64Array, stats: Float64Array): void
  /** The length of what it models is given, not modelled (bags of words): a missing cell then says nothing about the mass. */
  readonly lengthGiven?: true
  /** Present where a step need not touch all entries: words, of which a mini-batch has few. */
  readonly sparse?: Sparse
  /**
   * Columns that must stay positive definite together, times the matrices that share the mass; absent: no more than one. Taking away a
   * row of relative weight w leaves Σ positive definite if w·(x − μ)ᵀΣ⁻¹(x − μ) < 1, and that distance is about the number of columns.
   */
  readonly breadth?: number
  /** Throws where the score is no log-density: then there is nothing to sample from, and no likelihood to compare. */
  checkDensity?(): void
  /** Σ_p ⟨stats_p, θ_p⟩ − n_p A(θ_p) (+ n_p ln h where h depends on nothing but the statistics): the log-likelihood of fully seen rows. */
  value(stats: Float64Array, params: Float64Array): number
  /** n_p: the weight this leaf saw in slot p. */
  mass(stats: Float64Array, slot: number): number
  /** θ_p by name, in the units of the data. */
  describe(params: Float64Array, slot: number): Description
  /** The inverse of describe: stats += mass · E[s | the described θ_p]. */
  adopt(description: Description, slot: number, mass: number, stats: Float64Array): void
  /** Draw the leaf's columns from slot p into held cells: row 0 of `block`. Cells that are not missing are evidence. */
  sample(params: Float64Array, slot: number, block: Block, dice: Dice): void
  /** mean[i], variance[i] of one numeric column in slot p given what was seen of the leaf's other columns, held units. Only for numbers and counts. */
  expect?(
    block: Block,
    params: Float64Array,
    slot: number,
    place: number,
    mean: Float64Array,
    variance: Float64Array,
  ): void
  /** P(X ≤ x) of a cell whose mean and variance `expect` gave, held units. */
  cdf?(x: number, mean: number, variance: number): number
  /** out[c] += the share of column c, or of word c of a bag, in ln p(row 0 | θ_p); they add up to the score. Absent: it is one share. */
  contributions?(block: Block, params: Float64Array, slot: number, out: Float64Array): void
  /** ln p(row | θ_p) − ln h(row) = Σ weight · feature(row), held units, where no cell is missing. Absent: it is not linear in features. */
  linear?(params: Float64Array, slot: number): readonly Weighted[]
}
