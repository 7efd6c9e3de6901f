/** `bayes()`: the learner with the beliefs of all families that have one. */
import { beliefs } from "../beliefs/list.ts"
import type { Learner } from "../contract/learner.ts"
import { type BayesOptions, bayesWith } from "../learners/bayes.ts"

/** A learner of posteriors over the parameters: exact where nothing is hidden, else variational. */
export function bayes(options: BayesOptions = {}): Learner {
  return bayesWith(beliefs, options)
}
