/**
 * exp (below 0) and log of two numbers at once: the same steps as src/kernels/exp.ts and log.ts, so the same bits.
 * Constants are read from memory: engines build a constant register anew, in several instructions, wherever it is used.
 */

const CONSTANTS = memory.data<f64>([
  1 / (0.6931471803691238 + 1.9082149292705877e-10), // 1 / ln 2
  6755399441055744, // 1.5 · 2^52
  0.6931471803691238, // the upper part of ln 2
  1.9082149292705877e-10, // and the lower
  -708.396418532264, // below it exp is 0
  0.16666666666666602, // P1 … P5
  -0.0027777777777015593,
  6.613756321437934e-5,
  -1.6533902205465252e-6,
  4.1381367970572385e-8,
  0.6666666666666735, // L1 … L7
  0.3999999999940942,
  0.2857142874366239,
  0.22222198432149784,
  0.1818357216161805,
  0.15313837699209373,
  0.14798198605116586,
  2.2250738585072014e-308, // the smallest normal number
  1,
  2,
  0.5,
  5.054e-321, // 1023 as an integer: the bias of exponents
  1023, // the same as a number
])
// their places
const INV_LN2: usize = 0
const TO_INTEGER: usize = 8
const LN2_HIGH: usize = 16
const LN2_LOW: usize = 24
const LOWEST: usize = 32
const P1: usize = 40
const P2: usize = 48
const P3: usize = 56
const P4: usize = 64
const P5: usize = 72
const L1: usize = 80
const L2: usize = 88
const L3: usize = 96
const L4: usize = 104
const L5: usize = 112
const L6: usize = 120
const L7: usize = 128
const SMALLEST_NORMAL: usize = 136
const ONE: usize = 144
const TWO: usize = 152
const HALF: usize = 160
const BIAS: usize = 168
const BIAS_NUMBER: usize = 176

function constant(place: usize): v128 {
  return v128.load_splat<f64>(CONSTANTS + place)
}

/**
 * e^x for x ≤ 0 comes in two halves, for loops of their own: a processor looks some hundred instructions ahead, and of the whole it would
 * see hardly more than one. Reduced to r, c = r − r² (P1 + P2 r² + …).
 */
export function expSeries(x: v128): v128 {
  const toInteger = constant(TO_INTEGER)
  const k = f64x2.sub(f64x2.add(f64x2.mul(x, constant(INV_LN2)), toInteger), toInteger)
  const high = f64x2.sub(x, f64x2.mul(k, constant(LN2_HIGH)))
  const r = f64x2.sub(high, f64x2.mul(k, constant(LN2_LOW)))
  const t = f64x2.mul(r, r)
  let c = f64x2.add(constant(P4), f64x2.mul(t, constant(P5)))
  c = f64x2.add(constant(P3), f64x2.mul(t, c))
  c = f64x2.add(constant(P2), f64x2.mul(t, c))
  c = f64x2.add(constant(P1), f64x2.mul(t, c))
  return f64x2.sub(r, f64x2.mul(t, c))
}

/** The second half: e^x, 0 below about −708.4, where k is nonsense, and what comes of it dropped at the end. */
export function expOf(x: v128, c: v128): v128 {
  const toInteger = constant(TO_INTEGER)
  const shifted = f64x2.add(f64x2.mul(x, constant(INV_LN2)), toInteger)
  const k = f64x2.sub(shifted, toInteger)
  const high = f64x2.sub(x, f64x2.mul(k, constant(LN2_HIGH)))
  const low = f64x2.mul(k, constant(LN2_LOW))
  const r = f64x2.sub(high, low)
  const quotient = f64x2.div(f64x2.mul(r, c), f64x2.sub(constant(TWO), c))
  const y = f64x2.sub(constant(ONE), f64x2.sub(f64x2.sub(low, quotient), high))
  // y · 2^k: the low bits of k + 1.5 · 2^52 are those of k
  const result = f64x2.mul(y, i64x2.shl(i64x2.add(shifted, constant(BIAS)), 52))
  return v128.andnot(result, f64x2.lt(x, constant(LOWEST)))
}

const WHOLE = memory.data<i64>([
  0xffffffff00000000, // the high word
  (0x3ff00000 - 0x3fe6a09e) << 32, // to √½
  2046,
])

function wholeConstant(place: usize): v128 {
  return v128.load_splat<i64>(WHOLE + place)
}

const TWO_54: f64 = 18014398509481984

/** ln x; −Infinity at 0, NaN below. Numbers that are too small to be normal are multiplied by 2^54 first. */
export function log(given: v128): v128 {
  const small = f64x2.lt(given, constant(SMALLEST_NORMAL))
  const x = v128.bitselect(f64x2.mul(given, f64x2.splat(TWO_54)), given, small)
  const exponent = exponentOf(x)
  const k = f64x2.sub(powerOf(exponent), v128.and(f64x2.splat(54), small))
  let result = logOf(fractionOf(x, exponent), k)
  result = v128.bitselect(x, result, f64x2.eq(x, f64x2.splat(Infinity)))
  result = v128.bitselect(f64x2.splat(-Infinity), result, f64x2.eq(x, f64x2.splat(0)))
  return v128.bitselect(result, f64x2.splat(NaN), f64x2.ge(x, f64x2.splat(0)))
}

/** The same of numbers known to be above 0, not subnormal and not infinite: without the questions. */
export function logNormal(x: v128): v128 {
  const exponent = exponentOf(x)
  return logOf(fractionOf(x, exponent), powerOf(exponent))
}

/** x = (1 + f)·2^k: the exponent that stands in its bits once the cut is moved to √½, f, and k. */
function exponentOf(x: v128): v128 {
  return i64x2.shr_u(i64x2.add(v128.and(x, wholeConstant(0)), wholeConstant(8)), 52)
}

function fractionOf(x: v128, exponent: v128): v128 {
  const scale = i64x2.shl(i64x2.sub(wholeConstant(16), exponent), 52) // 2^(1023 − exponent)
  return f64x2.sub(f64x2.mul(x, scale), constant(ONE))
}

function powerOf(exponent: v128): v128 {
  const packed = v128.shuffle<i32>(exponent, exponent, 0, 2, 0, 2)
  return f64x2.sub(f64x2.convert_low_i32x4_s(packed), constant(BIAS_NUMBER))
}

/** ln((1 + f)·2^k), √½ ≤ 1 + f < √2 */
function logOf(f: v128, k: v128): v128 {
  const h = f64x2.mul(f64x2.mul(constant(HALF), f), f)
  const s = f64x2.div(f, f64x2.add(constant(TWO), f))
  const z = f64x2.mul(s, s)
  const w = f64x2.mul(z, z)
  return putTogether(f, k, h, f64x2.mul(s, f64x2.add(h, f64x2.add(oddPart(z, w), evenPart(w)))))
}

function evenPart(w: v128): v128 {
  const even = f64x2.add(constant(L4), f64x2.mul(w, constant(L6)))
  return f64x2.mul(w, f64x2.add(constant(L2), f64x2.mul(w, even)))
}

function oddPart(z: v128, w: v128): v128 {
  let odd = f64x2.add(constant(L5), f64x2.mul(w, constant(L7)))
  odd = f64x2.add(constant(L3), f64x2.mul(w, odd))
  return f64x2.mul(z, f64x2.add(constant(L1), f64x2.mul(w, odd)))
}

function putTogether(f: v128, k: v128, h: v128, series: v128): v128 {
  const low = f64x2.sub(f64x2.add(series, f64x2.mul(k, constant(LN2_LOW))), h)
  return f64x2.add(f64x2.add(low, f), f64x2.mul(k, constant(LN2_HIGH)))
}

/** logNormal of numbers that stand side by side, so many bytes of them; four at a time, which read the constants together. */
export function logNormals(from: usize, to: usize, bytes: usize): void {
  let at: usize = 0
  for (; at + 32 <= bytes; at += 32) {
    const a = v128.load(from + at)
    const b = v128.load(from + at, 16)
    const ea = exponentOf(a)
    const eb = exponentOf(b)
    const fa = fractionOf(a, ea)
    const fb = fractionOf(b, eb)
    const ha = f64x2.mul(f64x2.mul(constant(HALF), fa), fa)
    const hb = f64x2.mul(f64x2.mul(constant(HALF), fb), fb)
    const sa = f64x2.div(fa, f64x2.add(constant(TWO), fa))
    const sb = f64x2.div(fb, f64x2.add(constant(TWO), fb))
    const za = f64x2.mul(sa, sa)
    const zb = f64x2.mul(sb, sb)
    const wa = f64x2.mul(za, za)
    const wb = f64x2.mul(zb, zb)
    const ra = f64x2.mul(sa, f64x2.add(ha, f64x2.add(oddPart(za, wa), evenPart(wa))))
    const rb = f64x2.mul(sb, f64x2.add(hb, f64x2.add(oddPart(zb, wb), evenPart(wb))))
    v128.store(to + at, putTogether(fa, powerOf(ea), ha, ra))
    v128.store(to + at, putTogether(fb, powerOf(eb), hb, rb), 16)
  }
  for (; at < bytes; at += 8) {
    store<f64>(to + at, f64x2.extract_lane(logNormal(v128.load_splat<f64>(from + at)), 0))
  }
}
