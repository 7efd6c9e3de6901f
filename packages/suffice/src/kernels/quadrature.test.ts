import { expect, test } from "vitest"
import { integrate } from "./quadrature.ts"

const always = () => true

/** ∫_0^1 f by panels that are halved until both agree to 1e-13. */
const adaptive = (f: (t: number) => number): number =>
  integrate(
    1,
    (t, weight, out) => {
      out[0] += weight * f(t)
    },
    ([coarse], [halves]) => Math.abs(coarse - halves) < 1e-13,
  )[0]

test("polynomials up to degree 23 are integrated exactly by every panel, degree 24 is not", () => {
  const power = (degree: number): [coarse: number, halves: number] => {
    let coarse = 0
    const [halves] = integrate(
      1,
      (t, weight, out) => {
        out[0] += weight * t ** degree
      },
      (whole, _halves) => {
        coarse = whole[0]
        return true
      },
    )
    return [coarse * (degree + 1), halves * (degree + 1)]
  }
  for (let degree = 0; degree <= 23; degree++) {
    for (const value of power(degree)) expect(Math.abs(value - 1)).toBeLessThan(1e-14)
  }
  expect(Math.abs(power(24)[0] - 1)).toBeGreaterThan(1e-14)
})

test("the nodes are the roots of the twelfth Legendre polynomial", () => {
  const nodes: number[] = []
  integrate(1, t => nodes.push(2 * t - 1), always)
  for (const x of nodes.slice(0, 12)) {
    let [before, here] = [1, x]
    // (n + 1) P_{n+1} = (2n + 1) x P_n − n P_{n−1}
    for (let n = 1; n < 12; n++) [before, here] = [here, ((2 * n + 1) * x * here - n * before) / (n + 1)]
    expect(Math.abs(here)).toBeLessThan(1e-13)
  }
})

test("a step of width 1e-5 is found and integrated to rounding", () => {
  const at = 0.3217
  const logistic = (t: number): number => 1 / (1 + Math.exp(-(t - at) * 1e5))
  // ∫ = ln(1 + e^{u}) / 1e5 between both ends; e^{−32170} = 0
  expect(Math.abs(adaptive(logistic) - (1 - at))).toBeLessThan(1e-12)
})

test("who is never content gets an answer all the same", () => {
  const [value] = integrate(
    1,
    (t, weight, out) => {
      out[0] += weight * t
    },
    () => false,
  )
  expect(value).toBeCloseTo(0.5, 12)
})
