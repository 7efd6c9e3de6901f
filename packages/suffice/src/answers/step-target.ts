/** A target that stands in the steps of a chain, or of a network over steps: a row then has an answer for each of its steps. */
import { isLagged } from "../blocks/lags.ts"
import type { Block, Encoded, Nested } from "../contract/block.ts"
import type { Level } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { SwitchNode } from "../contract/node.ts"
import type { Part } from "../contract/part.ts"
import { SufficeError, show } from "../errors.ts"
import type { Knowledge } from "./knowledge.ts"

export interface StepTarget {
  /** The column, or the name of a hidden state. */
  readonly column: string
  /** The column of the steps, and its place in a block. */
  readonly steps: string
  readonly outer: number
  /** As it stands in the steps, and its place there; absent for a hidden state. */
  readonly inner?: Column
  readonly place: number
  /** A hidden column of a network over steps. */
  readonly hidden?: Column
  /** Absent for a number. */
  readonly levels?: readonly Level[]
  /** The states of chains, if that is what is asked for. */
  readonly states: readonly SwitchNode[]
}

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
    const place = column.columns.findIndex(inner => inner.name === short)
    const inner = column.columns[place] as Column | undefined
    if (inner && inner.kind !== "bag" && inner.kind !== "steps" && !isLagged(short)) {
      const levels = inner.kind === "level" ? { levels: inner.levels } : {}
      return { column: short, steps, outer, inner, place, ...levels, states }
    }
    if (states.length > 0) return { column: short, steps, outer, place: -1, levels: states[0].levels, states }
    const [hidden] = parts.find(({ columns }) => columns[0].name === short)?.columns ?? []
    if (hidden?.kind === "level")
      return { column: short, steps, outer, place: -1, hidden, levels: hidden.levels, states }
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

/** The block without the target's cells. */
export function withoutTarget(block: Block, target: StepTarget): Block {
  const { inner, place, outer } = target
  if (!inner) return block
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

/** A number is asked for its levels. */
export function noLevels(method: string, column: string): SufficeError {
  return new SufficeError(
    "target",
    `${method}: ${show(column)} has no levels to choose from: it is a number. Use predict().`,
    { column },
  )
}
