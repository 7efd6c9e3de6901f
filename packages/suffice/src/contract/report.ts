/** What is said of a model: plain data. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Plain data: parameters by name, in the units of the data. */
export type Description = { readonly [key: string]: Json }

/** How the model came about. */
export interface Training {
  readonly learner: { readonly name: string; readonly options: Description }
  readonly seed: number
  /** Rows learned from, and their weight; a model that was specified and then updated weighs 1 itself. */
  readonly rows: number
  readonly weight: number
  readonly run: number
  readonly iterations: number
  /** What the learner climbed. EM: logLikelihood + ln prior; stochastic learners: minus the loss met during the last epoch. */
  readonly objective: number
  /**
   * Σ_i w_i ln p(row i | θ) over all rows. After an update the earlier rows are there as statistics only, which say the same where
   * nothing was hidden in them; else (`continued`) their part is the expected log-likelihood of rows and guesses together.
   * NaN where the learner never went over all rows with its last parameters.
   */
  readonly logLikelihood: number
  /** Σ_i w_i H(hidden | row i); after an update, of the rows it brought. */
  readonly entropy: number
  /** The objective after every step of this run. */
  readonly trace: readonly number[]
  readonly runs: readonly {
    readonly run: number
    readonly iterations: number
    readonly objective: number
    readonly stopped: string
    /** Ended with a parameter set held at the edge of its domain: chosen only where every run did. */
    readonly held?: true
  }[]
  /** Learning went on from statistics that are not counts: some of what they hold was guessed, or specified. */
  readonly continued?: true
  /** λ: what rows without a label weighed beside those with one, where there were both. */
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
    | "unseen-level"
    | "not-converged"
    | "calibration-dropped"
    | "unlabelled-rows"
  readonly column?: string
  readonly message: string
}
