/**
 * Kernels come in twins of the same name: plain TypeScript, and fast ones compiled from assembly/. Both take the same steps, so both give the same bits.
 * Families and structures choose their kernels when they are laid out: the fast ones if they are in use. A fast kernel takes ordinary arrays; it recognises
 * those in its own memory, and does not copy them.
 *
 * Nothing here imports the fast ones: a page that only predicts includes just the plain ones it uses.
 */
import type { absorbEach, absorbOne, scoreBags } from "./bag-rows.ts"
import type { bestRows } from "./best-rows.ts"
import type { ChainKernels } from "./chain.ts"
import { type ColumnMemory, ORDINARY } from "./columns.ts"
import type { scoreDense, scoreLines } from "./dense-scores.ts"
import type { absorbDense, absorbList } from "./dense-sums.ts"
import type { absorbDiagonal, scoreDiagonal } from "./diagonal-rows.ts"
import type { pin } from "./pin.ts"
import type { posteriorRows } from "./posterior-rows.ts"
import type { collapse } from "./responsibilities.ts"
import type { sumRuns } from "./run-sums.ts"
import type { WeightSums } from "./slot-sums.ts"
import type { DocumentKernels } from "./topic-fold.ts"
import type { OpenWordMemory } from "./word-memory.ts"

/** Normals, and the sums of switches. */
export interface RowKernels {
  readonly pin: typeof pin
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

/**
 * Several columns, each with its own parameters, scored in one call: out[p·rows + i] += Σ_j ln p(x_ij | θ_jp). Returns false, having done nothing, if it
 * is not worth it. Twin: the leaves one by one.
 */
export interface FusedKernels {
  /** Gaussians: μ, 1/σ² and ln p(μ), column by column and slot by slot. */
  scoreNumbers(
    columns: readonly Float64Array[],
    rows: number,
    slots: number,
    params: Float64Array,
    out: Float64Array,
  ): boolean
  /** Levels: ln p(l) at l·slots + p. */
  scoreLevels(
    columns: readonly Int32Array[],
    rows: number,
    slots: number,
    params: readonly Float64Array[],
    out: Float64Array,
  ): boolean
}

/** Bags of words, and the large arrays they are scored and counted with. */
export interface BagKernels {
  readonly scoreBags: typeof scoreBags
  readonly absorbOne: typeof absorbOne
  readonly absorbEach: typeof absorbEach
  /** An array in which bags are scored or counted without copies; undefined if there is no memory for it. */
  allocateWords(length: number): Float64Array | undefined
  /** The same, uninitialised, until it is returned. Returning another array has no effect. */
  lendWords(length: number): Float64Array | undefined
  returnWords(lent: Float64Array): void
  /**
   * logs ← ln(c + α) of each count c, for small integers from the table; totals[p] += c + α. Returns false if it cannot be done here; `logs` is
   * then partly wrong.
   */
  logWords(
    counts: Float64Array,
    alpha: number,
    table: Float64Array,
    totals: Float64Array,
    logs: Float64Array,
  ): boolean
}

export interface Kernels extends RowKernels, FusedKernels, BagKernels, DocumentKernels, ChainKernels {
  readonly sumRuns: typeof sumRuns
  readonly columns: ColumnMemory
  /** Zeros for the scores of a block; the next call overwrites them. Twin: grow(). */
  scores(length: number): Float64Array
  /** Twin: new SlotSums(). */
  openSums(): WeightSums
  /** Undefined if it would be too large. */
  readonly openMoving: OpenWordMemory
}

let fast: Kernels | undefined

/** The fast twins, if they are in use. */
export function fastKernels(): Kernels | undefined {
  return fast
}

/** Models laid out from now on use these; undefined: the plain ones. */
export function setFastKernels(kernels: Kernels | undefined): void {
  fast = kernels
}

/** The memory for the numbers of a chunk. */
export function columnMemory(): ColumnMemory {
  return fast?.columns ?? ORDINARY
}
