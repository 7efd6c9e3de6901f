/** `suffice/structure`: Bayesian networks found in rows. What is found is a declared model, for `fit` of `suffice`. */

export type { LeftOut } from "./structure/columns.ts"
export type { Arrow, KnownArrows } from "./structure/constraints.ts"
export type { Search, StructureOptions } from "./structure/options.ts"
export type { ScoreName } from "./structure/scores.ts"
export { type ArcStrength, arcStrengths, type StrengthOptions } from "./structure/strengths.ts"
export { type Edge, type Structure, structure } from "./structure/structure.ts"
