/** Rows that are stranger than almost all others: log-density below a quantile of what is usual. */
import { ownerOf, rowsOf } from "../blocks/encoded.ts"
import type { Nested } from "../contract/block.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import type { Data } from "../data/read.ts"
import { refuseUnknown, SufficeError, show, wrongOption } from "../errors.ts"
import { columnMemory } from "../kernels/twins.ts"
import { chainOf } from "./forecast.ts"
import type { SolvedModel } from "./knowledge.ts"
import { checkAsked, logDensities } from "./log-density.ts"

export interface AnomalyOptions {
  /** The share of usual rows that may be called strange by mistake. */
  readonly quantile?: number
  /** Log-densities of usual rows, from `logDensity`; without them, those of the given rows. */
  readonly usual?: ArrayLike<number>
  /** "step": the steps of a chain are judged one by one, each by ln p(step | the steps before it). */
  readonly by?: "row" | "step"
}

export interface Anomalies {
  /** ln p(row); the lower, the stranger. Rows with more cells missing have fewer terms: compare like with like. */
  readonly scores: Float64Array
  readonly threshold: number
  /** The rows below the threshold, strangest first. */
  readonly rows: readonly number[]
}

/** What is strange by step. */
export interface StepAnomalies {
  /** ln p(step | the steps before it), step t of row i at offsets[i] + t; those of a row add up to its log-density, but for the end. */
  readonly scores: Float64Array
  readonly offsets: Int32Array
  readonly threshold: number
  /** The steps below the threshold, strangest first. */
  readonly steps: readonly { readonly row: number; readonly step: number }[]
}

export function anomaliesOf(
  solved: SolvedModel,
  data: Data,
  options: AnomalyOptions,
): Anomalies | StepAnomalies {
  refuseUnknown("anomalies", options, ["quantile", "usual", "by"])
  const { quantile = 0.01, usual, by = "row" } = options
  if (by !== "row" && by !== "step")
    throw wrongOption("anomalies", "by", by, 'It is "row" or "step". Leave it out for rows.')
  if (typeof quantile !== "number" || !(quantile >= 0 && quantile <= 1)) {
    throw wrongOption(
      "anomalies",
      "quantile",
      quantile,
      "It is a share of rows, so it lies between 0 and 1. Leave it out for 0.01.",
    )
  }
  checkUsual(usual)
  const offsets: number[] = [0]
  const scores = by === "row" ? logDensities(solved, data) : stepDensities(solved, data, offsets)
  const threshold = quantileOf(usual ?? scores, quantile)
  const strange = [...scores.keys()].filter(i => scores[i] < threshold).sort((a, b) => scores[a] - scores[b])
  if (by === "row") return { scores, threshold, rows: strange }
  const ends = Int32Array.from(offsets)
  const steps = strange.map(at => {
    const row = ownerOf(ends, at)
    return { row, step: at - ends[row] }
  })
  return { scores, offsets: ends, threshold, steps }
}

/** ln p(step | the steps before it); adds where the steps of each row end. */
function stepDensities(solved: SolvedModel, data: Data, ends: number[]): Float64Array {
  const { known, params } = solved
  const { node, outer } = chainOf(solved, "anomalies", "steps cannot be judged by those before them")
  const scores: number[] = []
  const blocks = questionBlocks(known.schema, data, undefined, columnMemory())
  for (let block = blocks.next(); block; block = blocks.next()) {
    checkAsked(known.laid, block)
    for (let i = 0; i < block.rows; i++) {
      const row = rowsOf(block, i, i + 1)
      if ((row.cells[outer] as Nested).block.rows > 0)
        for (const score of node.walk!.sides(row, params).steps) scores.push(score)
      ends.push(scores.length)
    }
  }
  return Float64Array.from(scores)
}

function checkUsual(usual: ArrayLike<number> | undefined): void {
  if (usual === undefined) return
  const isList = Array.isArray(usual) || ArrayBuffer.isView(usual)
  const bad = isList ? Array.from(usual).findIndex(value => typeof value !== "number" || value !== value) : -1
  if (isList && bad < 0) return
  throw new SufficeError(
    "option",
    `anomalies: usual ${isList ? `holds ${show(usual[bad])} at ${bad}` : `is ${show(usual)}`}. It lists log-densities of usual rows. Give what logDensity() returned for them, or the scores that anomalies() gave.`,
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
