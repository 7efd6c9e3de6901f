/** What rows can tell of a graph, and how far two graphs are apart in that; the BIC of a graph. By other means than the core's. */

/** Parents by column. */
export type Graph = readonly (readonly number[])[]

export function graphOf(count: number, edges: readonly (readonly number[])[]): Graph {
  const parents: number[][] = Array.from({ length: count }, () => [])
  for (const [from, to] of edges) parents[to].push(from)
  return parents
}

/** The equivalence class: is[a][b] if a → b, or a — b with is[b][a] too (skeleton, colliders, and the rules of Meek 1995). */
function classOf(graph: Graph): boolean[][] {
  const n = graph.length
  const all = Array.from({ length: n }, (_, v) => v)
  const is = all.map(() => all.map(() => false))
  graph.forEach((own, v) => {
    for (const u of own) {
      is[u][v] = true
      is[v][u] = true
    }
  })
  const linked = is.map(row => [...row])
  // a collider keeps its arrows: u → v ← w, u and w not linked
  graph.forEach((own, v) => {
    for (const u of own) for (const w of own) if (u !== w && !linked[u][w]) is[v][u] = false
  })
  const open = (a: number, b: number): boolean => is[a][b] && is[b][a]
  const arrow = (a: number, b: number): boolean => is[a][b] && !is[b][a]
  const forced = (a: number, b: number): boolean =>
    all.some(c => arrow(c, a) && !linked[c][b] && c !== b) ||
    all.some(c => arrow(a, c) && arrow(c, b)) ||
    all.some(
      c => open(a, c) && arrow(c, b) && all.some(d => d !== c && open(a, d) && arrow(d, b) && !linked[c][d]),
    )
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (const a of all)
      for (const b of all) {
        if (!open(a, b) || !forced(a, b)) continue
        is[b][a] = false
        isChanged = true
      }
  }
  return is
}

/** The number of pairs that are linked otherwise (Tsamardinos et al. 2006). */
export function distance(one: Graph, other: Graph): number {
  const [a, b] = [classOf(one), classOf(other)]
  let count = 0
  for (let u = 0; u < one.length; u++)
    for (let v = u + 1; v < one.length; v++) if (a[u][v] !== b[u][v] || a[v][u] !== b[v][u]) count++
  return count
}

/** Σ n ln(n/N) − ½ ln(rows) Σ Q (L − 1). */
export function bic(graph: Graph, levels: readonly number[], rows: readonly (readonly number[])[]): number {
  return graph.reduce((total, own, v) => {
    const counts = new Map<string, number[]>()
    for (const row of rows) {
      const key = own.map(u => row[u]).join()
      const found = counts.get(key) ?? new Array<number>(levels[v]).fill(0)
      found[row[v]]++
      counts.set(key, found)
    }
    let likelihood = 0
    for (const each of counts.values()) {
      const sum = each.reduce((a, b) => a + b)
      for (const n of each) if (n > 0) likelihood += n * Math.log(n / sum)
    }
    const slots = own.reduce((product, u) => product * levels[u], 1)
    return total + likelihood - 0.5 * Math.log(rows.length) * slots * (levels[v] - 1)
  }, 0)
}
