import { describe, expect, test } from "vitest"
import { evaluate } from "../answers/evaluate.ts"
import { linearSvm } from "../baselines/linear-svm.ts"
import { logisticRegression } from "../baselines/logistic-regression.ts"
import type { Row } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import { SufficeError } from "../errors.ts"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { load } from "../fit/load.ts"
import { em } from "../learners/em.ts"
import { sdem } from "../learners/sdem.ts"
import { candidates } from "../propose/candidates.ts"
import { dice } from "../random.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { linear } from "../structures/linear.ts"
import { normal } from "../structures/normal.ts"
import type { Baselines } from "./baseline-trials.ts"
import { type ChooseOptions, choose } from "./choose.ts"
import { crossValidate } from "./cross-validate.ts"
import { folds } from "./split.ts"

/** Two classes; x and z tell them apart together only (their signs), noise tells nothing. */
function rowsOf(count: number, seed: number): { y: string; x: number; z: number; noise: number }[] {
  const roll = dice(seed)
  return Array.from({ length: count }, () => {
    const x = roll.normal()
    const z = roll.normal()
    return { y: x * z + 0.3 * roll.normal() > 0 ? "same" : "other", x, z, noise: roll.normal() }
  })
}

const rows = rowsOf(240, 1)
const base = independent({ y: categorical() }) as unknown as Model
const naive = classes("y", independent({ x: gaussian(), z: gaussian() })) as unknown as Model
const full = classes("y", normal(["x", "z"])) as unknown as Model
const noisy = classes("y", independent({ noise: gaussian() })) as unknown as Model
const quick = { counting: em(), ncll: sdem({ epochs: 3 }) }
const chosen = (models: Record<string, Model>, data: readonly Row[], options: ChooseOptions = {}) =>
  choose(models, data as never, { target: "y", ...options })

describe("by cross-validated log-loss", () => {
  test("the model that fits wins, is learned from all rows, and answers for the target", async () => {
    const choice = await chosen({ base, naive, full }, rows)
    expect(choice).toMatchObject({ model: "full", learner: "em", criterion: "logLoss" })
    expect(choice.fitted.training?.rows).toBe(240)
    expect(choice.fitted.model.target).toBe("y")
    expect(choice.trials.map(({ model }) => model)).toEqual(["base", "naive", "full"])
    expect(choice.why).toMatch(
      /^full by em.* loses .* on 240 rows it had not learned from; the others were dropped before\.$/,
    )
    expect(choice.trials[0].dropped).toMatch(/^it loses .* more than full by em$/)
  })

  test("its score is the log-loss that crossValidate pools over the same folds", async () => {
    const { trials } = await chosen({ full }, rows, { calibrate: false, seed: 4 })
    const { pooled } = await crossValidate(full as never, rows as never, { seed: 4 })
    expect(trials[0].score).toBeCloseTo((pooled as { logLoss: number }).logLoss, 12)
    expect(trials[0]).toMatchObject({ folds: 5, judged: 240, calibrated: false, free: 11 })
  })

  test("same rows, same seed: the same choice, to the last bit", async () => {
    const plain = async (seed: number) => {
      const { fitted, trials, ...rest } = await chosen({ base, naive, full }, rows, { learners: quick, seed })
      return JSON.stringify({ rest, trials, saved: fitted.toJSON() })
    }
    expect(await plain(3)).toBe(await plain(3))
  })

  test("where nothing beats the base rate, the base rate is chosen", async () => {
    const choice = await chosen({ base, noisy }, rows, { learners: quick })
    expect(choice.model).toBe("base")
    const { logLoss } = evaluate(choice.fitted as never, rowsOf(200, 9) as never) as { logLoss: number }
    expect(logLoss).toBeCloseTo(Math.log(2), 1)
  })

  test("an overconfident model is taken calibrated, and the calibration is saved with it", async () => {
    const roll = dice(2)
    // ten copies of one column: naive Bayes counts the same evidence ten times
    const copies = Array.from({ length: 300 }, (_, i) => {
      const y = i % 2 ? "a" : "b"
      const x = (i % 2) + roll.normal()
      return {
        y,
        ...Object.fromEntries(Array.from({ length: 10 }, (_, j) => [`x${j}`, x + 0.01 * roll.normal()])),
      }
    })
    const leaves = Object.fromEntries(Array.from({ length: 10 }, (_, j) => [`x${j}`, gaussian()]))
    const model = classes("y", independent(leaves)) as unknown as Model
    const choice = await chosen({ model }, copies)
    expect(choice.calibrated).toBe(true)
    expect(choice.calibration).toMatchObject({ target: "y", method: "temperature" })
    expect((choice.calibration as { temperature: number }).temperature).toBeGreaterThan(5)
    const again = load(JSON.stringify(choice.fitted))
    expect(again.posterior(copies as never).probabilities).toEqual(
      choice.fitted.posterior(copies as never).probabilities,
    )
    const plain = await chosen({ model }, copies, { calibrate: false })
    expect(plain.calibrated).toBe(false)
    expect(choice.trials[0].score).toBeLessThan(plain.trials[0].score)
  })

  test("only what cannot win is dropped early: all others are compared on every fold", async () => {
    const { trials } = await chosen({ base, naive, full, noisy }, rows)
    for (const { dropped, folds } of trials) expect(folds === 5).toBe(dropped === undefined)
    // the two that tell nothing are equal: both go, or both stay
    const of = (name: string) => trials.find(({ model }) => model === name)!
    expect(of("full").dropped).toBeUndefined()
    expect(of("base").dropped).toBeDefined()
  })

  test("the budget bounds what is spent, and what it does not reach is said", async () => {
    const models = { base, naive, full, noisy }
    const all = await chosen(models, rows, { learners: quick })
    expect(all.spent).toBeGreaterThan(0)
    const first = await chosen(models, rows, { learners: quick, budget: all.spent / 4 })
    // what was begun is finished: at most one stage of one candidate more
    expect(first.spent).toBeLessThan(all.spent / 2)
    expect(first.trials.some(({ dropped }) => dropped === "the budget did not reach")).toBe(true)
  })

  test("many rows are judged on samples that grow, and a source is sampled", async () => {
    const many = rowsOf(6000, 5)
    const choice = await chosen({ base, naive, full }, many)
    expect(choice.model).toBe("full")
    expect(choice.trials.map(({ rows }) => rows)).toEqual([1600, 1600, 1600])
    const source = {
      async *[Symbol.asyncIterator]() {
        for (let i = 0; i < 6000; i += 1000) yield many.slice(i, i + 1000)
      },
    }
    const streamed = await choose({ base, naive, full }, source as never, { target: "y" })
    expect(JSON.stringify(streamed.fitted)).toBe(JSON.stringify(choice.fitted))
  })

  test("rows without a label are no rows to judge on, and few rows choose nothing", async () => {
    const holes = rows.map((row, i) => (i % 2 ? row : { ...row, y: null }))
    expect((await chosen({ full }, holes)).trials[0].judged).toBe(120)
    const few = await chosen({ naive, full }, rows.slice(0, 12))
    expect(few.model).toBe("naive")
    expect(few.why).toBe("12 rows with a label are too few to compare models: the first is taken.")
  })

  test("what cannot be learned from the rows is refused, with its reason; all refused is an error", async () => {
    const holes = rows.map((row, i) => (i % 5 ? row : { ...row, x: null }))
    const line = linear("z", ["x"]) as unknown as Model
    const joint = normal(["x", "z"]) as unknown as Model
    const choice = await choose({ line, joint }, holes as never, { target: "z" })
    expect(choice.model).toBe("joint")
    expect(choice.trials[0].refused).toMatch(/"z" is modelled given "x", which is missing/)
    await expect(choose({ line }, holes as never, { target: "z" })).rejects.toThrow(
      /^choose: no candidate can be learned from these rows and judged\. line by em: /,
    )
  })
})

describe("baselines", () => {
  const strengths = [1 / 64, 1, 64]
  const baselines = {
    line: strengths.map(c => logisticRegression({ c })),
    svm: strengths.map(c => linearSvm({ c })),
  } as unknown as Baselines

  test("are judged on the rows of the finalists, shown, and never chosen", async () => {
    const alone = await chosen({ base, naive, full }, rows)
    const choice = await chosen({ base, naive, full }, rows, { baselines })
    expect(choice.baselines.map(({ name, judged, folds }) => ({ name, judged, folds }))).toEqual([
      { name: "line", judged: 240, folds: 5 },
      { name: "svm", judged: 240, folds: 5 },
    ])
    // no line tells signs apart: both say about the base rate, the SVM calibrated
    for (const { score, difference } of choice.baselines) {
      expect(score).toBeCloseTo(Math.log(2), 1)
      expect(difference).toBeGreaterThan(0.2)
    }
    expect(choice.advice).toBeUndefined()
    expect(JSON.stringify(choice.fitted)).toBe(JSON.stringify(alone.fitted))
    expect(choice.spent).toBeGreaterThan(alone.spent)
  })

  test("its score is the log-loss of the same classifier on the same folds", async () => {
    const line = logisticRegression({ c: 0.5 })
    const given = { line } as unknown as Baselines
    const { baselines } = await chosen({ naive }, rows, { baselines: given, calibrate: false, seed: 2 })
    const parts = folds(rows as never, 5, { seed: 2, stratify: "y" } as never)
    let sum = 0
    for (const { train, test } of parts) {
      const learned = await line.fit(naive as never, train as never)
      sum +=
        (evaluate(learned as never, test as never) as { logLoss: number }).logLoss * (test as Row[]).length
    }
    expect(baselines[0].c).toBe(0.5)
    if (!baselines[0].calibrated) expect(baselines[0].score).toBeCloseTo(sum / 240, 10)
    else expect(baselines[0].score).toBeLessThan(sum / 240)
  })

  test("one that is clearly better is said, with what to do", async () => {
    const roll = dice(2)
    const copies = Array.from({ length: 300 }, (_, i) => {
      const x = (i % 2) + roll.normal()
      const columns = Array.from({ length: 10 }, (_, j) => [`x${j}`, x + 0.01 * roll.normal()])
      return { y: i % 2 ? "a" : "b", ...Object.fromEntries(columns) }
    })
    const leaves = Object.fromEntries(Array.from({ length: 10 }, (_, j) => [`x${j}`, gaussian()]))
    const model = classes("y", independent(leaves)) as unknown as Model
    const { model: taken, advice } = await chosen({ model }, copies, { baselines, calibrate: false })
    expect(taken).toBe("model")
    expect(advice).toMatch(
      /^(line|svm) loses .* ± .* less than what was chosen, on the same rows\. It is shown and not chosen/,
    )
  })

  test("what the budget does not reach, and what cannot be learned, is said; a number has none", async () => {
    const dear = await chosen({ base, naive }, rows, { baselines, budget: 1e-9 })
    expect(dear.baselines.map(({ dropped }) => dropped)).toEqual(Array(2).fill("the budget did not reach"))
    const failing = { bad: { name: "bad", fit: async () => Promise.reject(new SufficeError("data", "no.")) } }
    const { baselines: told } = await chosen({ naive }, rows, { baselines: failing as unknown as Baselines })
    expect(told).toMatchObject([{ name: "bad", refused: "no." }])
    const joint = normal(["x", "z"]) as unknown as Model
    expect((await choose({ joint }, rows as never, { target: "z", baselines })).baselines).toEqual([])
  })
})

describe("numbers", () => {
  const roll = dice(8)
  const table = Array.from({ length: 300 }, (_, i) => {
    const x = roll.normal()
    return { group: i % 2 ? "a" : "b", x, y: 10 + (i % 2 ? 3 : -3) + 2 * x + 0.5 * roll.normal() }
  })

  test("the label's own normal, a line, and a line by group: the last fits, and answers for the number", async () => {
    const choice = await choose(candidates(table, { label: "y" }), table as never, { target: "y" })
    expect(choice.model).toMatch(/^(linear|normal) by group$/)
    const found = evaluate(choice.fitted as never, table as never) as unknown as { r2: number; kind: string }
    expect(found.kind).toBe("number")
    expect(found.r2).toBeGreaterThan(0.97)
    const again = load(JSON.stringify(choice.fitted))
    expect(again.model.target).toBe("y")
    expect(again.predict([{ group: "a", x: 0 }] as never)[0].value).toBeCloseTo(13, 0)
  })

  test("few numbers are tried both ways: a measure wins where order counts, a code where it does not", async () => {
    const measure = Array.from({ length: 120 }, () => {
      const x = 3 * roll.normal()
      return { x, y: Math.min(Math.max(Math.round(8 + x + 2 * roll.normal()), 0), 17) }
    })
    const byOrder = candidates(measure, { label: "y" })
    expect(byOrder.map(({ name }) => name)).toEqual(expect.arrayContaining(["naive-bayes", "linear"]))
    const code = Array.from({ length: 300 }, (_, i) => {
      const y = [7, 3, 12, 5][i % 4]
      return { x: (i % 4) + 0.3 * roll.normal(), y }
    })
    const quickly = (data: readonly Row[]) =>
      choose(
        candidates(data, { label: "y" }).filter(({ name }) => ["naive-bayes", "linear"].includes(name)),
        data as never,
        { target: "y", budget: 5 },
      )
    expect((await quickly(code)).model).toBe("naive-bayes")
    expect((await quickly(measure)).model).toBe("linear")
  })
})

describe("by an information criterion", () => {
  test("the lowest wins, and every candidate has its criteria", async () => {
    const roll = dice(3)
    const two = Array.from({ length: 200 }, (_, i) => ({ x: 4 * (i % 2) + 0.5 * roll.normal() }))
    const body = independent({ x: gaussian() })
    const models = Object.fromEntries([1, 2, 3].map(k => [k, mixture(k, body)]))
    const choice = await choose(models, two, { seed: 1 })
    expect(choice).toMatchObject({ model: "2", criterion: "bic", calibrated: false })
    const bics = choice.trials.map(({ criteria }) => criteria!.bic)
    expect(choice.trials[1].score).toBe(Math.min(...bics))
    expect(choice.fitted.criteria().bic).toBe(Math.min(...bics))
  })
})

test("what is wrong is said", async () => {
  const said = async (run: () => Promise<unknown>) =>
    (await run().catch((error: Error) => error.message)) as string
  const x = mixture(2, independent({ x: gaussian() })) as unknown as Model
  const wrong = [
    await said(() => chosen({}, rows)),
    await said(() => chosen({ a: 3 as never }, rows)),
    await said(() =>
      choose(
        [
          { name: "a", model: x },
          { name: "a", model: x },
        ],
        rows as never,
      ),
    ),
    await said(() => chosen({ full }, rows, { criterion: "cv" as never })),
    await said(() => chosen({ full }, rows, { learners: [em()] as never })),
    await said(() => chosen({ full }, rows, { learners: { em: "em" as never } })),
    await said(() => chosen({ full }, rows, { folds: 1 })),
    await said(() => chosen({ full }, rows, { budget: 0 })),
    await said(() => chosen({ full }, rows, { baselines: { line: em() } as never })),
    await said(() => chosen({ full }, rows, { bugdet: 3 } as never)),
    await said(() => choose({ x }, rows as never, { criterion: "logLoss" })),
  ]
  expect(wrong.join("\n")).toMatchInlineSnapshot(`
    "choose: the models are an object with 0 keys. There must be something to choose from. Give models by name, for example { two: mixture(2, body), three: mixture(3, body) }.
    choose: the candidate "a" is 3. A candidate is a model with a name. Write for example { nb: classes("y", body) } or [{ name: "nb", model: classes("y", body) }].
    choose: two models are called "a". The answer says by name which was chosen. Rename one of them.
    choose: criterion is "cv". It must be one of "logLoss", "completion", "aic", "bic", "icl" and "evidence". Leave it out for "logLoss", or "bic" where there is no target.
    choose: learners is a list of 1. Learners come by name. Write for example { learners: { counting: em(), ncll: sdem() } }.
    choose: learners.em is "em". Learners come by name. Write for example { learners: { counting: em(), ncll: sdem() } }.
    choose: folds is 1. It must be a whole number ≥ 2. Write for example { folds: 5 }.
    choose: budget is 0. It must be a number above 0. Write for example { budget: 20 }.
    choose: baselines is an object with 1 key. It must hold baselines by name. Write for example { baselines: { line: logisticRegression() } }.
    choose: there is no option "bugdet". It knows "learners", "criterion", "target", "folds", "group", "time", "budget", "calibrate" and 11 more. Did you mean "budget"?
    choose: the models have no label, and no target is named. The log-loss is that of a column given the others. Name it with { target: "y" }, or choose by { criterion: "bic" }."
  `)
})
