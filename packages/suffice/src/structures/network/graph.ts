/** The arrows of a network: their order, what depends on what, and what can be told from them alone. Nodes are numbers, parents are lists of them. */

export type Parents = readonly (readonly number[])[]

/** Every node after its parents, in the order of the declaration where it does not matter; undefined if there is a cycle. */
export function parentsFirst(parents: Parents): number[] | undefined {
  const order: number[] = []
  const isPlaced = parents.map(() => false)
  while (order.length < parents.length) {
    const next = parents.findIndex((own, v) => !isPlaced[v] && own.every(parent => isPlaced[parent]))
    if (next < 0) return undefined
    isPlaced[next] = true
    order.push(next)
  }
  return order
}

/** Nodes that lie on a cycle, in the direction of the arrows, the first again at the end. There is one. */
export function cycleOf(parents: Parents): number[] {
  // whoever cannot be placed has a parent that cannot be placed: going up from it, some node comes twice
  const isPlaced = parents.map(() => false)
  for (let found = true; found; ) {
    found = false
    parents.forEach((own, v) => {
      if (isPlaced[v] || !own.every(parent => isPlaced[parent])) return
      isPlaced[v] = true
      found = true
    })
  }
  const path = [isPlaced.indexOf(false)]
  for (;;) {
    const up = parents[path[path.length - 1]].find(parent => !isPlaced[parent])!
    const before = path.indexOf(up)
    path.push(up)
    if (before >= 0) return path.slice(before).reverse()
  }
}

export function childrenOf(parents: Parents): number[][] {
  const children: number[][] = parents.map(() => [])
  parents.forEach((own, v) => {
    for (const parent of own) children[parent].push(v)
  })
  return children
}

/** These nodes and all from which an arrow leads to them. */
export function withAncestors(parents: Parents, nodes: Iterable<number>): Set<number> {
  const found = new Set<number>()
  const open = [...nodes]
  for (let v = open.pop(); v !== undefined; v = open.pop()) {
    if (found.has(v)) continue
    found.add(v)
    open.push(...parents[v])
  }
  return found
}

/**
 * Is every path between a and b blocked by `given` (d-separation)? In the moral graph of the ancestors of all three, without `given`, a and b must
 * not be connected (Lauritzen et al. 1990).
 */
export function isSeparated(
  parents: Parents,
  a: readonly number[],
  b: readonly number[],
  given: readonly number[],
): boolean {
  const relevant = withAncestors(parents, [...a, ...b, ...given])
  const beside: Set<number>[] = parents.map(() => new Set())
  for (const v of relevant) {
    const family = [v, ...parents[v]]
    for (const one of family) for (const other of family) if (one !== other) beside[one].add(other)
  }
  const isBlocked = new Set(given)
  const goals = new Set(b.filter(v => !isBlocked.has(v)))
  const met = new Set<number>()
  const open = a.filter(v => !isBlocked.has(v))
  for (let v = open.pop(); v !== undefined; v = open.pop()) {
    if (goals.has(v)) return false
    if (met.has(v)) continue
    met.add(v)
    for (const next of beside[v]) if (!isBlocked.has(next)) open.push(next)
  }
  return true
}

/** Parents, children and the children's other parents: given these, v is independent of all others. */
export function blanketOf(parents: Parents, v: number): number[] {
  const found = new Set(parents[v])
  parents.forEach((own, child) => {
    if (!own.includes(v)) return
    found.add(child)
    for (const parent of own) found.add(parent)
  })
  found.delete(v)
  return [...found].sort((one, other) => one - other)
}

/**
 * A set Z of `candidates` that closes every back door from x to y (Pearl 1993): no descendant of x, and x is separated from y by Z where the arrows
 * out of x are removed. A smallest one within the ancestors of x and y, found by leaving out what is not needed; undefined if there is none.
 */
export function backDoor(
  parents: Parents,
  x: number,
  y: number,
  candidates: readonly number[],
): number[] | undefined {
  const cut = parents.map(own => own.filter(parent => parent !== x))
  const ancestors = withAncestors(parents, [x, y])
  // every node from which an arrow leads back to x would be its ancestor: descendants are those that have x above them
  const isBelow = (v: number): boolean => v === x || withAncestors(parents, [v]).has(x)
  let found = candidates.filter(v => v !== y && ancestors.has(v) && !isBelow(v))
  // if any set of candidates separates, this one does (van der Zander et al. 2014, on constrained separators)
  if (!isSeparated(cut, [x], [y], found)) return undefined
  for (const v of [...found].reverse()) {
    const fewer = found.filter(other => other !== v)
    if (isSeparated(cut, [x], [y], fewer)) found = fewer
  }
  return found
}
