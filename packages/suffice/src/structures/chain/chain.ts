/**
 * `chain(states, body)`: a cell is a list of steps, and the state of each depends on that of the step before. Hidden states make a hidden Markov model; a state that is a
 * column of the steps, seen or missing at any of them, makes a tagger.
 */

import { carrier } from "../../blocks/lags.ts"
import type { Level } from "../../contract/cells.ts"
import type { Use } from "../../contract/columns.ts"
import type { Model, Plan } from "../../contract/model.ts"
import type { Node } from "../../contract/node.ts"
import type { Description } from "../../contract/report.ts"
import { list, refuseUnknown, SufficeError, show, wrongOption } from "../../errors.ts"
import { pseudoRows } from "../../families/options.ts"
import { checkNames, sharedUses } from "../bodies.ts"
import type { BodyOf, InChain, Labelled, LevelsOf } from "../columns.ts"
import { checkLags } from "../lags.ts"
import { layPart } from "../part.ts"
import {
  type Allowed,
  allowedIn,
  checkStructure,
  type Initial,
  structureSpec,
  type Transitions,
} from "./allowed.ts"
import { sideBySide } from "./bodies.ts"
import { END } from "./describe.ts"
import { choiceLeaf, visitsLeaf } from "./leaves.ts"
import { layChain } from "./node.ts"
import { enoughSteps } from "./state-count.ts"
import { hiddenStates, type States, seenStates } from "./states.ts"

export interface ChainOptions<Column extends string = string, L extends Level = Level> {
  /** The column that holds the steps. */
  readonly column?: Column
  /** A name for a hidden state, by which it can be asked for. */
  readonly name?: string
  /** All levels of a seen state, if the data may not contain each of them. By default they are discovered. */
  readonly levels?: readonly L[]
  /** Is the end of a sequence modelled? Otherwise its length is given. */
  readonly ends?: boolean
  /** Which states may follow which. */
  readonly transitions?: Transitions
  /** Which states may come first. */
  readonly initial?: Initial
  /** Pseudo-counts of each allowed beginning, transition and end at prior strength 1: the 1 of a mixture blurs tables of 22 × 22. */
  readonly prior?: number
}

const OPTIONS = ["column", "name", "levels", "ends", "transitions", "initial", "prior"]

/** Hidden states: their number, or a body for each. */
export function chain<Body extends Model, const Column extends string = "steps">(
  states: number | readonly Body[],
  body: Body | undefined,
  options?: ChainOptions<Column, never>,
): Model<InChain<Column, Body>, never>
/** The state is a column of the steps. */
export function chain<
  const State extends string,
  Bodies extends Model | Readonly<Record<string, Model>>,
  const Column extends string = "steps",
  const L extends Level = LevelsOf<Bodies>,
>(
  states: State,
  body: Bodies,
  options?: ChainOptions<Column, L>,
): Model<InChain<Column, Model<Labelled<State, L, BodyOf<Bodies>>, State>>, State>
export function chain(
  states: number | string | readonly Model[],
  body: Model | Readonly<Record<string, Model>> | undefined,
  options: ChainOptions = {},
): Model<never, never> {
  refuseUnknown("chain", options, OPTIONS)
  const { column = "steps", ends = false, transitions = "all", initial = "free", prior = 0.1 } = options
  if (typeof column !== "string") {
    throw wrongOption(
      "chain",
      "column",
      column,
      'It is the name of the column that holds the steps. Leave it out for "steps".',
    )
  }
  if (typeof ends !== "boolean")
    throw wrongOption("chain", "ends", ends, "It is true or false. Leave it out for false.")
  checkStructure(transitions, initial)
  const declared =
    typeof states === "string"
      ? seenStates(states, body, options)
      : hiddenStates(states, body as Model, options)
  const { bodies, levels, uses } = declared
  const nested = bodies.flatMap(({ uses }) => uses).find(({ need }) => need.kind === "steps")
  if (nested) {
    throw new SufficeError(
      "model",
      `chain: the body has steps of its own in ${show(nested.column)}. A chain of chains would need the states of all steps at once. Sum the inner steps up in columns, or make the outer ones rows.`,
      { column: nested.column },
    )
  }
  const all = [...uses, ...sharedUses("chain", bodies)]
  const measure = all.some(use => use.measure === "density") ? "density" : "mass"
  const steps: Use = { column, need: { kind: "steps", uses: all }, measure, group: column, role: "cell" }
  checkNames("chain", [steps])
  checkLags("chain", all)
  const declaration: Declaration = {
    ...declared,
    steps: column,
    structure: { transitions, initial },
    ends,
    prior: pseudoRows("chain", prior),
  }
  if (declared.isHidden) allowedIn(declared.column, levels!, transitions, initial, ends)
  return {
    kind: "chain",
    uses: [steps],
    target: declared.isHidden ? undefined : declared.column,
    spec: specOf(declaration),
    lay: (plan, slots) => layOn(plan, slots, declaration),
  }
}

interface Declaration extends States {
  readonly steps: string
  readonly structure: { readonly transitions: Transitions; readonly initial: Initial }
  readonly ends: boolean
  readonly prior: number
}

function specOf({
  steps,
  column,
  isHidden,
  name,
  levels,
  bodies,
  ends,
  structure,
  prior,
}: Declaration): Description {
  return {
    kind: "chain",
    column: steps,
    ...(isHidden
      ? { states: levels!.length, ...(name !== undefined && { name }) }
      : { state: column, ...(levels && { levels }) }),
    ends,
    ...structureSpec(structure.transitions, structure.initial),
    prior,
    bodies: bodies.map(body => body.spec),
  }
}

function layOn(plan: Plan, slots: number, declaration: Declaration): Node {
  const { steps, column, isHidden, levels, bodies, isSeveral, structure, ends, prior } = declaration
  const { place, column: own } = plan.column(steps)
  if (isHidden) plan.notice?.(enoughSteps)
  const inner = plan.within(steps)
  const found = isHidden ? undefined : inner.column(column)
  const states = found?.column.kind === "level" ? found.column.levels : (levels ?? [])
  const label = found?.place ?? -1
  const k = states.length
  const allowed = allowedIn(column, states, structure.transitions, structure.initial, ends)
  const chosen = { kind: "level", name: column, levels: states } as const
  const next = { ...chosen, levels: ends ? [...states, END] : states }
  const isEqual = structure.initial === "equal"
  // before the bodies: an error of the size precedes theirs
  const first = Uint8Array.from({ length: k * slots }, (_, j) => allowed.initial[Math.trunc(j / slots)])
  const initial = layPart(plan, choiceLeaf(chosen, slots, first, prior, isEqual), {
    family: "initial",
    columns: [chosen],
    places: [-1],
    role: "choice",
  })
  const follows = followsOf(allowed, k, slots, next.levels.length)
  const transitions = layPart(inner, choiceLeaf(next, k * slots, follows, prior), {
    family: "transitions",
    columns: [next],
    places: [-1],
    role: "choice",
  })
  const visits = layPart(inner, visitsLeaf(chosen, slots, inflow(allowed, k, prior, isEqual)), {
    family: "visits",
    columns: [chosen],
    places: [label],
    role: isHidden ? "hidden" : "choice",
  })
  const body = isSeveral
    ? sideBySide(states.map(state => bodies[indexOfState(column, levels, state)].lay(inner, slots)))
    : bodies[0].lay(inner, k * slots)
  return layChain({
    name: steps,
    place,
    column,
    label,
    states,
    beliefs: found?.column.kind === "level" ? found.column.beliefs : undefined,
    ends,
    slots,
    initial,
    transitions,
    visits,
    body,
    allowed,
    isOrdered: structure.transitions === "left-right",
    carry: carrier(own.kind === "steps" ? own.columns : []),
  })
}

/** Allowed entries of the transitions: entry j of slot i·P + p. Every state may be the last. */
function followsOf({ transitions }: Allowed, k: number, slots: number, entries: number): Uint8Array {
  return Uint8Array.from({ length: entries * k * slots }, (_, at) => {
    const j = Math.trunc(at / (k * slots))
    return j === k ? 1 : transitions[Math.trunc((at % (k * slots)) / slots) * k + j]
  })
}

/** Prior visits of each state: the pseudo-counts of beginnings and transitions into it. */
function inflow({ initial, transitions }: Allowed, k: number, prior: number, isEqual: boolean): number[] {
  return Array.from({ length: k }, (_, j) => {
    let ways = isEqual ? 0 : initial[j]
    for (let i = 0; i < k; i++) ways += transitions[i * k + j]
    return ways * prior
  })
}

function indexOfState(column: string, levels: readonly Level[] = [], state: Level): number {
  const index = levels.findIndex(level => String(level) === String(state))
  if (index >= 0) return index
  throw new SufficeError(
    "model",
    `chain: one body of ${show(column)} is missing: the levels ${list(levels)} have one, ${show(state)} has none. Each state needs a body of its own. Name the same levels wherever ${show(column)} stands.`,
    { column, level: state },
  )
}
