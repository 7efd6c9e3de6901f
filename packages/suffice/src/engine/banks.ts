/** Neighbours in a product that are used as one (contract/bank.ts): found while the tree is laid out. */
import type { BankedParts } from "../contract/bank.ts"
import type { FusedDown } from "../contract/model.ts"
import type { Node } from "../contract/node.ts"
import type { Part } from "../contract/part.ts"
import { view } from "../kernels/workspace.ts"

/** Neighbours of a product, and their bank, if they are one. */
export interface Run {
  readonly nodes: readonly Node[]
  readonly bank?: BankedParts
}

/** The nodes of a product in order: banks of two or more, and single ones. */
export function runsOf(nodes: readonly Node[]): Run[] {
  const runs: Node[][] = []
  for (const node of nodes) {
    const last = runs.at(-1)
    const own = partOf(node)?.leaf.banking
    if (own && last && partOf(last[0])?.leaf.banking?.goesWith(own)) last.push(node)
    else runs.push([node])
  }
  return runs.map(run => ({ nodes: run, ...(run.length > 1 && { bank: bankOf(run.map(n => partOf(n)!)) }) }))
}

/** `down` of all nodes of a product: a sink that takes banks gets them. */
export function fusedDown(runs: readonly Run[]): FusedDown {
  return (block, params, weights, sink, works) => {
    let at = 0
    for (const { nodes, bank } of runs) {
      if (bank && sink.bank) sink.bank(bank, block, weights)
      else for (let j = 0; j < nodes.length; j++) nodes[j].down(block, params, weights, sink, works?.[at + j])
      at += nodes.length
    }
  }
}

/** The part of a node that is nothing else, if its leaf is as the family has made it. */
function partOf(node: Node): Part | undefined {
  const { part } = node as { readonly part?: Part }
  return part && part.role === "leaf" && part.leaf.banking?.leaf === part.leaf ? part : undefined
}

function bankOf(parts: readonly Part[]): BankedParts {
  const [first] = parts
  const sum = (of: (part: Part) => number): number => parts.reduce((total, part) => total + of(part), 0)
  const statistics = sum(part => part.leaf.shape.statistics)
  const parameters = sum(part => part.leaf.shape.parameters)
  const spreads = sum(part => part.leaf.spread?.length ?? 0)
  return {
    leaf: first.leaf.banking!.bank(parts.map(({ leaf }) => leaf.banking!)),
    parts,
    ranges: {
      statsOf: view(first.ranges.statsAt, statistics),
      paramsOf: view(first.ranges.paramsAt, parameters),
      spreadOf: view(first.ranges.spreadAt, spreads),
    },
  }
}

/** A part, or a bank in place of its parts. */
export type Unit = Part | BankedParts

/** These parts, with banks in place of those that stand in one. */
export function unitsOf(banks: readonly BankedParts[], parts: readonly Part[]): Unit[] {
  const bankOf = new Map(banks.flatMap(bank => bank.parts.map(part => [part, bank])))
  return [...new Set(parts.map(part => bankOf.get(part) ?? part))]
}

/** The part that stands for it: of a bank the first, as all have the same contexts. */
export function headOf(unit: Unit): Part {
  return "parts" in unit ? unit.parts[0] : unit
}

/** Where the statistics of a unit stand, and what decides how far a step takes them. */
export function stretchOf(unit: Unit, stats: Float64Array) {
  const { ranges, role, leaf } = headOf(unit)
  return {
    from: ranges.statsAt,
    to: ranges.statsAt + unit.ranges.statsOf(stats).length,
    isSummed: leaf.moving?.summed ?? (leaf.shape.lengthGiven === true && role === "leaf"),
    breadth: leaf.moving?.breadth ?? 0,
  }
}
