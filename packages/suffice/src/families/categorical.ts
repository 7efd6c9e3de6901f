/**
 * One of finitely many levels per cell.
 *
 *     ln p(x = l) = θ_l      s(x) = 1[x = l]      θ_l = ln(n_l / n)
 *     prior: α pseudo-counts per level (Dirichlet), α = 1 is Laplace: (n_l + 1) / (n + L)
 *
 * A level never seen in training counts as missing, and is reported.
 */
import type { Level } from "../contract/cells.ts"
import type { Family, FamilyKind } from "../contract/family.ts"
import type { Json } from "../contract/report.ts"
import { type LevelColumn, levelLeaf } from "./level-leaf.ts"
import { declaredLevels, known, knownOptions, pseudoRows } from "./options.ts"
import type { LevelsPrior } from "./priors.ts"

export interface CategoricalOptions<L extends Level = Level> {
  /** All levels, if the data may not contain each of them. By default they are discovered. */
  readonly levels?: readonly L[]
  /** Pseudo-counts per level at prior strength 1. */
  readonly prior?: number | LevelsPrior
}

export function categorical<const L extends Level = Level>(
  options: CategoricalOptions<L> = {},
): Family<number extends L ? Level : L> {
  return made(known("categorical", options, ["levels", "prior"]))
}

function made({ levels: given, prior = 1 }: CategoricalOptions): Family<never> {
  const alpha = pseudoRows("categorical", prior)
  const levels = given === undefined ? undefined : declaredLevels("categorical", "levels", given)
  return {
    name: "categorical",
    options: levels ? { levels, prior: prior as Json } : { prior: prior as Json },
    need: levels ? { kind: "level", levels } : { kind: "level" },
    measure: "mass",
    bind: (columns, places, slots) => levelLeaf(columns[0] as LevelColumn, places[0], slots, alpha),
  }
}

export const categoricalKind: FamilyKind = {
  name: "categorical",
  make: options =>
    categorical(knownOptions("categorical", options, ["levels", "prior"]) as CategoricalOptions),
  suits: column => {
    if (column.strings === 0 || column.strings !== column.rows - column.missing) return undefined
    // few distinct values (below the cap of counting) that recur; phrases must recur often, or they are texts
    const phrases = column.texts * 2 >= column.strings
    const few = phrases
      ? column.distinct * 10 <= column.strings
      : column.distinct <= 20 || column.distinct * 2 <= column.strings
    return few && column.distinct < 1000
      ? `${column.distinct} different ${phrases ? "phrases" : "words"} in ${column.strings} cells`
      : undefined
  },
  specimens: [
    { options: {}, cell: dice => ["red", "green", "blue"][dice.integer(3)] },
    { options: { levels: [1, 2, 3, 4], prior: 0.5 }, cell: dice => 1 + dice.integer(4) },
  ],
}
