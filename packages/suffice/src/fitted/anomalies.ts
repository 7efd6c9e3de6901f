/** Rows that are stranger than almost all others: log-density below a quantile of what is usual. */
import type { Data } from "../data/read.ts"
import { refuseUnknown, SufficeError, show, wrongOption } from "../errors.ts"
import type { SolvedModel } from "./knowledge.ts"
import { logDensities } from "./log-density.ts"

export interface AnomalyOptions {
  /** The share of usual rows that may be called strange by mistake. */
  readonly quantile?: number
  /** Log-densities of usual rows, from `logDensity`; without them, those of the given rows. */
  readonly usual?: ArrayLike<number>
}

export interface Anomalies {
  /** ln p(row); the lower, the stranger. Rows with more cells missing have fewer terms: compare like with like. */
  readonly scores: Float64Array
  readonly threshold: number
  /** The rows below the threshold, strangest first. */
  readonly rows: readonly number[]
}

export function anomaliesOf(solved: SolvedModel, data: Data, options: AnomalyOptions): Anomalies {
  refuseUnknown("anomalies", options, ["quantile", "usual"])
  const { quantile = 0.01, usual } = options
  if (typeof quantile !== "number" || !(quantile >= 0 && quantile <= 1)) {
    throw wrongOption(
      "anomalies",
      "quantile",
      quantile,
      "It is a share of rows, so it lies between 0 and 1. Leave it out for 0.01.",
    )
  }
  checkUsual(usual)
  const scores = logDensities(solved, data)
  const threshold = quantileOf(usual ?? scores, quantile)
  const rows = [...scores.keys()].filter(i => scores[i] < threshold).sort((a, b) => scores[a] - scores[b])
  return { scores, threshold, rows }
}

function checkUsual(usual: ArrayLike<number> | undefined): void {
  if (usual === undefined) return
  const isList = Array.isArray(usual) || ArrayBuffer.isView(usual)
  const bad = isList ? Array.from(usual).findIndex(value => typeof value !== "number" || value !== value) : -1
  if (isList && bad < 0) return
  throw new SufficeError(
    "option",
    `anomalies: usual ${isList ? `holds ${show(usual[bad])} at ${bad}` : `is ${show(usual)}`}. It lists log-densities of usual rows. Give what logDensity() returned for them.`,
    { option: "usual" },
  )
}

/** The value below which this share of the others lies, interpolated between neighbours (Hyndman & Fan 1996, type 7). */
function quantileOf(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort()
  if (sorted.length === 0) return -Infinity
  const at = share * (sorted.length - 1)
  const below = Math.floor(at)
  const above = Math.min(below + 1, sorted.length - 1)
  // Equal neighbours need no interpolation; between −∞ and a number there is none, and −∞ lies below the number.
  if (at === below || sorted[below] === sorted[above]) return sorted[below]
  if (sorted[below] === -Infinity) return sorted[above]
  return sorted[below] + (at - below) * (sorted[above] - sorted[below])
}
