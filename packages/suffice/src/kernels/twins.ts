/**
 * Kernels come in twins of the same name: plain TypeScript, and fast ones made of assembly/. Both take the same steps, so both give the same bits.
 * Families and structures choose their kernels when they are laid out: the fast ones if they are in use. A fast kernel takes plain arrays; those that
 * lie in its memory it recognises, and need not copy.
 *
 * Nothing here imports the fast ones: a page that only predicts carries the plain ones it names, and no more.
 */
import type { absorbEach, absorbOne, scoreBags } from "./bag-rows.ts"
import type { bestRows } from "./best-rows.ts"
import { type ColumnMemory, ORDINARY } from "./columns.ts"
import type { scoreDense, scoreLines } from "./dense-scores.ts"
import type { absorbDense, absorbList } from "./dense-sums.ts"
import type { absorbDiagonal, scoreDiagonal } from "./diagonal-rows.ts"
import type { pin } from "./pin.ts"
import type { posteriorRows } from "./posterior-rows.ts"
import type { collapse } from "./responsibilities.ts"
import type { sumRuns } from "./run-sums.ts"
import type { WeightSums } from "./slot-sums.ts"
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
 * Several columns, each with parameters of its own, scored in one call: out[p·rows + i] += Σ_j ln p(x_ij | θ_jp). False, and nothing was done, where
 * that is not worth it. Their twins: leaf after leaf.
 */
export interface FusedKernels {
  /** Gaussians: μ, 1/σ² and ln p(μ), slot by slot. */
  scoreNumbers(
    columns: readonly Float64Array[],
    rows: number,
    slots: number,
    params: readonly Float64Array[],
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
  /** `length` numbers in which bags can be scored or counted without copies; undefined where there is no memory for them. */
  allocateWords(length: number): Float64Array | undefined
  /** The same for a while, uninitialised, until they are returned. What was not lent is left alone. */
  lendWords(length: number): Float64Array | undefined
  returnWords(lent: Float64Array): void
  /**
   * logs ← ln(c + α) of each count, that of whole numbers out of the table; totals[p] += c + α. False: it cannot be done here, and some of
   * the logarithms are wrong.
   */
  logWords(
    counts: Float64Array,
    alpha: number,
    table: Float64Array,
    totals: Float64Array,
    logs: Float64Array,
  ): boolean
}

export interface Kernels extends RowKernels, FusedKernels, BagKernels {
  readonly sumRuns: typeof sumRuns
  readonly columns: ColumnMemory
  /** Zeros for the scores of a block, good until the next call. Its twin: grow(). */
  scores(length: number): Float64Array
  /** Its twin: new SlotSums(). */
  openSums(): WeightSums
  /** Undefined where it would be too large. */
  readonly openMoving: OpenWordMemory
}

let fast: Kernels | undefined

/** The fast twins, if they are in use. */
export function fastKernels(): Kernels | undefined {
  return fast
}

/** From now on whatever is laid out uses these; undefined: the plain ones. */
export function setFastKernels(kernels: Kernels | undefined): void {
  fast = kernels
}

/** Where the door puts the numbers of a chunk. */
export function columnMemory(): ColumnMemory {
  return fast?.columns ?? ORDINARY
}
