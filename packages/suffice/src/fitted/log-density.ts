/** ln p(what was seen of the row | θ): missing cells and hidden switches summed out. */
import { encodeForAsking } from "../data/ask.ts"
import type { Data } from "../data/read.ts"
import type { Laid } from "../engine/lay.ts"
import type { Asked } from "./knowledge.ts"

export function logDensities({ known, params }: Asked, data: Data): Float64Array {
  checkDensity(known.laid)
  let out: Float64Array | undefined
  let at = 0
  encodeForAsking(known.schema, data, undefined, (block, rows) => {
    out ??= new Float64Array(rows)
    known.laid.root.up(block, params, out.subarray(at, at + block.rows))
    at += block.rows
  })
  return out ?? new Float64Array(0)
}

/** Throws where the score of some leaf is no log-density. */
export function checkDensity({ parts }: Laid): void {
  for (const part of parts) if (part.part === "leaf") part.leaf.checkDensity?.()
}
