/** Predictions of rows, of sequences, or of rows on Spark. */
import type { Columns } from "suffice"
import type { DataOptions } from "./data.ts"
import type { SequenceOptions } from "./sequences/options.ts"
import type { ColumnSource } from "./tabular.ts"
import type { TableOutOptions } from "./terminal/table-out.ts"

export interface PredictOptions
  extends DataOptions,
    TableOutOptions,
    Omit<SequenceOptions, "format" | "model"> {
  readonly path?: boolean
  readonly past?: boolean
  readonly target?: string
  readonly keep?: readonly string[]
  readonly append?: boolean
  readonly probabilities: boolean
  readonly output?: string
  readonly engine?: string
  readonly node?: string
  readonly into?: string
}

/** A table, whose columns the first batch determines. */
export interface PredictedTable {
  readonly columns: readonly string[]
  readonly batches: ColumnSource
}

/** Answers that are read once, as objects or as a table. */
export interface PredictionsHere {
  readonly where: "here"
  readonly target: string | undefined
  /** Members of the answer before the list, and the name of the list. */
  readonly head: object
  readonly list: "predictions" | "paths"
  objects(): AsyncIterable<readonly object[]>
  table(): Promise<PredictedTable>
  /** Lines that were read. */
  rows(): number
  /** Notes about cells that training never saw. */
  remarks(): readonly string[]
}

/** Answers that were written where the rows are. */
export interface PredictionsThere {
  readonly where: "there"
  readonly target: string | undefined
  readonly made: {
    readonly table: string
    readonly rows: number
    readonly columns: readonly string[]
  }
}

export type Predictions = PredictionsHere | PredictionsThere

/** How often a column held something that training never saw. */
export class Unseen {
  readonly #times = new Map<string, number>()

  add(answers: Iterable<{ readonly unseen?: Readonly<Record<string, unknown>> }>): void {
    for (const { unseen } of answers)
      for (const column in unseen) this.#times.set(column, (this.#times.get(column) ?? 0) + 1)
  }

  remarks(sentence: (times: number, column: string) => string): readonly string[] {
    return [...this.#times].map(([column, times]) => `note: ${sentence(times, column)}`)
  }
}

/** One batch of a table. */
export function oneBatch(columns: Columns): ColumnSource {
  return {
    async *[Symbol.asyncIterator]() {
      yield columns
    },
  }
}
