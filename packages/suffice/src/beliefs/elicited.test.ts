/** Priors in the units of the data: every way to make one improper is refused in a sentence. */
import { describe, expect, test } from "vitest"
import {
  bernoulli,
  categorical,
  classes,
  exponential,
  fit,
  gaussian,
  geometric,
  independent,
  linear,
  logNormal,
  mixture,
  multinomial,
  normal,
  poisson,
  wordSet,
} from "../index.ts"
import { bayes } from "../learn.ts"

const rows = [
  { x: 1, z: 2, k: "a", n: 1, b: true, t: "sun moon" },
  { x: 2, z: 1, k: "b", n: 2, b: false, t: "sun" },
]

async function refusal(model: () => unknown, data: readonly object[] = rows): Promise<string> {
  try {
    await fit(model() as never, data as never, { learner: bayes() })
  } catch (error) {
    return (error as Error).message
  }
  return "it went through"
}

const mean = { x: 0, z: 0 }
const line = { intercept: 0, coefficients: { z: 1 }, strength: 1, sd: 1, degrees: 1 }

test.each<[string, (prior: never) => unknown]>([
  ["bernoulli", prior => independent({ b: bernoulli({ prior }) })],
  ["categorical", prior => independent({ k: categorical({ prior }) })],
  ["multinomial", prior => independent({ t: multinomial({ prior }) })],
  ["wordSet", prior => independent({ t: wordSet({ prior }) })],
  ["poisson", prior => independent({ n: poisson({ prior }) })],
  ["exponential", prior => independent({ x: exponential({ prior }) })],
  ["gaussian", prior => independent({ x: gaussian({ prior }) })],
  ["geometric", prior => independent({ n: geometric({ prior }) })],
  ["logNormal", prior => independent({ x: logNormal({ prior }) })],
  ["normal", prior => normal(["x", "z"], { prior })],
  ["linear", prior => linear("x", ["z"], { prior })],
  ["classes", prior => classes("k", independent({ x: gaussian() }), { prior })],
  ["mixture", prior => mixture(2, independent({ x: gaussian() }), { prior })],
])("prior: 0 of %s, as evidence needs a proper prior", async (name, model) => {
  expect(await refusal(() => model(0 as never))).toMatch(
    new RegExp(
      `^${name}: the prior of .* is 0, and bayes\\(\\) learns it\\. Evidence needs a proper prior\\. Give a number above 0, or leave it out\\.$`,
    ),
  )
})

test("labels without a prior of their own have Laplace's", async () => {
  const fitted = await fit(classes("k", independent({ x: gaussian() })), [...rows, rows[0]], {
    learner: bayes(),
  })
  const { a } = (fitted.credible() as never as { k: { probabilities: Record<string, { value: number }> } }).k
    .probabilities
  expect(a.value).toBeCloseTo(3 / 5, 12)
})

describe("refused is", () => {
  const cases: [string, () => unknown, string][] = [
    [
      "a coin that cannot fall on one side",
      () => independent({ b: bernoulli({ prior: { probability: 1, strength: 1 } }) }),
      'bernoulli: probability in the prior of "b" is 1. With what is certain or impossible the prior is improper. Give a number between 0 and 1.',
    ],
    [
      "a level without a probability",
      () => independent({ k: categorical({ prior: { probabilities: { a: 1 }, strength: 1 } }) }),
      'categorical: the probabilities in the prior of "k" are 1, undefined for "a" and "b". A proper prior gives every level a probability above 0, and they add up to 1. Give one for each level.',
    ],
    [
      "a list in place of names",
      () => independent({ k: categorical({ prior: { probabilities: [0.5, 0.5] as never, strength: 1 } }) }),
      'categorical: probabilities in the prior of "k" is a list of 2. It has a number for each of "a" and "b". Give them by name.',
    ],
    [
      "a label that no row has",
      () =>
        classes("k", independent({ x: gaussian() }), {
          prior: { probabilities: { a: 0.5, z: 0.5 }, strength: 1 },
        }),
      'classes: probabilities in the prior of "k" has "z", which is none of "a" and "b". Nothing can be believed of it. Leave it out.',
    ],
    [
      "a word with a negative count",
      () => independent({ t: multinomial({ prior: { words: { sun: -1 } } }) }),
      'multinomial: the prior of the word "sun" is -1. It must be a finite number above 0, or the prior is improper. Give such a number, or leave the word out.',
    ],
    [
      "a word that no document has",
      () => independent({ t: multinomial({ prior: { words: { suns: 1 } } }) }),
      'multinomial: words in the prior of "t" has "suns", which is none of "sun" and "moon". Nothing can be believed of it. Did you mean "sun"?',
    ],
    [
      "nothing for the other words",
      () => independent({ t: multinomial({ prior: { other: 0 } }) }),
      'multinomial: other in the prior of "t" is 0. It is what every word has that is not named. Give a finite number above 0, in the units of the data.',
    ],
    [
      "a word that is certain",
      () => independent({ t: wordSet({ prior: { words: { sun: 1 } } }) }),
      'wordSet: the prior of the word "sun" is 1. It must be between 0 and 1, or the prior is improper. Give such a number, or leave the word out.',
    ],
    [
      "a probability of the other words above 1",
      () => independent({ t: wordSet({ prior: { other: 2 } }) }),
      'wordSet: other in the prior of "t" is 2. It is what every word has that is not named. Give a number between 0 and 1.',
    ],
    [
      "a set of words worth no document",
      () => independent({ t: wordSet({ prior: { strength: 0 } }) }),
      'wordSet: strength in the prior of "t" is 0. It counts pseudo-rows, and with none the prior is improper. Give a finite number above 0, in the units of the data.',
    ],
    [
      "a rate that is no number",
      () => independent({ n: poisson({ prior: { rate: Number.NaN, strength: 1 } }) }),
      'poisson: rate in the prior of "n" is NaN. A rate is positive. Give a finite number above 0, in the units of the data.',
    ],
    [
      "a slope that is missing",
      () => linear("x", ["z"], { prior: { ...line, coefficients: {} } }),
      'linear: the coefficient of "z" in the prior of "x" is undefined. It is the slope of the line. Give a finite number, in the units of the data.',
    ],
    [
      "a slope on another column",
      () => linear("x", ["z"], { prior: { ...line, coefficients: { z: 1, n: 1 } } }),
      'linear: coefficients in the prior of "x" has "n", which is none of "z". Nothing can be believed of it. Leave it out.',
    ],
    [
      "a line without degrees of freedom",
      () => linear("x", ["z"], { prior: { ...line, degrees: 0 } }),
      'linear: degrees in the prior of "x" is 0. With so few degrees of freedom the prior of a spread is improper. Give a finite number above 0, in the units of the data.',
    ],
    [
      "pseudo-rows without a spread",
      () => linear("x", ["z"], { prior: { ...line, on: { mean: { z: 1 }, covariance: { z: { z: -1 } } } } }),
      'linear: the prior cannot be used. linear: the covariance leaves column "z" no variance of its own, given the columns before it. A covariance must be positive definite. Give the parameters as describe() prints them, or add a little to the diagonal.',
    ],
    [
      "a column without a spread",
      () =>
        normal(["x", "z"], {
          covariance: "diag",
          prior: { mean, strength: 1, degrees: 1, sd: { x: 0, z: 1 } },
        }),
      'normal: the prior cannot be used. normal: "sd" of column "x" is 0. It must be a finite number above 0. Give the parameters as describe() prints them.',
    ],
    [
      "spreads of a sphere that differ",
      () =>
        normal(["x", "z"], {
          covariance: "spherical",
          prior: { mean, strength: 1, degrees: 1, sd: { x: 1, z: 2 } },
        }),
      'normal: sd in the prior of "x" and "z" is 1 and 2. Spherical columns have one spread. Give each of them the same, or choose covariance: "diag".',
    ],
    [
      "spreads that are left out",
      () => normal(["x", "z"], { covariance: "diag", prior: { mean, strength: 1, degrees: 1 } }),
      'normal: sd in the prior of "x" and "z" is undefined. It has a number for each of "x" and "z". Give them by name.',
    ],
    [
      "a spread where it is known to be 1",
      () => normal(["x", "z"], { covariance: "identity", prior: { mean, strength: 1, sd: { x: 3, z: 3 } } }),
      'normal: the prior of "x" and "z" has "sd". It knows "mean" and "strength". Leave it out.',
    ],
    [
      "a waiting time below 0",
      () => independent({ n: exponential({ prior: { mean: -1, strength: 1 } }) }),
      'exponential: mean in the prior of "n" is -1. A waiting time is positive. Give a finite number above 0, in the units of the data.',
    ],
    [
      "a mean of counts worth no row",
      () => independent({ n: geometric({ prior: { mean: 1, strength: 0 } }) }),
      'geometric: strength in the prior of "n" is 0. It counts pseudo-rows, and with none the prior is improper. Give a finite number above 0, in the units of the data.',
    ],
    [
      "a spread of logarithms that is 0",
      () => independent({ x: logNormal({ prior: { logMean: 0, strength: 1, logSd: 0, degrees: 1 } }) }),
      'logNormal: logSd in the prior of "x" is 0. A spread is positive. Give a finite number above 0, in the units of the data.',
    ],
    [
      "a mean of logarithms by another name",
      () => independent({ x: logNormal({ prior: { mean: 0, strength: 1, logSd: 1, degrees: 1 } as never }) }),
      'logNormal: the prior of "x" has "mean". It knows "logMean", "strength", "logSd" and "degrees". Leave it out.',
    ],
    [
      "a mean worth fewer than no row",
      () => normal(["x", "z"], { covariance: "identity", prior: { mean, strength: -1 } }),
      'normal: strength in the prior of "x" and "z" is -1. It counts pseudo-rows, and with none the prior is improper. Give a finite number above 0, in the units of the data.',
    ],
    [
      "a covariance that is not symmetric",
      () =>
        normal(["x", "z"], {
          prior: {
            mean,
            strength: 1,
            degrees: 3,
            covariance: { x: { x: 1, z: 0.5 }, z: { x: 0.2, z: 1 } },
          },
        }),
      'normal: the prior cannot be used. normal: the covariance of "z" with "x" is 0.2, and that of "x" with "z" is 0.5. A covariance is symmetric. Give the same number in both places.',
    ],
    [
      "a prior that names nothing",
      () => independent({ x: gaussian({ prior: {} as never }) }),
      'gaussian: strength in the prior of "x" is undefined. It counts pseudo-rows, and with none the prior is improper. Give a finite number above 0, in the units of the data.',
    ],
  ]
  test.each(cases)("%s", async (_, model, sentence) => {
    expect(await refusal(model)).toBe(sentence)
  })

  const far = (column: string, maker: string): string =>
    `${maker}: the prior of ${column} lies more than 1e152 times the spread of its values away, or is wider or narrower by so much. No number holds both. Give the prior in the units of the data.`
  const narrow = { strength: 1, degrees: 3 }
  const wide = rows.map(row => ({ ...row, x: row.x * 1e150, z: row.z * 1e150 }))

  test.each<[string, () => unknown, string]>([
    [
      "a gaussian",
      () => independent({ x: gaussian({ prior: { ...narrow, mean: 0, sd: 1e-150 } }) }),
      far('"x"', "gaussian"),
    ],
    [
      "a normal",
      () =>
        normal(["x", "z"], {
          prior: {
            ...narrow,
            mean: { x: 1e305, z: 0 },
            covariance: { x: { x: 1e300, z: 0 }, z: { x: 0, z: 1e300 } },
          },
        }),
      far('"x" and "z"', "normal"),
    ],
    [
      "uncorrelated columns",
      () => normal(["x", "z"], { covariance: "diag", prior: { ...narrow, mean, sd: { x: 1e-150, z: 1 } } }),
      far('"x" and "z"', "normal"),
    ],
    ["a line", () => linear("x", ["z"], { prior: { ...line, sd: 1e-150 } }), far('"x"', "linear")],
  ])("the prior of %s that no number holds beside the data", async (_, model, sentence) => {
    expect(await refusal(model, wide)).toBe(sentence)
  })
})

test("a word may be called as what every object has", async () => {
  const rows = [{ t: "constructor sun" }, { t: "sun" }]
  const { evidence } = await fit(independent({ t: multinomial({ prior: { words: { sun: 2 } } }) }), rows, {
    learner: bayes(),
  })
  // a = (1, 2): ln (1·2/(3·4)) + ln 3/5
  expect(evidence.value).toBeCloseTo(Math.log(2 / 12) + Math.log(3 / 5), 12)
})
