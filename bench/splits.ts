/** Which rows are learned from, which are asked about, and which cells are removed: all by seed. */
import { dice, type Row } from "suffice"
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

/** This share of all cells of either part removed (labels stay), every set of cells as likely as any other. */
export function punched(tasks: readonly Task[], share: number): Task[] {
  return tasks.map(({ table, train, test }, seed) => ({
    table,
    train: punch(table, train, share, [seed, 0]),
    test: punch(table, test, share, [seed, 1]),
  }))
}

function punch({ columns }: Table, rows: readonly Row[], share: number, seed: readonly number[]): Row[] {
  const width = columns.length
  const cells = removed(rows.length * width, share, seed)
  return rows.map((row, i) => ({
    ...row,
    ...Object.fromEntries(columns.flatMap(({ name }, j) => (cells.has(i * width + j) ? [[name, null]] : []))),
  }))
}

/** Exactly this share of the numbers below `count`. */
export function removed(count: number, share: number, seed: number | readonly number[]): Set<number> {
  return new Set(shuffled(count, seed, Math.round(share * count)))
}

/** The numbers below `count` in a seeded order, or the first few of that order. */
export function shuffled(count: number, seed: number | readonly number[], few = count): number[] {
  const roll = dice(seed)
  const order = Array.from({ length: count }, (_, at) => at)
  for (let i = 0; i < few; i++) {
    const j = i + roll.integer(count - i)
    ;[order[i], order[j]] = [order[j], order[i]]
  }
  return order.slice(0, few)
}
