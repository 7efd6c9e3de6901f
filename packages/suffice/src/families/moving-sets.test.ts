import { afterAll, describe, expect, test } from "vitest"
import { bagsOf } from "../blocks/encoded.ts"
import { gather } from "../blocks/gather.ts"
import type { Block, Chunk } from "../contract/block.ts"
import type { Row } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import type { MovingState, Regime } from "../contract/moving.ts"
import { discover } from "../data/discover.ts"
import { encodeForLearning } from "../data/encode.ts"
import { type Laid, lay } from "../engine/lay.ts"
import { learnable } from "../engine/learnable.ts"
import {
  classes,
  dice,
  fit,
  gaussian,
  independent,
  mixture,
  multinomial,
  plate,
  type WordSetOptions,
  wordSet,
} from "../index.ts"
import { useKernels } from "../kernels.ts"
import { sdem } from "../learn.ts"
import { movingSets } from "./moving-sets.ts"

const LEVELS = ["a", "b", "c"]

/** Few words in most documents, many in one or two; some bags empty, some missing, some labels missing. */
function drawn(count: number, words: number): Row[] {
  const rolls = dice(31)
  return Array.from({ length: count }, (_, i) => {
    const y = i % 3
    const word = (): string => `w${Math.floor(words * rolls.uniform() * rolls.uniform() * rolls.uniform())}`
    const length = rolls.uniform() < 0.1 ? 0 : 1 + rolls.integer(12)
    const bag = Array.from({ length }, () => word() + (rolls.integer(3) ? "" : LEVELS[y]))
    return {
      y: rolls.uniform() < 0.1 ? null : LEVELS[y],
      t: rolls.uniform() < 0.15 * y ? null : ["the", ...bag].slice(rolls.integer(8) ? 0 : 1),
      u: bag.slice(0, 3),
      steps: [0, 3, 6, 9].slice(y && 1).map(t => (bag.length > t ? { t: bag.slice(t, t + 3) } : null)),
      x: y + rolls.normal(),
    }
  })
}

/** The model twice: sets that move word by word, and as a whole. */
async function twice(model: Model, rows: readonly Row[]) {
  const made = async (isWhole: boolean) => {
    const { schema, rows: count } = await discover(model.uses, rows, {})
    const laid = lay(model, schema.columns)
    for (const part of laid.parts) {
      if (isWhole && part.family === "wordSet") Object.assign(part.leaf, { sparse: undefined })
    }
    const chunks: Chunk[] = []
    for await (const chunk of encodeForLearning(schema, rows, {}, count)) chunks.push(chunk)
    const table = { rows: count, weight: count, certain: false, label: model.target, chunks: () => chunks }
    return { laid, chunks, problem: learnable(laid, table, undefined, dice(1)) }
  }
  const [lazy, whole] = [await made(false), await made(true)]
  const start = await lazy.problem.start.guess(dice(2))
  const spread = lazy.problem.theta.spread(start)
  return { lazy, whole, counts: lazy.problem.theta.withPrior(start, 1, spread), spread }
}

/** Batches of a few rows of the first block. */
function batches({ columns }: Laid, [chunk]: readonly Chunk[], count: number, size: number): Block[] {
  const rolls = dice(5)
  return Array.from({ length: count }, () =>
    gather(columns, {
      blocks: Array<Block>(size).fill(chunk[0]),
      rows: Array.from({ length: size }, () => rolls.integer(chunk[0].rows)),
    }),
  )
}

/** After many steps; guard.ts leaves masses alone that are off by 1e-9. */
const CLOSE = 1e-8

function apart(one: Float64Array, other: Float64Array): number {
  return one.reduce((most, value, j) => Math.max(most, Math.abs(value - other[j]) / Math.abs(other[j])), 0)
}

const sets = (options?: WordSetOptions) => independent({ t: wordSet(options) })
const models: Record<string, Model> = {
  "a set": classes("y", sets()) as Model,
  "empty ones seen": classes("y", sets({ empty: "seen" })) as Model,
  "two sets and a number": classes(
    "y",
    independent({ t: wordSet(), u: wordSet({ prior: 0.2 }), x: gaussian() }),
  ) as Model,
  "hidden components": classes("y", mixture(2, sets())) as Model,
  "in steps": classes("y", plate("steps", sets())) as Model,
  "beside counts": classes("y", independent({ t: wordSet(), u: multinomial() })) as Model,
}
const LARGE: Partial<Record<string, number>> = { "hidden components": 0.25, "in steps": 0.8 }
const regimes: Record<string, Regime> = {
  ncll: { against: "hidden", target: "y" },
  hinge: { against: "rival", target: "y", margin: 2 },
}

describe.each(Object.entries(regimes))("sets moved word by word, %s", (_loss, regime) => {
  test.each(Object.entries(models))("move as all words at once would: %s", async (name, model) => {
    const { lazy, whole, counts, spread } = await twice(model, drawn(150, 80))
    const course = { regime, generative: 0, prior: 1, spread }
    const [one, other] = [lazy, whole].map(({ problem }) => problem.moments.moving(counts, course))
    let guarded = 0
    batches(lazy.laid, lazy.chunks, 120, 8).forEach((block, t) => {
      // small steps, and some that leave the domain; not so large that the prior's pull passes equality, which is held back here alone
      const rho = t % 20 === 19 ? (LARGE[name] ?? 0.4) : 0.02
      const [moved, plain] = [one.step(block, rho, 1), other.step(block, rho, 1)]
      expect(moved.guarded).toBe(plain.guarded)
      guarded += moved.guarded
      expect(Math.abs(moved.loss - plain.loss)).toBeLessThan(CLOSE * (1 + plain.loss))
      if (t === 60 || t === 80) {
        one.restart()
        other.restart()
      }
      if (t > 40) {
        one.average()
        other.average()
      }
      if (t % 25 === 24) {
        one.settle()
        other.settle()
      }
      expect(apart(one.state().moments, other.state().moments)).toBeLessThan(CLOSE)
    })
    expect(guarded).toBeGreaterThan(0)
    const [mine, plain] = [one.state(), other.state()]
    expect(mine.averages.map(({ steps }) => steps)).toEqual(plain.averages.map(({ steps }) => steps))
    // counts of words that move by themselves are not averaged
    const isAveraged = (j: number): boolean => plain.averages[0].mean[j] !== 0
    mine.averages.forEach(({ mean }, a) => {
      const other = plain.averages[a].mean
      expect(
        apart(
          mean.filter((_, j) => isAveraged(j)),
          other.filter((_, j) => isAveraged(j)),
        ),
      ).toBeLessThan(CLOSE)
    })
    expect(apart(one.stats(), other.stats())).toBeLessThan(CLOSE)
  })

  test("set in motion again after they were settled, they go on to the same bits", async () => {
    const { lazy, counts, spread } = await twice(models["two sets and a number"], drawn(150, 80))
    const course = { regime, generative: 0, prior: 1, spread }
    const one = lazy.problem.moments.moving(counts, course)
    const blocks = batches(lazy.laid, lazy.chunks, 60, 8)
    for (const block of blocks.slice(0, 30)) {
      one.step(block, 0.03, 1)
      one.average()
    }
    one.settle()
    const again = lazy.problem.moments.moving(one.state(), course)
    for (const block of blocks.slice(30)) {
      for (const moving of [one, again]) {
        moving.step(block, 0.03, 1)
        moving.average()
      }
    }
    for (const moving of [one, again]) moving.settle()
    const [mine, other]: MovingState[] = [one.state(), again.state()]
    expect(other).toEqual(mine)
    expect(again.stats()).toEqual(one.stats())
  })
})

test("a class that no row belongs to stays out of it", async () => {
  const text = independent({ t: wordSet() })
  const model = classes("y", text, { levels: [...LEVELS, "none"] })
  const rows = drawn(60, 40).filter(({ y }) => y !== null)
  for (const loss of ["ncll", "hinge"] as const) {
    const fitted = await fit(model, rows as never, { learner: sdem({ loss, epochs: 2 }) })
    const { probabilities, levels } = fitted.posterior(rows as never)
    const none = levels.indexOf("none" as never)
    expect([...probabilities].every(Number.isFinite)).toBe(true)
    expect(probabilities[none]).toBe(0)
  }
})

test("a pull without end wears no digits away", async () => {
  const { lazy, whole, counts } = await twice(models["a set"], drawn(60, 40))
  const course = { regime: regimes.ncll, generative: 0, prior: 40 }
  const [one, other] = [lazy, whole].map(({ problem }) => problem.moments.moving(counts, course))
  for (const block of batches(lazy.laid, lazy.chunks, 600, 8)) {
    for (const moving of [one, other]) {
      moving.step(block, 0.02, 1)
      moving.average()
    }
  }
  expect(apart(one.state().moments, other.state().moments)).toBeLessThan(CLOSE)
  expect(apart(one.stats(), other.stats())).toBeLessThan(CLOSE)
})

describe("what an epoch costs", () => {
  const SLOTS = 4
  const DOCUMENTS = 400
  const LENGTH = 10

  /** Numbers looked at by an epoch of this many words, of which documents have ten; the counts of the words count what is read of them. */
  function readsOf(words: number): number {
    const rolls = dice(8)
    let reads = 0
    const plain = new Float64Array(words * SLOTS + SLOTS).fill(0.25 / 100)
    plain.fill(0.25, words * SLOTS)
    const counts = new Proxy(plain, {
      get(target, key) {
        if (typeof key === "string" && /^\d+$/.test(key)) reads++
        return Reflect.get(target, key, target)
      },
      set: (target, key, value) => Reflect.set(target, key, value, target),
    })
    const params = new Float64Array(words * SLOTS + 2 * SLOTS)
    const start = {
      moments: counts,
      params,
      prior: Float64Array.of(1),
      strength: 1,
      added: 0,
      weight: 100,
      begun: 100,
      inertia: 0,
      holdsPrior: false,
      shrinks: false,
    }
    const steps = movingSets(SLOTS, 0, () => true, start)
    reads = 0
    for (let i = 0; i < DOCUMENTS; i++) {
      const set = new Set(Array.from({ length: LENGTH }, () => rolls.integer(words)))
      const counts = new Float64Array(set.size).fill(1)
      const bags = bagsOf(Int32Array.of(0, set.size), Int32Array.from(set), counts)
      const values = Float64Array.from({ length: SLOTS }, () => 0.1 * rolls.normal())
      steps.score(bags, () => true, 1, new Float64Array(SLOTS))
      const block = { rows: 1, weight: Float64Array.of(1), cells: [bags] }
      steps.take({ form: "each", values }, block)
      steps.step(block, {
        each: 0,
        due: 0,
        towards: 0,
        weight: 100,
        mean: 0.001,
        delivered: values,
        pull: 1e-6,
        pulledMass: new Float64Array(SLOTS),
        mass: Float64Array.from(plain.subarray(words * SLOTS), (mass, p) => mass + 0.001 * values[p]),
        halvings: 12,
      })
    }
    return reads
  }

  test("goes by the words of its documents, not by the vocabulary", () => {
    const met = DOCUMENTS * LENGTH * SLOTS
    expect(readsOf(1000)).toBeLessThan(8 * met)
    expect(readsOf(50_000)).toBeLessThan(8 * met)
  })
})

describe("documents as sets of words", () => {
  const rows = drawn(150, 200)
  const model = classes("y", independent({ t: wordSet(), x: gaussian() }))
  afterAll(() => useKernels("wasm"))

  test.each(["ncll", "hinge"] as const)(
    "are learned to the same bits in TypeScript, from a source, and resumed: %s",
    async loss => {
      const learner = sdem({ loss, epochs: 4 })
      useKernels("wasm")
      const written: Uint8Array[] = []
      const checkpoint = { read: () => undefined, write: (bytes: Uint8Array) => void written.push(bytes) }
      const found = JSON.stringify(await fit(model, rows as never, { learner, checkpoint }))
      const source = {
        async *[Symbol.asyncIterator]() {
          yield rows
        },
      }
      expect(JSON.stringify(await fit(model, source as never, { learner }))).toBe(found)
      for (const kernels of ["typescript", "wasm"] as const) {
        useKernels(kernels)
        expect(JSON.stringify(await fit(model, rows as never, { learner }))).toBe(found)
        const resumed = { read: () => written.at(-3), write: () => {} }
        expect(JSON.stringify(await fit(model, rows as never, { learner, checkpoint: resumed }))).toBe(found)
      }
    },
  )
})
