/** The families whose parameters can be believed in. `bayes()` brings this list, and `load`: programs with neither do not carry it. */
import type { BeliefKind } from "../contract/belief.ts"
import { denseBelief } from "./dense.ts"
import { diagonalBelief } from "./diagonal.ts"
import { exponentialBelief } from "./exponential.ts"
import { gaussianBelief } from "./gaussian.ts"
import { geometricBelief } from "./geometric.ts"
import { bernoulliBelief, categoricalBelief } from "./levels.ts"
import { linearBelief } from "./linear.ts"
import { logNormalBelief } from "./log-normal.ts"
import { poissonBelief } from "./poisson.ts"
import { multinomialBelief, wordSetBelief } from "./words.ts"

const normalBelief: BeliefKind = {
  family: "normal",
  of: (plain, about) =>
    about.options.covariance === "full" || about.options.covariance === "tied"
      ? denseBelief(plain, about)
      : diagonalBelief(plain, about),
}

/** What families believe of their parameters: for loadPredictor, and for learners of your own. */
export const beliefs: readonly BeliefKind[] = [
  bernoulliBelief,
  categoricalBelief,
  exponentialBelief,
  gaussianBelief,
  geometricBelief,
  linearBelief,
  logNormalBelief,
  multinomialBelief,
  normalBelief,
  poissonBelief,
  wordSetBelief,
]
