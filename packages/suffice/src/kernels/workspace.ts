/** Scratch arrays, allocated once and reused for block after block. */

/** A shared empty array. */
export const NOTHING: Float64Array = /* @__PURE__ */ new Float64Array(0)
const NO_CODES = /* @__PURE__ */ new Int32Array(0)

/** A zeroed array of the wanted length that only grows. */
export function grow(): (length: number) => Float64Array {
  let all = NOTHING
  let part = all
  return length => {
    if (all.length < length) {
      all = new Float64Array(length)
      part = all
      return part
    }
    if (part.length !== length) part = all.subarray(0, length)
    return part.fill(0)
  }
}

/** As `grow`; not zeroed. */
export function growUnset(): (length: number) => Float64Array {
  let all = NOTHING
  let part = all
  return length => {
    if (all.length < length) all = new Float64Array(length)
    if (part.length !== length) part = all.subarray(0, length)
    return part
  }
}

/** As `grow`, for codes; not zeroed. */
export function growCodes(): (length: number) => Int32Array {
  let all = NO_CODES
  let part = all
  return length => {
    if (all.length < length) all = new Int32Array(length)
    if (part.length !== length) part = all.subarray(0, length)
    return part
  }
}

/** out[l·size + j] += values[j], for every l. */
export function broadcast(values: Float64Array, size: number, out: Float64Array): void {
  for (let at = 0; at < out.length; at += size) {
    for (let j = 0; j < size; j++) out[at + j] += values[j]
  }
}

/** The range [at, at + length) of an array of the whole model. Remembers the last one: block after block asks for the same. */
export function view(at: number, length: number): (whole: Float64Array) => Float64Array {
  let last: Float64Array | undefined
  let part = NOTHING
  return whole => {
    if (whole !== last) {
      last = whole
      part = whole.subarray(at, at + length)
    }
    return part
  }
}
