import { describe, expect, test } from "vitest"
import type { Prediction } from "../answers/types.ts"
import type { Level, Row } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import type { Description } from "../contract/report.ts"
import { bernoulli } from "../families/bernoulli.ts"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { multinomial } from "../families/multinomial.ts"
import { wordSet } from "../families/word-set.ts"
import { em } from "../learners/em.ts"
import { dice } from "../random.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { normal } from "../structures/normal.ts"
import { fit } from "./fit.ts"
import type { Fitted } from "./fitted.ts"
import { load } from "./load.ts"
import { specify } from "./specify.ts"

function rows(count: number, unit = 1): Row[] {
  const d = dice(11)
  return Array.from({ length: count }, () => {
    const y = d.integer(3)
    return {
      y: ["ash", "birch", "cedar"][y],
      x: unit * (100 + 5 * y + d.normal()),
      z: d.normal() - y,
      s: ["red", "green", "blue"][(y + d.integer(2)) % 3],
      c: [10, 9, 8][(y + d.integer(2)) % 3],
      b: d.uniform() < 0.2 + 0.3 * y,
      bit: d.uniform() < 0.2 + 0.3 * y ? 1 : 0,
      w: Array.from({ length: 4 }, () => ["sun", "moon", "rain"][Math.min(2, d.integer(2 + y))]),
    }
  })
}

const MODELS: Record<string, [Model, levels?: Record<string, readonly Level[]>]> = {
  gaussians: [classes("y", independent({ x: gaussian(), z: gaussian({ variance: "tied" }) }))],
  levels: [
    classes(
      "y",
      independent({
        s: categorical(),
        c: categorical({ levels: [8, 9, 10] }),
        b: bernoulli(),
        bit: bernoulli(),
      }),
    ),
    { bit: [0, 1] },
  ],
  "numbers as levels": [classes("c", independent({ x: gaussian(), s: categorical() })), { c: [8, 9, 10] }],
  words: [classes("y", independent({ w: multinomial() }))],
  "sets of words": [classes("y", independent({ w: wordSet() }))],
  "a mixture in classes": [classes("y", mixture(2, independent({ x: gaussian(), z: gaussian() })))],
  "a named mixture": [
    classes("y", mixture(2, independent({ x: gaussian(), s: categorical() }), { name: "part" })),
  ],
  "different bodies": [
    classes(
      "y",
      {
        ash: independent({ x: gaussian(), z: gaussian() }),
        birch: mixture(2, independent({ x: gaussian(), z: gaussian() })),
        cedar: independent({ x: gaussian(), z: gaussian() }),
      },
      { levels: ["cedar", "birch", "ash"] },
    ),
  ],
  "classes in classes": [
    classes("y", independent(classes("s", independent({ x: gaussian() })), { z: gaussian() })),
  ],
  "a full normal": [classes("y", normal(["x", "z"]))],
  "a tied normal": [classes("y", normal(["x", "z"], { covariance: "tied" }))],
  "a spherical normal": [classes("y", normal(["x", "z"], { covariance: "spherical" }))],
  "a normal of unit covariance": [classes("y", normal(["x", "z"], { covariance: "identity" }))],
}

const fitAny = (model: Model, data: readonly Row[]) =>
  fit(model as Model<Record<string, never>>, data as never, { learner: em({ maxIterations: 5 }) })

/** To 1e-9, relative where they are large. */
function expectClose(values: Float64Array, others: Float64Array): void {
  expect(values.length).toBe(others.length)
  for (const [j, value] of values.entries()) {
    expect(Math.abs(value - others[j])).toBeLessThan(1e-9 * Math.max(1, Math.abs(others[j])))
  }
}

const FLOWERS = classes("species", independent({ length: gaussian(), colour: categorical() }))
const PARAMETERS = {
  species: {
    probabilities: { rose: 0.25, tulip: 0.75 },
    given: {
      rose: { length: { mean: 50, sd: 5 }, colour: { probabilities: { red: 0.9, white: 0.1 } } },
      tulip: { length: { mean: 40, sd: 4 }, colour: { probabilities: { red: 0.5, white: 0.5 } } },
    },
  },
} satisfies Description

/** The parameters with a change somewhere. */
function changed(change: (parameters: typeof PARAMETERS & Record<string, unknown>) => void): Description {
  const copy = structuredClone(PARAMETERS)
  change(copy)
  return copy
}

describe("spreads that are lost next to means far apart", () => {
  const model = classes("y", independent({ x: gaussian() }))
  const apart = (gap: number, sd = 1): Description => ({
    y: {
      probabilities: { a: 0.5, b: 0.5 },
      given: { a: { x: { mean: 0, sd } }, b: { x: { mean: gap, sd } } },
    },
  })

  test("are refused, not changed", () => {
    expect(() => specify(model, apart(1e9))).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: specify: the spread of y.given.a.x is 1, and would become 0.0316227766016838. The means of "x" lie 1000000000 apart, and a column is held in one unit: next to that, a spread of 1 is lost in rounding. Bring the means within a million spreads of each other, or give larger spreads.]`,
    )
    const both = { "x, z": { mean: { x: 0, z: 0 }, variance: { x: 1, z: 1 } } }
    const far = { "x, z": { mean: { x: 1e9, z: 0 }, variance: { x: 1, z: 1 } } }
    const diagonal = classes("y", normal(["x", "z"], { covariance: "diag" }))
    expect(() =>
      specify(diagonal, { y: { probabilities: { a: 0.5, b: 0.5 }, given: { a: both, b: far } } }),
    ).toThrow("specify: the spread of ")
  })

  test("are kept up to a million spreads, and wherever the means are near each other", () => {
    for (const [gap, sd] of [
      [1e6, 1],
      [1e-3, 1e-9],
      [0, 1e-9],
      [1e300, 1e295],
    ]) {
      const { y } = specify(model, apart(gap, sd)).describe() as {
        y: { given: { a: { x: { sd: number; mean: number } }; b: { x: { mean: number } } } }
      }
      expect(Math.abs(y.given.a.x.sd / sd - 1)).toBeLessThan(1e-3)
      expect(Math.abs(y.given.b.x.mean - gap)).toBeLessThanOrEqual(1e-3 * sd)
    }
  })
})

describe("specify", () => {
  describe.each(Object.entries(MODELS))("%s", (_name, [model, levels]) => {
    test("what describe() printed gives the same posteriors and densities", async () => {
      const fitted = await fitAny(model, rows(150))
      const specified = specify(
        model as Model<Record<string, never>>,
        fitted.describe(),
        levels ? { levels } : {},
      )
      const data = rows(40) as never
      const [there, here] = [fitted.posterior(data), specified.posterior(data)]
      expect(here.levels).toEqual(there.levels)
      expectClose(here.probabilities, there.probabilities)
      expectClose(specified.logDensity(data), fitted.logDensity(data))
      expect(JSON.stringify(specified.predict(data).map(({ value }) => value))).toBe(
        JSON.stringify(fitted.predict(data).map(({ value }) => value)),
      )
    })
  })

  test.each([1e-150, 1e150])("in units of %d too", async unit => {
    const model = classes("y", independent({ x: gaussian() }))
    const fitted = await fitAny(model as Model, rows(100, unit))
    const specified = specify(model as unknown as Model<Record<string, never>>, fitted.describe())
    const data = rows(20, unit) as never
    const there = fitted.posterior(data).probabilities
    expectClose(specified.posterior(data).probabilities, there)
  })

  test("parameters by hand: the posterior is Bayes' rule", () => {
    const fitted = specify(FLOWERS, PARAMETERS)
    expect(fitted.training).toBeUndefined()
    const row = { length: null, colour: "red" }
    const { probabilities } = (fitted as unknown as Fitted<Record<string, Level>>).predict([
      row,
    ] as never)[0] as Prediction
    expect(probabilities.rose).toBeCloseTo((0.25 * 0.9) / (0.25 * 0.9 + 0.75 * 0.5), 14)
    expect(fitted.describe()).toMatchObject({ species: { probabilities: PARAMETERS.species.probabilities } })
  })

  test("a component far narrower than the others stays so", () => {
    const model = mixture(2, independent({ x: gaussian() }))
    const narrow = specify(model, {
      "mixture(x)": {
        probabilities: { 0: 0.5, 1: 0.5 },
        given: { 0: { x: { mean: 0, sd: 1e-6 } }, 1: { x: { mean: 0, sd: 1 } } },
      },
    })
    const described = narrow.describe()["mixture(x)"] as { given: { 0: { x: { sd: number } } } }
    expect(described.given[0].x.sd).toBeCloseTo(1e-6, 12)
  })

  test("a specified model is saved and loaded like any other", () => {
    const text = JSON.stringify(specify(FLOWERS, PARAMETERS))
    expect(JSON.stringify(load(text))).toBe(text)
    expect(load(text).training).toBeUndefined()
  })

  describe("refuses", () => {
    test("parameters that are none", () => {
      expect(() => specify(FLOWERS, 3 as never)).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: specify: the parameters are 3. They must be an object. Write them as describe() prints them.]`,
      )
      expect(() => specify(FLOWERS, {})).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: specify: species is missing from the description; it has nothing. Every part of the model needs its parameters. Add it, as describe() prints it.]`,
      )
    })

    test("a misspelt column", () => {
      const { length, colour } = PARAMETERS.species.given.rose
      expect(() =>
        specify(
          FLOWERS,
          changed(p => Object.assign(p.species.given, { rose: { lenght: length, colour } })),
        ),
      ).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: specify: species.given.rose.lenght is no part of the model. There it has "length" and "colour". Did you mean "length"?]`,
      )
    })

    test("a missing column", () => {
      const { colour } = PARAMETERS.species.given.rose
      expect(() =>
        specify(
          FLOWERS,
          changed(p => Object.assign(p.species.given, { rose: { colour } })),
        ),
      ).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: specify: species.given.rose.length is missing from the description; species.given.rose has "colour". Every part of the model needs its parameters. Add it, as describe() prints it.]`,
      )
    })

    test("a column the model does not have", () => {
      expect(() =>
        specify(
          FLOWERS,
          changed(p => Object.assign(p.species.given.rose, { weight: { mean: 1, sd: 1 } })),
        ),
      ).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: specify: species.given.rose.weight is no part of the model. There it has "length" and "colour". Take it out of the description, or add it to the model.]`,
      )
    })

    test("a level without parameters", () => {
      expect(() =>
        specify(
          FLOWERS,
          changed(p => Object.assign(p.species, { given: { rose: p.species.given.rose } })),
        ),
      ).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: specify: species.given.tulip is missing from the description; species.given has "rose". Every part of the model needs its parameters. Add it, as describe() prints it.]`,
      )
    })

    test("a level that is not declared", () => {
      const declared = classes("species", independent({ length: gaussian(), colour: categorical() }), {
        levels: ["rose", "lily"],
      })
      expect(() => specify(declared, PARAMETERS)).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: specify: species.probabilities.tulip is no level of the model. There it has "rose" and "lily". Take it out of the description, or add it to the model.]`,
      )
    })

    test("what is not a distribution", () => {
      expect(() =>
        specify(
          FLOWERS,
          changed(p => Object.assign(p.species.probabilities, { rose: 0.5 })),
        ),
      ).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: switch: the probabilities of column "species" are not a distribution over "rose" and "tulip". Each level needs a number ≥ 0 and they must add up to 1. Give the parameters as describe() prints them.]`,
      )
      expect(() =>
        specify(
          FLOWERS,
          changed(p => Object.assign(p.species.given.rose.colour.probabilities, { blue: 0.5 })),
        ),
      ).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: categorical: the probabilities of column "colour" are not a distribution over "blue", "red" and "white". Each level needs a number ≥ 0 and they must add up to 1. Give the parameters as describe() prints them.]`,
      )
    })

    test("what is not a number, or no spread", () => {
      expect(() =>
        specify(
          FLOWERS,
          changed(p => Object.assign(p.species.given.rose.length, { sd: 0 })),
        ),
      ).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: gaussian: "sd" of column "length" is 0. It must be a finite number above 0. Give the parameters as describe() prints them.]`,
      )
      expect(() =>
        specify(
          FLOWERS,
          changed(p => Object.assign(p.species.given.rose, { length: 50 })),
        ),
      ).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: specify: species.given.rose.length is 50. An object belongs there. Write it as describe() prints it.]`,
      )
    })

    test("parameters of another family", () => {
      expect(() =>
        specify(
          FLOWERS,
          changed(p => Object.assign(p.species.given.rose.length, { family: "poisson" })),
        ),
      ).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: specify: species.given.rose.length describes "poisson", but the model has "gaussian" there. Parameters of one family mean nothing to another. Describe "gaussian", or change the model.]`,
      )
    })

    test("words that are not named", () => {
      expect(() =>
        specify(independent({ w: multinomial() }), { w: { words: {} } }),
      ).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: specify: the description names no words of column "w". Without data they can come from nowhere else. Give its words as describe() prints them.]`,
      )
    })

    test("options it does not know", () => {
      expect(() => specify(FLOWERS, PARAMETERS, { level: {} } as never)).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: specify: there is no option "level". It knows "levels". Did you mean "levels"?]`,
      )
      expect(() =>
        specify(FLOWERS, PARAMETERS, { levels: { color: ["red"] } }),
      ).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: specify: levels names "color", which is no column whose levels are open. Those are "species" and "colour". Did you mean "colour"?]`,
      )
      expect(() =>
        specify(FLOWERS, PARAMETERS, { levels: { colour: ["red", "red"] } }),
      ).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: specify: the levels of "colour" are a list of 2. They must be a list of text, booleans or finite numbers, each once. Correct them, or leave them out.]`,
      )
    })
  })
})

test("numbers whose spread has lost bits, near 0, are told apart like any others", () => {
  const of = (mean: number) => ({ x: { family: "gaussian", mean, sd: 1e-310 } })
  const model = specify(classes("y", independent({ x: gaussian() }), { levels: ["a", "b"] }), {
    y: { probabilities: { a: 0.5, b: 0.5 }, given: { a: of(0), b: of(2e-310) } },
  })
  const odds = (x: number) => {
    const { logs } = model.posterior([{ x }])
    return logs[1] - logs[0]
  }
  expect(odds(0)).toBeCloseTo(-2, 9)
  expect(odds(1e-310)).toBeCloseTo(0, 9)
  expect(odds(2e-310)).toBeCloseTo(2, 9)
})
