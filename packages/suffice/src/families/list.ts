/**
 * Every family that saving, auto() and the laws know, in the order in which auto() asks them, and the guide of each. After a change:
 * `npm run docs:api`.
 */
import type { FamilyKind } from "../contract/family.ts"
import type { Guide } from "../contract/guide.ts"
import { bernoulliGuide, bernoulliKind } from "./bernoulli.ts"
import { betaGuide, betaKind } from "./beta.ts"
import { categoricalGuide, categoricalKind } from "./categorical.ts"
import { exponentialGuide, exponentialKind } from "./exponential.ts"
import { gammaGuide, gammaKind } from "./gamma.ts"
import { gaussianGuide, gaussianKind } from "./gaussian.ts"
import { geometricGuide, geometricKind } from "./geometric.ts"
import { inverseGaussianGuide, inverseGaussianKind } from "./inverse-gaussian.ts"
import { linearGuide, linearKind } from "./linear/linear.ts"
import { logNormalGuide, logNormalKind } from "./log-normal.ts"
import { multinomialGuide, multinomialKind } from "./multinomial.ts"
import { negativeBinomialGuide, negativeBinomialKind } from "./negative-binomial.ts"
import { normalGuide, normalKind } from "./normal/normal.ts"
import { poissonGuide, poissonKind } from "./poisson.ts"
import { topicsGuide, topicsKind } from "./topics/topics.ts"
import { wordSetGuide, wordSetKind } from "./word-set.ts"

// gaussian suits any numeric column, so more specific families come before it
const kinds = {
  bernoulli: bernoulliKind,
  categorical: categoricalKind,
  multinomial: multinomialKind,
  poisson: poissonKind,
  gaussian: gaussianKind,
  normal: normalKind,
  linear: linearKind,
  exponential: exponentialKind,
  gamma: gammaKind,
  logNormal: logNormalKind,
  inverseGaussian: inverseGaussianKind,
  beta: betaKind,
  geometric: geometricKind,
  negativeBinomial: negativeBinomialKind,
  wordSet: wordSetKind,
  topics: topicsKind,
} satisfies Record<string, FamilyKind>

/** The kinds of families, in the order in which auto() asks them. */
export const families: readonly FamilyKind[] = /* @__PURE__ */ Object.values(kinds)

/** The name of a family of the list. */
export type FamilyName = keyof typeof kinds

/** The guide of every family, by name. */
export const guides = {
  bernoulli: bernoulliGuide,
  categorical: categoricalGuide,
  multinomial: multinomialGuide,
  poisson: poissonGuide,
  gaussian: gaussianGuide,
  normal: normalGuide,
  linear: linearGuide,
  exponential: exponentialGuide,
  gamma: gammaGuide,
  logNormal: logNormalGuide,
  inverseGaussian: inverseGaussianGuide,
  beta: betaGuide,
  geometric: geometricGuide,
  negativeBinomial: negativeBinomialGuide,
  wordSet: wordSetGuide,
  topics: topicsGuide,
} satisfies Record<FamilyName, Guide>
