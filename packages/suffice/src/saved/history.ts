/** How a saved model came about, and what was to be said of it. Nothing that predicts needs it. */
import type { Description, Diagnostic, Json } from "../contract.ts"
import { countAt, fieldsAt, finiteAt, isRecord, listAt, misshapen, numberAt, textAt } from "../shape.ts"

/** How the model came about: the same as Training in fitted/fitted.ts, which the compiler sees to. */
export interface SavedTraining {
  readonly learner: { readonly name: string; readonly options: Description }
  readonly seed: number
  readonly rows: number
  readonly weight: number
  readonly run: number
  readonly iterations: number
  readonly objective: number
  readonly logLikelihood: number
  readonly entropy: number
  readonly trace: readonly number[]
  readonly runs: readonly {
    readonly run: number
    readonly iterations: number
    readonly objective: number
    readonly stopped: string
    readonly held?: true
  }[]
  readonly continued?: true
}

export function readHistory(saved: { readonly training: Json; readonly diagnostics: Json }): {
  readonly training: SavedTraining | undefined
  readonly diagnostics: readonly Diagnostic[]
} {
  return {
    training: saved.training === null ? undefined : trainingAt(saved.training, "training"),
    diagnostics: listAt(saved.diagnostics, "diagnostics", diagnosticAt),
  }
}

function trainingAt(value: unknown, path: string): SavedTraining {
  const fields = fieldsAt(
    value,
    path,
    [
      "learner",
      "seed",
      "rows",
      "weight",
      "run",
      "iterations",
      "objective",
      "logLikelihood",
      "entropy",
      "trace",
      "runs",
    ] satisfies (keyof SavedTraining)[],
    ["continued"],
  )
  const { name, options } = fieldsAt(fields.learner, `${path}.learner`, ["name", "options"])
  textAt(name, `${path}.learner.name`)
  if (!isRecord(options)) throw misshapen(`${path}.learner.options`, options, "an object")
  finiteAt(fields.seed, `${path}.seed`)
  countAt(fields.rows, `${path}.rows`)
  finiteAt(fields.weight, `${path}.weight`)
  countAt(fields.run, `${path}.run`)
  countAt(fields.iterations, `${path}.iterations`)
  numberAt(fields.objective, `${path}.objective`)
  numberAt(fields.logLikelihood, `${path}.logLikelihood`)
  numberAt(fields.entropy, `${path}.entropy`)
  listAt(fields.trace, `${path}.trace`, numberAt)
  listAt(fields.runs, `${path}.runs`, checkRun)
  checkMark(fields.continued, `${path}.continued`)
  return value as SavedTraining
}

function checkRun(value: unknown, path: string): void {
  const { run, iterations, objective, stopped, held } = fieldsAt(
    value,
    path,
    ["run", "iterations", "objective", "stopped"],
    ["held"],
  )
  countAt(run, `${path}.run`)
  countAt(iterations, `${path}.iterations`)
  numberAt(objective, `${path}.objective`)
  textAt(stopped, `${path}.stopped`)
  checkMark(held, `${path}.held`)
}

/** What is said only where it is so. */
function checkMark(value: unknown, path: string): void {
  if (value !== undefined && value !== true) throw misshapen(path, value, "true or nothing")
}

// Codes are not compared with a list: a diagnostic is read by people, and one more harms nobody.
function diagnosticAt(value: unknown, path: string): Diagnostic {
  const { code, column, message } = fieldsAt(value, path, ["code", "message"], ["column"])
  textAt(code, `${path}.code`)
  if (column !== undefined) textAt(column, `${path}.column`)
  textAt(message, `${path}.message`)
  return value as Diagnostic
}
