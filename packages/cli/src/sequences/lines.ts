/** Answers about sequences, as lines of a table and as objects. */
import type { Cell, Path, Row } from "suffice"
import { type Cut, ROW, stepsOf } from "./table.ts"

/** One line of a table. */
type Line = Readonly<Record<string, Cell>>

export interface Lines {
  /** `place`: the number of a step's row in the file, by which lines are sorted. */
  readonly lines: readonly { readonly place: number; readonly line: Line }[]
  readonly objects: readonly object[]
}

/** The cells of the data that are repeated beside an answer. */
export interface Shape {
  /** The column of the steps. */
  readonly steps: string
  readonly keep: readonly string[]
  readonly cut: Cut
  readonly probabilities: boolean
}

interface Answer {
  readonly value: Cell
  readonly probability?: number
  readonly probabilities?: Readonly<Record<string, number>>
  readonly sd?: number
  readonly interval?: readonly [number, number]
  readonly unseen?: Readonly<Record<string, unknown>>
}

/** A line for every step. */
export function eachStep(
  answers: readonly (readonly Answer[])[],
  rows: readonly Row[],
  shape: Shape,
): Lines & { readonly answers: readonly Answer[] } {
  const lines = rows.flatMap((row, i) =>
    stepsOf(row[shape.steps]).map((step, t) => ({
      place: step[ROW] as number,
      line: { ...head(step, row, shape), ...cells(answers[i][t], shape.probabilities) },
    })),
  )
  const objects = rows.map((row, i) => ({
    ...idOf(row, shape),
    steps: stepsOf(row[shape.steps]).map((step, t) => ({ row: step[ROW], ...answers[i][t] })),
  }))
  return { lines, objects, answers: answers.flat() }
}

/** A line for every sequence. */
export function eachSequence(answers: readonly Answer[], rows: readonly Row[], shape: Shape): Lines {
  const { sequence } = shape.cut
  const lines = rows.map((row, i) => ({
    place: 0,
    line: {
      ...(sequence === undefined ? {} : { [sequence]: row[sequence] ?? null }),
      ...cells(answers[i], shape.probabilities),
    },
  }))
  return { lines, objects: rows.map((row, i) => ({ ...idOf(row, shape), ...answers[i] })) }
}

/** A line for every step, with the states of a path through all of them. */
export function pathsOf(paths: readonly Path[], rows: readonly Row[], shape: Shape): Lines {
  const lines = rows.flatMap((row, i) => {
    const { values, segments, spans } = paths[i]
    return stepsOf(row[shape.steps]).map((step, t) => ({
      place: step[ROW] as number,
      line: {
        ...head(step, row, shape),
        value: values[t],
        segment: segments.findIndex(({ from, to }) => from <= t && t < to) + 1,
        ...(spans && { span: spans.find(({ from, to }) => from <= t && t < to)?.type ?? null }),
      },
    }))
  })
  return { lines, objects: rows.map((row, i) => ({ ...idOf(row, shape), ...paths[i] })) }
}

/** The cells of a row that are repeated, or its number. */
function head(step: Row, row: Row, { keep }: Shape): Line {
  return keep.length === 0
    ? { row: step[ROW] }
    : Object.fromEntries(keep.map(name => [name, (name in step ? step[name] : row[name]) ?? null]))
}

function idOf(row: Row, { cut: { sequence } }: Shape): object {
  return sequence === undefined ? {} : { [sequence]: row[sequence] }
}

function cells({ value, probability, probabilities, sd, interval }: Answer, withAll: boolean): Line {
  if (sd !== undefined) return { value, sd, low: interval![0], high: interval![1] }
  const each = withAll ? Object.entries(probabilities ?? {}).map(([level, p]) => [`p(${level})`, p]) : []
  return { value, probability: probability!, ...Object.fromEntries(each) }
}
