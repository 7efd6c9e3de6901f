/**
 * Calibration after learning: choose the map that makes the model's probabilities frequencies, on rows it has not learned
 * from (on its own training rows a model looks better than it is, and the map would keep it overconfident).
 */
import type { Data } from "../data/read.ts"
import { inMemory } from "../data/take.ts"
import { list, refuseUnknown, SufficeError, show, wrongOption } from "../errors.ts"
import type { Fitted } from "../fit/fitted.ts"
import { type Calibration, fitCalibration } from "../measure/calibration.ts"
import { expected } from "../option-checks.ts"
import { isNumber, type Judgeable, judgeLevels } from "./judge.ts"
import type { DataFor, LevelNameOf } from "./types.ts"

export interface CalibrateOptions<Name extends string = string> {
  /** "temperature": one number, safe on few rows, never changes which level wins. "isotonic": a smoothed curve per level, for a thousand rows or more; it never reaches 0 or 1. */
  readonly method?: Calibration["method"]
  /** The column whose probabilities are calibrated, if not the model's label. */
  readonly target?: Name
  /** The column of row weights. */
  readonly weight?: string
}

const METHODS: readonly Calibration["method"][] = ["temperature", "isotonic"]

/**
 * The map, as data. Rows whose target is missing are ignored, and so is a calibration the model already has:
 * `fitted.calibrated(map)` replaces it.
 */
export function calibrate<
  Cells,
  Target extends string,
  const Given,
  Name extends LevelNameOf<Cells> = Target & LevelNameOf<Cells>,
>(
  fitted: Fitted<Cells, Target>,
  rows: DataFor<Cells, Target, Given>,
  options: CalibrateOptions<Name> = {},
): Calibration {
  refuseUnknown("calibrate", options, ["method", "target", "weight"])
  const { method = "temperature", target, weight } = options
  if (!METHODS.includes(method)) {
    throw wrongOption(
      "calibrate",
      "method",
      method,
      `It must be one of ${list(METHODS)}. Leave it out for "temperature".`,
    )
  }
  expected("calibrate", "weight", weight, typeof weight === "string", "name a column", '{ weight: "count" }')
  if (isNumber(fitted as Fitted, target)) {
    throw new SufficeError(
      "target",
      `calibrate: ${show(target ?? fitted.model.target)} is a number. Only probabilities of levels are calibrated. Name a column with levels.`,
      { column: target },
    )
  }
  const batch = inMemory("calibrate", rows as Data)
  const raw = (fitted as Fitted).calibrated(undefined)
  const judged = judgeLevels("calibrate", raw as unknown as Judgeable, batch, { target, weight })
  return fitCalibration(judged.target, method, { ...judged, levels: judged.levels.length })
}
