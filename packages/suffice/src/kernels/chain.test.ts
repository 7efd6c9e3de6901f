/** Forward, backward and best paths against all k^T paths. */
import { describe, expect, test } from "vitest"
import { dice } from "../random.ts"
import { backward, backwardLogs, bestPath, ChainTables, forward, forwardLogs, IMPOSSIBLE } from "./chain.ts"
import { logSumExp } from "./log-sum-exp.ts"

interface Case {
  readonly k: number
  readonly from: number
  readonly to: number
  readonly tables: ChainTables
  /** ln b, at most 0 and with 0 at each step. */
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
  for (let t = from; t < from + length; t++) {
    const own = scores.subarray(t * k, (t + 1) * k)
    const top = Math.max(...own)
    for (let l = 0; l < k; l++) own[l] -= top
  }
  return { k, from, to: from + length, tables, scores }
}

function* pathsOf(k: number, length: number): Generator<number[]> {
  for (let code = 0; code < k ** length; code++)
    yield Array.from({ length }, (_, t) => Math.trunc(code / k ** t) % k)
}

function joint({ k, from, to, tables, scores }: Case, path: readonly number[]): number {
  let sum = tables.logInitial[path[0]] + tables.logEnds[path[path.length - 1]]
  for (let t = 0; t < to - from; t++) {
    sum += scores[(from + t) * k + path[t]]
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
      gamma[(from + t) * k + l] += p
      if (t > 0) xi[path[t - 1] * k + l] += p
    })
    if (joints[n] > joints[best]) best = n
  })
  return { total, gamma, xi, best: all[best], height: joints[best] }
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
          const b = scores.map(score => Math.exp(score))
          const alpha = new Float64Array(to * k)
          const scale = new Float64Array(to)
          expect(forward(tables, b, from, to, alpha, scale)).toBeCloseTo(wanted.total, 11)
          const gamma = new Float64Array(to * k)
          const xi = new Float64Array(k * k).fill(1)
          const scratch = new Float64Array(3 * k + k * k)
          expect(backward(tables, b, from, to, alpha, scale, 2, gamma, xi, scratch)).toBe(true)
          close(gamma, wanted.gamma)
          close(
            xi,
            wanted.xi.map(x => 1 + 2 * x),
          )
        }
      })

      test("so are those in logarithms", () => {
        for (const one of cases) {
          const { k, from, to, tables, scores } = one
          const wanted = brute(one)
          const alpha = new Float64Array(to * k)
          const scratch = new Float64Array(3 * k + k * k)
          const total = forwardLogs(tables, scores, from, to, alpha, scratch)
          expect(total).toBeCloseTo(wanted.total, 11)
          const gamma = new Float64Array(to * k)
          const xi = new Float64Array(k * k)
          backwardLogs(tables, scores, from, to, alpha, total, 1, gamma, xi, scratch)
          close(gamma, wanted.gamma)
          close(xi, wanted.xi)
        }
      })

      test("the best path is the best of all", () => {
        for (const one of cases) {
          const { k, from, to, tables, scores } = one
          const wanted = brute(one)
          const path = new Int32Array(to)
          const height = bestPath(
            tables,
            scores,
            from,
            to,
            path,
            new Int32Array(to * k),
            new Float64Array(2 * k),
          )
          expect(height).toBeCloseTo(wanted.height, 11)
          expect([...path.subarray(from)]).toEqual(wanted.best)
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
  const scores = Float64Array.of(0, -900, -Infinity, 0)
  const b = Float64Array.of(1, 0, IMPOSSIBLE, 1)
  const alpha = new Float64Array(4)
  expect(forward(tables, b, 0, 2, alpha, new Float64Array(2))).toBeNaN()
  expect(forwardLogs(tables, scores, 0, 2, alpha, new Float64Array(2))).toBeCloseTo(Math.log(0.5) - 900, 9)
})

test("an impossible sequence has no path", () => {
  const tables = new ChainTables(2)
  tables.logInitial.set([0, -Infinity])
  tables.logTransitions.set([0, -Infinity, 0, -Infinity])
  tables.ready()
  const scores = Float64Array.of(0, 0, -Infinity, 0)
  expect(forwardLogs(tables, scores, 0, 2, new Float64Array(4), new Float64Array(2))).toBe(-Infinity)
  const path = new Int32Array(2)
  expect(bestPath(tables, scores, 0, 2, path, new Int32Array(4), new Float64Array(4))).toBe(-Infinity)
  expect([...path]).toEqual([-1, -1])
})
