/**
 * Leaves side by side, scored in one call: the scores are copied once for all of them. The order of the sums is that of the leaves one
 * after the other, so the bits are theirs.
 */
import type { Block, Node, Part, SideBySide } from "../../contract.ts"
import type { ScoreTogether } from "../twins.ts"
import { first } from "./memory.ts"
import { BESIDE, type Near, type NearExports } from "./near.ts"

/** What assembly/together.ts exports. Places are bytes, strides are cells. */
export interface TogetherExports extends NearExports {
  scoreNumbers(
    ...places: [
      x: number,
      stride: number,
      rows: number,
      d: number,
      slots: number,
      params: number,
      scores: number,
    ]
  ): void
  scoreLevels(
    ...places: [
      codes: number,
      stride: number,
      rows: number,
      d: number,
      slots: number,
      params: number,
      starts: number,
      scores: number,
    ]
  ): void
}

/** Fewer rows than this are not worth the copies, nor fewer leaves of this kind. */
const FEW = 8
const LEAVES = { numbers: 1, levels: 2 }
/** Tables with more numbers than this many times the cells are not either. */
const LARGE = 2

export function wasmTogether(
  near: Near<TogetherExports>,
): (nodes: readonly Node[]) => ScoreTogether | undefined {
  return nodes => {
    const runs = runsOf(nodes)
    if (!runs.some(run => isGroup(run))) return undefined
    return (block, params, out, works, lean) => {
      let at = 0
      for (const run of runs) {
        const score = kindOf(run[0]) === "numbers" ? scoreNumbers : scoreLevels
        const together = block.rows >= FEW && isGroup(run) && !(lean && run.some(node => isFar(node, block)))
        const scored = together && score(near, run, block, params, out)
        if (!scored) {
          for (let j = 0; j < run.length; j++)
            works[at + j] = run[j].up(block, params, out, lean, works[at + j])
        }
        at += run.length
      }
    }
  }
}

/** A node that is nothing but its part. */
interface LeafNode extends Node {
  readonly part: Part
}

function isGroup(run: readonly Node[]): run is readonly LeafNode[] {
  const kind = kindOf(run[0])
  return kind !== undefined && run.length >= LEAVES[kind]
}

function isFar(node: Node, { cells, rows }: Block): boolean {
  const { beside } = (node as LeafNode).part.leaf
  return beside?.isFar?.(cells[beside.place] as Float64Array, rows) ?? false
}

function kindOf(node: Node): SideBySide["kind"] | undefined {
  const { part } = node as Partial<LeafNode>
  const leaf = part?.isChoice ? undefined : part?.leaf
  return leaf?.beside?.score === leaf?.score ? leaf?.beside?.kind : undefined
}

/** Neighbours of the same kind. */
function runsOf(nodes: readonly Node[]): Node[][] {
  const runs: Node[][] = []
  for (const node of nodes) {
    const last = runs[runs.length - 1]
    if (last && kindOf(node) !== undefined && kindOf(last[0]) === kindOf(node)) last.push(node)
    else runs.push([node])
  }
  return runs
}

function scoreNumbers(
  near: Near<TogetherExports>,
  run: readonly LeafNode[],
  { rows, cells }: Block,
  params: Float64Array,
  out: Float64Array,
): boolean {
  const { slots } = run[0]
  // whole registers, and a line of the cache more, so that columns do not fall into the same sets
  const width = ((rows + 1) & -2) + 8
  const size = slots * (rows + 1) + run.length * (width + 3 * slots)
  if (size > BESIDE) return false
  const columns = run.map(({ part }) => cells[part.leaf.beside!.place] as Float64Array)
  const stride = near.strideOf(columns)
  const { wasm, numbers, start: scores } = near.beside
  const here = near.scoresAt(out)
  const x = scores + ((slots * rows + 1) & -2)
  const theta = x + run.length * width
  for (let j = 0; j < run.length; j++) {
    if (stride === 0) numbers.set(first(columns[j], rows), x + j * width)
    const own = run[j].part.paramsOf(params)
    const at = theta + j * own.length
    numbers.set(own, at)
    for (let p = 0; p < slots; p++) numbers[at + 3 * p + 1] *= 0.5
  }
  if (here < 0) numbers.set(first(out, slots * rows), scores)
  wasm.scoreNumbers(
    stride === 0 ? 8 * x : near.placeOf(columns[0]),
    stride || width,
    rows,
    run.length,
    slots,
    8 * theta,
    here < 0 ? 8 * scores : here,
  )
  if (here < 0) out.set(numbers.subarray(scores, scores + slots * rows))
  return true
}

function scoreLevels(
  near: Near<TogetherExports>,
  run: readonly LeafNode[],
  { rows, cells }: Block,
  params: Float64Array,
  out: Float64Array,
): boolean {
  const { slots } = run[0]
  let size = 0
  for (const { part } of run) size += part.parameters
  if (size > LARGE * rows * run.length) return false
  const width = (slots + 1) & -2
  const stride = (rows + 1) & -2
  const needed = run.length + 1 + (run.length * stride) / 2 + slots * rows + (size / slots) * width
  if (needed > BESIDE) return false
  const { wasm, numbers, integers, start: starts } = near.beside
  const here = near.scoresAt(out)
  const codes = starts + ((run.length + 1) & -2)
  const theta = codes + (((run.length * stride) / 2 + 1) & -2)
  const scores = theta + (size / slots) * width
  let level = 0
  for (let j = 0; j < run.length; j++) {
    const { leaf, paramsOf } = run[j].part
    integers.set(first(cells[leaf.beside!.place] as Int32Array, rows), 2 * codes + j * stride)
    integers[2 * starts + j] = level * width
    const own = paramsOf(params)
    for (let from = 0; from < own.length; from += slots, level++) {
      for (let p = 0; p < slots; p++) numbers[theta + level * width + p] = own[from + p]
    }
  }
  if (here < 0) numbers.set(first(out, slots * rows), scores)
  wasm.scoreLevels(
    8 * codes,
    stride,
    rows,
    run.length,
    slots,
    8 * theta,
    8 * starts,
    here < 0 ? 8 * scores : here,
  )
  if (here < 0) out.set(numbers.subarray(scores, scores + slots * rows))
  return true
}
