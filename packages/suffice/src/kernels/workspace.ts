/** Room to compute in, made once and used for block after block. */

/** A zeroed array of the wanted length that only grows. */
export function grow(): (length: number) => Float64Array {
  let room = new Float64Array(0)
  return length => {
    if (room.length < length) room = new Float64Array(length)
    else room.fill(0, 0, length)
    return room.length === length ? room : room.subarray(0, length)
  }
}

/** As `grow`, for codes; not zeroed. */
export function growCodes(): (length: number) => Int32Array {
  let room = new Int32Array(0)
  return length => {
    if (room.length < length) room = new Int32Array(length)
    return room.length === length ? room : room.subarray(0, length)
  }
}

/** out[l·size + j] += values[j], for every l. */
export function broadcast(values: Float64Array, size: number, out: Float64Array): void {
  for (let at = 0; at < out.length; at += size) {
    for (let j = 0; j < size; j++) out[at + j] += values[j]
  }
}
