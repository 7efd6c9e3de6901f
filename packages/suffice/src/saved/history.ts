/** How a saved model was trained, and its diagnostics. Predicting needs neither. */
import type { Diagnostic, Json, Training } from "../contract/report.ts"
import {
  countAt,
  fieldsAt,
  finiteAt,
  listAt,
  markAt,
  notNegativeAt,
  numberAt,
  type Reader,
  recordAt,
  textAt,
} from "../shape.ts"

export function readHistory(saved: { readonly training: Json; readonly diagnostics: Json }): {
  readonly training: Training | undefined
  readonly diagnostics: readonly Diagnostic[]
} {
  return {
    training: saved.training === null ? undefined : trainingAt(saved.training, "training"),
    diagnostics: listAt(saved.diagnostics, "diagnostics", diagnosticAt),
  }
}

// Each reader returns the same object it checked, so that saving it again writes the same text.

function trainingAt(value: unknown, path: string): Training {
  fieldsAt(
    value,
    path,
    {
      learner: (learner, at) => fieldsAt(learner, at, { name: textAt, options: recordAt }),
      seed: finiteAt,
      rows: countAt,
      weight: finiteAt,
      run: countAt,
      iterations: countAt,
      objective: numberAt,
      logLikelihood: numberAt,
      entropy: numberAt,
      trace: (trace, at) => listAt(trace, at, numberAt),
      runs: (runs, at) => listAt(runs, at, runAt),
    } satisfies Partial<Record<keyof Training, Reader>>,
    { continued: markAt, unlabelled: notNegativeAt },
  )
  return value as Training
}

export function runAt(value: unknown, path: string): unknown {
  const fields = { run: countAt, iterations: countAt, objective: numberAt, stopped: textAt }
  return fieldsAt(value, path, fields, { held: markAt })
}

// Codes are not checked against a list: diagnostics are for people, and an unknown one does no harm.
export function diagnosticAt(value: unknown, path: string): Diagnostic {
  fieldsAt(value, path, { code: textAt, message: textAt }, { column: textAt })
  return value as Diagnostic
}
