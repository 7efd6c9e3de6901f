/** Random networks of up to 8 nodes (levels, numbers, hidden ones), every pattern of missing cells, beside the sum over all combinations. */
import { categorical, type Dice, dice, gaussian, given, hidden, network, type Row, specify } from "suffice"

interface Made {
  readonly name: string
  readonly kind: "level" | "number" | "hidden"
  readonly parents: readonly number[]
  readonly levels: number
  /** By configuration: chances of the levels, or mean and sd. */
  readonly table: readonly (readonly number[])[]
}

export interface Enumerated {
  readonly networks: number
  readonly patterns: number
  /** The largest difference of ln p(seen), and of any p(level | seen). */
  readonly logs: number
  readonly chances: number
}

function madeOf(rolls: Dice): Made[] {
  const count = 2 + rolls.integer(7)
  const nodes: Made[] = []
  for (let v = 0; v < count; v++) {
    const above = nodes
      .flatMap(({ kind }, u) => (kind !== "number" && rolls.uniform() < 0.5 ? [u] : []))
      .slice(-3)
    const configurations = above.reduce((size, u) => size * nodes[u].levels, 1)
    const lot = rolls.uniform()
    const kind =
      lot < 0.65 ? "level" : lot < 0.85 ? "number" : above.length === 0 && v < count - 1 ? "hidden" : "level"
    const levels = kind === "number" ? 0 : 2 + rolls.integer(2)
    const table = Array.from({ length: configurations }, () => {
      if (kind === "number") return [rolls.normal(), 0.5 + rolls.uniform()]
      const raw = Array.from({ length: levels }, () => 0.02 + rolls.uniform())
      const sum = raw.reduce((a, b) => a + b)
      return raw.map(p => p / sum)
    })
    nodes.push({ name: `n${v}`, kind, parents: above, levels, table })
  }
  // a hidden node that nothing depends on is refused
  return nodes.map((node, v) =>
    node.kind === "hidden" && !nodes.some(({ parents }) => parents.includes(v))
      ? { ...node, kind: "level" }
      : node,
  )
}

const levelName = (l: number): string => `l${l}`

function fittedOf(nodes: readonly Made[]) {
  const declared = nodes.map(({ name, kind, parents, levels }) => {
    if (kind === "hidden") return [name, hidden(levels)]
    const all = Array.from({ length: levels }, (_, l) => levelName(l))
    const family = kind === "number" ? gaussian() : categorical({ levels: all })
    return [
      name,
      parents.length > 0
        ? given(
            parents.map(u => nodes[u].name),
            family,
          )
        : family,
    ]
  })
  const described = nodes.map(node => {
    const at = (c: number): object => {
      if (node.kind === "number") return { mean: node.table[c][0], sd: node.table[c][1] }
      const name = node.kind === "hidden" ? String : levelName
      return { probabilities: Object.fromEntries(node.table[c].map((p, l) => [name(l), p])) }
    }
    const below = (j: number, c: number): object => {
      if (j === node.parents.length) return at(c)
      const parent = nodes[node.parents[j]]
      const name = parent.kind === "hidden" ? String : levelName
      return Object.fromEntries(
        Array.from({ length: parent.levels }, (_, l) => [name(l), below(j + 1, c * parent.levels + l)]),
      )
    }
    return [node.name, node.parents.length > 0 ? { given: below(0, 0) } : at(0)]
  })
  return specify(network(Object.fromEntries(declared)) as never, Object.fromEntries(described) as never)
}

/** p of every combination of levels, times the densities of the numbers that are seen. */
function enumerate(nodes: readonly Made[], row: Row): { readonly z: number; readonly chances: number[][] } {
  const values = new Array<number>(nodes.length).fill(0)
  const chances = nodes.map(({ levels }) => new Array<number>(levels).fill(0))
  let z = 0
  const visit = (v: number, p: number): void => {
    if (v === nodes.length) {
      z += p
      nodes.forEach(({ levels }, u) => {
        if (levels > 0) chances[u][values[u]] += p
      })
      return
    }
    const { name, kind, parents, levels, table } = nodes[v]
    const own = table[parents.reduce((c, u) => c * nodes[u].levels + values[u], 0)]
    const cell = row[name] ?? null
    if (kind === "number") {
      const at = cell === null ? 0 : ((cell as number) - own[0]) / own[1]
      visit(v + 1, cell === null ? p : (p * Math.exp(-0.5 * at * at)) / (own[1] * Math.sqrt(2 * Math.PI)))
      return
    }
    for (let l = 0; l < levels; l++) {
      if (cell !== null && cell !== levelName(l)) continue
      values[v] = l
      visit(v + 1, p * own[l])
    }
  }
  visit(0, 1)
  return { z, chances: chances.map(each => each.map(p => p / z)) }
}

export function enumerated(count: number): Enumerated {
  let [patterns, logs, chances] = [0, 0, 0]
  for (let seed = 0; seed < count; seed++) {
    const nodes = madeOf(dice([seed, 26]))
    const fitted = fittedOf(nodes)
    const seen = nodes.filter(({ kind }) => kind !== "hidden")
    const [row] = fitted.sample(1, { seed }) as Row[]
    const rows = Array.from({ length: 2 ** seen.length }, (_, bits) =>
      Object.fromEntries(seen.map(({ name }, j) => [name, (bits >> j) & 1 ? row[name] : null])),
    )
    const { columns, logDensity } = fitted.marginals(rows as never)
    rows.forEach((row, i) => {
      const told = enumerate(nodes, row)
      logs = Math.max(logs, Math.abs(logDensity[i] - Math.log(told.z)))
      nodes.forEach(({ name, levels }, v) => {
        for (let l = 0; l < levels; l++) {
          const apart = columns[name].probabilities[i * levels + l] - told.chances[v][l]
          chances = Math.max(chances, Math.abs(apart))
        }
      })
    })
    patterns += rows.length
  }
  return { networks: count, patterns, logs, chances }
}
