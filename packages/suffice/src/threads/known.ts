/** Families that workers know: those of families/list.ts, by name alone, so that a page does not load those it does not use. */
export const KNOWN: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "bernoulli",
  "beta",
  "categorical",
  "exponential",
  "gamma",
  "gaussian",
  "geometric",
  "linear",
  "logNormal",
  "multinomial",
  "negativeBinomial",
  "normal",
  "poisson",
  "topics",
  "wordSet",
])
