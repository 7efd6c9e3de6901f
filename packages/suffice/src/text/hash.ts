/**
 * A hash of a word's UTF-16 code units u: FNV-1a over 32 bits, with code units in place of octets (for ASCII the two agree).
 *
 *     h ← 2166136261;  h ← (h xor u) · 16777619  mod 2^32, unit by unit
 *
 * The bucket of a word is mixed(h) mod buckets. The low bits of h depend only on the low bits of the units, so they are mixed first, by the
 * finaliser of MurmurHash3 (Appleby). Saved models depend on both: they must never change.
 */
export function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619)
  return hash >>> 0
}

/** Makes every bit depend on all others. */
function mixed(hash: number): number {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** "#123", the name of a bucket. No word of a text looks like that. */
export function bucketName(bucket: number): string {
  return `#${bucket}`
}

export function bucketNames(buckets: number): string[] {
  return Array.from({ length: buckets }, (_, bucket) => bucketName(bucket))
}

/** The bucket of the word text[from, to). The name of a bucket falls into that bucket, so that sampled bags can be read back. */
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
