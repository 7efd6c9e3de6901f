// Dice: every random number of the library comes from here, the same bits on every engine.
//
// The generator is xoshiro128** (Blackman & Vigna 2021), 128 bits of state. Seeds of any size are spread over
// them by the hash of NumPy's SeedSequence (O'Neill 2015), which is also how a fork gets its own stream.

import type { Dice } from "./contract/dice.ts"
import { wrongOption } from "./errors.ts"
import { exp } from "./kernels/exp.ts"
import { highWord, lowWord } from "./kernels/float64.ts"
import { log } from "./kernels/log.ts"
import { logFactorial } from "./kernels/log-gamma.ts"

/** Dice from a finite number, or from a list of them; dice(7) and dice([7]) are the same. */
export function dice(seed: number | readonly number[]): Dice {
  const seeds = typeof seed === "number" ? [seed] : seed
  if (!Array.isArray(seeds) || !seeds.every(Number.isFinite)) {
    throw wrongOption(
      "dice",
      "the seed",
      seed,
      "It is a finite number, or a list of them. Write for example dice(7).",
    )
  }
  return diceFrom(spread(SEED, seeds))
}

/** The state of one generator. */
interface Stream {
  readonly s: Uint32Array
  /** The second normal of the polar method; NaN if it is used up. */
  readonly spare: Float64Array
}

/** Dice that continue exactly where `state()` was taken. */
export function diceFrom(state: readonly number[]): Dice {
  const s = new Uint32Array(4)
  for (let i = 0; i < 4; i++) s[i] = state[i]
  if ((s[0] | s[1] | s[2] | s[3]) === 0) s[0] = 1 // the one state the generator never leaves
  const stream: Stream = { s, spare: new Float64Array([state.length > 4 ? state[4] : NaN]) }
  return {
    uniform: () => uniform(stream),
    integer: n => integer(stream, n),
    normal: () => normal(stream),
    gamma: shape => gamma(stream, shape),
    beta: (a, b) => beta(stream, a, b),
    dirichlet: (alpha, out) => dirichlet(stream, alpha, out),
    poisson: rate => poisson(stream, rate),
    categorical: (weights, offset, count) => categorical(stream, weights, offset, count),
    shuffle: items => shuffle(stream, items),
    fork: label => fork(stream, label),
    state: () => snapshot(stream),
  }
}

function bits({ s }: Stream): number {
  // result = rotl(s1 · 5, 7) · 9, then one linear step of the state
  const s1 = s[1]
  const five = Math.imul(s1, 5)
  const result = Math.imul((five << 7) | (five >>> 25), 9)
  s[2] ^= s[0]
  s[3] ^= s1
  s[1] = s1 ^ s[2]
  s[0] ^= s[3]
  s[2] ^= s1 << 9
  s[3] = (s[3] << 11) | (s[3] >>> 21)
  return result >>> 0
}

function uniform(stream: Stream): number {
  const high = bits(stream) >>> 5
  const low = bits(stream) >>> 6
  return (high * 67108864 + low) * 1.1102230246251565e-16 // (27 bits · 2^26 + 26 bits) / 2^53
}

// (0, 1], for logarithms
function positive(stream: Stream): number {
  return 1 - uniform(stream)
}

function integer(stream: Stream, n: number): number {
  if (n <= 1) return 0
  if (n <= 4294967296) {
    // the fewest bits that can hold n − 1, drawn again until below n
    const drop = Math.clz32(n - 1)
    let draw = bits(stream) >>> drop
    while (draw >= n) draw = bits(stream) >>> drop
    return draw
  }
  const drop = Math.clz32(Math.floor((n - 1) / 4294967296)) // the same with two words
  let draw = (bits(stream) >>> drop) * 4294967296 + bits(stream)
  while (draw >= n) draw = (bits(stream) >>> drop) * 4294967296 + bits(stream)
  return draw
}

// Polar method (Marsaglia & Bray 1964): (u, v) uniform in the unit disc, q = u² + v²;
// u √(−2 ln q / q) and v √(−2 ln q / q) are independent normals
function normal(stream: Stream): number {
  const { spare } = stream
  const waiting = spare[0]
  if (!Number.isNaN(waiting)) {
    spare[0] = NaN
    return waiting
  }
  for (;;) {
    const u = 2 * uniform(stream) - 1
    const v = 2 * uniform(stream) - 1
    const q = u * u + v * v
    if (q >= 1 || q === 0) continue
    const scale = Math.sqrt((-2 * log(q)) / q)
    spare[0] = v * scale
    return u * scale
  }
}

// Marsaglia & Tsang (2000), shape ≥ 1: d = shape − ⅓, c = 1 / √(9 d);
// d v with v = (1 + c x)³, x normal, is kept with probability min(1, exp(x²/2 + d (1 − v + ln v)))
function gammaFromOne(stream: Stream, shape: number): number {
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = normal(stream)
    const t = 1 + c * x
    if (t <= 0) continue
    const v = t * t * t
    const u = positive(stream)
    if (u < 1 - 0.0331 * x * x * x * x) return d * v
    if (log(u) < 0.5 * x * x + d * (1 - v + log(v))) return d * v
  }
}

// ln of a gamma draw. Below shape 1: Gamma(a) = Gamma(a + 1) · U^(1/a)
function logGammaDraw(stream: Stream, shape: number): number {
  if (shape >= 1) return log(gammaFromOne(stream, shape))
  return log(gammaFromOne(stream, shape + 1)) + log(positive(stream)) / shape
}

function gamma(stream: Stream, shape: number): number {
  return shape >= 1 ? gammaFromOne(stream, shape) : exp(logGammaDraw(stream, shape))
}

// x / (x + y) with x ~ Gamma(a), y ~ Gamma(b)
function beta(stream: Stream, a: number, b: number): number {
  const x = logGammaDraw(stream, a)
  const y = logGammaDraw(stream, b)
  if (x === -Infinity && y === -Infinity) return uniform(stream) * (a + b) < a ? 1 : 0 // the limit of tiny shapes
  return 1 / (1 + exp(y - x))
}

// g_i / Σ_j g_j with g_i ~ Gamma(α_i)
function dirichlet(stream: Stream, alpha: Float64Array, out: Float64Array): void {
  let max = -Infinity
  for (let i = 0; i < alpha.length; i++) {
    out[i] = logGammaDraw(stream, alpha[i])
    if (out[i] > max) max = out[i]
  }
  if (max === -Infinity) {
    out.fill(0) // the limit of tiny shapes: all the mass on one
    out[categorical(stream, alpha, 0, alpha.length)] = 1
    return
  }
  let total = 0
  for (let i = 0; i < alpha.length; i++) {
    out[i] = exp(out[i] - max)
    total += out[i]
  }
  for (let i = 0; i < alpha.length; i++) out[i] /= total
}

function poisson(stream: Stream, rate: number): number {
  return rate < 10 ? poissonByInversion(stream, rate) : poissonByRejection(stream, rate)
}

// The n at which Σ_{k≤n} e^−λ λ^k / k! passes u
function poissonByInversion(stream: Stream, rate: number): number {
  const first = exp(-rate)
  for (;;) {
    let left = uniform(stream)
    let p = first
    for (let n = 0; n < 200; n++) {
      if (left < p) return n
      left -= p
      p *= rate / (n + 1)
    }
    // what is left is rounding: draw again
  }
}

// PTRS, transformed rejection with squeeze (Hörmann 1993), λ ≥ 10; his letters
function poissonByRejection(stream: Stream, rate: number): number {
  const logRate = log(rate)
  const b = 0.931 + 2.53 * Math.sqrt(rate)
  const a = -0.059 + 0.02483 * b
  const inverseAlpha = 1.1239 + 1.1328 / (b - 3.4)
  const vr = 0.9277 - 3.6224 / (b - 2)
  for (;;) {
    const u = uniform(stream) - 0.5
    const v = positive(stream)
    const us = 0.5 - Math.abs(u)
    if (us === 0) continue
    const n = Math.floor(((2 * a) / us + b) * u + rate + 0.43)
    if (us >= 0.07 && v <= vr) return n
    if (n < 0 || (us < 0.013 && v > us)) continue
    // accept when ln(v · 1/α / (a/us² + b)) ≤ ln p(n) = n ln λ − λ − ln n!
    if (log((v * inverseAlpha) / (a / (us * us) + b)) <= n * logRate - rate - logFactorial(n)) return n
  }
}

function categorical(stream: Stream, weights: Float64Array, offset: number, count: number): number {
  let total = 0
  for (let i = 0; i < count; i++) total += weights[offset + i]
  let left = uniform(stream) * total
  let last = 0
  for (let i = 0; i < count; i++) {
    const weight = weights[offset + i]
    if (weight === 0) continue
    if (left < weight) return i
    left -= weight
    last = i
  }
  return last // rounding ran past the end
}

// Fisher & Yates (1938)
function shuffle(stream: Stream, items: Int32Array | Uint32Array): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = integer(stream, i + 1)
    const item = items[i]
    items[i] = items[j]
    items[j] = item
  }
}

function fork({ s }: Stream, label: number): Dice {
  return diceFrom(spread(FORK, [s[0], s[1], s[2], s[3], label]))
}

function snapshot({ s, spare }: Stream): readonly number[] {
  const waiting = spare[0]
  return Number.isNaN(waiting) ? [s[0], s[1], s[2], s[3]] : [s[0], s[1], s[2], s[3], waiting]
}

// The first number hashed, so that no seed names the same stream as a fork
const SEED = 1
const FORK = 2

// Four words that depend on every bit of every number. O'Neill (2015) as in NumPy's SeedSequence: its
// entropy is [purpose, how many numbers, high word, low word, high word, low word, …].
function spread(purpose: number, numbers: readonly number[]): readonly number[] {
  const entropy = [purpose, numbers.length]
  for (const x of numbers) entropy.push(highWord(x + 0), lowWord(x + 0)) // + 0: −0 and 0 are one seed

  let multiplier = 0x43b0d7e5
  function hash(word: number): number {
    const mixed = word ^ multiplier
    multiplier = Math.imul(multiplier, 0x931e8875)
    const product = Math.imul(mixed, multiplier)
    return product ^ (product >>> 16)
  }
  function mix(x: number, y: number): number {
    const sum = Math.imul(x, 0xca01f9dd) - Math.imul(y, 0x4973f715)
    return sum ^ ((sum | 0) >>> 16)
  }

  const pool = new Int32Array(4)
  for (let i = 0; i < 4; i++) pool[i] = hash(i < entropy.length ? entropy[i] : 0)
  for (let from = 0; from < 4; from++) {
    for (let to = 0; to < 4; to++) if (from !== to) pool[to] = mix(pool[to], hash(pool[from]))
  }
  for (let from = 4; from < entropy.length; from++) {
    for (let to = 0; to < 4; to++) pool[to] = mix(pool[to], hash(entropy[from]))
  }

  const words = [0, 0, 0, 0]
  multiplier = 0x8b51f9dd
  for (let i = 0; i < 4; i++) {
    const mixed = pool[i] ^ multiplier
    multiplier = Math.imul(multiplier, 0x58f38ded)
    const product = Math.imul(mixed, multiplier)
    words[i] = (product ^ (product >>> 16)) >>> 0
  }
  return words
}
