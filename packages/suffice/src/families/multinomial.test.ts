import { absorb } from "suffice-laws/probe"
import { describe, expect, test } from "vitest"
import { bagsOf } from "../blocks/encoded.ts"
import type { Block, Weights } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Description } from "../contract/report.ts"
import { em, fit, independent, mixture } from "../index.ts"
import { log } from "../kernels/log.ts"
import { useKernels } from "../kernels.ts"
import { dice } from "../random.ts"
import { type MultinomialOptions, multinomial, multinomialKind } from "./multinomial.ts"

const words = ["cat", "dog", "emu"]
const column: Column = { kind: "bag", name: "text", words, text: { lowercase: true } }
const bind = (options: MultinomialOptions, slots: number) => multinomial(options).bind([column], [0], slots)

/** Counts by word for each row, as the door holds them. */
function blockOf(rows: readonly (readonly number[])[]): Block {
  const held = rows.map(counts => counts.flatMap((count, w) => (count > 0 ? [[w, count]] : [])))
  const offsets = new Int32Array(rows.length + 1)
  held.forEach((row, i) => {
    offsets[i + 1] = offsets[i] + row.length
  })
  const bags = bagsOf(
    offsets,
    Int32Array.from(held.flat(), entry => entry[0]),
    Float64Array.from(held.flat(), entry => entry[1]),
  )
  return { rows: rows.length, weight: new Float64Array(rows.length).fill(1), cells: [bags] }
}

const rows = [
  [2, 1, 0],
  [0, 0, 0],
  [0, 3, 1],
  [1, 0, 0.5],
]
const block = blockOf(rows)
// two slots, entry w·2 + p
const theta = Float64Array.from([0.5, 0.2, 0.3, 0.2, 0.2, 0.6, 1, 1], log)
const each: Weights = { form: "each", values: Float64Array.of(0.7, 1, 0.1, 2, 0.3, 1, 0.9, -1) }
const absorbed = (weights: Weights) => {
  const stats = new Float64Array(8)
  expect(absorb(bind({}, 2), block, theta, weights, stats)).toBe(false)
  return stats
}

/** θ − A of two slots, as numbers whose A is 0. */
const normalised = (params: Float64Array) => Array.from(params, (t, j) => t - params[6 + (j % 2)])

test("ln p(bag) = Σ c_w θ_w, without a multinomial coefficient", () => {
  const out = new Float64Array(8).fill(10)
  bind({}, 2).score(block, theta, out)
  for (let p = 0; p < 2; p++) {
    rows.forEach((counts, i) => {
      const score = counts.reduce((sum, count, w) => sum + count * theta[w * 2 + p], 0)
      expect(out[p * 4 + i]).toBeCloseTo(10 + score, 13)
    })
  }
})

test("the probabilities of all sequences of two words add up to one", () => {
  const pairs = words.flatMap((_, a) => words.map((_, b) => words.map((_, w) => +(w === a) + +(w === b))))
  const out = new Float64Array(9)
  bind({}, 1).score(blockOf(pairs), Float64Array.from([0.5, 0.3, 0.2, 1], log), out)
  expect(out.reduce((sum, score) => sum + Math.exp(score), 0)).toBeCloseTo(1, 14)
})

test("an empty bag is no evidence: it scores 0 and adds nothing, not even to n", () => {
  const out = new Float64Array(2)
  const stats = new Float64Array(8)
  const empty = blockOf([[0, 0, 0]])
  bind({}, 2).score(empty, theta, out)
  absorb(bind({}, 2), empty, theta, { form: "each", values: Float64Array.of(1, 1) }, stats)
  expect([...out, ...stats]).toEqual(new Array(10).fill(0))
})

test("the statistics are weighted word counts, then the weight of the documents", () => {
  const stats = absorbed(each)
  expect(stats[1 * 2 + 0]).toBeCloseTo(0.7 * 1 + 0.1 * 3, 14) // "dog" in slot 0
  expect(stats[2 * 2 + 1]).toBeCloseTo(0.9 * 1 - 1 * 0.5, 14) // "emu" in slot 1, a negative weight
  expect(bind({}, 2).mass(stats, 0)).toBeCloseTo(0.7 + 0.1 + 2, 14)
  expect(bind({}, 2).mass(stats, 1)).toBeCloseTo(0.3 + 0.9 - 1, 14)
})

test("value(prior, θ) is ln of the Dirichlet density, up to a constant", () => {
  const stats = new Float64Array(8)
  bind({ prior: 0.5 }, 2).prior(stats)
  const sum = theta.reduce((total, t) => total + t, 0)
  expect(bind({}, 2).value(stats, theta)).toBeCloseTo(0.5 * sum, 14)
})

test("one pseudo-count per word is Laplace: (W_w + 1) / (ΣW + V)", () => {
  const stats = Float64Array.of(3, 0, 1, 1) // slot 0 alone: W, then n
  const params = new Float64Array(4)
  bind({}, 1).prior(stats)
  expect(bind({}, 1).solve(stats, 0, params)).toBe(0)
  expect(Array.from(params, Math.exp)).toEqual([4, 1, 2, 7].map(p => expect.closeTo(p, 14)))
})

test("without a prior an unseen word is impossible", () => {
  const params = new Float64Array(4)
  bind({ prior: 0 }, 1).solve(Float64Array.of(3, 0, 1, 1), 0, params)
  expect(params[1]).toBe(-Infinity)
})

test("a slot without words is uniform, and a negative count is held at the edge", () => {
  const params = new Float64Array(8)
  expect(bind({}, 2).solve(Float64Array.of(0, -1, 0, 2, 0, 2, 0, 1), 0, params)).toBe(1)
  expect(params[0] - params[6]).toBeCloseTo(Math.log(1 / 3), 14)
  expect(params[1]).toBe(-Infinity)
})

test("θ comes back from its moments, which are those of one-word documents", () => {
  const stats = new Float64Array(8)
  const back = new Float64Array(8)
  bind({}, 2).moments(theta, Float64Array.of(2, 5), stats)
  expect(stats[0] + stats[2] + stats[4]).toBeCloseTo(2, 14)
  expect(bind({}, 2).mass(stats, 1)).toBe(5)
  bind({}, 2).solve(stats, 0, back)
  expect(normalised(back)).toEqual(Array.from(theta, t => expect.closeTo(t, 14)))
})

test("the prior pulls towards uniform and moves no mass: α and n·E[s | θ] have the same totals", () => {
  const leaf = bind({ prior: 0.5 }, 2)
  const prior = new Float64Array(8)
  const moments = new Float64Array(8)
  leaf.prior(prior)
  leaf.moments(theta, Float64Array.of(leaf.mass(prior, 0), leaf.mass(prior, 1)), moments)
  const wordsOf = (stats: Float64Array) => stats[0] + stats[2] + stats[4]
  expect(wordsOf(moments)).toBeCloseTo(wordsOf(prior), 14)
  expect(leaf.mass(moments, 0)).toBe(leaf.mass(prior, 0))
})

test("describe names every word, and adopt reads it back", () => {
  const leaf = bind({}, 2)
  const described = leaf.describe(theta, 1)
  expect(described).toEqual({
    words: { cat: expect.closeTo(0.2, 14), dog: expect.closeTo(0.2, 14), emu: expect.closeTo(0.6, 14) },
  })
  const stats = new Float64Array(8)
  const params = new Float64Array(8)
  leaf.adopt(leaf.describe(theta, 0), 0, 3, stats)
  leaf.adopt(described, 1, 4, stats)
  leaf.solve(stats, 0, params)
  expect(normalised(params)).toEqual(Array.from(theta, t => expect.closeTo(t, 14)))
  expect([leaf.mass(stats, 0), leaf.mass(stats, 1)]).toEqual([3, 4])
})

test("words that are also members of objects are described and adopted like any other", () => {
  const odd: Column = { ...column, words: ["__proto__", "constructor"] }
  const leaf = multinomial().bind([odd], [0], 1)
  const stats = new Float64Array(3)
  leaf.adopt(leaf.describe(Float64Array.of(log(0.25), log(0.75), 0), 0), 0, 1, stats)
  expect(Array.from(stats)).toEqual([0.25, 0.75, 1].map(x => expect.closeTo(x, 14)))
})

test("an empty vocabulary takes part without harm", () => {
  const leaf = multinomial().bind([{ ...column, words: [] }], [0], 2)
  const stats = new Float64Array(2)
  leaf.prior(stats)
  leaf.adopt(leaf.describe(new Float64Array(0), 0), 0, 1, stats)
  expect([
    leaf.shape.free,
    leaf.solve(stats, 0, new Float64Array(0)),
    leaf.value(stats, new Float64Array(0)),
  ]).toEqual([0, 0, 0])
})

test("V − 1 free parameters per slot", () => {
  expect(bind({}, 2).shape.free).toBe(4)
})

test("sampling leaves a bag that is there, and an empty one empty", () => {
  const before = structuredClone(block.cells[0])
  bind({}, 2).sample(theta, 0, block, dice(1))
  expect(block.cells[0]).toEqual(before)
})

describe("auto()", () => {
  const summary = {
    ...{
      name: "text",
      rows: 10,
      missing: 2,
      numbers: 0,
      integers: 0,
      negatives: 0,
      smallest: Infinity,
      largest: -Infinity,
      mean: Number.NaN,
      variance: Number.NaN,
      booleans: 0,
    },
    ...{ strings: 8, texts: 7, bags: 0, distinct: 8 },
  }
  test("takes texts, word lists and word counts for bags, but not single words or numbers", () => {
    expect(multinomialKind.suits?.(summary)).toBe("7 of 8 strings are several words")
    expect(multinomialKind.suits?.({ ...summary, strings: 0, texts: 0, bags: 8 })).toBe(
      "8 word lists or word counts",
    )
    expect(multinomialKind.suits?.({ ...summary, texts: 1 })).toBeUndefined()
    expect(multinomialKind.suits?.({ ...summary, strings: 0, texts: 0, numbers: 8 })).toBeUndefined()
  })
})

describe("messages", () => {
  test("a negative prior", () => {
    expect(() => multinomial({ prior: -1 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: multinomial: prior is -1. It counts pseudo-rows, so it must be a finite number ≥ 0. Give 0 for maximum likelihood, or leave it out for the default.]`,
    )
  })
  test("a lowercase that is neither true nor false", () => {
    expect(() => multinomialKind.make({ lowercase: "yes" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: multinomial: lowercase is "yes". It says whether text is lower-cased, so it must be true or false. Leave it out for true.]`,
    )
  })
  test("an unknown option", () => {
    expect(() => multinomialKind.make({ lowerCase: true })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: multinomial: there is no option "lowerCase". It knows "prior", "lowercase", "ngrams", "stopWords", "stem", "minDocuments", "maxDocuments", "maxWords" and 3 more. Did you mean "lowercase"?]`,
    )
  })
  test("described words that are no distribution", () => {
    const adopt = (description: Description) => () =>
      bind({}, 1).adopt(description, 0, 1, new Float64Array(4))
    expect(adopt({ words: { cat: 0.5, dog: 0.5 } })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: multinomial: the probabilities of column "text" are not a distribution over "cat", "dog" and "emu". Each level needs a number ≥ 0 and they must add up to 1. Give the parameters as describe() prints them.]`,
    )
    expect(adopt({ words: { cat: 0.5, dog: 0.5, emu: 0.5 } })).toThrow(/not a distribution/)
  })
})

test("with words enough for the kernels in WebAssembly, a mixture is learned and asked to the same bits", async () => {
  const random = dice(5)
  const rows = Array.from({ length: 1500 }, (_, i) => ({
    words: Array.from({ length: 100 }, () => `w${random.integer(i % 2 === 0 ? 300 : 200)}`),
  }))
  const learned = async (kernels: "wasm" | "typescript") => {
    useKernels(kernels)
    const model = mixture(6, independent({ words: multinomial() }), { name: "topic" })
    const fitted = await fit(model, rows, { learner: em({ maxIterations: 3 }), threads: 1 })
    const { probabilities } = fitted.posterior(rows, { target: "topic" })
    return { probabilities, told: JSON.stringify(fitted) }
  }
  try {
    expect(await learned("wasm")).toEqual(await learned("typescript"))
  } finally {
    useKernels("wasm")
  }
})
