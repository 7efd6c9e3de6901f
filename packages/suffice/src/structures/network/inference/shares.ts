/** p(configuration | context) by node in row 0, at c·P + p. */
import type { Inference } from "../inference.ts"
import type { LaidNode } from "../layout.ts"

export function sharesOf(
  inference: Inference,
  nodes: readonly LaidNode[],
  P: number,
  params: Float64Array,
): Float64Array[] {
  const all = nodes.map(({ part }) => new Float64Array(part.leaf.shape.slots))
  const seen = nodes.map((_, v) => inference.observed.configurations(v)[0])
  seen.forEach((c, v) => {
    if (c >= 0) all[v].fill(1, c * P, (c + 1) * P)
  })
  inference.posteriors(params, (v, _row, places, base, shares) => {
    if (seen[v] >= 0) return
    const { slots } = nodes[v].part.leaf.shape
    for (let e = 0, j = 0; e < places.length; e++)
      for (let p = 0; p < P; p++) all[v][((base + places[e]) % slots) + p] += shares[j++]
  })
  return all
}
