/** Chains in TypeScript and wasm give the same bits, on whatever they are given. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { dice } from "../random.ts"
import * as paths from "./best-paths.ts"
import * as recursions from "./chain.ts"
import { ChainTables, strideOf } from "./chain-tables.ts"
import { useKernels } from "./fast/use.ts"
import { fastKernels, type Kernels } from "./twins.ts"

useKernels("wasm")
const wasm: recursions.ChainKernels = fastKernels() as Kernels
const typescript: recursions.ChainKernels = { ...recursions, ...paths }

const shapes = fc.record({
  seed: fc.nat(),
  states: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(16, 22, 33)),
  rows: fc.integer({ min: 1, max: 9 }),
  longest: fc.constantFrom<number[]>(1, 5, 40, 300),
  ends: fc.boolean(),
  /** Structural zeros, states and steps that are impossible, far tails. */
  odd: fc.constantFrom(0, 0.02, 0.3),
  tagged: fc.constantFrom(undefined, 0.3, 1),
})
type Shape = typeof shapes extends fc.Arbitrary<infer T> ? T : never

function make({ seed, states: k, rows, longest, ends, odd, tagged }: Shape) {
  const die = dice(seed)
  const table = new ChainTables(k)
  const fill = (logs: Float64Array): void => {
    for (let j = 0; j < logs.length; j++)
      logs[j] = die.uniform() < odd / 4 ? -Infinity : Math.log(die.uniform())
  }
  fill(table.logInitial)
  fill(table.logTransitions)
  if (ends) fill(table.logEnds)
  table.ready()
  const offsets = new Int32Array(rows + 1)
  for (let i = 0; i < rows; i++) offsets[i + 1] = offsets[i] + die.integer(longest + 1)
  const S = offsets[rows]
  const contexts = 1 + die.integer(2)
  const scores = Float64Array.from({ length: contexts * k * S }, () => {
    if (die.uniform() >= odd) return 5 * die.normal()
    return die.uniform() < 0.3 ? -Infinity : -700 * die.uniform()
  })
  for (let t = 0; t < S; t++)
    if (die.uniform() < odd / 4) for (let at = t; at < scores.length; at += S) scores[at] = -Infinity
  const tags =
    tagged === undefined
      ? undefined
      : Int32Array.from({ length: S }, () => (die.uniform() < tagged ? die.integer(k) : -1))
  const weights = Float64Array.from({ length: rows }, () => (die.uniform() < 0.2 ? 0 : die.normal()))
  return {
    k,
    table,
    offsets,
    S,
    rows,
    scores,
    at: (contexts - 1) * S,
    column: contexts * S,
    tags,
    weights,
    die,
  }
}

const check = (law: (shape: Shape) => void): void =>
  fc.assert(fc.property(shapes, law), { seed: 5, numRuns: Number(process.env.LAWS_RUNS ?? 60) })

function same(ours: Float64Array | Int32Array, theirs: Float64Array | Int32Array, what: string): void {
  for (let i = 0; i < ours.length; i++)
    if (!Object.is(ours[i], theirs[i])) expect([what, i, theirs[i]]).toEqual([what, i, ours[i]])
}

test("forward, and backward with ξ", () => {
  let redone = 0
  check(shape => {
    const { k, table, offsets, S, rows, scores, at, column, tags, weights } = make(shape)
    const matrix = (): Float64Array => new Float64Array(S * strideOf(k))
    const run = (kernels: recursions.ChainKernels) => {
      const held = { b: matrix(), alpha: matrix(), scale: new Float64Array(S), tops: new Float64Array(S) }
      const sums = new Float64Array(rows)
      kernels.forwardRows(table, scores, at, column, tags, offsets, rows, held, sums)
      const known = weights.map((w, i) => (Number.isNaN(sums[i]) ? 0 : w))
      const values = scores.slice()
      const counts = new Float64Array(k * k).fill(0.25)
      const terms = new Float64Array(rows)
      kernels.backwardRows(table, held, offsets, rows, known, values, at, column, counts, terms)
      // what is redone in logarithms is written anew
      for (let i = 0; i < rows; i++) {
        const [from, to] = [offsets[i], offsets[i + 1]]
        if (Number.isNaN(sums[i])) {
          redone++
          held.alpha.fill(0, from * strideOf(k), to * strideOf(k))
          held.scale.fill(0, from, to)
        }
        if (Number.isNaN(terms[i]))
          for (let l = 0; l < k; l++) values.fill(0, at + l * column + from, at + l * column + to)
      }
      return { ...held, sums, values, counts, terms }
    }
    const [ours, theirs] = [run(typescript), run(wasm)]
    for (const what of Object.keys(ours) as (keyof typeof ours)[]) same(ours[what], theirs[what], what)
  })
  expect(redone).toBeGreaterThan(10)
})

test("best paths, with any margin, of the rows that are wanted", () => {
  check(shape => {
    const { k, table, offsets, S, rows, scores, at, column, tags, die } = make(shape)
    const wanted = Int32Array.from({ length: rows }, () => die.integer(2))
    // ties
    const rounded = scores.map(Math.round)
    for (const margin of [0, 1.5, -Infinity]) {
      const [ours, theirs] = [typescript, wasm].map(kernels => {
        const path = new Int32Array(S).fill(k)
        const heights = new Float64Array(rows).fill(7)
        kernels.bestPaths(table, rounded, at, column, tags, margin, offsets, rows, wanted, 1, path, heights)
        return { path, heights }
      })
      same(ours.path, theirs.path, "path")
      same(ours.heights, theirs.heights, "heights")
    }
    // what one sequence leaves for those who go on from it
    const [first, last] = [typescript, wasm].map(kernels => {
      const ways = { pointers: new Uint16Array(S * k), at: 0, last: new Float64Array(k) }
      const one = Int32Array.of(0)
      const whole = Int32Array.of(0, S)
      const [path, height] = [new Int32Array(S), new Float64Array(1)]
      kernels.bestPaths(table, rounded, at, column, tags, 0, whole, 1, one, 0, path, height, ways)
      return ways
    })
    same(Int32Array.from(first.pointers), Int32Array.from(last.pointers), "pointers")
    same(first.last, last.last, "the last step")
  })
})

test("more than there is memory for goes to the plain twin", () => {
  const { table, offsets, S, rows, scores, at, column, tags } = make({
    seed: 1,
    states: 33,
    rows: 9,
    longest: 3000,
    ends: true,
    odd: 0,
    tagged: undefined,
  })
  expect(S * 36 * 3).toBeGreaterThan(2 ** 20)
  const [ours, theirs] = [typescript, wasm].map(kernels => {
    const matrix = (): Float64Array => new Float64Array(S * 36)
    const held = { b: matrix(), alpha: matrix(), scale: new Float64Array(S), tops: new Float64Array(S) }
    const sums = new Float64Array(rows)
    kernels.forwardRows(table, scores, at, column, tags, offsets, rows, held, sums)
    return sums
  })
  same(ours, theirs, "sums")
})
