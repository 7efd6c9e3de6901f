/**
 * Kernels come in twins of the same name: TypeScript, and WebAssembly made of assembly/. Both take the same steps, so both give
 * the same bits. Who binds a family or lays a switch out takes the fast ones where they are there.
 *
 * Nothing here imports them: a page that only predicts carries the TypeScript ones it names, and no more.
 */
import type { Block, NearColumn, Node, Work } from "../contract.ts"
import type { OpenBags } from "./bag-rooms.ts"
import type { bestRows } from "./best-rows.ts"
import type { scoreDense, scoreLines } from "./dense-scores.ts"
import type { absorbDense, absorbList } from "./dense-sums.ts"
import type { absorbDiagonal, scoreDiagonal } from "./diagonal-rows.ts"
import type { hold } from "./hold.ts"
import type { posteriorRows } from "./posterior-rows.ts"
import type { collapse } from "./responsibilities.ts"
import type { sumRuns } from "./run-sums.ts"
import type { WeightSums } from "./slot-sums.ts"
import type { OpenRoom } from "./word-rooms.ts"

/** out[p·rows + i] += Σ_nodes ln p(row i | context p). `works`: those of the nodes, the spent ones to begin with. */
export type ScoreTogether = (
  block: Block,
  params: Float64Array,
  out: Float64Array,
  works: Work[],
  lean?: boolean,
) => void

/** Normals, and the sums of switches. */
export interface NormalKernels {
  /** Rows whose columns stand in the array that was held last are taken as they were then. */
  readonly hold: typeof hold
  readonly scoreDense: typeof scoreDense
  readonly scoreLines: typeof scoreLines
  readonly absorbDense: typeof absorbDense
  readonly absorbList: typeof absorbList
  readonly scoreDiagonal: typeof scoreDiagonal
  readonly absorbDiagonal: typeof absorbDiagonal
  readonly collapse: typeof collapse
  readonly bestRows: typeof bestRows
  readonly posteriorRows: typeof posteriorRows
}

export interface NearRows {
  /** Columns of so many rows, until the owner gives them back; undefined where there is no room. */
  lend(owner: object, columns: number, rows: number): readonly NearColumn[] | undefined
  /** Zeros, room for the scores of a block until they are given back; undefined where there is none, or somebody has it. */
  lendScores(count: number): Float64Array | undefined
  /** The columns of this owner, or these scores; nothing, if they were not lent. */
  release(lent: object): void
}

export interface Kernels extends NormalKernels {
  /** The memory in which rows can be both held and computed on. Its twins are arrays. */
  readonly near: NearRows
  readonly sumRuns: typeof sumRuns
  /** Its twin: new SlotSums(). */
  readonly openSums: () => WeightSums
  /** Scores leaves side by side in one call, where that is worth it. Its twin: leaf after leaf. */
  readonly together: (parts: readonly Node[]) => ScoreTogether | undefined
  /** Undefined where it would be too large. */
  readonly openRoom: OpenRoom
  readonly openBags: OpenBags
}

let fast: Kernels | undefined

/** The fast twins, where they are in use. */
export function fastKernels(): Kernels | undefined {
  return fast
}

/** From now on whatever is laid out uses these; undefined: the TypeScript ones. */
export function setFastKernels(kernels: Kernels | undefined): void {
  fast = kernels
}
