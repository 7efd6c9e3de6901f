/** The discriminative references that are shown beside what is chosen, each from the strongest penalty to the weakest. */
import { linearSvm, logisticRegression } from "suffice/baselines"
import type { BaselineLearner, Baselines } from "suffice/measure"

const STRENGTHS = [1 / 64, 1 / 8, 1, 8, 64]
/** As accurate as a comparison needs. */
const TOLERANCE = 1e-3

export const BASELINES: Baselines = {
  "logistic regression": STRENGTHS.map(
    c => logisticRegression({ c, tolerance: TOLERANCE }) as unknown as BaselineLearner,
  ),
  "linear SVM": STRENGTHS.map(
    c => linearSvm({ c, tolerance: TOLERANCE, maxIterations: 1000 }) as unknown as BaselineLearner,
  ),
}
