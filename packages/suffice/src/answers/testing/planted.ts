/** Documents of which the topics are known. */
import { dice } from "../../random.ts"

const GROUPS = [
  ["sun", "moon", "star", "sky"],
  ["dog", "cat", "cow", "pig"],
  ["car", "bus", "train", "bike"],
] as const

/** Four words in five from the document's own group, the others from any; `label` names the group. */
export function planted(count: number, seed = 1): { label: string; words: string }[] {
  const draws = dice(seed)
  return Array.from({ length: count }, (_, i) => {
    const own = GROUPS[i % 3]
    const other = GROUPS[draws.integer(3)]
    const word = (): string => (draws.uniform() < 0.8 ? own : other)[draws.integer(4)]
    return { label: ["sky", "farm", "road"][i % 3], words: Array.from({ length: 20 }, word).join(" ") }
  })
}

/** θ by plain steps of n_k = Σ c_w θ_k φ_kw / Σ_j θ_j φ_jw, θ = (n + α)/(N + Σα). */
export function proportionsByHand(
  counts: readonly number[],
  phi: readonly (readonly number[])[],
  alpha: readonly number[],
): number[] {
  const total = alpha.reduce((a, b) => a + b, 0)
  const length = counts.reduce((a, b) => a + b, 0)
  let theta = alpha.map(a => a / total)
  for (let step = 0; step < 5000; step++) {
    const n = theta.map((share, k) =>
      counts.reduce((sum, c, w) => {
        const p = phi.reduce((all, words, j) => all + theta[j] * words[w], 0)
        return c === 0 ? sum : sum + (c * share * phi[k][w]) / p
      }, 0),
    )
    theta = n.map((count, k) => (count + alpha[k]) / (length + total))
  }
  return theta
}
