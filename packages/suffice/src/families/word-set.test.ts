import { absorb } from "suffice-laws/probe"
import { describe, expect, test } from "vitest"
import { linearScores } from "../answers/linear-scores.ts"
import { bagsOf } from "../blocks/encoded.ts"
import type { Block, Weights } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Description } from "../contract/report.ts"
import { fit } from "../fit/fit.ts"
import { load } from "../fit/load.ts"
import { topics } from "../index.ts"
import { log } from "../kernels/log.ts"
import { em } from "../learners/em.ts"
import { onlineEm } from "../learners/online-em.ts"
import { sdem } from "../learners/sdem.ts"
import { dice } from "../random.ts"
import { classes } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { bernoulli } from "./bernoulli.ts"
import { type WordSetOptions, wordSet, wordSetKind } from "./word-set.ts"

const words = ["cat", "dog", "emu"]
const column: Column = { kind: "bag", name: "text", words, text: { lowercase: true } }
const bind = (options: WordSetOptions, slots: number) => wordSet(options).bind([column], [0], slots)

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

/** All seven sets that are not empty. */
const sets = Array.from({ length: 7 }, (_, j) => words.map((_, w) => ((j + 1) >> w) & 1))

const rows = [
  [2, 1, 0],
  [0, 0, 0],
  [0, 3, 1],
  [1, 0, 0.5],
]
const block = blockOf(rows)
// two slots, entry w·2 + p
const q = [0.5, 0.2, 0.3, 0.9, 0.25, 0.6]
const each: Weights = { form: "each", values: Float64Array.of(0.7, 1, 0.1, 2, 0.3, 1, 0.9, -1) }

/** θ of q: solved from one document per slot. */
function thetaOf(probabilities: readonly number[], slots = 2): Float64Array {
  const params = new Float64Array(probabilities.length + 2 * slots)
  bind({}, slots).solve(Float64Array.from([...probabilities, ...new Array(slots).fill(1)]), 0, params)
  return params
}
const theta = thetaOf(q)
const absorbed = (weights: Weights) => {
  const stats = new Float64Array(8)
  expect(absorb(bind({}, 2), block, theta, weights, stats)).toBe(false)
  return stats
}
const scores = (of: Block, params: Float64Array, slots: number) => {
  const out = new Float64Array(of.rows * slots)
  bind({}, slots).score(of, params, out)
  return out
}

test("ln p(bag) = Σ ln q_w over the words there + Σ ln(1 − q_w) over those that are not", () => {
  const out = scores(block, theta, 2)
  for (let p = 0; p < 2; p++) {
    rows.forEach((counts, i) => {
      if (i === 1) return
      const score = counts.reduce(
        (sum, count, w) => sum + log(count > 0 ? q[w * 2 + p] : 1 - q[w * 2 + p]),
        0,
      )
      expect(out[p * 4 + i]).toBeCloseTo(score, 13)
    })
  }
})

test("the probabilities of all sets but the empty one add up to 1 − Π (1 − q_w)", () => {
  const total = scores(blockOf(sets), thetaOf([0.5, 0.3, 0.2], 1), 1).reduce((sum, s) => sum + Math.exp(s), 0)
  expect(total).toBeCloseTo(1 - 0.5 * 0.7 * 0.8, 14)
})

test("how often a word occurs does not matter", () => {
  expect(scores(blockOf([[1, 1, 0]]), theta, 2)).toEqual(scores(blockOf([[7, 2, 0]]), theta, 2))
})

test("an empty bag is no evidence: it scores 0 and adds nothing, not even to n", () => {
  const stats = new Float64Array(8)
  const empty = blockOf([[0, 0, 0]])
  absorb(bind({}, 2), empty, theta, { form: "each", values: Float64Array.of(1, 1) }, stats)
  expect([...scores(empty, theta, 2), ...stats]).toEqual(new Array(10).fill(0))
})

test("the statistics are the weights of documents with each word, then of all documents", () => {
  const stats = absorbed(each)
  expect(stats[1 * 2 + 0]).toBeCloseTo(0.7 + 0.1, 14) // "dog" in slot 0
  expect(stats[2 * 2 + 1]).toBeCloseTo(0.9 - 1, 14) // "emu" in slot 1, a negative weight
  expect(bind({}, 2).mass(stats, 0)).toBeCloseTo(0.7 + 0.1 + 2, 14)
})

test("value(prior, θ) is ln of the Beta densities, up to a constant", () => {
  const stats = new Float64Array(8)
  bind({ prior: 0.5 }, 2).prior(stats)
  const expected = q.reduce((sum, p) => sum + 0.5 * log(p) + 0.5 * log(1 - p), 0)
  expect(bind({}, 2).value(stats, theta)).toBeCloseTo(expected, 13)
})

test("one pseudo-document on each side is Laplace: (n_w + 1) / (n + 2)", () => {
  const leaf = bind({}, 1)
  const stats = Float64Array.of(3, 0, 1, 3)
  const params = new Float64Array(5)
  leaf.prior(stats)
  expect(leaf.solve(stats, 0, params)).toBe(0)
  expect(leaf.describe(params, 0).words).toEqual({
    cat: expect.closeTo(4 / 5, 14),
    dog: expect.closeTo(1 / 5, 14),
    emu: expect.closeTo(2 / 5, 14),
  })
})

test("without a prior, a word always or never there makes bags impossible, never NaN", () => {
  const params = thetaOf([1, 0, 0.5], 1) // cat always, dog never
  const impossible = sets.filter(([cat, dog]) => !cat || dog)
  const possible = sets.filter(([cat, dog]) => cat && !dog)
  expect([...scores(blockOf(impossible), params, 1)]).toEqual(impossible.map(() => -Infinity))
  expect([...scores(blockOf(possible), params, 1)]).toEqual(possible.map(() => expect.closeTo(log(0.5), 14)))
})

test("without a prior, value at its own maximum stays finite and is the sum of the scores", () => {
  const leaf = bind({ prior: 0 }, 1)
  const seen = blockOf([
    [1, 0, 0],
    [1, 0, 1],
    [2, 0, 2],
  ])
  const stats = new Float64Array(4)
  const params = new Float64Array(5)
  absorb(leaf, seen, params, { form: "each", values: Float64Array.of(0.1, 0.2, 0.3) }, stats)
  leaf.solve(stats, 0, params)
  const out = scores(seen, params, 1)
  expect(leaf.value(stats, params)).toBeCloseTo(0.1 * out[0] + 0.2 * out[1] + 0.3 * out[2], 14)
})

test("a slot without documents is uniform, and a count outside [0, n] is held at the edge", () => {
  const params = new Float64Array(10)
  expect(bind({}, 2).solve(Float64Array.of(0, -1, 0, 3, 0, 1, 0, 2), 0, params)).toBe(1)
  expect([params[0], params[2], params[4]]).toEqual([0, 0, 0]) // ln(½ / ½)
  expect([params[1], params[3], params[5]]).toEqual([-Infinity, Infinity, 0])
})

test("a word in more documents than there are is held at the edge too", () => {
  expect(bind({}, 1).solve(Float64Array.of(3, 1, 1, 2), 0, new Float64Array(5))).toBe(1)
})

test("certain words come back from their moments exactly", () => {
  const stats = new Float64Array(4)
  const back = new Float64Array(5)
  const certain = thetaOf([1, 0, 0.5], 1)
  bind({}, 1).moments(certain, Float64Array.of(0.3), stats)
  bind({}, 1).solve(stats, 0, back)
  expect(back).toEqual(certain)
})

test("describe names every word, and adopt reads it back", () => {
  const leaf = bind({}, 2)
  expect(leaf.describe(theta, 1)).toEqual({
    words: { cat: expect.closeTo(0.2, 14), dog: expect.closeTo(0.9, 14), emu: expect.closeTo(0.6, 14) },
  })
  const stats = new Float64Array(8)
  const params = new Float64Array(10)
  leaf.adopt(leaf.describe(theta, 0), 0, 3, stats)
  leaf.adopt(leaf.describe(theta, 1), 1, 4, stats)
  leaf.solve(stats, 0, params)
  expect(Array.from(params)).toEqual(Array.from(theta, t => expect.closeTo(t, 13)))
})

test("V free parameters per slot", () => {
  expect(bind({}, 2).shape.free).toBe(6)
})

test("sampling leaves a bag that is there, and an empty one empty", () => {
  const before = structuredClone(block.cells[0])
  bind({}, 2).sample(theta, 0, block, dice(1))
  expect(block.cells[0]).toEqual(before)
})

test("auto() never chooses it", () => {
  expect(wordSetKind.suits).toBeUndefined()
})

describe("where empty bags are seen", () => {
  const names = ["cat", "dog", "emu"]
  const die = dice(3)
  /** Every fourth is missing, many others are empty. */
  const sets = Array.from({ length: 600 }, (_, i) =>
    i % 4 === 1 ? null : names.filter((_, w) => die.uniform() < 0.15 + 0.1 * ((i + w) % 3)),
  )
  const y = sets.map((_, i) => `class ${i % 3}`)
  const bits = Object.fromEntries(names.map(name => [name, sets.map(set => set?.includes(name))]))
  const asSets = classes("y", independent({ text: wordSet({ empty: "seen" }) }))
  const asBits = classes("y", independent(Object.fromEntries(names.map(name => [name, bernoulli()]))))

  test.each([
    ["counting", em()],
    ["online EM", onlineEm({ epochs: 2 })],
    ["sdEM", sdem({ epochs: 2 })],
  ])("the words are as many Bernoulli columns, missing cells too: %s", async (_, learner) => {
    const ours = await fit(asSets, { text: sets, y }, { learner })
    const theirs = await fit(asBits, { ...bits, y } as never, { learner })
    const expected = theirs.posterior(bits as never).probabilities
    const near = Array.from(expected, p => expect.closeTo(p, 10))
    expect([...ours.posterior({ text: sets }).probabilities]).toEqual(near)
    expect([...load(JSON.stringify(ours)).posterior({ text: sets }).probabilities]).toEqual(near)
    const one = [...ours.posterior([{ text: [] }]).probabilities]
    expect(one).not.toEqual([...ours.posterior([{ text: null }]).probabilities])
    expect(one).toEqual([...ours.posterior([{ text: ["unheard-of"] }]).probabilities])
  })

  test("an empty bag is explained, and has linear scores; a missing one has none", async () => {
    const fitted = await fit(asSets, { text: sets, y })
    const [a, b] = fitted.posterior([{ text: [] }]).logs
    const { prior, terms } = fitted.explain({ text: [] }, { level: "class 0", against: "class 1" })
    expect(terms.reduce((sum, { contribution }) => sum + contribution, prior)).toBeCloseTo(a - b, 9)
    expect(terms.map(({ word }) => word).sort()).toEqual(names)
    const scores = linearScores(fitted.toLinear(), { text: [] })
    expect(scores[0] - scores[1]).toBeCloseTo(a - b, 9)
    expect(() => linearScores(fitted.toLinear(), { text: null })).toThrow(/nothing the model knows/)
  })
})

describe("messages", () => {
  test("an empty bag that is neither missing nor seen", () => {
    expect(() => wordSet({ empty: "absent" as never })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: wordSet: empty is "absent". It must be one of "missing" and "seen". Choose one of them, or leave it out.]`,
    )
  })
  test("a negative prior", () => {
    expect(() => wordSet({ prior: -1 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: wordSet: prior is -1. It counts pseudo-rows, so it must be a finite number ≥ 0. Give 0 for maximum likelihood, or leave it out for the default.]`,
    )
  })
  test("a lowercase that is neither true nor false", () => {
    expect(() => wordSetKind.make({ lowercase: 1 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: wordSet: lowercase is 1. It says whether text is lower-cased, so it must be true or false. Leave it out for true.]`,
    )
  })
  test("an unknown option", () => {
    expect(() => wordSetKind.make({ binary: true })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: wordSet: there is no option "binary". It knows "prior", "empty", "lowercase", "ngrams", "stopWords", "stem", "minDocuments", "maxDocuments" and 3 more. Leave it out.]`,
    )
  })
  test("a described word that is no probability", () => {
    const adopt = (description: Description) => () =>
      bind({}, 1).adopt(description, 0, 1, new Float64Array(4))
    expect(adopt({ words: { cat: 0.5, dog: 1.5, emu: 0.5 } })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: wordSet: "dog" of column "text" is 1.5. It must be a number between 0 and 1. Give the parameters as describe() prints them.]`,
    )
    expect(adopt({})).toThrow(/"cat" of column "text" is undefined/)
  })
})

test("a word in no document, or in all, lies at the edge: no step may end there", () => {
  const leaf = bind({}, 1)
  const inside = (...counts: number[]): boolean => leaf.inside(Float64Array.of(...counts, 4), 0)
  expect([inside(1, 2, 3), inside(0, 2, 3), inside(1, 2, 4), inside(1, 5, 3)]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test("sets beside topics, whose words move, are counted as they are alone", async () => {
  const roll = dice(4)
  const some = (of: number): string => Array.from({ length: 3 }, () => `w${roll.integer(of)}`).join(" ")
  const rows = Array.from({ length: 600 }, () => ({ tags: some(7), doc: some(9) }))
  const beside = await fit(independent({ tags: wordSet() }, topics(2, "doc")), rows)
  const alone = await fit(independent({ tags: wordSet() }), rows)
  expect(beside.describe().tags).toEqual(alone.describe().tags)
})
