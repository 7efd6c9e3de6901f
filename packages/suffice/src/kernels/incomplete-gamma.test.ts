import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { gammaAbove } from "./incomplete-gamma.ts"

const golden: Record<string, number[]> = JSON.parse(
  readFileSync(new URL("../../../../checks/golden/kernels.json", import.meta.url), "utf8"),
)

test("Q(a, x) agrees with mpmath, whole a from 1 to 9e15", () => {
  const table = golden.gammaAbove
  expect(table.length).toBeGreaterThan(400)
  for (let i = 0; i < table.length; i += 4) {
    const [a, x, y, rest] = table.slice(i, i + 4)
    const error = Math.abs(gammaAbove(a, x) - y - rest)
    expect(error, `Q(${a}, ${x})`).toBeLessThan(1e-14)
    expect(error / y, `Q(${a}, ${x}), relative`).toBeLessThan(y > 1e-30 ? 1e-11 : 1e-6)
  }
})

test("Q(n + 1, λ) is the sum of the first n + 1 probabilities of a count", () => {
  for (const rate of [0.001, 0.7, 5, 31, 33, 200, 700]) {
    let term = Math.exp(-rate)
    let sum = 0
    for (let n = 0; n < 2 * rate + 40; n++) {
      sum += term
      expect(gammaAbove(n + 1, rate)).toBeCloseTo(sum, 13)
      term *= rate / (n + 1)
    }
  }
})

test("Q(a + 1, x) = Q(a, x) + x^a e^−x / Γ(a + 1), across the boundaries of the methods", () => {
  for (const x of [31.5, 998.5, 1000, 1033]) {
    for (let a = 1, logTerm = Math.log(x) - x; a < 1100; logTerm += Math.log(x / ++a)) {
      // logTerm = ln( x^a e^−x / a! )
      const step = gammaAbove(a + 1, x) - gammaAbove(a, x)
      expect(Math.abs(step - Math.exp(logTerm))).toBeLessThan(2e-14)
    }
  }
})

test("Q falls from 1 to 0 in x and is ½ near x = a, however large a is", () => {
  for (const a of [1, 2, 999, 1000, 1e8, 2 ** 53]) {
    let before = 1
    for (let z = -12; z <= 12; z += 0.25) {
      const x = a + z * Math.sqrt(a)
      if (x < 0) continue
      const now = gammaAbove(a, x)
      expect(now).toBeLessThanOrEqual(before)
      before = now
    }
    expect(before).toBeLessThan(1e-3)
    expect(Math.abs(gammaAbove(a, a) - 0.5)).toBeLessThan(0.14 / Math.sqrt(a) + 1e-15)
  }
})

test("Q is 1 at x = 0 and far below a, 0 far above it", () => {
  expect([gammaAbove(1, 0), gammaAbove(401, 1), gammaAbove(1e15, 1), gammaAbove(Infinity, 3)]).toEqual([
    1, 1, 1, 1,
  ])
  expect([gammaAbove(2, 1e15), gammaAbove(1e6, 1e15), gammaAbove(3, Infinity)]).toEqual([0, 0, 0])
})

test("1 − Q(a, x) agrees with scipy at any shape", () => {
  const file = readFileSync(new URL("../../../../checks/golden/supports.json", import.meta.url), "utf8")
  const { a, x, y } = JSON.parse(file).functions.gammaBelow as Record<"a" | "x" | "y", number[]>
  y.forEach((below, i) => {
    expect(Math.abs(1 - gammaAbove(a[i], x[i]) - below), `P(${a[i]}, ${x[i]})`).toBeLessThan(2e-14)
  })
})
