/**
 * exp and log of two numbers at once: the same steps as src/kernels/exp.ts and log.ts, so the same bits.
 */

const LN2_HIGH: f64 = 0.6931471803691238
const LN2_LOW: f64 = 1.9082149292705877e-10
const INV_LN2: f64 = 1 / (LN2_HIGH + LN2_LOW)
const TO_INTEGER: f64 = 6755399441055744
const LOWEST: f64 = -708.396418532264
const HIGHEST: f64 = 709.782712893384

const P1: f64 = 0.16666666666666602
const P2: f64 = -0.0027777777777015593
const P3: f64 = 6.613756321437934e-5
const P4: f64 = -1.6533902205465252e-6
const P5: f64 = 4.1381367970572385e-8

/** e^x; 0 below about −708.4, Infinity above about 709.78. */
export function exp(x: v128): v128 {
  // Outside of the range k is nonsense, and what comes of it is replaced at the end.
  const shifted = f64x2.add(f64x2.mul(x, f64x2.splat(INV_LN2)), f64x2.splat(TO_INTEGER))
  const k = f64x2.sub(shifted, f64x2.splat(TO_INTEGER))
  const high = f64x2.sub(x, f64x2.mul(k, f64x2.splat(LN2_HIGH)))
  const low = f64x2.mul(k, f64x2.splat(LN2_LOW))
  const r = f64x2.sub(high, low)
  const t = f64x2.mul(r, r)
  let c = f64x2.add(f64x2.splat(P4), f64x2.mul(t, f64x2.splat(P5)))
  c = f64x2.add(f64x2.splat(P3), f64x2.mul(t, c))
  c = f64x2.add(f64x2.splat(P2), f64x2.mul(t, c))
  c = f64x2.add(f64x2.splat(P1), f64x2.mul(t, c))
  c = f64x2.sub(r, f64x2.mul(t, c))
  const quotient = f64x2.div(f64x2.mul(r, c), f64x2.sub(f64x2.splat(2), c))
  const y = f64x2.sub(f64x2.splat(1), f64x2.sub(f64x2.sub(low, quotient), high))
  // y · 2^k: the low bits of k + 1.5 · 2^52 are those of k
  let result = f64x2.mul(y, i64x2.shl(i64x2.add(shifted, i64x2.splat(1023)), 52))
  const largest = f64x2.ge(k, f64x2.splat(1024))
  if (v128.any_true(largest)) {
    const half = i64x2.shl(i64x2.add(shifted, i64x2.splat(1022)), 52)
    result = v128.bitselect(f64x2.mul(f64x2.mul(y, f64x2.splat(2)), half), result, largest)
  }
  result = v128.and(result, f64x2.ge(x, f64x2.splat(LOWEST)))
  result = v128.bitselect(f64x2.splat(Infinity), result, f64x2.gt(x, f64x2.splat(HIGHEST)))
  return v128.bitselect(x, result, f64x2.ne(x, x))
}

const L1: f64 = 0.6666666666666735
const L2: f64 = 0.3999999999940942
const L3: f64 = 0.2857142874366239
const L4: f64 = 0.22222198432149784
const L5: f64 = 0.1818357216161805
const L6: f64 = 0.15313837699209373
const L7: f64 = 0.14798198605116586

const SMALLEST_NORMAL: f64 = 2.2250738585072014e-308
const TWO_54: f64 = 18014398509481984
const TO_SQRT_HALF: i64 = (0x3ff00000 - 0x3fe6a09e) << 32

/** ln x; −Infinity at 0, NaN below. */
export function log(given: v128): v128 {
  const small = f64x2.lt(given, f64x2.splat(SMALLEST_NORMAL))
  const x = v128.bitselect(f64x2.mul(given, f64x2.splat(TWO_54)), given, small)
  const shift = v128.bitselect(f64x2.splat(1023 + 54), f64x2.splat(1023), small)
  // The low words are cleared before the sum, so that nothing is carried into the high ones.
  const top = v128.and(x, i64x2.splat(0xffffffff00000000))
  const exponent = i64x2.shr_u(i64x2.add(top, i64x2.splat(TO_SQRT_HALF)), 52)
  const scale = i64x2.shl(i64x2.sub(i64x2.splat(2046), exponent), 52) // 2^(1023 − exponent)
  const f = f64x2.sub(f64x2.mul(x, scale), f64x2.splat(1))
  const packed = v128.shuffle<i32>(exponent, exponent, 0, 2, 0, 2)
  const k = f64x2.sub(f64x2.convert_low_i32x4_s(packed), shift)
  const h = f64x2.mul(f64x2.mul(f64x2.splat(0.5), f), f)

  const s = f64x2.div(f, f64x2.add(f64x2.splat(2), f))
  const z = f64x2.mul(s, s)
  const w = f64x2.mul(z, z)
  let even = f64x2.add(f64x2.splat(L4), f64x2.mul(w, f64x2.splat(L6)))
  even = f64x2.mul(w, f64x2.add(f64x2.splat(L2), f64x2.mul(w, even)))
  let odd = f64x2.add(f64x2.splat(L5), f64x2.mul(w, f64x2.splat(L7)))
  odd = f64x2.add(f64x2.splat(L3), f64x2.mul(w, odd))
  odd = f64x2.mul(z, f64x2.add(f64x2.splat(L1), f64x2.mul(w, odd)))
  const series = f64x2.mul(s, f64x2.add(h, f64x2.add(odd, even)))

  let result = f64x2.add(
    f64x2.add(f64x2.sub(f64x2.add(series, f64x2.mul(k, f64x2.splat(LN2_LOW))), h), f),
    f64x2.mul(k, f64x2.splat(LN2_HIGH)),
  )
  result = v128.bitselect(x, result, f64x2.eq(x, f64x2.splat(Infinity)))
  result = v128.bitselect(f64x2.splat(-Infinity), result, f64x2.eq(x, f64x2.splat(0)))
  return v128.bitselect(result, f64x2.splat(NaN), f64x2.ge(x, f64x2.splat(0)))
}
