/** What a fitted model reports about itself, as plain data: its parameters, how it was trained, what looks wrong. */

/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Parameters or options by name, in the units of the data. */
export type Description = { readonly [key: string]: Json }

/** How a model was trained. */
export interface Training {
  readonly learner: { readonly name: string; readonly options: Description }
  readonly seed: number
  /** The rows learned from, and their weight; a model that was specified, not fitted, counts with weight 1 in an update. */
  readonly rows: number
  readonly weight: number
  readonly run: number
  readonly iterations: number
  /** What the learner climbed. EM: logLikelihood + ln prior; stochastic learners: minus the loss over the last epoch. */
  readonly objective: number
  /**
   * Σ_i w_i ln p(row i | θ) over all rows. After an update, the earlier rows enter by their statistics: exactly, if nothing was hidden in
   * them; else (`continued`) by the expected log-likelihood of rows and guesses together. NaN if the learner never made a pass over all
   * rows with its last parameters.
   */
  readonly logLikelihood: number
  /** Σ_i w_i H(hidden | row i); after an update, over the new rows. */
  readonly entropy: number
  /** The objective after every step of this run. */
  readonly trace: readonly number[]
  readonly runs: readonly {
    readonly run: number
    readonly iterations: number
    readonly objective: number
    readonly stopped: string
    /** It ended with a slot clamped to the edge of its domain; such a run is chosen only if every run did. */
    readonly held?: true
  }[]
  /** It continued from statistics that are not counts of rows: partly guessed, or specified. */
  readonly continued?: true
  /** λ: the weight of a row without a label relative to one with a label, if there were both. */
  readonly unlabelled?: number
}

/** A warning as data. */
export interface Diagnostic {
  readonly code:
    | "constant-column"
    | "duplicate-column"
    | "leaking-column"
    | "mostly-missing-column"
    | "empty-column"
    | "empty-level"
    | "held-at-floor"
    | "guarded-steps"
    | "starved-component"
    | "many-topics"
    | "unseen-level"
    | "unseen-configuration"
    | "not-converged"
    | "calibration-dropped"
    | "unlabelled-rows"
  readonly column?: string
  readonly message: string
}
