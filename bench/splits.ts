/** Training and test rows, by seed or by a published split. */
import type { Row } from "suffice"
import { split } from "suffice/measure"
import { type Table, table } from "./datasets.ts"

export interface Task {
  readonly table: Table
  readonly train: readonly Row[]
  readonly test: readonly Row[]
}

/** Several 70/30 splits, labels in proportion. */
export function seeded(table: Table, seeds: number): Task[] {
  return Array.from({ length: seeds }, (_, seed) => {
    const { train, test } = split(table.rows, { test: 0.3, stratify: table.label, seed })
    return { table, train, test }
  })
}

/** The first rows to learn from, the others for the test. */
export function cut(table: Table, rows: number): Task[] {
  return [{ table, train: table.rows.slice(0, rows), test: table.rows.slice(rows) }]
}

/** A split that was published as two files. */
export function published(name: string, file: (part: "train" | "test") => string, label: string): Task[] {
  const [train, test] = (["train", "test"] as const).map(part => table(name, file(part), label))
  return [{ table: train, train: train.rows, test: test.rows }]
}
