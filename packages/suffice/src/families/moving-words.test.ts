import { afterAll, describe, expect, test } from "vitest"
import { bagsOf } from "../blocks/encoded.ts"
import type { Bags, Block, Weights } from "../contract/block.ts"
import type { SparseMoving, SparseStep } from "../contract/sparse.ts"
import { classes, fit, independent, multinomial } from "../index.ts"
import { useKernels } from "../kernels.ts"
import { sdem } from "../learn.ts"
import { dice } from "../random.ts"
import { movingWords } from "./moving-words.ts"

const SLOTS = 3
const WORDS = 12
const rolls = dice(2)

/** Steps of which nothing but what they do to words counts. */
const step = (each: number, due: number): SparseStep => ({
  each,
  due,
  towards: 0,
  weight: 1,
  mean: 0,
  pull: 0,
  delivered: new Float64Array(SLOTS),
  pulledMass: new Float64Array(SLOTS),
  mass: undefined,
  halvings: 12,
})

/** `alpha`: the prior. `least`: no word falls below it. */
function started(counts: Float64Array, params: Float64Array, alpha: number, least: number): SparseMoving {
  const start = {
    moments: counts,
    params,
    prior: Float64Array.of(alpha),
    strength: 1,
    added: 0,
    weight: 1,
    begun: 1,
  }
  return movingWords(SLOTS, 0, bags => bags.counts, {
    ...start,
    inertia: 100 * least - alpha,
    holdsPrior: false,
    shrinks: false,
    averaged: true,
  })
}

/** A block of two documents with some of the words, weights for its rows, and the direction they give. */
function drawn(): { block: Block; weights: Weights; delta: Float64Array } {
  const bags = [0, 1].map(() => Array.from({ length: 3 }, () => rolls.integer(WORDS)))
  const words = Int32Array.from(bags.flat())
  const block = {
    rows: 2,
    weight: Float64Array.of(1, 1),
    cells: [bagsOf(Int32Array.of(0, 3, 6), words, new Float64Array(6).fill(1))],
  }
  const values = Float64Array.from({ length: 2 * SLOTS }, () => rolls.normal())
  const delta = new Float64Array(WORDS * SLOTS + SLOTS)
  words.forEach((w, t) => {
    for (let p = 0; p < SLOTS; p++) delta[w * SLOTS + p] += values[p * 2 + Math.trunc(t / 3)]
  })
  return { block, weights: { form: "each", values }, delta }
}

function begun(alpha: number, least: number) {
  const counts = Float64Array.from({ length: WORDS * SLOTS + SLOTS }, () => 1 + rolls.uniform())
  const params = new Float64Array(counts.length)
  return { counts, params, steps: started(counts, params, alpha, least) }
}

/** W_wp ← max( W_wp + ρ·δ_wp + pull·(α − α·V·W_wp/S_p), least ), for every word at every step. */
function dense(
  counts: Float64Array,
  delta: Float64Array,
  rho: number,
  pull: number,
  alpha: number,
  least: number,
): void {
  const totals = totalsOf(counts)
  for (let j = 0; j < WORDS * SLOTS; j++) {
    const pulled = pull * (alpha - (alpha * WORDS * counts[j]) / totals[j % SLOTS])
    counts[j] = Math.max(counts[j] + rho * delta[j] + pulled, least)
  }
}

function totalsOf(counts: Float64Array): number[] {
  return Array.from({ length: SLOTS }, (_, p) => {
    let sum = 0
    for (let w = 0; w < WORDS; w++) sum += counts[w * SLOTS + p]
    return sum
  })
}

function expectConsistent(counts: Float64Array, params: Float64Array): void {
  for (let j = 0; j < WORDS * SLOTS; j++) expect(params[j]).toBeCloseTo(Math.log(counts[j]), 12)
  totalsOf(counts).forEach((total, p) => {
    expect(params[WORDS * SLOTS + p]).toBeCloseTo(Math.log(total), 12)
  })
}

describe("words moved one by one", () => {
  test("without a prior they move as all of them at once would, and the sums with them", () => {
    const { counts, params, steps } = begun(0, 1e-6)
    const plain = counts.slice()
    for (let t = 0; t < 200; t++) {
      const { block, weights, delta } = drawn()
      dense(plain, delta, 0.01, 0, 0, 1e-6)
      steps.take(weights, block)
      steps.step(block, step(0.01, 0))
      for (let j = 0; j < WORDS * SLOTS; j++) expect(counts[j]).toBeCloseTo(plain[j], 12)
      expectConsistent(counts, params)
    }
  })

  test("their lazy mean is that over steps, also from a given one on, two at a time, and across a settling", () => {
    const { counts, steps } = begun(0.5, 1e-4)
    const first = Float64Array.from(counts, count => 2 * count)
    const exact = [first.map(mean => 3 * mean), new Float64Array(counts.length)]
    const lazy = [steps.average!(first, 3), steps.average!(new Float64Array(counts.length), 0)]
    const written = (n: number): Float64Array => {
      const mean = new Float64Array(counts.length)
      lazy[n].write(mean)
      return mean
    }
    for (let t = 1; t <= 60; t++) {
      const { block, weights } = drawn()
      steps.take(weights, block)
      steps.step(block, step(0.02, 0.1))
      if (t % 20 === 0) steps.settle()
      for (const [n, mean] of lazy.entries()) {
        mean.add()
        for (let j = 0; j < WORDS * SLOTS; j++) exact[n][j] += counts[j]
      }
      for (const [n, before] of [3, 0].entries())
        for (let j = 0; j < WORDS * SLOTS; j++)
          expect(written(n)[j]).toBeCloseTo(exact[n][j] / (t + before), 12)
    }
    lazy[0].end()
    const { block, weights } = drawn()
    steps.take(weights, block)
    steps.step(block, step(0.02, 0))
    lazy[1].add()
    for (let j = 0; j < WORDS * SLOTS; j++)
      expect(written(1)[j]).toBeCloseTo((exact[1][j] + counts[j]) / 61, 12)
  })

  test("what two sides say of a row in the same slot cancels; means are those over all steps, of gathered rows too", () => {
    const { counts, params, steps } = begun(0, 1e-3)
    const plain = counts.slice()
    const exact = new Float64Array(counts.length)
    const lazy = steps.average!(new Float64Array(counts.length), 0)
    let cancelled = 0
    for (let t = 1; t <= 100; t++) {
      const drawnBlock = drawn().block
      const bags = drawnBlock.cells[0] as Bags
      // the second row first, and some steps without it
      const rows = t % 3 === 0 ? [1] : [1, 0]
      const picked = { from: rows.map(() => bags), rows }
      const offsets = Int32Array.from([0, ...rows], (_, i) => 3 * i)
      const words = Int32Array.from(rows.flatMap(row => [...bags.words.subarray(3 * row, 3 * row + 3)]))
      const cell = Object.assign(bagsOf(offsets, words, new Float64Array(words.length).fill(1)), { picked })
      const block = { rows: rows.length, weight: new Float64Array(rows.length).fill(1), cells: [cell] }
      const right = Int32Array.from(rows, () => rolls.integer(SLOTS))
      const wrong = Int32Array.from(rows, () => rolls.integer(SLOTS))
      const weight = Float64Array.from(rows, () => (rolls.uniform() < 0.3 ? 0 : 0.3))
      const delta = new Float64Array(counts.length)
      const untouched = new Set(Array.from({ length: WORDS }, (_, w) => w))
      words.forEach((w, at) => {
        const i = Math.trunc(at / 3)
        delta[w * SLOTS + right[i]] += weight[i]
        delta[w * SLOTS + wrong[i]] -= weight[i]
        if (right[i] !== wrong[i] && weight[i] !== 0) untouched.delete(w)
      })
      const before = counts.slice()
      steps.take({ form: "one", slot: right, weight }, block)
      steps.take({ form: "one", slot: wrong, weight: weight.map(w => -w) }, block)
      steps.step(block, step(0.02, 0))
      for (let j = 0; j < WORDS * SLOTS; j++) plain[j] = Math.max(plain[j] + 0.02 * delta[j], 1e-3)
      lazy.add()
      for (let j = 0; j < WORDS * SLOTS; j++) {
        expect(counts[j]).toBeCloseTo(plain[j], 12)
        exact[j] += counts[j]
        if (!untouched.has(Math.trunc(j / SLOTS))) continue
        expect(counts[j]).toBe(before[j])
        cancelled++
      }
      expectConsistent(counts, params)
      const mean = new Float64Array(counts.length)
      lazy.write(mean)
      for (let j = 0; j < WORDS * SLOTS; j++) expect(mean[j]).toBeCloseTo(exact[j] / t, 12)
    }
    expect(cancelled).toBeGreaterThan(100)
  })

  test("rows of one slot each move as the same weights given for every slot", () => {
    const one = begun(0, 0.5)
    const counts = one.counts.slice()
    const each = started(counts, one.params.slice(), 0, 0.5)
    let held = 0
    for (let t = 0; t < 200; t++) {
      const { block } = drawn()
      const slot = Int32Array.of(rolls.integer(SLOTS), rolls.integer(SLOTS))
      const weight = Float64Array.of(rolls.normal(), t % 5 === 0 ? 0 : rolls.normal())
      const values = new Float64Array(2 * SLOTS)
      slot.forEach((p, i) => {
        values[p * 2 + i] = weight[i]
      })
      one.steps.take({ form: "one", slot, weight }, block)
      one.steps.step(block, step(0.1, 0))
      each.take({ form: "each", values }, block)
      each.step(block, step(0.1, 0))
      for (let j = 0; j < WORDS * SLOTS; j++) expect(one.counts[j]).toBeCloseTo(counts[j], 12)
      expectConsistent(one.counts, one.params)
      held += counts.filter(count => count === 0.5).length
    }
    expect(held).toBeGreaterThan(0)
  })

  test("the pull that was put off is given when everything is settled, up to what the sums changed meanwhile", () => {
    const alpha = 0.5
    const [rho, pull] = [0.02, 0.01]
    const { counts, params, steps } = begun(alpha, 1e-4)
    const plain = counts.slice()
    const unpulled = counts.slice()
    for (let t = 0; t < 100; t++) {
      const { block, weights, delta } = drawn()
      dense(plain, delta, rho, pull, alpha, 1e-4)
      dense(unpulled, delta, rho, 0, alpha, 1e-4)
      steps.take(weights, block)
      steps.step(block, step(rho, pull))
      expectConsistent(counts, params)
      if (t % 10 === 9) steps.settle()
    }
    expectConsistent(counts, params)
    const apart = (one: Float64Array, other: Float64Array): number =>
      Math.max(...Array.from(one.subarray(0, WORDS * SLOTS), (count, j) => Math.abs(count - other[j])))
    // what the prior did at all, and what giving it late changes: a tenth of it at most
    expect(apart(plain, unpulled)).toBeGreaterThan(0.1)
    expect(apart(counts, plain)).toBeLessThan(0.1 * apart(plain, unpulled))
  })

  test("settled after every step the pull is that of all words at once", () => {
    const { counts, steps } = begun(0.5, 1e-4)
    const plain = counts.slice()
    for (let t = 0; t < 50; t++) {
      const { block, weights, delta } = drawn()
      // first the pull, then the direction: so that neither sees what the other did
      dense(plain, new Float64Array(delta.length), 0, 0.01, 0.5, 1e-4)
      steps.step(block, step(0, 0.01))
      steps.settle()
      dense(plain, delta, 0.02, 0, 0.5, 1e-4)
      steps.take(weights, block)
      steps.step(block, step(0.02, 0))
      for (let j = 0; j < WORDS * SLOTS; j++) expect(counts[j]).toBeCloseTo(plain[j], 12)
    }
  })

  test("the pull moves no mass: a slot's words only become more equal, and never pass each other", () => {
    const { counts, steps } = begun(1, 1e-6)
    const before = totalsOf(counts)
    const order = Array.from({ length: WORDS }, (_, w) => counts[w * SLOTS])
    const empty = {
      rows: 0,
      weight: new Float64Array(0),
      cells: [bagsOf(Int32Array.of(0), new Int32Array(0), new Float64Array(0))],
    }
    // a step as large as this must not carry a word beyond equality
    for (const pull of [0.1, 1000]) {
      steps.step(empty, step(0, pull))
      steps.settle()
      totalsOf(counts).forEach((total, p) => {
        expect(total).toBeCloseTo(before[p], 10)
      })
      const after = Array.from({ length: WORDS }, (_, w) => counts[w * SLOTS])
      after.forEach((count, w) => {
        after.forEach((other, v) => {
          if (order[w] > order[v]) expect(count - other).toBeGreaterThanOrEqual(-1e-12)
        })
      })
    }
    for (let w = 0; w < WORDS; w++) expect(counts[w * SLOTS]).toBeCloseTo(before[0] / WORDS, 10)
  })

  test("settling twice is settling once, to the bit, and a new beginning from there is the same", () => {
    const { counts, params, steps } = begun(0.3, 1e-4)
    for (let t = 0; t < 30; t++) {
      const { block, weights } = drawn()
      steps.take(weights, block)
      steps.step(block, step(0.05, 0.02))
    }
    steps.settle()
    const [once, theta] = [counts.slice(), params.slice()]
    steps.settle()
    expect(counts).toEqual(once)
    expect(params).toEqual(theta)
    const fresh = new Float64Array(params.length)
    started(counts, fresh, 0.3, 1e-4)
    expect(counts).toEqual(once)
    expect(fresh).toEqual(theta)
  })

  test("words that start with nothing start with the least", () => {
    const counts = new Float64Array(WORDS * SLOTS + SLOTS)
    const params = new Float64Array(counts.length)
    started(counts, params, 0, 0.25)
    expect([...counts.subarray(0, WORDS * SLOTS)].every(count => count === 0.25)).toBe(true)
    expectConsistent(counts, params)
  })
})

describe("words that lie by how many documents they stand in", () => {
  const random = dice(11)
  // few words in most documents, many in one or two
  const word = (): string => `w${Math.floor(300 * random.uniform() * random.uniform() * random.uniform())}`
  const rows = Array.from({ length: 120 }, (_, i) => ({
    label: ["a", "b", "c"][i % 3],
    text: Array.from({ length: 1 + random.integer(12) }, () => word() + (random.integer(3) ? "" : i % 3)),
  }))
  const model = classes("label", independent({ text: multinomial() }))
  afterAll(() => useKernels("wasm"))

  test.each(["ncll", "hinge"] as const)(
    "are learned to the same bits in TypeScript, from a source, and resumed: %s",
    async loss => {
      const learner = sdem({ loss, epochs: 4 })
      useKernels("wasm")
      const written: Uint8Array[] = []
      const checkpoint = { read: () => undefined, write: (bytes: Uint8Array) => void written.push(bytes) }
      const found = JSON.stringify(await fit(model, rows, { learner, checkpoint }))
      const source = {
        async *[Symbol.asyncIterator]() {
          yield rows
        },
      }
      expect(JSON.stringify(await fit(model, source, { learner }))).toBe(found)
      for (const kernels of ["typescript", "wasm"] as const) {
        useKernels(kernels)
        expect(JSON.stringify(await fit(model, rows, { learner }))).toBe(found)
        const resumed = { read: () => written.at(-3), write: () => {} }
        expect(JSON.stringify(await fit(model, rows, { learner, checkpoint: resumed }))).toBe(found)
      }
    },
  )
})
