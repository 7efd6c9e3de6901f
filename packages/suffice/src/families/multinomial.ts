/**
 * A bag of words per cell, as a sequence of given length: no multinomial coefficient, nothing said about the length.
 *
 *     ln p(bag) = Σ_w c_w (θ_w − A)      s(bag) = (c_w, 1)      θ_w = ln W_w,  A = ln Σ_w e^θ_w,  W_w = Σ_i weight_i c_iw
 *     prior: α pseudo-counts per word (Dirichlet), α = 1 is Laplace: (W_w + 1) / (ΣW + V)
 *
 * An empty bag is no evidence: it scores 0 and adds nothing. A slot without words is uniform.
 */
import type { Bags } from "../contract/block.ts"
import type { Bag } from "../contract/cells.ts"
import type { Family, FamilyKind } from "../contract/family.ts"
import type { Guide } from "../contract/guide.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Json } from "../contract/report.ts"
import { solveWords } from "../kernels/bag-logs.ts"
import { insideSimplex } from "../kernels/simplex.ts"
import { type Table, valuesOf } from "../option-table.ts"
import { isNormed } from "../text/scaling.ts"
import {
  type BagColumn,
  bagColumn,
  bagGiven,
  bagNeed,
  bagOptions,
  type ScaledBagOptions,
  someWords,
} from "./bag.ts"
import { BAG, scaling } from "./bag-options.ts"
import { call, inWords, noMean } from "./guide.ts"
import { movingWords } from "./moving-words.ts"
import {
  absorbRows,
  addExpected,
  addPrior,
  adoptWords,
  contributions,
  describeWords,
  notADensity,
  sampleRow,
  scoreRows,
  termsOf,
  wordsLeaf,
} from "./multinomial-leaf.ts"
import { onlineWords } from "./online-words.ts"
import { prior, pseudoRowsOf } from "./options.ts"
import type { WordsPrior } from "./priors.ts"

export interface MultinomialOptions extends ScaledBagOptions {
  /** Pseudo-counts per word at prior strength 1. The default is 1, or 0.05 for normalised documents, whose counts are fractions. */
  readonly prior?: number | WordsPrior
}

const OPTIONS = { prior: prior<WordsPrior>(undefined), ...BAG, scaling } satisfies Table<MultinomialOptions>

export function multinomial(options: MultinomialOptions = {}): Family<Bag> {
  const { prior, ...bag } = valuesOf("multinomial", OPTIONS, options)
  const need = bagNeed("multinomial", bag)
  return {
    name: "multinomial",
    options: { ...(prior !== undefined && { prior: prior as Json }), ...bagOptions(need) },
    need,
    measure: "mass",
    bind: (columns, places, slots) =>
      leaf(
        bagColumn(columns[0], need),
        places[0],
        slots,
        prior === undefined ? undefined : pseudoRowsOf(prior),
      ),
  }
}

const NORMED_INERTIA = 20

// stats, word by word: entry w·slots + p holds W_w of slot p; at the end one n_p per slot, the weight of its documents
// (n_p enters no A(θ): the words alone make θ).   params, in the same places: θ_w, at the end one A per slot.
// θ is not normalised, so that moving one word leaves the θ of the others unchanged (moving-words.ts).
function leaf(column: BagColumn, place: number, slots: number, prior: number | undefined): Leaf {
  const layout = wordsLeaf(column, place, slots, prior)
  const { size, words, scaling, countsOf, kept, alpha, isScaled } = layout

  return {
    shape: {
      slots,
      statistics: size + slots,
      axes: [["entry", "slot"], ["slot"]],
      lengthGiven: true,
      parameters: size + slots,
      free: slots * Math.max(words - 1, 0),
    },
    moving: {
      sparse: {
        inertia: isNormed(scaling) ? NORMED_INERTIA : 0,
        room: {
          numbers: slots,
          scratch: 0,
          longest: words,
          kept: ({ rows, cells }) => (cells[place] as Bags).offsets[rows],
        },
        shrinks: true,
        move: start => (start.shrinks ? onlineWords : movingWords)(slots, place, countsOf, start),
      },
    },
    prior: (stats, strength) => addPrior(layout, stats, strength),
    score: (block, params, out) => scoreRows(layout, block, params, out),
    absorb: (block, _params, weights, stats) => absorbRows(layout, block, weights, stats),
    solve(stats, strength, params) {
      kept.changed(params)
      return solveWords(stats, slots, words, params, strength * alpha)
    },
    /** For documents of one word each: the length is given, not modelled. */
    moments: (params, mass, stats) => addExpected(layout, params, mass, stats),
    inside: (stats, slot) => insideSimplex(stats, slots, words, slot),
    value: (stats, params) => valueOfWords(stats, params, slots, size),
    logPrior: params => valueOfEach(alpha, params, slots, size),
    mass: (stats, slot) => stats[size + slot],
    describe: (params, slot) => describeWords(layout, params, slot),
    adopt: (description, slot, mass, stats) => adoptWords(layout, description, slot, mass, stats),
    ...(isScaled && {
      refusals: { density: () => notADensity(column) },
    }),
    /** A bag that is not empty is evidence; an empty one is filled with as many words as its array has space for, as the length is not modelled. */
    sample: (params, slot, block, dice) => sampleRow(layout, params, slot, block, dice),
    terms: {
      contributions: (block, params, slot, out) => contributions(layout, block, params, slot, out),
      // scaled counts depend on the whole document
      ...(!isScaled && {
        linear: (params, slot) => termsOf(layout, params, slot),
      }),
    },
  }
}

// Separate functions, because engines optimise loops over parameters better than over captured variables.

/** Σ_wp count (θ_wp − top_p), where 0 · (−∞) = 0. */
function valueOfWords(stats: Float64Array, params: Float64Array, slots: number, size: number): number {
  let sum = 0
  for (let at = 0; at < size; at += slots) {
    for (let p = 0; p < slots; p++) {
      const count = stats[at + p]
      if (count !== 0) sum += count * (params[at + p] - params[size + p])
    }
  }
  return sum
}

/** The same if all words have this count. */
function valueOfEach(count: number, params: Float64Array, slots: number, size: number): number {
  if (count === 0) return 0
  let sum = 0
  for (let at = 0; at < size; at += slots) {
    for (let p = 0; p < slots; p++) sum += count * (params[at + p] - params[size + p])
  }
  return sum
}

export const multinomialKind: FamilyKind = {
  name: "multinomial",
  make: (options, given) => multinomial(bagGiven("multinomial", options, given) as MultinomialOptions),
  suits: column => {
    const seen = column.rows - column.missing
    if (seen === 0 || column.strings + column.bags !== seen) return undefined
    if (column.bags > 0) return `${column.bags} word lists or word counts`
    return column.texts * 2 >= column.strings
      ? `${column.texts} of ${column.strings} strings are several words`
      : undefined
  },
  specimens: [
    { options: {}, cell: someWords },
    { options: { prior: 0.5, lowercase: false }, cell: dice => someWords(dice).join(" ") },
    { options: { scaling: "tfidf" }, cell: someWords },
  ],
}

export const multinomialGuide = {
  title: "multinomial distribution of words",
  columns: ["text"],
  usual: "text",
  counted: true,
  initial: { lowercase: true },
  summary: inWords,
  mean: noMean,
  makers: ["multinomial"],
  code: (_, options) => call("multinomial", options),
} as const satisfies Guide
