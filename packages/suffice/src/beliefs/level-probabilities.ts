/** Posterior probabilities of levels: their description and their moments, for Dirichlet and stick-breaking priors. */
import type { About } from "../contract/belief.ts"
import type { Column } from "../contract/columns.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Description } from "../contract/report.ts"
import { exp } from "../kernels/exp.ts"
import type { held } from "./stand-in.ts"

type LevelColumn = Extract<Column, { kind: "level" }>

/** One probability or one per level, as the plain leaf describes them. */
export function described(
  plain: Leaf,
  { columns }: About,
  slot: number,
  of: (level: number) => ReturnType<typeof held>,
): Description {
  const names = (columns[0] as LevelColumn).levels.map(String)
  const isOne = "probability" in plain.describe(new Float64Array(plain.shape.parameters), slot)
  return isOne
    ? { probability: of(1) }
    : { probabilities: Object.fromEntries(names.map((name, l) => [name, of(l)])) }
}

/** stats += mass · p; e^θ is normalised, since Σ e^E[ln p] < 1. */
export function normalisedMoments(
  params: Float64Array,
  slots: number,
  levels: number,
  mass: Float64Array,
  stats: Float64Array,
): void {
  for (let p = 0; p < slots; p++) {
    let sum = 0
    for (let l = 0; l < levels; l++) sum += exp(params[l * slots + p])
    for (let l = 0; l < levels; l++) stats[l * slots + p] += (mass[p] * exp(params[l * slots + p])) / sum
  }
}
