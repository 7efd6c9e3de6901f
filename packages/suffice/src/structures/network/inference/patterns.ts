/**
 * Programs that sum out the missing cells of a row. Missing columns that share a factor form a component with a program. Programs are cached by
 * component: rows with many different patterns have few different components.
 */
import type { NetworkLayout } from "../layout.ts"
import { stridesOf } from "../layout.ts"
import type { Group, MissingNumbers } from "../numbers.ts"
import { type Factor, Program } from "../program.ts"
import { BARREN, type Observed, RELEVANT, SEEN } from "./observed.ts"

/** Programs for the missing levels of a row, and its groups of missing numbers. */
export interface Pattern {
  readonly programs: readonly Program[]
  readonly groups: readonly Group[]
}

/** Connected missing columns, and the factors over them. */
interface Component {
  readonly columns: number[]
  readonly factors: Factor[]
}

/** Limits beyond which the caches are cleared. */
const MOST_PATTERNS = 20_000
const MOST_ENTRIES = 1 << 23

export class Patterns {
  readonly #network: NetworkLayout
  readonly #numbers: MissingNumbers
  readonly #names: readonly string[]
  readonly #patterns = new Map<string, Pattern>()
  readonly #programs = new Map<string, Program>()
  #entries = 0

  constructor(network: NetworkLayout, numbers: MissingNumbers) {
    this.#network = network
    this.#numbers = numbers
    this.#names = network.nodes.map(({ name }) => name)
  }

  /** The pattern of a row. `isWhole`: with barren cells. */
  of({ states }: Observed, row: number, isWhole: boolean): Pattern {
    const count = this.#network.nodes.length
    const cells = states.subarray(row * count, (row + 1) * count)
    let key = isWhole ? "w" : "r"
    for (let v = 0; v < count; v++) key += cells[v]
    const known = this.#patterns.get(key)
    if (known) return known
    if (this.#patterns.size >= MOST_PATTERNS) this.#clear()
    const groups = this.#numbers.isAny
      ? this.#numbers.groupsOf(
          v => cells[v] !== SEEN,
          v => cells[v] === RELEVANT,
          isWhole,
        )
      : []
    const components = componentsOf(this.#network, cells, groups, isWhole)
    const pattern = { groups, programs: components.map(component => this.#programOf(component)) }
    this.#patterns.set(key, pattern)
    return pattern
  }

  #clear(): void {
    this.#programs.clear()
    this.#patterns.clear()
    this.#numbers.forget()
    this.#entries = 0
  }

  #programOf({ columns, factors }: Component): Program {
    const key = `${columns.join()}|${factors.map(({ node, kind }) => `${node}${kind[0]}`).join()}`
    const known = this.#programs.get(key)
    if (known) return known
    const { levels, contexts } = this.#network
    const program = new Program(columns, factors, levels, contexts, this.#names)
    this.#entries += program.entries
    if (this.#entries > MOST_ENTRIES) {
      this.#programs.clear()
      this.#patterns.clear()
      this.#entries = program.entries
    }
    this.#programs.set(key, program)
    return program
  }
}

/** Connected components of the missing columns, ordered by their first column. */
function componentsOf(
  network: NetworkLayout,
  states: Uint8Array,
  groups: readonly Group[],
  isWhole: boolean,
): Component[] {
  const { nodes, levels } = network
  const isIn = (v: number): boolean =>
    levels[v] > 0 && (states[v] === RELEVANT || (isWhole && states[v] === BARREN))
  const factors = [
    ...groupFactors(groups),
    ...borderFactors(network, isIn),
    ...nodeFactors(network, states, groups, isWhole, isIn),
  ]
  const parent = nodes.map((_, v) => v)
  const root = (v: number): number => (parent[v] === v ? v : root(parent[v]))
  for (const { columns } of factors) for (const u of columns) parent[root(u)] = root(columns[0])
  const components = new Map<number, Component>()
  nodes.forEach((_, v) => {
    if (!isIn(v)) return
    const component = components.get(root(v))
    if (component) component.columns.push(v)
    else components.set(root(v), { columns: [v], factors: [] })
  })
  for (const factor of factors) components.get(root(factor.columns[0]))?.factors.push(factor)
  return [...components.values()]
}

/** Factors of missing numbers, over the missing levels they depend on. */
function groupFactors(groups: readonly Group[]): Factor[] {
  return groups.flatMap<Factor>(({ id, boundary, strides }) =>
    boundary.length > 0 ? [{ node: id, columns: boundary, strides, kind: "density" }] : [],
  )
}

function borderFactors(
  { borders, nodes, levels, contexts }: NetworkLayout,
  isIn: (v: number) => boolean,
): Factor[] {
  return borders.flatMap<Factor>((border, b) => {
    const columns = border.filter(isIn)
    if (columns.length === 0) return []
    const { strides } = stridesOf(columns, levels, contexts)
    return [{ node: nodes.length + b, columns, strides, kind: "density" }]
  })
}

function nodeFactors(
  { nodes, levels, strides }: NetworkLayout,
  states: Uint8Array,
  groups: readonly Group[],
  isWhole: boolean,
  isIn: (v: number) => boolean,
): Factor[] {
  const grouped = new Set(groups.flatMap(({ told, families }) => (isWhole ? told : families)))
  return nodes.flatMap<Factor>((_, v) => {
    if (grouped.has(v)) return []
    const steps = strides[v].filter(([u]) => isIn(u))
    const isLevel = levels[v] > 0
    const isCounted = isLevel ? states[v] !== BARREN || isWhole : states[v] === SEEN
    if (steps.length === 0 || (!isCounted && !isWhole)) return []
    return [
      {
        node: v,
        columns: steps.map(([u]) => u),
        strides: steps.map(([, stride]) => stride),
        kind: isLevel ? "table" : isCounted ? "density" : "none",
      },
    ]
  })
}
