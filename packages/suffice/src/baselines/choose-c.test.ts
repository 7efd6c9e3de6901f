import { describe, expect, test } from "vitest"
import { gaussian } from "../families/gaussian.ts"
import { multinomial } from "../families/multinomial.ts"
import { dice } from "../random.ts"
import { classes } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { chooseC } from "./choose-c.ts"
import type { Examples, Solution, SolveHow } from "./learn-line.ts"
import { linearSvm } from "./linear-svm.ts"
import { logisticRegression } from "./logistic-regression.ts"

const die = dice(3)
/** Thirty columns, one of which tells: with few rows a small C is better. */
const rows = Array.from({ length: 60 }, () => {
  const y = ["a", "b", "c"][die.integer(3)]
  const noise = Object.fromEntries(Array.from({ length: 30 }, (_, j) => [`x${j}`, die.normal()]))
  return { y, ...noise, told: (y === "a" ? 1 : 0) + 0.7 * die.normal() }
})
const columns = Object.keys(rows[0]).filter(name => name !== "y")
const model = classes("y", independent(Object.fromEntries(columns.map(name => [name, gaussian()]))))

describe.each([
  ["logistic regression", logisticRegression, "logLoss"],
  [
    "one against the rest",
    (options: object) => logisticRegression({ ...options, classes: "one-vs-rest" }),
    "logLoss",
  ],
  ["linear SVM", linearSvm, "errors"],
  ["SVM of the plain hinge", (options: object) => linearSvm({ ...options, hinge: "plain" }), "errors"],
  ["SVM with a free intercept", (options: object) => linearSvm({ ...options, intercept: "free" }), "errors"],
] as const)("%s:", (_, made, by) => {
  test("the classifier is the one of the C that was chosen, to the bit, and says which", async () => {
    const chosen = await made({ c: "cv" }).fit(model as never, rows as never)
    const { c } = chosen.chosen!
    expect(chosen.learner.options).toMatchObject({ c, folds: 5 })
    const alone = await made({ c }).fit(model as never, rows as never)
    expect(chosen.describe()).toEqual(alone.describe())
    expect(alone.chosen).toBeUndefined()
    expect(alone.learner.options).not.toHaveProperty("folds")
  })

  test("no C that was tried has a loss lower by a thousandth, and of equals the smallest is taken", async () => {
    const { chosen } = await made({ c: "cv" }).fit(model as never, rows as never)
    expect(chosen!.by).toBe(by)
    const cs = chosen!.tried.map(({ c }) => c)
    expect(cs).toEqual(cs.toSorted((a, b) => a - b))
    const least = Math.min(...chosen!.tried.map(({ loss }) => loss))
    expect(chosen!.tried.find(({ loss }) => loss * 0.999 <= least)!.c).toBe(chosen!.c)
    // two worse each way, then half and twice the best
    expect(cs.length).toBeGreaterThanOrEqual(7)
    expect(cs).toContain(2 * chosen!.c)
  })

  test("the seed draws the folds, and the same seed draws the same", async () => {
    const tried = async (seed?: number) =>
      (
        await made({ c: "cv", folds: 3 }).fit(model as never, rows as never, {
          ...(seed !== undefined && { seed }),
        })
      ).chosen!.tried
    expect(await tried()).toEqual(await tried(0))
    expect(await tried(1)).not.toEqual(await tried(0))
  })
})

test("a column of noise asks for a small C, many clear rows for a larger one", async () => {
  const { chosen: few } = await logisticRegression({ c: "cv" }).fit(model as never, rows as never)
  expect(few!.c).toBeLessThan(1)
  const clear = Array.from({ length: 300 }, (_, i) => ({
    y: i % 2 ? "a" : "b",
    x: (i % 2) + 0.1 * die.normal(),
  }))
  const simple = classes("y", independent({ x: gaussian() }))
  const { chosen: many } = await logisticRegression({ c: "cv" }).fit(simple, clear)
  expect(many!.c).toBeGreaterThan(1)
})

test("the only row of a level is never held out, and one level leaves nothing to choose", async () => {
  const simple = classes("y", independent({ x: gaussian() }))
  const lone = [...rows.map(({ y, told }) => ({ y, x: told })), { y: "lone", x: 9 }]
  const { chosen } = await logisticRegression({ c: "cv" }).fit(simple, lone)
  expect(chosen!.tried.every(({ loss }) => Number.isFinite(loss) && loss < 3)).toBe(true)
  const one = await logisticRegression({ c: "cv" }).fit(simple, [
    { y: "a", x: 1 },
    { y: "a", x: 2 },
  ])
  expect([one.chosen, one.learner.options.c]).toEqual([undefined, 1])
  const two = await linearSvm({ c: "cv" }).fit(simple, [
    { y: "a", x: 1 },
    { y: "b", x: 2 },
  ])
  expect(two.chosen).toEqual({ c: 1, by: "errors", tried: [] })
})

test("each row is held out once, learned from in all other folds, and solved from the C before", async () => {
  const labels = Int32Array.from({ length: 23 }, (_, i) => i % 3)
  const examples: Examples = {
    x: {
      rows: 23,
      dense: 1,
      values: Float64Array.from({ length: 23 }, (_, i) => i),
      offsets: new Int32Array(24),
      indices: new Int32Array(0),
      counts: new Float64Array(0),
      width: 1,
      intercept: false,
    },
    labels,
    weights: Float64Array.from({ length: 23 }, (_, i) => (i === 7 ? 0 : 1)),
    met: ["a", "b", "c"],
  }
  const calls: { rows: number[]; how: SolveHow }[] = []
  const solve = async (some: Examples, how: SolveHow): Promise<Solution> => {
    calls.push({ rows: [...some.x.values], how })
    return { weights: Float64Array.of(how.c, 0, 0), outputs: 3, problems: [], states: [] }
  }
  await chooseC(examples, "softmax", 4, dice(1), solve)
  const left = calls.slice(0, 4).flatMap(({ rows }) => [...labels.keys()].filter(i => !rows.includes(i)))
  expect(left.sort((a, b) => a - b)).toEqual([...labels.keys()].filter(i => i !== 7))
  expect(calls[0].how.from).toBeUndefined()
  expect(calls[4].how).toMatchObject({ c: 4, from: { weights: Float64Array.of(1, 0, 0) } })
})

describe("documents", () => {
  const texts = Array.from({ length: 80 }, (_, i) => {
    const y = i % 2 ? "tea" : "chess"
    const own = y === "tea" ? ["leaf", "cup", "pot"] : ["rook", "pawn", "king"]
    const words = Array.from({ length: 4 + die.integer(30) }, () =>
      die.uniform() < 0.2 ? own[die.integer(3)] : ["the", "of", "a"][die.integer(3)],
    )
    return { y, text: words.join(" ") }
  })
  const scaled = (scaling?: "raw" | "log" | "l2" | "tfidf") =>
    classes("y", independent({ text: multinomial(scaling ? { scaling } : {}) }))

  test.each([
    ["logistic regression", logisticRegression()],
    ["SVM", linearSvm()],
  ])(
    "%s sees the cells of a discriminative learner: tf-idf, unless the model says otherwise",
    async (_, baseline) => {
      const weights = async (scaling?: Parameters<typeof scaled>[0]) =>
        (await baseline.fit(scaled(scaling) as never, texts as never)).describe()
      const open = await weights()
      expect(open).toEqual(await weights("tfidf"))
      for (const scaling of ["raw", "log", "l2"] as const) expect(open).not.toEqual(await weights(scaling))
    },
  )

  test("scaled documents are those of the table in text/scaling.ts, for rows learned from and rows asked about", async () => {
    const learned = await logisticRegression().fit(scaled("l2"), texts)
    const { features, bias } = learned.describe()
    const asked = "pot pot pot king the the"
    const counts = { pot: 1 + Math.log(3), king: 1, the: 1 + Math.log(2) }
    const norm = Math.hypot(...Object.values(counts))
    const expected = Object.entries(counts).reduce((sum, [word, count]) => {
      const { weights } = features.find(({ name }) => name === `text: ${word}`)!
      return sum + (2 * count * weights.tea) / norm
    }, bias.tea)
    expect(learned.scores([{ text: asked }]).scores[1]).toBeCloseTo(expected, 10)
  })
})
