/** Every family that saving, auto() and the laws know, in the order in which auto() asks them. */
import type { FamilyKind } from "../contract/family.ts"
import { bernoulliKind } from "./bernoulli.ts"
import { betaKind } from "./beta.ts"
import { categoricalKind } from "./categorical.ts"
import { exponentialKind } from "./exponential.ts"
import { gammaKind } from "./gamma.ts"
import { gaussianKind } from "./gaussian.ts"
import { geometricKind } from "./geometric.ts"
import { linearKind } from "./linear/linear.ts"
import { logNormalKind } from "./log-normal.ts"
import { multinomialKind } from "./multinomial.ts"
import { negativeBinomialKind } from "./negative-binomial.ts"
import { normalKind } from "./normal/normal.ts"
import { poissonKind } from "./poisson.ts"
import { topicsKind } from "./topics/topics.ts"
import { wordSetKind } from "./word-set.ts"

// gaussian suits any numeric column, so more specific families come before it
export const families: readonly FamilyKind[] = [
  bernoulliKind,
  categoricalKind,
  multinomialKind,
  poissonKind,
  gaussianKind,
  normalKind,
  linearKind,
  exponentialKind,
  gammaKind,
  logNormalKind,
  betaKind,
  geometricKind,
  negativeBinomialKind,
  wordSetKind,
  topicsKind,
]
