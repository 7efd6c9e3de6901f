/** Which states may come first and which may follow which: the structure of a chain, from its options. */
import type { Level } from "../../contract/cells.ts"
import type { Json } from "../../contract/report.ts"
import { didYouMean, list, nearest, SufficeError, show, wrongOption } from "../../errors.ts"
import { isRecord } from "../../shape.ts"

/** "left-right": stay or go on to the next state, from the first one; "cyclic": the same, and from the last to the first. A list names the states that may follow. */
export type Transitions = "all" | "left-right" | "cyclic" | Readonly<Record<string, readonly Level[]>>

/** "equal": each allowed state is as likely as the others, and nothing is learned. A list names the states that may come first. */
export type Initial = "free" | "equal" | readonly Level[]

export interface Allowed {
  /** 1 where state l may come first. */
  readonly initial: Uint8Array
  /** 1 where state j may follow state i, at i·k + j. */
  readonly transitions: Uint8Array
}

const WORDS = ["all", "left-right", "cyclic"]

/** Refuses what can be seen to be wrong before the states are known. */
export function checkStructure(transitions: Transitions, initial: Initial): void {
  const isLists = isRecord(transitions) && Object.values(transitions).every(Array.isArray)
  if (!isLists && !WORDS.includes(transitions as string)) {
    throw wrongOption(
      "chain",
      "transitions",
      transitions,
      `It is one of ${list(WORDS)}, or the states that may follow, by state: { a: ["a", "b"] }. Leave it out for all.`,
    )
  }
  if (initial === "free" || initial === "equal" || (Array.isArray(initial) && initial.length > 0)) return
  throw wrongOption(
    "chain",
    "initial",
    initial,
    'It is "free", "equal", or a list of the states that may come first. Leave it out for "free".',
  )
}

/** The structure over these states; throws if it names another one, or leaves one that cannot be reached. */
export function allowedIn(
  column: string,
  states: readonly Level[],
  transitions: Transitions,
  initial: Initial,
  ends: boolean,
): Allowed {
  const k = states.length
  const names = states.map(String)
  const indexOf = (option: string, state: unknown): number => {
    const index = names.indexOf(String(state))
    if (index >= 0) return index
    throw new SufficeError(
      "option",
      `chain: ${option} names the state ${show(state)}. ${show(column)} has ${list(names)}. ${didYouMean(nearest(String(state), names), "Name one of them.")}`,
      { option, state },
    )
  }
  const first = new Uint8Array(k)
  if (Array.isArray(initial)) for (const state of initial) first[indexOf("initial", state)] = 1
  else if (transitions === "left-right") first[0] = 1
  else first.fill(1)
  const follows = new Uint8Array(k * k)
  if (typeof transitions === "string") {
    for (let i = 0; i < k; i++) {
      for (let j = 0; j < k; j++) {
        const isNext = j === i + 1 || (transitions === "cyclic" && j === (i + 1) % k)
        if (transitions === "all" || i === j || isNext) follows[i * k + j] = 1
      }
    }
  } else {
    // a state that is not named may be followed by all
    follows.fill(1)
    for (const [from, to] of Object.entries(transitions)) {
      const i = indexOf("transitions", from)
      follows.fill(0, i * k, (i + 1) * k)
      for (const state of to) follows[i * k + indexOf("transitions", state)] = 1
      if (to.length > 0 || ends) continue
      throw new SufficeError(
        "option",
        `chain: nothing may follow the state ${show(from)} of ${show(column)}. A sequence could not go on from there, and without \`ends\` its length is given. Name a state that may follow, or set ends: true.`,
        { option: "transitions", state: from },
      )
    }
  }
  const reached = reachable(first, follows)
  const lost = reached.indexOf(0)
  if (lost < 0) return { initial: first, transitions: follows }
  throw new SufficeError(
    "option",
    `chain: no sequence can reach the state ${show(states[lost])} of ${show(column)}. It neither comes first nor follows a state that is reached. Name it in initial, or in a list of transitions.`,
    { option: "transitions", state: states[lost] },
  )
}

/** 1 for the states that some sequence visits. */
function reachable(first: Uint8Array, follows: Uint8Array): Uint8Array {
  const k = first.length
  const reached = first.slice()
  const waiting = [...first.keys()].filter(l => first[l] === 1)
  for (let i = waiting.pop(); i !== undefined; i = waiting.pop()) {
    for (let j = 0; j < k; j++) {
      if (reached[j] || !follows[i * k + j]) continue
      reached[j] = 1
      waiting.push(j)
    }
  }
  return reached
}

/** As saving writes it. */
export function structureSpec(
  transitions: Transitions,
  initial: Initial,
): { transitions: Json; initial: Json } {
  return {
    transitions:
      typeof transitions === "string"
        ? transitions
        : Object.fromEntries(Object.entries(transitions).map(([from, to]) => [from, [...to]])),
    initial: typeof initial === "string" ? initial : [...initial],
  }
}
