/** Which finished run is the best. */
import type { Diagnostic } from "../contract/report.ts"

/** Is the finished run that ended with `step` better than the one that ended with `best`? */
export function isBetter(step: Ranked, best: Ranked): boolean {
  if (isAtFloor(step) !== isAtFloor(best)) return isAtFloor(best)
  return step.objective > best.objective
}

interface Ranked {
  readonly objective: number
  readonly diagnostics: readonly Diagnostic[]
}

/** Did the run end with a parameter at the edge of its domain, such as a variance clamped near 0? */
export function isAtFloor({ diagnostics }: Pick<Ranked, "diagnostics">): boolean {
  return diagnostics.some(({ code }) => code === "held-at-floor")
}
