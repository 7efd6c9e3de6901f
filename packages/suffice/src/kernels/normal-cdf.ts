// Φ, the distribution function of the standard normal, and its inverse.
//
//   Φ(x) = ½ erfc(−x / √2), by the rational approximations of Cody (1969), as in his ANORM (TOMS 715, 1993):
//          |x| ≤ 0.66291        ½ + x A(x²) / B(x²)
//          |x| ≤ √32            exp(−x²/2) C(|x|) / D(|x|)          (the tail, 1 − Φ(|x|))
//          |x| > √32            exp(−x²/2) (1/√(2π) − P(1/x²) / (x² Q(1/x²))) / |x|
//   Φ⁻¹(p) by PPND16, algorithm AS 241 (Wichura 1988).
//
// Measured against mpmath on 20,000 points or more each, x ≥ −37.5 and p ≥ 1e-307: Φ errs by at most 5.5 ulp
// (8e-16 relative), Φ⁻¹ by 5.9 ulp (9e-16 relative).

import { exp } from "./exp.ts"
import { log } from "./log.ts"

const INV_SQRT_2PI = 0.3989422804014327

const A = /* @__PURE__ */ new Float64Array([
  0.06568233791820745, 2.2352520354606837, 161.02823106855587, 1067.6894854603709, 18154.98125334356,
])
const B = /* @__PURE__ */ new Float64Array([
  1, 47.202581904688245, 976.0985517377767, 10260.932208618979, 45507.78933502673,
])
const C = /* @__PURE__ */ new Float64Array([
  1.0765576773720192e-8, 0.39894151208813466, 8.883149794388377, 93.50665613217785, 597.2702763948002,
  2494.5375852903726, 6848.190450536283, 11602.65143764735, 9842.714838383978,
])
const D = /* @__PURE__ */ new Float64Array([
  1, 22.266688044328117, 235.387901782625, 1519.3775994075547, 6485.558298266761, 18615.571640885097,
  34900.95272114598, 38912.00328609327, 19685.429676859992,
])
const P = /* @__PURE__ */ new Float64Array([
  0.023073441764940174, 0.215898534057957, 0.12740116116024736, 0.022235277870649807, 0.0014216191932278934,
  2.9112874951168793e-5,
])
const Q = /* @__PURE__ */ new Float64Array([
  1, 1.284260096144911, 0.4682382124808651, 0.06598813786892856, 0.0037823963320275824, 7.297515550839662e-5,
])

// c_0 x^n + c_1 x^(n−1) + … + c_n
function polynomial(c: Float64Array, x: number): number {
  let sum = c[0]
  for (let i = 1; i < c.length; i++) sum = sum * x + c[i]
  return sum
}

/** Φ(x) = P(X ≤ x) for X ~ N(0, 1), with full relative accuracy down to the smallest normal double. */
export function normalCdf(x: number): number {
  const y = Math.abs(x)
  if (y <= 0.66291) return 0.5 + (x * polynomial(A, x * x)) / polynomial(B, x * x)
  if (!(y < 40)) return x < 0 ? 0 : x > 0 ? 1 : x
  const upper = bell(y) * (y <= 5.656854249492381 ? polynomial(C, y) / polynomial(D, y) : farTail(y))
  return x < 0 ? upper : 1 - upper
}

// exp(−y²/2), the square split so that the large part is exact: y = r + rest, r a multiple of 1/16
function bell(y: number): number {
  const r = Math.floor(y * 16) / 16
  return exp(-0.5 * r * r) * exp(-0.5 * (y - r) * (y + r))
}

function farTail(y: number): number {
  const z = 1 / (y * y)
  return (INV_SQRT_2PI - (z * polynomial(P, z)) / polynomial(Q, z)) / y
}

const CENTRE_TOP = /* @__PURE__ */ new Float64Array([
  2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946,
  1971.5909503065513, 133.14166789178438, 3.3871328727963665,
])
const CENTRE_BOTTOM = /* @__PURE__ */ new Float64Array([
  5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
  687.1870074920579, 42.31333070160091, 1,
])
const TAIL_TOP = /* @__PURE__ */ new Float64Array([
  0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
  5.769497221460691, 4.630337846156546, 1.4234371107496835,
])
const TAIL_BOTTOM = /* @__PURE__ */ new Float64Array([
  1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
  1.6763848301838038, 2.053191626637759, 1,
])
const FAR_TOP = /* @__PURE__ */ new Float64Array([
  2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124,
  0.29656057182850487, 1.7848265399172913, 5.463784911164114, 6.657904643501103,
])
const FAR_BOTTOM = /* @__PURE__ */ new Float64Array([
  2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133,
  0.014875361290850615, 0.1369298809227358, 0.599832206555888, 1,
])

/** Φ⁻¹(p), the x with Φ(x) = p; ∓Infinity at 0 and 1, NaN outside. */
export function normalQuantile(p: number): number {
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q
    return (q * polynomial(CENTRE_TOP, r)) / polynomial(CENTRE_BOTTOM, r)
  }
  if (!(p > 0 && p < 1)) return p === 0 ? -Infinity : p === 1 ? Infinity : NaN
  const r = Math.sqrt(-log(q < 0 ? p : 1 - p))
  const x =
    r <= 5
      ? polynomial(TAIL_TOP, r - 1.6) / polynomial(TAIL_BOTTOM, r - 1.6)
      : polynomial(FAR_TOP, r - 5) / polynomial(FAR_BOTTOM, r - 5)
  return q < 0 ? -x : x
}

/** P(X ≤ x) of N(mean, variance). */
export function normalBelow(x: number, mean: number, variance: number): number {
  return normalCdf((x - mean) / Math.sqrt(variance))
}
