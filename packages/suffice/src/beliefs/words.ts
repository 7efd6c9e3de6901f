/**
 * Words of documents (Dirichlet over the vocabulary) and sets of words (a Beta for each word).
 *
 *     multinomial   a_w = α + W_w      E[ln φ_w] = ψ(a_w) − ψ(A), A = Σa      B = Σ ln Γ(a_w) − ln Γ(A)
 *                   p(bag | rows) = Γ(A)/Γ(A + N) Π_w Γ(a_w + c_w)/Γ(a_w)        (Pólya: a word that occurred is likelier to occur again)
 *     word set      a = α + n_w, b = α + n − n_w      E[ln q_w] = ψ(a) − ψ(a + b)      p(w | rows) = a/(a + b)
 */
import type { About, BeliefKind } from "../contract/belief.ts"
import type { Bags } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Dice } from "../contract/dice.ts"
import type { Leaf } from "../contract/leaf.ts"
import { SufficeError, show } from "../errors.ts"
import { putBag } from "../families/bag.ts"
import { log } from "../kernels/log.ts"
import { digamma, logGamma } from "../kernels/log-gamma.ts"
import { betaQuantile } from "../kernels/student.ts"
import { amount, knownNames, priorOf, STRENGTH } from "./elicited.ts"
import { beliefOf, held } from "./stand-in.ts"

type BagColumn = Extract<Column, { kind: "bag" }>

/** A number for each word: the given ones, and `other` for all the rest. */
function perWord(about: About, words: readonly string[], other: number, below: number): Float64Array {
  const given = about.options.prior as { readonly [name: string]: never }
  if (given.words !== undefined) knownNames(about, "words", given.words, words)
  const rest = given.other === undefined ? other : amount(about, given, "other", 0, OTHER, below)
  const named = (given.words ?? {}) as { readonly [word: string]: number }
  return Float64Array.from(words, word => {
    const value = Object.hasOwn(named, word) ? named[word] : rest
    if (typeof value === "number" && value > 0 && value < below) return value
    throw new SufficeError(
      "option",
      `${about.family}: the prior of the word ${show(word)} is ${show(value)}. It must be ${below < Infinity ? `between 0 and ${below}` : "a finite number above 0"}, or the prior is improper. Give such a number, or leave the word out.`,
      { option: "prior", word, value },
    )
  })
}

const OTHER = "It is what every word has that is not named."

export const multinomialBelief: BeliefKind = {
  family: "multinomial",
  of(plain, about) {
    const column = about.columns[0] as BagColumn
    const { scaling } = column.text
    if (scaling !== undefined && scaling !== "raw") throw scaledDocuments(column)
    const [place] = about.places
    const { slots } = plain.shape
    const words = column.words.length
    const size = words * slots
    const { factor, given } = priorOf(about, ["words", "other"])
    const alpha = given ? perWord(about, column.words, 1, Infinity) : new Float64Array(words).fill(factor)
    const fill = (q: Float64Array, params: Float64Array, of: (a: number) => number): void => {
      for (let j = 0; j < size + slots; j++) params[j] = words > 0 ? of(q[j]) : 0
    }
    return beliefOf(
      plain,
      {
        // word by word a_w, then A of each slot
        numbers: size + slots,
        posterior(stats, strength, _spread, q) {
          q.fill(0, size)
          for (let w = 0; w < words; w++)
            for (let p = 0; p < slots; p++) {
              q[w * slots + p] = Math.max(stats[w * slots + p], 0) + strength * alpha[w]
              q[size + p] += q[w * slots + p]
            }
        },
        logNormaliser(q) {
          let sum = 0
          for (let j = 0; j < size; j++) sum += logGamma(q[j])
          for (let p = 0; words > 0 && p < slots; p++) sum -= logGamma(q[size + p])
          return sum
        },
        draw: (q, dice, params) => drawWords(q, dice, params, words, slots),
        interval(q, slot, probability) {
          const total = q[size + slot]
          return byWord(column, w => heldShare(q[w * slots + slot], total - q[w * slots + slot], probability))
        },
      },
      {
        // θ_w − A of the plain layout: ψ(a_w) − ψ(A)
        expected: { fill: (q, params) => marked(plain, params, () => fill(q, params, digamma)) },
        // the plain parameters ln a_w, ln A; then a_w and A themselves
        predictive: {
          shape: { parameters: 2 * (size + slots) },
          fill(q, params) {
            fill(q, params, log)
            params.set(q, size + slots)
          },
          ...polya(place, slots, words, size + slots),
        },
      },
    )
  },
}

/** Probabilities of words ~ Dirichlet(q), slot by slot. */
function drawWords(q: Float64Array, dice: Dice, params: Float64Array, words: number, slots: number): void {
  const drawn = new Float64Array(words)
  for (let p = 0; p < slots; p++) {
    dice.dirichlet(
      Float64Array.from(drawn, (_, w) => q[w * slots + p]),
      drawn,
    )
    for (let w = 0; w < words; w++) params[w * slots + p] = log(drawn[w])
    params[words * slots + p] = 0
  }
}

/** The plain leaf keeps a copy of parameters in the memory of kernels: it is told that they change. */
function marked(plain: Leaf, params: Float64Array, change: () => void): void {
  plain.solve(new Float64Array(plain.shape.statistics), 0, params)
  change()
}

/** Pólya's distribution of a bag; a_w stand at `from` + w·slots + p, then A of each slot. */
function polya(
  place: number,
  slots: number,
  words: number,
  from: number,
): Required<Pick<Leaf, "score" | "sample" | "terms">> {
  const totals = from + words * slots
  return {
    score(block, params, out) {
      const { offsets, words: codes, counts } = block.cells[place] as Bags
      const { rows } = block
      for (let i = 0; i < rows; i++) {
        let length = 0
        for (let t = offsets[i]; t < offsets[i + 1]; t++) {
          length += counts[t]
          for (let p = 0; p < slots; p++)
            out[p * rows + i] += rising(params[from + codes[t] * slots + p], counts[t])
        }
        if (length > 0)
          for (let p = 0; p < slots; p++) out[p * rows + i] -= rising(params[totals + p], length)
      }
      return undefined
    },

    /** A word that was drawn is likelier to be drawn again. */
    sample(params, slot, block, dice) {
      const bags = block.cells[place] as Bags
      if (bags.offsets[1] > 0 || bags.words.length === 0 || words === 0) return
      const weights = Float64Array.from({ length: words }, (_, w) => params[from + w * slots + slot])
      const drawn = new Float64Array(words)
      for (let t = 0; t < bags.words.length; t++) {
        const w = dice.categorical(weights, 0, words)
        drawn[w]++
        weights[w]++
      }
      putBag(block, place, drawn)
    },
    terms: {
      contributions(block, params, slot, out) {
        const { offsets, words: codes, counts } = block.cells[place] as Bags
        let length = 0
        for (let t = offsets[0]; t < offsets[1]; t++) {
          length += counts[t]
          out[codes[t]] += rising(params[from + codes[t] * slots + slot], counts[t])
        }
        // the length is shared out among the words
        const total = length > 0 ? rising(params[totals + slot], length) : 0
        for (let t = offsets[0]; t < offsets[1]; t++) out[codes[t]] -= (counts[t] / length) * total
      },
    },
  }
}

/** ln Γ(a + c) − ln Γ(a): the logarithm of a(a + 1)…(a + c − 1) for whole c. */
function rising(a: number, c: number): number {
  if (c > 8 || c !== Math.floor(c)) return logGamma(a + c) - logGamma(a)
  let product = a
  for (let k = 1; k < c; k++) product *= a + k
  return log(product)
}

export const wordSetBelief: BeliefKind = {
  family: "wordSet",
  of(plain, about) {
    const column = about.columns[0] as BagColumn
    const { slots } = plain.shape
    const words = column.words.length
    const size = words * slots
    const { factor, given } = priorOf(about, ["words", "other", "strength"])
    const chance = given ? perWord(about, column.words, 0.5, 1) : new Float64Array(words).fill(0.5)
    const rows = given
      ? given.strength === undefined
        ? 2
        : amount(about, given, "strength", 0, STRENGTH)
      : 2 * factor
    return beliefOf(
      plain,
      {
        // word by word a, then word by word b, then n of each slot
        numbers: 2 * size,
        posterior(stats, strength, _spread, q) {
          for (let w = 0; w < words; w++)
            for (let p = 0; p < slots; p++) {
              const at = w * slots + p
              q[at] = Math.max(stats[at], 0) + strength * rows * chance[w]
              q[size + at] = Math.max(stats[size + p] - stats[at], 0) + strength * rows * (1 - chance[w])
            }
        },
        logNormaliser(q) {
          let sum = 0
          for (let j = 0; j < size; j++)
            sum += logGamma(q[j]) + logGamma(q[size + j]) - logGamma(q[j] + q[size + j])
          return sum
        },
        draw(q, dice, params) {
          fillSet(params, size, slots, at => {
            const yes = dice.beta(q[at], q[size + at])
            return [log(yes), log(1 - yes)]
          })
        },
        interval: (q, slot, probability) =>
          byWord(column, w => heldShare(q[w * slots + slot], q[size + w * slots + slot], probability)),
      },
      {
        expected: {
          fill: (q, params) => marked(plain, params, () => fillBoth(q, params, size, slots, digamma)),
          value: (stats, params) => valueOfSet(stats, params, size, slots),
        },
        predictive: {
          fill: (q, params) => fillBoth(q, params, size, slots, log),
        },
      },
    )
  },
}

/** The plain layout: ln q_w − ln(1 − q_w), no word that is certain, Σ ln(1 − q_w). */
function fillSet(
  params: Float64Array,
  size: number,
  slots: number,
  of: (at: number) => readonly [yes: number, no: number],
): void {
  params.fill(0, size)
  for (let at = 0; at < size; at++) {
    const [yes, no] = of(at)
    params[at] = yes - no
    params[size + slots + (at % slots)] += no
  }
}

/** As fillSet, with f(a) − f(a + b) of each word and f(b) − f(a + b). */
function fillBoth(
  q: Float64Array,
  params: Float64Array,
  size: number,
  slots: number,
  f: (x: number) => number,
): void {
  fillSet(params, size, slots, at => {
    const both = f(q[at] + q[size + at])
    return [f(q[at]) - both, f(q[size + at]) - both]
  })
}

function valueOfSet(stats: Float64Array, params: Float64Array, size: number, slots: number): number {
  let sum = 0
  for (let p = 0; p < slots; p++) sum += stats[size + p] * params[size + slots + p]
  for (let j = 0; j < size; j++) sum += stats[j] * params[j]
  return sum
}

function heldShare(a: number, b: number, probability: number) {
  const beyond = 0.5 * (1 - probability)
  return held(a / (a + b), betaQuantile(beyond, a, b), betaQuantile(1 - beyond, a, b))
}

function byWord({ words }: BagColumn, of: (w: number) => ReturnType<typeof held>) {
  return { words: Object.fromEntries(words.map((word, w) => [word, of(w)])) }
}

function scaledDocuments({ name, text: { scaling } }: BagColumn): SufficeError {
  return new SufficeError(
    "model",
    `bayes: the documents in ${show(name)} are scaled (${show(scaling)}), so their counts are no counts of words. There is no distribution to keep a posterior of. Use multinomial({ scaling: "raw" }).`,
    { column: name, scaling },
  )
}
