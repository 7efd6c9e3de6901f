/** Which column a question is about. */

import type { Level } from "../contract/cells.ts"
import type { Part } from "../contract/part.ts"
import type { Schema } from "../data/discover.ts"
import { namesInSteps, nearestInSteps } from "../engine/in-steps.ts"
import type { Laid } from "../engine/lay.ts"
import { namesOf } from "../engine/parts.ts"
import { didYouMean, list, manyInRow, nearest, SufficeError, show } from "../errors.ts"
import type { Knowledge } from "./knowledge.ts"
import { stepTarget } from "./step-target.ts"

export interface Target {
  readonly column: string
  readonly levels: readonly Level[]
}

/** The named column, or the model's label. */
export function targetOf({ model, laid, schema }: Knowledge, name: string | undefined): Target {
  const column = name ?? model.target
  checkTarget(column)
  const levels = column === undefined ? undefined : levelsOf(laid, schema, column)
  if (column !== undefined && levels) return { column, levels }
  const within = laid.parts.find(part => part.steps.length > 0 && namesOf(part).includes(column ?? ""))
  if (within) throw manyInRow(column!, within.steps[0])
  const switches = laid.switches.filter(({ part }) => part.steps.length === 0).map(node => node.column)
  const all = [...switches, ...hiddenNames(laid), ...schema.columns.map(({ name }) => name)]
  const choices = new Set(all.filter(name => levelsOf(laid, schema, name)))
  const inSteps = namesInSteps(laid, true)
  const outside = new Set([...choices, ...all])
  const isOfSteps = (name: string): boolean =>
    schema.columns.some(own => own.name === name && own.kind === "steps")
  // what can be asked for: of steps that is what stands in them
  const names = [...[...outside].filter(name => inSteps.length === 0 || !isOfSteps(name)), ...inSteps]
  if (column === undefined) {
    throw new SufficeError(
      "target",
      `the model has no label, and no target is named. It cannot be guessed. Name one of ${list(names)}: { target: … }.`,
      { choices: names },
    )
  }
  const near = [...nearest(column, outside), ...nearestInSteps(column, inSteps)]
  const others = choices.size > 0 ? `Name one of ${list(choices)}.` : "No other column has any."
  throw new SufficeError(
    "target",
    outside.has(column)
      ? `column ${show(column)} ${laid.root.tree.columns.has(column) ? "" : "is only read, and "}has no levels to choose from. A posterior over levels needs some. ${others}`
      : `the model has no column ${show(column)}. It has ${list(names)}. ${didYouMean(near, "Name one of them.")}`,
    { column, choices: [...choices], nearest: near },
  )
}

/** A column that can be asked for: one with levels, or a number that the model covers. */
export function checkAskable(known: Knowledge, target: string): void {
  const column = known.schema.columns.find(({ name }) => name === target)
  const isNumber = column?.kind === "number" || column?.kind === "count"
  if ((isNumber && known.laid.root.tree.columns.has(target)) || stepTarget(known, target)) return
  targetOf(known, target)
}

/** A target is given by name. */
export function checkTarget(target: unknown): void {
  if (target === undefined || target === null || typeof target === "string") return
  throw new SufficeError(
    "target",
    `the target is ${show(target)}. It is a column, by its name. Write for example { target: "y" }, or leave it out for the label.`,
    { value: target },
  )
}

/** The values of a column that is in no row and is no switch: a hidden node of a network. */
export function hiddenLevels({ parts }: Laid, name: string): readonly Level[] | undefined {
  const own = parts.find(part => isHiddenColumn(part) && part.columns[0].name === name)
  const column = own?.columns[0]
  return column?.kind === "level" ? column.levels : undefined
}

/** The names of such columns. */
export function hiddenNames({ parts }: Laid): string[] {
  return parts.flatMap(part => (isHiddenColumn(part) ? namesOf(part) : []))
}

/** Of rows, not of their steps. */
function isHiddenColumn({ role, places, steps }: Part): boolean {
  return role === "leaf" && places[0] < 0 && steps.length === 0
}

/** The levels of a column of the data, or of a switch; of nested mixtures without names, the outermost. */
function levelsOf(laid: Laid, { columns }: Schema, name: string): readonly Level[] | undefined {
  for (const column of columns) {
    if (column.name === name && column.kind === "level" && column.levels.length > 0) return column.levels
  }
  const node = laid.switches.find(node => node.column === name && node.part.steps.length === 0)
  return node?.levels ?? hiddenLevels(laid, name)
}
