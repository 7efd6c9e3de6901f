/** Forward, backward and best paths against all k^T paths. */
import { describe, expect, test } from "vitest"
import { dice } from "../random.ts"
import { bestPaths } from "./best-paths.ts"
import { backwardRows, type ChainSteps, forwardRows } from "./chain.ts"
import { backwardLogs, forwardLogs } from "./chain-logs.ts"
import { ChainTables, strideOf } from "./chain-tables.ts"
import { logSumExp } from "./log-sum-exp.ts"

interface Case {
  readonly k: number
  readonly from: number
  readonly to: number
  readonly tables: ChainTables
  /** ln b, state by state. */
  readonly scores: Float64Array
}

/** A random chain, some of whose transitions are impossible if `zeros`. */
function randomCase(seed: number, ends: boolean, zeros: boolean): Case {
  const draws = dice(seed)
  const k = 1 + draws.integer(3)
  const [from, length] = [draws.integer(3), 1 + draws.integer(5)]
  const tables = new ChainTables(k)
  const simplex = (count: number): Float64Array => {
    const out = new Float64Array(count)
    const alpha = new Float64Array(count).fill(1)
    if (zeros && count > 1) alpha[draws.integer(count)] = 1e-300
    draws.dirichlet(alpha, out)
    return out.map(p => (p < 1e-100 ? -Infinity : Math.log(p)))
  }
  tables.logInitial.set(simplex(k))
  for (let i = 0; i < k; i++) {
    const row = simplex(ends ? k + 1 : k)
    tables.logTransitions.set(row.subarray(0, k), i * k)
    if (ends) tables.logEnds[i] = row[k]
  }
  tables.ready()
  const scores = Float64Array.from({ length: (from + length) * k }, () => 3 * draws.normal())
  return { k, from, to: from + length, tables, scores }
}

function* pathsOf(k: number, length: number): Generator<number[]> {
  for (let code = 0; code < k ** length; code++)
    yield Array.from({ length }, (_, t) => Math.trunc(code / k ** t) % k)
}

function joint({ k, from, to, tables, scores }: Case, path: readonly number[]): number {
  let sum = tables.logInitial[path[0]] + tables.logEnds[path[path.length - 1]]
  for (let t = 0; t < to - from; t++) {
    sum += scores[path[t] * to + from + t]
    if (t > 0) sum += tables.logTransitions[path[t - 1] * k + path[t]]
  }
  return sum
}

/** ln L, γ and ξ by enumeration, and the best path. */
function brute(one: Case): {
  total: number
  gamma: Float64Array
  xi: Float64Array
  best: number[]
  height: number
} {
  const { k, from, to } = one
  const all = [...pathsOf(k, to - from)]
  const joints = Float64Array.from(all, path => joint(one, path))
  const total = logSumExp(joints, 0, joints.length, 1)
  const gamma = new Float64Array(to * k)
  const xi = new Float64Array(k * k)
  let best = 0
  all.forEach((path, n) => {
    const p = Math.exp(joints[n] - total)
    path.forEach((l, t) => {
      gamma[l * to + from + t] += p
      if (t > 0) xi[path[t - 1] * k + l] += p
    })
    if (joints[n] > joints[best]) best = n
  })
  return { total, gamma, xi, best: all[best], height: joints[best] }
}

function stepsOf(k: number, steps: number): ChainSteps {
  const matrix = (): Float64Array => new Float64Array(steps * strideOf(k))
  return { b: matrix(), alpha: matrix(), scale: new Float64Array(steps), tops: new Float64Array(steps) }
}

/** Σ ξ_ij ln a_ij */
function expectedLog({ logTransitions }: ChainTables, xi: Float64Array): number {
  return xi.reduce((sum, x, at) => (x > 0 ? sum + x * logTransitions[at] : sum), 0)
}

const close = (found: Float64Array, wanted: Float64Array): void => {
  for (let j = 0; j < wanted.length; j++) expect(found[j]).toBeCloseTo(wanted[j], 11)
}

for (const ends of [false, true]) {
  for (const zeros of [false, true]) {
    describe(`${ends ? "with" : "without"} ends, ${zeros ? "some" : "no"} transitions impossible`, () => {
      const cases = Array.from({ length: 60 }, (_, seed) => randomCase(seed, ends, zeros)).filter(
        one => brute(one).total > -Infinity,
      )

      test("scaled recursions are the sums over all paths", () => {
        for (const one of cases) {
          const { k, from, to, tables, scores } = one
          const wanted = brute(one)
          const held = stepsOf(k, to)
          const sums = new Float64Array(1)
          const offsets = Int32Array.of(from, to)
          forwardRows(tables, scores, 0, to, undefined, offsets, 1, held, sums)
          const scaledBy = held.tops.reduce((sum, top) => sum + top, 0)
          expect(sums[0] + scaledBy).toBeCloseTo(wanted.total, 11)
          const values = new Float64Array(to * k)
          const xi = new Float64Array(k * k).fill(1)
          const terms = new Float64Array(1)
          backwardRows(tables, held, offsets, 1, Float64Array.of(2), values, 0, to, xi, terms)
          close(
            values,
            wanted.gamma.map(p => 2 * p),
          )
          close(
            xi,
            wanted.xi.map(x => 1 + 2 * x),
          )
          expect(terms[0]).toBeCloseTo(expectedLog(tables, wanted.xi), 11)
        }
      })

      test("so are those in logarithms", () => {
        for (const one of cases) {
          const { k, from, to, tables, scores } = one
          const wanted = brute(one)
          const held = stepsOf(k, to)
          for (let t = from; t < to; t++)
            for (let l = 0; l < k; l++) held.b[t * strideOf(k) + l] = scores[l * to + t]
          const scratch = new Float64Array(3 * k)
          const total = forwardLogs(tables, held, from, to, scratch)
          expect(total).toBeCloseTo(wanted.total, 11)
          const values = new Float64Array(to * k)
          const xi = new Float64Array(k * k)
          const term = backwardLogs(tables, held, from, to, total, 1, values, 0, to, xi, scratch)
          close(values, wanted.gamma)
          close(xi, wanted.xi)
          expect(term).toBeCloseTo(expectedLog(tables, wanted.xi), 11)
        }
      })

      test("the best path is the best of all", () => {
        for (const one of cases) {
          const { from, to, tables, scores } = one
          const wanted = brute(one)
          const path = new Int32Array(to)
          const heights = new Float64Array(1)
          const offsets = Int32Array.of(from, to)
          bestPaths(tables, scores, 0, to, undefined, 0, offsets, 1, Int32Array.of(0), 0, path, heights)
          expect(heights[0]).toBeCloseTo(wanted.height, 11)
          expect([...path.subarray(from)]).toEqual(wanted.best)
        }
      })

      test("with a margin it is the best of all that have a bonus for each tag they miss, and with −∞ the best that keeps to the tags", () => {
        for (const one of cases) {
          const { k, from, to, tables, scores } = one
          const tags = Int32Array.from({ length: to }, (_, t) => ((t * 7) % (k + 1)) - 1)
          for (const margin of [0.7, -Infinity]) {
            const bonus = scores.map((score, at) => {
              const tag = tags[at % to]
              return tag >= 0 && tag !== Math.trunc(at / to) ? score + margin : score
            })
            const wanted = brute({ ...one, scores: bonus })
            const path = new Int32Array(to)
            const heights = new Float64Array(1)
            const offsets = Int32Array.of(from, to)
            bestPaths(tables, scores, 0, to, tags, margin, offsets, 1, Int32Array.of(5), 5, path, heights)
            if (wanted.height > -Infinity) expect([...path.subarray(from)]).toEqual(wanted.best)
            expect(heights[0]).toBeCloseTo(wanted.height, 11)
          }
        }
      })
    })
  }
}

test("what has underflowed is not trusted where transitions are impossible", () => {
  // 0 → 0, 1 → 1 only: the second step is impossible in 0, which the first one favours by 1e−400
  const tables = new ChainTables(2)
  tables.logInitial.fill(Math.log(0.5))
  tables.logTransitions.set([0, -Infinity, -Infinity, 0])
  tables.ready()
  const scores = Float64Array.of(0, -Infinity, -900, 0)
  const held = stepsOf(2, 2)
  const sums = new Float64Array(1)
  forwardRows(tables, scores, 0, 2, undefined, Int32Array.of(0, 2), 1, held, sums)
  expect(sums[0]).toBeNaN()
  held.b.set([0, -900, 0, 0, -Infinity, 0])
  expect(forwardLogs(tables, held, 0, 2, new Float64Array(2))).toBeCloseTo(Math.log(0.5) - 900, 9)
})

test("an impossible sequence has no path", () => {
  const tables = new ChainTables(2)
  tables.logInitial.set([0, -Infinity])
  tables.logTransitions.set([0, -Infinity, 0, -Infinity])
  tables.ready()
  const scores = Float64Array.of(0, -Infinity, 0, 0)
  const held = stepsOf(2, 2)
  held.b.set([0, 0, 0, 0, -Infinity, 0])
  expect(forwardLogs(tables, held, 0, 2, new Float64Array(2))).toBe(-Infinity)
  const [path, heights] = [new Int32Array(2), new Float64Array(1)]
  const offsets = Int32Array.of(0, 2)
  bestPaths(tables, scores, 0, 2, undefined, 0, offsets, 1, Int32Array.of(0), 0, path, heights)
  expect([heights[0], ...path]).toEqual([-Infinity, -1, -1])
})
