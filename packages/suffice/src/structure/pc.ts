/**
 * Which pairs stay dependent whatever is known (stable PC; Spirtes & Glymour 1991, Colombo & Maathuis 2014).
 *
 *     G = 2 ( value(v | S, u) − value(v | S) )        about χ² with as many degrees as u adds free parameters, if v does not depend on u given S
 *
 * Of levels this is the G² test, of numbers that of the partial correlation: both are the leaf's own numbers. A pair with p > significance for some set S of
 * neighbours is separated by it. Colliders follow from the sets that separate, other arrows from them (equivalence.ts); some pairs stay open.
 */
import { gammaAbove } from "../kernels/incomplete-gamma.ts"
import type { Constraints } from "./constraints.ts"
import { direct, isArrow, isPair, memberOf, orient, type PartlyDirected } from "./equivalence.ts"
import type { Scores } from "./scores.ts"

export interface PcOptions {
  readonly significance: number
  /** The largest set that may separate. */
  readonly most: number
}

export interface PcFound {
  readonly graph: PartlyDirected
  /** A network of the class. */
  readonly parents: readonly (readonly number[])[]
}

export function* pc(
  likelihood: Scores,
  constraints: Constraints,
  { significance, most }: PcOptions,
): Generator<undefined, PcFound, void> {
  const count = likelihood.table.names.length
  const graph: PartlyDirected = { count, may: new Uint8Array(count * count) }
  const { may } = graph
  for (let u = 0; u < count; u++)
    for (let v = 0; v < count; v++) may[u * count + v] = constraints.isAllowed(u, v) ? 1 : 0
  const isKept = (u: number, v: number): boolean =>
    constraints.isRequired(u, v) || constraints.isRequired(v, u)
  const separators = new Map<number, readonly number[]>()
  for (let size = 0; size <= most; size++) {
    // neighbours as they were when this size began: the result does not depend on the order of the columns
    const neighbours = Array.from({ length: count }, (_, v) =>
      Array.from({ length: count }, (_, u) => u).filter(u => isPair(graph, u, v)),
    )
    if (neighbours.every(({ length }) => length <= size)) break
    for (let u = 0; u < count; u++) {
      for (const v of neighbours[u]) {
        if (!isPair(graph, u, v) || isKept(u, v)) continue
        yield
        const others = neighbours[u].filter(w => w !== v)
        for (const set of subsets(others, size)) {
          const p = independence(likelihood, constraints, u, v, set)
          if (p === undefined || p <= significance) continue
          may[u * count + v] = 0
          may[v * count + u] = 0
          separators.set(Math.min(u, v) * count + Math.max(u, v), set)
          break
        }
      }
    }
  }
  for (let w = 0; w < count; w++) {
    for (let u = 0; u < count; u++) {
      for (let v = u + 1; v < count; v++) {
        if (u === w || v === w || isPair(graph, u, v) || !isPair(graph, u, w) || !isPair(graph, v, w))
          continue
        if (separators.get(u * count + v)?.includes(w)) continue
        // an earlier collider, or what is known, may say otherwise
        if (!may[u * count + w] || !may[v * count + w]) continue
        if (isArrow(graph, w, u) || isArrow(graph, w, v)) continue
        direct(graph, u, w)
        direct(graph, v, w)
      }
    }
  }
  orient(graph)
  return { graph, parents: memberOf(graph) }
}

/** p of the test; undefined if neither column can be modelled given the other and the set. */
function independence(
  likelihood: Scores,
  constraints: Constraints,
  u: number,
  v: number,
  set: readonly number[],
): number | undefined {
  for (const [parent, child] of [
    [u, v],
    [v, u],
  ]) {
    const above = [parent, ...set]
    if (!above.every(each => constraints.isAllowed(each, child))) continue
    const gain = likelihood.of(child, above) - likelihood.of(child, set)
    const degrees = likelihood.free(child, above) - likelihood.free(child, set)
    if (!(gain > Number.NEGATIVE_INFINITY)) continue
    return degrees > 0 ? gammaAbove(0.5 * degrees, Math.max(gain, 0)) : 1
  }
  return undefined
}

function* subsets(list: readonly number[], size: number, from = 0): Generator<readonly number[], void, void> {
  if (size === 0) {
    yield []
    return
  }
  for (let j = from; j <= list.length - size; j++)
    for (const rest of subsets(list, size - 1, j + 1)) yield [list[j], ...rest]
}
