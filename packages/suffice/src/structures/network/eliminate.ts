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
  const one = eliminated(levels, scopes, false)
  // without a new edge no order has smaller tables
  if (one.isPerfect) return one.cliques
  const other = eliminated(levels, scopes, true)
  return entriesOf(levels, other.cliques) < entriesOf(levels, one.cliques) ? other.cliques : one.cliques
}

/** The number of entries of all tables. */
export function entriesOf(levels: readonly number[], cliques: readonly Clique[]): number {
  return cliques.reduce((sum, { columns }) => sum + columns.reduce((size, v) => size * levels[v], 1), 0)
}

/** `isPerfect`: no column that was summed out had two neighbours that were none of each other. */
function eliminated(
  levels: readonly number[],
  scopes: readonly (readonly number[])[],
  isWeighed: boolean,
): { readonly cliques: Clique[]; readonly isPerfect: boolean } {
  const count = levels.length
  const isBeside = new Uint8Array(count * count)
  const beside: number[][] = levels.map(() => [])
  const link = (one: number, other: number): boolean => {
    if (one === other || isBeside[one * count + other] === 1) return false
    isBeside[one * count + other] = 1
    isBeside[other * count + one] = 1
    beside[one].push(other)
    beside[other].push(one)
    return true
  }
  for (const scope of scopes)
    for (let a = 1; a < scope.length; a++) for (let b = 0; b < a; b++) link(scope[a], scope[b])
  // of each column that is left: the cost of summing it out, and the size of the table; remembered until its neighbours change
  const costs = new Float64Array(count).fill(-1)
  const sizes = new Float64Array(count)
  const left = Array.from(levels.keys())
  const order: number[] = []
  const separators: number[][] = []
  let isPerfect = true
  while (left.length > 0) {
    let best = -1
    for (const v of left) {
      if (costs[v] < 0) {
        costs[v] = costOf(levels, beside[v], isBeside, isWeighed)
        sizes[v] = sizeWith(levels, v, beside[v])
      }
      if (best < 0 || costs[v] < costs[best] || (costs[v] === costs[best] && sizes[v] < sizes[best])) best = v
    }
    const around = beside[best].sort((one, other) => one - other)
    let isFilled = false
    for (let a = 1; a < around.length; a++)
      for (let b = 0; b < a; b++) if (link(around[a], around[b])) isFilled = true
    if (isFilled) isPerfect = false
    for (const one of around) {
      beside[one].splice(beside[one].indexOf(best), 1)
      costs[one] = -1
      if (isFilled) for (const other of beside[one]) costs[other] = -1
    }
    left.splice(left.indexOf(best), 1)
    order.push(best)
    separators.push(around)
  }
  return { cliques: merged(order, separators), isPerfect }
}

/** The edges that its neighbours lack, each as one or weighed by its table. */
function costOf(
  levels: readonly number[],
  around: readonly number[],
  isBeside: Uint8Array,
  isWeighed: boolean,
): number {
  let cost = 0
  for (let a = 1; a < around.length; a++) {
    const row = around[a] * levels.length
    for (let b = 0; b < a; b++)
      if (isBeside[row + around[b]] === 0) cost += isWeighed ? levels[around[a]] * levels[around[b]] : 1
  }
  return cost
}

function sizeWith(levels: readonly number[], v: number, around: readonly number[]): number {
  let size = levels[v]
  for (const other of around) size *= levels[other]
  return size
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
