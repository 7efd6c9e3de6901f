/**
 * Which words a bag contains, not how often: one Bernoulli per word of the vocabulary V.
 *
 *     ln p(bag) = Σ_{w∈V} ln(1 − q_w) + Σ_{w∈bag} θ_w      θ_w = ln( q_w / (1 − q_w) )
 *     s(bag) = (1[w ∈ bag], 1)      q_w = n_w / n
 *     prior: α pseudo-documents with and α without each word (Beta), α = 1 is Laplace: (n_w + 1) / (n + 2)
 *
 * With `classes` it is the Bernoulli naive Bayes of texts (McCallum & Nigam 1998). Absent words count too, by one constant per slot, so a
 * score costs only the words that are present.
 *
 * An empty bag is a missing cell, as in multinomial: it scores 0 and is not counted, and p above is not divided by the probability
 * 1 − Π(1 − q_w) of a bag that is not empty. A text of unknown words is then no evidence; with `empty: "seen"` it is evidence that every
 * known word is absent.
 */
import type { Bag } from "../contract/cells.ts"
import type { Family, FamilyKind } from "../contract/family.ts"
import type { Guide } from "../contract/guide.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Json } from "../contract/report.ts"
import { type Table, valuesOf } from "../option-table.ts"
import {
  type BagColumn,
  type BagOptions,
  bagColumn,
  bagGiven,
  bagNeed,
  bagOptions,
  someWords,
} from "./bag.ts"
import { BAG } from "./bag-options.ts"
import { call, inWords, noMean } from "./guide.ts"
import { movingSets } from "./moving-sets.ts"
import { choice, prior, pseudoRowsOf } from "./options.ts"
import type { WordSetPrior } from "./priors.ts"
import {
  addExpected,
  addPrior,
  adoptWords,
  describeWords,
  isInside,
  solveWords,
  valueOfWords,
  wordSetOf,
} from "./word-set-leaf.ts"
import { absorbRows, contributions, isSeen, sampleRow, scoreRows, termsOf } from "./word-set-rows.ts"

export interface WordSetOptions extends BagOptions {
  /** Pseudo-documents with and without each word at prior strength 1. */
  readonly prior?: number | WordSetPrior
  /** What a bag without a known word means: a missing cell (the default), or "seen", with every word absent. */
  readonly empty?: "missing" | "seen"
}

const OPTIONS = {
  prior: prior<WordSetPrior>(1),
  empty: choice("missing", ["missing", "seen"]),
  ...BAG,
} satisfies Table<WordSetOptions>

export function wordSet(options: WordSetOptions = {}): Family<Bag> {
  const { prior, empty, ...bag } = valuesOf("wordSet", OPTIONS, options)
  const alpha = pseudoRowsOf(prior)
  const need = bagNeed("wordSet", bag, empty === "seen")
  return {
    name: "wordSet",
    options: { prior: prior as Json, ...bagOptions(need) },
    need,
    measure: "mass",
    bind: (columns, places, slots) => leaf(bagColumn(columns[0], need), places[0], slots, alpha),
  }
}

// stats, word by word: entry w·slots + p holds n_w of slot p; at the end one n_p per slot, the weight of its documents.
// params, word by word: θ_w; then per slot how many words have q_w = 1; then Σ ln(1 − q_w) over the others.
function leaf(column: BagColumn, place: number, slots: number, alpha: number): Leaf {
  const set = wordSetOf(column, place, slots, alpha)
  const { size } = set

  return {
    shape: {
      slots,
      statistics: size + slots,
      axes: [["entry", "slot"], ["slot"]],
      parameters: size + 2 * slots,
      free: size,
    },
    moving: { sparse: { move: start => movingSets(slots, place, (bags, i) => isSeen(set, bags, i), start) } },
    prior: (stats, strength) => addPrior(set, stats, strength),
    score: (block, params, out) => scoreRows(set, block, params, out),
    absorb: (block, _params, weights, stats) => absorbRows(set, block, weights, stats),
    solve: (stats, strength, params) => solveWords(set, stats, strength, params),
    moments: (params, mass, stats) => addExpected(set, params, mass, stats),
    inside: (stats, slot) => isInside(set, stats, slot),
    value: (stats, params) => valueOfWords(set, stats, params),
    mass: (stats, slot) => stats[size + slot],
    describe: (params, slot) => describeWords(set, params, slot),
    adopt: (description, slot, mass, stats) => adoptWords(set, description, slot, mass, stats),
    /** A bag that is not empty is evidence; in an empty one, each word is drawn with its own probability, if there is space. */
    sample: (params, slot, block, dice) => sampleRow(set, params, slot, block, dice),
    terms: {
      /** ln q_w of a word that is present, ln(1 − q_w) of one that is absent. */
      contributions: (block, params, slot, out) => contributions(set, block, params, slot, out),
      /** For a bag that is not empty. */
      linear: (params, slot) => termsOf(set, params, slot),
    },
  }
}

/** Listed for saving and the laws; auto() never chooses it, as it ignores how often a word occurs. */
export const wordSetKind: FamilyKind = {
  name: "wordSet",
  make: (options, given) => wordSet(bagGiven("wordSet", options, given) as WordSetOptions),
  specimens: [
    { options: {}, cell: someWords },
    { options: { prior: 0.5, lowercase: false }, cell: dice => someWords(dice).join(" ") },
    { options: { empty: "seen" }, cell: someWords },
  ],
}

export const wordSetGuide = {
  title: "Bernoulli distribution of each word",
  columns: ["text"],
  initial: { lowercase: true },
  summary: inWords,
  mean: noMean,
  makers: ["wordSet"],
  code: (_, options) => call("wordSet", options),
} as const satisfies Guide
