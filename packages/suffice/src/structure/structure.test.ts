import { describe, expect, it } from "vitest"
import { beliefs } from "../beliefs/list.ts"
import type { Row } from "../contract/cells.ts"
import type { Family } from "../contract/family.ts"
import { bins, categorical } from "../families/categorical.ts"
import { gamma } from "../families/gamma.ts"
import { gaussian } from "../families/gaussian.ts"
import { fit } from "../fit/fit.ts"
import { dice } from "../random.ts"
import { parentsFirst } from "../structures/network/graph.ts"
import { constraintsOf, type KnownArrows } from "./constraints.ts"
import { classOf, isArrow, memberOf } from "./equivalence.ts"
import type { StructureOptions } from "./options.ts"
import { Scores } from "./scores.ts"
import { arcStrengths } from "./strengths.ts"
import { structure } from "./structure.ts"
import { tableOf } from "./table.ts"
import { type Arc, branching } from "./tree.ts"

/** Rows of a random network of four columns with levels. */
function levelRows(seed: number, count = 300): Row[] {
  const rolls = dice(seed)
  return Array.from({ length: count }, () => {
    const a = rolls.integer(2)
    const b = rolls.uniform() < 0.8 ? a : rolls.integer(3)
    const c = rolls.integer(2)
    const d = rolls.uniform() < 0.85 ? (b + c) % 3 : rolls.integer(3)
    return { a: `a${a}`, b: `b${b}`, c: `c${c}`, d: `d${d}` }
  })
}

/** Numbers and levels: the level moves a number, which moves another. */
function mixedRows(seed: number, count = 300): Row[] {
  const rolls = dice(seed)
  return Array.from({ length: count }, () => {
    const g = rolls.integer(2)
    const x = rolls.normal() + 2 * g
    return { g: ["no", "yes"][g], x, y: 0.8 * x + 0.5 * rolls.normal(), z: rolls.normal() }
  })
}

const scoresOf = async (rows: readonly Row[], families: Record<string, Family>, score = "bic", ess = 1) =>
  new Scores(await tableOf(families, rows, undefined, undefined), { score: score as "bic", ess, beliefs })

const levels = { a: categorical(), b: categorical(), c: categorical(), d: categorical() }

/** Every network of so many columns. */
function* networksOf(count: number): Generator<number[][]> {
  const pairs = Array.from({ length: count * (count - 1) }, (_, j) => j)
  for (let code = 0; code < 2 ** pairs.length; code++) {
    const parents: number[][] = Array.from({ length: count }, () => [])
    for (const j of pairs) {
      if (!(code & (1 << j))) continue
      const v = Math.floor(j / (count - 1))
      const u = j % (count - 1)
      parents[v].push(u < v ? u : u + 1)
    }
    if (parentsFirst(parents)) yield parents
  }
}

/** The best of all networks that a constraint allows. */
function bestOf(scores: Scores, { require = [], forbid = [] }: KnownArrows = {}): number {
  const { names } = scores.table
  const constraints = constraintsOf(names, scores.table.families, {})
  let best = Number.NEGATIVE_INFINITY
  for (const parents of networksOf(names.length)) {
    const has = ([from, to]: readonly [string, string]): boolean =>
      parents[names.indexOf(to)].includes(names.indexOf(from))
    if (!require.every(has) || forbid.some(has)) continue
    if (!parents.every((own, v) => own.every(u => constraints.isAllowed(u, v)))) continue
    best = Math.max(best, scores.ofNetwork(parents))
  }
  return best
}

describe("scores", () => {
  it("of a table of levels are what counting by hand says", async () => {
    const rows = levelRows(1, 120)
    const bic = await scoresOf(rows, levels)
    const aic = await scoresOf(rows, levels, "aic")
    const bdeu = await scoresOf(rows, levels, "bdeu", 3)
    // d given b and c, from the rows
    const counts = new Map<string, Map<string, number>>()
    for (const { b, c, d } of rows) {
      const own = counts.get(`${b}${c}`) ?? new Map<string, number>()
      counts.set(`${b}${c}`, own.set(d as string, (own.get(d as string) ?? 0) + 1))
    }
    let likelihood = 0
    let evidence = 0
    const L = 3
    const Q = 6
    const alpha = 3 / (Q * L)
    // ln Γ(α + n) − ln Γ(α) = Σ_{j < n} ln(α + j)
    const rising = (from: number, n: number): number => {
      let sum = 0
      for (let j = 0; j < n; j++) sum += Math.log(from + j)
      return sum
    }
    for (const own of counts.values()) {
      const n = [...own.values()].reduce((a, b) => a + b)
      for (const k of own.values()) {
        likelihood += k * Math.log(k / n)
        evidence += rising(alpha, k)
      }
      evidence -= rising(alpha * L, n)
    }
    expect(bic.of(3, [1, 2])).toBeCloseTo(likelihood - 0.5 * Math.log(120) * Q * (L - 1), 9)
    expect(aic.of(3, [2, 1])).toBeCloseTo(likelihood - Q * (L - 1), 9)
    expect(bdeu.of(3, [1, 2])).toBeCloseTo(evidence, 8)
  })

  it("of a number given a number and a level are those of least squares in each level", async () => {
    const rows = mixedRows(3, 200)
    const scores = await scoresOf(rows, { g: categorical(), x: gaussian(), y: gaussian() })
    let likelihood = 0
    for (const level of ["no", "yes"]) {
      const own = rows.filter(({ g }) => g === level) as { x: number; y: number }[]
      const n = own.length
      const mean = (of: (row: { x: number; y: number }) => number): number =>
        own.reduce((sum, row) => sum + of(row), 0) / n
      const mx = mean(({ x }) => x)
      const my = mean(({ y }) => y)
      const sxx = mean(({ x }) => (x - mx) ** 2)
      const sxy = mean(({ x, y }) => (x - mx) * (y - my))
      const variance = mean(({ y }) => (y - my) ** 2) - sxy ** 2 / sxx
      likelihood -= 0.5 * n * (Math.log(2 * Math.PI * variance) + 1)
    }
    expect(scores.of(2, [0, 1])).toBeCloseTo(likelihood - 0.5 * Math.log(200) * scores.free(2, [0, 1]), 6)
    expect(scores.free(2, [0, 1])).toBe(6)
  })

  it.each(["bic", "aic", "bdeu"])(
    "by %s are the same for networks that no table can tell apart",
    async score => {
      const scores = await scoresOf(levelRows(5), levels, score)
      for (const [one, other] of [
        [
          [[], [0], [1], [2]],
          [[1], [2], [3], []],
        ],
        [
          [[], [0], [0, 1], []],
          [[1, 2], [2], [], []],
        ],
      ]) {
        expect(scores.ofNetwork(one)).toBeCloseTo(scores.ofNetwork(other), 8)
      }
    },
  )

  it("go by the rows in which the column and its parents are seen, which count for all", async () => {
    const rows = levelRows(7)
    const holes = [...rows, ...rows.map(row => ({ ...row, b: null }))]
    const whole = await scoresOf(rows, levels, "likelihood")
    const partly = await scoresOf(holes, levels, "likelihood")
    expect(partly.of(3, [1])).toBeCloseTo(2 * whole.of(3, [1]), 8)
    expect(partly.of(3, [2])).toBeCloseTo(2 * whole.of(3, [2]), 8)
  })
})

describe("a search", () => {
  it.each(["bic", "aic", "bdeu", "evidence"] as const)(
    "by %s finds the best of all networks of four columns",
    async score => {
      for (const seed of [1, 2, 3]) {
        const rows = levelRows(seed)
        const scores = await scoresOf(rows, levels, score)
        const best = bestOf(scores)
        for (const search of ["orders", "tabu"] as const) {
          const found = await structure(rows, { search, score })
          expect(found.score).toBeCloseTo(best, 7)
        }
      }
    },
  )

  it("finds the best of all networks of levels and numbers", async () => {
    const families = { g: categorical(), x: gaussian(), y: gaussian(), z: gaussian() }
    for (const score of ["bic", "evidence"] as const) {
      const rows = mixedRows(4)
      const best = bestOf(await scoresOf(rows, families, score))
      const found = await structure(rows, { score, families })
      expect(found.score).toBeCloseTo(best, 6)
      expect(found.edges).toContainEqual({ from: "g", to: "x", isReversible: false })
    }
  })

  it.each([
    { require: [["d", "a"]] },
    {
      forbid: [
        ["a", "b"],
        ["b", "a"],
      ],
    },
    {
      require: [
        ["c", "a"],
        ["a", "d"],
      ],
      forbid: [["b", "d"]],
    },
  ] as KnownArrows[])("keeps to what is known: %j", async knowledge => {
    const rows = levelRows(2)
    const best = bestOf(await scoresOf(rows, levels), knowledge)
    for (const search of ["orders", "tabu"] as const) {
      const found = await structure(rows, { search, ...knowledge })
      expect(found.score).toBeCloseTo(best, 7)
      const arrows = found.edges.map(({ from, to }) => `${from}→${to}`)
      expect((knowledge.require ?? []).filter(([from, to]) => !arrows.includes(`${from}→${to}`))).toEqual([])
      expect((knowledge.forbid ?? []).filter(([from, to]) => arrows.includes(`${from}→${to}`))).toEqual([])
    }
  })

  it("draws no arrow to an earlier tier, nor more parents than allowed", async () => {
    const tiers = [["d"], ["c", "b"], ["a"]]
    for (const search of ["orders", "tabu", "tree", "pc"] as const) {
      const found = await structure(levelRows(2), { search, tiers, maxParents: 1 })
      const tierOf = (name: string): number => tiers.findIndex(names => names.includes(name))
      expect(found.edges.filter(({ from, to }) => tierOf(from) > tierOf(to))).toEqual([])
      if (search === "pc") continue
      const children = found.edges.map(({ to }) => to)
      expect(new Set(children).size).toBe(children.length)
    }
  })

  it("finds the tree of the largest mutual information", async () => {
    for (const seed of [1, 2, 3, 4]) {
      const rows = levelRows(seed)
      const scores = await scoresOf(rows, levels, "likelihood")
      let best = Number.NEGATIVE_INFINITY
      for (const parents of networksOf(4))
        if (parents.every(own => own.length <= 1)) best = Math.max(best, scores.ofNetwork(parents))
      const found = await structure(rows, { search: "tree" })
      expect(found.score).toBeCloseTo(best, 8)
      expect(found.edges.length).toBe(3)
    }
  })

  it("finds the best tree below a label, and the model predicts it", async () => {
    const rows = levelRows(6)
    const scores = await scoresOf(rows, levels, "likelihood")
    let best = Number.NEGATIVE_INFINITY
    for (const parents of networksOf(4)) {
      const others = parents.every((own, v) =>
        v === 3 ? own.length === 0 : own.includes(3) && own.length <= 2,
      )
      if (others) best = Math.max(best, scores.ofNetwork(parents))
    }
    const found = await structure(rows, { search: "tan", target: "d" })
    expect(found.score).toBeCloseTo(best, 8)
    const fitted = await fit(found.model, rows as never)
    expect(["d0", "d1", "d2"]).toContain(fitted.predict(rows as never)[0].value)
    const two = await structure(rows, { search: "tan", target: "d", maxParents: 2 })
    expect(Math.max(...["a", "b", "c"].map(name => two.edges.filter(({ to }) => to === name).length))).toBe(3)
    expect(two.score).toBeGreaterThanOrEqual(found.score)
  })

  it("by tests finds who is dependent, the collider, and leaves open what rows cannot tell", async () => {
    const found = await structure(levelRows(1, 3000), { search: "pc" })
    const pairs = found.edges.map(({ from, to }) => [from, to].sort().join("–")).sort()
    expect(pairs).toEqual(["a–b", "b–d", "c–d"])
    expect(found.edges).toContainEqual({ from: "b", to: "d", isReversible: false })
    expect(found.edges).toContainEqual({ from: "c", to: "d", isReversible: false })
    expect(found.edges.find(({ from, to }) => [from, to].includes("a"))!.isReversible).toBe(true)
    const numbers = await structure(mixedRows(1, 2000), { search: "pc" })
    expect(numbers.edges.map(({ from, to }) => [from, to].sort().join("–")).sort()).toEqual(["g–x", "x–y"])
  })

  it("has the same answer for the same seed, whatever the order of the columns", async () => {
    const rows = levelRows(9)
    const turned = rows.map(({ a, b, c, d }) => ({ d, c, b, a }))
    const one = await structure(rows, { seed: 4 })
    expect(await structure(rows, { seed: 4 })).toMatchObject({ edges: one.edges, score: one.score })
    expect((await structure(turned, { seed: 4 })).score).toBeCloseTo(one.score, 8)
  })

  it("climbs: its trace never falls, and ends at the score", async () => {
    const { trace, score } = await structure(levelRows(2), { search: "tabu" })
    expect(trace.every((each, i) => i === 0 || each > trace[i - 1])).toBe(true)
    expect(trace[trace.length - 1]).toBeCloseTo(score, 8)
  })
})

describe("with missing cells", () => {
  it("finds what the whole table shows, and its score rises from round to round", async () => {
    const rolls = dice(3)
    const rows = levelRows(1, 600)
    const whole = await structure(rows, { score: "bic" })
    const holes = rows.map(row =>
      Object.fromEntries(
        Object.entries(row).map(([name, cell]) => [name, rolls.uniform() < 0.15 ? null : cell]),
      ),
    )
    const found = await structure(holes, { score: "bic" })
    const pairs = (of: typeof found): string[] =>
      of.edges.map(({ from, to }) => [from, to].sort().join("–")).sort()
    expect(pairs(found)).toEqual(pairs(whole))
    expect(found.trace.every((each, i) => i === 0 || each > found.trace[i - 1])).toBe(true)
    expect(found.score).toBe(found.trace[found.trace.length - 1])
  })
})

describe("numbers as levels", () => {
  it("are searched where cells are missing, too: what is drawn is an interval", async () => {
    const rolls = dice(4)
    const rows = mixedRows(2, 400).map(({ g, x, z }) => ({ g, x: rolls.uniform() < 0.2 ? null : x, z }))
    const families = { g: categorical(), x: bins(4), z: bins(3) }
    const { model, edges } = await structure(rows, { families })
    expect(edges.map(({ from, to }) => [from, to].sort().join("–"))).toEqual(["g–x"])
    const fitted = await fit(model, rows as never)
    const [low, high] = fitted.posterior([{ x: -2 }, { x: 4 }] as never, { target: "g" }).probabilities
    expect(low).not.toBe(high)
  })
})

describe("the strength of arrows", () => {
  it("is high where there is one, and low where there is none", async () => {
    const strengths = await arcStrengths(levelRows(1, 600), { replicates: 20, search: "tabu" })
    const of = (one: string, other: string) =>
      strengths.find(({ from, to }) => [from, to].includes(one) && [from, to].includes(other))
    expect(of("b", "d")).toMatchObject({ from: "b", to: "d", strength: 1 })
    expect(of("a", "b")!.strength).toBe(1)
    expect(of("a", "c")?.strength ?? 0).toBeLessThan(0.5)
  })
})

describe("classes of networks", () => {
  it.each(["bic", "aic", "bdeu"] as const)(
    "have one %s: rows do not tell their members apart",
    async score => {
      const scores = await scoresOf(levelRows(4), levels, score)
      const known = new Map<string, number>()
      for (const parents of networksOf(4)) {
        const key = classOf(parents).may.join("")
        const own = scores.ofNetwork(parents)
        if (!known.has(key)) known.set(key, own)
        expect(own).toBeCloseTo(known.get(key)!, 8)
      }
      expect(new Set([...known.values()].map(value => value.toFixed(6))).size).toBeGreaterThan(100)
    },
  )

  it("hold a member, which is of the same class, for every network of four columns", () => {
    for (const parents of networksOf(4)) {
      const graph = classOf(parents)
      const member = memberOf(graph)
      expect(parentsFirst(member)).toBeDefined()
      expect(classOf(member).may).toEqual(graph.may)
    }
  })

  it("leave open exactly the arrows that differ between their members", () => {
    const classes = new Map<string, number[][][]>()
    for (const parents of networksOf(4)) {
      const key = classOf(parents).may.join("")
      classes.set(key, [...(classes.get(key) ?? []), parents])
    }
    // Gillispie & Perlman 2001: 543 networks of four columns in 185 classes
    expect(classes.size).toBe(185)
    expect([...classes.values()].flat().length).toBe(543)
    for (const members of classes.values()) {
      const graph = classOf(members[0])
      for (let u = 0; u < 4; u++)
        for (let v = 0; v < 4; v++)
          if (u !== v) expect(isArrow(graph, u, v)).toBe(members.every(parents => parents[v].includes(u)))
    }
  })
})

describe("the best branching", () => {
  it("is that of trying all", () => {
    const rolls = dice(8)
    const trees = [...networksOf(4)].filter(parents => parents.every(own => own.length <= 1))
    for (let trial = 0; trial < 60; trial++) {
      const arcs: Arc[] = []
      for (let u = 0; u < 4; u++)
        for (let v = 0; v < 4; v++)
          if (u !== v && rolls.uniform() < 0.8) arcs.push({ from: u, to: v, gain: rolls.normal() + 0.5 })
      let best = 0
      for (const parents of trees) {
        const gains = parents.flatMap((own, v) =>
          own.map(u => arcs.find(({ from, to }) => from === u && to === v)?.gain ?? Number.NEGATIVE_INFINITY),
        )
        best = Math.max(
          best,
          gains.reduce((sum, gain) => sum + gain, 0),
        )
      }
      const chosen = branching(4, arcs)
      expect(chosen.reduce((sum, { gain }) => sum + gain, 0)).toBeCloseTo(best, 12)
    }
  })
})

describe("what cannot be searched", () => {
  it("is said in a sentence", async () => {
    const rows = mixedRows(1, 20)
    const said: string[] = []
    const refused: [Row[], StructureOptions][] = [
      [
        rows,
        {
          require: [
            ["x", "y"],
            ["y", "z"],
            ["z", "x"],
          ],
        },
      ],
      [rows, { require: [["x", "y"]], forbid: [["x", "y"]] }],
      [rows, { require: [["x", "g"]] }],
      [rows, { require: [["x", "y"]], tiers: [["y"], ["x"]] }],
      [rows, { require: [["x", "w"]] as never }],
      [rows, { forbid: [["x", "x"]] }],
      [rows, { tiers: [["x"], ["y", "x"]] }],
      [
        rows,
        {
          require: [
            ["x", "z"],
            ["y", "z"],
          ],
          search: "tree",
        },
      ],
      [rows, { search: "tan" }],
      [rows, { target: "g" }],
      [rows, { search: "tan", target: "x" }],
      [rows, { search: "tan", target: "w" }],
      [rows, { search: "pc", score: "bic" }],
      [rows, { search: "best" as never }],
      [rows, { score: "bge" as never }],
      [rows, { families: { x: 3 } as never }],
      [rows, { families: { w: gaussian() } }],
      [
        rows.map(({ x }) => ({ x: Math.abs(x as number) + 1 })),
        { families: { x: gamma() }, score: "evidence" },
      ],
      [[{ id: "a" }, { id: "b" }, { id: "c" }], {}],
    ]
    for (const [data, options] of refused)
      said.push(
        await structure(data, options).then(
          () => "nothing",
          error => `${error.code} · ${error.message}`,
        ),
      )
    expect(said.join("\n")).toMatchInlineSnapshot(`
      "option · structure: the arrows that \`require\` asks for make a cycle, "x" → "y" → "z" → "x". A network has none. Take one of them out.
      option · structure: \`require\` asks for the arrow "x" → "y", but \`forbid\` rules it out. Take it out of one of the two.
      option · structure: \`require\` asks for the arrow "x" → "g", but "x" is a number, which categorical() cannot depend on. Turn it round, or bin the number.
      option · structure: \`require\` asks for the arrow "x" → "y", but \`tiers\` puts it the other way round. Change one of the two.
      option · structure: require names "w", which is no column of the network. It has "g", "x", "y" and "z". Name one of them.
      option · structure: forbid is "x". An arrow from a column to itself says nothing. Take it out.
      option · structure: "x" is in two tiers. Arrows would have to lead from it to itself in time. Name it once.
      option · structure: \`require\` gives "z" 2 parents, and the search is "tree", which gives each column one. Require one of them, or search by "orders".
      option · structure: the search is "tan", and there is no target. Its tree stands below a label, which every column depends on. Write for example { search: "tan", target: "y" }.
      option · structure: the target is "g", and the search is "orders", for which all columns are alike. Leave the target out and ask the fitted network, as in predict(rows, { target }); or search by "tan".
      target · structure: the target is "x", a number. The tree of "tan" stands below a label with levels. Give it levels with { families: { "x": categorical() } }, or search by "orders".
      target · structure: the target is "w", which is no column of the network. Name one that is.
      option · structure: the search is "pc", which tests independences and has no score. Leave the score out, or search by "orders".
      option · structure: search is "best". It is one of "orders", "tabu", "tree", "tan" and "pc". Leave it out for the default.
      option · structure: score is "bge". It is one of "bic", "aic", "bdeu" and "evidence". Leave it out for the default.
      option · structure: families is an object with 1 key. It gives columns their families, by name. Write for example { families: { age: gaussian() } }.
      column · structure: families names "w", which is no column. The data has "g", "x", "y" and "z". Name one of them.
      option · structure: column "x" is modelled by gamma(), and the score is "evidence". It integrates over the parameters, and gamma() has no posterior here: "bernoulli", "categorical", "exponential", "gaussian", "geometric", "linear", "logNormal", "multinomial", "normal", "poisson" and "wordSet" have one. Score by "bic", or give the column another family.
      data · structure: no column is left to look at ("id": every string is different: an id says nothing about other rows). A network needs at least one. Give more columns, or name their families."
    `)
  })

  it("is set aside and said: columns that are constant, unique or copies", async () => {
    const rows = levelRows(1, 200).map((row, i) => ({
      ...row,
      id: `n${i}`,
      same: "x",
      again: row.b === "b0" ? "zero" : row.b === "b1" ? "one" : "two",
    }))
    const found = await structure(rows)
    expect(found.leftOut).toEqual([
      { column: "id", why: "every string is different: an id says nothing about other rows" },
    ])
    expect(found.diagnostics.map(({ message }) => message)).toMatchInlineSnapshot(`
      [
        "column "same" holds the same in every row. Nothing depends on it: it stays in the network without arrows.",
        "column "again" says the same as "b" in every row. Either could stand for the other in every arrow: it depends on "b" alone, and has no other arrows.",
      ]
    `)
    expect(found.edges.filter(({ from, to }) => [from, to].includes("same"))).toEqual([])
    expect(found.edges.filter(({ from, to }) => [from, to].includes("again"))).toEqual([
      { from: "b", to: "again", isReversible: true },
    ])
    // nothing is lost: the model covers them
    const fitted = await fit(found.model, rows as never)
    expect(
      fitted.predict([{ ...rows[0], again: null }] as never, { target: "again" } as never)[0].value,
    ).toBe(rows[0].again)
  })
})
