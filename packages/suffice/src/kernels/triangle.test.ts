import { describe, expect, test } from "vitest"
import { dice } from "../random.ts"
import { cholesky, invertLower, logDetFromCholesky, solveLower, solveUpper, triangle } from "./triangle.ts"

const OFFSET = 3

// A = M Mᵀ + d I, packed after three guard entries
function randomSymmetric(d: number, seed: number): Float64Array {
  const die = dice(seed)
  const m = Float64Array.from({ length: d * d }, () => die.normal())
  const a = new Float64Array(OFFSET + triangle(d) + OFFSET).fill(-77)
  for (let i = 0; i < d; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = i === j ? d : 0
      for (let k = 0; k < d; k++) sum += m[i * d + k] * m[j * d + k]
      a[OFFSET + triangle(i) + j] = sum
    }
  }
  return a
}

const at = (a: Float64Array, i: number, j: number) => (j <= i ? a[OFFSET + triangle(i) + j] : 0)
const symmetricAt = (a: Float64Array, i: number, j: number) => at(a, Math.max(i, j), Math.min(i, j))
const guards = (a: Float64Array) => [...a.slice(0, OFFSET), ...a.slice(-OFFSET)]

function product(d: number, left: (i: number, k: number) => number, right: (k: number, j: number) => number) {
  const out: number[] = []
  for (let i = 0; i < d; i++) {
    for (let j = 0; j < d; j++) {
      let sum = 0
      for (let k = 0; k < d; k++) sum += left(i, k) * right(k, j)
      out.push(sum)
    }
  }
  return out
}

const farthest = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((worst, x, i) => Math.max(worst, Math.abs(x - b[i])), 0)

describe.each([1, 2, 3, 7, 20])("d = %i", d => {
  const a = randomSymmetric(d, d)
  const l = a.slice()
  const failed = cholesky(l, OFFSET, d)
  const full = product(
    d,
    (i, k) => (i === k ? 1 : 0),
    (k, j) => symmetricAt(a, k, j),
  )

  test("L Lᵀ gives A back, and nothing beside the triangle is touched", () => {
    expect(failed).toBe(0)
    const back = product(
      d,
      (i, k) => at(l, i, k),
      (k, j) => at(l, j, k),
    )
    expect(farthest(back, full)).toBeLessThan(1e-12)
    expect(guards(l)).toEqual([-77, -77, -77, -77, -77, -77])
  })

  test("L⁻¹ L = I, also when inverted in place", () => {
    const inverse = new Float64Array(l.length).fill(-77)
    invertLower(l, OFFSET, d, inverse, OFFSET)
    const identity = product(
      d,
      (i, k) => at(inverse, i, k),
      (k, j) => at(l, k, j),
    )
    for (let i = 0; i < d * d; i++) expect(identity[i]).toBeCloseTo(i % (d + 1) === 0 ? 1 : 0, 12)
    expect(guards(inverse)).toEqual([-77, -77, -77, -77, -77, -77])
    const inPlace = l.slice()
    invertLower(inPlace, OFFSET, d, inPlace, OFFSET)
    expect(inPlace).toEqual(inverse)
  })

  test("solving with L and then with Lᵀ solves A x = b", () => {
    const x = Float64Array.from({ length: d + 2 }, (_, i) => i - d / 3)
    const b = x.slice()
    solveLower(l, OFFSET, d, x, 1)
    solveUpper(l, OFFSET, d, x, 1)
    for (let i = 0; i < d; i++) {
      let sum = 0
      for (let j = 0; j < d; j++) sum += symmetricAt(a, i, j) * x[1 + j]
      expect(sum).toBeCloseTo(b[1 + i], 11)
    }
    expect([x[0], x[d + 1]]).toEqual([b[0], b[d + 1]])
  })
})

test("ln |A| of [[4, 2], [2, 3]] is ln 8", () => {
  const a = Float64Array.from([4, 2, 3])
  expect(cholesky(a, 0, 2)).toBe(0)
  expect([...a]).toEqual([2, 1, Math.sqrt(2)])
  expect(logDetFromCholesky(a, 0, 2)).toBeCloseTo(Math.log(8), 14)
})

test("the first pivot that is not positive is named, counting from 1", () => {
  expect(cholesky(Float64Array.from([0]), 0, 1)).toBe(1)
  expect(cholesky(Float64Array.from([-1, 0, 1]), 0, 2)).toBe(1)
  expect(cholesky(Float64Array.from([1, 2, 1]), 0, 2)).toBe(2)
  expect(cholesky(Float64Array.from([1, 0, 1, 1, 1, 1]), 0, 3)).toBe(3)
  expect(cholesky(Float64Array.from([1, 0, NaN]), 0, 2)).toBe(2)
  expect(cholesky(Float64Array.from([Infinity]), 0, 1)).toBe(1)
})

test("the test of a pivot is relative: scaling a column never changes the verdict", () => {
  for (const scale of [1e-100, 1e-8, 1, 1e8, 1e100]) {
    const singular = Float64Array.from([1, scale, scale * scale * (1 + 1e-14)])
    const regular = Float64Array.from([1, scale, scale * scale * (1 + 1e-12)])
    expect([cholesky(singular, 0, 2), cholesky(regular, 0, 2)]).toEqual([2, 0])
  }
})
