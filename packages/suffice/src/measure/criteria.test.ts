import { expect, test } from "vitest"
import type { Fitted } from "../fit/fitted.ts"
import { em, fit, gaussian, independent, mixture } from "../index.ts"
import { informationCriteria } from "./criteria.ts"

test("AIC = 2·free − 2L, BIC = free·ln n − 2L, ICL = BIC + 2·entropy", () => {
  const { aic, bic, icl } = informationCriteria(3, { rows: 8, weight: 8, logLikelihood: -10, entropy: 1.5 })
  expect(aic).toBe(26)
  expect(bic).toBeCloseTo(3 * Math.log(8) + 20, 13)
  expect(icl).toBeCloseTo(3 * Math.log(8) + 20 + 3, 13)
})

test("a model that saw no rows has none", () => {
  expect(() => informationCriteria(3, undefined)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: the model was not fitted to rows. Information criteria weigh its likelihood on them. Fit it first.]`,
  )
})

test("after an update of something hidden there are none", () => {
  const training = { rows: 8, weight: 8, logLikelihood: -10, entropy: 1.5, continued: true } as const
  expect(() => informationCriteria(3, training)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: the model was updated from statistics that are not counts of rows: something was guessed in them, or they were specified. The likelihood of earlier rows cannot be had from those. Fit the model to all rows at once.]`,
  )
})

test("rows that weigh less than one row together are refused: ln n would pay for parameters", async () => {
  const rows = [1, 2, 3, 4].map(x => ({ x, w: 0.02, share: 0.25 }))
  const weighed = (weight: string) => fit(independent({ x: gaussian() }), rows, { weight })
  const light = await weighed("w")
  expect(() => light.criteria()).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: the 4 rows together weigh 0.08. Their weight stands for the number of rows, and ln 0.08 would charge nothing for a parameter, or pay for it. Fit with weights whose mean is about 1.]`,
  )
  // weights that add up to 1 would charge nothing
  const shares = await weighed("share")
  expect(() => shares.criteria()).toThrow("whose mean is about 1")
  const sevenths = await fit(
    independent({ x: gaussian() }),
    [1, 2, 3, 4, 5, 6, 7].map(x => ({ x, w: 1 / 7 })),
    { weight: "w" },
  )
  expect(() => sevenths.criteria()).toThrow("whose mean is about 1")
  // one row of weight 1 is one row
  expect((await fit(independent({ x: gaussian() }), [{ x: 1 }])).criteria().bic).toBeTypeOf("number")
})

test("of one Gaussian on three numbers, by hand", async () => {
  // mean 2, variance 2/3: L = −3/2 (ln 2π·2/3 + 1)
  const fitted = await fit(independent({ x: gaussian() }), { x: [1, 2, 3] }, { learner: em({ prior: 0 }) })
  const logLikelihood = -1.5 * (Math.log((2 * Math.PI * 2) / 3) + 1)
  const found = fitted.criteria()
  expect(found).toEqual({
    free: 2,
    logLikelihood: expect.closeTo(logLikelihood, 12),
    aic: expect.closeTo(4 - 2 * logLikelihood, 12),
    bic: expect.closeTo(2 * Math.log(3) - 2 * logLikelihood, 12),
    icl: expect.closeTo(2 * Math.log(3) - 2 * logLikelihood, 12),
  })
})

test("n is the total weight", async () => {
  const once = await fit(
    independent({ x: gaussian() }),
    { x: [1, 1, 2, 3, 3, 3] },
    { learner: em({ prior: 0 }) },
  )
  const weighed = await fit(
    independent({ x: gaussian() }),
    { x: [1, 2, 3], w: [2, 1, 3] },
    { learner: em({ prior: 0 }), weight: "w" },
  )
  expect(weighed.criteria().bic).toBeCloseTo(once.criteria().bic, 12)
})

test("the entropy of a mixture is that of its responsibilities", async () => {
  const rows = [-3, -2.5, -2, 0, 2, 2.5, 3].map(x => ({ x }))
  const fitted = (await fit(mixture(2, independent({ x: gaussian() })), rows)) as Fitted
  const entropy = fitted.responsibilities(rows).reduce((sum, r) => (r > 0 ? sum - r * Math.log(r) : sum), 0)
  expect(entropy).toBeGreaterThan(0.01)
  const { bic, icl, free } = fitted.criteria()
  expect(icl - bic).toBeCloseTo(2 * entropy, 10)
  expect(free).toBe(1 + 2 * 2)
})
