/** Messages of networks over steps. */
import { describe, expect, it } from "vitest"
import { bernoulli } from "../../../families/bernoulli.ts"
import { categorical } from "../../../families/categorical.ts"
import { gaussian } from "../../../families/gaussian.ts"
import { fit } from "../../../fit/fit.ts"
import { specify } from "../../../fit/specify.ts"
import { sdem } from "../../../learners/sdem.ts"
import { before, given, hidden, network } from "../declare.ts"

// biome-ignore lint/suspicious/noExplicitAny: what the types refuse is tried
type Any = any

const messageOf = (make: () => unknown): string => {
  try {
    make()
  } catch (error) {
    return (error as Error).message
  }
  return "nothing was refused"
}

const laterMessageOf = async (make: () => Promise<unknown>): Promise<string> => {
  try {
    await make()
  } catch (error) {
    return (error as Error).message
  }
  return "nothing was refused"
}

const days = { steps: "days" } as const

describe("the compiler refuses", () => {
  it("an unknown parent, in this step or the one before, and a parent before a row", () => {
    network({ a: bernoulli(), b: given(["a", before("b"), before("a")], bernoulli()) }, days)
    const tries = () => {
      // @ts-expect-error: c is no column
      network({ a: bernoulli(), b: given(["c"], bernoulli()) }, days)
      // @ts-expect-error: c is no column
      network({ a: bernoulli(), b: given([before("c")], bernoulli()) }, days)
      // @ts-expect-error: nothing comes before a row
      network({ a: bernoulli(), b: given([before("a")], bernoulli()) })
    }
    expect(tries).toThrow()
  })
})

describe("a declaration says", () => {
  it("that a parent is unknown or given twice", () => {
    expect(
      messageOf(() => network({ rain: given([before("rian")], bernoulli()) } as Any, days)),
    ).toMatchInlineSnapshot(
      `"network: column "rain" has the parent before("rian"), which is no column of the network. It has "rain". Did you mean "rain"?"`,
    )
    expect(
      messageOf(() => network({ rain: given([before("rain"), before("rain")], bernoulli()) }, days)),
    ).toMatchInlineSnapshot(
      `"network: column "rain" has the parent before("rain") twice. Its two influences could not be told apart. Name it once."`,
    )
    expect(messageOf(() => before(3 as Any))).toMatchInlineSnapshot(
      `"before: the column is 3. It is the name of a column of the same network. Write for example given([before("rain")], bernoulli())."`,
    )
  })

  it("that nothing comes before a row", () => {
    expect(
      messageOf(() => network({ rain: given([before("rain")], bernoulli()) } as Any)),
    ).toMatchInlineSnapshot(
      `"network: column "rain" is given before("rain"), but nothing comes before a row. Steps follow each other: say which column holds them, network({ … }, { steps: "days" }), or name "rain" itself."`,
    )
    expect(messageOf(() => network({ rain: bernoulli() }, { steps: 3 } as Any))).toMatchInlineSnapshot(
      `"network: steps is 3. It is the name of the column that holds the steps. Write for example { steps: "days" }, or leave the options out for a network of rows."`,
    )
    expect(messageOf(() => network({ rain: bernoulli() }, { stepps: "days" } as Any))).toMatchInlineSnapshot(
      `"network: there is no option "stepps". It knows "steps". Did you mean "steps"?"`,
    )
  })

  it("that a step cannot depend on itself", () => {
    expect(
      messageOf(() =>
        network({ a: given(["b"], bernoulli()), b: given(["a", before("b")], bernoulli()) }, days),
      ),
    ).toMatchInlineSnapshot(
      `"network: "a" → "b" → "a" is a cycle. A column cannot depend on itself, by whatever way: the probabilities of a network multiply along its arrows. Remove one of these arrows, or turn it round."`,
    )
    expect(messageOf(() => network({ a: given(["a"], bernoulli()) }, days))).toMatchInlineSnapshot(
      `"network: column "a" is its own parent. A column cannot depend on itself. Take it out of its list."`,
    )
  })

  it("that a table has no row for a number of the step before", () => {
    expect(
      messageOf(() =>
        network({ wet: given([before("temperature")], bernoulli()), temperature: gaussian() }, days),
      ),
    ).toMatchInlineSnapshot(
      `"network: column "wet" has levels, and is given the number "temperature@-1". A table has no row for every number. Turn the arrow round (its posterior given "temperature@-1" is then logistic), or bin the number."`,
    )
  })

  it("that nothing depends on a hidden column", () => {
    expect(
      messageOf(() => network({ z: given([before("z")], hidden(2)), x: bernoulli() }, days)),
    ).toMatchInlineSnapshot(
      `"network: nothing depends on the hidden column "z" but itself, one step later. No row can say anything of it. Make it a parent of other columns, or leave it out."`,
    )
    expect(messageOf(() => network({ z: hidden(2), x: bernoulli() }, days))).toMatchInlineSnapshot(
      `"network: nothing depends on the hidden column "z". No row can say anything of it. Make it a parent of other columns, or leave it out."`,
    )
  })

  it("that hidden columns have too many states together", () => {
    const big = (name: "a" | "b" | "c") => given([before(name)], hidden(20))
    expect(
      messageOf(() =>
        network(
          { a: big("a"), b: big("b"), c: big("c"), x: given(["a", "b", "c"], bernoulli()) } as Any,
          days,
        ),
      ),
    ).toMatchInlineSnapshot(
      `"network: the hidden columns that the next step depends on, "a", "b" and "c", have 8000 states together, more than 4096. Each step takes a table of as many rows and columns. Give them fewer values, or let the next step depend on fewer of them."`,
    )
  })
})

describe("rows", () => {
  it("that lack the number of the step before are refused", async () => {
    const model = network({ y: given([before("y")], gaussian()) }, days)
    const rows = [{ days: [{ y: 1 }, { y: 2 }, { y: 2.5 }] }, { days: [{ y: 1 }, { y: null }, { y: 3 }] }]
    expect(await laterMessageOf(() => fit(model, rows as never))).toMatchInlineSnapshot(
      `"row 1, step 2: "y" depends on "y" one step before, where it is missing. Numbers of the step before are not integrated out. Fill the cell, leave "y" out of this step, or let "y" depend on a hidden column instead."`,
    )
  })

  it("of probability 0 are named where something is learned from them", async () => {
    const model = network({ a: given([before("a")], categorical()), x: given(["a"], categorical()) }, days)
    const sure = (l: number) => ({ probabilities: { 0: l === 0 ? 1 : 0, 1: l === 1 ? 1 : 0 } })
    const fitted: Any = specify(
      model,
      {
        days: {
          a: {
            first: { probabilities: { 0: 0.5, 1: 0.5 } },
            later: { given: { 0: sure(0), 1: sure(1) } },
          },
          x: { given: { 0: sure(0), 1: sure(1) } },
        },
      } as never,
      { levels: { a: [0, 1], x: [0, 1] } } as never,
    )
    const rows = [{ days: [{ x: 0 }, { x: 1 }] }]
    expect([...fitted.logDensity(rows)]).toEqual([-Infinity])
    expect(messageOf(() => fitted.predict(rows, { target: "a" }))).toMatchInlineSnapshot(
      `"row 0, step 1: what is seen there and in the steps around it has probability 0. No values of what is missing explain it. Correct the row, or take a prior above 0."`,
    )
  })

  it("in which too much is missing at once are refused, before a table is made", async () => {
    const letters = "abcdefghij".split("")
    const nodes = Object.fromEntries(letters.map(name => [name, given([before(name)], categorical())]))
    const step = (l: number | null) => Object.fromEntries(letters.map(name => [name, l]))
    const seen = Array.from({ length: 10 }, (_, l) => step(l))
    const model = network(nodes as Any, days)
    expect(
      (await fit(model as never, [{ days: seen }] as never)).logDensity([{ days: seen }] as never),
    ).toHaveLength(1)
    expect(
      await laterMessageOf(() =>
        fit(model as never, [{ days: seen }, { days: [step(0), step(null), step(1)] }] as never),
      ),
    ).toMatchInlineSnapshot(
      `"row 1, step 1: what is missing there of the columns that the next step depends on, "a", "b", "c", "d", "e", "f", "g", "h", "i" and "j", takes a table of 10000000000 entries, more than 67108864. Give more of these cells, or let the next step depend on fewer columns."`,
    )
  })

  it("that only one path explains are explained by it, however far it is from the others", async () => {
    const sure = (l: number) => ({ probabilities: { 0: l === 0 ? 1 : 0, 1: l === 1 ? 1 : 0 } })
    const description = {
      z: { first: { probabilities: { 0: 0.5, 1: 0.5 } }, later: { given: { 0: sure(0), 1: sure(1) } } },
      x: { given: { 0: { mean: 0, sd: 1 }, 1: { mean: 60, sd: 1 } } },
      e: { given: { 0: sure(0), 1: sure(1) } },
    }
    const fitted: Any = specify(
      network(
        {
          z: given([before("z")], hidden(2)),
          x: given(["z"], gaussian()),
          e: given(["z"], categorical()),
        },
        days,
      ),
      { days: description } as never,
      { levels: { e: [0, 1] } } as never,
    )
    // nothing leaves state 1, of which all but the last step say that it is not that
    const rows = [{ days: [{ x: 0 }, { x: 0 }, { e: 1 }] }]
    const expected = Math.log(0.5) - 2 * (0.5 * Math.log(2 * Math.PI) + 0.5 * 60 ** 2)
    expect(fitted.logDensity(rows)[0] / expected).toBeCloseTo(1, 12)
    for (const step of fitted.predict(rows, { target: "z" })[0]) expect(step.probabilities[1]).toBe(1)
  })

  it("have no rival paths", async () => {
    const model = network({ a: given([before("a")], categorical()), x: given(["a"], categorical()) }, days)
    const rows = [
      {
        days: [
          { a: 0, x: 1 },
          { a: 1, x: 0 },
        ],
      },
    ]
    expect(
      await laterMessageOf(() =>
        fit(model, rows as never, { learner: sdem({ target: "a", loss: "hinge" }) }),
      ),
    ).toMatchInlineSnapshot(
      `"the hinge loss of "a" needs the best wrong values of all steps together. They are found for the state of a chain that is a column. Use loss: "ncll"."`,
    )
  })

  it("are not walked along as those of a chain are", async () => {
    const model = network({ a: given([before("a")], hidden(2)), x: given(["a"], categorical()) }, days)
    const rows = [{ days: [{ x: 1 }, { x: 0 }] }, { days: [{ x: 0 }] }]
    const fitted: Any = await fit(model, rows as never)
    expect(messageOf(() => fitted.path(rows))).toMatchInlineSnapshot(
      `"path: the model is a network over steps. Its columns have no path of their own: several go on side by side. Ask for each step by predict(), or model the steps by a chain."`,
    )
    expect(messageOf(() => fitted.follow())).toMatchInlineSnapshot(
      `"follow: the model is a network over steps. What is carried from step to step there is no single state to follow. Ask forecast() with the steps so far, or model them by a chain."`,
    )
    expect(messageOf(() => fitted.predict(rows, { target: "a", past: true }))).toMatchInlineSnapshot(
      `"predict: past is asked of "a", which is not the state of a chain. The steps so far are known for the state of a chain that stands alone or beside other columns. Leave past out, or cut the sequences off yourself."`,
    )
    expect(messageOf(() => fitted.anomalies(rows, { by: "step" }))).toMatchInlineSnapshot(
      `"anomalies: steps cannot be judged by those before them: it has no chain, so that its rows do not go on. A model with one chain, alone or beside other columns, knows what comes after what. Fit one."`,
    )
    expect(messageOf(() => fitted.explain(rows[0], { target: "a", step: 1 }))).toMatchInlineSnapshot(
      `"explain: "a" is a column of the steps, not their state. An explanation weighs what comes before, at and after a step for the state of one chain. Ask for the state, or use predict()."`,
    )
    expect(messageOf(() => fitted.explain(rows[0], { target: "x", step: 1 }))).toMatchInlineSnapshot(
      `"explain: "x" is a column of the steps, not their state. An explanation weighs what comes before, at and after a step for the state of one chain. Ask for the state, or use predict()."`,
    )
    expect(messageOf(() => fitted.posterior(rows, { target: "b" }))).toMatchInlineSnapshot(
      `"the model has no column "b". It has "days.x" and "days.a". Name one of them."`,
    )
    expect(messageOf(() => fitted.responsibilities(rows))).toMatchInlineSnapshot(
      `"the model has no hidden switch. Responsibilities are the posterior of a mixture's component. Use posterior() for a label."`,
    )
    expect(messageOf(() => fitted.intervene({ x: 1 }))).toMatchInlineSnapshot(
      `"intervene: the model has no column "x". It has "days". Name one of these."`,
    )
    expect(messageOf(() => fitted.query({ of: ["a"] }))).toMatchInlineSnapshot(
      `"query: the model has no column "a". It has "days". Name one of these."`,
    )
    expect(messageOf(() => fitted.mostProbable(rows))).toMatchInlineSnapshot(`"nothing was refused"`)
    expect(messageOf(() => fitted.blanket("x"))).toMatchInlineSnapshot(
      `"blanket: the model has no column "x". It has "days". Name one of these."`,
    )
    expect(messageOf(() => fitted.sample(2))).toMatchInlineSnapshot(
      `"sample: "days" is not given. How many steps a row has is given to the model, not modelled by it, so they cannot be drawn out of nothing. Say how many: { steps: 3 }, or give them, those with nothing seen as null: { given: { days: [null, null, null] } }."`,
    )
  })
})
