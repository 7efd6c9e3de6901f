/** Log-densities as sums of weighted features. */
import type { Weighted } from "../contract/leaf.ts"

/** ln p(x) = top − ½λ(x − μ)² = (top − ½λμ²) + λμ x − ½λ x² */
export function quadratic(column: string, mean: number, precision: number, top: number): Weighted[] {
  return [
    [{ kind: "1" }, top - 0.5 * precision * mean * mean],
    [{ kind: "x", column }, precision * mean],
    [{ kind: "x²", column }, -0.5 * precision],
  ]
}
