/** Which of the runs that have ended is the best. */
import type { Diagnostic } from "../contract.ts"

/** Of two ended runs. */
export function isBetter(step: Ranked, best: Ranked): boolean {
  if (isHeld(step) !== isHeld(best)) return isHeld(best)
  return step.objective > best.objective
}

interface Ranked {
  readonly objective: number
  readonly diagnostics: readonly Diagnostic[]
}

/** Does something stand at the edge of its domain, such as a variance near 0? */
export function isHeld({ diagnostics }: Pick<Ranked, "diagnostics">): boolean {
  return diagnostics.some(({ code }) => code === "held-at-floor")
}
