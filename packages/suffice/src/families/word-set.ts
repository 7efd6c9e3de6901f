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
import type { Bags } from "../contract/block.ts"
import type { Bag } from "../contract/cells.ts"
import type { Family, FamilyKind } from "../contract/family.ts"
import type { Guide } from "../contract/guide.ts"
import type { Leaf, Weighted } from "../contract/leaf.ts"
import type { Description, Json } from "../contract/report.ts"
import { probability } from "../described.ts"
import { absorbEach, absorbOne, eachOnce } from "../kernels/bag-rows.ts"
import { exp } from "../kernels/exp.ts"
import { KeptWords } from "../kernels/kept-words.ts"
import { log, log1p } from "../kernels/log.ts"
import { movingSetOf } from "../kernels/moving-sets.ts"
import { fastKernels } from "../kernels/twins.ts"
import { type Table, valuesOf } from "../option-table.ts"
import {
  type BagColumn,
  type BagOptions,
  bagColumn,
  bagGiven,
  bagNeed,
  bagOptions,
  putBag,
  someWords,
} from "./bag.ts"
import { BAG } from "./bag-options.ts"
import { call, inWords, noMean } from "./guide.ts"
import { movingSets } from "./moving-sets.ts"
import { choice, prior, pseudoRowsOf } from "./options.ts"
import type { WordSetPrior } from "./priors.ts"

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

/** ln(1 + e^x), at ±∞ too. */
function softplus(x: number): number {
  return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x))
}

// stats, word by word: entry w·slots + p holds n_w of slot p; at the end one n_p per slot, the weight of its documents.
// params, word by word: θ_w; then per slot how many words have q_w = 1; then Σ ln(1 − q_w) over the others.
function leaf(column: BagColumn, place: number, slots: number, alpha: number): Leaf {
  const words = column.words.length
  const size = words * slots
  const row = new Float64Array(slots) // one row over all slots: its score,
  const sure = new Float64Array(slots) // and how many of its words have q_w = 1
  const isEmptySeen = column.text.empty !== undefined
  // sets that move are scored by themselves; those beside moving topics are none of the kernels' moving words
  const kept = new KeptWords(slots, false)
  const kernels = fastKernels() ?? { absorbOne, absorbEach }
  let head: Float64Array = new Float64Array(0) // the parameters as kernels need them

  function isSeen({ offsets, missing }: Bags, i: number): boolean {
    return isEmptySeen ? missing?.[i] !== 1 : offsets[i] < offsets[i + 1]
  }

  /** Is any word in every document of its slot? */
  function isSure(params: Float64Array): boolean {
    for (let p = 0; p < slots; p++) if (params[size + p] > 0) return true
    return false
  }

  function scoreSure(bags: Bags, rows: number, params: Float64Array, out: Float64Array): void {
    const { offsets, words } = bags
    for (let i = 0; i < rows; i++) {
      if (!isSeen(bags, i)) continue
      for (let p = 0; p < slots; p++) row[p] = params[size + slots + p]
      sure.fill(0)
      for (let t = offsets[i]; t < offsets[i + 1]; t++) {
        const at = words[t] * slots
        for (let p = 0; p < slots; p++) {
          const theta = params[at + p]
          if (theta === Infinity) sure[p]++
          else row[p] += theta
        }
      }
      // a bag without a word of q_w = 1 is impossible
      for (let p = 0; p < slots; p++) out[p * rows + i] += sure[p] < params[size + p] ? -Infinity : row[p]
    }
  }

  return {
    shape: {
      slots,
      statistics: size + slots,
      axes: [["entry", "slot"], ["slot"]],
      parameters: size + 2 * slots,
      free: size,
    },
    moving: { sparse: { move: start => movingSets(slots, place, isSeen, start) } },

    prior(stats, strength = 1) {
      for (let j = 0; j < size; j++) stats[j] += strength * alpha
      for (let p = 0; p < slots; p++) stats[size + p] += 2 * strength * alpha
    },

    score(block, params, out) {
      const bags = block.cells[place] as Bags
      const { rows } = block
      const moving = movingSetOf(params)
      if (moving) {
        moving.score(bags, isSeen, rows, out)
        return
      }
      if (isSure(params)) {
        scoreSure(bags, rows, params, out)
        return
      }
      // no word has q_w = 1: A_p of the kernels is 0
      if (head.buffer !== params.buffer || head.byteOffset !== params.byteOffset)
        head = params.subarray(0, size + slots)
      kept.score(bags, eachOnce, rows, head, out)
      // runs of consecutive rows that are seen
      for (let i = 0, from = 0; i < rows; from = ++i) {
        while (i < rows && isSeen(bags, i)) i++
        for (let p = 0; p < slots; p++) {
          const absent = params[size + slots + p]
          for (let j = p * rows + from; j < p * rows + i; j++) out[j] += absent
        }
      }
    },

    absorb(block, _params, weights, stats) {
      const bags = block.cells[place] as Bags
      const { rows } = block
      if (weights.form === "one")
        kernels.absorbOne(bags, eachOnce(bags), rows, weights.slot, weights.weight, slots, stats)
      else kernels.absorbEach(bags, eachOnce(bags), rows, weights.values, slots, stats)
      // kernels do not count rows without words
      for (let i = 0; isEmptySeen && i < rows; i++) {
        if (bags.offsets[i] < bags.offsets[i + 1] || !isSeen(bags, i)) continue
        if (weights.form === "one") stats[size + weights.slot[i]] += weights.weight[i]
        else for (let p = 0; p < slots; p++) stats[size + p] += weights.values[p * rows + i]
      }
      return false
    },

    solve(stats, strength, params) {
      kept.changed(params)
      const more = strength * alpha
      let clamped = 0
      for (let p = 0; p < slots; p++) {
        const n = stats[size + p] + 2 * strength * alpha
        let outside = n < 0
        let absent = 0 // Σ ln(1 − q_w) where q_w < 1
        let certain = 0
        for (let w = 0; w < words; w++) {
          const count = stats[w * slots + p] + more
          if (count < 0 || count > n) outside = true
          // a slot without documents: q = ½
          const theta = n > 0 ? log(Math.max(count, 0) / Math.max(n - count, 0)) : 0
          params[w * slots + p] = theta
          if (theta === Infinity) certain++
          else absent -= softplus(theta)
        }
        params[size + p] = certain
        params[size + slots + p] = absent
        if (outside) clamped++
      }
      return clamped
    },

    moments(params, mass, stats) {
      for (let p = 0; p < slots; p++) stats[size + p] += mass[p]
      for (let w = 0; w < words; w++) {
        for (let p = 0; p < slots; p++) stats[w * slots + p] += mass[p] / (1 + exp(-params[w * slots + p]))
      }
    },

    inside(stats, slot) {
      const n = stats[size + slot]
      const least = 1e-9 * n
      if (!(n > 0)) return false
      for (let w = 0; w < words; w++) {
        const count = stats[w * slots + slot]
        if (!(count >= least && n - count >= least)) return false
      }
      return true
    },

    value(stats, params) {
      // Σ n_w ln q_w + (n − n_w) ln(1 − q_w), with 0 · (−∞) = 0
      let total = 0
      for (let w = 0; w < words; w++) {
        for (let p = 0; p < slots; p++) {
          const theta = params[w * slots + p]
          const present = stats[w * slots + p]
          const absent = stats[size + p] - present
          if (present !== 0) total -= present * softplus(-theta)
          if (absent !== 0) total -= absent * softplus(theta)
        }
      }
      return total
    },
    mass: (stats, slot) => stats[size + slot],

    describe: (params, slot) => ({
      words: Object.fromEntries(
        column.words.map((word, w) => [word, 1 / (1 + exp(-params[w * slots + slot]))]),
      ),
    }),

    adopt(description, slot, mass, stats) {
      const given = description?.words as Description | undefined
      stats[size + slot] += mass
      column.words.forEach((word, w) => {
        stats[w * slots + slot] += mass * probability("wordSet", column.name, word, given?.[word])
      })
    },

    /** A bag that is not empty is evidence; in an empty one, each word is drawn with its own probability, if there is space. */
    sample(params, slot, block, dice) {
      const bags = block.cells[place] as Bags
      if (bags.offsets[1] > 0 || bags.words.length === 0) return
      const drawn = new Float64Array(words)
      for (let w = 0; w < words; w++) {
        if (dice.uniform() < 1 / (1 + exp(-params[w * slots + slot]))) drawn[w] = 1
      }
      putBag(block, place, drawn)
    },
    terms: {
      /** ln q_w of a word that is present, ln(1 − q_w) of one that is absent. */
      contributions(block, params, slot, out) {
        const bags = block.cells[place] as Bags
        if (!isSeen(bags, 0)) return
        const present = new Set(bags.words.subarray(bags.offsets[0], bags.offsets[1]))
        for (let w = 0; w < words; w++) {
          const theta = params[w * slots + slot]
          out[w] -= softplus(present.has(w) ? -theta : theta)
        }
      },

      /** For a bag that is not empty. */
      linear: (params, slot) => [
        [{ kind: "1" }, params[size + slots + slot]],
        ...column.words.map(
          (word, w): Weighted => [{ kind: "word", column: column.name, word }, params[w * slots + slot]],
        ),
      ],
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
