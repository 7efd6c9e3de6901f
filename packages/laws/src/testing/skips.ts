/**
 * The record of skips: one line per law and reason, with the subjects, as text. Subjects of the matrix are written as models · states · learners.
 * Lists of three names and more are groups, defined in lines of their own.
 */
import type { Skip } from "../law.ts"

/** All names of models, states of the data and learners. Families are always listed. */
export interface Names {
  readonly models: readonly string[]
  readonly states: readonly string[]
  readonly learners: readonly string[]
}

const HEAD = "law\treason\tsubjects"
const PART = " · "
const NAME = "; "
const BOX = " | "
const EVERY = "*"
const BUT = "* but "
/** The length in characters from which on a list is a group. */
const LONG = 60

export function skipsToText(skips: readonly Skip[], names: Names): string {
  const lines = new Map<string, string[]>()
  for (const { law, reason, subject } of skips) {
    const key = `${law}\t${reason}`
    lines.set(key, [...(lines.get(key) ?? []), subject])
  }
  const groups = new Map<string, string>()
  const rows = [...lines]
    .map(([key, subjects]) => `${key}\t${boxesOf(subjects, names, groups).join(BOX)}`)
    .sort()
  return `${[...[...groups].map(([list, name]) => `${name}\t${list}`).sort(), HEAD, ...rows].join("\n")}\n`
}

/** Lists of names whose products are the subjects. */
function boxesOf(subjects: readonly string[], names: Names, groups: Map<string, string>): string[] {
  const alone = subjects.filter(subject => !subject.includes(PART))
  const boxes = alone.length > 0 ? [listOf(alone, names.models, groups)] : []
  // pairs of a state and a learner by model, then models with the same pairs
  const pairs = grouped(
    subjects.filter(subject => subject.includes(PART)).map(subject => split(subject)),
    ([model]) => model,
    ([, state, learner]) => `${state}${PART}${learner}`,
  )
  for (const [samePairs, models] of alike(pairs)) {
    const states = grouped(
      samePairs.map(pair => pair.split(PART)),
      ([, learner]) => learner,
      ([state]) => state,
    )
    for (const [sameStates, learners] of alike(states)) {
      const lists = [
        listOf(models, names.models, groups),
        listOf(sameStates, names.states, groups),
        listOf(learners, names.learners, groups),
      ]
      boxes.push(lists.join(PART))
    }
  }
  return boxes
}

function split(subject: string): readonly [model: string, state: string, learner: string] {
  const [model, state, learner] = subject.split(PART)
  return [model, state, learner]
}

function grouped<T>(
  items: readonly T[],
  key: (item: T) => string,
  value: (item: T) => string,
): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), value(item)])
  return groups
}

/** The keys that have the same values, with these values. */
function alike(
  map: ReadonlyMap<string, readonly string[]>,
): (readonly [values: readonly string[], keys: readonly string[]])[] {
  const groups = new Map<string, { values: readonly string[]; keys: string[] }>()
  for (const [key, values] of map) {
    const same = [...values].sort().join(NAME)
    const group = groups.get(same) ?? { values, keys: [] }
    group.keys.push(key)
    groups.set(same, group)
  }
  return [...groups.values()].map(({ values, keys }) => [values, keys] as const)
}

/** Names in the order of all of them, as the shorter of the list and its complement. */
function listOf(chosen: readonly string[], all: readonly string[], groups: Map<string, string>): string {
  const members = new Set(chosen)
  const inside = all.filter(name => members.has(name))
  const outside = all.filter(name => !members.has(name))
  if (inside.length < members.size) return chosen.join(NAME)
  if (outside.length === 0 && all.length > 1) return EVERY
  const [list, complement] = [inside.join(NAME), `${BUT}${outside.join(NAME)}`]
  const shorter = complement.length < list.length ? complement : list
  if (shorter.length < LONG) return shorter
  const name = groups.get(shorter) ?? `@${hashOf(shorter)}`
  groups.set(shorter, name)
  return name
}

/** A name of four letters that depends on the members alone. */
function hashOf(text: string): string {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) >>> 0
  return Array.from({ length: 4 }, (_, i) =>
    String.fromCharCode(97 + (Math.floor(hash / 26 ** i) % 26)),
  ).join("")
}

export function skipsFromText(text: string, names: Names): Skip[] {
  const lines = text.trimEnd().split("\n")
  const head = lines.indexOf(HEAD)
  const groups = new Map(lines.slice(0, head).map(line => line.split("\t") as [string, string]))
  const namesIn = (text: string, all: readonly string[]): readonly string[] => {
    const list = groups.get(text) ?? text
    if (list === EVERY) return all
    const isComplement = list.startsWith(BUT)
    const listed = (isComplement ? list.slice(BUT.length) : list).split(NAME)
    return isComplement ? all.filter(name => !listed.includes(name)) : listed
  }
  return lines.slice(head + 1).flatMap(line => {
    const [law, reason, boxes] = line.split("\t")
    return boxes.split(BOX).flatMap(box => {
      const [models, states, learners] = box.split(PART)
      const alone = namesIn(models, names.models)
      if (states === undefined) return alone.map(subject => ({ law, reason, subject }))
      return alone.flatMap(model =>
        namesIn(states, names.states).flatMap(state =>
          namesIn(learners, names.learners).map(learner => ({
            law,
            reason,
            subject: [model, state, learner].join(PART),
          })),
        ),
      )
    })
  })
}

/** Skips without a record, and records without a skip. */
export function differences(
  recorded: readonly Skip[],
  made: readonly Skip[],
): { readonly silent: readonly Skip[]; readonly stale: readonly Skip[] } {
  const keyOf = ({ law, reason, subject }: Skip): string => `${law}\n${reason}\n${subject}`
  const before = new Set(recorded.map(keyOf))
  const now = new Set(made.map(keyOf))
  return {
    silent: made.filter(skip => !before.has(keyOf(skip))),
    stale: recorded.filter(skip => !now.has(keyOf(skip))),
  }
}
