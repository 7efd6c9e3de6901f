/** An epoch of small steps on several machines at once, each on its own rows: plain data. */
import type { Course, MovingState } from "./moving.ts"

/** What every machine begins with. */
export interface Round {
  /** The same for all: statistics in counts before the first round, later the average of the states after the last one. */
  readonly from: { readonly stats: Float64Array } | MovingState
  readonly course: Course
  readonly batch: number
  /** ρ(τ), as data. */
  readonly stepSize: unknown
  /** How many documents a bag of words counts as: rho / (1 + decay·passes). */
  readonly words?: { readonly rho: number; readonly decay: number } | undefined
  /** Rounds so far, and the steps and rows that one machine has taken in them. */
  readonly epoch: number
  readonly steps: number
  readonly rows: number
  /** Rounds in all; moments are averaged over steps in the second half of them. */
  readonly of: number
  readonly average: boolean
  /** Rows and weight of all machines together. */
  readonly passRows: number
  readonly weight: number
}

/** What came of it. `steps` and `rows`: those of one machine, on average. */
export interface Rounded {
  readonly state: MovingState
  readonly loss: number
  readonly weight: number
  readonly guarded: number
  readonly steps: number
  readonly rows: number
}
