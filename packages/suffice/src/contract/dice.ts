/** A seeded source of random draws; random.ts makes them. */
export interface Dice {
  /** u in [0, 1), a multiple of 2^−53. */
  uniform(): number
  /** An integer in 0 … n − 1, each exactly equally likely; 1 ≤ n ≤ 2^53. */
  integer(n: number): number
  /** x ~ N(0, 1). */
  normal(): number
  /** x ~ Gamma(shape, 1): density x^(shape − 1) e^−x / Γ(shape). */
  gamma(shape: number): number
  /** x ~ Beta(a, b). */
  beta(a: number, b: number): number
  /** out ~ Dirichlet(alpha); sums to 1, up to rounding, even where every gamma draw would underflow. */
  dirichlet(alpha: Float64Array, out: Float64Array): void
  /** n ~ Poisson(rate). */
  poisson(rate: number): number
  /** i in 0 … count − 1 with probability weights[offset + i] / Σ weights; weights ≥ 0 and not all 0. */
  categorical(weights: Float64Array, offset: number, count: number): number
  /** A uniformly random permutation, in place. */
  shuffle(items: Int32Array | Uint32Array): void
  /** An independent stream, determined by this one's present state and the label. This stream does not advance. */
  fork(label: number): Dice
  /** What `diceFrom` needs to continue from here: four words, and the second normal of a pair if it has not been drawn yet. */
  state(): readonly number[]
}
