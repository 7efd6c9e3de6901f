/** Rows stay with the kernels from the upward to the downward pass, in the work that `score` returns. Whatever comes between, a leaf says of a block what a fresh one would. */

import { absorb } from "suffice-laws/probe"
import { afterAll, describe, expect, test } from "vitest"
import type { Block, Weights } from "../../contract/block.ts"
import type { Leaf, Work } from "../../contract/leaf.ts"
import { useKernels } from "../../kernels/fast/use.ts"
import { dice } from "../../random.ts"
import { type Covariance, normalFamily } from "./normal.ts"

const D = 5
const SLOTS = 3
const ROWS = 37
const random = dice(11)

function bind(covariance: Covariance, places = [0, 1, 2, 3, 4]): Leaf {
  const columns = Array.from({ length: D }, (_, j) => ({
    kind: "number" as const,
    name: `x${j}`,
    shift: 0,
    scale: 1,
    variance: 1,
  }))
  return normalFamily({ covariance }).bind(columns, places, SLOTS)
}

function fill(block: Block, missing: number): void {
  for (const cells of block.cells as readonly Float64Array[]) {
    for (let i = 0; i < ROWS; i++)
      cells[i] = random.uniform() < missing ? Number.NaN : random.normal() + (i % 3)
  }
}

const blank = (columns = D): Block => ({
  rows: ROWS,
  weight: new Float64Array(ROWS).fill(1),
  cells: Array.from({ length: columns }, () => new Float64Array(ROWS)),
})

function scored(leaf: Leaf, block: Block, params: Float64Array): Float64Array {
  const out = new Float64Array(SLOTS * ROWS)
  leaf.score(block, params, out)
  return out
}

function workOf(leaf: Leaf, block: Block, params: Float64Array, reuse?: Work): Work {
  return leaf.score(block, params, new Float64Array(SLOTS * ROWS), false, reuse)
}

function absorbed(
  leaf: Leaf,
  block: Block,
  params: Float64Array,
  weights: Weights,
  work?: Work,
): Float64Array {
  const stats = new Float64Array(leaf.shape.statistics)
  absorb(leaf, block, params, weights, stats, work)
  return stats
}

const each: Weights = {
  form: "each",
  values: Float64Array.from({ length: SLOTS * ROWS }, (_, j) => (j % 7 === 0 ? 0 : random.uniform())),
}
const one: Weights = {
  form: "one",
  slot: Int32Array.from({ length: ROWS }, (_, i) => (i * i) % SLOTS),
  weight: Float64Array.from({ length: ROWS }, (_, i) => (i % 5 === 0 ? 0 : random.uniform())),
}

afterAll(() => useKernels("wasm"))

describe.each(["wasm", "typescript"] as const)("%s:", kernels => {
  test.each(["full", "tied", "diag", "spherical"] as const)("%s", covariance => {
    useKernels(kernels)
    const leaf = bind(covariance)
    const other = bind(covariance)
    const params = new Float64Array(leaf.shape.parameters)
    const prior = new Float64Array(leaf.shape.statistics)
    leaf.prior(prior)
    leaf.solve(prior, 0, params)
    const fresh = (block: Block, weights: Weights) => absorbed(bind(covariance), block, params, weights)
    const room = blank()
    for (const missing of [0, 0.1, 0]) {
      for (const weights of [each, one]) {
        // up and down; then down again, and without an upward pass
        const block = { ...room }
        fill(block, missing)
        expect(scored(leaf, block, params)).toEqual(scored(bind(covariance), block, params))
        const first = workOf(leaf, block, params)
        for (const work of [first, first, undefined])
          expect(absorbed(leaf, block, params, weights, work)).toEqual(fresh(block, weights))
        // another leaf in between, and a question about a column
        const elsewhere = blank()
        fill(elsewhere, missing)
        scored(other, elsewhere, params)
        leaf.numbers?.expect(block, params, 1, 2, new Float64Array(ROWS), new Float64Array(ROWS))
        expect(absorbed(leaf, block, params, weights, first)).toEqual(fresh(block, weights))
        // two blocks up, then both down
        const second = workOf(leaf, elsewhere, params)
        expect(absorbed(leaf, block, params, weights, first)).toEqual(fresh(block, weights))
        expect(absorbed(leaf, elsewhere, params, weights, second)).toEqual(fresh(elsewhere, weights))
        // other rows in the same arrays, and a work that is used again
        fill(room, missing)
        const next = { ...room }
        const again = workOf(leaf, next, params, first)
        expect(again).toBe(first)
        expect(absorbed(leaf, next, params, weights, again)).toEqual(fresh(next, weights))
      }
    }
  })
})
