/** The warnings of a run of EM. */
import type { Learnable } from "../contract/learnable.ts"
import type { LearnerStep } from "../contract/learner.ts"
import type { Diagnostic } from "../contract/report.ts"

/** `clamped`: how many slots are at the edge of the domain. */
export function diagnose(
  problem: Learnable,
  stats: Float64Array,
  clamped: number,
  stopped: LearnerStep["stopped"],
): Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  if (clamped > 0) {
    diagnostics.push({
      code: "held-at-floor",
      message: `${clamped} ${clamped === 1 ? "parameter set was" : "parameter sets were"} held at the edge of the domain (a variance near 0). More rows, fewer components or a larger prior would help.`,
    })
  }
  const all = stopped && stopped !== "counted" ? problem.starved(stats) : 0
  const inside = all > 0 ? problem.starvedInside(stats) : { count: 0, diagnostics: [] }
  diagnostics.push(...inside.diagnostics)
  const starved = all - inside.count
  if (starved > 0) {
    diagnostics.push({
      code: "starved-component",
      message: `${starved} ${starved === 1 ? "component holds" : "components hold"} less than one row. Fewer components may be enough.`,
    })
  }
  if (stopped === "maxIterations") {
    diagnostics.push({
      code: "not-converged",
      message:
        "the run ended at maxIterations while the objective was still rising. Give it more, or a larger tolerance.",
    })
  }
  return diagnostics
}
