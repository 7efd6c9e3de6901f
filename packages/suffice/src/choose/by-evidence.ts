/**
 * Choosing by evidence: ln p(rows | model), the parameters integrated out by bayes(). The lowest −ln p wins.
 *
 *     score = −( ELBO + Σ ln K! )        a posterior of K components has K! copies of itself, and a variational one finds one of them
 *
 * The default prior does not depend on K, so that the numbers of components compete on the same terms (engine/believe.ts).
 */

import { solvedOf } from "../answers/predictor.ts"
import type { Data } from "../data/read.ts"
import { logSymmetries } from "../engine/believe.ts"
import { list, SufficeError } from "../errors.ts"
import { byTrainingRows, type Judge } from "./by-training-rows.ts"
import type { Choice, ChooseOptions } from "./choose.ts"
import type { Pair } from "./trial.ts"

export async function byEvidence(
  pairs: readonly Pair[],
  data: Data,
  options: ChooseOptions,
): Promise<Choice> {
  const without = pairs.filter(({ by }) => !by.beliefs).map(({ learner }) => learner)
  if (without.length > 0) throw noEvidence([...new Set(without)])
  return byTrainingRows(pairs, data, JUDGE, options)
}

const JUDGE: Judge = {
  criterion: "evidence",
  of(fitted) {
    const { evidence, free } = fitted
    return { score: -(evidence.value + logSymmetries(solvedOf(fitted).known.laid)), free, evidence }
  },
  says: (score, trials) => `has the highest evidence of ${trials}, ln p(rows) = ${(-score).toPrecision(6)}.`,
}

function noEvidence(learners: readonly string[]): SufficeError {
  return new SufficeError(
    "option",
    `choose: the criterion is "evidence", but ${list(learners)} ${learners.length === 1 ? "keeps" : "keep"} no posterior. The evidence integrates over the parameters. Write { learners: { bayes: bayes() } }, with bayes from "suffice/learn".`,
    { option: "learners" },
  )
}
