import { describe, expect, test } from "vitest"
import {
  categorical,
  classes,
  type Description,
  dice,
  em,
  fit,
  gaussian,
  independent,
  linear,
  linearKind,
  linearScores,
  load,
  mixture,
  normal,
  poisson,
  specify,
} from "../index.ts"
import { onlineEm, sdem } from "../learn.ts"
import { evaluate } from "../measure.ts"
import { loadPredictor } from "../predict.ts"

const rolls = dice(5)
const rows = Array.from({ length: 120 }, (_, i) => {
  const x1 = 50 + 4 * rolls.normal()
  const x2 = 0.01 * rolls.normal()
  const kind = ["a", "b"][i % 2]
  return { x1, x2, kind, y: 3 + 0.5 * x1 - 200 * x2 + (i % 2) * 0.3 * x1 + rolls.normal() }
})

/** Least squares by Gauss–Jordan on the normal equations of (1, x1, x2), and the mean squared residual. */
function leastSquares(data: readonly (typeof rows)[number][]) {
  const z = data.map(row => [1, row.x1 - 50, row.x2])
  const a = [0, 1, 2].map(j => [
    ...[0, 1, 2].map(k => z.reduce((sum, row) => sum + row[j] * row[k], 0)),
    z.reduce((sum, row, i) => sum + row[j] * data[i].y, 0),
  ])
  for (let j = 0; j < 3; j++) {
    const pivot = a[j][j]
    for (let k = 0; k < 4; k++) a[j][k] /= pivot
    for (let i = 0; i < 3; i++) {
      const factor = a[i][j]
      if (i !== j) for (let k = 0; k < 4; k++) a[i][k] -= factor * a[j][k]
    }
  }
  const w = a.map(row => row[3])
  const squares = z.reduce((sum, row, i) => {
    const gap = data[i].y - row.reduce((all, value, j) => all + value * w[j], 0)
    return sum + gap * gap
  }, 0)
  return { intercept: w[0] - 50 * w[1], x1: w[1], x2: w[2], sd: Math.sqrt(squares / data.length) }
}

const ofY = (description: Description) =>
  description.y as unknown as { intercept: number; coefficients: { x1: number; x2: number }; sd: number }

function expectLine(found: Description, line: ReturnType<typeof leastSquares>, digits = 9): void {
  const { intercept, coefficients, sd } = ofY(found)
  expect(intercept).toBeCloseTo(line.intercept, digits - 2)
  expect(coefficients.x1).toBeCloseTo(line.x1, digits)
  expect(coefficients.x2).toBeCloseTo(line.x2, digits - 2)
  expect(sd).toBeCloseTo(line.sd, digits)
}

const model = linear("y", ["x1", "x2"])

describe("without a prior, linear is least squares", () => {
  test("counted, in one step", async () => {
    const fitted = await fit(model, rows, { learner: em({ prior: 0 }) })
    expect(fitted.training!.runs[0].stopped).toBe("counted")
    expectLine(fitted.describe(), leastSquares(rows))
  })

  test("in each class", async () => {
    const fitted = await fit(classes("kind", model), rows, { learner: em({ prior: 0 }) })
    const { given } = fitted.describe().kind as { given: Record<string, Description> }
    for (const kind of ["a", "b"])
      expectLine(given[kind], leastSquares(rows.filter(row => row.kind === kind)))
  })

  test("where the column itself is missing in some rows, those teach nothing, and nothing is guessed", async () => {
    const holed = rows.map((row, i) =>
      i % 4 === 1 ? { ...row, y: null, ...(i % 8 === 1 && { x1: null }) } : row,
    )
    const fitted = await fit(model, holed, { learner: em({ prior: 0 }) })
    expect(fitted.training!.runs[0].stopped).toBe("counted")
    expectLine(fitted.describe(), leastSquares(rows.filter((_, i) => i % 4 !== 1)))
  })

  test("by online EM with ρ = 1/t, in batches that divide the rows or not", async () => {
    for (const batch of [7, 8]) {
      const fitted = await fit(model, rows, {
        learner: onlineEm({ prior: 0, epochs: 1, batch, stepSize: { kind: "average" }, average: false }),
      })
      expectLine(fitted.describe(), leastSquares(rows))
    }
  })
})

describe("conditional likelihood with the column as target is regression", () => {
  test("at least squares the direction is 0, so that sdem stays there", async () => {
    const fitted = await fit(model, rows, {
      learner: sdem({
        target: "y",
        prior: 0,
        epochs: 30,
        batch: 120,
        stepSize: { kind: "constant", rho: 0.3 },
      }),
    })
    expectLine(fitted.describe(), leastSquares(rows), 7)
  })

  test("from elsewhere, sdem finds least squares, whatever else the model holds", async () => {
    // an update counts what was learned before, of another line, but sdem learns from the new rows alone
    const together = independent({ x1: gaussian(), x2: gaussian() }, linear("y", ["x1", "x2"]))
    const start = await fit(
      together,
      rows.map(row => ({ ...row, y: 5 - row.y })),
    )
    const line = leastSquares(rows)
    expect(Math.abs(ofY(start.describe()).coefficients.x1 - line.x1)).toBeGreaterThan(0.1)
    const learned = await start.update(rows, {
      learner: sdem({
        target: "y",
        prior: 0,
        epochs: 400,
        batch: 120,
        stepSize: { kind: "constant", rho: 0.5 },
        average: false,
      }),
    })
    expectLine(learned.describe(), line, 6)
  })
})

test("the prior is six pseudo-rows around the means, on the common line, as far from it as rows lie", async () => {
  const fitted = await fit(model, rows)
  const n = rows.length
  const mean = (of: (row: (typeof rows)[number]) => number): number =>
    rows.reduce((sum, row) => sum + of(row), 0) / n
  const [m1, m2, my] = [mean(row => row.x1), mean(row => row.x2), mean(row => row.y)]
  const squares = (of: (row: (typeof rows)[number]) => number): number => n * mean(row => of(row) ** 2)
  const [s11, s22, syy] = [squares(r => r.x1 - m1), squares(r => r.x2 - m2), squares(r => r.y - my)]
  const s12 = n * mean(r => (r.x1 - m1) * (r.x2 - m2))
  const [s1y, s2y] = [n * mean(r => (r.x1 - m1) * (r.y - my)), n * mean(r => (r.x2 - m2) * (r.y - my))]
  const slopes = (a: number, b: number): [number, number] => {
    const det = a * b - s12 * s12
    return [(b * s1y - s12 * s2y) / det, (a * s2y - s12 * s1y) / det]
  }
  const [b1, b2] = slopes(s11, s22)
  const left = syy - b1 * s1y - b2 * s2y
  // one slot: W, for all numbers lie in it
  const within = (square: number, freedom: number, total: number) => (square + total) / (freedom + 1)
  const v = within(left, n - 3, syy / n)
  const t = v / within(syy, n - 1, syy / n)
  const [u1, u2] = [t * within(s11, n - 1, s11 / n), t * within(s22, n - 1, s22 / n)]
  const more = 1 + 6 / ((v / (v + left / (n - 3))) * (n - 1))
  const [c1, c2] = slopes(s11 * more, s22 * more)
  // as rows: in all directions, each worth an eighth of six
  const corners = [-1, 1].flatMap(a =>
    [-1, 1].flatMap(b =>
      [-1, 1].map(c => {
        const [d1, d2] = [a * Math.sqrt(u1), b * Math.sqrt(u2)]
        return { x1: m1 + d1, x2: m2 + d2, y: my + c1 * d1 + c2 * d2 + c * Math.sqrt(v), w: 6 / 8 }
      }),
    ),
  )
  const same = await fit(model, [...rows.map(row => ({ ...row, w: 1 })), ...corners], {
    weight: "w",
    learner: em({ prior: 0 }),
  })
  const [found, expected] = [ofY(fitted.describe()), ofY(same.describe())]
  expect(found.intercept).toBeCloseTo(expected.intercept, 8)
  expect(found.coefficients.x1).toBeCloseTo(expected.coefficients.x1, 10)
  expect(found.coefficients.x2).toBeCloseTo(expected.coefficients.x2, 8)
  expect(found.sd).toBeCloseTo(expected.sd, 10)
})

describe("normal over all columns has the same conditional", () => {
  test("and predicts the same", async () => {
    const line = await fit(model, rows, { learner: em({ prior: 0 }) })
    const joint = await fit(normal(["x1", "x2", "y"]), rows, { learner: em({ prior: 0 }) })
    const [a, b] = [line.predict(rows, { target: "y" }), joint.predict(rows, { target: "y" })]
    a.forEach(({ value, sd, interval }, i) => {
      expect(value).toBeCloseTo(b[i].value, 8)
      expect(sd).toBeCloseTo(b[i].sd, 9)
      expect(interval[0]).toBeCloseTo(b[i].interval[0], 7)
    })
  })

  test("and with its columns modelled too, the same density", async () => {
    const parts = await fit(independent(model, normal(["x1", "x2"])), rows, { learner: em({ prior: 0 }) })
    const joint = await fit(normal(["x1", "x2", "y"]), rows, { learner: em({ prior: 0 }) })
    const densities = joint.logDensity(rows)
    parts.logDensity(rows).forEach((density, i) => {
      expect(density).toBeCloseTo(densities[i], 9)
    })
  })
})

describe("questions", () => {
  const experts = independent(normal(["x1", "x2"]), model)

  test("what is not told is drawn in order: first what is read", async () => {
    const fitted = await fit(experts, rows)
    const drawn = fitted.sample(2000, { seed: 3 })
    const line = ofY(fitted.describe())
    const gaps = drawn.map(
      row => row.y - line.intercept - line.coefficients.x1 * row.x1 - line.coefficients.x2 * row.x2,
    )
    const square = gaps.reduce((sum, gap) => sum + gap * gap, 0) / gaps.length
    expect(Math.sqrt(square) / line.sd).toBeCloseTo(1, 1)
    expect(Math.abs(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length)).toBeLessThan(
      (4 * line.sd) / Math.sqrt(2000),
    )
  })

  test("a column that is read is predicted where what reads it is missing", async () => {
    const fitted = await fit(experts, rows)
    const [told] = fitted.predict([{ x2: 0.01, y: null }] as never, { target: "x1" })
    const alone = await fit(normal(["x1", "x2"]), rows)
    expect(told).toEqual(alone.predict([{ x2: 0.01 }] as never, { target: "x1" })[0])
  })

  test("are refused where they cannot be answered", async () => {
    const fitted = await fit(experts, rows)
    const alone = await fit(model, rows)
    const asked = [rows[0], { ...rows[1], x2: null }] as never
    expect(() => fitted.logDensity(asked)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 1: "y" is modelled given "x2", which is missing or asked for. A regression speaks of "y" alone, and only given "x2". Fill "x2", drop the row, or use normal(["x1","x2","y"]), which has the same conditional.]`,
    )
    expect(() => fitted.predict(rows, { target: "x1" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 0: "y" is modelled given "x1", which is missing or asked for. A regression speaks of "y" alone, and only given "x1". Fill "x1", drop the row, or use normal(["x1","x2","y"]), which has the same conditional.]`,
    )
    expect(() => fitted.predict(asked, { target: "y" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 1: "y" is modelled given "x2", which is missing or asked for. A regression speaks of "y" alone, and only given "x2". Fill "x2", drop the row, or use normal(["x1","x2","y"]), which has the same conditional.]`,
    )
    expect(() => fitted.impute([{ x1: null, x2: 1, y: 3 }])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 0: "y" is modelled given "x1", which is missing or asked for. A regression speaks of "y" alone, and only given "x1". Fill "x1", drop the row, or use normal(["x1","x2","y"]), which has the same conditional.]`,
    )
    expect(() => fitted.impute([{ x1: null, x2: 1, y: null }])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 0: "y" is modelled given "x1", which is missing or asked for. A regression speaks of "y" alone, and only given "x1". Fill "x1", drop the row, or use normal(["x1","x2","y"]), which has the same conditional.]`,
    )
    expect(() => fitted.sample(1, { given: { y: 2 } })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 0: "y" is modelled given "x1", which is missing or asked for. A regression speaks of "y" alone, and only given "x1". Fill "x1", drop the row, or use normal(["x1","x2","y"]), which has the same conditional.]`,
    )
    expect(() => alone.sample(1)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: sample: "y" is drawn given "x1", which no part of the model draws. There is nothing to draw it from. Give it: { given: { … } }, or add a part that models it.]`,
    )
    expect(() =>
      alone.predict([{ x1: 1, x2: 2, y: null }], { target: "x1" }),
    ).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: column "x1" is only read, and has no levels to choose from. A posterior over levels needs some. No other column has any.]`,
    )
    expect(() => alone.impute([{ x1: null, x2: 1, y: null }])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: impute: "x1" is missing in a row, and nothing in the model says what it is: it is only read. Fill it yourself, leave the row out, or add a part that models it.]`,
    )
    expect(alone.sample(2, { given: { x1: 50, x2: 0 } })).toHaveLength(2)
  })

  test("the row that is refused is named beyond the first block too", async () => {
    const fitted = await fit(model, rows)
    const many = Array.from({ length: 700 }, (_, i) => ({ ...rows[i % 120], ...(i === 613 && { x1: null }) }))
    expect(() => fitted.logDensity(many as never)).toThrow(/^row 613: /)
  })

  test("a component of a mixture speaks by what is seen", async () => {
    const lines = mixture(2, linear("y", ["x1"]), { name: "line" })
    const fitted = await fit(lines, rows)
    const [{ value }] = fitted.predict([{ x1: 50, y: null }], { target: "y" })
    const { line } = fitted.describe() as {
      line: { probabilities: Record<string, number>; given: Record<string, Description> }
    }
    const expected = [0, 1].reduce((sum, k) => {
      const { intercept, coefficients } = ofY(line.given[k])
      return sum + line.probabilities[k] * (intercept + 50 * coefficients.x1)
    }, 0)
    expect(value).toBeCloseTo(expected, 9)
  })

  test("a specified line is the line that was described, with or without where x lies", async () => {
    const fitted = await fit(model, rows)
    const described = fitted.describe()
    const { on: _, ...short } = described.y as Description
    for (const parameters of [described, { y: short }]) {
      const again = specify(model, parameters)
      const densities = again.logDensity(rows)
      fitted.logDensity(rows).forEach((density, i) => {
        expect(densities[i]).toBeCloseTo(density, 9)
      })
    }
    expect(specify(model, described).describe()).toMatchObject({ y: { family: "linear" } })
  })

  test("a line is evaluated as any number is, by the part that only predicts too", async () => {
    const fitted = await fit(classes("kind", model), rows, { learner: em({ prior: 0 }) })
    const judged = evaluate(fitted, rows, { target: "y" })
    const lines = ["a", "b"].map(kind => leastSquares(rows.filter(row => row.kind === kind)))
    expect(judged.rmse).toBeCloseTo(Math.sqrt((lines[0].sd ** 2 + lines[1].sd ** 2) / 2), 9)
    const predictor = loadPredictor(JSON.stringify(fitted), { families: [linearKind] })
    expect(predictor.predict(rows.slice(0, 3), { target: "y" })).toEqual(
      fitted.predict(rows.slice(0, 3), { target: "y" }),
    )
  })

  test("the posterior of a class is linear in x, y and their products", async () => {
    const fitted = await fit(classes("kind", model), rows)
    const form = fitted.toLinear()
    expect(form.features.map(({ name }) => name)).toEqual([
      "x1",
      "x2",
      "y",
      "x1²",
      "x2²",
      "y²",
      "x2 · x1",
      "y · x1",
      "y · x2",
    ])
    const { logs } = fitted.posterior(rows)
    rows.slice(0, 20).forEach((row, i) => {
      expect(linearScores(form, row)[1]).toBeCloseTo(logs[2 * i + 1] - logs[2 * i], 6)
    })
  })

  test("an explanation has one term for a line, and none for what it reads", async () => {
    const fitted = await fit(classes("kind", model), rows)
    const { terms, logOdds, prior } = fitted.explain(rows[0])
    expect(terms[0].column).toBe("y")
    expect(terms[0].contribution).toBeCloseTo(logOdds - prior, 12)
    expect(terms.slice(1).map(term => term.contribution)).toEqual([0, 0])
  })

  test("an update learns from both tables as from one", async () => {
    const first = await fit(model, rows.slice(0, 70))
    const both = await first.update(rows.slice(70))
    const line = ofY((await first.update(rows.slice(70), { learner: em({ prior: 0 }) })).describe())
    expect(both.training!.rows).toBe(120)
    expect(line.coefficients.x1).toBeCloseTo(leastSquares(rows).x1, 9)
  })

  test("a saved line is loaded to the bit, by its kind", async () => {
    const fitted = await fit(mixture(2, experts), rows)
    const back = load(JSON.stringify(fitted))
    expect([...back.logDensity(rows)]).toEqual([...fitted.logDensity(rows)])
    expect(linearKind.make({ on: ["x1"], prior: 2 }).options).toEqual({ on: ["x1"], prior: 2 })
  })
})

describe("models", () => {
  test("cover one column and read the others, which come last", () => {
    expect(model.uses.map(({ column, role }) => [column, role])).toEqual([
      ["y", "cell"],
      ["x1", "read"],
      ["x2", "read"],
    ])
    const together = independent(model, { x1: gaussian() })
    expect(together.uses.map(({ column, role }) => [column, role])).toEqual([
      ["x1", "cell"],
      ["y", "cell"],
      ["x2", "read"],
    ])
  })

  test("may stand in one chain after the other", async () => {
    const chain = independent(linear("x2", ["x1"]), linear("y", ["x1", "x2"]), { x1: gaussian() })
    const fitted = await fit(chain, rows)
    const drawn = fitted.sample(3)
    expect(drawn.every(row => Number.isFinite(row.y) && Number.isFinite(row.x2))).toBe(true)
  })

  test("of one switch may read different columns", async () => {
    const bodies = classes("kind", { a: linear("y", ["x1"]), b: linear("y", ["x2"]) })
    const fitted = await fit(bodies, rows)
    const { given } = fitted.describe().kind as { given: Record<string, { y: { coefficients: object } }> }
    expect(Object.keys(given.a.y.coefficients)).toEqual(["x1"])
    expect(Object.keys(given.b.y.coefficients)).toEqual(["x2"])
    expect(fitted.posterior(rows).probabilities).toHaveLength(240)
  })

  test("that cannot be are refused", async () => {
    expect(() => linear("y", [])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: linear: the columns to read are a list of 0. It takes a list of column names, at least one. Write for example linear("y", ["x"]), or gaussian() for a column that depends on none.]`,
    )
    expect(() => linear("y", ["x", "x"])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: linear: column "x" is read twice. Its two coefficients could not be told apart. Name it once.]`,
    )
    expect(() => linear("y", ["x", "y"])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: linear: column "y" stands where one column is given others. A column says everything of itself. Name one column, and read others.]`,
    )
    expect(() => linear(["y"] as never, ["x"])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: linear: the column is a list of 1. It is the name of the column that depends on the others. Write for example linear("y", ["x"]).]`,
    )
    expect(() => linear("y", ["x"], { prior: -1 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: linear: prior is -1. It counts pseudo-rows, so it must be a finite number ≥ 0. Give 0 for maximum likelihood, or leave it out for the default.]`,
    )
    expect(() => linear("y", ["x"], { piror: 1 } as never)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: linear: there is no option "piror". It knows "prior". Did you mean "prior"?]`,
    )
    expect(() => independent(linear("y", ["x"]), linear("x", ["y"]))).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: independent: column "x" is read before it is modelled. Parts are drawn in order. Put the part that reads it last, or model both together with normal([...]).]`,
    )
    expect(() => independent(linear("y", ["x"]), linear("y", ["z"]))).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: independent: column "y" stands in two parts. Independent parts share no column. Put the column in one part, or model both together with normal([...]).]`,
    )
    expect(() => independent(linear("y", ["x"]), { x: poisson() })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: independent: two parts give "x" different kind. A column is held in one way. Give it the same in every part.]`,
    )
    expect(() => classes("x", linear("y", ["x"]))).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: classes: the label "x" is also a feature of the body. A label that explains itself teaches nothing. Leave it out of the body.]`,
    )
    expect(() =>
      mixture([linear("y", ["x"]), independent({ y: categorical() })] as never),
    ).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: mixture: column "y" is a density over numbers in body 0 and a mass over levels in body 1. They cannot be compared. Give the column the same kind of family in every body.]`,
    )
    await expect(
      fit(model, [rows[0], { ...rows[1], x2: null }] as never),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 1: "y" is modelled given "x2", which is missing or asked for. A regression speaks of "y" alone, and only given "x2". Fill "x2", drop the row, or use normal(["x1","x2","y"]), which has the same conditional.]`,
    )
    await expect(
      fit(model, rows, { learner: sdem({ target: "x1" }) }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: "x1" cannot be a target. "y" is modelled given it, which says nothing of "x1" itself. Name another, or use normal(["x1","x2","y"]), which has both conditionals.]`,
    )
  })

  test("described wrongly are refused", () => {
    const at = (parameters: Description) => () => specify(linear("y", ["x"]), { y: parameters })
    expect(at({ coefficients: { x: 1 }, sd: 1 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: linear: "intercept" of column "y" is undefined. It must be a finite number. Give the parameters as describe() prints them.]`,
    )
    expect(at({ intercept: 1, coefficients: {}, sd: 1 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: linear: "coefficient of x" of column "y" is null. It must be a finite number. Give the parameters as describe() prints them.]`,
    )
    expect(at({ intercept: 1, coefficients: { x: 1 }, sd: 0 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: linear: "sd" of column "y" is 0. It must be a finite number above 0. Give the parameters as describe() prints them.]`,
    )
    expect(
      at({
        intercept: 1,
        coefficients: { x: 1 },
        sd: 1,
        on: { mean: { x: 0 }, covariance: { x: { x: -1 } } },
      }),
    ).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: linear: the covariance leaves column "x" no variance of its own, given the columns before it. A covariance must be positive definite. Give the parameters as describe() prints them, or add a little to the diagonal.]`,
    )
  })
})
