/**
 * Products on fast kernels: neighbouring leaves of one kind are scored in one call. Sums are in the order of the nodes, so the bits are the same. A tree is
 * fused while it is laid out (Plan.fuse), so that structures know no kernels and kernels no nodes.
 */
import type { Block } from "../contract/block.ts"
import type { FusedUp } from "../contract/model.ts"
import type { Node } from "../contract/node.ts"
import type { Part } from "../contract/part.ts"
import type { FusibleLeaf, Fusion } from "../kernels/fusion.ts"
import { type FusedKernels, fastKernels } from "../kernels/twins.ts"
import { view } from "../kernels/workspace.ts"

/** Fewer neighbours are not worth a call of their own. */
const LEAST = { numbers: 1, levels: 2 }

/** `up` of all nodes; undefined if there is nothing to fuse. */
export function fusedUp(nodes: readonly Node[]): FusedUp | undefined {
  const kernels = fastKernels()
  if (!kernels) return undefined
  const runs = runsOf(nodes).map(run => ({ run, score: fusedScore(run, kernels) }))
  if (!runs.some(({ score }) => score)) return undefined
  return (block, params, out, works, upToConstant) => {
    let at = 0
    for (const { run, score } of runs) {
      if (!score?.(block, params, out, upToConstant)) {
        for (let j = 0; j < run.length; j++)
          works[at + j] = run[j].up(block, params, out, upToConstant, works[at + j])
      }
      at += run.length
    }
  }
}

/** Returns false, having done nothing, if it is not worth it for this block. */
type Score = (block: Block, params: Float64Array, out: Float64Array, upToConstant?: boolean) => boolean

function fusedScore(run: readonly Node[], kernels: FusedKernels): Score | undefined {
  const kind = fusionOf(run[0])?.kind
  if (!kind || run.length < LEAST[kind]) return undefined
  const { slots } = run[0]
  const fusions = run.map(node => fusionOf(node)!)
  const parts = run.map(node => (node as LeafNode).part)
  const places = Int32Array.from(fusions, ({ place }) => place)
  if (kind === "numbers") {
    const far = fusions.flatMap(({ place, isFar }) => (isFar ? { place, isFar } : []))
    // neighbours have their parameters side by side
    const paramsOf = view(
      parts[0].ranges.paramsAt,
      parts.reduce((sum, { leaf }) => sum + leaf.shape.parameters, 0),
    )
    // refilled for every block
    const columns: Float64Array[] = []
    return ({ cells, rows }, params, out, upToConstant) => {
      if (upToConstant)
        for (const { place, isFar } of far) if (isFar(cells[place] as Float64Array, rows)) return false
      for (let j = 0; j < places.length; j++) columns[j] = cells[places[j]] as Float64Array
      return kernels.scoreNumbers(columns, rows, slots, paramsOf(params), out)
    }
  }
  const codes: Int32Array[] = []
  const own: Float64Array[] = []
  return ({ cells, rows }, params, out) => {
    for (let j = 0; j < places.length; j++) {
      codes[j] = cells[places[j]] as Int32Array
      own[j] = parts[j].ranges.paramsOf(params)
    }
    return kernels.scoreLevels(codes, rows, slots, own, out)
  }
}

/** A node that is nothing but its part. */
interface LeafNode extends Node {
  readonly part: Part
}

function fusionOf(node: Node): Fusion | undefined {
  const { part } = node as Partial<LeafNode>
  const leaf = part?.role !== "leaf" ? undefined : (part?.leaf as Partial<FusibleLeaf> | undefined)
  return leaf?.fusion?.score === leaf?.score ? leaf?.fusion : undefined
}

/** Neighbours of the same kind. */
function runsOf(nodes: readonly Node[]): Node[][] {
  const runs: Node[][] = []
  for (const node of nodes) {
    const kind = fusionOf(node)?.kind
    const last = runs.at(-1)
    if (last && kind && fusionOf(last[0])?.kind === kind) last.push(node)
    else runs.push([node])
  }
  return runs
}
