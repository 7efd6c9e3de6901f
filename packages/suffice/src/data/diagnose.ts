/** What is said of columns after the first pass: empty, constant or mostly missing ones, and classes without rows. */
import type { Use } from "../contract/columns.ts"
import type { Diagnostic } from "../contract/report.ts"
import { list, show } from "../errors.ts"
import type { Explored } from "./explore.ts"

/** The diagnostics of a column, and of the columns of its steps. */
export function diagnosed(use: Use, explored: Explored, rows: number, of: "row" | "step"): Diagnostic[] {
  const { uses = [], found = [], steps = 0 } = explored.within ?? {}
  return [
    ...diagnose(use, explored, rows, of),
    ...emptyLevels(use, explored),
    ...(steps > 0 ? found.flatMap((inner, c) => diagnosed(uses[c], inner, steps, "step")) : []),
  ]
}

/** Warns of a declared class that no labelled row has. If no row is labelled, the classes are hidden, which is no reason to warn. */
function emptyLevels({ column, role }: Use, { variety, unmet = [] }: Explored): Diagnostic[] {
  if (role !== "label" || variety === "none" || unmet.length === 0) return []
  const one = unmet.length === 1
  return [
    {
      code: "empty-level",
      column,
      message: `no row holds the declared ${one ? "level" : "levels"} ${list(unmet)} of ${show(column)}: unless a prior or rows without a label speak for ${one ? "it, its" : "them, their"} probability is 0. Bring such rows, give classes(${show(column)}, …) a prior, or declare ${one ? "it" : "them"} no longer.`,
    },
  ]
}

/** A column with a larger share of missing cells is warned about. */
const MOSTLY = 0.95

/** Warns of a column that is constant, empty or mostly missing. Labels may be missing everywhere: then they are hidden. */
function diagnose(
  { column, role }: Use,
  { variety, missing }: Explored,
  rows: number,
  of: "row" | "step",
): Diagnostic[] {
  if (role !== "label" && variety !== "none" && missing > MOSTLY * rows) {
    return [
      {
        code: "mostly-missing-column",
        column,
        message: `column ${show(column)} is missing in ${missing} of ${rows} ${of}s: what it teaches rests on the few others.`,
      },
    ]
  }
  switch (variety) {
    case "some":
      return []
    case "none":
      if (role === "label") return []
      return [
        {
          code: "empty-column",
          column,
          message: `column ${show(column)} is missing in every ${of}: it teaches nothing.`,
        },
      ]
    case "constant":
      return [
        {
          code: "constant-column",
          column,
          message: `column ${show(column)} holds one value only: it tells no rows apart.`,
        },
      ]
    default:
      return variety satisfies never
  }
}
