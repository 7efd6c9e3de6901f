/** The column of a question: one of rows, or one of the steps of rows. */
import { isLagged } from "../blocks/lags.ts"
import type { Block, Encoded, Nested } from "../contract/block.ts"
import type { Level } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { SwitchNode } from "../contract/node.ts"
import type { Part } from "../contract/part.ts"
import type { Schema } from "../data/discover.ts"
import { namesInSteps, nearestInSteps } from "../engine/in-steps.ts"
import type { Laid } from "../engine/lay.ts"
import { namesOf } from "../engine/parts.ts"
import { didYouMean, list, manyInRow, nearest, SufficeError, show } from "../errors.ts"
import type { Knowledge } from "./knowledge.ts"

/** A column of rows has one answer per row; one of steps has one for each step. */
export type Target = RowTarget | NumberTarget | StepTarget

/** A column of rows with levels. */
export interface RowTarget {
  readonly frame: "row"
  readonly column: string
  readonly levels: readonly Level[]
}

/** A number in rows. */
export interface NumberTarget {
  readonly frame: "row"
  readonly column: string
  readonly inner: Column
  readonly levels?: undefined
}

/** A column of the steps of a chain or of a network over steps. */
export interface StepTarget {
  readonly frame: "step"
  /** The column, or the name of a hidden state. */
  readonly column: string
  /** Undefined for a number. */
  readonly levels?: readonly Level[]
  /** The column of the steps, and its place in a block. */
  readonly steps: string
  readonly outer: number
  /** The column within the steps, and its place there; undefined for a hidden state. */
  readonly inner?: Column
  readonly place: number
  /** A hidden column of a network over steps. */
  readonly hidden?: Column
  /** The chains whose state this is. */
  readonly states: readonly SwitchNode[]
}

/** The named column or the model's label, in steps or in rows. */
export function targetOf(known: Knowledge, name: string | undefined): Target {
  return stepTarget(known, name) ?? numberTarget(known, name) ?? rowTarget(known, name)
}

function numberTarget({ schema, model, laid }: Knowledge, name = model.target): NumberTarget | undefined {
  for (const inner of schema.columns) {
    if (inner.name !== name || !laid.root.tree.columns.has(name)) continue
    if (inner.kind === "number" || inner.kind === "count") return { frame: "row", column: name, inner }
  }
  return undefined
}

/** A column of rows with levels: the named one, or the model's label. */
export function rowTarget({ model, laid, schema }: Knowledge, name: string | undefined): RowTarget {
  const column = name ?? model.target
  checkTarget(column)
  const levels = column === undefined ? undefined : levelsOf(laid, schema, column)
  if (column !== undefined && levels) return { frame: "row", column, levels }
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

/** The column that a question must not read. */
export function unreadIn({ frame, column }: Target): string | undefined {
  return frame === "row" ? column : undefined
}

/** An object with a key for each level. */
export function keysOf(levels: readonly Level[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(levels.map(level => [level, null]))
}

// ── steps of rows ───────────────────────────────────────────────────────────────────────────

/** The named column, or the model's label, if it stands in the steps of a chain; "steps.tag" is another name of "tag". */
export function stepTarget(
  { model, laid, schema }: Knowledge,
  name: string | undefined,
): StepTarget | undefined {
  // a question of one row allocates nothing on its way through here
  if (!laid.switches.some(isChain) && !laid.parts.some(follows)) return undefined
  const asked = name ?? model.target
  if (typeof asked !== "string" || schema.columns.some(column => column.name === asked)) return undefined
  const chains = laid.switches.filter(isChain)
  for (const [outer, column] of schema.columns.entries()) {
    if (column.kind !== "steps") continue
    const steps = column.name
    const own = chains.filter(({ part }) => part.steps[0] === steps)
    const parts = laid.parts.filter(part => follows(part) && part.steps[0] === steps)
    if (own.length === 0 && parts.length === 0) continue
    const short = asked.startsWith(`${steps}.`) ? asked.slice(steps.length + 1) : asked
    const states = own.filter(node => node.column === short)
    const frame = { frame: "step", steps, outer, states } as const
    const place = column.columns.findIndex(inner => inner.name === short)
    const inner = column.columns[place] as Column | undefined
    if (inner && inner.kind !== "bag" && inner.kind !== "steps" && !isLagged(short)) {
      const levels = inner.kind === "level" ? { levels: inner.levels } : {}
      return { ...frame, column: short, inner, place, ...levels }
    }
    if (states.length > 0) return { ...frame, column: short, place: -1, levels: states[0].levels }
    const [hidden] = parts.find(({ columns }) => columns[0].name === short)?.columns ?? []
    if (hidden?.kind === "level") return { ...frame, column: short, place: -1, hidden, levels: hidden.levels }
  }
  return undefined
}

/** In a network over steps. */
function follows(part: Part): boolean {
  return part.network?.stepPlace !== undefined
}

function isChain({ walk }: SwitchNode): boolean {
  return walk !== undefined
}

export function stepsOf(block: Block, { outer }: StepTarget): Nested {
  return block.cells[outer] as Nested
}

/** The block without the target's cells. Target cells of rows are never read. */
export function withoutTarget(block: Block, target: Target): Block {
  if (target.frame === "row" || !target.inner) return block
  const { inner, place, outer } = target
  const { offsets, block: steps, missing } = stepsOf(block, target)
  const hole: Encoded =
    inner.kind === "level" ? new Int32Array(steps.rows).fill(-1) : new Float64Array(steps.rows).fill(NaN)
  return replaced(block, outer, { offsets, block: replaced(steps, place, hole), missing })
}

function replaced(block: Block, place: number, cell: Encoded): Block {
  const cells = block.cells.slice()
  cells[place] = cell
  return { ...block, cells }
}

/** A column of the row or of its steps: the block that holds it. */
export function unitsIn(block: Block, target: Target): Block {
  return target.frame === "step" ? stepsOf(block, target).block : block
}

/** The ends of each row's steps, filled by `countIn`. Undefined for a column of rows. */
export function endsOf({ frame }: Target): number[] | undefined {
  return frame === "step" ? [0] : undefined
}

/** The number of rows, or of steps, of a block; adds where the steps of each row end. */
export function countIn(block: Block, target: Target, ends: number[] | undefined): number {
  if (target.frame === "row") return block.rows
  const { offsets } = stepsOf(block, target)
  const first = ends![ends!.length - 1]
  for (let i = 1; i <= block.rows; i++) ends!.push(first + offsets[i])
  return offsets[block.rows]
}

/** The answers of all steps as one list per row. */
export function byRow<Answer>(answers: readonly Answer[], ends: ArrayLike<number>): Answer[][] {
  return Array.from({ length: ends.length - 1 }, (_, i) => answers.slice(ends[i], ends[i + 1]))
}
