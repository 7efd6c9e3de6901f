/**
 * One order of levels for a whole page: that of the model, which sorts them, and after them levels that only the measured rows hold. Charts
 * that give each level a line or a panel draw the most frequent ones, in the same order and always in the same colours.
 */
import type { Card } from "../answers.ts"
import { clipped, many } from "../format.ts"
import { COLOURS } from "./palette.ts"

export interface LevelOrder {
  readonly levels: readonly string[]
  /** Those that charts draw; the place in it is the number of the colour. */
  readonly drawn: readonly string[]
}

/** `rows`: how frequent each level is. */
export function orderOf(levels: readonly string[], rows: ReadonlyMap<string, number>): LevelOrder {
  const of = (level: string): number => rows.get(level) ?? 0
  const most = new Set(levels.toSorted((a, b) => of(b) - of(a)).slice(0, COLOURS))
  return { levels, drawn: levels.filter(level => most.has(level) && of(level) > 0) }
}

/** The order of a card: how frequent levels are is counted in the rows it has learned from, or else in the measured ones. */
export function orderIn({ quality, learned }: Pick<Card, "quality" | "learned">): LevelOrder | undefined {
  if (quality?.evaluation.kind !== "levels") return undefined
  const { confusion, perLevel } = quality.evaluation
  const levels = confusion.levels.map(String)
  const rows =
    learned?.kind === "groups"
      ? learned.groups.map(({ name, rows }): [string, number] => [name, rows])
      : levels.map((level): [string, number] => [level, perLevel[level].support])
  return orderOf(levels, new Map(rows))
}

/** What is drawn of how many, in a sentence; empty if all are. */
export function drawnSentence({ levels, drawn }: LevelOrder): string {
  return drawn.length === levels.length
    ? ""
    : `Of ${many(levels.length, "level")}, charts draw the ${drawn.length} most frequent: ${drawn.map(level => clipped(level, 24)).join(", ")}. Tables hold all.`
}

/** Where a level is drawn, and so its colour; -1 if it is not. */
export function placeOf({ drawn }: LevelOrder, level: string): number {
  return drawn.indexOf(level)
}
