/**
 * One of finitely many levels per cell.
 *
 *     ln p(x = l) = θ_l      s(x) = 1[x = l]      θ_l = ln(n_l / n)
 *     prior: α pseudo-counts per level (Dirichlet), α = 1 is Laplace: (n_l + 1) / (n + L)
 *
 * A level never seen in training counts as missing, and is reported. A number can be modelled as levels (`bins`): level l is the interval from cut l − 1 to cut l.
 */
import type { Level } from "../contract/cells.ts"
import type { Family, FamilyKind } from "../contract/family.ts"
import type { Guide } from "../contract/guide.ts"
import type { Json } from "../contract/report.ts"
import { SufficeError, show } from "../errors.ts"
import { type Table, valuesOf } from "../option-table.ts"
import { call, inWords, noMean } from "./guide.ts"
import { type LevelColumn, levelLeaf } from "./level-leaf.ts"
import { levels, prior, pseudoRowsOf } from "./options.ts"
import type { LevelsPrior } from "./priors.ts"

export interface CategoricalOptions<L extends Level = Level> {
  /** All levels, if the data may not contain each of them. By default they are discovered. */
  readonly levels?: readonly L[]
  /** Pseudo-counts per level at prior strength 1. */
  readonly prior?: number | LevelsPrior
}

const OPTIONS = { levels, prior: prior<LevelsPrior>(1) } satisfies Table<CategoricalOptions>

export function categorical<const L extends Level = Level>(
  options: CategoricalOptions<L> = {},
): Family<number extends L ? Level : L> {
  const { levels, prior } = valuesOf("categorical", OPTIONS, options)
  const alpha = pseudoRowsOf(prior)
  return {
    name: "categorical",
    options: levels ? { levels, prior: prior as Json } : { prior: prior as Json },
    need: levels ? { kind: "level", levels } : { kind: "level" },
    measure: "mass",
    bind: (columns, places, slots) => levelLeaf(columns[0] as LevelColumn, places[0], slots, alpha),
  }
}

export interface BinsOptions {
  /** Pseudo-counts per level at prior strength 1. */
  readonly prior?: number | LevelsPrior
}

const BINS = { prior: prior<LevelsPrior>(1) } satisfies Table<BinsOptions>

/** A number as so many levels of about as many rows each, fewer where values repeat; or as the intervals between these cuts, in order. */
export function bins(count: number | readonly number[], options: BinsOptions = {}): Family<Level> {
  const { prior } = valuesOf("bins", BINS, options)
  const alpha = pseudoRowsOf(prior)
  const between = typeof count === "number" ? checkedCount(count) : checkedCuts(count)
  return {
    name: "categorical",
    options: { bins: between as Json, prior: prior as Json },
    need: { kind: "level", bins: between },
    measure: "mass",
    bind: (columns, places, slots) => levelLeaf(columns[0] as LevelColumn, places[0], slots, alpha),
  }
}

/** Levels of a number. */
const MOST_BINS = 10_000

function checkedCount(count: number): number {
  if (Number.isSafeInteger(count) && count >= 2 && count <= MOST_BINS) return count
  throw new SufficeError(
    "option",
    `bins: the number of levels is ${show(count)}. It is a whole number from 2 to ${MOST_BINS}. Write for example bins(8), or name the cuts: bins([18, 65]).`,
    { value: count },
  )
}

function checkedCuts(cuts: unknown): readonly number[] {
  const isList =
    Array.isArray(cuts) && cuts.length > 0 && cuts.length < MOST_BINS && cuts.every(Number.isFinite)
  if (isList && cuts.every((cut, j) => j === 0 || cut > cuts[j - 1])) return cuts.slice() as number[]
  throw new SufficeError(
    "option",
    `bins: the cuts are ${show(cuts)}. They are numbers, each larger than the one before. Write for example bins([18, 65]), or bins(8) for quantiles.`,
    { value: cuts },
  )
}

export const categoricalKind: FamilyKind = {
  name: "categorical",
  make(options) {
    // a number as levels is saved as what it is modelled by
    if ("bins" in options) {
      const { bins: between, ...rest } = options
      return bins(between as number, rest as BinsOptions)
    }
    return categorical(options as CategoricalOptions)
  },
  suits: column => {
    if (column.strings === 0 || column.strings !== column.rows - column.missing) return undefined
    // few distinct values (below the cap of counting) that recur; phrases must recur often, or they are texts
    const phrases = column.texts * 2 >= column.strings
    const few = phrases
      ? column.distinct * 10 <= column.strings
      : column.distinct <= 20 || column.distinct * 2 <= column.strings
    return few && column.distinct < 1000
      ? `${column.distinct} different ${phrases ? "phrases" : "words"} in ${column.strings} cells`
      : undefined
  },
  specimens: [
    { options: {}, cell: dice => ["red", "green", "blue"][dice.integer(3)] },
    { options: { levels: [1, 2, 3, 4], prior: 0.5 }, cell: dice => 1 + dice.integer(4) },
  ],
}

export const categoricalGuide = {
  title: "categorical distribution",
  columns: ["level"],
  usual: "category",
  summary: inWords,
  mean: noMean,
  makers: ["categorical", "bins"],
  code: (_, { bins: between, ...options }) =>
    between === undefined ? call("categorical", options) : call("bins", options, between),
} as const satisfies Guide
