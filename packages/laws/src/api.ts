/** The public names, loosely typed: laws make models and rows at run time, so their columns are unknown to the compiler. */
import type {
  Anomalies,
  AnomalyOptions,
  Cell,
  Columns,
  DecideOptions,
  Decision,
  Description,
  Diagnostic,
  Evidence,
  ExplainOptions,
  Explanation,
  FamilyKind,
  FitOptions,
  Imputed,
  ImputeOptions,
  Level,
  Linear,
  LinearOptions,
  LoosePrediction,
  Model,
  NumberPrediction,
  Prototypes,
  PrototypesOptions,
  SampleOptions,
  Training,
  UpdateOptions,
} from "suffice"
import * as index from "suffice"
import { learn as learnSteps } from "suffice/learn"

export type LooseRow = Readonly<Record<string, Cell>>
export type LooseData = readonly LooseRow[] | Columns | AsyncIterable<readonly LooseRow[] | Columns>

interface LooseQuestion {
  readonly target?: string
  readonly prior?: Readonly<Record<string, number>>
  readonly classWeights?: Readonly<Record<string, number>>
}

export interface LooseFitted {
  readonly training: Training | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly evidence: Evidence
  predict(rows: LooseData, options?: LooseQuestion & { coverage?: number }): LoosePrediction[]
  labels(rows: LooseData, options?: LooseQuestion): Level[]
  posterior(
    rows: LooseData,
    options?: LooseQuestion,
  ): { levels: readonly Level[]; probabilities: Float64Array; logs: Float64Array }
  logDensity(rows: LooseData): Float64Array
  responsibilities(rows: LooseData, options?: { of?: string }): Float64Array
  decide(rows: LooseData, options?: DecideOptions): Decision[]
  impute(rows: LooseData, options?: ImputeOptions): Imputed
  anomalies(rows: LooseData, options?: AnomalyOptions): Anomalies
  explain(row: LooseRow, options?: ExplainOptions): Explanation
  prototypes(rows: LooseData, options?: PrototypesOptions): Prototypes[]
  toLinear(options?: LinearOptions): Linear
  sample(count: number, options?: SampleOptions): LooseRow[]
  update(rows: LooseData, options?: UpdateOptions): Promise<LooseFitted>
  describe(): Description
  toJSON(): unknown
}

/** A pass of small steps with which a learner begins that climbs afterwards. */
export function isPass({ of }: LooseStep): boolean {
  return of !== undefined
}

export interface LooseStep {
  readonly of?: number
  readonly iteration: number
  readonly run: number
  readonly objective: number
  readonly stopped?: string
  readonly diagnostics: readonly Diagnostic[]
  fitted(): LooseFitted
}

export const fit = index.fit as unknown as (
  model: Model,
  data: LooseData,
  options?: FitOptions,
) => Promise<LooseFitted>

export const learn = learnSteps as unknown as (
  model: Model,
  data: LooseData,
  options?: FitOptions,
) => AsyncGenerator<LooseStep, void, void>

export const load = index.load as unknown as (
  json: unknown,
  options?: { families?: readonly FamilyKind[] },
) => LooseFitted

/** ln p of the rows; empty if documents are scaled: their score is not a density, and the model may refuse it. */
export function densities(model: Pick<LooseFitted, "logDensity">, rows: LooseData): Float64Array {
  try {
    return model.logDensity(rows)
  } catch (error) {
    if (error instanceof index.SufficeError && error.details.scaling !== undefined) return new Float64Array(0)
    throw error
  }
}

/** The answers about a numeric target. */
export function numbersOf(
  model: LooseFitted,
  rows: LooseData,
  target: string,
  coverage = 0.95,
): NumberPrediction[] {
  return model.predict(rows, { target, coverage }) as unknown as NumberPrediction[]
}
