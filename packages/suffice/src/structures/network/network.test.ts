import { describe, expect, it } from "vitest"
import { bernoulli } from "../../families/bernoulli.ts"
import { categorical } from "../../families/categorical.ts"
import { gaussian } from "../../families/gaussian.ts"
import { fit } from "../../fitted/fit.ts"
import { load } from "../../fitted/load.ts"
import { specify } from "../../fitted/specify.ts"
import { sdem } from "../../learners/sdem.ts"
import { dice } from "../../random.ts"
import { classes, mixture } from "../classes.ts"
import { independent } from "../independent.ts"
import { given, hidden, type NetworkNode, network } from "./declare.ts"

type Row = Record<string, number | boolean | null>

/** A random network of levels, numbers and hidden columns, its tables, and p(row) by enumeration, from the tables alone. */
function world(seed: number) {
  const rolls = dice(seed)
  const count = 2 + rolls.integer(5)
  const nodes = Array.from({ length: count }, (_, v) => {
    const isNumber = v > 0 && rolls.uniform() < 0.25
    return {
      name: `x${v}`,
      isNumber,
      levels: isNumber ? 0 : 2 + rolls.integer(2),
      isHidden: false,
      parents: [] as number[],
    }
  })
  nodes.forEach((node, v) => {
    for (let u = 0; u < v; u++)
      if (!nodes[u].isNumber && node.parents.length < 3 && rolls.uniform() < 0.5) node.parents.push(u)
  })
  const isParent = (u: number): boolean => nodes.some(({ parents }) => parents.includes(u))
  nodes.forEach((node, v) => {
    if (!node.isNumber && isParent(v) && rolls.uniform() < 0.2) node.isHidden = true
  })
  if (nodes.every(({ isHidden }) => isHidden)) nodes[0].isHidden = false
  const tables = nodes.map(({ parents, levels, isNumber }) => {
    const configurations = parents.reduce((product, u) => product * nodes[u].levels, 1)
    return Array.from({ length: configurations }, () => {
      if (isNumber) return [rolls.normal(), 0.5 + rolls.uniform()]
      const raw = Array.from({ length: levels }, () => 0.05 + rolls.uniform())
      const sum = raw.reduce((a, b) => a + b)
      return raw.map(p => p / sum)
    })
  })
  const declared: Record<string, NetworkNode> = {}
  const description: Record<string, unknown> = {}
  // declared in the opposite order: it must not matter
  for (let v = count - 1; v >= 0; v--) {
    const { name, parents, levels, isNumber, isHidden } = nodes[v]
    const family = isNumber
      ? gaussian()
      : isHidden
        ? hidden(levels)
        : categorical({ levels: Array.from({ length: levels }, (_, l) => l) })
    declared[name] = given(
      parents.map(u => nodes[u].name),
      family,
    )
    const leaf = (c: number): object =>
      isNumber
        ? { mean: tables[v][c][0], sd: tables[v][c][1] }
        : { probabilities: Object.fromEntries(tables[v][c].map((p, l) => [String(l), p])) }
    const below = (depth: number, c: number): object =>
      depth === parents.length
        ? leaf(c)
        : Object.fromEntries(
            Array.from({ length: nodes[parents[depth]].levels }, (_, l) => [
              String(l),
              below(depth + 1, c * nodes[parents[depth]].levels + l),
            ]),
          )
    description[name] = parents.length === 0 ? leaf(0) : { given: below(0, 0) }
  }
  /** p(row) with what is missing summed out. */
  const probability = (row: Row): number => {
    let total = 0
    const values: number[] = []
    const visit = (v: number, product: number): void => {
      if (v === count) {
        total += product
        return
      }
      const { name, parents, levels, isNumber } = nodes[v]
      const c = parents.reduce((c, u) => c * nodes[u].levels + values[u], 0)
      const cell = row[name]
      if (isNumber) {
        const [mean, sd] = tables[v][c]
        const z = cell === null || cell === undefined ? 0 : ((cell as number) - mean) / sd
        const density = Math.exp(-0.5 * z * z) / (sd * Math.sqrt(2 * Math.PI))
        visit(v + 1, cell === null || cell === undefined ? product : product * density)
        return
      }
      for (let l = 0; l < levels; l++) {
        if (cell !== null && cell !== undefined && cell !== l) continue
        values[v] = l
        visit(v + 1, product * tables[v][c][l])
      }
    }
    visit(0, 1)
    return total
  }
  return { nodes, model: network(declared), description, probability, rolls }
}

const relative = (a: number, b: number): number => Math.abs(a - b) / Math.max(Math.abs(b), 1e-300)

describe("a network", () => {
  it("sums out what is missing as enumeration does, in every pattern of random networks", () => {
    let cases = 0
    for (let seed = 1; seed <= 60; seed++) {
      const { nodes, model, description, probability, rolls } = world(seed)
      const fitted = specify(model, description as never)
      const seen = nodes.filter(({ isHidden }) => !isHidden)
      const rows: Row[] = []
      for (let pattern = 0; pattern < 2 ** seen.length; pattern++) {
        rows.push(
          Object.fromEntries(
            seen.map(({ name, levels, isNumber }, j) => [
              name,
              pattern & (1 << j) ? (isNumber ? rolls.normal() : rolls.integer(levels)) : null,
            ]),
          ),
        )
      }
      const densities = fitted.logDensity(rows as never)
      rows.forEach((row, i) => {
        cases++
        expect(relative(Math.exp(densities[i]), probability(row))).toBeLessThan(1e-12)
      })
      for (const { name, levels, isNumber, isHidden } of nodes) {
        if (isNumber) continue
        const { probabilities } = fitted.posterior(rows as never, { target: name as never })
        rows.forEach((row, i) => {
          const joint = Array.from({ length: levels }, (_, l) => probability({ ...row, [name]: l }))
          const sum = joint.reduce((a, b) => a + b)
          joint.forEach((p, l) => {
            expect(Math.abs(probabilities[i * levels + l] - p / sum)).toBeLessThan(1e-12)
          })
        })
        void isHidden
      }
      const filled = fitted.impute(rows as never)
      rows.forEach((row, i) => {
        for (const { name, levels, isNumber, isHidden } of nodes) {
          if (isHidden || isNumber || row[name] !== null) continue
          const joint = Array.from({ length: levels }, (_, l) => probability({ ...row, [name]: l }))
          const sum = joint.reduce((a, b) => a + b)
          const most = Math.max(...joint) / sum
          expect(Math.abs(filled.spread[i][name] - (1 - most))).toBeLessThan(1e-12)
        }
      })
    }
    expect(cases).toBeGreaterThan(500)
  })

  it("of naive Bayes below classes is classes over independent columns, to the bit", async () => {
    const rolls = dice(7)
    const rows = Array.from({ length: 700 }, () => {
      const y = rolls.integer(3)
      const hole = (x: number): number | null => (rolls.uniform() < 0.2 ? null : x)
      return {
        y,
        a: hole((y + rolls.integer(2)) % 3),
        b: hole(rolls.integer(2)),
        x: hole(y + rolls.normal()),
      }
    })
    const body = () => ({ a: categorical(), b: categorical(), x: gaussian() })
    const one = await fit(classes("y", network(body())), rows as never)
    const other = await fit(classes("y", independent(body())), rows as never)
    expect([...one.logDensity(rows as never)]).toEqual([...other.logDensity(rows as never)])
    expect([...one.posterior(rows as never).probabilities]).toEqual([
      ...other.posterior(rows as never).probabilities,
    ])
  })

  it("is learned by EM from rows with holes, and its likelihood never falls", async () => {
    const { model, rows } = rain(600, 0.25)
    const trace: number[] = []
    await fit(model, rows as never, { onStep: step => void trace.push(step.objective!) })
    expect(trace.length).toBeGreaterThan(3)
    for (let k = 1; k < trace.length; k++)
      expect(trace[k]).toBeGreaterThan(trace[k - 1] - 1e-9 * Math.abs(trace[k]))
  })

  it("finds what hides above columns", async () => {
    const rolls = dice(5)
    const rows = Array.from({ length: 1500 }, () => {
      const h = rolls.integer(2)
      const flip = (p: number): number => (rolls.uniform() < p ? h : 1 - h)
      return { a: flip(0.9), b: flip(0.85), c: flip(0.9), d: flip(0.8) }
    })
    const leaf = () => given(["h"], categorical())
    const model = network({ h: hidden(2), a: leaf(), b: leaf(), c: leaf(), d: leaf() })
    const fitted = await fit(model, rows, { seed: 1 })
    const other = await fit(
      mixture(2, independent({ a: categorical(), b: categorical(), c: categorical(), d: categorical() })),
      rows,
      { seed: 1 },
    )
    const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((a, b) => a + b, 0)
    const gap = sum(fitted.logDensity(rows)) - sum(other.logDensity(rows))
    expect(Math.abs(gap)).toBeLessThan(0.5)
    expect(fitted.responsibilities(rows, { of: "h" as never }).length).toBe(3000)
  })

  it("is saved and loaded with the same bits", async () => {
    const { model, rows } = rain(200, 0.2)
    const fitted = await fit(model, rows as never)
    const again = load(JSON.parse(JSON.stringify(fitted)))
    expect([...again.logDensity(rows as never)]).toEqual([...fitted.logDensity(rows as never)])
    const densities = specify(model, fitted.describe(), { levels: { season: [0, 1, 2] } }).logDensity(
      rows as never,
    )
    fitted.logDensity(rows as never).forEach((density: number, i: number) => {
      expect(Math.abs(densities[i] - density)).toBeLessThan(1e-12)
    })
  })

  it("below classes is learned by sdEM with either loss, better than by counting", async () => {
    const rolls = dice(11)
    const rows = Array.from({ length: 1200 }, () => {
      const a = rolls.integer(2)
      const b = rolls.uniform() < 0.8 ? a : 1 - a
      const c = rolls.integer(2)
      const y = (a ^ c) === 1 ? (rolls.uniform() < 0.9 ? 1 : 0) : rolls.uniform() < 0.2 ? 1 : 0
      return { y, a, b, c }
    })
    const model = classes(
      "y",
      network({ a: categorical(), b: given(["a"], categorical()), c: given(["a"], categorical()) }),
    )
    const loss = (fitted: { posterior(rows: never): { probabilities: Float64Array } }): number => {
      const { probabilities } = fitted.posterior(rows as never)
      return -rows.reduce((sum, { y }, i) => sum + Math.log(probabilities[2 * i + y]), 0) / rows.length
    }
    const counted = await fit(model, rows)
    const ncll = await fit(model, rows, { learner: sdem() })
    expect(loss(ncll)).toBeLessThan(loss(counted) + 1e-3)
  })
})

function rain(count: number, holes: number) {
  const rolls = dice(2)
  const rows = Array.from({ length: count }, () => {
    const season = rolls.integer(3)
    const rain = rolls.uniform() < [0.7, 0.3, 0.1][season]
    const grass = rolls.uniform() < (rain ? 0.9 : 0.2)
    const height = (rain ? 2 : 0) + rolls.normal()
    const hole = <T>(cell: T): T | null => (rolls.uniform() < holes ? null : cell)
    return { season: hole(season), rain: hole(rain), grass: hole(grass), height: hole(height) }
  })
  const model = network({
    season: categorical(),
    grass: given(["season", "rain"], bernoulli()),
    height: given(["rain"], gaussian()),
    rain: given(["season"], bernoulli()),
  })
  return { model, rows }
}
