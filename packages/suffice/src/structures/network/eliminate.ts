/**
 * The order in which missing columns are summed out, and the tables that come up on the way: a tree of cliques.
 *
 * Greedy, the column next whose neighbours lack the fewest edges (min-fill; of equal ones that with the smaller table), and the same with every edge weighed by
 * its table; the better of the two is kept.
 */

/** Columns by number, with how many levels each has. Separators lead: summing the others out is summing runs. */
export interface Clique {
  /** The separator, then the columns that are summed out here. */
  readonly columns: readonly number[]
  /** How many of them belong to the separator. */
  readonly shared: number
  /** The clique that gets the message; −1 for a root. */
  readonly parent: number
}

/** Cliques, children before parents. Columns are 0 … levels.length − 1; every scope lies within one clique. */
export function cliquesOf(levels: readonly number[], scopes: readonly (readonly number[])[]): Clique[] {
  const [one, other] = [false, true].map(isWeighed => eliminated(levels, scopes, isWeighed))
  return entriesOf(levels, other) < entriesOf(levels, one) ? other : one
}

/** The number of entries of all tables. */
export function entriesOf(levels: readonly number[], cliques: readonly Clique[]): number {
  return cliques.reduce((sum, { columns }) => sum + columns.reduce((size, v) => size * levels[v], 1), 0)
}

function eliminated(
  levels: readonly number[],
  scopes: readonly (readonly number[])[],
  isWeighed: boolean,
): Clique[] {
  const beside = levels.map(() => new Set<number>())
  for (const scope of scopes)
    for (const one of scope) for (const other of scope) if (one !== other) beside[one].add(other)
  const left = new Set(levels.keys())
  const order: number[] = []
  const separators: number[][] = []
  while (left.size > 0) {
    const v = cheapest(levels, beside, left, isWeighed)
    const around = [...beside[v]].sort((one, other) => one - other)
    for (const one of around) {
      beside[one].delete(v)
      for (const other of around) if (one !== other) beside[one].add(other)
    }
    left.delete(v)
    order.push(v)
    separators.push(around)
  }
  return merged(order, separators)
}

function cheapest(
  levels: readonly number[],
  beside: readonly ReadonlySet<number>[],
  left: ReadonlySet<number>,
  isWeighed: boolean,
): number {
  let best = -1
  let leastCost = Infinity
  let leastSize = Infinity
  for (const v of left) {
    const around = [...beside[v]]
    let cost = 0
    for (let a = 0; a < around.length && cost <= leastCost; a++) {
      for (let b = a + 1; b < around.length; b++) {
        if (!beside[around[a]].has(around[b])) cost += isWeighed ? levels[around[a]] * levels[around[b]] : 1
      }
    }
    const size = around.reduce((product, other) => product * levels[other], levels[v])
    if (cost < leastCost || (cost === leastCost && size < leastSize)) {
      best = v
      leastCost = cost
      leastSize = size
    }
  }
  return best
}

/** A clique that lies within the one that sends it its message becomes part of that one. */
function merged(order: readonly number[], separators: readonly (readonly number[])[]): Clique[] {
  const at = new Map(order.map((v, c) => [v, c]))
  const first = (columns: readonly number[]): number =>
    columns.reduce((least, v) => Math.min(least, at.get(v)!), order.length)
  /** The clique in which each column is summed out, and the columns summed out in each. */
  const home = order.map((_, c) => c)
  const out = order.map(v => [v])
  const shared = separators.map(separator => separator)
  // children come before parents, so that a chain of such cliques collapses into its first
  for (let c = 0; c < order.length; c++) {
    if (home[c] !== c) continue
    for (;;) {
      const next = shared[c].length > 0 ? home[first(shared[c])] : -1
      if (next < 0 || next === c || shared[c].length !== shared[next].length + out[next].length) break
      out[c] = [...out[c], ...out[next]]
      shared[c] = shared[next]
      for (let d = 0; d < home.length; d++) if (home[d] === next) home[d] = c
    }
  }
  const kept = order.map((_, c) => c).filter(c => home[c] === c)
  // a merged clique comes where its last column was summed out: after all that send to it
  const last = (c: number): number => out[c].reduce((most, v) => Math.max(most, at.get(v)!), 0)
  kept.sort((one, other) => last(one) - last(other))
  const place = new Map(kept.map((c, j) => [c, j]))
  return kept.map(c => ({
    columns: [...shared[c], ...out[c]],
    shared: shared[c].length,
    parent: shared[c].length > 0 ? place.get(home[first(shared[c])])! : -1,
  }))
}
