/** The kind of `chain`: in a file and in a description. */
import type { Level } from "../../contract/cells.ts"
import type { Description } from "../../contract/report.ts"
import {
  countAt,
  damaged,
  fieldsAt,
  finiteAt,
  isRecord,
  levelsAt,
  listAt,
  misshapen,
  type Reader,
  textAt,
} from "../../shape.ts"
import { at, checkKeys, modelsAt, partOf, type StructureKind, walkBody, within } from "../kind.ts"
import type { Initial, Transitions } from "./allowed.ts"
import { chain } from "./chain.ts"
import { chainTree } from "./tree.ts"

export const chainKind: StructureKind = {
  name: "chain",
  tree: chainTree,

  revive(spec, revival, path) {
    const fields = {
      kind: textAt,
      column: textAt,
      ends: flagAt,
      transitions: transitionsAt,
      initial: initialAt,
      prior: finiteAt,
      bodies: modelsAt(revival),
    }
    const choices = { state: textAt, states: statesAt(revival.most), name: textAt, levels: levelsAt }
    const { kind: _, bodies, state, states, name, levels, ...options } = fieldsAt(spec, path, fields, choices)
    if ((state === undefined) === (states === undefined))
      throw misshapen(path, spec, "a state that is a column, or a number of states,")
    const count = states ?? levels?.length
    if (bodies.length !== 1 && bodies.length !== count)
      throw misshapen(`${path}.bodies`, bodies, `one body, or one for each of ${count ?? "its"} states,`)
    return within(path, () => {
      if (state === undefined) {
        const named = { ...options, ...(name !== undefined && { name }) }
        return bodies.length === 1 ? chain(states!, bodies[0], named) : chain(bodies, undefined, named)
      }
      const body =
        bodies.length === 1
          ? bodies[0]
          : Object.fromEntries(levels!.map((level, l) => [String(level), bodies[l]]))
      return chain(state, body, { ...options, ...(levels && { levels }) })
    })
  },

  names: spec => [spec.column as string],

  walk(spec, description, path, visitor, kinds) {
    const column = spec.column as string
    const own = partOf(description, column, path)
    const here = at(path, column)
    const initial = partOf(own, "initial", here)
    const state = spec.state as string | undefined
    const declared =
      (spec.levels as Level[] | undefined) ?? (state === undefined ? undefined : visitor.levels(state))
    const levels =
      state === undefined
        ? Array.from({ length: spec.states as number }, (_, l) => String(l))
        : (declared?.map(String) ?? Object.keys(initial))
    const level = "level of the model"
    checkKeys(initial, levels, at(here, "initial"), level)
    const transitions = partOf(own, "transitions", here)
    checkKeys(transitions, levels, at(here, "transitions"), level)
    for (const from of levels)
      checkKeys(
        partOf(transitions, from, at(here, "transitions")),
        levels,
        at(at(here, "transitions"), from),
        level,
      )
    if (spec.ends === true) checkKeys(partOf(own, "ends", here), levels, at(here, "ends"), level)
    const given = partOf(own, "given", here)
    checkKeys(given, levels, at(here, "given"), level)
    if (state !== undefined) visitor.label(state, levels, here)
    const bodies = spec.bodies as Description[]
    levels.forEach((name, l) => {
      const below = partOf(given, name, at(here, "given"))
      walkBody(bodies[bodies.length > 1 ? l : 0], below, at(at(here, "given"), name), visitor, kinds)
    })
  },
}

function flagAt(value: unknown, path: string): boolean {
  if (typeof value !== "boolean") throw misshapen(path, value, "true or false")
  return value
}

function statesAt(most: number): Reader<number> {
  return (value, path) => {
    const states = countAt(value, path, 1)
    if (states <= most) return states
    throw damaged(`has ${states} states at ${path}, but statistics for at most ${most}`, { path, states })
  }
}

const transitionsAt: Reader<Transitions> = (value, path) => {
  if (typeof value === "string") return value as Transitions
  if (!isRecord(value)) throw misshapen(path, value, "text or lists of states")
  return Object.fromEntries(
    Object.entries(value).map(([from, to]) => [from, levelsAt(to, `${path}.${from}`)]),
  )
}

const initialAt: Reader<Initial> = (value, path) => {
  if (typeof value === "string") return value as Initial
  return listAt(value, path, (level, place) => levelsAt([level], place)[0])
}
