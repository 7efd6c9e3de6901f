/** The states of a chain as they are declared: hidden and numbered, or the levels of a column. */
import type { Level } from "../../contract/cells.ts"
import type { Need, Use } from "../../contract/columns.ts"
import type { Model } from "../../contract/model.ts"
import { list, SufficeError, show, wrongOption } from "../../errors.ts"
import { declaredLevels } from "../../families/options.ts"
import { checkBodies, readByWindows } from "../bodies.ts"
import { isFamily } from "../leaf.ts"

/** Options that speak of the states. */
interface Named {
  readonly name?: string
  readonly levels?: readonly Level[]
}

export interface States {
  /** The column of the state, or the name of a hidden one. */
  readonly column: string
  readonly isHidden: boolean
  readonly name: string | undefined
  readonly levels: readonly Level[] | undefined
  readonly bodies: readonly Model[]
  /** Each state has a body of its own. */
  readonly isSeveral: boolean
  /** Of the state itself. */
  readonly uses: readonly Use[]
}

/** More would be a mistake: transitions are k². */
const MOST_STATES = 4096

export function hiddenStates(
  states: number | readonly Model[],
  body: Model | undefined,
  options: Named,
): States {
  checkHidden(states, body, options)
  const { name } = options
  const bodies = (Array.isArray(states) ? states : [body]) as readonly Model[]
  checkBodies("chain", bodies)
  const count = typeof states === "number" ? states : states.length
  const levels = Array.from({ length: count }, (_, l) => l)
  if (name !== undefined) checkOwnName(name, bodies)
  return {
    column: name ?? "state",
    isHidden: true,
    name,
    levels,
    bodies,
    isSeveral: bodies.length > 1,
    uses: name === undefined ? [] : [hiddenUse(name, levels)],
  }
}

function hiddenUse(name: string, levels: readonly Level[]): Use {
  return { column: name, need: { kind: "level", levels }, measure: "mass", group: name, role: "hidden" }
}

/** Throws unless hidden states are declared as a number or as bodies, without levels. */
function checkHidden(
  states: number | readonly Model[],
  body: Model | undefined,
  { name, levels }: Named,
): void {
  const isSeveral = Array.isArray(states)
  const count = isSeveral ? states.length : (states as number)
  if (!Number.isSafeInteger(count) || count < 1 || count > MOST_STATES) {
    throw new SufficeError(
      "option",
      `chain: the states are ${show(states)}. They are a whole number from 1 to ${MOST_STATES}, a list of bodies, or the name of a column of the steps. Write for example chain(4, body), or chain("tag", body).`,
      { states },
    )
  }
  if (isSeveral && body !== undefined) {
    throw new SufficeError(
      "model",
      "chain: a list of bodies is followed by another body. The list says everything. Write chain([a, b], undefined, options), or chain(2, body, options).",
    )
  }
  if (levels !== undefined) {
    throw wrongOption(
      "chain",
      "levels",
      levels,
      "It lists the levels of a state that is a column. Hidden states are numbered. Leave it out.",
    )
  }
  if (name !== undefined && typeof name !== "string") {
    throw wrongOption(
      "chain",
      "name",
      name,
      "It is text, to ask for the state by. Leave it out for a chain without a name.",
    )
  }
}

export function seenStates(
  column: string,
  body: Model | Readonly<Record<string, Model>> | undefined,
  { name, levels }: Named,
): States {
  if (name !== undefined) {
    throw wrongOption(
      "chain",
      "name",
      name,
      `The state is the column ${show(column)}, which is its name. Leave it out.`,
    )
  }
  const isSeveral =
    typeof body === "object" && body !== null && typeof (body as Model).lay !== "function" && !isFamily(body)
  const names = isSeveral ? Object.keys(body) : undefined
  const bodies = (isSeveral ? Object.values(body) : [body]) as Model[]
  checkBodies(`chain(${show(column)})`, bodies, names)
  checkOwnName(column, bodies)
  const given = levels && declaredLevels("chain", `levels of ${show(column)}`, levels)
  if (
    names &&
    given &&
    !(names.length === given.length && given.every(level => names.includes(String(level))))
  ) {
    throw new SufficeError(
      "model",
      `chain: ${show(column)} has bodies for ${list(names)} but levels ${list(given)}. Each level needs a body of its own. Name the same levels in both.`,
      { column },
    )
  }
  const known: readonly Level[] | undefined = given ?? names
  const isNamed = isSeveral && known!.every(level => typeof level === "string")
  const need: Need = known
    ? { kind: "level", levels: known, ...(isNamed && { named: true }) }
    : { kind: "level" }
  return {
    column,
    isHidden: false,
    name: undefined,
    levels: known,
    // in the order of the levels, whatever the order of the keys
    bodies: names && given ? given.map(level => bodies[names.indexOf(String(level))]) : bodies,
    isSeveral,
    uses: [{ column, need, measure: "mass", group: column, role: "label" }],
  }
}

function checkOwnName(column: string, bodies: readonly Model[]): void {
  const isRead = bodies.some(({ uses }) => readByWindows(uses).includes(column))
  if (!isRead && !bodies.some(({ uses }) => uses.some(use => use.column === column))) return
  throw new SufficeError(
    "model",
    `chain: the state ${show(column)} is also ${isRead ? "read by a window in" : "a column of"} the body. A state that explains itself teaches nothing. Leave it out of the body, or name the state otherwise.`,
    { column },
  )
}
