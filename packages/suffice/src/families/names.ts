/** Names of the families of list.ts, without their code. Written by `npm run docs:api`. */

export const FAMILY_NAMES: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "bernoulli",
  "categorical",
  "multinomial",
  "poisson",
  "gaussian",
  "normal",
  "linear",
  "exponential",
  "gamma",
  "logNormal",
  "inverseGaussian",
  "beta",
  "geometric",
  "negativeBinomial",
  "wordSet",
  "topics",
])

/** Families of a column of levels: a parent in a network that has rows in a table. */
export const LEVEL_FAMILIES: ReadonlySet<string> = /* @__PURE__ */ new Set(["bernoulli", "categorical"])
