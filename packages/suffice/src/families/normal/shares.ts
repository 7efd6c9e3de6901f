/**
 * How much each column contributes to a normal's log-density; δ = x − μ over the columns o that are seen:
 *
 *     share of column j = −½ δ_j (Σ_oo⁻¹ δ)_j − ½ ln 2πσ²_j − ½ ln |R| / |o|          R: the correlations of Σ_oo
 *     ln p(x) = (top − ½ μᵀPμ) + Σ_j (Pμ)_j x_j − ½ Σ_j P_jj x_j² − Σ_{j>k} P_jk x_j x_k          P = Σ⁻¹
 *
 * Each column has the normaliser of its own variance; the term of the correlations is split equally. So a diagonal Σ is split as
 * independent columns are.
 */
import type { Leaf, Weighted } from "../../contract/leaf.ts"
import { log } from "../../kernels/log.ts"
import { logDetFromCholesky, solveLower, solveUpper, triangle } from "../../kernels/triangle.ts"
import { quadratic } from "../features.ts"
import { LN_2PI, type NumberColumn } from "./columns.ts"
import type { Layout } from "./layout.ts"
import { factorWithRidge } from "./ridge.ts"

type Shares = Required<Pick<Leaf, "terms">>

export function denseShares(layout: Layout): Shares {
  const { d, places, columns, logScale } = layout
  return {
    terms: {
      contributions(block, params, slot, out) {
        const cell = (j: number): number => (block.cells[places[j]] as Float64Array)[0]
        const seen = places.map((_, j) => j).filter(j => !Number.isNaN(cell(j)))
        if (seen.length === 0) return
        const at = layout.covarianceAt(layout.matrixOf(slot))
        const delta = Float64Array.from(seen, j => cell(j) - params[layout.meanAt(slot) + j])
        const l = factorise(params, at, seen)
        const solved = delta.slice() // Σ_oo⁻¹ δ
        solveLower(l, 0, seen.length, solved, 0)
        solveUpper(l, 0, seen.length, solved, 0)
        const logVariance = seen.map(j => log(params[at + entry(j, j)]))
        let logCorrelation = logDetFromCholesky(l, 0, seen.length) // ln |R|
        for (const value of logVariance) logCorrelation -= value
        seen.forEach((j, k) => {
          const own = delta[k] * solved[k] + LN_2PI + logVariance[k] + logCorrelation / seen.length
          out[j] -= 0.5 * own + logScale[j]
        })
      },

      linear(params, slot) {
        const inverse = layout.inverseAt(layout.matrixOf(slot))
        const mean = (j: number): number => params[layout.meanAt(slot) + j]
        // P = L⁻ᵀL⁻¹
        const precision = new Float64Array(triangle(d))
        for (let i = 0, row = inverse; i < d; row += ++i) {
          for (let j = 0, to = 0; j <= i; j++) {
            for (let k = 0; k <= j; k++) precision[to++] += params[row + j] * params[row + k]
          }
        }
        let top = params[layout.topAt(layout.matrixOf(slot))]
        const terms: Weighted[] = []
        columns.forEach(({ name }, j) => {
          let pull = 0 // (Pμ)_j
          for (let k = 0; k < d; k++) pull += precision[entry(j, k)] * mean(k)
          top -= 0.5 * pull * mean(j)
          terms.push([{ kind: "x", column: name }, pull])
          terms.push([{ kind: "x²", column: name }, -0.5 * precision[entry(j, j)]])
          for (let k = 0; k < j; k++) {
            terms.push([{ kind: "xy", column: columns[k].name, other: name }, -precision[entry(j, k)]])
          }
        })
        return [[{ kind: "1" }, top], ...terms]
      },
    },
  }
}

/** Index of an entry of a packed symmetric matrix. */
function entry(j: number, k: number): number {
  return triangle(Math.max(j, k)) + Math.min(j, k)
}

/** L of Σ_oo = LLᵀ, packed. */
function factorise(params: Float64Array, at: number, seen: readonly number[]): Float64Array {
  const part = new Float64Array(triangle(seen.length))
  seen.forEach((j, a) => {
    for (let b = 0; b <= a; b++) part[triangle(a) + b] = params[at + entry(j, seen[b])]
  })
  const variance = Float64Array.from(seen, j => params[at + entry(j, j)])
  const l = new Float64Array(part.length)
  factorWithRidge(part, 0, seen.length, variance, l, 0)
  return l
}

/** Uncorrelated columns. `at`: the places of μ_j, 1/σ²_j and the log-density at μ_j in params. */
export function diagonalShares(
  columns: readonly NumberColumn[],
  places: readonly number[],
  at: (
    slot: number,
    j: number,
  ) => { readonly mean: number; readonly precision: number; readonly top: number },
): Shares {
  return {
    terms: {
      contributions(block, params, slot, out) {
        places.forEach((place, j) => {
          const { mean, precision, top } = at(slot, j)
          const delta = (block.cells[place] as Float64Array)[0] - params[mean]
          if (delta === delta) out[j] += params[top] - 0.5 * params[precision] * delta * delta
        })
      },

      linear: (params, slot) =>
        columns.flatMap(({ name }, j) => {
          const { mean, precision, top } = at(slot, j)
          return quadratic(name, params[mean], params[precision], params[top])
        }),
    },
  }
}
