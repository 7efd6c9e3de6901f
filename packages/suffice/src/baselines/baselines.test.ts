/** What both baselines promise: laws of weights and labels, answers, and refusals. */
import { describe, expect, test } from "vitest"
import { evaluate } from "../answers/evaluate.ts"
import type { Row } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { multinomial } from "../families/multinomial.ts"
import { fit } from "../fit/fit.ts"
import { dice } from "../random.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { normal } from "../structures/normal.ts"
import type { LinearClassifier } from "./linear-classifier.ts"
import { linearSvm } from "./linear-svm.ts"
import { logisticRegression } from "./logistic-regression.ts"

const die = dice(12)
const LEVELS = ["ash", "birch", "cedar"]
interface Tree extends Row {
  readonly y: string
  readonly x: number | null
  readonly z: number
  readonly leaf: string | null
  readonly text: string
  readonly w: number
}
const TREES: Tree[] = Array.from({ length: 90 }, (_, i) => {
  const y = die.integer(3)
  return {
    y: LEVELS[y],
    x: i % 9 === 0 ? null : y + die.normal(),
    z: 1000 + 50 * (die.normal() - y),
    leaf: i % 7 === 0 ? null : ["oval", "round"][die.uniform() < 0.2 + 0.3 * y ? 1 : 0],
    text: Array.from({ length: 4 }, () => ["bark", "root", "cone", "leaf"][die.integer(2 + y)]).join(" "),
    w: die.integer(4),
  }
})
const HELD = TREES.slice(60)
const TRAIN = TREES.slice(0, 60)
// raw: a law of weights and copies does not hold where a word's weight depends on the documents of all rows
const text = multinomial({ scaling: "raw" })
const model = classes("y", independent({ x: gaussian(), z: gaussian(), leaf: categorical(), text }))

type Learn = (data: readonly Row[], options?: object, of?: Model) => Promise<LinearClassifier>
const learner =
  (baseline: { fit: unknown }): Learn =>
  (data, options = {}, of = model as Model) =>
    (baseline.fit as (...args: unknown[]) => Promise<LinearClassifier>)(of, data, options)
const sure = { tolerance: 1e-9, maxIterations: 1_000_000 }
const BASELINES: Record<string, Learn> = {
  multinomial: learner(logisticRegression(sure)),
  "one-vs-rest": learner(logisticRegression({ ...sure, classes: "one-vs-rest" })),
  "no intercept": learner(logisticRegression({ ...sure, intercept: false })),
  "squared hinge": learner(linearSvm(sure)),
  "squared hinge, free intercept": learner(linearSvm({ ...sure, intercept: "free" })),
  "plain hinge": learner(linearSvm({ ...sure, hinge: "plain" })),
}
/** Equal objectives to 1e-8; scores where the optimum is not flat. */
function same(a: LinearClassifier, b: LinearClassifier, name: string): void {
  expect(a.optimum.objective / b.optimum.objective).toBeCloseTo(1, 7)
  if (name === "plain hinge") return
  const [ours, theirs] = [a.scores(HELD).scores, b.scores(HELD).scores]
  ours.forEach((score, at) => {
    expect(score).toBeCloseTo(theirs[at], 4)
  })
}

describe.each(Object.entries(BASELINES))("%s:", (name, learn) => {
  test("weight w is the row w times, and weight 0 is no row", async () => {
    const twice = TRAIN.flatMap(row => new Array<Tree>(row.w).fill(row))
    same(await learn(TRAIN, { weight: "w" }), await learn(twice), name)
  })

  test("a class weight is that weight on every row of the class", async () => {
    const weighted = TRAIN.map(row => ({ ...row, w: row.y === "birch" ? 3 : 1 }))
    same(await learn(TRAIN, { classWeights: { birch: 3 } }), await learn(weighted, { weight: "w" }), name)
  })

  test("a soft label is one weighted copy of the row per level", async () => {
    const soft = TRAIN.map((row, i) => (i % 3 === 0 ? { ...row, y: { [row.y]: 3, cedar: 1 } } : row))
    const copies = TRAIN.flatMap((row, i) =>
      i % 3 === 0 && row.y !== "cedar"
        ? [
            { ...row, w: 0.75 },
            { ...row, w: 0.25, y: "cedar" },
          ]
        : [{ ...row, w: 1 }],
    )
    same(await learn(soft), await learn(copies, { weight: "w" }), name)
  })

  test("rows without a label are left out, of means and spreads too", async () => {
    const holes = [...TRAIN, ...HELD.map(row => ({ ...row, y: null }))]
    same(await learn(holes), await learn(TRAIN), name)
  })

  test("renaming levels and reordering columns permutes, no more", async () => {
    const names: Record<string, string> = { ash: "z", birch: "m", cedar: "a" }
    const renamed = (rows: readonly Tree[]) => rows.map(row => ({ ...row, y: names[row.y] }))
    const turned = classes("y", independent({ text, leaf: categorical(), z: gaussian(), x: gaussian() }))
    const a = await learn(TRAIN)
    const b = await learn(renamed(TRAIN), {}, turned as Model)
    expect(b.optimum.objective / a.optimum.objective).toBeCloseTo(1, 7)
    if (name === "plain hinge") return
    const [ours, theirs] = [a.scores(HELD).scores, b.scores(HELD).scores]
    for (let i = 0; i < HELD.length; i++) {
      LEVELS.forEach((_, l) => {
        expect(theirs[3 * i + 2 - l]).toBeCloseTo(ours[3 * i + l], 4)
      })
    }
  })

  test("the units of a number change nothing", async () => {
    const miles = (rows: readonly Tree[]) => rows.map(row => ({ ...row, z: row.z / 1609.344 - 7 }))
    const a = await learn(TRAIN)
    const b = await learn(miles(TRAIN))
    expect(b.optimum.objective / a.optimum.objective).toBeCloseTo(1, 7)
    const [ours, theirs] = [a.scores(HELD).scores, b.scores(miles(HELD)).scores]
    ours.forEach((score, at) => {
      expect(theirs[at]).toBeCloseTo(score, 2)
    })
  })

  test("the same data give the same bits, as rows, as columns and from a source", async () => {
    const source = {
      async *[Symbol.asyncIterator]() {
        yield TRAIN.slice(0, 13)
        yield TRAIN.slice(13)
      },
    }
    const columns = Object.fromEntries(
      Object.keys(TRAIN[0]).map(column => [column, TRAIN.map(row => row[column])]),
    )
    const expected = (await learn(TRAIN)).describe()
    expect((await learn(columns as never)).describe()).toEqual(expected)
    expect((await learn(source as never)).describe()).toEqual(expected)
  })

  test("describe() is the scores, feature by feature", async () => {
    const learned = await learn(TRAIN)
    const { features, bias, target } = learned.describe()
    expect(target).toBe("y")
    const { levels, scores } = learned.scores(HELD)
    HELD.forEach((row, i) => {
      for (const [l, level] of levels.entries()) {
        let score = bias[String(level)]
        for (const { column, name: feature, mean = 0, sd = 1, weights } of features) {
          const cell = row[column]
          const weight = weights[String(level)]
          if (column === "text")
            score += weight * (cell as string).split(" ").filter(word => feature === `text: ${word}`).length
          else if (column === "leaf") score += feature === `leaf = ${cell}` ? weight : 0
          else if (cell !== null) score += weight * (((cell as number) - mean) / sd)
        }
        expect(scores[i * levels.length + l]).toBeCloseTo(score, 9)
      }
    })
    if (name === "no intercept") expect(Object.values(bias)).toEqual([0, 0, 0])
  })

  test("the predicted level has the highest score; what training never saw is named and counts as missing", async () => {
    const learned = await learn(TRAIN)
    const answers = learned.predict(HELD)
    const { levels, scores } = learned.scores(HELD)
    answers.forEach(({ value }, i) => {
      const row = [...scores.subarray(3 * i, 3 * i + 3)]
      expect(value).toBe(levels[row.indexOf(Math.max(...row))])
    })
    const [strange, known] = learned.predict([
      { ...HELD[0], leaf: "lobed", text: "moss bark" },
      { ...HELD[0], leaf: null, text: "bark" },
    ])
    expect(strange.unseen).toEqual({ leaf: "lobed", text: ["moss"] })
    expect({ ...strange, unseen: undefined }).toEqual({ ...known, unseen: undefined })
  })

  test("one class only: it is what is predicted", async () => {
    const learned = await learn(TRAIN.filter(({ y }) => y === "ash"))
    expect(learned.predict(HELD).map(({ value }) => value)).toEqual(HELD.map(() => "ash"))
    expect(learned.optimum).toMatchObject({ objective: 0, iterations: 0, converged: true })
    expect([...learned.scores(HELD).scores]).toEqual(HELD.map(() => 0))
  })

  test("a declared level that no row holds is never predicted, and changes nothing for the others", async () => {
    const declared = classes("y", independent({ x: gaussian(), z: gaussian(), leaf: categorical(), text }), {
      levels: ["yew", ...LEVELS],
    })
    const a = await learn(TRAIN, {}, declared as Model)
    const b = await learn(TRAIN)
    expect(a.diagnostics.map(({ code }) => code)).toContain("empty-level")
    expect(a.describe()).toEqual(b.describe())
    const [ours, theirs] = [a.scores(HELD).scores, b.scores(HELD).scores]
    ours.forEach((score, at) => {
      expect(score).toBe(at % 4 === 0 ? -Infinity : theirs[3 * Math.floor(at / 4) + (at % 4) - 1])
    })
  })

  test("evaluate compares it with the model itself", async () => {
    const learned = await learn(TRAIN)
    const found = evaluate(learned, HELD)
    const right = learned.predict(HELD).filter(({ value }, i) => value === HELD[i].y).length
    expect(found.accuracy).toBeCloseTo(right / HELD.length, 12)
    expect(found.confusion.levels).toEqual(LEVELS)
    expect(found.auc).toBeGreaterThan(0.6)
    expect(Object.keys(evaluate(learned, HELD, { curves: true }).perLevel.ash)).toContain("roc")
  })

  test("a signal ends it", async () => {
    await expect(learn(TRAIN, { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough")
  })
})

describe("logistic regression", () => {
  test("with two levels multinomial and one-vs-rest are one problem", async () => {
    const two = TRAIN.filter(({ y }) => y !== "cedar")
    const a = await BASELINES.multinomial(two)
    const b = await BASELINES["one-vs-rest"](two)
    expect(a.describe()).toEqual(b.describe())
    expect(a.posterior(HELD)).toEqual(b.posterior(HELD))
    const { scores } = a.scores(HELD)
    a.posterior(HELD).probabilities.forEach((p, at) => {
      expect(p).toBeCloseTo(1 / (1 + Math.exp(-scores[at])), 12)
    })
  })

  test("probabilities add up to 1, are those of predict, and have exact logarithms far from every row", async () => {
    for (const name of ["multinomial", "one-vs-rest"]) {
      const learned = await BASELINES[name](TRAIN)
      const far = [...HELD, { ...HELD[0], z: 1e7 }]
      const { probabilities, logs } = learned.posterior(far)
      const answers = learned.predict(far) as unknown as { probabilities: Record<string, number> }[]
      far.forEach((_, i) => {
        const row = [...probabilities.subarray(3 * i, 3 * i + 3)]
        expect(row.reduce((a, b) => a + b)).toBeCloseTo(1, 12)
        expect(Object.values(answers[i].probabilities)).toEqual(row)
      })
      expect([...logs].every(Number.isFinite)).toBe(true)
    }
  })

  test("a free intercept makes the probabilities add up to the classes' frequencies", async () => {
    // ∂f/∂b = 0: Σ_i p(l | x_i) = the rows of l; a law of maximum likelihood that a penalised intercept breaks
    const learned = await BASELINES.multinomial(TRAIN)
    const { probabilities } = learned.posterior(TRAIN)
    LEVELS.forEach((level, l) => {
      const expected = probabilities.reduce((sum, p, at) => (at % 3 === l ? sum + p : sum), 0)
      expect(expected).toBeCloseTo(TRAIN.filter(({ y }) => y === level).length, 6)
    })
    const { bias } = learned.describe()
    expect(Object.values(bias).reduce((a, b) => a + b)).toBeCloseTo(0, 12)
  })

  test("a tied Gaussian's own linear form is no better at its objective", async () => {
    // linear discriminant analysis is a logistic regression too, but of other weights: without a penalty it must lose
    const body = normal(["x", "z"], { covariance: "tied" })
    const two = TRAIN.filter(({ y, x }) => y !== "cedar" && x !== null)
    const generative = await fit(classes("y", body), two as never)
    const learned = await logisticRegression({ c: 1e6 }).fit(classes("y", body) as Model, two as never)
    const loss = (logs: Float64Array): number =>
      two.reduce((sum, { y }, i) => sum - logs[2 * i + (y === "ash" ? 0 : 1)], 0)
    expect(loss(learned.posterior(two as never).logs)).toBeLessThan(
      loss(generative.posterior(two as never).logs),
    )
  })

  test("its evaluation has all measures; an SVM's has those that need no probability", async () => {
    const probable = await logisticRegression().fit(model, TRAIN)
    const scored = await linearSvm().fit(model, TRAIN)
    const [a, b] = [evaluate(probable, HELD), evaluate(scored, HELD)]
    expect(a.logLoss).toBeGreaterThan(0)
    expect(a.perLevel.ash.ece).toBeDefined()
    const missing = Object.keys(a).filter(name => !(name in b))
    expect(missing.sort()).toEqual(["brier", "ece", "logLoss", "logLossInterval", "reliability"])
    // @ts-expect-error an SVM has no log-loss, and the compiler knows
    expect(b.logLoss).toBeUndefined()
    expect(Object.keys(b.perLevel.ash)).not.toContain("ece")
  })

  test("iterations that run out are told", async () => {
    const learned = await logisticRegression({ maxIterations: 1 }).fit(model, TRAIN)
    expect(learned.optimum.converged).toBe(false)
    expect(learned.diagnostics.at(-1)).toMatchInlineSnapshot(`
      {
        "code": "not-converged",
        "message": "logisticRegression ended after 1 iterations and did not meet its tolerance. Give it more iterations, or a larger tolerance.",
      }
    `)
  })

  test("a long fit can be aborted between two passes", async () => {
    const many = Array.from({ length: 4000 }, () => TRAIN[die.integer(60)])
    const controller = new AbortController()
    const words = many.map((row, i) => ({
      ...row,
      text: Array.from({ length: 300 }, (_, t) => `${i % 50}-${(t * 7) % 400}`),
    }))
    const ended = logisticRegression({ tolerance: 1e-300, maxIterations: 1e7 }).fit(model, words as never, {
      signal: controller.signal,
    })
    setTimeout(() => controller.abort(new Error("enough")), 100)
    await expect(ended).rejects.toThrow("enough")
  })
})

describe("refusals", () => {
  const message = async (run: () => unknown): Promise<string> => {
    try {
      await run()
    } catch (error) {
      return (error as Error).message
    }
    return "nothing was refused"
  }
  const loose = (options: object) => options as never

  test("options of the baselines", async () => {
    const said = []
    for (const options of [
      { C: 1 },
      { c: Number.NaN },
      { c: 0 },
      { c: "1" },
      { classes: "ovr" },
      { intercept: "yes" },
      { tolerance: Number.NaN },
      { tolerance: 0 },
      { maxIterations: 0 },
      { maxIterations: Number.NaN },
    ]) {
      said.push(await message(() => logisticRegression(loose(options))))
    }
    for (const options of [
      { hing: "plain" },
      { c: Number.POSITIVE_INFINITY },
      { hinge: "l1" },
      { intercept: null },
      { tolerance: -1 },
      { maxIterations: 1.5 },
      { hinge: "plain", intercept: "free" },
    ]) {
      said.push(await message(() => linearSvm(loose(options))))
    }
    expect(said.join("\n")).toMatchInlineSnapshot(`
      "logisticRegression: there is no option "C". It knows "c", "folds", "classes", "intercept", "tolerance" and "maxIterations". Did you mean "c"?
      logisticRegression: c is NaN. It must be a finite number > 0, or "cv". Leave it out for the default.
      logisticRegression: c is 0. It must be a finite number > 0, or "cv". Leave it out for the default.
      logisticRegression: c is "1". It must be a finite number > 0, or "cv". Leave it out for the default.
      logisticRegression: classes is "ovr". It must be one of "multinomial" and "one-vs-rest". Leave it out for the default.
      logisticRegression: intercept is "yes". It must be one of "free", "regularised", true and false. Leave it out for the default.
      logisticRegression: tolerance is NaN. It must be a finite number > 0. Leave it out for the default.
      logisticRegression: tolerance is 0. It must be a finite number > 0. Leave it out for the default.
      logisticRegression: maxIterations is 0. It must be a whole number ≥ 1. Leave it out for the default.
      logisticRegression: maxIterations is NaN. It must be a whole number ≥ 1. Leave it out for the default.
      linearSvm: there is no option "hing". It knows "c", "folds", "hinge", "intercept", "tolerance" and "maxIterations". Did you mean "hinge"?
      linearSvm: c is Infinity. It must be a finite number > 0, or "cv". Leave it out for the default.
      linearSvm: hinge is "l1". It must be one of "squared" and "plain". Leave it out for the default.
      linearSvm: intercept is null. It must be one of "free", "regularised", true and false. Leave it out for the default.
      linearSvm: tolerance is -1. It must be a finite number > 0. Leave it out for the default.
      linearSvm: maxIterations is 1.5. It must be a whole number ≥ 1. Leave it out for the default.
      linearSvm: the intercept is "free" and the hinge "plain". Dual descent moves one row at a time, and a free intercept ties them together. Choose intercept "regularised", or hinge "squared"."
    `)
  })

  test("models and data", async () => {
    const { fit: learn } = logisticRegression() as unknown as {
      fit(...args: unknown[]): Promise<LinearClassifier>
    }
    const declared = classes("y", independent({ x: gaussian() }), { levels: ["a", "b"] })
    const said = []
    for (const args of [
      [undefined, TRAIN],
      [mixture(2, independent({ x: gaussian() })), TRAIN],
      [declared, [{ x: 1, y: null }]],
      [model, []],
      [model, [{ ...TRAIN[0], z: "tall" }]],
      [model, TRAIN, { wieght: "w" }],
      [model, TRAIN, { weight: 3 }],
      [model, TRAIN, { weight: "x" }],
      [model, TRAIN, { classWeights: { ahs: 2 } }],
      [model, TRAIN, { signal: 7 }],
    ]) {
      said.push(await message(() => learn(...args)))
    }
    expect(said.join("\n")).toMatchInlineSnapshot(`
      "logisticRegression: the model is undefined. It says which columns are features and which is the label. Write for example fit(classes("y", independent({ x: gaussian() })), rows).
      logisticRegression: the model has no label. A classifier needs a column to predict. Put the model in classes(column, body).
      logisticRegression: "y" is missing in every row. A classifier learns from labels alone. Bring labelled rows, or fit the model itself, which learns without.
      the data has no rows. There is nothing to learn from. Pass at least one row.
      row 0 of "z" holds "tall". The column is modelled by numbers. Convert the cell to a number, put null for a missing one, or choose categorical().
      fit: there is no option "wieght". It knows "weight", "classWeights", "signal" and "seed". Did you mean "weight"?
      fit: weight is 3. It must name a column. Write for example { weight: "count" }.
      fit: the weights "x" are also a column of the model. A weight says how often a row counts, not what it holds. Use another column.
      fit: classWeights names "ahs", which is no level of "y". Its levels are "ash", "birch" and "cedar". Did you mean "ash"?
      fit: signal is 7. It must be an AbortSignal. Write for example { signal: controller.signal }."
    `)
  })

  test("questions", async () => {
    const machine = (await linearSvm().fit(model, TRAIN)) as LinearClassifier
    const logistic = (await logisticRegression().fit(model, TRAIN)) as LinearClassifier
    const said = []
    for (const ask of [
      () => machine.posterior(HELD),
      () => machine.predict(HELD, { target: "leaf" }),
      () => logistic.posterior(HELD, loose({ prior: {} })),
      () => logistic.scores([{ x: 1, Z: 2 }]),
      () => evaluate(machine, HELD, { target: "leaf" }),
      () => evaluate(logistic, HELD, { target: "leaf" }),
      () => evaluate(logistic, HELD, { target: "x" }),
      () => evaluate(machine, HELD, { target: "bark" }),
    ]) {
      said.push(await message(ask))
    }
    expect(said.join("\n")).toMatchInlineSnapshot(`
      "posterior: a linear SVM has no probabilities. It learns on which side of a plane a row lies, not how often. Ask for scores(), or use logisticRegression().
      predict: the target is "leaf". linearSvm has learned to predict "y" and nothing else. Leave the target out, or fit the model itself, which answers for any column.
      posterior: there is no option "prior". It knows "target". Leave it out.
      column "z" is not in the data. The data has "x" and "Z". Did you mean "Z"? If it is missing in every row, put null in its cells.
      scores: the target is "leaf". linearSvm has learned to predict "y" and nothing else. Leave the target out, or fit the model itself, which answers for any column.
      posterior: the target is "leaf". logisticRegression has learned to predict "y" and nothing else. Leave the target out, or fit the model itself, which answers for any column.
      predict: the target is "x". logisticRegression has learned to predict "y" and nothing else. Leave the target out, or fit the model itself, which answers for any column.
      scores: the target is "bark". linearSvm has learned to predict "y" and nothing else. Leave the target out, or fit the model itself, which answers for any column."
    `)
  })
})
