/** FNV-1a (Fowler, Noll & Vo 1991), 32 bits: tells bytes from others. Two that differ in one byte never agree. */

export function digest(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193)
  return hash >>> 0
}

/** Of the bits of these numbers. */
export function digestOf(numbers: Float64Array): number {
  return digest(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength))
}
