/** Which column a question is about. */
import { isLagged } from "../blocks/lags.ts"
import type { Level } from "../contract/cells.ts"
import type { Part } from "../contract/part.ts"
import type { Schema } from "../data/discover.ts"
import type { Laid } from "../engine/lay.ts"
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
  const within = laid.parts.find(part => part.steps.length > 0 && part.names.includes(column ?? ""))
  if (within) throw manyInRow(column!, within.steps[0])
  const switches = laid.switches.filter(({ part }) => part.steps.length === 0).map(node => node.column)
  const all = [...switches, ...hiddenNames(laid), ...schema.columns.map(({ name }) => name)]
  const choices = new Set(all.filter(name => levelsOf(laid, schema, name)))
  const inSteps = stepNames(laid, schema)
  const names = new Set([...choices, ...all, ...inSteps])
  if (column === undefined) {
    throw new SufficeError(
      "target",
      `the model has no label, and no target is named. It cannot be guessed. Name one of ${list(names)}: { target: … }.`,
      { choices: [...names] },
    )
  }
  const near = nearest(column, names)
  // by the name alone, too: tag for steps.tag
  if (near.length === 0)
    near.push(...inSteps.filter(name => nearest(column, [name.slice(name.indexOf(".") + 1)]).length > 0))
  const others = choices.size > 0 ? `Name one of ${list(choices)}.` : "No other column has any."
  throw new SufficeError(
    "target",
    names.has(column)
      ? `column ${show(column)} ${laid.root.columns.has(column) ? "" : "is only read, and "}has no levels to choose from. A posterior over levels needs some. ${others}`
      : `the model has no column ${show(column)}. It has ${list(names)}. ${didYouMean(near, "Name one of them.")}`,
    { column, choices: [...choices], nearest: near },
  )
}

/** The columns of the steps of chains, such as steps.tag. */
function stepNames({ switches, parts }: Laid, { columns }: Schema): string[] {
  return columns.flatMap(column => {
    if (column.kind !== "steps") return []
    const isAsked =
      switches.some(({ walk, part }) => walk && part.steps[0] === column.name) ||
      parts.some(({ follows, steps }) => follows !== undefined && steps[0] === column.name)
    if (!isAsked) return []
    const seen = column.columns.filter(({ kind, name }) => kind !== "bag" && !isLagged(name))
    const hidden = parts.filter(
      ({ follows, steps, places }) => follows !== undefined && steps[0] === column.name && places[0] < 0,
    )
    const names = [...seen.map(({ name }) => name), ...hidden.flatMap(({ names }) => names)]
    return [...new Set(names)].map(name => `${column.name}.${name}`)
  })
}

/** A column that can be asked for: one with levels, or a number that the model covers. */
export function checkAskable(known: Knowledge, target: string): void {
  const column = known.schema.columns.find(({ name }) => name === target)
  const isNumber = column?.kind === "number" || column?.kind === "count"
  if ((isNumber && known.laid.root.columns.has(target)) || stepTarget(known, target)) return
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
  const own = parts.find(part => isHiddenColumn(part) && part.names[0] === name)
  const column = own?.columns[0]
  return column?.kind === "level" ? column.levels : undefined
}

/** The names of such columns. */
export function hiddenNames({ parts }: Laid): string[] {
  return parts.flatMap(part => (isHiddenColumn(part) ? part.names : []))
}

/** Of rows, not of their steps. */
function isHiddenColumn({ isChoice, places, steps }: Part): boolean {
  return !isChoice && places[0] < 0 && steps.length === 0
}

/** The levels of a column of the data, or of a switch; of nested mixtures without names, the outermost. */
function levelsOf(laid: Laid, { columns }: Schema, name: string): readonly Level[] | undefined {
  for (const column of columns) {
    if (column.name === name && column.kind === "level" && column.levels.length > 0) return column.levels
  }
  const node = laid.switches.find(node => node.column === name && node.part.steps.length === 0)
  return node?.levels ?? hiddenLevels(laid, name)
}
