/** A comparison of ways to learn, as text. */
import type { CompareAnswer, ContestantAnswer } from "./answers.ts"
import { chosenText } from "./chosen-c.ts"
import { type Brief, count, duration, percent, plain, signed } from "./format.ts"
import { shown } from "./terminal/shown.ts"
import { textTable } from "./terminal/table.ts"

export function compareText(
  { contestants, folds, best, differences, recommendation: said }: CompareAnswer,
  { brief = false }: Brief,
  curve: boolean,
): string {
  const elsewhere = curve ? ["The learning curve is in the report (--report) and in --json."] : []
  const took = contestants.filter(one => one.refused === undefined)
  const table = textTable(
    [
      { title: "learned by" },
      { title: "kind" },
      { title: "accuracy", align: "right" },
      { title: "log-loss", align: "right" },
      { title: "best minus this (points, 95 %)", align: "right" },
      { title: "time", align: "right" },
    ],
    took.map(one => {
      const gap = differences.find(({ against }) => against === one.name)
      return [
        one.name,
        one.kind,
        `${percent(one.accuracy)} ± ${(100 * one.accuracyStandardError).toFixed(1)}`,
        one.logLoss === undefined ? "–" : plain(one.logLoss, 3),
        one.name === best
          ? "best"
          : gap
            ? `${signed(100 * gap.difference, 1)} (${signed(100 * gap.interval[0], 1)} to ${signed(100 * gap.interval[1], 1)})`
            : "",
        duration(one.seconds),
      ]
    }),
  )
  const refused = contestants
    .filter(one => one.refused !== undefined)
    .map(one => `  ${one.name} took no part: ${shown(one.refused ?? "")}`)
  return [
    `Cross-validated on the same ${folds} folds:`,
    table,
    ...chosenText(took),
    ...refused,
    ...(brief ? elsewhere : curveText(took)),
    said,
  ].join("\n\n")
}

function curveText(took: readonly ContestantAnswer[]): string[] {
  const sizes = took[0]?.curve ?? []
  if (sizes.length <= 1) return []
  return [
    `Learning curve: accuracy by rows learned from`,
    textTable(
      [
        { title: "learned by" },
        ...sizes.map(({ rows }) => ({ title: count(rows), align: "right" as const })),
      ],
      took.map(one => [one.name, ...one.curve.map(({ accuracy }) => percent(accuracy))]),
    ),
  ]
}
