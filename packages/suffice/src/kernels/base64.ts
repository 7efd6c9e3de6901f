// Base64 (RFC 4648, the standard alphabet, padded): three bytes as four characters of six bits.
// Numbers are stored as little-endian doubles on every machine.

import { littleEndian } from "./float64.ts"

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
const PADDING = 61 // "="
const INVALID = 64

const encoding = /* @__PURE__ */ new Uint8Array(64)
const decoding = /* @__PURE__ */ new Uint8Array(256).fill(INVALID)
for (let i = 0; i < 64; i++) {
  encoding[i] = ALPHABET.charCodeAt(i)
  decoding[encoding[i]] = i
}

const CHUNK = 8192 // characters per String.fromCharCode: well below any engine's limit on arguments

/** The bytes as text. */
export function toBase64(bytes: Uint8Array): string {
  const codes: number[] = new Array(Math.min(CHUNK, Math.ceil(bytes.length / 3) * 4))
  const padding = (3 - (bytes.length % 3)) % 3
  let text = ""
  let to = 0
  for (let i = 0; i < bytes.length; i += 3) {
    if (to === CHUNK) {
      text += String.fromCharCode.apply(null, codes)
      to = 0
    }
    const three = (bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2] // past the end: undefined is 0
    codes[to++] = encoding[three >> 18]
    codes[to++] = encoding[(three >> 12) & 63]
    codes[to++] = encoding[(three >> 6) & 63]
    codes[to++] = encoding[three & 63]
  }
  for (let i = 1; i <= padding; i++) codes[to - i] = PADDING
  return text + String.fromCharCode.apply(null, codes.slice(0, to))
}

/** The bytes again; undefined where the text is nothing `toBase64` could have written. */
export function fromBase64(text: string): Uint8Array | undefined {
  const length = text.length
  if (length % 4 !== 0) return undefined
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0
  const bytes = new Uint8Array((length / 4) * 3 - padding)
  const whole = padding > 0 ? length - 4 : length
  let seen = 0 // every six bits, or-ed: bit 6 is set by a character outside the alphabet
  let to = 0
  for (let i = 0; i < whole; i += 4) {
    const a = sixBits(text, i)
    const b = sixBits(text, i + 1)
    const c = sixBits(text, i + 2)
    const d = sixBits(text, i + 3)
    seen |= a | b | c | d
    bytes[to++] = (a << 2) | (b >> 4)
    bytes[to++] = (b << 4) | (c >> 2)
    bytes[to++] = (c << 6) | d
  }
  if (padding > 0) {
    const a = sixBits(text, whole)
    const b = sixBits(text, whole + 1)
    const c = padding > 1 ? 0 : sixBits(text, whole + 2)
    seen |= a | b | c
    bytes[to++] = (a << 2) | (b >> 4)
    if (padding === 1) bytes[to++] = (b << 4) | (c >> 2)
    if ((padding === 1 ? c & 3 : b & 15) !== 0) return undefined // bits that belong to no byte
  }
  return seen & INVALID ? undefined : bytes
}

function sixBits(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 256 ? decoding[code] : INVALID
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
