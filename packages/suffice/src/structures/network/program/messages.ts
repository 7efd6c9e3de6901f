/** Steps of the upward pass on one clique: its densities, and its message. */
import { exp } from "../../../kernels/exp.ts"
import { log } from "../../../kernels/log.ts"
import type { Compiled, Mapped } from "./compiled.ts"
import { densityAt, type Evidence } from "./factors.ts"

/** T_c ← exp( Σ ln p − its maximum ), by context; the maxima go into ln Z. */
export function multiplyDensities(
  from: number,
  entries: number,
  densities: readonly Mapped[],
  evidence: Evidence,
  P: number,
  T: Float64Array,
  logZ: Float64Array,
): void {
  for (let p = 0; p < P; p++) {
    let most = -Infinity
    for (let e = 0; e < entries; e++) {
      let sum = 0
      for (const { node, map } of densities) sum += densityAt(evidence, node, map[e] + p)
      T[from + e * P + p] = sum
      most = Math.max(most, sum)
    }
    if (most > -Infinity) logZ[p] += most
    const shift = most > -Infinity ? most : 0
    for (let j = from + p; j < from + entries * P; j += P) T[j] = exp(T[j] - shift)
  }
}

/** The normalised message to the parent; the table is divided by the same. */
export function sumOut(
  { at, entries, shared, run, messageAt }: Compiled,
  P: number,
  T: Float64Array,
  m: Float64Array,
  logZ: Float64Array,
): void {
  for (let p = 0; p < P; p++) {
    let z = 0
    for (let s = 0; s < shared; s++) {
      let sum = 0
      for (let j = (at + s * run) * P + p, end = (at + (s + 1) * run) * P; j < end; j += P) sum += T[j]
      m[(messageAt + s) * P + p] = sum
      z += sum
    }
    logZ[p] += log(z)
    if (!(z > 0)) continue
    for (let s = 0; s < shared; s++) m[(messageAt + s) * P + p] /= z
    for (let j = at * P + p, end = (at + entries) * P; j < end; j += P) T[j] /= z
  }
}
