/** The public names, loosely typed: laws make models and rows at run time, so the compiler knows none of their columns. */
import type { Cell, Columns, Description, Diagnostic, FamilyKind, Level, Model } from "../contract.ts"
import type { FitOptions, Prediction, Training } from "../index.ts"
import * as index from "../index.ts"

export type LooseRow = Readonly<Record<string, Cell>>
export type LooseData = readonly LooseRow[] | Columns | AsyncIterable<readonly LooseRow[] | Columns>

export interface LooseFitted {
  readonly training: Training | undefined
  readonly diagnostics: readonly Diagnostic[]
  predict(rows: LooseData, options?: { target?: string }): Prediction[]
  posterior(
    rows: LooseData,
    options?: { target?: string },
  ): { levels: readonly Level[]; probabilities: Float64Array }
  logDensity(rows: LooseData): Float64Array
  responsibilities(rows: LooseData, options?: { of?: string }): Float64Array
  describe(): Description
  toJSON(): unknown
}

export interface LooseStep {
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

export const learn = index.learn as unknown as (
  model: Model,
  data: LooseData,
  options?: FitOptions,
) => AsyncGenerator<LooseStep, void, void>

export const load = index.load as unknown as (
  json: unknown,
  options?: { families?: readonly FamilyKind[] },
) => LooseFitted
