/** Steps that are independent given the context, held against multinomials, copies of columns, and flat models. */
import { describe, expect, test } from "vitest"
import type { Row } from "../contract/cells.ts"
import {
  categorical,
  classes,
  em,
  fit,
  gaussian,
  independent,
  linear,
  load,
  mixture,
  multinomial,
  normal,
  plate,
  specify,
} from "../index.ts"
import { onlineEm, sdem } from "../learn.ts"
import { dice } from "../random.ts"

const LETTERS = ["a", "b", "c"]
const die = dice(7)

function stepOf(y: number) {
  return {
    letter: LETTERS[die.categorical(Float64Array.of(1 + 3 * y, 2, 2 - y), 0, 3)],
    x: 2 * y + die.normal(),
  }
}

/** Two classes; up to five steps, so that some rows have none. */
function rowsOf(count: number) {
  return Array.from({ length: count }, (_, i) => {
    const y = i % 2
    const steps = Array.from({ length: die.integer(6) }, () => stepOf(y))
    return { y: y === 1 ? "yes" : "no", age: 30 + 3 * y + die.normal(), steps }
  })
}

const rows = rowsOf(240)
const body = independent({ letter: categorical(), x: gaussian() })
const model = classes("y", independent({ age: gaussian() }, plate("steps", body)))

async function message(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    return (error as Error).message
  }
  return "nothing was thrown"
}

const close = (a: ArrayLike<number>, b: ArrayLike<number>, digits = 9): void => {
  expect(a.length).toBe(b.length)
  for (let i = 0; i < a.length; i++) expect(a[i]).toBeCloseTo(b[i], digits)
}

/** The first step goes all the way: what learning began with is forgotten. */
const stepSize = { kind: "power", power: 0.6, delay: 0 } as const

describe("second opinions", () => {
  const letters = rows.map(({ y, steps }) => ({ y, steps: steps.map(({ letter }) => letter) }))

  test("over one column with levels it is a multinomial on the same words", async () => {
    const words = await fit(classes("y", independent({ steps: multinomial() })), letters)
    const steps = await fit(classes("y", plate("steps", independent({ letter: categorical() }))), letters)
    close(steps.logDensity(letters), words.logDensity(letters))
    close(steps.posterior(letters).logs, words.posterior(letters).logs)
    expect(steps.training?.logLikelihood).toBeCloseTo(words.training!.logLikelihood, 8)
  })

  test("learned by online EM, too", async () => {
    const learner = onlineEm({ epochs: 2, stepSize })
    const words = await fit(classes("y", independent({ steps: multinomial() })), letters, { learner })
    const steps = await fit(classes("y", plate("steps", independent({ letter: categorical() }))), letters, {
      learner,
    })
    close(steps.posterior(letters).logs, words.posterior(letters).logs)
  })

  test("of k steps it is k columns that share their parameters", async () => {
    const fitted = await fit(model, rows)
    const described = fitted.describe()
    const { y } = described as { y: { probabilities: Record<string, number>; given: Record<string, Row> } }
    const alone = specify(body, y.given.yes.steps as never)
    const age = specify(independent({ age: gaussian() }), { age: y.given.yes.age } as never)
    const seen = rows.filter(row => row.y === "yes" && row.steps.length > 0).slice(0, 20)
    const expected = seen.map(
      row =>
        Math.log(y.probabilities.yes) +
        age.logDensity([row])[0] +
        alone.logDensity(row.steps).reduce((sum, score) => sum + score, 0),
    )
    close(fitted.logDensity(seen), expected, 8)
  })

  test("of one step it is the flat model", async () => {
    const flat = rows.map(({ y }) => ({ y, ...stepOf(y === "yes" ? 1 : 0) }))
    const nested = flat.map(({ y, ...step }) => ({ y, steps: [step] }))
    for (const learner of [
      em(),
      onlineEm({ epochs: 2, stepSize }),
      sdem({ epochs: 2 }),
      sdem({ loss: "ncll", epochs: 2 }),
    ]) {
      const whole = await fit(classes("y", body), flat, { learner })
      const steps = await fit(classes("y", plate("steps", body)), nested, { learner })
      close(steps.posterior(nested).logs, whole.posterior(flat).logs, 6)
    }
  })

  test("over a mixture it is the mixture of the steps as rows", async () => {
    const all = rows.flatMap(({ steps }) => steps)
    const start = {
      "mixture(letter, x)": {
        probabilities: { 0: 0.5, 1: 0.5 },
        given: {
          0: { letter: { probabilities: { a: 0.5, b: 0.3, c: 0.2 } }, x: { mean: 0, sd: 1 } },
          1: { letter: { probabilities: { a: 0.2, b: 0.3, c: 0.5 } }, x: { mean: 2, sd: 1 } },
        },
      },
    }
    const options = { maxIterations: 2000, tolerance: 1e-13, prior: 0 }
    const flat = await fit(mixture(2, body), all, { learner: em({ ...options, start }) })
    const steps = await fit(plate("steps", mixture(2, body)), rows, {
      learner: em({ ...options, start: { steps: start } }),
    })
    expect(steps.training?.logLikelihood).toBeCloseTo(flat.training!.logLikelihood, 6)
    const given = steps.describe().steps as Record<string, { probabilities: Record<string, number> }>
    const other = flat.describe() as unknown as typeof given
    close(
      Object.values(given["mixture(letter, x)"].probabilities),
      Object.values(other["mixture(letter, x)"].probabilities),
      5,
    )
  })
})

describe("it learns", () => {
  test("with every learner, and says the same from a file, in threads and in other pieces", async () => {
    const learners = [em(), onlineEm({ epochs: 3 }), sdem({ epochs: 3 }), sdem({ loss: "ncll", epochs: 3 })]
    for (const learner of learners) {
      const fitted = await fit(model, rows, { learner })
      const right = fitted.predict(rows).filter(({ value }, i) => value === rows[i].y).length
      expect(right).toBeGreaterThan(0.9 * rows.length)
      const answers = fitted.logDensity(rows)
      expect(load(JSON.stringify(fitted)).logDensity(rows)).toEqual(answers)
      const pieces = {
        async *[Symbol.asyncIterator]() {
          for (let at = 0; at < rows.length; at += 7) yield rows.slice(at, at + 7)
        },
      }
      expect((await fit(model, pieces, { learner })).logDensity(rows)).toEqual(answers)
    }
  })

  test("the same bits with two threads", async () => {
    const many = Array.from({ length: 8500 }, (_, i) => ({
      steps: Array.from({ length: i % 3 }, () => stepOf(i % 2)),
    }))
    const mixed = mixture(2, plate("steps", body))
    const learner = em({ maxIterations: 2 })
    const [one, two] = [
      await fit(mixed, many, { learner, threads: 1 }),
      await fit(mixed, many, { learner, threads: 2 }),
    ]
    expect(JSON.stringify(two)).toBe(JSON.stringify(one))
  })

  test("a bad row in another thread is told of as it is here", async () => {
    const many = Array.from({ length: 8500 }, (_, i) => ({
      z: null as number | null,
      steps: [{ x: i % 7, z: i === 8400 ? null : i % 5 }],
    }))
    const lines = mixture(2, plate("steps", linear("x", ["z"])))
    const told = (threads: number): Promise<string> =>
      message(() =>
        fit(
          lines,
          many.map(({ steps }) => ({ steps })),
          { learner: em({ maxIterations: 2 }), threads },
        ),
      )
    expect(await told(2)).toContain('row 8400, step 0: "x" is modelled given "z"')
    expect(await told(1)).toBe(await told(2))
  })

  test("components of rows by what their steps are like", async () => {
    const fitted = await fit(mixture(2, plate("steps", body)), rows, { seed: 1 })
    const of = fitted.responsibilities(rows)
    const seen = rows.flatMap((row, i) => (row.steps.length > 2 ? [{ row, component: of[2 * i] > 0.5 }] : []))
    const agree = seen.filter(({ row, component }) => (row.y === "yes") === component).length
    expect(Math.max(agree, seen.length - agree)).toBeGreaterThan(0.9 * seen.length)
  })

  test("an update adds levels of steps, and counting twice is counting once", async () => {
    const counted = plate("steps", independent({ letter: categorical() }))
    const first = rows
      .slice(0, 100)
      .map(({ steps }) => ({ steps: steps.filter(({ letter }) => letter !== "c") }))
    const second = rows.slice(100)
    const updated = await (await fit(counted, first)).update(second)
    const whole = await fit(counted, [...first, ...second])
    close(updated.logDensity(second), whole.logDensity(second))
    expect(updated.diagnostics.map(({ message }) => message)).toMatchInlineSnapshot(`
      [
        "the update brought 1 level of "letter" that the model had never seen: "c". Only the new rows speak of them.",
      ]
    `)
  })
})

describe("answers", () => {
  const given = [{ age: 33, steps: [{ letter: "a", x: 2.5 }, null, { letter: "z", x: null }] }]

  test("tell of unseen levels by row and step", async () => {
    const fitted = await fit(model, rows)
    expect(fitted.predict(given)[0].unseen).toEqual({ "steps[2].letter": "z" })
    // one row and several take different ways
    const two = fitted.predict([given[0], given[0]])
    expect(two[1].unseen).toEqual({ "steps[2].letter": "z" })
    expect(two[0].probability).toBe(fitted.predict(given)[0].probability)
  })

  test("no steps, a missing cell and steps in which nothing is seen say nothing", async () => {
    const fitted = await fit(model, rows)
    const cells = [null, [], [null], [{}, null], { letter: [], x: [] }, { letter: [null], x: [null] }]
    const densities = cells.map(steps => fitted.logDensity([{ y: "yes", age: 31, steps }])[0])
    expect(new Set(densities).size).toBe(1)
  })

  test("an explanation has a term for each cell of a step, and adds up", async () => {
    const fitted = await fit(model, rows)
    const row = rows.find(({ steps }) => steps.length === 3)!
    const { terms, prior, logOdds } = fitted.explain(row)
    expect(
      terms
        .filter(({ step }) => step === 2)
        .map(({ column }) => column)
        .sort(),
    ).toEqual(["letter", "x"])
    expect(terms.find(({ step, column }) => step === 1 && column === "x")?.value).toBeCloseTo(
      row.steps[1].x,
      9,
    )
    expect(terms.reduce((sum, { contribution }) => sum + contribution, prior)).toBeCloseTo(logOdds, 9)
    const mixed = await fit(classes("y", plate("steps", mixture(2, body))), rows)
    const other = mixed.explain(row)
    expect(other.terms.reduce((sum, { contribution }) => sum + contribution, other.prior)).toBeCloseTo(
      other.logOdds,
      9,
    )
  })

  test("labels of steps that are seen contribute too", async () => {
    const tagged = await fit(
      classes("y", plate("steps", classes("letter", independent({ x: gaussian() }), { prior: 1 }))),
      rows,
    )
    const flat = await fit(classes("y", plate("steps", body)), rows)
    const row = rows.find(({ steps }) => steps.length === 4)!
    const { terms, prior, logOdds } = tagged.explain(row)
    expect(terms.reduce((sum, { contribution }) => sum + contribution, prior)).toBeCloseTo(logOdds, 9)
    const ofLetters = flat.explain(row).terms.filter(({ column }) => column === "letter")
    expect(terms.find(({ column }) => column === "letter")?.contribution).toBeCloseTo(
      ofLetters.reduce((sum, { contribution }) => sum + contribution, 0),
      6,
    )
  })

  test("a sample fills the steps it is given", async () => {
    const fitted = await fit(model, rows)
    const [drawn] = fitted.sample(1, { given: { y: "yes", steps: [{ letter: "b" }, null] } })
    const steps = drawn.steps as { letter: string; x: number }[]
    expect(steps).toHaveLength(2)
    expect(steps[0].letter).toBe("b")
    expect(LETTERS).toContain(steps[1].letter)
    expect(steps.every(({ x }) => Number.isFinite(x))).toBe(true)
    expect(await message(() => fitted.sample(1))).toMatchInlineSnapshot(
      `"sample: "steps" is not given. How many steps a row has is given to the model, not modelled by it, so they cannot be drawn out of nothing. Say how many: { steps: 3 }, or give them, those with nothing seen as null: { given: { steps: [null, null, null] } }."`,
    )
  })

  test("what is missing beside the steps is filled by them, and what is missing in them, too", async () => {
    const fitted = await fit(model, rows)
    const steps = [
      { letter: "a", x: 2.2 },
      { letter: null, x: 2 },
    ]
    const {
      rows: [filled],
      draws,
    } = fitted.impute([{ y: null, age: null, steps }], { draws: 1 })
    expect(filled.y).toBe("yes")
    expect(filled.age).toBeGreaterThan(30)
    expect(filled.steps).toEqual([steps[0], { ...steps[1], letter: "a" }])
    expect(draws[0][0].steps).toEqual([steps[0], { ...steps[1], letter: expect.any(String) }])
  })

  test("a description goes in and out", async () => {
    const fitted = await fit(model, rows)
    const again = specify(model, fitted.describe(), {})
    close(again.logDensity(rows), fitted.logDensity(rows), 6)
  })
})

describe("steps of steps", () => {
  test("are the steps themselves, where each holds one", async () => {
    const deep = rows.map(({ y, steps }) => ({ y, days: steps.map(step => ({ steps: [step] })) }))
    const flat = await fit(classes("y", plate("steps", body)), rows)
    const nested = await fit(classes("y", plate("days", plate("steps", body))), deep)
    close(nested.posterior(deep).logs, flat.posterior(rows).logs)
    expect(load(JSON.stringify(nested)).logDensity(deep)).toEqual(nested.logDensity(deep))
  })

  test("a body of each class may model them otherwise", async () => {
    const two = classes("y", {
      yes: plate("steps", body),
      no: plate("steps", independent({ letter: categorical() }, normal(["x"]))),
    })
    const fitted = await fit(two, rows)
    const right = fitted.predict(rows).filter(({ value }, i) => value === rows[i].y).length
    expect(right).toBeGreaterThan(0.75 * rows.length)
  })

  test.each(["ncll", "hinge"] as const)(
    "words move one by one in steps as they do in rows: %s",
    async loss => {
      const letters = rows.map(({ y, steps }) => ({ y, text: steps.map(({ letter }) => letter) }))
      const words = multinomial({ scaling: "raw", prior: 0.5 })
      const learner = sdem({ loss, epochs: 3, batch: 7 })
      const whole = await fit(classes("y", independent({ text: words })), letters, { learner })
      // a document is one step, or as many steps as it has words
      const once = letters.map(({ y, text }) => ({ y, steps: text.length > 0 ? [{ text }] : [] }))
      const apart = letters.map(({ y, text }) => ({ y, steps: text.map(word => ({ text: [word] })) }))
      for (const data of [once, apart]) {
        const fitted = await fit(classes("y", plate("steps", independent({ text: words }))), data, {
          learner,
        })
        close(fitted.posterior(data).logs, whole.posterior(letters).logs, 9)
      }
    },
  )

  test("a step may hold text", async () => {
    const texts = rows.map(({ y, steps }) => ({
      y,
      steps: steps.map(({ letter }) => ({ text: `${letter} ${letter} and` })),
    }))
    const learners = [em(), sdem({ epochs: 2 })]
    for (const learner of learners) {
      const fitted = await fit(classes("y", plate("steps", independent({ text: multinomial() }))), texts, {
        learner,
      })
      expect(fitted.predict(texts)[0].unseen).toBeUndefined()
      expect(load(JSON.stringify(fitted)).logDensity.length).toBe(1)
    }
  })
})

describe("it refuses", () => {
  const messages = (work: () => unknown): Promise<string> => message(work)

  test("cells that are no steps, with the row and the step", async () => {
    const wrong = (steps: unknown): Promise<string> =>
      messages(() => fit(plate("steps", body) as never, [{ steps: [] }, { steps }] as never))
    expect(await wrong(5)).toMatchInlineSnapshot(
      `"row 1 of "steps" holds 5. Its steps are a list of rows, or columns of equal length. Pass [{ letter: … }, …] or { letter: [ … ] }, or null."`,
    )
    expect(await wrong("abc")).toMatchInlineSnapshot(
      `"row 1 of "steps" holds "abc". Its steps are a list of rows, or columns of equal length. Pass [{ letter: … }, …] or { letter: [ … ] }, or null."`,
    )
    expect(await wrong([{ letter: "a", x: 1 }, 7])).toMatchInlineSnapshot(
      `"row 1, step 1 of "steps" is 7, which is no row. A step has the columns "letter" and "x", so its cells need names. Write { letter: …, … }, or null for a step in which nothing is seen."`,
    )
    expect(await wrong([1, 2])).toMatchInlineSnapshot(
      `"row 1, step 0 of "steps" is 1, which is no row. A step has the columns "letter" and "x", so its cells need names. Write { letter: …, … }, or null for a step in which nothing is seen."`,
    )
    expect(await wrong({ letter: ["a", "b"], x: [1] })).toMatchInlineSnapshot(
      `"row 1 of "steps": column "x" has 1 cell, column "letter" has 2: from step 1 on one is missing. Columns of the steps of one row are equally long. Fill missing cells with null."`,
    )
    expect(await wrong({ letter: "a", x: 1 })).toMatchInlineSnapshot(
      `"row 1 of "steps" holds an object with 2 keys. Its steps are a list of rows, or columns of equal length. Pass [{ letter: … }, …] or { letter: [ … ] }, or null."`,
    )
    expect(
      await wrong([
        { letter: "a", x: 1 },
        { letter: "b", x: "two" },
      ]),
    ).toMatchInlineSnapshot(
      `"row 1, step 1 of "x" holds "two". The column is modelled by numbers. Convert the cell to a number, put null for a missing one, or choose categorical()."`,
    )
    expect(await wrong([{ letter: "a", y: 1 }])).toMatchInlineSnapshot(
      `"column "x" is not in the steps of "steps". They have "letter" and "y". Rename the column in the model or in the data. If it is missing in every step, put null in its cells."`,
    )
  })

  test("names that stand inside and outside", async () => {
    const twice = (make: () => unknown): Promise<string> => messages(make)
    expect(await twice(() => independent({ x: gaussian() }, plate("steps", body)))).toMatchInlineSnapshot(
      `"independent: column "x" stands outside of the steps and in the steps of "steps". Targets and answers go by the name, so it would not be clear which one is meant. Give one of the two another name."`,
    )
    expect(await twice(() => classes("letter", plate("steps", body)))).toMatchInlineSnapshot(
      `"classes: column "letter" stands outside of the steps and in the steps of "steps". Targets and answers go by the name, so it would not be clear which one is meant. Give one of the two another name."`,
    )
    expect(await twice(() => plate("x", body))).toMatchInlineSnapshot(
      `"plate("x"): column "x" stands outside of the steps and in the steps of "x". Targets and answers go by the name, so it would not be clear which one is meant. Give one of the two another name."`,
    )
    expect(await twice(() => plate(3 as never, body))).toMatchInlineSnapshot(
      `"plate: the column is 3. It is the name of the column that holds the steps. Write for example plate("steps", body)."`,
    )
    expect(await twice(() => plate("steps", gaussian() as never))).toMatchInlineSnapshot(
      `"plate("steps"): the body is a family without a column. It needs a model. Write for example independent({ x: gaussian() })."`,
    )
  })

  test("targets in steps", async () => {
    const fitted = await fit(model, rows)
    expect(
      await messages(() => fitted.predict(rows as never, { target: "letter" as never })),
    ).toMatchInlineSnapshot(
      `""letter" stands in the steps of "steps", so that a row has many of it. A target has one value in each row. Name a column outside of the steps, or give the steps as rows to a model of their own."`,
    )
    expect(
      await messages(() => fit(model, rows, { learner: sdem({ target: "letter" }) })),
    ).toMatchInlineSnapshot(
      `""letter" stands in the steps of "steps", so that a row has many of it. A target has one value in each row. Name a column outside of the steps, or give the steps as rows to a model of their own."`,
    )
    const hidden = await fit(plate("steps", mixture(2, body, { name: "kind" })), rows)
    expect(
      await messages(() => hidden.posterior(rows as never, { target: "kind" as never })),
    ).toMatchInlineSnapshot(
      `""kind" stands in the steps of "steps", so that a row has many of it. A target has one value in each row. Name a column outside of the steps, or give the steps as rows to a model of their own."`,
    )
    expect(
      await messages(() => hidden.responsibilities(rows as never, { of: "kind" as never })),
    ).toMatchInlineSnapshot(
      `""kind" stands in the steps of "steps", so that a row has many of it. A target has one value in each row. Name a column outside of the steps, or give the steps as rows to a model of their own."`,
    )
    expect(await messages(() => fitted.toLinear())).toMatchInlineSnapshot(
      `"toLinear: the posterior of "y" is not linear in features of the row: "letter" stands in steps, of which a row has as many as it likes. A softmax needs one sum per level. Use posterior() and explain()."`,
    )
  })

  test("a file whose steps are not those of the model", async () => {
    const saved = JSON.parse(JSON.stringify(await fit(model, rows)))
    const place = saved.columns.findIndex((column: { kind: string }) => column.kind === "steps")
    const damaged = (change: (inner: Record<string, unknown>[]) => unknown): Promise<string> => {
      const copy = structuredClone(saved)
      change(copy.columns[place].columns)
      return messages(() => load(copy))
    }
    expect(await damaged(inner => inner.pop())).toMatchInlineSnapshot(
      `"the model file describes column "steps" at columns[2] otherwise than its model uses it: steps of "letter" and "x" there, of "letter" here. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(
      await damaged(inner => {
        inner[1].scale = 0
      }),
    ).toMatchInlineSnapshot(
      `"the model file has 0 at columns[2].columns[1].scale, where a finite number above 1e-308 belongs. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
    expect(
      await damaged(inner => {
        inner[0].name = "x"
      }),
    ).toMatchInlineSnapshot(
      `"the model file has "x" a second time at columns[2].columns[1], where each stands once. It was damaged, or changed by hand. Save the model again, or undo the change."`,
    )
  })

  test("a cell of a step that is given nothing to go by", async () => {
    const regression = plate("steps", linear("x", ["z"]))
    const data = [
      {
        steps: [
          { x: 1, z: 1 },
          { x: 2, z: 3 },
        ],
      },
      {
        steps: [
          { x: 1, z: 2 },
          { x: 4, z: null },
        ],
      },
    ]
    expect(await messages(() => fit(regression, data))).toMatchInlineSnapshot(
      `"row 1, step 1: "x" is modelled given "z", which is missing or asked for. A regression speaks of "x" alone, and only given "z". Fill "z", drop the row, or use normal(["z","x"]), which has the same conditional."`,
    )
  })
})
