/** `suffice/learn`: learning step by step, in a loop of your own, and the learners that see a few rows at a time. EM, the default, is in `suffice`. */

export { learn } from "./fitted/fit.ts"
export { type OnlineEmOptions, onlineEm } from "./learners/online-em.ts"
export type { StepSize } from "./learners/schedule.ts"
export { type SdemOptions, sdem } from "./learners/sdem.ts"
