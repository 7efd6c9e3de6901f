/**
 * Networks that no table can tell apart: they have the same pairs and the same colliders u → w ← v with u, v apart (Verma & Pearl 1990). Such a class is a
 * graph in which some pairs have an arrow, and others are left open.
 *
 * A graph is a matrix: entry u·n + v is 1 if u → v is possible. An open pair has both.
 */
import type { Parents } from "../structures/network/graph.ts"
import type { Constraints } from "./constraints.ts"

export interface PartlyDirected {
  readonly count: number
  readonly may: Uint8Array
}

/** Is u → v the only possibility? */
export function isArrow({ may, count }: PartlyDirected, u: number, v: number): boolean {
  return may[u * count + v] === 1 && may[v * count + u] === 0
}

function isOpen({ may, count }: PartlyDirected, u: number, v: number): boolean {
  return may[u * count + v] === 1 && may[v * count + u] === 1
}

export function isPair({ may, count }: PartlyDirected, u: number, v: number): boolean {
  return may[u * count + v] === 1 || may[v * count + u] === 1
}

/** Decides an open pair. */
export function direct({ may, count }: PartlyDirected, u: number, v: number): void {
  may[v * count + u] = 0
}

/** The class of a network; arrows whose opposite the constraints rule out are no open question. */
export function classOf(parents: Parents, constraints?: Constraints): PartlyDirected {
  const count = parents.length
  const graph: PartlyDirected = { count, may: new Uint8Array(count * count) }
  parents.forEach((own, v) => {
    for (const u of own) {
      graph.may[u * count + v] = 1
      graph.may[v * count + u] = 1
    }
  })
  parents.forEach((own, w) => {
    for (const u of own) for (const v of own) if (u !== v && !isPair(graph, u, v)) direct(graph, u, w)
  })
  if (constraints) {
    parents.forEach((own, v) => {
      for (const u of own) if (!constraints.isAllowed(v, u)) direct(graph, u, v)
    })
  }
  orient(graph)
  return graph
}

/** Every arrow that follows: no new collider and no cycle (Meek 1995, rules 1 to 4). */
export function orient(graph: PartlyDirected): void {
  const { count } = graph
  const nodes = Array.from({ length: count }, (_, v) => v)
  const follows = (u: number, v: number): boolean =>
    // x → u — v with x, v apart: v → u would be a new collider
    nodes.some(x => isArrow(graph, x, u) && !isPair(graph, x, v)) ||
    // u → x → v: v → u would close a cycle
    nodes.some(x => isArrow(graph, u, x) && isArrow(graph, x, v)) ||
    // u — x → v and u — y → v with x, y apart
    nodes.some(
      x =>
        isOpen(graph, u, x) &&
        isArrow(graph, x, v) &&
        nodes.some(y => y > x && isOpen(graph, u, y) && isArrow(graph, y, v) && !isPair(graph, x, y)),
    ) ||
    // u — x → y → v with x, v apart and u, y a pair
    nodes.some(
      x =>
        isOpen(graph, u, x) &&
        !isPair(graph, x, v) &&
        nodes.some(y => isArrow(graph, x, y) && isArrow(graph, y, v) && isPair(graph, u, y)),
    )
  for (let found = true; found; ) {
    found = false
    for (let u = 0; u < count; u++) {
      for (let v = 0; v < count; v++) {
        if (!isOpen(graph, u, v) || !follows(u, v)) continue
        direct(graph, u, v)
        found = true
      }
    }
  }
}

/**
 * A network of the class (Dor & Tarsi 1992): again and again a node without outgoing arrows, whose open neighbours are connected to all its neighbours, is put
 * last. Where a sample made a class without members, the node that violates least is taken; the pairs stay.
 */
export function memberOf(graph: PartlyDirected): number[][] {
  const { count } = graph
  const parents: number[][] = Array.from({ length: count }, () => [])
  const left = new Set(Array.from({ length: count }, (_, v) => v))
  while (left.size > 0) {
    let best = -1
    let least = Infinity
    for (const v of left) {
      const others = [...left].filter(u => u !== v && isPair(graph, u, v))
      const outgoing = others.filter(u => isArrow(graph, v, u)).length
      const open = others.filter(u => isOpen(graph, u, v))
      const apart = open.reduce(
        (sum, x) => sum + others.filter(y => y !== x && !isPair(graph, x, y)).length,
        0,
      )
      const faults = outgoing * count * count + apart
      if (faults < least) [best, least] = [v, faults]
    }
    for (const u of left) if (u !== best && isPair(graph, u, best)) parents[best].push(u)
    left.delete(best)
  }
  return parents
}
