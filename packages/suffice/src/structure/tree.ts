/**
 * Networks in which a column has one parent: the best tree.
 *
 *     tree    maximum of Σ S(v | parent) − S(v)                       the score being the likelihood: Σ n·I(X; Y), Chow & Liu 1968
 *     tan     maximum of Σ S(v | parent, class) − S(v | class)        Friedman, Geiger & Goldszmidt 1997
 *     k > 1   by falling S(v | class) gain, each column takes the k best of those before it (Sahami 1996)
 *
 * Arrows may be ruled out in one direction, so the tree is found among directed ones (Chu & Liu 1965, Edmonds 1967). Arrows that gain nothing are left out.
 */
import type { Constraints } from "./constraints.ts"
import type { Scores } from "./scores.ts"

/** The parents of each column, apart from the class. */
export function* treeOf(
  scores: Scores,
  nodes: readonly number[],
  constraints: Constraints,
  label: number | undefined,
): Generator<undefined, number[][], void> {
  const above = label === undefined ? [] : [label]
  const parents: number[][] = scores.table.names.map(() => [])
  const arcs: Arc[] = []
  for (const v of nodes) {
    const alone = scores.of(v, above)
    const required = constraints.required[v].filter(u => u !== label)
    for (const u of nodes) {
      if (!constraints.isAllowed(u, v) || (required.length > 0 && !required.includes(u))) continue
      const gain = scores.of(v, [...above, u]) - alone
      // what is required comes first, whatever it gains
      arcs.push({ from: u, to: v, gain: constraints.isRequired(u, v) ? REQUIRED + gain : gain })
    }
    yield
  }
  for (const { from, to } of branching(scores.table.names.length, arcs)) parents[to].push(from)
  return parents
}

const REQUIRED = 1e12

/** k-dependence: the k best of the columns before it, in the order of what the class says of each. */
export function* dependentOn(
  scores: Scores,
  nodes: readonly number[],
  constraints: Constraints,
  label: number,
  most: number,
): Generator<undefined, number[][], void> {
  const parents: number[][] = scores.table.names.map(() => [])
  const told = new Map(nodes.map(v => [v, scores.of(v, [label]) - scores.of(v, [])]))
  const order = [...nodes].sort((a, b) => told.get(b)! - told.get(a)! || a - b)
  for (const [at, v] of order.entries()) {
    yield
    const alone = scores.of(v, [label])
    const gains = order
      .slice(0, at)
      .filter(u => constraints.isAllowed(u, v))
      .map(u => ({ u, gain: scores.of(v, [label, u]) - alone }))
      .filter(({ u, gain }) => gain > 0 || constraints.isRequired(u, v))
      .sort((a, b) => b.gain - a.gain || a.u - b.u)
    const required = constraints.required[v].filter(u => u !== label)
    const others = gains.flatMap(({ u }) => (required.includes(u) ? [] : [u]))
    parents[v] = [...required, ...others.slice(0, Math.max(most - required.length, 0))]
  }
  return parents
}

export interface Arc {
  readonly from: number
  readonly to: number
  readonly gain: number
}

/** The arcs of the branching with the largest gain: every node has at most one arc to it, and there is no cycle. */
export function branching<A extends Arc>(count: number, arcs: readonly A[]): A[] {
  const best: (A | undefined)[] = new Array(count).fill(undefined)
  for (const arc of arcs) {
    if (arc.from === arc.to || !(arc.gain > 0)) continue
    if (!best[arc.to] || arc.gain > best[arc.to]!.gain) best[arc.to] = arc
  }
  const cycle = cycleAmong(best)
  if (!cycle) return best.filter(arc => arc !== undefined)
  // the cycle becomes one node: an arc into it replaces the arc of the cycle to the same place
  const inside = new Set(cycle)
  const weakest = cycle.reduce((least, v) => (best[v]!.gain < best[least]!.gain ? v : least))
  type Contracted = Arc & { readonly arc: A }
  const contracted: Contracted[] = []
  for (const arc of arcs) {
    const from = inside.has(arc.from)
    const to = inside.has(arc.to)
    if (from && to) continue
    if (to) {
      const gain = arc.gain - best[arc.to]!.gain + best[weakest]!.gain
      contracted.push({ from: arc.from, to: count, gain, arc })
    } else contracted.push({ from: from ? count : arc.from, to: arc.to, gain: arc.gain, arc })
  }
  const chosen = branching(count + 1, contracted).map(({ arc }) => arc)
  const entered = chosen.find(arc => inside.has(arc.to))?.to ?? weakest
  return [...chosen, ...cycle.filter(v => v !== entered).map(v => best[v]!)]
}

function cycleAmong(best: readonly (Arc | undefined)[]): number[] | undefined {
  const seen = new Int32Array(best.length).fill(-1)
  for (let start = 0; start < best.length; start++) {
    let v = start
    while (seen[v] < 0) {
      seen[v] = start
      const arc = best[v]
      if (!arc) break
      v = arc.from
      if (seen[v] !== start) continue
      const cycle = [v]
      for (let u = best[v]!.from; u !== v; u = best[u]!.from) cycle.push(u)
      return cycle
    }
  }
  return undefined
}
