import { absorb } from "suffice-laws/probe"
import { describe, expect, test } from "vitest"
import { bagsOf } from "../../blocks/encoded.ts"
import type { Block, Weights } from "../../contract/block.ts"
import type { Column } from "../../contract/columns.ts"
import type { Leaf } from "../../contract/leaf.ts"
import type { Model } from "../../contract/model.ts"
import { contrast } from "../../engine/contrast.ts"
import { lay, solve } from "../../engine/lay.ts"
import { moving } from "../../engine/moving.ts"
import { classes, em, fit, load, multinomial, topics } from "../../index.ts"
import { exp } from "../../kernels/exp.ts"
import { log } from "../../kernels/log.ts"
import { logGamma } from "../../kernels/log-gamma.ts"
import { openWordMemory } from "../../kernels/word-memory.ts"
import { onlineEm, sdem } from "../../learn.ts"
import { dice } from "../../random.ts"
import { type TopicsOptions, topicsFamily, topicsKind } from "./topics.ts"

const WORDS = ["ant", "bee", "cat", "dog", "emu", "fox", "gnu"]
const column: Column = { kind: "bag", name: "text", words: WORDS, text: { lowercase: true } }
const bind = (own: number, slots: number, options: TopicsOptions = {}): Leaf =>
  topicsFamily(own, options).bind([column], [0], slots)

/** Counts by word for each row. */
function blockOf(rows: readonly (readonly number[])[]): Block {
  const kept = rows.map(counts => counts.flatMap((count, w) => (count > 0 ? [[w, count]] : [])))
  const offsets = new Int32Array(rows.length + 1)
  kept.forEach((row, i) => {
    offsets[i + 1] = offsets[i] + row.length
  })
  const bags = bagsOf(
    offsets,
    Int32Array.from(kept.flat(), entry => entry[0]),
    Float64Array.from(kept.flat(), entry => entry[1]),
  )
  return { rows: rows.length, weight: new Float64Array(rows.length).fill(1), cells: [bags] }
}

const rolls = dice(3)
const documents = Array.from({ length: 12 }, (_, i) =>
  WORDS.map(() => (i === 5 ? 0 : Math.max(0, rolls.integer(4) - 1))),
)
const block = blockOf(documents)

/** Parameters of topics that differ. */
function someTopics(leaf: Leaf, seed = 1): Float64Array {
  const stats = new Float64Array(leaf.shape.statistics)
  const values = Float64Array.from({ length: leaf.shape.slots * block.rows }, () => 1)
  leaf.latent!.start!(block, { form: "each", values }, dice(seed), stats)
  const params = new Float64Array(leaf.shape.parameters)
  leaf.solve(stats, 1, params)
  return params
}

function scored(leaf: Leaf, rows: Block, params: Float64Array): Float64Array {
  const out = new Float64Array(leaf.shape.slots * rows.rows)
  leaf.score(rows, params, out)
  return out
}

/** φ_kw of a slot. */
function phiOf(leaf: Leaf, params: Float64Array, slot: number): Float64Array[] {
  return Array.from({ length: leaf.topics!.count }, (_, k) => {
    const out = new Float64Array(WORDS.length)
    leaf.topics!.words(params, slot, k, out)
    return out
  })
}

/** score(c | θ) = Σ_w c_w ln Σ_k θ_k φ_kw − α₀·KL(m ‖ θ) */
function at(
  theta: readonly number[],
  counts: readonly number[],
  phi: Float64Array[],
  alpha: Float64Array,
): number {
  const total = alpha.reduce((sum, a) => sum + a, 0)
  let score = 0
  counts.forEach((c, w) => {
    if (c > 0) score += c * log(theta.reduce((sum, t, k) => sum + t * phi[k][w], 0))
  })
  return theta.reduce((sum, t, k) => sum + alpha[k] * log((t * total) / alpha[k]), score)
}

/** The maximum over the proportions of three topics by brute force: a grid, and finer ones around the best place so far. */
function searched(score: (theta: readonly number[]) => number): { score: number; theta: readonly number[] } {
  let best = { score: Number.NEGATIVE_INFINITY, theta: [1 / 3, 1 / 3, 1 / 3] }
  for (let h = 1 / 16; h > 1e-8; h *= 0.6) {
    const [a, b] = best.theta
    for (let i = -8; i <= 8; i++) {
      for (let j = -8; j <= 8; j++) {
        const theta = [a + i * h, b + j * h, 1 - a - b - (i + j) * h]
        if (theta.some(share => share <= 0)) continue
        const found = score(theta)
        if (found > best.score) best = { score: found, theta }
      }
    }
  }
  return best
}

describe("the score", () => {
  const leaf = bind(3, 2, { proportions: [0.3, 0.7, 0.2] })
  const params = someTopics(leaf)
  const scores = scored(leaf, block, params)

  test("is the highest that any proportions reach", () => {
    const theta = new Float64Array(leaf.shape.slots * block.rows * 3)
    leaf.topics!.proportions(block, params, theta)
    for (let p = 0; p < 2; p++) {
      const phi = phiOf(leaf, params, p)
      const alpha = leaf.topics!.alpha(params, p)
      documents.forEach((counts, i) => {
        const q = p * block.rows + i
        const best = [...theta.subarray(q * 3, q * 3 + 3)]
        expect(best.reduce((sum, t) => sum + t, 0)).toBeCloseTo(1, 12)
        expect(scores[q]).toBeCloseTo(at(best, counts, phi, alpha), 9)
        for (let turn = 0; turn < 20; turn++) {
          const other = new Float64Array(3)
          rolls.dirichlet(Float64Array.of(1, 1, 1), other)
          expect(at([...other], counts, phi, alpha)).toBeLessThanOrEqual(scores[q] + 1e-10)
        }
      })
    }
  })

  test("is the maximum that a search of the simplex finds, at the proportions that it finds", () => {
    const theta = new Float64Array(leaf.shape.slots * block.rows * 3)
    leaf.topics!.proportions(block, params, theta)
    const phi = phiOf(leaf, params, 1)
    const alpha = leaf.topics!.alpha(params, 1)
    documents.forEach((counts, i) => {
      const found = searched(own => at(own, counts, phi, alpha))
      const q = block.rows + i
      expect(scores[q]).toBeCloseTo(found.score, 9)
      found.theta.forEach((share, k) => {
        expect(theta[q * 3 + k]).toBeCloseTo(share, 4)
      })
    })
  })

  test("of a document without words is 0, and its proportions are those of the prior", () => {
    const theta = new Float64Array(leaf.shape.slots * block.rows * 3)
    leaf.topics!.proportions(block, params, theta)
    expect(scores[5]).toBe(0)
    expect([...theta.subarray(15, 18)]).toEqual(
      [0.3 / 1.2, 0.7 / 1.2, 0.2 / 1.2].map(m => expect.closeTo(m, 12)),
    )
  })

  test("has the expected counts as its slope in ln φ", () => {
    const weights = { form: "each", values: new Float64Array(2 * block.rows).fill(1) } as const
    const stats = new Float64Array(leaf.shape.statistics)
    absorb(leaf, block, params, weights, stats)
    const total = (theta: Float64Array): number => scored(leaf, block, theta).reduce((sum, s) => sum + s, 0)
    const h = 1e-4
    for (let j = 0; j < WORDS.length * 6; j += 5) {
      const [up, down] = [h, -h].map(t => {
        const moved = params.slice()
        // φ_j alone: the other words of the topic keep their probabilities
        moved[j] *= exp(t)
        return total(moved)
      })
      expect((up - down) / (2 * h)).toBeCloseTo(stats[j], 6)
    }
  })

  test("shares out every count", () => {
    const values = Float64Array.from({ length: 2 * block.rows }, () => rolls.normal())
    const stats = new Float64Array(leaf.shape.statistics)
    absorb(leaf, block, params, { form: "each", values }, stats)
    for (let w = 0; w < WORDS.length; w++) {
      for (let p = 0; p < 2; p++) {
        let found = 0
        for (let k = 0; k < 3; k++) found += stats[(w * 2 + p) * 3 + k]
        const wanted = documents.reduce((sum, counts, i) => sum + values[p * block.rows + i] * counts[w], 0)
        expect(found).toBeCloseTo(wanted, 10)
      }
    }
  })

  test("does not depend on the order of topics", () => {
    const turn = (from: Float64Array): Float64Array => {
      const stats = new Float64Array(leaf.shape.statistics)
      for (let j = 0; j < WORDS.length * 6; j++) stats[j - (j % 3) + ((j + 1) % 3)] = from[j]
      return stats
    }
    const even = bind(3, 2, { proportions: 0.4 })
    const stats = new Float64Array(even.shape.statistics)
    even.latent!.start!(
      block,
      { form: "each", values: new Float64Array(2 * block.rows).fill(1) },
      dice(1),
      stats,
    )
    const [one, other] = [stats, turn(stats)].map(given => {
      const params = new Float64Array(even.shape.parameters)
      even.solve(given, 1, params)
      const theta = new Float64Array(2 * block.rows * 3)
      even.topics!.proportions(block, params, theta)
      return { scores: scored(even, block, params), theta }
    })
    one.scores.forEach((score, q) => {
      expect(other.scores[q]).toBeCloseTo(score, 8)
    })
    // and the proportions are in the new order
    one.theta.forEach((share, j) => {
      expect(other.theta[j - (j % 3) + ((j + 1) % 3)]).toBeCloseTo(share, 6)
    })
  })
})

describe("one topic", () => {
  const leaf = bind(1, 2, { prior: 0.5 })
  const plain = multinomial({ prior: 0.5 }).bind([column], [0], 2)
  const values = Float64Array.from({ length: 2 * block.rows }, () => rolls.gamma(1))
  const weights: Weights = { form: "each", values }

  test("is a multinomial: its statistics, its parameters and its scores", () => {
    const counts = new Float64Array(plain.shape.statistics)
    absorb(plain, block, new Float64Array(plain.shape.parameters), weights, counts)
    const theta = new Float64Array(plain.shape.parameters)
    plain.solve(counts, 1, theta)
    const stats = new Float64Array(leaf.shape.statistics)
    const params = someTopics(leaf)
    absorb(leaf, block, params, weights, stats)
    // W and n
    for (let j = 0; j < plain.shape.statistics; j++) expect(stats[j]).toBeCloseTo(counts[j], 12)
    leaf.solve(stats, 1, params)
    const expected = scored(plain, block, theta)
    scored(leaf, block, params).forEach((score, q) => {
      expect(Math.abs(score - expected[q])).toBeLessThan(1e-12)
    })
    expect(leaf.value(stats, params)).toBeCloseTo(plain.value(counts, theta), 9)
    expect(leaf.logPrior!(params)).toBeCloseTo(plain.logPrior!(theta), 9)
  })
})

describe("first guesses", () => {
  const startOf = (leaf: Leaf): Float64Array => {
    const stats = new Float64Array(leaf.shape.statistics)
    const slot = Int32Array.from({ length: block.rows }, (_, i) => i % 2)
    const weight = new Float64Array(block.rows).fill(1)
    leaf.latent!.start!(block, { form: "one", slot, weight }, dice(4), stats)
    return stats
  }

  test("of shared topics give half of every count to the topic that stands for the class", () => {
    const shared = 5
    const stats = startOf(bind(0, 2, { shared }))
    for (let w = 0; w < WORDS.length; w++) {
      for (let p = 0; p < 2; p++) {
        const own = documents.reduce((sum, counts, i) => sum + (i % 2 === p ? counts[w] : 0), 0)
        expect(stats[w * shared + p]).toBeGreaterThanOrEqual(own / 2)
      }
      const all = documents.reduce((sum, counts) => sum + counts[w], 0)
      const given = stats.subarray(w * shared, (w + 1) * shared).reduce((sum, count) => sum + count, 0)
      expect(given).toBeCloseTo(all, 12)
    }
  })

  test("of fewer shared topics than classes are drawn", () => {
    const stats = startOf(bind(0, 2, { shared: 1 }))
    for (let w = 0; w < WORDS.length; w++)
      expect(stats[w]).toBeCloseTo(
        documents.reduce((sum, counts) => sum + counts[w], 0),
        12,
      )
  })
})

/** ln p(c), exactly: over all ways to give a topic to each word. */
function evidence(counts: readonly number[], phi: Float64Array[], alpha: Float64Array): number {
  const tokens = counts.flatMap((count, w) => new Array<number>(count).fill(w))
  const total = alpha.reduce((sum, a) => sum + a, 0)
  let sum = 0
  const visit = (t: number, n: number[], logs: number): void => {
    if (t === tokens.length) {
      const own = n.reduce((all, count, k) => all + logGamma(alpha[k] + count) - logGamma(alpha[k]), 0)
      sum += exp(logs + own + logGamma(total) - logGamma(total + tokens.length))
      return
    }
    phi.forEach((words, k) => {
      visit(t + 1, n.with(k, n[k] + 1), logs + log(words[tokens[t]]))
    })
  }
  visit(
    0,
    [...alpha].map(() => 0),
    0,
  )
  return log(sum)
}

test("the bound of the log-density is below what brute force finds", () => {
  const leaf = bind(3, 1, { proportions: [0.3, 0.7, 0.2] })
  const params = someTopics(leaf)
  const phi = phiOf(leaf, params, 0)
  const alpha = leaf.topics!.alpha(params, 0)
  const small = [
    [1, 0, 0, 2, 0, 0, 1],
    [0, 0, 0, 0, 0, 0, 0],
    [0, 3, 0, 0, 1, 2, 0],
    [1, 0, 0, 0, 0, 0, 0],
  ]
  const out = new Float64Array(small.length)
  leaf.bound!(blockOf(small), params, out)
  small.forEach((counts, i) => {
    const exact = evidence(counts, phi, alpha)
    expect(out[i]).toBeLessThanOrEqual(exact + 1e-12)
  })
})

describe("α", () => {
  test("stands still while EM climbs, and moves in small steps", async () => {
    const rows = documents.flatMap((counts, i) =>
      i === 5 ? [] : [{ text: Object.fromEntries(counts.map((c, w) => [WORDS[w], c])) }],
    )
    const model = topics(2, "text") as unknown as Model<{ text: Record<string, number> }, never>
    const alphas: string[] = []
    const learned = await fit(model, rows, {
      learner: em({ maxIterations: 5, tolerance: 1e-300 }),
      onStep: step => {
        const { text } = step.fitted().describe() as { text: { topics: { alpha: number }[] } }
        if (step.run === 1) alphas.push(text.topics.map(({ alpha }) => alpha.toFixed(9)).join())
      },
    })
    expect(alphas.length).toBe(6)
    expect(new Set(alphas).size).toBe(1)
    expect(alphas[0]).not.toBe("0.100000000,0.100000000")
    const saved = load(JSON.parse(JSON.stringify(learned)))
    expect(saved.describe()).toEqual(learned.describe())
    const online = await fit(model, rows, { learner: onlineEm({ batch: 4, epochs: 10 }) })
    const { text } = online.describe() as unknown as { text: { topics: { alpha: number }[] } }
    expect(text.topics[0].alpha).not.toBe(0.1)
  })
})

describe("what is refused", () => {
  const message = (make: () => unknown): string => {
    try {
      make()
    } catch (error) {
      return (error as Error).message
    }
    return "nothing"
  }

  test("numbers of topics", () => {
    expect(message(() => topics(0, "text"))).toMatchInlineSnapshot(
      `"topics: there are 0 topics, and none that are shared. A document needs at least one. Write for example topics(20, "words"), or topics(0, "words", { shared: 20 }) below classes()."`,
    )
    expect(message(() => topics(2.5, "text"))).toMatchInlineSnapshot(
      `"topics: the number of topics is 2.5. It counts topics, so it must be a whole number ≥ 0. Write for example topics(20, "words")."`,
    )
    expect(message(() => topics(2, "text", { shared: -1 }))).toMatchInlineSnapshot(
      `"topics: shared is -1. It counts topics, so it must be a whole number ≥ 0. Write for example topics(20, "words")."`,
    )
    expect(message(() => topics(2, 3 as never))).toMatchInlineSnapshot(
      `"topics: the column is 3. It takes a number of topics and the name of a column of texts. Write for example topics(20, "words")."`,
    )
  })

  test("proportions that are not α", () => {
    expect(message(() => topics(2, "text", { proportions: 0 }))).toMatchInlineSnapshot(
      `"topics: proportions is 0. It is α, the prior of a document's proportions: a finite number above 0, or one for each topic. Write for example 0.1, or leave it out to learn it."`,
    )
    expect(message(() => topics(2, "text", { proportions: Number.NaN }))).toMatchInlineSnapshot(
      `"topics: proportions is NaN. It is α, the prior of a document's proportions: a finite number above 0, or one for each topic. Write for example 0.1, or leave it out to learn it."`,
    )
    expect(message(() => topics(2, "text", { proportions: [0.1, 0.2, 0.3] }))).toMatchInlineSnapshot(
      `"topics: proportions lists 3 numbers for 2 topics. It is α, the prior of a document's proportions: a finite number above 0, or one for each topic. Write for example 0.1, or leave it out to learn it."`,
    )
    expect(message(() => topics(2, "text", { proportions: [0.1, -0.2] }))).toMatchInlineSnapshot(
      `"topics: proportions[1] is -0.2. It is α, the prior of a document's proportions: a finite number above 0, or one for each topic. Write for example 0.1, or leave it out to learn it."`,
    )
    expect(message(() => topics(2, "text", { priors: 1 } as never))).toMatchInlineSnapshot(
      `"topics: there is no option "priors". It knows "shared", "proportions", "prior", "lowercase", "ngrams", "stopWords", "stem", "minDocuments" and 5 more. Did you mean "prior"?"`,
    )
  })

  test("shared topics with nothing to share them, and documents without words", async () => {
    const rows = [{ text: "a b" }, { text: "b c" }, { text: "c a" }]
    const failed = (model: unknown): Promise<string> =>
      fit(model as never, rows as never).then(
        () => "nothing",
        (error: Error) => error.message,
      )
    expect(await failed(topics(0, "text", { shared: 2 }))).toMatchInlineSnapshot(
      `"topics: 2 topics are shared, but there is one context. Contexts share topics below classes() or mixture(), and here is nothing to share them with. Write topics(2, …), or put it below classes()."`,
    )
    expect(await failed(topics(2, "text", { minDocuments: 9 }))).toMatchInlineSnapshot(
      `"none of the 3 words of "text" stands in as many of its 3 documents as minDocuments and maxDocuments ask. Nothing is left to learn from. Lower minDocuments, or raise maxDocuments."`,
    )
    expect(await failed(topics(2, "text", { stopWords: ["a", "b", "c"] }))).toMatchInlineSnapshot(
      `"topics: no word of column "text" is left. Its text options (minDocuments, maxDocuments, stopWords) drop all of them. Keep more words, or look whether the column holds the texts."`,
    )
    const numbers = fit(topics(2, "text") as never, [{ text: 5 }] as never)
    await expect(numbers).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 0 of "text" holds 5. A bag of words is text, a list of words, or { word: count } or a Map with counts ≥ 0. Pass one of these, or null.]`,
    )
    const scaled = await fit(topics(2, "text", { scaling: "l2" }) as never, rows as never)
    expect(message(() => scaled.logDensity(rows as never))).toMatchInlineSnapshot(
      `"the documents in "text" are scaled ("l2"), so their score is a weighted log-likelihood. It is no density: there is nothing to sample from, and no likelihood to compare. Use topics(…, { scaling: "raw" }) and a generative learner for that."`,
    )
    expect(message(() => scaled.sample(1))).toMatchInlineSnapshot(
      `"the documents in "text" are scaled ("l2"), so their score is a weighted log-likelihood. It is no density: there is nothing to sample from, and no likelihood to compare. Use topics(…, { scaling: "raw" }) and a generative learner for that."`,
    )
    const raw = await fit(topics(2, "text") as never, rows as never)
    expect(message(() => raw.criteria())).toMatchInlineSnapshot(
      `"criteria: the topics of "text" have no likelihood, only a bound. AIC, BIC and ICL compare likelihoods. Compare models by completion(fitted, rows) of documents they have not seen."`,
    )
  })

  test("descriptions that are no topics", () => {
    const leaf = bind(2, 1)
    const adopt = (description: object): string =>
      message(() => leaf.adopt(description as never, 0, 1, new Float64Array(leaf.shape.statistics)))
    const words = Object.fromEntries(WORDS.map(word => [word, 1 / WORDS.length]))
    expect(adopt({ topics: [{ alpha: 1, words }] })).toMatchInlineSnapshot(
      `"topics: "topics" of column "text" is a list of 1, where the model has 2. Each needs alpha and the probabilities of its words. Give the parameters as describe() prints them."`,
    )
    expect(
      adopt({
        topics: [
          { alpha: 1, words },
          { alpha: 0, words },
        ],
      }),
    ).toMatchInlineSnapshot(
      `"topics: "alpha" of column "text" is 0. It must be a finite number above 0. Give the parameters as describe() prints them."`,
    )
    expect(
      adopt({
        topics: [
          { alpha: 1, words },
          { alpha: 1, words: { ...words, ant: 0.5 } },
        ],
      }),
    ).toMatchInlineSnapshot(
      `"topics: the probabilities of column "text" are not a distribution over "ant", "bee", "cat", "dog", "emu", "fox" and "gnu". Each level needs a number ≥ 0 and they must add up to 1. Give the parameters as describe() prints them."`,
    )
  })
})

describe.each([
  ["own topics", 2, 0],
  ["shared topics", 0, 3],
  ["own and shared topics", 1, 2],
] as const)("the direction of sdEM on %s", (_name, own, shared) => {
  const columns: Column[] = [{ kind: "level", name: "y", levels: ["a", "b", "c"] }, column]
  const laid = lay(classes("y", topics(own, "text", { shared })) as Model, columns)
  const [label, part] = laid.parts
  const rows: Block = {
    ...block,
    cells: [Int32Array.from(documents, (_, i) => i % 3), ...block.cells],
  }
  const stats = new Float64Array(laid.statistics)
  label.ranges.statsOf(stats).set([5, 4, 3])
  const values = new Float64Array(3 * block.rows).fill(1)
  part.leaf.latent!.start!(rows, { form: "each", values }, dice(4), part.ranges.statsOf(stats))
  const { params } = solve(laid, stats, 1)

  test.each([
    ["ncll", { against: "hidden", target: "y" }],
    ["hinge", { against: "rival", target: "y", margin: 2 }],
  ] as const)("is minus the slope of the loss: %s", (_loss, regime) => {
    const loss = (theta: Float64Array): number =>
      contrast(laid, rows, theta, regime, new Float64Array(laid.statistics)).loss
    const delta = new Float64Array(laid.statistics)
    contrast(laid, rows, params, regime, delta)
    const size = WORDS.length * (3 * own + shared)
    const h = 1e-4
    for (let j = 0; j < size; j++) {
      // ln φ of one word in one topic: the counts of the others do not enter
      const at = part.ranges.paramsAt + j
      const [up, down] = [h, -h].map(t => loss(params.with(at, params[at] * exp(t))))
      expect(Math.abs((up - down) / (2 * h) + delta[part.ranges.statsAt + j])).toBeLessThan(1e-6)
    }
    // and so is that of α, which moves by a fortieth of it
    const course = { regime, generative: 0, prior: 0, inertia: 0, isExact: true } as const
    const weight = documents.length
    // no count is as small as the least there is
    const counts = stats.slice()
    part.leaf.prior(part.ranges.statsOf(counts), 5)
    const moves = moving(laid, { prior: new Float64Array(laid.statistics), weight }, counts, course)
    const alphas = (): Float64Array => {
      const { params } = solve(laid, moves.state().moments, 0)
      return part.ranges.paramsOf(params).slice(-3 * (own + shared))
    }
    const before = alphas()
    const theta = solve(laid, counts, 0).params
    moves.step(rows, 1e-3, undefined)
    alphas().forEach((after, q) => {
      const at = part.ranges.paramsAt + part.leaf.shape.parameters - before.length + q
      const [up, down] = [h, -h].map(t => loss(theta.with(at, theta[at] * exp(t))))
      const slope = (up - down) / (2 * h)
      expect(Math.abs(log(after / before[q]) / (1e-3 / 40) + slope)).toBeLessThan(1e-5)
    })
  })
})

test("α moves by its tables where all words move together: their slope is that of the evidence", () => {
  const leaf = bind(3, 1)
  const theta = someTopics(leaf)
  const params = openWordMemory({
    numbers: 0,
    longest: 0,
    slots: 0,
    kept: 0,
    scratch: 0,
    isExact: true,
  }).numbers(leaf.shape.parameters)
  params.set(theta)
  const one = blockOf([documents[0]])
  const stats = new Float64Array(leaf.shape.statistics)
  absorb(leaf, one, params, { form: "each", values: Float64Array.of(1) }, stats)
  const n = [0, 1, 2].map(k => WORDS.reduce((sum, _, w) => sum + stats[w * 3 + k], 0))
  const alphas = [...params.slice(-3)]
  const evidence = (given: readonly number[]): number => {
    const total = given.reduce((sum, a) => sum + a, 0)
    const length = n.reduce((sum, own) => sum + own, 0)
    const each = given.map((a, k) => logGamma(a + n[k]) - logGamma(a))
    return each.reduce((sum, term) => sum + term, logGamma(total) - logGamma(total + length))
  }
  const [t, s] = [stats.slice(-4, -1), stats[stats.length - 1]]
  alphas.forEach((alpha, k) => {
    const [up, down] = [1e-4, -1e-4].map(h => evidence(alphas.with(k, alpha * exp(h))))
    expect(t[k] - alpha * s).toBeCloseTo((up - down) / 2e-4, 6)
  })
})

test("α moves under a mixture of both objectives", async () => {
  const rows = documents.map((counts, i) => ({
    y: i % 2 ? "a" : "b",
    text: Object.fromEntries(WORDS.map((word, w) => [word, counts[w] + (i % 2 === w % 2 ? 3 : 0)])),
  }))
  const alphasAt = async (epochs: number): Promise<number[]> => {
    const learner = sdem({ generative: 0.5, epochs })
    const fitted = await fit(classes("y", topics(2, "text")), rows, { learner })
    return fitted.topics().map(({ alpha }) => alpha as number)
  }
  expect(await alphasAt(8)).not.toEqual(await alphasAt(1))
})

test("a document that counts twice is two documents", () => {
  const leaf = bind(2, 1)
  const params = someTopics(leaf)
  const two = blockOf([documents[0], documents[0]])
  const one = blockOf([documents[0]])
  const [a, b] = [new Float64Array(leaf.shape.statistics), new Float64Array(leaf.shape.statistics)]
  absorb(leaf, two, params, { form: "each", values: Float64Array.of(1, 1) }, a)
  absorb(leaf, one, params, { form: "each", values: Float64Array.of(2) }, b)
  a.forEach((value, j) => {
    expect(value).toBeCloseTo(b[j], 12)
  })
})

test("the kind makes the family again from its options", () => {
  const family = topicsFamily(1, { shared: 2, proportions: [1, 2, 3], prior: 0.3, scaling: "tfidf" })
  expect(topicsKind.make(family.options).options).toEqual(family.options)
  expect(classes("y", topics(1, "text", { shared: 2 })).uses.map(use => use.column)).toContain("text")
})
