/** The data of sequences for people: what each column is, and how many sequences there are. */
import type { ColumnReport } from "suffice-files"
import type { ColumnAnswer, DataAnswer } from "../answers.ts"
import { dataText, noteOf, rowsIn } from "../data.ts"
import { count, many } from "../format.ts"
import { type StepsModel, WORDS_NEARBY } from "./model.ts"
import type { SequenceOptions } from "./options.ts"
import { type Cut, type Sequences, sizeText } from "./table.ts"

export interface SequencesAnswer extends DataAnswer {
  readonly sequences: number
  readonly steps: number
  /** The shortest and the longest sequence. */
  readonly lengths: readonly [number, number]
}

export function sequencesAnswer(
  name: string,
  reports: readonly ColumnReport[],
  { families }: Pick<StepsModel, "families">,
  { tag, label }: SequenceOptions,
  { sequence, order }: Cut,
  all: Sequences,
): SequencesAnswer {
  const lengths = Array.from(all.columns[all.steps], cell => (cell as unknown as readonly unknown[]).length)
  return {
    name,
    rows: rowsIn(reports),
    columns: reports.map((report): ColumnAnswer => {
      const isLabel = report.name === tag || report.name === label
      const role = report.name === sequence ? "(sequence)" : report.name === order ? "(order)" : undefined
      const family = role ?? families.get(report.name)
      const isUsed = isLabel || family !== undefined
      return {
        name: report.name,
        kind: report.kind,
        role: isLabel ? "label" : isUsed ? "cell" : "left out",
        ...(family !== undefined && { family }),
        missing: report.missing.share,
        ...(report.levels && { levels: report.levels.count }),
        // what orders steps is used, and words nearby are all kept
        ...(role === undefined && families.get(report.name) !== WORDS_NEARBY && noteOf(report, isUsed)),
      }
    }),
    sequences: all.count,
    steps: all.length,
    lengths: [
      lengths.reduce((a, b) => Math.min(a, b), Infinity),
      lengths.reduce((a, b) => Math.max(a, b), 0),
    ],
  }
}

export function sequencesText(data: SequencesAnswer): string {
  const [shortest, longest] = data.lengths
  const range =
    shortest === longest ? many(longest, "step") : `${count(shortest)} to ${many(longest, "step")}`
  const each = data.sequences > 1 ? `, of ${range} each` : ""
  return `${dataText(data)}\n${sizeText({ count: data.sequences, length: data.steps })}${each}.\n`
}
