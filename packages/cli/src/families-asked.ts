/** Families that a column is read as on request, without their code. Written by `npm run docs:api`. */
export const FAMILIES_ASKED = [
  "exponential",
  "gamma",
  "logNormal",
  "inverseGaussian",
  "beta",
  "geometric",
  "negativeBinomial",
] as const
