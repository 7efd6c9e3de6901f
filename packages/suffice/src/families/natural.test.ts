/** Families on the half line, the unit interval and the counts: scipy's numbers, and what they refuse. The laws find them in list.ts. */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import type { Column } from "../contract/columns.ts"
import type { Family } from "../contract/family.ts"
import type { Description } from "../contract/report.ts"
import {
  beta,
  classes,
  em,
  exponential,
  fit,
  gamma,
  gaussian,
  geometric,
  independent,
  load,
  logNormal,
  mixture,
  negativeBinomial,
  normal,
  specify,
} from "../index.ts"
import { onlineEm } from "../learn.ts"
import { families } from "./list.ts"

type Numbers = readonly number[]
interface Density {
  readonly family: string
  readonly parameters: Readonly<Record<string, number>>
  readonly x: Numbers
  readonly logDensity: Numbers
  readonly below: Numbers
  readonly mean: number
  readonly sd: number
}
interface Fit {
  readonly family: string
  readonly columns: { readonly x: Numbers }
  readonly weights: Numbers | null
  readonly expected: Readonly<Record<string, number>>
  readonly logLikelihood: number
}
const golden: { readonly densities: readonly Density[]; readonly fits: readonly Fit[] } = JSON.parse(
  readFileSync(new URL("../../../../checks/golden/supports.json", import.meta.url), "utf8"),
)

/** The family of a golden entry, and its parameters as described. */
function familyOf(
  name: string,
  { successes, ...parameters }: Readonly<Record<string, number>>,
  prior = 1,
): { family: Family<number>; parameters: Description } {
  const kind = families.find(kind => kind.name === name)!
  const family = kind.make({ prior, ...(successes !== undefined && { successes }) }) as Family<number>
  return { family, parameters: { family: name, ...parameters } }
}

function close(actual: number, expected: number, tolerance: number, what: string): void {
  const gap = Math.abs(actual - expected) / Math.max(1, Math.abs(expected))
  expect(gap, `${what}: ${actual} should be ${expected}`).toBeLessThanOrEqual(tolerance)
}

describe("density, mean, spread and cumulative probability are scipy's", () => {
  test.each(golden.densities)("$family of $parameters", entry => {
    const { family, parameters } = familyOf(entry.family, entry.parameters)
    const model = specify(independent({ x: family }), { x: parameters })
    const scores = model.logDensity(entry.x.map(x => ({ x })))
    entry.logDensity.forEach((score, i) => {
      close(scores[i], score, 1e-9, `ln p(${entry.x[i]})`)
    })
    const [{ value, sd }] = model.predict([{ x: null as never }], { target: "x" })
    close(value / entry.mean, 1, 1e-9, "the mean")
    close(sd / entry.sd, 1, 1e-9, "the spread")
    const column: Column =
      family.need.kind === "count"
        ? { kind: "count", name: "x", mean: entry.mean }
        : {
            ...{ kind: "number", name: "x", shift: 0, scale: 1, variance: 1 },
            within: { support: "positive", mean: 1, logMean: -1, logVariance: 1, restLogMean: -1 },
          }
    const leaf = family.bind([column], [0], 1)
    entry.below.forEach((below, i) => {
      close(
        leaf.numbers!.cdf(entry.x[i], entry.mean, entry.sd * entry.sd),
        below,
        1e-9,
        `P(X ≤ ${entry.x[i]})`,
      )
    })
  })
})

describe("maximum likelihood is scipy's, with and without weights", () => {
  test.each(golden.fits)("$family, $options", async entry => {
    const { family, parameters } = familyOf(entry.family, entry.expected, 0)
    const rows = entry.columns.x.map((x, i) => ({ x, w: entry.weights?.[i] ?? 1 }))
    const model = await fit(independent({ x: family }), rows, { weight: "w", learner: em({ prior: 0 }) })
    const { family: _, ...expected } = parameters
    const { family: name, ...found } = (model.describe() as Record<string, Record<string, number>>).x
    expect(name).toBe(entry.family)
    expect(Object.keys(found)).toEqual(Object.keys(expected))
    for (const key of Object.keys(expected)) close(found[key], expected[key] as number, 1e-10, key)
    close(model.training!.logLikelihood, entry.logLikelihood, 1e-11, "the log-likelihood")
    // and comes back from a file
    const again = load(JSON.stringify(model))
    expect(again.describe()).toEqual(model.describe())
    expect(JSON.stringify(again)).toBe(JSON.stringify(model))
  })
})

describe("a cell outside the support is refused with row, column and remedy", () => {
  const spoilt = (family: Family<number>, x: number) =>
    fit(independent({ x: family }), [{ x: 0.5 }, { x: 0.25 }, { x }])

  test("by exponential, below 0", async () => {
    await expect(spoilt(exponential(), -3)).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 2 of "x" holds -3. The support is the numbers ≥ 0. Drop the row, put null for a missing cell, or choose gaussian().]`,
    )
    await expect(spoilt(exponential(), 0)).resolves.toBeDefined()
  })

  test("by gamma and logNormal, 0 and below", async () => {
    await expect(spoilt(gamma(), 0)).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 2 of "x" holds 0. The support is the numbers > 0. Drop the row, put null for a missing cell, or choose exponential(), which takes 0 too, or gaussian(), which takes any number.]`,
    )
    await expect(spoilt(logNormal(), -0.5)).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 2 of "x" holds -0.5. The support is the numbers > 0. Drop the row, put null for a missing cell, or choose gaussian().]`,
    )
  })

  test("by beta, 0, 1 and beyond", async () => {
    await expect(spoilt(beta(), 40)).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 2 of "x" holds 40. The support is the numbers between 0 and 1, without both ends. Divide percentages by 100, drop the row, put null for a missing cell, or choose gaussian().]`,
    )
    for (const end of [0, 1, -0.1]) await expect(spoilt(beta(), end)).rejects.toThrow("row 2")
  })

  test("by geometric and negativeBinomial, all but whole numbers from 0 on", async () => {
    const rows = [{ x: 1 }, { x: 2.5 }]
    await expect(fit(independent({ x: geometric() }), rows)).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 1 of "x" holds 2.5. The support is the non-negative integers. Round it, drop the row, or choose gaussian().]`,
    )
    await expect(fit(independent({ x: negativeBinomial() }), rows)).rejects.toThrow("row 1")
  })

  test("in questions, updates and streams too, and a missing cell is fine everywhere", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => ({
      y: i % 2 ? "a" : "b",
      x: 1 + (i % 7) * (1 + (i % 2)),
    }))
    const model = await fit(classes("y", independent({ x: gamma() })), [
      ...rows,
      { y: "a", x: null as never },
    ])
    const odd = [
      { y: "a", x: 3 },
      { y: "b", x: -1 },
    ]
    expect(() => model.posterior(odd)).toThrow('row 1 of "x" holds -1. The support is the numbers > 0.')
    expect(() => model.posterior([odd[1]])).toThrow('row 0 of "x" holds -1.')
    expect(() => load(JSON.stringify(model)).predict(odd as never)).toThrow('row 1 of "x" holds -1.')
    await expect(model.update(odd)).rejects.toThrow('row 1 of "x" holds -1.')
    expect(model.posterior([{ x: null as never }]).probabilities.every(p => p > 0)).toBe(true)
    async function* stream() {
      yield rows
      yield odd
    }
    const learner = onlineEm({ epochs: 1 })
    await expect(
      fit(classes("y", independent({ x: gamma() })), { [Symbol.asyncIterator]: stream }, { learner }),
    ).rejects.toThrow(/row \d+ of "x" holds -1\. The support is the numbers > 0\./)
  })
})

describe("a model file says where numbers live", () => {
  const damaged = async (change: (column: Record<string, unknown>) => unknown, family = gamma()) => {
    const model = await fit(independent({ x: family }), [{ x: 0.5 }, { x: 0.25 }, { x: 0.3 }])
    const file = JSON.parse(JSON.stringify(model))
    change(file.columns[0])
    return load(file)
  }

  test("and it is the place its family needs", async () => {
    await expect(
      damaged(column => Reflect.deleteProperty(column, "within")),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model file describes column "x" at columns[0] otherwise than its model uses it: numbers of the support "positive" there, "any" here. It was damaged, or changed by hand. Save the model again, or undo the change.]`,
    )
    const other = (column: Record<string, unknown>): void => {
      column.within = { ...(column.within as object), support: "notNegative" }
    }
    await expect(damaged(other)).rejects.toThrow(
      'numbers of the support "positive" there, "notNegative" here',
    )
  })

  test("with moments that can be, and unshifted", async () => {
    await expect(
      damaged(column => Object.assign(column, { shift: 3 })),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model file has 3 at columns[0].shift, where 0, as its numbers live on a part of the line, belongs. It was damaged, or changed by hand. Save the model again, or undo the change.]`,
    )
    const nowhere = (column: Record<string, unknown>): void => {
      column.within = { ...(column.within as object), support: "negative" }
    }
    await expect(damaged(nowhere)).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model file has "negative" at columns[0].within.support, where one of "notNegative", "positive" and "share" belongs. It was damaged, or changed by hand. Save the model again, or undo the change.]`,
    )
    const bare = (column: Record<string, unknown>): void => {
      column.within = { support: "positive" }
    }
    const scaled = (column: Record<string, unknown>) => Object.assign(column, { scale: 2 })
    await expect(damaged(scaled, beta())).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model file has 2 at columns[0].scale, where 1, as its numbers are shares, belongs. It was damaged, or changed by hand. Save the model again, or undo the change.]`,
    )
    const huge = (column: Record<string, unknown>): void => {
      column.within = { ...(column.within as object), mean: 1e300 }
    }
    await expect(damaged(huge, beta())).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model file has 1e+300 at columns[0].within.mean, where a number between 0 and 1 belongs. It was damaged, or changed by hand. Save the model again, or undo the change.]`,
    )
    await expect(damaged(bare)).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the model file has nothing at columns[0].within.mean, where a value belongs. It was damaged, or changed by hand. Save the model again, or undo the change.]`,
    )
  })
})

describe("one column in several bodies", () => {
  test("lives where all of them take it, and their densities are compared", async () => {
    const rows = Array.from({ length: 60 }, (_, i) => ({ x: 5 + (i % 11) + (i % 3) }))
    const both = mixture([independent({ x: gaussian() }), independent({ x: gamma() })])
    const model = await fit(both, rows)
    expect(Number.isFinite(model.training!.logLikelihood)).toBe(true)
    expect(() => model.logDensity([{ x: -1 }])).toThrow("numbers > 0")
    const alone = await fit(independent({ x: gaussian() }), rows)
    expect(model.training!.logLikelihood).toBeGreaterThan(alone.training!.logLikelihood)
  })

  test("cannot be held both in a unit of its own and in one with others", () => {
    const round = normal(["x", "z"], { covariance: "spherical" })
    expect(() =>
      mixture([round as never, independent({ x: gamma(), z: gaussian() }) as never]),
    ).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: one part holds "x" in one unit with other columns, another one knows where it lives. A column is held in one way. Give normal() another covariance, or the column the same family in every part.]`,
    )
  })
})

test("wrong options and parameters are refused", () => {
  expect(() => negativeBinomial({ successes: 0 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: negativeBinomial: successes is 0. It must be a finite number above 0. Of one group of counts, mean²/(variance − mean) is a good first choice.]`,
  )
  expect(() => gamma({ shape: 2 } as never)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: gamma: there is no option "shape". It knows "prior". Leave it out.]`,
  )
  expect(() => beta({ prior: -1 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: beta: prior is -1. It counts pseudo-rows, so it must be a finite number ≥ 0. Give 0 for maximum likelihood, or leave it out for the default.]`,
  )
  const described = (family: Family<number>, parameters: Description) => () =>
    specify(independent({ x: family }), { x: parameters })
  expect(described(gamma(), { family: "gamma", mean: 2, shape: 0 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: gamma: "shape" of column "x" is 0. It must be a finite number above 0. Give the parameters as describe() prints them.]`,
  )
  expect(described(beta(), { family: "beta", alpha: 2 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: beta: "beta" of column "x" is undefined. It must be a finite number above 0. Give the parameters as describe() prints them.]`,
  )
  const bare: Column = { kind: "number", name: "x", shift: 1, scale: 2, variance: 1 }
  expect(() => gamma().bind([bare], [0], 1)).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: column "x" does not say where its numbers live. A family of numbers with a support needs their pooled moments. Let fit() or specify() make the column.]`,
  )
})

test("narrow and wide parameters are kept: shapes from 0.01 to 1e9, spreads from 1e-5 on, beside means that lie far apart", () => {
  for (const shape of [0.01, 3, 1e9]) {
    const model = specify(independent({ x: gamma() }), { x: { family: "gamma", mean: 7e12, shape } })
    const { x } = model.describe() as { x: Record<string, number> }
    close(x.mean / 7e12, 1, 1e-12, "the mean")
    close(x.shape / shape, 1, 1e-5, "the shape")
  }
  for (const logSd of [1e-5, 1, 6]) {
    const model = specify(independent({ x: logNormal() }), {
      x: { family: "logNormal", logMean: 300, logSd },
    })
    const { x } = model.describe() as { x: Record<string, number> }
    close(x.logMean, 300, 1e-12, "the mean of logarithms")
    close(x.logSd / logSd, 1, 1e-6, "their spread")
  }
})

test("other units change nothing but the density, from 1e-200 to 1e200", async () => {
  const rows = Array.from({ length: 50 }, (_, i) => ({
    y: i % 2 ? "a" : "b",
    x: 1 + ((i * 37) % 17) * (1 + (i % 2)),
  }))
  const posteriorIn = async (unit: number) => {
    const data = rows.map(({ y, x }) => ({ y, x: x * unit }))
    const model = await fit(classes("y", independent({ x: gamma() })), data)
    return model.posterior(data).probabilities
  }
  const before = await posteriorIn(1)
  for (const unit of [1e-200, 1e-3, 1e200]) {
    ;(await posteriorIn(unit)).forEach((p, i) => {
      close(p, before[i], 1e-9, `posterior ${i} in units of ${unit}`)
    })
  }
})
