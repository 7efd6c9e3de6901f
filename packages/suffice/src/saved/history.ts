/** How a saved model came about, and what was to be said of it. Nothing that predicts needs it. */
import type { Diagnostic, Json, Training } from "../contract.ts"
import { countAt, fieldsAt, finiteAt, isRecord, listAt, misshapen, numberAt, textAt } from "../shape.ts"

export function readHistory(saved: { readonly training: Json; readonly diagnostics: Json }): {
  readonly training: Training | undefined
  readonly diagnostics: readonly Diagnostic[]
} {
  return {
    training: saved.training === null ? undefined : trainingAt(saved.training, "training"),
    diagnostics: listAt(saved.diagnostics, "diagnostics", diagnosticAt),
  }
}

function trainingAt(value: unknown, path: string): Training {
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
    ] satisfies (keyof Training)[],
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
  return value as Training
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
