/** `suffice/learn`: learning step by step, in a loop of your own, and the learners that see a few rows at a time. EM, the default, is in `suffice`. */

export { beliefs } from "./beliefs/list.ts"
export type { BeliefKind } from "./contract/belief.ts"
export { bayes } from "./fit/bayes.ts"
export { learn } from "./fit/fit.ts"
export type { BayesOptions } from "./learners/bayes.ts"
export { type OnlineEmOptions, onlineEm } from "./learners/online-em.ts"
export type { StepSize } from "./learners/schedule.ts"
export { type SdemOptions, sdem } from "./learners/sdem.ts"
