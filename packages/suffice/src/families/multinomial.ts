/**
 * A bag of words per cell, as a sequence of given length: no multinomial coefficient, nothing said about the length.
 *
 *     ln p(bag) = Σ_w c_w θ_w      s(bag) = (c_w, 1)      θ_w = ln(W_w / Σ_w' W_w'),  W_w = Σ_i weight_i c_iw
 *     prior: α pseudo-counts per word (Dirichlet), α = 1 is Laplace: (W_w + 1) / (ΣW + V)
 *
 * An empty bag is no evidence: it scores 0 and adds nothing. A slot without words is uniform.
 */
import type { Bag, Bags, Family, FamilyKind, Leaf } from "../contract.ts"
import { probabilitiesOf } from "../described.ts"
import { exp } from "../kernels/exp.ts"
import { insideSimplex, simplexMoments, simplexValue, solveSimplex } from "../kernels/simplex.ts"
import { type BagColumn, type BagOptions, bagNeed, bagOptions, putBag, someWords } from "./bag.ts"
import { knownOptions, pseudoRows } from "./options.ts"

export interface MultinomialOptions extends BagOptions {
  /** Pseudo-counts per word at prior strength 1. */
  readonly prior?: number
}

export function multinomial({ prior = 1, ...bag }: MultinomialOptions = {}): Family<Bag> {
  const alpha = pseudoRows("multinomial", prior)
  const need = bagNeed("multinomial", bag)
  return {
    name: "multinomial",
    options: { prior, ...bagOptions(need) },
    need,
    measure: "mass",
    bind: (columns, places, slots) => leaf(columns[0] as BagColumn, places[0], slots, alpha),
  }
}

// stats, word by word: entry w·slots + p holds W_w of slot p; at the end one n_p per slot, the weight of its documents
// (n_p enters no A(θ): the words alone make θ).   params, word by word: θ_w
function leaf(column: BagColumn, place: number, slots: number, alpha: number): Leaf {
  const words = column.words.length
  const size = words * slots
  const row = new Float64Array(slots) // one row over all slots

  return {
    slots,
    statistics: size + slots,
    axes: [["entry", "slot"], ["slot"]],
    lengthGiven: true,
    parameters: size,
    free: slots * Math.max(words - 1, 0),

    prior(stats) {
      for (let j = 0; j < size; j++) stats[j] += alpha
      // α·V pseudo-documents of one word each, the unit of `moments`: prior − n·E[s | θ] then moves no mass
      for (let p = 0; p < slots; p++) stats[size + p] += alpha * words
    },

    score(block, params, out) {
      const { offsets, words, counts } = block.cells[place] as Bags
      const rows = block.rows
      for (let i = 0; i < rows; i++) {
        if (offsets[i] === offsets[i + 1]) continue
        row.fill(0)
        for (let t = offsets[i]; t < offsets[i + 1]; t++) {
          const at = words[t] * slots
          for (let p = 0; p < slots; p++) row[p] += counts[t] * params[at + p]
        }
        for (let p = 0; p < slots; p++) out[p * rows + i] += row[p]
      }
    },

    absorb(block, _params, weights, stats) {
      const { offsets, words, counts } = block.cells[place] as Bags
      const rows = block.rows
      for (let i = 0; i < rows; i++) {
        if (offsets[i] === offsets[i + 1]) continue
        if (weights.form === "one") {
          const slot = weights.slot[i]
          const weight = weights.weight[i]
          for (let t = offsets[i]; t < offsets[i + 1]; t++)
            stats[words[t] * slots + slot] += weight * counts[t]
          stats[size + slot] += weight
        } else {
          for (let p = 0; p < slots; p++) row[p] = weights.values[p * rows + i]
          for (let t = offsets[i]; t < offsets[i + 1]; t++) {
            const at = words[t] * slots
            for (let p = 0; p < slots; p++) stats[at + p] += row[p] * counts[t]
          }
          for (let p = 0; p < slots; p++) stats[size + p] += row[p]
        }
      }
      return false
    },

    solve: (stats, params) => solveSimplex(stats, slots, words, params),

    /** Of documents with one word each: the length is given, not modelled. */
    moments(params, mass, stats) {
      simplexMoments(params, slots, words, mass, stats)
      for (let p = 0; p < slots; p++) stats[size + p] += mass[p]
    },

    inside: (stats, slot) => insideSimplex(stats, slots, words, slot),
    value: (stats, params) => simplexValue(stats, params, size),
    mass: (stats, slot) => stats[size + slot],

    describe: (params, slot) => ({
      words: Object.fromEntries(column.words.map((word, w) => [word, exp(params[w * slots + slot])])),
    }),

    adopt(description, slot, mass, stats) {
      stats[size + slot] += mass
      if (words === 0) return
      const given = probabilitiesOf(
        "multinomial",
        column.name,
        { probabilities: description?.words },
        column.words,
      )
      for (let w = 0; w < words; w++) stats[w * slots + slot] += mass * given[w]
    },

    /** A bag is evidence; an empty one gets as many words as it has room for, since nothing else says how long it should be. */
    sample(params, slot, block, dice) {
      const bags = block.cells[place] as Bags
      if (bags.offsets[1] > 0 || bags.words.length === 0 || words === 0) return
      const chances = Float64Array.from({ length: words }, (_, w) => exp(params[w * slots + slot]))
      const drawn = new Float64Array(words)
      for (let t = 0; t < bags.words.length; t++) drawn[dice.categorical(chances, 0, words)]++
      putBag(block, place, drawn)
    },

    contributions(block, params, slot, out) {
      const { offsets, words, counts } = block.cells[place] as Bags
      for (let t = offsets[0]; t < offsets[1]; t++)
        out[words[t]] += counts[t] * params[words[t] * slots + slot]
    },

    linear: (params, slot) =>
      column.words.map((word, w) => [{ kind: "count", column: column.name, word }, params[w * slots + slot]]),
  }
}

export const multinomialKind: FamilyKind = {
  name: "multinomial",
  make: options =>
    multinomial(knownOptions("multinomial", options, ["prior", "lowercase", "words"]) as MultinomialOptions),
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
  ],
}
