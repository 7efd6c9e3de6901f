/** The cliques of a program, with the maps of their factors and messages. */
import { list, SufficeError } from "../../../errors.ts"
import { type Clique, cliquesOf } from "../eliminate.ts"
import type { Factor } from "./factors.ts"

export interface Mapped {
  readonly node: number
  readonly map: Int32Array
}

export interface Compiled {
  readonly columns: readonly number[]
  readonly entries: number
  /** Columns of the separator, which come first; its entries; and how many entries of the clique follow each other for one of them. */
  readonly between: number
  readonly shared: number
  readonly run: number
  readonly children: readonly { readonly clique: number; readonly map: Int32Array }[]
  readonly tables: readonly Mapped[]
  readonly densities: readonly Mapped[]
  /** Where its table and its message begin, in entries. */
  readonly at: number
  readonly messageAt: number
}

/** Clique of a node's factor, with its map. */
export interface FamilyPlace {
  readonly clique: number
  readonly map: Int32Array
}

interface CompiledProgram {
  readonly cliques: readonly Compiled[]
  readonly families: ReadonlyMap<number, FamilyPlace>
  /** Entries of all tables, and of all messages. */
  readonly entries: number
  readonly passed: number
}

/** 512 MB of tables. */
const MOST_ENTRIES = 1 << 26

/** `levels`: number of levels of each of the columns. */
export function compile(
  columns: readonly number[],
  levels: readonly number[],
  factors: readonly Factor[],
  contexts: number,
  names: readonly string[],
): CompiledProgram {
  const place = new Map(columns.map((v, j) => [v, j]))
  const scopes = factors.map(factor => factor.columns.map(v => place.get(v)!))
  const tree = cliquesOf(levels, scopes)
  checkSize(tree, levels, columns, contexts, names)
  const within = factorsWithin(tree, scopes)
  const children = childrenOf(tree)
  const families = new Map<number, FamilyPlace>()
  let entries = 0
  let passed = 0
  const cliques = tree.map((clique, c) => {
    const mapped = within[c].map(f => {
      const { node, kind, strides } = factors[f]
      const map = mapOf(clique.columns, levels, v => {
        const j = scopes[f].indexOf(v)
        return j < 0 ? 0 : strides[j]
      })
      families.set(node, { clique: c, map })
      return { node, map, kind }
    })
    const size = sizeOf(clique.columns, levels)
    const shared = sizeOf(clique.columns.slice(0, clique.shared), levels)
    const compiled: Compiled = {
      columns: clique.columns,
      entries: size,
      between: clique.shared,
      shared,
      run: size / shared,
      children: children[c].map(d => ({ clique: d, map: messageMap(clique.columns, tree[d], levels) })),
      tables: mapped.filter(({ kind }) => kind === "table"),
      densities: mapped.filter(({ kind }) => kind === "density"),
      at: entries,
      messageAt: passed,
    }
    entries += size
    passed += shared
    return compiled
  })
  return { cliques, families, entries, passed }
}

/** Factors of each clique: every scope lies in the clique that sums out the first of its columns. */
function factorsWithin(tree: readonly Clique[], scopes: readonly (readonly number[])[]): number[][] {
  const home = new Map(tree.flatMap(({ columns, shared }, c) => columns.slice(shared).map(v => [v, c])))
  const within: number[][] = tree.map(() => [])
  scopes.forEach((scope, f) => {
    const first = scope.reduce((least, v) => Math.min(least, home.get(v)!), tree.length - 1)
    within[first].push(f)
  })
  return within
}

function childrenOf(tree: readonly Clique[]): number[][] {
  const children: number[][] = tree.map(() => [])
  tree.forEach(({ parent }, c) => {
    if (parent >= 0) children[parent].push(c)
  })
  return children
}

/** Map from the entries of a clique to the entries of a child's message. */
function messageMap(columns: readonly number[], child: Clique, levels: readonly number[]): Int32Array {
  const between = child.columns.slice(0, child.shared)
  return mapOf(columns, levels, v =>
    between.includes(v) ? sizeOf(between.slice(between.indexOf(v) + 1), levels) : 0,
  )
}

function sizeOf(columns: readonly number[], levels: readonly number[]): number {
  return columns.reduce((size, v) => size * levels[v], 1)
}

/** map[e] = Σ stride·code over the columns of a clique, the last of which changes fastest. */
function mapOf(
  columns: readonly number[],
  levels: readonly number[],
  stride: (column: number) => number,
): Int32Array {
  let map = Int32Array.of(0)
  for (const v of columns) {
    const step = stride(v)
    const wider = new Int32Array(map.length * levels[v])
    for (let e = 0, j = 0; e < map.length; e++)
      for (let l = 0; l < levels[v]; l++) wider[j++] = map[e] + l * step
    map = wider
  }
  return map
}

function checkSize(
  tree: readonly { readonly columns: readonly number[] }[],
  levels: readonly number[],
  columns: readonly number[],
  contexts: number,
  names: readonly string[],
): void {
  const sizes = tree.map(({ columns }) => columns.reduce((size, v) => size * levels[v], contexts))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total <= MOST_ENTRIES) return
  const largest = sizes.reduce((most, size, c) => (size > sizes[most] ? c : most), 0)
  const clique = tree[largest].columns.map(v => names[columns[v]])
  throw new SufficeError(
    "size",
    `network: to sum out what is missing takes tables of ${total} entries, more than the ${MOST_ENTRIES} that fit in 512 MB. The largest, of ${sizes[largest]}, is over ${list(clique, 20)}. Remove an arrow between these, give them fewer levels, or give more of these cells.`,
    { entries: total, columns: clique },
  )
}
