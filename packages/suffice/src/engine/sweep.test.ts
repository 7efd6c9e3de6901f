import { describe, expect, test } from "vitest"
import type { Block, Chunk } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { dice } from "../random.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { lay, priorOf, solve, value } from "./lay.ts"
import { rootWeights, sweep } from "./sweep.ts"
import { SweepTotal } from "./sweep-total.ts"

const columns: Column[] = [
  { kind: "level", name: "y", levels: ["a", "b"] },
  { kind: "number", name: "x", shift: 0, scale: 1, variance: 1 },
  { kind: "level", name: "u", levels: ["r", "s", "t"] },
]
const roll = dice(4)
function blockOf(rows: number, missing: number): Block {
  const some = <T>(value: T, none: T): T => (roll.uniform() < missing ? none : value)
  return {
    rows,
    weight: Float64Array.from({ length: rows }, () => roll.uniform()),
    cells: [
      Int32Array.from({ length: rows }, () => some(roll.integer(2), -1)),
      Float64Array.from({ length: rows }, () => some(roll.normal(), Number.NaN)),
      Int32Array.from({ length: rows }, () => some(roll.integer(3), -1)),
    ],
  }
}
const naive = lay(classes("y", independent({ x: gaussian(), u: categorical() })) as Model, columns)
const mixed = lay(mixture(3, classes("y", independent({ x: gaussian() }))) as Model, columns)
const thetaOf = (laid: typeof naive): Float64Array =>
  solve(
    laid,
    priorOf(laid).map((alpha, j) => alpha + 0.1 + 0.05 * (j % 5)),
    0,
  ).params

describe("a sweep", () => {
  test("adds: the statistics of two chunks are the sum of their statistics", async () => {
    for (const laid of [naive, mixed]) {
      const params = thetaOf(laid)
      const [a, b]: Chunk[] = [[blockOf(256, 0.2), blockOf(100, 0.2)], [blockOf(7, 0.2)]]
      const both = await sweep(laid, [a, b], params, { certain: false })
      const one = await sweep(laid, [a], params, { certain: false })
      const other = await sweep(laid, [b], params, { certain: false })
      expect([...both.stats]).toEqual([...one.stats].map((stat, j) => stat + other.stats[j]))
      expect(both.logLikelihood).toBe(one.logLikelihood! + other.logLikelihood!)
      expect(both.entropy).toBeCloseTo(one.entropy + other.entropy, 10)
    }
  })

  test("of rows that hide nothing needs no upward pass: value(stats, θ) is their log-likelihood", async () => {
    const chunk = [blockOf(200, 0)]
    const params = thetaOf(naive)
    const down = await sweep(naive, [chunk], params, { certain: true })
    const both = await sweep(naive, [chunk], params, { certain: false })
    expect(down.stats).toEqual(both.stats)
    expect(down).toMatchObject({ logLikelihood: undefined, entropy: 0, guessed: false })
    expect(both.guessed).toBe(false)
    expect(value(naive, down.stats, params)).toBeCloseTo(both.logLikelihood!, 9)
  })

  test("of nothing is nothing", async () => {
    const { stats, logLikelihood } = await sweep(naive, [], thetaOf(naive), { certain: false })
    expect(stats.every(stat => stat === 0)).toBe(true)
    expect(logLikelihood).toBe(0)
  })

  test("goes by weight: a row of weight w is the row w times", async () => {
    const params = thetaOf(mixed)
    const one = blockOf(1, 0)
    const weighed = { ...one, weight: Float64Array.of(3) }
    const repeated = {
      rows: 3,
      weight: Float64Array.of(1, 1, 1),
      cells: one.cells.map(held => {
        const [cell] = held as Float64Array
        return held instanceof Int32Array
          ? Int32Array.of(cell, cell, cell)
          : Float64Array.of(cell, cell, cell)
      }),
    }
    const a = await sweep(mixed, [[weighed]], params, { certain: false })
    const b = await sweep(mixed, [[repeated]], params, { certain: false })
    expect([...a.stats]).toEqual([...b.stats].map(stat => expect.closeTo(stat, 12)))
  })

  test("stops at an abort between two blocks, and before the first", async () => {
    const controller = new AbortController()
    let blocks = 0
    function* chunks(): Generator<Chunk> {
      for (;;) {
        if (++blocks === 3) controller.abort(new Error("enough"))
        yield [blockOf(2, 0)]
      }
    }
    const options = { certain: false, signal: controller.signal }
    await expect(sweep(mixed, chunks(), thetaOf(mixed), options)).rejects.toThrow("enough")
    expect(blocks).toBe(3)
    await expect(sweep(mixed, chunks(), thetaOf(mixed), options)).rejects.toThrow("enough")
    expect(blocks).toBe(4)
  })

  test("pauses, so that a timer can abort it", async () => {
    const controller = new AbortController()
    const block = blockOf(256, 0)
    const endless: Iterable<Chunk> = {
      *[Symbol.iterator]() {
        for (;;) yield [block, block]
      },
    }
    setTimeout(() => controller.abort(new Error("enough")), 10)
    await expect(
      sweep(mixed, endless, thetaOf(mixed), { certain: false, signal: controller.signal }),
    ).rejects.toThrow("enough")
  })
})

test("every row belongs to the root's one context, with its own weight", () => {
  const block = blockOf(3, 0)
  const weights = rootWeights(block)
  expect(weights).toMatchObject({ form: "one", weight: block.weight })
  expect(weights.form === "one" && [...weights.slot.slice(0, 3)]).toEqual([0, 0, 0])
})

test("a total of chunks that came in one piece of memory stands in memory of its own", () => {
  const gathered = Float64Array.of(1, 2, 10, 20)
  const total = new SweepTotal()
  for (const stats of [gathered.subarray(0, 2), gathered.subarray(2)])
    total.add({ stats, logLikelihood: 1, entropy: 0, guessed: false })
  const { stats } = total.sweep(false, 2)
  expect([...stats]).toEqual([11, 22])
  expect(stats.buffer.byteLength).toBe(16)
  expect([...new SweepTotal().sweep(true, 2).stats]).toEqual([0, 0])
})

test("64 chunks are summed to a stretch, and stretches to the total, whoever sums them", () => {
  const roll = dice(5)
  const chunks = Array.from({ length: 150 }, () => ({
    stats: Float64Array.from({ length: 3 }, () => roll.normal()),
    logLikelihood: roll.normal(),
    entropy: roll.uniform(),
    guessed: false,
  }))
  const copy = (at: number) => ({ ...chunks[at], stats: chunks[at].stats.slice() })
  const total = new SweepTotal()
  chunks.forEach((_, c) => void total.add(copy(c)))
  const elsewhere = new SweepTotal()
  for (let first = 0; first < 128; first += 64) {
    const stretch = new SweepTotal()
    for (let c = first; c < first + 64; c++) stretch.add(copy(c))
    elsewhere.addStretch(stretch.ended())
  }
  for (let c = 128; c < 150; c++) elsewhere.add(copy(c))
  expect(elsewhere.sweep(false, 3)).toEqual(total.sweep(false, 3))
  const byHand = [0, 64, 128].map(first => {
    const own = chunks.slice(first, first + 64)
    return own.slice(1).reduce((sum, { logLikelihood }) => sum + logLikelihood, own[0].logLikelihood)
  })
  expect(total.sweep(false, 3).logLikelihood).toBe(byHand[0] + byHand[1] + byHand[2])
})
