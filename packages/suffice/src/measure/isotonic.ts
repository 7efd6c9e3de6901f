/**
 * The non-decreasing curve closest to weighted points: argmin Σ w (y − f(x))² over all f that never fall.
 * Pool adjacent violators (Ayer et al. 1955): while a block's mean is below that of the previous block, merge the two.
 * Points with the same x are first merged into their weighted mean.
 */

export interface Knot {
  readonly x: number
  readonly y: number
}

/** The first and last x of every block, x ascending; between them the curve is linear, outside it is flat. */
export function isotonic(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  weights: ArrayLike<number>,
): readonly Knot[] {
  const order = Array.from({ length: x.length }, (_, i) => i)
    .filter(i => weights[i] > 0)
    .sort((a, b) => x[a] - x[b] || a - b)
  const blocks: { from: number; to: number; sum: number; weight: number }[] = []
  for (const i of order) {
    const last = blocks[blocks.length - 1]
    if (last?.to === x[i] && last.from === x[i]) {
      last.sum += weights[i] * y[i]
      last.weight += weights[i]
    } else blocks.push({ from: x[i], to: x[i], sum: weights[i] * y[i], weight: weights[i] })
  }
  const pooled: typeof blocks = []
  for (const block of blocks) {
    pooled.push(block)
    for (;;) {
      const above = pooled[pooled.length - 1]
      const below = pooled[pooled.length - 2]
      if (!below || below.sum / below.weight < above.sum / above.weight) break
      pooled.pop()
      below.to = above.to
      below.sum += above.sum
      below.weight += above.weight
    }
  }
  return pooled.flatMap(({ from, to, sum, weight }) => {
    const y = sum / weight
    return from === to
      ? [{ x: from, y }]
      : [
          { x: from, y },
          { x: to, y },
        ]
  })
}

/** The curve at x. */
export function interpolate(knots: readonly Knot[], x: number): number {
  let low = 0
  let high = knots.length - 1
  if (x <= knots[low].x) return knots[low].y
  if (x >= knots[high].x) return knots[high].y
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (knots[middle].x <= x) low = middle
    else high = middle
  }
  const from = knots[low]
  const to = knots[high]
  return from.y + (to.y - from.y) * ((x - from.x) / (to.x - from.x))
}
