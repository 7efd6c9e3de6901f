// The natural logarithm, the same bits on every engine. After fdlibm e_log.c and s_log1p.c (Sun 1993).
//
//   x = 2^k (1 + f),  √½ ≤ 1 + f < √2      ln x = k ln 2 + ln(1 + f)
//   s = f / (2 + f):  ln(1 + f) = 2 atanh(s) = f − f²/2 + s (f²/2 + R(s²))
//
// Measured against mpmath on 20,000 points or more each: log and log1p err by at most 0.78 ulp.
//
// fdlibm: Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunSoft, a Sun
// Microsystems, Inc. business. Permission to use, copy, modify, and distribute this software is freely
// granted, provided that this notice is preserved.

import { highWord, powersOfTwo } from "./float64.ts"

const LN2_HIGH = 0.6931471803691238 // 33 bits: k · LN2_HIGH is exact
const LN2_LOW = 1.9082149292705877e-10

const L1 = 0.6666666666666735
const L2 = 0.3999999999940942
const L3 = 0.2857142874366239
const L4 = 0.22222198432149784
const L5 = 0.1818357216161805
const L6 = 0.15313837699209373
const L7 = 0.14798198605116586

const SMALLEST_NORMAL = 2.2250738585072014e-308
const TWO_54 = 18014398509481984
const TO_SQRT_HALF = 0x3ff00000 - 0x3fe6a09e // moves the cut between exponents from 1 to √½

/** ln x; −Infinity at 0, NaN below. */
export function log(x: number): number {
  let shift = 1023
  if (!(x >= SMALLEST_NORMAL)) {
    if (x === 0) return -Infinity
    if (!(x > 0)) return NaN
    x *= TWO_54
    shift += 54
  } else if (x === Infinity) return x
  const exponent = (highWord(x) + TO_SQRT_HALF) >> 20 // k + 1023, of x as it is now
  const f = x * powersOfTwo[1074 + 1023 - exponent] - 1
  const k = exponent - shift
  const h = 0.5 * f * f
  return seriesPart(f, h) + k * LN2_LOW - h + f + k * LN2_HIGH
}

/** ln(1 + x), accurate where x is small. */
export function log1p(x: number): number {
  if (!(x > -1)) return x === -1 ? -Infinity : NaN
  if (x > -1.1e-16 && x < 1.1e-16) return x // also keeps −0 and subnormals
  if (x > -0.2928932188134524 && x < 0.41421356237309503) {
    const h = 0.5 * x * x
    return seriesPart(x, h) - h + x
  }
  if (x === Infinity) return x
  const u = 1 + x
  const exponent = (highWord(u) + TO_SQRT_HALF) >> 20
  const k = exponent - 1023
  // ln(1 + x) = ln u + lost / u, where lost is what rounding took from 1 + x
  const lost = k >= 54 ? 0 : (k >= 2 ? 1 - (u - x) : x - (u - 1)) / u
  const f = u * powersOfTwo[1074 + 1023 - exponent] - 1
  const h = 0.5 * f * f
  return seriesPart(f, h) + (k * LN2_LOW + lost) - h + f + k * LN2_HIGH
}

// s (f²/2 + R(s²)),  R(z) = L1 z + L2 z² + … + L7 z⁷
function seriesPart(f: number, h: number): number {
  const s = f / (2 + f)
  const z = s * s
  const w = z * z
  const even = w * (L2 + w * (L4 + w * L6))
  const odd = z * (L1 + w * (L3 + w * (L5 + w * L7)))
  return s * (h + (odd + even))
}
