// The bits of a double, read and built without allocating.
//
//   x = ± 2^e · 1.m,  high word = sign (1) | e + 1023 (11) | top of m (20)

const double = /* @__PURE__ */ new Float64Array(1)
const words = /* @__PURE__ */ new Uint32Array(double.buffer)

/** Whether this machine stores the low byte first. */
export const littleEndian = /* @__PURE__ */ new Uint8Array(new Uint32Array([1]).buffer)[0] === 1

const HIGH = littleEndian ? 1 : 0
const LOW = 1 - HIGH

/** The upper 32 bits of x, as a signed integer: negative exactly when the sign bit is set. */
export function highWord(x: number): number {
  double[0] = x
  return words[HIGH] | 0
}

/** The lower 32 bits of x, as a signed integer. */
export function lowWord(x: number): number {
  double[0] = x
  return words[LOW] | 0
}

/** powersOfTwo[k + 1074] = 2^k for k = −1074 … 1023, every entry exact. */
export const powersOfTwo = /* @__PURE__ */ new Float64Array(2098)

powersOfTwo[1074] = 1
for (let k = 1; k <= 1023; k++) powersOfTwo[1074 + k] = powersOfTwo[1073 + k] * 2
for (let k = 1; k <= 1074; k++) powersOfTwo[1074 - k] = powersOfTwo[1075 - k] / 2
