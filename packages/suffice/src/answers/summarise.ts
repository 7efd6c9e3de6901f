/**
 * A fitted model in a few lines, as `console.log` shows it:
 *
 *     Fitted: predicts species. Learned from 344 rows by em in 1 step, seed 0.
 *       classes      species: Adelie 44.2 %, Gentoo 36.0 %, Chinstrap 19.8 %
 *       categorical  island (3 levels), sex (2 levels), in each of 3 contexts
 *       normal       (length, depth, weight), in each of 3 contexts
 *       objective    -5012.34, log-likelihood -5001.87; 38 free parameters
 *
 * One line for each switch, and one for the leaves of a family that stand in the same place.
 */
import type { Column } from "../contract/columns.ts"
import type { SwitchNode } from "../contract/node.ts"
import type { Part } from "../contract/part.ts"
import { counted, firstOf, type Line, many, named, rounded, summaryText } from "../summary.ts"
import type { Knowledge, SolvedModel } from "./knowledge.ts"

/** Columns, levels and lines about parts that are shown. */
const NAMES = 4
const LEVELS = 4
const PARTS = 12

export function summarise({ known, params }: SolvedModel): string {
  const { laid } = known
  const switches = new Map(laid.switches.map(node => [node.part, node]))
  const lines: Line[] = []
  // a choice of no switch has one value: the steps of a plate
  const parts = laid.parts.filter(part => part.role === "leaf" || switches.has(part))
  for (const alike of alikeParts(parts)) {
    const node = switches.get(alike[0])
    lines.push(node ? switchLine(node, params) : leavesLine(alike))
  }
  const more: Line[] = lines.length > PARTS ? [["…", many(lines.length - PARTS, "more line")]] : []
  return summaryText(`Fitted: ${headOf(known)}`, [...lines.slice(0, PARTS), ...more, ...factsOf(known)])
}

function headOf({ model, training }: Knowledge): string {
  const predicts = model.target === undefined ? "no target. " : `predicts ${named(model.target)}. `
  if (!training) return `${predicts}Specified, not learned.`
  const { rows, learner, iterations, seed } = training
  return `${predicts}Learned from ${many(rows, "row")} by ${learner.name} in ${many(iterations, "step")}, seed ${seed}.`
}

/** Parts of one family in the same contexts and steps together, in the order of the tree; a switch stands alone. */
function alikeParts(parts: readonly Part[]): Part[][] {
  const groups = new Map<string, Part[]>()
  for (const part of parts) {
    const key =
      part.role !== "leaf"
        ? `choice ${part.ranges.statsAt}`
        : JSON.stringify([part.family, part.leaf.shape.slots, part.steps])
    const alike = groups.get(key)
    if (alike) alike.push(part)
    else groups.set(key, [part])
  }
  return [...groups.values()]
}

function switchLine({ part, column, hidden, levels }: SwitchNode, params: Float64Array): Line {
  const about = hidden ? "mixture" : "classes"
  const what = hidden ? many(levels.length, "component") : named(column)
  const inside = part.leaf.shape.slots > 1 || part.steps.length > 0
  if (inside) return [about, `${hidden ? what : `${what} (${many(levels.length, "level")})`}${whereOf(part)}`]
  const { probabilities } = part.leaf.describe(part.ranges.paramsOf(params), 0)
  const shares = Object.entries(probabilities as Readonly<Record<string, number>>)
    .sort((a, b) => b[1] - a[1])
    .map(([level, p]) => `${hidden ? "" : `${named(level)} `}${(100 * p).toFixed(1)} %`)
  return [about, `${what}: ${firstOf(shares, LEVELS)}`]
}

function leavesLine(alike: readonly Part[]): Line {
  const names = alike.map(({ columns, given }) => {
    const own = columns.map(columnText)
    const together = own.length > 1 ? `(${firstOf(own, NAMES)})` : own[0]
    if (given.length === 0) return together
    return `${together} given ${firstOf(
      given.map(({ name }) => named(name)),
      NAMES,
    )}`
  })
  // bodies of their own, one for each level, name the same columns
  return [alike[0].family, `${firstOf([...new Set(names)], NAMES)}${whereOf(alike[0])}`]
}

function columnText(column: Column): string {
  const name = named(column.name)
  if (column.kind === "level") return `${name} (${many(column.levels.length, "level")})`
  return column.kind === "bag" ? `${name} (${many(column.words.length, "word")})` : name
}

/** Steps and number of contexts of a part. */
function whereOf({ leaf, steps }: Part): string {
  const { slots } = leaf.shape
  const inside = steps.length > 0 ? `, in the steps of ${steps.map(named).join(", ")}` : ""
  return `${inside}${slots > 1 ? `, in each of ${counted(slots)} contexts` : ""}`
}

function factsOf({ laid, training, calibration, diagnostics }: Knowledge): Line[] {
  const lines: Line[] = []
  const free = many(laid.free, "free parameter")
  if (training) {
    const { objective, logLikelihood } = training
    const likelihood = Number.isFinite(logLikelihood) ? `, log-likelihood ${rounded(logLikelihood)}` : ""
    lines.push(["objective", `${rounded(objective)}${likelihood}; ${free}`])
  } else lines.push(["size", free])
  if (calibration) lines.push(["calibrated", `${named(calibration.target)}, by ${calibration.method}`])
  if (diagnostics.length > 0) lines.push(["notes", `${counted(diagnostics.length)}, in diagnostics`])
  return lines
}
