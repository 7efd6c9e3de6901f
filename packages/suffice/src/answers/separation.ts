/** What can be told from the arrows of a model alone: separation, blankets, and what to hold fixed to read off a causal effect. */

import { type Arrows, arrowsIn, nodesOf } from "../declare/arrows.ts"
import { SufficeError, show } from "../errors.ts"
import { backDoor, blanketOf, isSeparated, withAncestors } from "../structures/network/graph.ts"
import type { Knowledge } from "./knowledge.ts"

type OneOrMore = string | readonly string[]

const listed = (columns: OneOrMore): readonly string[] => (typeof columns === "string" ? [columns] : columns)

export function separated({ model }: Knowledge, a: OneOrMore, b: OneOrMore, given: OneOrMore): boolean {
  const arrows = arrowsIn(model.spec)
  const [one, other, known] = [a, b, given].map(columns => nodesOf(arrows, "separated", listed(columns)))
  const both = one.find(v => other.includes(v))
  if (both !== undefined) {
    const name = show(arrows.names[both])
    throw new SufficeError(
      "option",
      `separated: ${name} stands on both sides. A column is never independent of itself. Name it once.`,
      { column: arrows.names[both] },
    )
  }
  return isSeparated(arrows.parents, one, other, known)
}

export function blanket({ model }: Knowledge, column: string): string[] {
  const arrows = arrowsIn(model.spec)
  const [v] = nodesOf(arrows, "blanket", [column])
  return blanketOf(arrows.parents, v).map(u => arrows.names[u])
}

/** Undefined: no set of columns of the data closes every back door. */
export function adjustment({ model }: Knowledge, cause: string, effect: string): string[] | undefined {
  const arrows = arrowsIn(model.spec)
  const [x, y] = nodesOf(arrows, "adjustment", [cause, effect])
  if (x === y) {
    throw new SufficeError(
      "option",
      `adjustment: ${show(cause)} is both cause and effect. A column has no effect on itself. Name two columns.`,
      { column: cause },
    )
  }
  checkDirection(arrows, x, y)
  const seen = arrows.names.flatMap((name, v) => (arrows.hidden.includes(name) ? [] : [v]))
  return backDoor(arrows.parents, x, y, seen)?.map(v => arrows.names[v])
}

/** The back doors of a cause that its effect leads to cannot be closed, and need not be: it has no effect. */
function checkDirection({ names, parents }: Arrows, x: number, y: number): void {
  if (!withAncestors(parents, [x]).has(y)) return
  throw new SufficeError(
    "option",
    `adjustment: the arrows lead from ${show(names[y])} to ${show(names[x])}. What comes first is not changed by what follows: ${show(names[x])} has no effect on it. Ask the other way round.`,
    { cause: names[x], effect: names[y] },
  )
}
