/** The options of `fit`, `learn` and `update`, and their checks. */
import type { Learner, LearnerStep } from "../contract/learner.ts"
import type { Diagnostic } from "../contract/report.ts"
import { refuseUnknown } from "../errors.ts"
import type { SpillOptions } from "../frames/spill.ts"
import type { KernelChoice } from "../kernels/fast/use.ts"
import { checkSeed, expected } from "../option-checks.ts"
import type { Fitted } from "./fitted.ts"

export interface FitOptions {
  /** The default is em(); in an update, em with the model's own prior (a specified model has none, and counts as one row). */
  readonly learner?: Learner
  readonly seed?: number
  /** The column of row weights. */
  readonly weight?: string
  /** Factors on the weight of labelled rows, by level of the model's label. */
  readonly classWeights?: Readonly<Record<string, number>>
  /**
   * How many threads sweep the rows; the bits are the same for any number. "auto" (the default): one for small work, otherwise one per core.
   * Only learners that sweep use them (em).
   */
  readonly threads?: number | "auto"
  /**
   * A source is read once and packed; rows that do not fit in memory are written to a file, which is removed at the end. `false`: the source is read
   * again for each sweep, as in a browser.
   */
  readonly spill?: SpillOptions | false
  readonly signal?: AbortSignal
  /** Called after each step; the loop itself is `learn`. */
  readonly onStep?: (step: Step) => void
  /** Progress callback with the number of rows just read, in the pass that finds levels and words and in the pass that encodes. Not called for streams. */
  readonly onRows?: (rows: number) => void
  /** After each step `write` receives everything needed to resume from there; when learning starts, `read` returns it. */
  readonly checkpoint?: Checkpointing
}

/** Where `fit` stores what it needs to resume after an interruption. */
export interface Checkpointing {
  /** The last checkpoint. Undefined or empty: learning starts from the beginning. */
  read(): Uint8Array | undefined | Promise<Uint8Array | undefined>
  /**
   * Learning continues once it is written. Keep the previous one intact: write to another name first, then rename. `rows`: number of rows read so far. A
   * stream that can be read only once continues after them, so store this number beside the bytes.
   */
  write(bytes: Uint8Array, rows: number): void | Promise<void>
}

/** Options of `update`. */
export interface UpdateOptions extends FitOptions {
  /** f, above 0 and at most 1: what was learned counts f times before the new rows are added. Below 1 the model follows rows that change: of n updates ago, f^n is left. */
  readonly forget?: number
}

export interface Step<Cells = unknown, Target extends string = string> {
  readonly iteration: number
  readonly run: number
  /** The objective of the learner. EM: log-likelihood + ln prior, at the parameters of this step; in an update see Training.logLikelihood. */
  readonly objective: number
  readonly change: number
  readonly rows: number
  readonly diagnostics: readonly Diagnostic[]
  /** Maximum number of epochs. Undefined for learners without epochs. */
  readonly of?: number
  readonly stopped?: LearnerStep["stopped"]
  /** The kernels in use; both give bit-identical results. */
  readonly kernels: KernelChoice
  /** The model at this step. With more than 65,536 statistics, call it before the next step: an epoch's statistics are not kept. */
  fitted(): Fitted<Cells, Target>
}

const OPTIONS = [
  "learner",
  "seed",
  "weight",
  "classWeights",
  "threads",
  "spill",
  "signal",
  "onStep",
  "onRows",
  "checkpoint",
]

function checkSpill(spill: FitOptions["spill"]): void {
  if (spill === undefined || spill === false) return
  const isObject = typeof spill === "object" && spill !== null
  expected("fit", "spill", spill, isObject, "be { folder }, or false", '{ spill: { folder: "/data/tmp" } }')
  refuseUnknown("fit: spill", spill, ["folder", "onSpill"])
  const { folder, onSpill } = spill
  const named = typeof folder === "string" && folder !== ""
  expected("fit", "spill.folder", folder, named, "name a folder", '{ spill: { folder: "/data/tmp" } }')
  const calls = typeof onSpill === "function"
  expected("fit", "spill.onSpill", onSpill, calls, "be a function", "{ spill: { onSpill: … } }")
}

/** Throws on the first invalid option. */
export function checkedOptions(options: FitOptions): FitOptions {
  refuseUnknown("fit", options, OPTIONS)
  checkSeed("fit", options.seed)
  const { learner, weight, threads, spill, onStep, onRows, signal, checkpoint } = options
  expected(
    "fit",
    "learner",
    learner,
    typeof learner?.learn === "function",
    "be a learner",
    "{ learner: em() }",
  )
  expected("fit", "weight", weight, typeof weight === "string", "name a column", '{ weight: "count" }')
  const countable = threads === "auto" || (Number.isSafeInteger(threads) && threads! >= 1)
  expected("fit", "threads", threads, countable, 'be a whole number ≥ 1, or "auto"', "{ threads: 2 }")
  checkSpill(spill)
  expected("fit", "onStep", onStep, typeof onStep === "function", "be a function", "{ onStep: step => … }")
  expected("fit", "onRows", onRows, typeof onRows === "function", "be a function", "{ onRows: rows => … }")
  const aborts = typeof signal?.throwIfAborted === "function"
  expected("fit", "signal", signal, aborts, "be an AbortSignal", "{ signal: controller.signal }")
  const kept = typeof checkpoint?.read === "function" && typeof checkpoint?.write === "function"
  expected(
    "fit",
    "checkpoint",
    checkpoint,
    kept,
    "have read() and write(bytes)",
    "{ checkpoint: { read, write } }",
  )
  return options
}
