import { describe, expect, test } from "vitest"
import type { Block } from "../contract/block.ts"
import type { Level } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { Work } from "../contract/leaf.ts"
import type { Model } from "../contract/model.ts"
import type { Guess, GuessingSink } from "../contract/node.ts"
import type { Description } from "../contract/report.ts"
import { type Laid, lay, solve } from "../engine/lay.ts"
import { firstGuess } from "../engine/seeding.ts"
import { rootWeights, StatisticsSink, sweep } from "../engine/sweep.ts"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { dice } from "../random.ts"
import { classes, mixture } from "./classes.ts"
import { independent } from "./independent.ts"

// ── the second opinion: a described model, and sums over every value of everything hidden ──────────

type Seen = Record<string, string | undefined>
interface Choice {
  probabilities: Record<string, number>
  given?: Record<string, Tree>
}
type Tree = Record<string, Choice>

/** Every way to fill in the switches that were not seen: its probability with the row, and the choices made on the way. */
function* fillings(tree: Tree, seen: Seen, path = ""): Generator<{ p: number; made: [string, string][] }> {
  const [key, ...others] = Object.keys(tree)
  if (key === undefined) {
    yield { p: 1, made: [] }
    return
  }
  const { probabilities, given } = tree[key]
  const rest = Object.fromEntries(others.map(other => [other, tree[other]]))
  const here = `${path}/${key}`
  for (const { p, made } of fillings(rest, seen, path)) {
    if (!given) {
      const value = seen[key]
      yield value === undefined
        ? { p, made }
        : { p: p * probabilities[value], made: [...made, [here, value] as [string, string]] }
      continue
    }
    for (const value of seen[key] === undefined ? Object.keys(given) : [seen[key]]) {
      for (const below of fillings(given[value], seen, `${here}=${value}`)) {
        yield {
          p: p * probabilities[value] * below.p,
          made: [...made, [here, value], ...below.made],
        }
      }
    }
  }
}

const probabilityOf = (tree: Tree, seen: Seen): number => {
  let total = 0
  for (const { p } of fillings(tree, seen)) total += p
  return total
}

const posteriorOf = (tree: Tree, seen: Seen, target: string, levels: readonly string[]): number[] => {
  const joint = levels.map(level => probabilityOf(tree, { ...seen, [target]: level }))
  const total = joint.reduce((sum, p) => sum + p, 0)
  return joint.map(p => p / total)
}

/** Σ w E[1[choice made] | row]: the statistics of every switch and leaf, by path and value. */
function expectedCounts(tree: Tree, rows: readonly Seen[], weights: readonly number[]): Map<string, number> {
  const counts = new Map<string, number>()
  rows.forEach((seen, i) => {
    const total = probabilityOf(tree, seen)
    for (const { p, made } of fillings(tree, seen)) {
      for (const [where, value] of made) {
        const key = `${where}:${value}`
        counts.set(key, (counts.get(key) ?? 0) + (weights[i] * p) / total)
      }
    }
  })
  return counts
}

/** θ(counts), as describe() prints it. */
function solved(tree: Tree, counts: Map<string, number>, path = ""): Tree {
  return Object.fromEntries(
    Object.entries(tree).map(([key, { probabilities, given }]) => {
      const here = `${path}/${key}`
      const names = Object.keys(probabilities)
      const total = names.reduce((sum, name) => sum + (counts.get(`${here}:${name}`) ?? 0), 0)
      const share = (name: string): number =>
        total > 0 ? (counts.get(`${here}:${name}`) ?? 0) / total : 1 / names.length
      const choice: Choice = { probabilities: Object.fromEntries(names.map(name => [name, share(name)])) }
      if (given) {
        choice.given = Object.fromEntries(
          names.map(name => [name, solved(given[name], counts, `${here}=${name}`)]),
        )
      }
      return [key, choice]
    }),
  )
}

// ── nested models over four columns ────────────────────────────────────────────────────────────────

const levels = { c: ["r", "s", "t"], d: [0, 1], u: ["a", "b", "e"], v: [false, true] } as const
const columns: Column[] = Object.entries(levels).map(([name, levels]) => ({ kind: "level", name, levels }))
const uv = () => independent({ u: categorical(), v: categorical() })
const models: Record<string, Model> = {
  "a mixture": mixture(3, uv(), { name: "z" }),
  "a mixture in classes": classes("c", mixture(2, uv(), { name: "h" })),
  "a mixture in classes in a mixture": mixture(2, classes("c", mixture(2, uv(), { name: "h" })), {
    name: "z",
  }),
  "classes in classes, a mixture below": classes("c", classes("d", mixture(2, uv(), { name: "h" }))),
  "classes under a mixture, beside a leaf": mixture(
    2,
    independent(classes("d", independent({ u: categorical() })), { v: categorical() }),
    { name: "z" },
  ),
  "a body for each class": classes("c", {
    r: mixture(2, uv(), { name: "h" }),
    s: mixture(2, uv(), { name: "h" }),
    t: mixture(2, uv(), { name: "h" }),
  }),
  "bodies of different shapes": classes("c", { r: mixture(2, uv()), s: uv(), t: mixture(3, uv()) }),
  "a mixture of different bodies": mixture([uv(), mixture(2, uv())], undefined, { name: "z" }),
  "two mixtures side by side": independent(
    classes("c", mixture(2, independent({ u: categorical() }), { name: "h" })),
    mixture(2, independent({ v: categorical() }), { name: "g" }),
  ),
  "a mixture of one": mixture(1, classes("c", uv()), { name: "z" }),
} as Record<string, Model>

const roll = dice(3)
const rows: Seen[] = Array.from({ length: 40 }, () =>
  Object.fromEntries(
    Object.entries(levels).map(([name, levels]) => [
      name,
      roll.uniform() < 0.3 ? undefined : String(levels[roll.integer(levels.length)]),
    ]),
  ),
)
const weights = rows.map(() => 0.25 + roll.uniform())

function blockOf(rows: readonly Seen[]): Block {
  return {
    rows: rows.length,
    weight: Float64Array.from(weights.slice(0, rows.length)),
    cells: columns.map(column => {
      const names = column.kind === "level" ? column.levels.map(String) : []
      return Int32Array.from(rows, row => names.indexOf(row[column.name] ?? "missing"))
    }),
  }
}

function laidOut(model: Model): { laid: Laid; params: Float64Array; tree: Tree; seen: (row: Seen) => Seen } {
  const laid = lay(model, columns)
  const random = dice(11)
  const { params } = solve(
    laid,
    Float64Array.from({ length: laid.statistics }, () => 0.1 + random.uniform()),
    0,
  )
  const used = new Set(model.uses.map(use => use.column))
  return {
    laid,
    params,
    tree: laid.root.describe(params, 0) as unknown as Tree,
    seen: row => Object.fromEntries(Object.entries(row).filter(([name]) => used.has(name))),
  }
}

function close(actual: unknown, expected: unknown, path = ""): void {
  if (typeof expected === "number") {
    expect(Math.abs((actual as number) - expected), `${path}: ${actual}, not ${expected}`).toBeLessThan(1e-12)
    return
  }
  if (typeof expected !== "object" || expected === null) return
  for (const [key, value] of Object.entries(expected))
    close((actual as Record<string, unknown>)[key], value, `${path}/${key}`)
}

describe.each(Object.entries(models))("%s equals brute force", (_, model) => {
  const { laid, params, tree, seen } = laidOut(model)
  const block = blockOf(rows)

  test("scores are ln Σ over everything hidden", () => {
    const out = new Float64Array(rows.length).fill(1)
    laid.root.up(block, params, out)
    const expected = rows.map(row => 1 + Math.log(probabilityOf(tree, seen(row))))
    expect([...out]).toEqual(expected.map(score => expect.closeTo(score, 12)))
  })

  test("the statistics are expected counts", async () => {
    const { stats, logLikelihood, guessed } = await sweep(laid, [[block]], params, { certain: false })
    const counts = expectedCounts(tree, rows.map(seen), weights)
    close(laid.root.describe(solve(laid, stats, 0).params, 0), solved(tree, counts))
    const total = [...rows.keys()].reduce(
      (sum, i) => sum + weights[i] * Math.log(probabilityOf(tree, seen(rows[i]))),
      0,
    )
    expect(logLikelihood).toBeCloseTo(total, 10)
    expect(guessed).toBe(true)
  })

  const names = new Set<string>(model.uses.map(use => use.column))
  const choices = new Map<string, readonly Level[]>(
    columns.flatMap(column =>
      column.kind === "level" && names.has(column.name) ? [[column.name, column.levels]] : [],
    ),
  )
  for (const { column, levels } of laid.switches) if (names.has(column)) choices.set(column, levels)
  test.each([...choices])("the posterior of %s, whatever else was seen", (target, values) => {
    const count = values.length
    const out = new Float64Array(count * rows.length)
    laid.root.open(block, params, target, out)
    rows.forEach((row, i) => {
      const joint = values.map((_, l) => out[l * rows.length + i])
      const given = { ...seen(row), [target]: undefined }
      const expected = values.map(value => probabilityOf(tree, { ...given, [target]: String(value) }))
      expect(joint).toEqual(expected.map(p => expect.closeTo(Math.log(p), 12)))
      const total = Math.log(probabilityOf(tree, given))
      expect(posteriorOf(tree, given, target, values.map(String))).toEqual(
        joint.map(score => expect.closeTo(Math.exp(score - total), 12)),
      )
    })
  })

  test("a smaller block after a larger one finds nothing left over", () => {
    const few = blockOf(rows.slice(0, 3))
    const fresh = laidOut(model).laid
    for (const target of choices.keys()) {
      const count = choices.get(target)!.length
      const [a, b] = [new Float64Array(count * 3), new Float64Array(count * 3)]
      laid.root.open(few, params, target, a)
      fresh.root.open(few, params, target, b)
      expect(a).toEqual(b)
    }
    const [a, b] = [new Float64Array(3), new Float64Array(3)]
    laid.root.up(few, params, a)
    fresh.root.up(few, params, b)
    expect(a).toEqual(b)
  })

  test("adopt is the inverse of describe", () => {
    const stats = new Float64Array(laid.statistics)
    laid.root.adopt(tree as unknown as Description, 0, 7, stats)
    close(laid.root.describe(solve(laid, stats, 0).params, 0), tree)
  })

  test("samples given a row follow the posterior of what it does not hold", () => {
    const row: Seen = { ...seen(rows[0]), u: undefined, v: "true", c: undefined, d: undefined }
    const target = names.has("c") ? "c" : "u"
    const values = choices.get(target)!
    const expected = posteriorOf(tree, seen(row), target, values.map(String))
    const place = columns.findIndex(column => column.name === target)
    const counts = values.map(() => 0)
    const dies = dice(5)
    const draws = 4000
    for (let draw = 0; draw < draws; draw++) {
      const one = blockOf([row])
      laid.root.up(one, params, new Float64Array(1))
      laid.root.sample(one, params, 0, dies)
      counts[(one.cells[place] as Int32Array)[0]]++
    }
    // four standard errors
    counts.forEach((count, l) => {
      const p = expected[l]
      expect(Math.abs(count / draws - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / draws) + 1e-9)
    })
  })
})

test.each(Object.entries(models))(
  "passes may interleave: every downward pass has its own work: %s",
  (_, model) => {
    const { laid, params } = laidOut(model)
    const blocks = [blockOf(rows.slice(0, 3)), blockOf(rows.slice(3))]
    const up = (block: Block, reuse?: Work): Work =>
      laid.root.up(block, params, new Float64Array(block.rows), false, reuse)
    const down = (block: Block, work: Work): Float64Array => {
      const stats = new Float64Array(laid.statistics)
      laid.root.down(block, params, rootWeights(block), new StatisticsSink(params, stats), work)
      return stats
    }
    const alone = blocks.map(block => down(block, up(block)))
    const works = blocks.map(block => up(block))
    expect(blocks.map((block, b) => down(block, works[b]))).toEqual(alone)
    // and again, in the other order; an earlier result is reused
    expect(down(blocks[1], works[1])).toEqual(alone[1])
    expect(down(blocks[0], up(blocks[0], works[1]))).toEqual(alone[0])
  },
)

describe("where every label is seen", () => {
  const complete = rows.filter(row => row.c !== undefined && row.d !== undefined)
  const block = blockOf(complete)
  test.each<[string, Model]>([
    ["nested labels are counted", classes("c", classes("d", uv())) as Model],
    ["a mixture below nested labels guesses within them", models["classes in classes, a mixture below"]],
    [
      "bodies of their own get their own rows",
      classes("c", classes("d", { 0: uv(), 1: uv() } as never)) as Model,
    ],
  ])("%s", async (_, model) => {
    const { laid, params, tree } = laidOut(model)
    expect(complete.length).toBeGreaterThan(10)
    for (const certain of model.uses.some(use => use.role === "hidden") ? [false] : [false, true]) {
      const { stats } = await sweep(laid, [[block]], params, { certain })
      close(
        laid.root.describe(solve(laid, stats, 0).params, 0),
        solved(tree, expectedCounts(tree, complete, weights)),
      )
    }
  })
})

describe("a switch", () => {
  test("passes the weight of a seen value on untouched, never looking at its scores", async () => {
    const laid = lay(classes("c", uv()) as Model, columns)
    const impossible = new Float64Array(laid.parameters).fill(Number.NEGATIVE_INFINITY)
    const all = blockOf([
      { c: "r", u: "a", v: "true" },
      { c: "t", u: "b" },
    ])
    const swept = await sweep(laid, [[all]], impossible, { certain: true })
    expect(swept).toMatchObject({ guessed: false, logLikelihood: undefined, entropy: 0 })
    expect([...swept.stats.slice(0, 3)]).toEqual([weights[0], 0, weights[1]])
  })

  test("spreads a row that is impossible under every value evenly, with log-density −∞", async () => {
    const laid = lay(mixture(2, uv()) as Model, columns)
    const impossible = new Float64Array(laid.parameters).fill(Number.NEGATIVE_INFINITY)
    const one = blockOf([{ u: "a", v: "true" }])
    const out = new Float64Array(1)
    laid.root.up(one, impossible, out)
    expect(out[0]).toBe(Number.NEGATIVE_INFINITY)
    const { stats } = await sweep(laid, [[one]], impossible, { certain: false })
    expect([...stats.slice(0, 2)]).toEqual([weights[0] / 2, weights[0] / 2])
  })

  test("charges the entropy of what it guessed: Σ w H(hidden | row)", async () => {
    const model = mixture(2, classes("c", mixture(2, uv(), { name: "h" })), { name: "z" }) as Model
    const { laid, params, tree, seen } = laidOut(model)
    const { entropy } = await sweep(laid, [[blockOf(rows)]], params, { certain: false })
    let expected = 0
    rows.forEach((row, i) => {
      const total = probabilityOf(tree, seen(row))
      for (const { p } of fillings(tree, seen(row))) {
        expected -= weights[i] * (p / total) * Math.log(p / total)
      }
    })
    expect(entropy).toBeCloseTo(expected, 10)
  })

  test("with one value guesses nothing", async () => {
    const laid = lay(mixture(1, uv()) as Model, columns)
    const { params } = solve(laid, new Float64Array(laid.statistics).fill(1), 0)
    const { guessed } = await sweep(laid, [[blockOf(rows)]], params, { certain: false })
    expect(guessed).toBe(false)
  })

  test("starts with labels where they are, and with one row when it is seeded", () => {
    const laid = lay(classes("c", mixture(2, uv())) as Model, columns)
    const some = blockOf([{ c: "r", u: "a" }, { c: "s", u: "b" }, { c: "t", u: "e" }, { u: "e" }])
    const [outer, inner] = laid.switches
    const found = new Map<unknown, number[]>()
    const sink = {
      guess: (asked: Guess) => firstGuess(asked, []),
      start: () => undefined,
      leaf: () => undefined,
      choice: (node: unknown, block: Block, weights: unknown) => {
        const { values } = weights as { values?: Float64Array }
        found.set(
          node,
          values ? [...values] : [...(weights as { slot: Int32Array }).slot.slice(0, block.rows)],
        )
      },
    }
    laid.root.start(some, new Float64Array(laid.parameters), rootWeights(some), dice(1), sink)
    const [w0, w1, w2] = weights
    // every class has a label, so the row without one waits
    expect(found.get(outer.part)).toEqual([w0, 0, 0, 0, 0, w1, 0, 0, 0, 0, w2, 0])
    inner.seed(blockOf([{ u: "a" }]), new Float64Array(laid.parameters), 2, 1, 1, dice(1), sink)
    expect(found.get(inner.part)).toEqual([1 * 3 + 2])
  })
})

describe("the dice of first guesses", () => {
  const inner = () => mixture(2, uv(), { name: "h" })
  const nested: Record<string, Model> = {
    "a mixture in a mixture": mixture(3, inner(), { name: "z" }) as Model,
    "bodies of their own": mixture([inner(), inner(), inner()], undefined, { name: "z" }) as Model,
    "side by side, below classes": classes("c", {
      r: independent(
        mixture(2, independent({ u: categorical() })),
        mixture(2, independent({ v: categorical() })),
      ),
      s: uv(),
      t: uv(),
    }) as Model,
  }
  /** The first throw of every context of every switch that guesses. */
  const thrown = (start: (sink: GuessingSink, params: Float64Array) => void, laid: Laid): number[] => {
    const throws: number[] = []
    const sink = {
      guess(asked: Guess) {
        for (let p = 0; p < asked.node.slots; p++) throws.push(asked.dice.fork(p).uniform())
        return firstGuess(asked, [])
      },
      leaf: () => undefined,
      choice: () => undefined,
      start: () => undefined,
    }
    start(sink, new Float64Array(laid.parameters))
    return throws
  }
  const some = blockOf(rows)

  test.each(Object.entries(nested))("are thrown once, at the start: %s", (_name, model) => {
    const laid = lay(model, columns)
    const throws = thrown((sink, params) => {
      laid.root.start(some, params, rootWeights(some), dice(1), sink)
    }, laid)
    expect(throws.length).toBeGreaterThan(2)
    expect(new Set(throws).size).toBe(throws.length)
  })

  test("are thrown once, for a value that is seeded", () => {
    const laid = lay(nested["bodies of their own"], columns)
    const [outer] = laid.switches
    const throws = thrown((sink, params) => {
      outer.seed(blockOf([{ u: "a" }]), params, 0, 1, 1, dice(1), sink)
    }, laid)
    expect(throws).toHaveLength(3)
    expect(new Set(throws).size).toBe(3)
  })
})

describe("a hidden switch that is not the same in every body", () => {
  const ask = (model: unknown, target: string, count: number) => () => {
    const { laid, params } = laidOut(model as Model)
    laid.root.open(blockOf(rows), params, target, new Float64Array(count * rows.length))
  }
  test("has no posterior", () => {
    const some = classes("c", { r: mixture(2, uv(), { name: "h" }), s: uv(), t: uv() })
    expect(ask(some, "h", 2)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: "h" is not the same in every body of "c". Where it is missing, or has other components, it has no probability. Give every body one of that name with as many components, or ask for "c".]`,
    )
    const other = classes("c", { r: mixture(2, uv()), s: mixture(3, uv()), t: mixture(2, uv()) })
    expect(ask(other, "mixture(u, v)", 2)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: "mixture(u, v)" is not the same in every body of "c". Where it is missing, or has other components, it has no probability. Give every body one of that name with as many components, or ask for "c".]`,
    )
  })
})

test("a number has no levels to open", () => {
  const laid = lay(independent({ x: gaussian() }) as Model, [
    { kind: "number", name: "x", shift: 0, scale: 1, variance: 1 },
  ])
  const block = { rows: 1, weight: Float64Array.of(1), cells: [Float64Array.of(0)] }
  expect(() =>
    laid.root.open(block, new Float64Array(3), "x", new Float64Array(1)),
  ).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: column "x" has no levels to choose from. A posterior over levels needs some. Name one of the others.]`,
  )
})
