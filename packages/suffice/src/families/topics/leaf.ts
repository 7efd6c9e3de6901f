/**
 * Topics bound to a column: what `score` climbs (kernels/topic-fold.ts), what it adds, and how φ and α come back.
 *
 *     absorb   W_wk += weight · c_w r_wk        ∂score/∂ln φ_kw = c_w r_wk: the maximum over θ needs no derivative (envelope theorem)
 *     solve    φ_kw = (W_kw + η) / Σ_w (W_kw + η)        α_k = T_k / S
 *
 * α_k = T_k/S is a step of Minka's fixed point for the evidence of proportions (2000, "Estimating a Dirichlet distribution"), with T and S as in layout.ts.
 * It raises the evidence, not the score. Therefore only learners that move in small steps add the true T (here, if all words move together; otherwise
 * moving-topics.ts). While EM climbs, `absorb` adds T_k = α_k·S: α stands still, and the objective never falls.
 *
 * Long because a leaf has many members.
 */
import type { Bags, Block, Weights } from "../../contract/block.ts"
import type { Leaf, Weighted } from "../../contract/leaf.ts"
import { SufficeError, show } from "../../errors.ts"
import { KeptTopics } from "../../kernels/kept-topics.ts"
import { log } from "../../kernels/log.ts"
import { digamma } from "../../kernels/log-gamma.ts"
import { type Climb, PLAIN } from "../../kernels/topic-fold.ts"
import { scoreDocument } from "../../kernels/topic-rows.ts"
import { placesOf, scratchOf, widthOf } from "../../kernels/topic-shape.ts"
import { fastKernels } from "../../kernels/twins.ts"
import { movingMemory } from "../../kernels/word-memory.ts"
import { isNormed, scaler } from "../../text/scaling.ts"
import type { BagColumn } from "../bag.ts"
import { putBag } from "../bag.ts"
import { alphaOf, FIRST_ALPHA } from "./alpha.ts"
import { adoptTopics, describeTopics } from "./description.ts"
import { addEvidence } from "./evidence.ts"
import { Folded } from "./folded.ts"
import { axesOf, column as columnOf, layoutOf, tokensOf, topicAt } from "./layout.ts"
import { movingTopics, roomOf } from "./moving-topics.ts"

/** While parameters move, a rough θ is enough: the next batch finds others. Everything else asks for the maximum. */
const ROUGH: Climb = { steps: 10, tolerance: 0.01, leaps: false }
const FINE: Climb = { steps: 200, tolerance: 1e-7, leaps: true }

const PRIOR = 0.01
/** For normalised documents as `multinomial` has them, the prior divided by the topics of a slot; chosen on training rows (bench/studies/defaults.md). */
const NORMED_PRIOR = 0.05
const NORMED_INERTIA = 20

export function topicsLeaf(
  column: BagColumn,
  place: number,
  size: { readonly slots: number; readonly own: number; readonly shared: number },
  { alpha: fixed, prior }: { readonly alpha: Float64Array | undefined; readonly prior: number | undefined },
): Leaf {
  const { name, text } = column
  const words = column.words.length
  if (words === 0 && isChosen(column)) throw noWords(column)
  const { scaling } = text
  const isScaled = scaling !== undefined && scaling !== "raw"
  const countsOf = scaler(text)
  const shape = layoutOf({ ...size, words })
  const { slots, own, shared, topics, n, tables, exposure, statistics } = shape
  const at = placesOf(shape)
  const width = widthOf(shape)
  const kernels = fastKernels() ?? PLAIN
  const kept = new KeptTopics(shape)
  const eta = prior ?? (isNormed(scaling) ? NORMED_PRIOR / topics : PRIOR)

  /** ln φ of a word in topic k of a slot. */
  const logChance = (params: Float64Array, slot: number, k: number, w: number): number => {
    const { at: from, stride } = columnOf(shape, slot, k)
    return log((params[from + w * stride] + params[at.e]) * params[at.inverse + topicAt(shape, slot, k)])
  }
  const alphasOf = (params: Float64Array, slot: number): Float64Array =>
    params.slice(at.alpha + slot * topics, at.alpha + (slot + 1) * topics)

  /** g = α + n of every row and slot, and the score; see scoreTopics. */
  function climbed(block: Block, params: Float64Array, out: Float64Array, spent?: Folded): Folded {
    const bags = block.cells[place] as Bags
    const length = slots * block.rows * width
    const folded = spent && spent.g.length >= length ? spent : new Folded(length)
    const { rows } = block
    const memory = movingMemory(params)
    const climb = memory && !memory.isExact ? ROUGH : FINE
    if (memory?.topics) {
      const left = memory.topics.scoreTopics(bags, countsOf, rows, params, shape, climb, out, folded.g)
      for (const i of left)
        scoreDocument(bags, countsOf(bags), i, rows, params, shape, climb, out, folded.g, kernels)
    } else kept.score(bags, countsOf(bags), rows, params, climb, out, folded.g)
    return folded
  }

  /** Visits the documents that have words, with their weight in each slot. */
  function documents(block: Block, weights: Weights, visit: (i: number, p: number, w: number) => void): void {
    const { offsets } = block.cells[place] as Bags
    for (let i = 0; i < block.rows; i++) {
      if (offsets[i] === offsets[i + 1]) continue
      if (weights.form === "one") {
        if (weights.weight[i] !== 0) visit(i, weights.slot[i], weights.weight[i])
      } else {
        for (let p = 0; p < slots; p++) {
          const w = weights.values[p * block.rows + i]
          if (w !== 0) visit(i, p, w)
        }
      }
    }
  }

  /** n += w, S += w·σ, T_k += w·σ·α_k: α stays as it is. */
  function standStill(
    stats: Float64Array,
    p: number,
    w: number,
    sigma: number,
    alphas: Float64Array,
    from: number,
  ): void {
    stats[n + p] += w
    stats[exposure + p] += w * sigma
    for (let k = 0; k < topics; k++) stats[tables + p * topics + k] += w * sigma * alphas[from + k]
  }

  /** T_k += w·( α_k [ψ(α_k + n_k) − ψ(α_k)] − α_k·σ ), where α_k·σ has been added already; g = α + n begins at `from`. */
  function addTables(
    stats: Float64Array,
    p: number,
    w: number,
    length: number,
    params: Float64Array,
    alpha: number,
    total: number,
    g: Float64Array,
    from: number,
  ): void {
    const sigma = digamma(total + length) - digamma(total)
    for (let k = 0; k < topics; k++) {
      const own = params[alpha + k]
      stats[tables + p * topics + k] += w * own * (digamma(g[from + k]) - digamma(own) - sigma)
    }
  }

  return {
    slots,
    statistics,
    axes: axesOf(shape),
    lengthGiven: true,
    guesses: "always",
    sparse: {
      inertia: isNormed(scaling) ? NORMED_INERTIA : 0,
      shrinks: true,
      room: {
        numbers: roomOf(shape),
        scratch: scratchOf(shape),
        longest: words,
        kept: ({ rows, cells }) => (cells[place] as Bags).offsets[rows],
      },
      move: start => movingTopics(shape, place, countsOf, eta, fixed, start),
    },
    parameters: at.end,
    free: (slots * own + shared) * Math.max(words - 1, 0) + (fixed ? 0 : slots * topics),

    /**
     * Every word of a document gives half of its count to each of two topics, drawn by the dice. Where all topics are shared and there are enough of them, one of
     * the two is the topic that stands for the context: otherwise two small classes may begin with one topic in common, which sdEM cannot part again (bench/topics.md).
     */
    start(block, weights, dice, stats, value) {
      const bags = block.cells[place] as Bags
      const counts = countsOf(bags)
      const first = fixed ?? new Float64Array(topics).fill(FIRST_ALPHA)
      const isApart = own === 0 && slots > 1 && slots <= shared
      const add = (p: number, k: number, w: number, count: number): void => {
        const { at: from, stride } = columnOf(shape, p, k)
        stats[from + w * stride] += count
      }
      documents(block, weights, (i, p, weight) => {
        standStill(stats, p, weight, 1, first, 0)
        for (let t = bags.offsets[i]; t < bags.offsets[i + 1]; t++) {
          const count = weight * counts[t]
          if (value !== undefined) add(p, value, bags.words[t], count)
          else {
            add(p, dice.integer(topics), bags.words[t], count / 2)
            add(p, isApart ? p : dice.integer(topics), bags.words[t], count / 2)
          }
        }
        if (value === undefined) return
        // α of a topic that begins anew does so too
        const from = tables + p * topics + value
        stats[from] = Math.max(stats[from], first[value] * stats[exposure + p])
      })
    },

    /** In documents: words divided by those of an average document. */
    hidden(stats) {
      const tokens = tokensOf(stats, shape)
      let documents = 0
      for (let p = 0; p < slots; p++) documents += stats[n + p]
      const length = sumOf(tokens) / documents
      return Float64Array.from({ length: topics * slots }, (_, j) => {
        const share = tokens[topicAt(shape, j % slots, Math.trunc(j / slots))]
        return length > 0 ? share / length : 0
      })
    },

    prior(stats, strength = 1) {
      for (let j = 0; j < n; j++) stats[j] += strength * eta
      // documents of one word each, the unit of `moments`
      for (let p = 0; p < slots; p++) stats[n + p] += strength * eta * words * (own + shared / slots)
    },

    score: (block, params, out, _upToConstant, spent) =>
      climbed(block, params, out, spent as Folded | undefined),

    absorb(block, params, weights, stats, work) {
      const bags = block.cells[place] as Bags
      const counts = countsOf(bags)
      const { rows } = block
      const { g } = (work as Folded | undefined) ?? climbed(block, params, new Float64Array(slots * rows))
      const moves = !fixed && movingMemory(params) !== undefined
      kept.deliver(bags, counts, block, weights, params, g, stats)
      documents(block, weights, (i, p, w) => {
        const alpha = at.alpha + p * topics
        let total = 0
        for (let k = 0; k < topics; k++) total += params[alpha + k]
        const length = sumFrom(counts, bags.offsets[i], bags.offsets[i + 1])
        standStill(stats, p, w, digamma(total + length) - digamma(total), params, alpha)
        if (moves) addTables(stats, p, w, length, params, alpha, total, g, (p * rows + i) * width)
      })
      return topics > 1
    },

    solve(stats, strength, params) {
      kept.changed(params)
      const e = strength * eta
      const totals = new Float64Array(slots * own + shared)
      const outside = new Set<number>()
      copyWords(stats, params, e, 0, words, slots * own, totals, 0, outside)
      copyWords(stats, params, e, at.shared, words, shared, totals, slots * own, outside)
      params[at.e] = 0
      for (let q = 0; q < totals.length; q++) {
        if (totals[q] > 0) params[at.inverse + q] = 1 / totals[q]
        else evenWords(params, q)
      }
      for (let q = 0; q < slots * topics; q++) {
        params[at.alpha + q] =
          fixed?.[q % topics] ?? alphaOf(stats[tables + q], stats[exposure + Math.trunc(q / topics)])
      }
      return outside.size
    },

    /** For documents of one word each, as the length is given, not modelled. */
    moments(params, mass, stats) {
      for (let p = 0; p < slots; p++) {
        const alpha = at.alpha + p * topics
        const total = sumFrom(params, alpha, alpha + topics)
        for (let k = 0; k < topics; k++) {
          const { at: from, stride } = columnOf(shape, p, k)
          const share = (mass[p] * params[alpha + k]) / total
          const inverse = params[at.inverse + topicAt(shape, p, k)]
          for (let j = from, w = 0; w < words; w++, j += stride)
            stats[j] += share * ((params[j] + params[at.e]) * inverse)
        }
        // ψ(α₀ + 1) − ψ(α₀)
        standStill(stats, p, mass[p], 1 / total, params, alpha)
      }
    },

    inside(stats, slot) {
      if (!(stats[n + slot] > 0 && stats[exposure + slot] > 0)) return false
      for (let k = 0; k < topics; k++) {
        if (!(stats[tables + slot * topics + k] > 0)) return false
        const { at: from, stride } = columnOf(shape, slot, k)
        for (let j = from, w = 0; w < words; w++, j += stride) if (!(stats[j] > 0)) return false
      }
      return true
    },

    value: (stats, params) => valueWith(params, j => stats[j]),
    logPrior: params => (eta === 0 ? 0 : valueWith(params, () => eta)),
    mass: (stats, slot) => stats[n + slot],

    damage(stats) {
      for (let p = 0; p < slots; p++) {
        for (let k = 0; k < topics; k++) {
          const { at: from, stride } = columnOf(shape, p, k)
          for (let j = from, w = 0; w < words; w++, j += stride)
            if (stats[j] < 0) return damagedWord(name, column.words[w], k, stats[j])
          const [table, met] = [stats[tables + p * topics + k], stats[exposure + p]]
          if (!fixed && (met < 0 || (met > 0 && !(table > 0)))) return damagedAlpha(name, k, table / met)
        }
      }
      return undefined
    },

    ...(shared > 0 && {
      checkAlone() {
        throw notShared(own, shared)
      },
    }),

    describe: (params, slot) =>
      describeTopics(column, shape, alphasOf(params, slot), (k, w) => logChance(params, slot, k, w)),

    adopt(description, slot, mass, stats) {
      const { alphas, phi } = adoptTopics(column, shape, description)
      const total = sumOf(alphas)
      standStill(stats, slot, mass, 1 / total, alphas, 0)
      for (let k = 0; k < topics; k++) {
        const { at: from, stride } = columnOf(shape, slot, k)
        for (let w = 0; w < words; w++) stats[from + w * stride] += ((mass * alphas[k]) / total) * phi[k][w]
      }
    },

    ...(isScaled && { checkDensity: () => notADensity(column) }),

    bound(block, params, out) {
      const bags = block.cells[place] as Bags
      const { g } = climbed(block, params, new Float64Array(slots * block.rows))
      addEvidence(bags, countsOf(bags), block.rows, params, shape, g, out)
    },

    /** θ ~ Dirichlet(α), then a topic and a word for each place; the number of words is given, as in `multinomial`. */
    sample(params, slot, block, dice) {
      const bags = block.cells[place] as Bags
      if (bags.offsets[1] > 0 || bags.words.length === 0 || words === 0) return
      if (isScaled) notADensity(column)
      const theta = new Float64Array(topics)
      dice.dirichlet(alphasOf(params, slot), theta)
      const chances = Array.from({ length: topics }, (_, k) =>
        wordsOf(params, slot, k, new Float64Array(words)),
      )
      const drawn = new Float64Array(words)
      for (let t = 0; t < bags.words.length; t++)
        drawn[dice.categorical(chances[dice.categorical(theta, 0, topics)], 0, words)]++
      putBag(block, place, drawn)
    },

    /** The share of a word is c_w ln Σ_k θ̂_k φ_kw; in the place after them, −α₀·KL(m ‖ θ̂). */
    contributions(block, params, slot, out) {
      const bags = block.cells[place] as Bags
      const counts = countsOf(bags)
      if (bags.offsets[0] === bags.offsets[1]) return
      const whole = new Float64Array(slots * block.rows)
      const { g } = climbed(block, params, whole)
      const from = slot * block.rows * width
      const theta = g.subarray(from, from + topics)
      const mass = sumOf(theta)
      let sum = 0
      for (let t = bags.offsets[0]; t < bags.offsets[1]; t++) {
        let s = 0
        for (let k = 0; k < topics; k++) s += theta[k] * phiOf(params, slot, k, bags.words[t])
        const term = counts[t] * log(s / mass)
        sum += term
        out[bags.words[t]] += term
      }
      if (out.length > words && Number.isFinite(sum)) out[words] += whole[slot * block.rows] - sum
    },

    // a scaled count depends on the whole document
    ...(topics === 1 &&
      !isScaled && {
        linear: (params: Float64Array, slot: number) =>
          column.words.map(
            (word, w): Weighted => [{ kind: "count", column: name, word }, logChance(params, slot, 0, w)],
          ),
      }),

    topics: {
      count: topics,
      shared,
      proportions(block, params, out) {
        const { g } = climbed(block, params, new Float64Array(slots * block.rows))
        for (let q = 0; q < slots * block.rows; q++) {
          const mass = sumFrom(g, q * width, q * width + topics)
          for (let k = 0; k < topics; k++) out[q * topics + k] = g[q * width + k] / mass
        }
      },
      words: (params, slot, k, out) => void wordsOf(params, slot, k, out),
      alpha: alphasOf,
      tokens(stats, slot) {
        const all = tokensOf(stats, shape)
        return Float64Array.from({ length: topics }, (_, k) => all[topicAt(shape, slot, k)])
      },
    },
  }

  function phiOf(params: Float64Array, slot: number, k: number, w: number): number {
    const { at: from, stride } = columnOf(shape, slot, k)
    return (params[from + w * stride] + params[at.e]) * params[at.inverse + topicAt(shape, slot, k)]
  }

  function wordsOf(params: Float64Array, slot: number, k: number, out: Float64Array): Float64Array {
    const { at: from, stride } = columnOf(shape, slot, k)
    const inverse = params[at.inverse + topicAt(shape, slot, k)]
    for (let w = 0; w < words; w++) out[w] = (params[from + w * stride] + params[at.e]) * inverse
    return out
  }

  /** A topic without words: all are equally likely. */
  function evenWords(params: Float64Array, q: number): void {
    const isOwn = q < slots * own
    const stride = isOwn ? slots * own : shared
    const from = isOwn ? q : at.shared + q - slots * own
    for (let w = 0; w < words; w++) params[from + w * stride] = 1
    params[at.inverse + q] = words > 0 ? 1 / words : 1
  }

  /** Σ W ln φ, where 0 · (−∞) = 0. */
  function valueWith(params: Float64Array, count: (j: number) => number): number {
    let sum = 0
    for (let j = 0; j < n; j++) {
      const c = count(j)
      if (c === 0) continue
      const q = j < at.shared ? j % (slots * own) : slots * own + ((j - at.shared) % shared)
      sum += c * log((params[j] + params[at.e]) * params[at.inverse + q])
    }
    return sum
  }
}

/** params ← W + e, not below 0; totals_q += Σ_w of it. */
function copyWords(
  stats: Float64Array,
  params: Float64Array,
  e: number,
  from: number,
  words: number,
  count: number,
  totals: Float64Array,
  first: number,
  outside: Set<number>,
): void {
  for (let w = 0, j = from; w < words; w++) {
    for (let q = 0; q < count; q++, j++) {
      if (stats[j] + e < 0) outside.add(first + q)
      params[j] = Math.max(stats[j] + e, 0)
      totals[first + q] += params[j]
    }
  }
}

function sumOf(values: Float64Array): number {
  return sumFrom(values, 0, values.length)
}

function sumFrom(values: Float64Array, from: number, to: number): number {
  let sum = 0
  for (let j = from; j < to; j++) sum += values[j]
  return sum
}

/** Do the text options drop words? */
function isChosen({ text }: BagColumn): boolean {
  const { minDocuments, maxDocuments, maxWords, stopWords } = text
  return [minDocuments, maxDocuments, maxWords, stopWords].some(option => option !== undefined)
}

function noWords({ name }: BagColumn): SufficeError {
  return new SufficeError(
    "data",
    `topics: no word of column ${show(name)} is left. Its text options (minDocuments, maxDocuments, stopWords) drop all of them. Keep more words, or look whether the column holds the texts.`,
    { column: name },
  )
}

function damagedWord(column: string, word: string, topic: number, count: number): string {
  return `${show(count)} of the word ${show(word)} in topic ${topic} of ${show(column)}, so that its probabilities do not add up to 1: no count is below 0`
}

function damagedAlpha(column: string, topic: number, alpha: number): string {
  return `an alpha of ${show(alpha)} for topic ${topic} of ${show(column)}, where a number above 0 belongs`
}

function notADensity({ name, text: { scaling } }: BagColumn): never {
  throw new SufficeError(
    "model",
    `the documents in ${show(name)} are scaled (${show(scaling)}), so their score is a weighted log-likelihood. It is no density: there is nothing to sample from, and no likelihood to compare. Use topics(…, { scaling: "raw" }) and a generative learner for that.`,
    { column: name, scaling },
  )
}

function notShared(own: number, shared: number): SufficeError {
  return new SufficeError(
    "model",
    `topics: ${shared} topics are shared, but there is one context. Contexts share topics below classes() or mixture(), and here is nothing to share them with. Write topics(${own + shared}, …), or put it below classes().`,
    { family: "topics", option: "shared", value: shared },
  )
}
