/** From the tables of a file to a model that answers, and back. */
import {
  categorical,
  type Description,
  type Fitted,
  given,
  type Model,
  type NetworkNode,
  network,
  specify,
} from "suffice"
import { type GraphNode, graphIn, treeOf } from "suffice/describe"
import { FileError, quoted } from "../errors.ts"
import type { NetworkColumn, NetworkTables } from "./tables.ts"

type Cells = Record<string, string | number | boolean>

/** The declared network of a file, without its probabilities: to be fitted to rows. */
export function modelOfTables({ columns }: NetworkTables): Model<Cells, never> {
  const nodes: Record<string, NetworkNode> = {}
  for (const { name, levels, parents } of columns) {
    const family = categorical({ levels })
    nodes[name] = parents.length > 0 ? given(parents, family) : family
  }
  return network(nodes) as unknown as Model<Cells, never>
}

/** A network of a file as a model that answers. */
export function fittedOfTables(tables: NetworkTables): Fitted<Cells, never> {
  const byName = new Map(tables.columns.map(column => [column.name, column]))
  const described = tables.columns.map(column => [column.name, describedColumn(column, byName)])
  return specify(modelOfTables(tables), Object.fromEntries(described) as Description)
}

function describedColumn(
  { levels, parents, probabilities }: NetworkColumn,
  columns: ReadonlyMap<string, NetworkColumn>,
): Description {
  const L = levels.length
  const below = (j: number, c: number): Description => {
    if (j === parents.length)
      return {
        probabilities: Object.fromEntries(levels.map((level, l) => [level, probabilities[c * L + l]])),
      }
    const own = columns.get(parents[j])!.levels
    return Object.fromEntries(own.map((level, l) => [level, below(j + 1, c * own.length + l)]))
  }
  return parents.length === 0 ? below(0, 0) : { given: below(0, 0) }
}

/** The arrows of a network, or of one below a label: the parents of each column. */
export type NetworkGraph = GraphNode

/** The graph of a model that is a network, alone or below classes; undefined: it is another model. */
export function graphOfModel(model: { readonly spec: Description }): readonly NetworkGraph[] | undefined {
  return graphIn(model.spec)
}

/** The tables of a fitted network, alone or below classes, for a file. Numbers have none, and are refused. */
export function tablesOfFitted(fitted: Fitted<never, never> | Fitted): NetworkTables {
  const known = fitted as Fitted
  const graph = graphOfModel(known.model)
  if (!graph) {
    throw new FileError(
      "write",
      "the model is no network, so that there are no tables to write. Declare it with network({ … }), or find one with structure(rows).",
    )
  }
  const number = graph.find(({ kind }) => kind === "number")
  if (number) {
    throw new FileError(
      "write",
      `${quoted(number.name)} is a number, and the formats of networks hold tables of levels. Bin it, leave it out, or save the model as JSON.`,
      { column: number.name },
    )
  }
  const described = known.describe() as Record<string, never>
  return { name: "network", columns: tablesIn(known.model.spec, graph, described) }
}

function tablesIn(
  spec: Description,
  graph: readonly NetworkGraph[],
  described: Record<string, Description>,
): NetworkColumn[] {
  if (treeOf(spec).label === undefined) return columnsOf(graph, described)
  const [label, ...rest] = graph
  const { probabilities, given: bodies } = described[label.name] as unknown as {
    readonly probabilities: Record<string, number>
    readonly given: Record<string, Record<string, Description>>
  }
  const own: NetworkColumn = {
    name: label.name,
    levels: Object.keys(probabilities),
    parents: [],
    probabilities: Float64Array.from(Object.values(probabilities)),
  }
  const plain = rest.map(node => ({ ...node, parents: node.parents.slice(1) }))
  const each = own.levels.map(level => columnsOf(plain, bodies[level]))
  return [
    own,
    ...plain.map((_, v) => ({
      ...each[0][v],
      parents: [label.name, ...each[0][v].parents],
      probabilities: Float64Array.from(each.flatMap(columns => [...columns[v].probabilities])),
    })),
  ]
}

function columnsOf(
  graph: readonly NetworkGraph[],
  described: Readonly<Record<string, Description>>,
): NetworkColumn[] {
  const rootOf = ({ name, parents }: NetworkGraph): Description =>
    (parents.length > 0 ? described[name].given : described[name]) as Description
  const within = (own: Description, depth: number): Description =>
    depth === 0 ? own : within(Object.values(own)[0] as Description, depth - 1)
  const levels = new Map(
    graph.map(node => {
      const leaf = within(rootOf(node), node.parents.length)
      if ("probabilities" in leaf)
        return [node.name, node.levels ?? Object.keys(leaf.probabilities as object)]
      // bernoulli describes one probability: its children name its two levels
      const child = graph.find(({ parents }) => parents.includes(node.name))
      return [
        node.name,
        child ? Object.keys(within(rootOf(child), child.parents.indexOf(node.name))) : ["false", "true"],
      ]
    }),
  )
  return graph.map(node => {
    const own = levels.get(node.name)!
    const numbers: number[] = []
    const visit = (at: Description, depth: number): void => {
      if (depth < node.parents.length) {
        for (const level of levels.get(node.parents[depth])!) visit(at[level] as Description, depth + 1)
      } else if ("probability" in at) numbers.push(1 - (at.probability as number), at.probability as number)
      else for (const level of own) numbers.push((at.probabilities as Record<string, number>)[level])
    }
    visit(rootOf(node), 0)
    return { name: node.name, levels: own, parents: node.parents, probabilities: Float64Array.from(numbers) }
  })
}
