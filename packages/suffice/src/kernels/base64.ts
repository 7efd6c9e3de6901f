// Base64 (RFC 4648, the standard alphabet, padded), by the engine's own coder, which takes text of one character per byte.
// Numbers are stored as little-endian doubles on every machine.

import { littleEndian } from "./float64.ts"

const CHUNK = 8192 // characters per String.fromCharCode: well below any engine's limit on arguments

/** The bytes as text. */
export function toBase64(bytes: Uint8Array): string {
  let text = ""
  for (let from = 0; from < bytes.length; from += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(from, from + CHUNK))
  }
  return btoa(text)
}

/** The bytes again; undefined where the text is nothing `toBase64` could have written. */
export function fromBase64(text: string): Uint8Array | undefined {
  let plain: string
  try {
    plain = atob(text)
  } catch {
    return undefined
  }
  // engines forgive white space, padding that is missing, and bits that belong to no byte
  if (btoa(plain) !== text) return undefined
  const bytes = new Uint8Array(plain.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = plain.charCodeAt(i)
  return bytes
}

/** The numbers as base64 of their little-endian bytes: exact, whatever the machine. */
export function float64ToBase64(values: Float64Array): string {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  return toBase64(littleEndian ? bytes : reversedEights(bytes))
}

/** The numbers again; undefined where the text is not base64 of whole doubles. */
export function float64FromBase64(text: string): Float64Array | undefined {
  const bytes = fromBase64(text)
  if (bytes === undefined || bytes.length % 8 !== 0) return undefined
  return new Float64Array((littleEndian ? bytes : reversedEights(bytes)).buffer)
}

function reversedEights(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length)
  for (let i = 0; i < out.length; i++) out[i] = bytes[i ^ 7]
  return out
}
