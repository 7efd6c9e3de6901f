/** A fitted model as tagged, versioned plain data. Parameters are not written: θ = θ(statistics + prior·α). */
import type { Column } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import type { Diagnostic, Json } from "../contract/report.ts"
import { float64ToBase64 } from "../kernels/base64.ts"
import { encodePlain } from "./plain.ts"

export const FORMAT = "suffice"
export const VERSION = 1

export interface SavedModel {
  readonly format: typeof FORMAT
  readonly version: typeof VERSION
  /** The declaration: a tree of structures and families by name. */
  readonly model: Json
  readonly columns: Json
  readonly labels: Json
  /** The column it answers for where none is named, if that is not the label of its structure. */
  readonly target?: string
  /** Strength of the prior. */
  readonly prior: Json
  /** Base64 of little-endian doubles, in the order in which the model lays them out. */
  readonly statistics: string
  /** It is a posterior: answers integrate over the parameters. */
  readonly belief?: true
  /** The spread within slots, if learning kept it fixed, in the same form; otherwise it follows from the statistics. */
  readonly spread?: string
  /** How the model was trained; null if it was specified by hand. */
  readonly training: Json
  readonly diagnostics: Json
  /** How posteriors are corrected, if they are. */
  readonly calibration?: Json
}

/** The parts of a fitted model that are saved. */
export interface Savable {
  readonly model: Model
  readonly schema: { readonly columns: readonly Column[]; readonly labels: readonly string[] }
  readonly stats: Float64Array
  readonly prior: number
  readonly spread?: Float64Array | undefined
  readonly training: object | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly calibration?: object | undefined
}

export function save(known: Savable): SavedModel {
  const { model, schema, stats, prior, spread, training, diagnostics, calibration } = known
  return {
    format: FORMAT,
    version: VERSION,
    model: encodePlain(model.spec, "model"),
    columns: encodePlain(schema.columns, "columns"),
    labels: encodePlain(schema.labels, "labels"),
    ...(isNamed(model) && { target: model.target! }),
    prior: encodePlain(prior, "prior"),
    statistics: float64ToBase64(stats),
    ...(model.beliefs && { belief: true as const }),
    ...(spread && spread.length > 0 && { spread: float64ToBase64(spread) }),
    training: encodePlain(training ?? null, "training"),
    diagnostics: encodePlain(diagnostics, "diagnostics"),
    ...(calibration && { calibration: encodePlain(calibration, "calibration") }),
  }
}

/** A target that the structure does not say itself. */
function isNamed({ target, uses }: Model): boolean {
  return target !== undefined && firstLabel(uses) !== target
}

/** The first label, that of the steps of a chain included. */
function firstLabel(uses: Model["uses"]): string | undefined {
  for (const { role, column, need } of uses) {
    const label = role === "label" ? column : need.kind === "steps" ? firstLabel(need.uses) : undefined
    if (label !== undefined) return label
  }
  return undefined
}
