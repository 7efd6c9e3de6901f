/** Room to compute in, made once and used for block after block. */

/** What there is before anything is asked for: an array costs more than it holds. */
export const NOTHING: Float64Array = /* @__PURE__ */ new Float64Array(0)
const NO_CODES = /* @__PURE__ */ new Int32Array(0)

/** A zeroed array of the wanted length that only grows. */
export function grow(): (length: number) => Float64Array {
  let room = NOTHING
  let part = room
  return length => {
    if (room.length < length) {
      room = new Float64Array(length)
      part = room
      return part
    }
    if (part.length !== length) part = room.subarray(0, length)
    return part.fill(0)
  }
}

/** As `grow`, for codes; not zeroed. */
export function growCodes(): (length: number) => Int32Array {
  let room = NO_CODES
  let part = room
  return length => {
    if (room.length < length) room = new Int32Array(length)
    if (part.length !== length) part = room.subarray(0, length)
    return part
  }
}

/** out[l·size + j] += values[j], for every l. */
export function broadcast(values: Float64Array, size: number, out: Float64Array): void {
  for (let at = 0; at < out.length; at += size) {
    for (let j = 0; j < size; j++) out[at + j] += values[j]
  }
}
