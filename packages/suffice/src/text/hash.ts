/**
 * A hash of a word's UTF-16 code units u: FNV-1a over 32 bits, a unit taking the place of an octet (of ASCII the two agree).
 *
 *     h ← 2166136261;  h ← (h xor u) · 16777619  mod 2^32, unit by unit
 *
 * The bucket of a word is mixed(h) mod buckets. The low bits of h know only the low bits of the units, so they are mixed first, by the
 * last step of MurmurHash3 (Appleby). Saved models depend on both: they must never change.
 */
export function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619)
  return hash >>> 0
}

/** Each bit depends on all others. */
function mixed(hash: number): number {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** "#123": what a bucket is called. Text holds no such word. */
export function bucketName(bucket: number): string {
  return `#${bucket}`
}

export function bucketNames(buckets: number): string[] {
  return Array.from({ length: buckets }, (_, bucket) => bucketName(bucket))
}

/** The bucket of the word text[from, to). A word that is called as a bucket is meant to be in it: so drawn bags can be read. */
export function bucketOf(text: string, from: number, to: number, buckets: number): number {
  if (text.charCodeAt(from) === 35) {
    const bucket = Number(text.slice(from + 1, to))
    if (
      Number.isInteger(bucket) &&
      bucket >= 0 &&
      bucket < buckets &&
      bucketName(bucket) === text.slice(from, to)
    )
      return bucket
  }
  return mixed(hashOf(text, from, to)) % buckets
}
