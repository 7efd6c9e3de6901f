/** stats + strength · prior */
export function withPrior(stats: Float64Array, prior: Float64Array, strength: number): Float64Array {
  if (strength === 0) return stats
  const both = new Float64Array(stats.length)
  for (let j = 0; j < both.length; j++) both[j] = stats[j] + strength * prior[j]
  return both
}
