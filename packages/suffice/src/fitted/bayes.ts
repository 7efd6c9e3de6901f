/** `bayes()`: the learner with the beliefs of all families that have one. */
import { beliefs } from "../beliefs/list.ts"
import type { Learner } from "../contract/learner.ts"
import { type BayesOptions, bayesWith } from "../learners/bayes.ts"

export function bayes(options: BayesOptions = {}): Learner {
  return bayesWith(beliefs, options)
}
