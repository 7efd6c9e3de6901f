// Long because it brings its second opinion along: small dense matrices, the slow and obvious way, at the end.

import { absorb } from "suffice-laws/probe"
import { describe, expect, test } from "vitest"
import type { Block, Weights } from "../../contract/block.ts"
import type { Leaf } from "../../contract/leaf.ts"
import type { Description } from "../../contract/report.ts"
import { fit } from "../../fit/fit.ts"
import { specify } from "../../fit/specify.ts"
import { dice } from "../../random.ts"
import { classes } from "../../structures/classes.ts"
import { independent } from "../../structures/independent.ts"
import { normal } from "../../structures/normal.ts"
import { gaussian } from "../gaussian.ts"
import type { NumberColumn } from "./columns.ts"
import { type Covariance, normalFamily, normalKind } from "./normal.ts"

const COVARIANCES: readonly Covariance[] = ["full", "tied", "diag", "spherical", "identity"]

/** Columns of unequal shift, scale and pooled variance; one scale for all where the shape asks for it. */
function columnsFor(covariance: Covariance, d: number): NumberColumn[] {
  const common = normalFamily({ covariance }).need as { scale: string }
  return Array.from({ length: d }, (_, j) => ({
    kind: "number",
    name: `c${j}`,
    shift: 10 * j - 3,
    scale: common.scale === "common" ? 1.7 : 0.5 + 0.8 * j,
    variance: common.scale === "common" ? 0.6 + 0.2 * j : 1,
  }))
}

/** The column as it is where no row holds a number. */
function emptied(column: NumberColumn): NumberColumn {
  return { ...column, empty: true }
}

function bind(
  covariance: Covariance,
  d: number,
  slots: number,
  prior = 1,
  columns = columnsFor(covariance, d),
): Leaf {
  // places in reverse, so that nobody confuses a column's number with its place
  return normalFamily({ covariance, prior }).bind(
    columns,
    Array.from({ length: d }, (_, j) => d - 1 - j),
    slots,
  )
}

/** A block whose place d − 1 − j holds column j of the rows. */
function blockOf(rows: readonly (readonly number[])[]): Block {
  const d = rows[0].length
  return {
    rows: rows.length,
    weight: new Float64Array(rows.length).fill(1),
    cells: Array.from({ length: d }, (_, place) => Float64Array.from(rows, row => row[d - 1 - place])),
  }
}

/** Correlated held rows, some cells missing. */
function randomRows(seed: number, count: number, d: number, missing = 0): number[][] {
  const random = dice(seed)
  return Array.from({ length: count }, () => {
    const common = random.normal()
    return Array.from({ length: d }, (_, j) => {
      const x = 0.4 * random.normal() + (0.9 - 0.3 * j) * common + 0.2 * j
      return random.uniform() < missing ? Number.NaN : x
    })
  })
}

function eachWeights(seed: number, slots: number, rows: number): Extract<Weights, { form: "each" }> {
  const random = dice(seed)
  return {
    form: "each",
    values: Float64Array.from({ length: slots * rows }, () => Math.max(0, random.uniform() - 0.2)),
  }
}

/** Parameters of some random complete data. */
function fitted(leaf: Leaf, d: number, seed = 5): Float64Array {
  const rows = randomRows(seed, 40, d)
  const stats = new Float64Array(leaf.shape.statistics)
  const params = new Float64Array(leaf.shape.parameters)
  leaf.prior(stats)
  leaf.solve(stats, 0, params)
  absorb(leaf, blockOf(rows), params, eachWeights(seed, leaf.shape.slots, rows.length), stats)
  leaf.solve(stats, 0, params)
  return params
}

/** Mean and covariance of a slot as described, in the units of the data. */
function dataMoments(
  leaf: Leaf,
  params: Float64Array,
  slot: number,
  d: number,
): { mean: number[]; cov: Matrix } {
  const described = leaf.describe(params, slot) as {
    mean: Record<string, number>
    covariance?: Record<string, Record<string, number>>
    variance?: Record<string, number>
  }
  const names = Array.from({ length: d }, (_, j) => `c${j}`)
  return {
    mean: names.map(name => described.mean[name]),
    cov: names.map((a, j) =>
      names.map((b, k) => described.covariance?.[a][b] ?? (j === k ? (described.variance?.[a] ?? 0) : 0)),
    ),
  }
}

function heldMoments(leaf: Leaf, params: Float64Array, slot: number, columns: readonly NumberColumn[]) {
  const { mean, cov } = dataMoments(leaf, params, slot, columns.length)
  return {
    mean: mean.map((value, j) => (value - columns[j].shift) / columns[j].scale),
    cov: cov.map((row, j) => row.map((value, k) => value / columns[j].scale / columns[k].scale)),
  }
}

function expectClose(actual: ArrayLike<number>, wanted: ArrayLike<number>, tolerance = 1e-12): void {
  expect(actual.length).toBe(wanted.length)
  for (let i = 0; i < actual.length; i++) {
    const error = Math.abs(actual[i] - wanted[i])
    if (!(error <= tolerance * Math.max(1, Math.abs(wanted[i])))) {
      expect.fail(`entry ${i}: ${actual[i]} instead of ${wanted[i]}`)
    }
  }
}

function scores(leaf: Leaf, params: Float64Array, block: Block): Float64Array {
  const out = new Float64Array(leaf.shape.slots * block.rows)
  leaf.score(block, params, out)
  return out
}

describe.each(COVARIANCES)("%s", covariance => {
  test.each([1, 2, 3, 5, 8])("the score is the log-density of what was seen, d = %i", d => {
    const leaf = bind(covariance, d, 3)
    const columns = columnsFor(covariance, d)
    const params = fitted(leaf, d)
    const rows = [...randomRows(9, 11, d), ...randomRows(10, 30, d, 0.4), Array(d).fill(Number.NaN)]
    const out = scores(leaf, params, blockOf(rows))
    const wanted = [0, 1, 2].flatMap(p => {
      const { mean, cov } = dataMoments(leaf, params, p, d)
      return rows.map(row => {
        const seen = row.map((_, j) => j).filter(j => !Number.isNaN(row[j]))
        return logDensity(
          seen.map(j => columns[j].shift + columns[j].scale * row[j]),
          seen.map(j => mean[j]),
          seen.map(j => seen.map(k => cov[j][k])),
        )
      })
    })
    expectClose(out, wanted, 1e-10)
  })

  test("a row scores the same bits alone and among others", () => {
    const leaf = bind(covariance, 5, 2)
    const params = fitted(leaf, 5)
    const rows = [...randomRows(1, 9, 5), ...randomRows(2, 9, 5, 0.3)]
    const together = scores(leaf, params, blockOf(rows))
    rows.forEach((row, i) => {
      const alone = scores(leaf, params, blockOf([row]))
      expect([alone[0], alone[1]]).toEqual([together[i], together[rows.length + i]])
    })
  })

  test("a column missing in every row scores as the column dropped", () => {
    const leaf = bind(covariance, 4, 2)
    const fewer = bind(covariance, 3, 2)
    const params = fitted(leaf, 4)
    const stats = new Float64Array(fewer.shape.statistics)
    const fewerParams = new Float64Array(fewer.shape.parameters)
    for (let p = 0; p < 2; p++) fewer.adopt(leaf.describe(params, p), p, 1, stats)
    fewer.solve(stats, 0, fewerParams)
    const rows = randomRows(3, 20, 3, 0.2)
    expectClose(
      scores(leaf, params, blockOf(rows.map(row => [...row, Number.NaN]))),
      scores(fewer, fewerParams, blockOf(rows)),
      1e-11,
    )
  })

  const correlated = covariance === "full" || covariance === "tied"
  test(`statistics ${correlated ? "are expectations given" : "count"} what was seen`, () => {
    const d = 4
    const slots = 3
    const leaf = bind(covariance, d, slots)
    const columns = columnsFor(covariance, d)
    const params = fitted(leaf, d)
    const rows = [...randomRows(21, 7, d), ...randomRows(22, 25, d, 0.4), Array(d).fill(Number.NaN)]
    const weights = eachWeights(23, slots, rows.length)
    weights.values[4] = -0.7
    const stats = new Float64Array(leaf.shape.statistics)
    expect(absorb(leaf, blockOf(rows), params, weights, stats)).toBe(correlated)
    expect(leaf.latent?.when).toBe(correlated ? "missing" : undefined)

    // the same sums over full matrices, read back through value(): a linear function of the statistics, at several θ
    for (const seed of [5, 6, 7, 8]) {
      const other = fitted(leaf, d, seed)
      let wanted = 0
      for (let p = 0; p < slots; p++) {
        const { mean, cov } = heldMoments(leaf, params, p, columns)
        const at = dataMoments(leaf, other, p, d)
        rows.forEach((row, i) => {
          const w = weights.values[p * rows.length + i]
          const { filled, spread } = conditional(row, mean, cov)
          if (correlated) wanted += w * expectedLogDensity(filled, spread, at, columns)
        })
      }
      if (!correlated) {
        // nothing was guessed: the log-likelihood of what was seen
        scores(leaf, other, blockOf(rows)).forEach((score, k) => {
          wanted += weights.values[k] * score
        })
      }
      expect(leaf.value(stats, other)).toBeCloseTo(wanted, 8)
    }
    const seenIn = (j: number, p: number): number =>
      rows.reduce(
        (sum, row, i) => sum + (correlated || row[j] === row[j] ? weights.values[p * rows.length + i] : 0),
        0,
      )
    const mass = Array.from({ length: slots }, (_, p) =>
      Math.max(...Array.from({ length: d }, (_, j) => seenIn(j, p))),
    )
    expectClose(
      mass.map((_, p) => leaf.mass(stats, p)),
      mass,
    )
  })

  test("value(statistics of complete rows, θ) = Σ scores", () => {
    const leaf = bind(covariance, 5, 3)
    const params = fitted(leaf, 5)
    const rows = randomRows(31, 50, 5)
    const weights = eachWeights(32, 3, 50)
    const stats = new Float64Array(leaf.shape.statistics)
    expect(absorb(leaf, blockOf(rows), params, weights, stats)).toBe(false)
    const out = scores(leaf, params, blockOf(rows))
    const sum = out.reduce((total, score, i) => total + weights.values[i] * score, 0)
    expect(Math.abs(leaf.value(stats, params) - sum)).toBeLessThan(1e-11 * Math.abs(sum))
  })

  test("both forms of weights agree", () => {
    const leaf = bind(covariance, 5, 4)
    const params = fitted(leaf, 5)
    const rows = [...randomRows(41, 40, 5), ...randomRows(42, 40, 5, 0.3)]
    const random = dice(43)
    const slot = Int32Array.from(rows, () => random.integer(4))
    const weight = Float64Array.from(rows, (_, i) => (i % 7 === 0 ? 0 : random.uniform() - 0.3))
    const values = new Float64Array(4 * rows.length)
    rows.forEach((_, i) => {
      values[slot[i] * rows.length + i] = weight[i]
    })
    const one = new Float64Array(leaf.shape.statistics)
    const each = new Float64Array(leaf.shape.statistics)
    absorb(leaf, blockOf(rows), params, { form: "one", slot, weight }, one)
    absorb(leaf, blockOf(rows), params, { form: "each", values }, each)
    expectClose(one, each, 1e-13)
  })

  test("a row of weight 0 is no row, and guesses nothing", () => {
    const leaf = bind(covariance, 3, 2)
    const params = fitted(leaf, 3)
    const rows = randomRows(51, 9, 3)
    const more = [...rows, [Number.NaN, 1, 2]]
    const a = new Float64Array(leaf.shape.statistics)
    const b = new Float64Array(leaf.shape.statistics)
    const weights = eachWeights(52, 2, 9)
    const padded = Float64Array.from({ length: 20 }, (_, k) =>
      k % 10 < 9 ? weights.values[Math.floor(k / 10) * 9 + (k % 10)] : 0,
    )
    expect(absorb(leaf, blockOf(rows), params, weights, a)).toBe(false)
    expect(absorb(leaf, blockOf(more), params, { form: "each", values: padded }, b)).toBe(false)
    expect(b).toEqual(a)
  })

  test("solve(moments(θ)) = θ, and value(moments(θ₀), θ) is stationary at θ₀", () => {
    const leaf = bind(covariance, 4, 3)
    const params = fitted(leaf, 4)
    const mass = Float64Array.of(2, 0.5, 3)
    const stats = new Float64Array(leaf.shape.statistics)
    leaf.moments(params, mass, stats)
    const again = new Float64Array(leaf.shape.parameters)
    expect(leaf.solve(stats, 0, again)).toBe(0)
    expectClose(again, params, 1e-11)

    // along a curve of statistics: θ(η₀ + t·δ)
    const rows = randomRows(62, 30, 4)
    const delta = new Float64Array(leaf.shape.statistics)
    absorb(leaf, blockOf(rows), params, eachWeights(63, 3, 30), delta)
    const at = (t: number) => {
      const moved = new Float64Array(leaf.shape.parameters)
      leaf.solve(
        stats.map((value, j) => value + t * delta[j]),
        0,
        moved,
      )
      return leaf.value(stats, moved)
    }
    const h = 1e-6
    expect(Math.abs(at(h) - at(-h)) / (2 * h)).toBeLessThan(1e-6)
    expect(at(0)).toBeGreaterThan(at(1e-3))
    expect(at(0)).toBeGreaterThan(at(-1e-3))
  })

  test("adopt reads what describe prints", () => {
    const leaf = bind(covariance, 4, 3)
    const params = fitted(leaf, 4)
    const stats = new Float64Array(leaf.shape.statistics)
    const printed = [0, 1, 2].map(p => JSON.parse(JSON.stringify(leaf.describe(params, p))) as Description)
    printed.forEach((description, p) => {
      leaf.adopt(description, p, 1 + p, stats)
    })
    const again = new Float64Array(leaf.shape.parameters)
    leaf.solve(stats, 0, again)
    expectClose(again, params, 1e-11)
    expect(leaf.mass(stats, 2)).toBe(3)
  })

  test("samples have the moments of the slot", () => {
    const d = 3
    const leaf = bind(covariance, d, 2)
    const columns = columnsFor(covariance, d)
    const params = fitted(leaf, d)
    const { mean, cov } = heldMoments(leaf, params, 1, columns)
    const random = dice(71)
    const n = 20000
    const sums = new Float64Array(d)
    const squares = Array.from({ length: d }, () => new Float64Array(d))
    const block = blockOf([Array(d).fill(Number.NaN)])
    for (let t = 0; t < n; t++) {
      for (const cells of block.cells as Float64Array[]) cells[0] = Number.NaN
      leaf.sample(params, 1, block, random)
      const x = mean.map((m, j) => (block.cells[d - 1 - j] as Float64Array)[0] - m)
      x.forEach((a, j) => {
        sums[j] += a
        x.forEach((b, k) => {
          squares[j][k] += a * b
        })
      })
    }
    for (let j = 0; j < d; j++) {
      expect(Math.abs(sums[j] / n)).toBeLessThan(5 * Math.sqrt(cov[j][j] / n))
      for (let k = 0; k < d; k++) {
        const deviation = Math.sqrt((cov[j][j] * cov[k][k] + cov[j][k] * cov[j][k]) / n)
        expect(Math.abs(squares[j][k] / n - cov[j][k])).toBeLessThan(5 * deviation)
      }
    }
  })

  test("conditional samples keep the evidence and follow the conditional", () => {
    const d = 4
    const leaf = bind(covariance, d, 1)
    const columns = columnsFor(covariance, d)
    const params = fitted(leaf, d)
    const { mean, cov } = heldMoments(leaf, params, 0, columns)
    const row = [Number.NaN, 0.8, Number.NaN, -0.4]
    const { filled, spread } = conditional(row, mean, cov)
    const random = dice(72)
    const n = 20000
    let sum0 = 0
    let sum2 = 0
    let product = 0
    for (let t = 0; t < n; t++) {
      const block = blockOf([row])
      leaf.sample(params, 0, block, random)
      const drawn = [0, 1, 2, 3].map(j => (block.cells[d - 1 - j] as Float64Array)[0])
      expect([drawn[1], drawn[3]]).toEqual([0.8, -0.4])
      sum0 += drawn[0] - filled[0]
      sum2 += drawn[2] - filled[2]
      product += (drawn[0] - filled[0]) * (drawn[2] - filled[2])
    }
    expect(Math.abs(sum0 / n)).toBeLessThan(5 * Math.sqrt(spread[0][0] / n))
    expect(Math.abs(sum2 / n)).toBeLessThan(5 * Math.sqrt(spread[2][2] / n))
    const deviation = Math.sqrt((spread[0][0] * spread[2][2] + spread[0][2] * spread[0][2]) / n)
    expect(Math.abs(product / n - spread[0][2])).toBeLessThan(5 * deviation)
    const complete = blockOf([[1, 2, 3, 4]])
    leaf.sample(params, 0, complete, random)
    expect(complete).toEqual(blockOf([[1, 2, 3, 4]]))
  })

  test("expect is the conditional of one column, its own cell ignored", () => {
    const d = 4
    const leaf = bind(covariance, d, 2)
    const columns = columnsFor(covariance, d)
    const params = fitted(leaf, d)
    const rows = [...randomRows(81, 6, d), ...randomRows(82, 20, d, 0.4), Array(d).fill(Number.NaN)]
    for (let j = 0; j < d; j++) {
      const mean = new Float64Array(rows.length)
      const variance = new Float64Array(rows.length)
      leaf.numbers?.expect(blockOf(rows), params, 1, d - 1 - j, mean, variance)
      const held = heldMoments(leaf, params, 1, columns)
      const wanted = rows.map(row =>
        conditional(
          row.map((x, k) => (k === j ? Number.NaN : x)),
          held.mean,
          held.cov,
        ),
      )
      expectClose(
        mean,
        wanted.map(({ filled }) => filled[j]),
        1e-10,
      )
      expectClose(
        variance,
        wanted.map(({ spread }) => spread[j][j]),
        1e-10,
      )
    }
  })

  test("before anything was seen, the prior gives the pooled mean and the pooled variances", () => {
    const d = 3
    const leaf = bind(covariance, d, 2, 2)
    const columns = columnsFor(covariance, d)
    const stats = new Float64Array(leaf.shape.statistics)
    const params = new Float64Array(leaf.shape.parameters)
    leaf.prior(stats)
    expect(leaf.solve(stats, 0, params)).toBe(0)
    const pooled = columns.map(({ variance }) => variance)
    const average = pooled.reduce((sum, variance) => sum + variance, 0) / d
    for (let p = 0; p < 2; p++) {
      expect(leaf.mass(stats, p)).toBe(
        { full: 16, tied: 8, diag: 12, spherical: 12, identity: 0 }[covariance],
      )
      const { mean, cov } = heldMoments(leaf, params, p, columns)
      columns.forEach(({ scale }, j) => {
        const wanted =
          { spherical: average, identity: 1 / (scale * scale) }[covariance as string] ?? pooled[j]
        expect(mean[j]).toBeCloseTo(0, 12)
        columns.forEach((_, k) => {
          expect(cov[j][k]).toBeCloseTo(j === k ? wanted : 0, 12)
        })
      })
    }
  })

  test("EM over missing cells never lowers the likelihood with the prior", () => {
    const slots = 2
    const rows = randomRows(141, 60, 4, 0.3)
    const leaf = bind(covariance, 4, slots)
    let params = fitted(leaf, 4)
    // around the mean of θ, by a spread that stays
    const spread = new Float64Array(leaf.spread?.length ?? 0)
    const first = new Float64Array(leaf.shape.statistics)
    leaf.moments(params, new Float64Array(slots).fill(20), first)
    leaf.spread?.estimate(first, spread)
    const priorAround = (stats: Float64Array) => {
      const prior = new Float64Array(leaf.shape.statistics)
      leaf.prior(prior, 1, spread, stats)
      return prior
    }
    let last = Number.NEGATIVE_INFINITY
    for (let t = 0; t < 40; t++) {
      const out = scores(leaf, params, blockOf(rows))
      const means = new Float64Array(leaf.shape.statistics)
      leaf.moments(params, new Float64Array(slots).fill(1), means)
      let objective = leaf.value(priorAround(means), params)
      const values = new Float64Array(slots * rows.length)
      rows.forEach((_, i) => {
        const joint = [Math.exp(out[i]), Math.exp(out[rows.length + i])]
        const total = joint[0] + joint[1]
        objective += Math.log(total / 2)
        for (let p = 0; p < slots; p++) values[p * rows.length + i] = joint[p] / total
      })
      expect(objective).toBeGreaterThanOrEqual(last - 1e-10 * Math.abs(objective))
      last = objective
      const stats = new Float64Array(leaf.shape.statistics)
      absorb(leaf, blockOf(rows), params, { form: "each", values }, stats)
      leaf.prior(stats, 1, spread)
      params = new Float64Array(leaf.shape.parameters)
      leaf.solve(stats, 0, params, spread)
    }
  })

  if (!correlated) {
    test("missing cells are counted around: one step is the maximum, and more change nothing", () => {
      const rows = randomRows(145, 60, 4, 0.3)
      const leaf = bind(covariance, 4, 1, 0)
      const columns = columnsFor(covariance, 4)
      const once = new Float64Array(leaf.shape.parameters)
      const stats = new Float64Array(leaf.shape.statistics)
      const all: Weights = { form: "each", values: new Float64Array(rows.length).fill(1) }
      absorb(leaf, blockOf(rows), fitted(leaf, 4), all, stats)
      leaf.solve(stats, 0, once)
      const again = new Float64Array(leaf.shape.parameters)
      const more = new Float64Array(leaf.shape.statistics)
      absorb(leaf, blockOf(rows), once, all, more)
      leaf.solve(more, 0, again)
      expect(again).toEqual(once)
      const { mean, cov } = heldMoments(leaf, once, 0, columns)
      const gaps = columns.map((_, j) => {
        const seen = rows.map(row => row[j]).filter(x => x === x)
        expect(mean[j]).toBeCloseTo(seen.reduce((sum, x) => sum + x, 0) / seen.length, 12)
        return seen.map(x => (x - mean[j]) * (x - mean[j]))
      })
      const average = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length
      gaps.forEach((own, j) => {
        const wanted = { diag: average(own), spherical: average(gaps.flat()) }[covariance as string]
        expect(cov[j][j]).toBeCloseTo(wanted ?? 1 / (columns[j].scale * columns[j].scale), 12)
      })
    })
  }

  // spherical shares one variance with the column nobody saw: the prior's pseudo-rows reach it through that column
  const dropped = covariance === "spherical" ? 0 : 1
  test(`EM with a column missing everywhere = EM without it, prior ${dropped}`, () => {
    const rows = randomRows(151, 50, 3, 0.2)
    const run = (d: number, data: number[][]) => {
      const columns = columnsFor(covariance, d).map((column, j) => (j < 3 ? column : emptied(column)))
      const leaf = bind(covariance, d, 1, dropped, columns)
      const stats = new Float64Array(leaf.shape.statistics)
      const params = new Float64Array(leaf.shape.parameters)
      leaf.solve(stats, 0, params)
      for (let t = 0; t < 200; t++) {
        stats.fill(0)
        absorb(leaf, blockOf(data), params, { form: "each", values: new Float64Array(50).fill(1) }, stats)
        leaf.prior(stats)
        leaf.solve(stats, 0, params)
      }
      return scores(leaf, params, blockOf(data))
    }
    const more = rows.map(row => [...row, Number.NaN])
    expectClose(run(4, more), run(3, rows), 1e-10)
  })

  test.each([0, 1])("degenerate data give finite parameters, prior %i", prior => {
    const d = 6
    const cases: Record<string, number[][]> = {
      "constant columns": randomRows(91, 30, d).map(row => row.map((x, j) => (j < 2 ? 0.5 : x))),
      "fewer rows than columns": randomRows(92, 3, d),
      "one row": randomRows(93, 1, d),
      duplicates: Array(20).fill(randomRows(94, 1, d)[0]),
      collinear: randomRows(95, 30, d).map(row => row.map((x, j) => (j === 3 ? row[0] + row[1] : x))),
      "nothing seen": Array(4).fill(Array(d).fill(Number.NaN)),
    }
    for (const [name, rows] of Object.entries(cases)) {
      const leaf = bind(covariance, d, 2, prior)
      const stats = new Float64Array(leaf.shape.statistics)
      const params = new Float64Array(leaf.shape.parameters)
      leaf.solve(stats, 0, params)
      const values = new Float64Array(2 * rows.length).fill(1, 0, rows.length) // slot 1 starves
      absorb(leaf, blockOf(rows), params, { form: "each", values }, stats)
      leaf.prior(stats)
      const held = leaf.solve(stats, 0, params)
      expect(params.every(Number.isFinite), name).toBe(true)
      const degenerate = prior === 0 && name !== "nothing seen" && covariance !== "identity"
      const collapses = covariance === "spherical" ? ["one row", "duplicates"].includes(name) : true
      const correlated = ["full", "tied"].includes(covariance)
      const flat = ["constant columns", "one row", "duplicates"].includes(name)
      expect(held > 0, name).toBe(degenerate && collapses && (correlated || flat))
      const holes = rows.map((row, i) => row.map((x, j) => ((i + j) % 3 === 0 ? Number.NaN : x)))
      for (const block of [blockOf(rows), blockOf(holes)]) {
        expect(scores(leaf, params, block).every(Number.isFinite), name).toBe(true)
        const more = new Float64Array(leaf.shape.statistics)
        absorb(leaf, block, params, { form: "each", values }, more)
        leaf.solve(more, 0, params)
        expect([...more, ...params].every(Number.isFinite), name).toBe(true)
      }
      const random = dice(96)
      const drawn = blockOf([holes[0]])
      leaf.sample(params, 0, drawn, random)
      expect(
        drawn.cells.every(cells => Number.isFinite((cells as Float64Array)[0])),
        name,
      ).toBe(true)
    }
  })

  test("statistics outside the domain are held, and counted", () => {
    const leaf = bind(covariance, 3, 2, 0)
    const params = fitted(leaf, 3)
    const stats = new Float64Array(leaf.shape.statistics)
    leaf.moments(params, Float64Array.of(1, 1), stats)
    leaf.moments(params, Float64Array.of(0, -3), stats)
    expect(leaf.solve(stats, 0, params)).toBeGreaterThan(0)
    expect(params.every(Number.isFinite)).toBe(true)
  })

  test.each([1e-150, 1e150])("data in units of %d", unit => {
    const d = 3
    const columns = columnsFor(covariance, d).map(column => ({
      ...column,
      shift: column.shift * unit,
      scale: column.scale * unit,
    }))
    const leaf = normalFamily({ covariance }).bind(columns, [2, 1, 0], 2)
    const plain = bind(covariance, d, 2)
    const params = fitted(leaf, d)
    const plainParams = fitted(plain, d)
    const rows = [...randomRows(101, 5, d), ...randomRows(102, 5, d, 0.4)]
    const out = scores(leaf, params, blockOf(rows))
    expect(out.every(Number.isFinite)).toBe(true)
    if (covariance !== "identity") {
      const plainOut = scores(plain, plainParams, blockOf(rows))
      const wanted = plainOut.map((score, i) => {
        const seen = rows[i % rows.length].filter(x => !Number.isNaN(x)).length
        return score - seen * Math.log(unit)
      })
      expectClose(out, wanted, 1e-11)
    }
    const stats = new Float64Array(leaf.shape.statistics)
    leaf.adopt(leaf.describe(params, 0), 0, 1, stats)
    leaf.adopt(leaf.describe(params, 1), 1, 1, stats)
    const again = new Float64Array(leaf.shape.parameters)
    leaf.solve(stats, 0, again)
    expectClose(again, params, 1e-10)
  })

  test("more than 32 columns, and patterns that differ only beyond the 32nd", () => {
    const d = 40
    const leaf = bind(covariance, d, 1)
    const params = fitted(leaf, d)
    const { mean, cov } = dataMoments(leaf, params, 0, d)
    const columns = columnsFor(covariance, d)
    const rows = randomRows(111, 12, d).map((row, i) =>
      row.map((x, j) => (j === 5 || (j === 33 && i % 2) || (j === 37 && i % 3 === 0) ? Number.NaN : x)),
    )
    const wanted = rows.map(row => {
      const seen = row.map((_, j) => j).filter(j => !Number.isNaN(row[j]))
      return logDensity(
        seen.map(j => columns[j].shift + columns[j].scale * row[j]),
        seen.map(j => mean[j]),
        seen.map(j => seen.map(k => cov[j][k])),
      )
    })
    expectClose(scores(leaf, params, blockOf(rows)), wanted, 1e-9)
  })

  test("free parameters", () => {
    const d = 4
    const slots = 3
    const triangle = (d * (d + 1)) / 2
    const wanted = {
      full: slots * (d + triangle),
      tied: slots * d + triangle,
      diag: 2 * slots * d,
      spherical: slots * (d + 1),
      identity: slots * d,
    }
    expect(bind(covariance, d, slots).shape.free).toBe(wanted[covariance])
  })
})

/** E[ln p(x)] for x with mean `filled` and covariance `spread` (held units): the density at the mean − ½ tr Σ⁻¹ spread. */
function expectedLogDensity(
  filled: readonly number[],
  spread: Matrix,
  at: { mean: number[]; cov: Matrix },
  columns: readonly NumberColumn[],
): number {
  const x = filled.map((value, j) => columns[j].shift + columns[j].scale * value)
  const top = logDensity(x, at.mean, at.cov)
  // tr Σ⁻¹S by polarisation over unit steps: xᵀΣ⁻¹x is −2 (ln p(μ + x) − ln p(μ))
  const middle = logDensity(at.mean, at.mean, at.cov)
  const form = (v: readonly number[]) =>
    2 *
    (middle -
      logDensity(
        v.map((step, j) => at.mean[j] + step),
        at.mean,
        at.cov,
      ))
  const basis = (j: number, k: number) =>
    columns.map((column, l) => (l === j ? column.scale : 0) + (l === k ? column.scale : 0))
  let trace = 0
  for (let j = 0; j < x.length; j++) {
    for (let k = 0; k < x.length; k++) {
      // uᵀΣ⁻¹v = ½ ((u + v)² − u² − v²)
      const precision = (form(basis(j, k)) - form(basis(j, -1)) - form(basis(k, -1))) / 2
      trace += precision * spread[j][k]
    }
  }
  return top - 0.5 * trace
}

test.each(["diag", "spherical", "identity"] as const)(
  "learning %s around missing cells is counting; diag is one gaussian per column",
  async covariance => {
    const random = dice(171)
    const hole = (x: number) => (random.uniform() < 0.3 ? null : x)
    const rows = Array.from({ length: 80 }, () => ({
      x: hole(3 + random.normal()),
      y: hole(50 * random.normal()),
    }))
    const counted = await fit(normal(["x", "y"], { covariance }), rows as never)
    expect(counted.training?.runs).toMatchObject([{ stopped: "counted" }])
    if (covariance !== "diag") return
    const columns = await fit(independent({ x: gaussian(), y: gaussian() }), rows as never)
    const asked = [
      { x: 1, y: 2 },
      { x: null, y: -7 },
    ] as never
    expectClose(counted.logDensity(asked), columns.logDensity(asked), 1e-12)
  },
)

describe("shapes that share a scale", () => {
  test.each(["spherical", "identity"] as const)(
    "%s on a common scale = the same in the units of the data",
    covariance => {
      const d = 3
      const scaled = columnsFor(covariance, d)
      const plain = scaled.map(column => ({
        ...column,
        scale: 1,
        variance: column.variance * column.scale * column.scale,
      }))
      const a = normalFamily({ covariance }).bind(scaled, [2, 1, 0], 2)
      const b = normalFamily({ covariance }).bind(plain, [2, 1, 0], 2)
      const rows = randomRows(121, 30, d, 0.2)
      const weights = eachWeights(122, 2, 30)
      const run = (leaf: Leaf, unit: number) => {
        const block = blockOf(rows.map(row => row.map(x => x * unit)))
        const stats = new Float64Array(leaf.shape.statistics)
        const params = new Float64Array(leaf.shape.parameters)
        leaf.solve(stats, 0, params)
        for (let t = 0; t < 3; t++) {
          stats.fill(0)
          leaf.prior(stats)
          absorb(leaf, block, params, weights, stats)
          leaf.solve(stats, 0, params)
        }
        return { scores: scores(leaf, params, block), value: leaf.value(stats, params) }
      }
      const one = run(a, 1)
      const two = run(b, scaled[0].scale)
      expectClose(one.scores, two.scores, 1e-12)
      expect(Math.abs(one.value - two.value)).toBeLessThan(1e-11 * Math.abs(two.value))
    },
  )

  test("tied with one slot is full", () => {
    const full = bind("full", 3, 1)
    const tied = bind("tied", 3, 1)
    expect(fitted(tied, 3)).toEqual(fitted(full, 3))
  })

  test("a slot keeps its mean, and its matrix is drawn towards what lies within slots, correlations too", () => {
    const d = 3
    const slots = [randomRows(131, 12, d), randomRows(132, 7, d).map(row => row.map(x => x + 50))]
    const columns = columnsFor("full", d)
    const leaf = bind("full", d, 2, 0.5)
    const stats = new Float64Array(leaf.shape.statistics)
    const params = new Float64Array(leaf.shape.parameters)
    const slot = Int32Array.from([...slots[0].map(() => 0), ...slots[1].map(() => 1)])
    const weights: Weights = { form: "one", slot, weight: new Float64Array(19).fill(1) }
    absorb(leaf, blockOf(slots.flat()), params, weights, stats)
    leaf.prior(stats)
    leaf.solve(stats, 0, params)
    // the same by plain loops
    const meanOf = (rows: number[][], j: number) => rows.reduce((sum, row) => sum + row[j], 0) / rows.length
    const scatterOf = (rows: number[][], j: number, k: number) =>
      rows.reduce((sum, row) => sum + (row[j] - meanOf(rows, j)) * (row[k] - meanOf(rows, k)), 0)
    const scatter = (j: number, k: number) => slots.reduce((sum, rows) => sum + scatterOf(rows, j, k), 0)
    const f = 11 + 6
    const v = columns.map(({ variance }, j) => {
      const spreads = slots.map(rows => scatterOf(rows, j, j) / (rows.length - 1))
      const [median, below] = spreads[0] <= spreads[1] ? [spreads[0], 11] : [spreads[1], 6]
      return Math.min((scatter(j, j) + variance) / (f + 1), 4 * (1 + (10 / below) ** 2) * median)
    })
    const loaded = (j: number) => scatter(j, j) * (1 + (d + 5) / f)
    const correlation = (j: number, k: number) =>
      j === k ? 1 : scatter(j, k) / Math.sqrt(loaded(j) * loaded(k))
    const nu = 0.5 * (d + 5)
    slots.forEach((rows, p) => {
      const { mean, cov } = heldMoments(leaf, params, p, columns)
      for (let j = 0; j < d; j++) {
        expect(mean[j]).toBeCloseTo(meanOf(rows, j), 11)
        for (let k = 0; k < d; k++) {
          const within = Math.sqrt(v[j] * v[k]) * correlation(j, k)
          expect(cov[j][k]).toBeCloseTo((scatterOf(rows, j, k) + nu * within) / (rows.length + nu), 9)
        }
      }
    })
  })
})

describe.each(["full", "tied"] as const)("%s at the edge", covariance => {
  const d = 4
  // c3 = c0 + c1, in both slots
  const rows = randomRows(161, 40, d).map(row => [row[0], row[1], row[2], row[0] + row[1]])
  const columns = columnsFor(covariance, d)
  const leaf = bind(covariance, d, 2, 0)
  const params = new Float64Array(leaf.shape.parameters)
  const stats = new Float64Array(leaf.shape.statistics)
  absorb(leaf, blockOf(rows), params, eachWeights(162, 2, 40), stats)
  const held = leaf.solve(stats, 0, params)

  test("every slot of the matrix is counted, and what was settled on is one normal", () => {
    expect(held).toBe(2)
    const moments = new Float64Array(leaf.shape.statistics)
    leaf.moments(params, Float64Array.of(1, 1), moments)
    const again = new Float64Array(leaf.shape.parameters)
    expect(leaf.solve(moments, 0, again)).toBe(0)
    expectClose(again, params, 1e-5)
  })

  test("a ridge of 1e-9 of what lies within slots is all that was added", () => {
    const wide = new Float64Array(leaf.spread!.length)
    leaf.spread!.estimate(stats, wide)
    const added = [0, 2, 9].reduce((sum, at) => sum + wide[at], 0) // columns 0, 1 and 3 of the triangle
    for (let p = 0; p < 2; p++) {
      const { cov } = heldMoments(leaf, params, p, columns)
      const along = [1, 1, 0, -1]
      const spread = cov.reduce(
        (sum, row, j) => sum + along[j] * row.reduce((s, c, k) => s + c * along[k], 0),
        0,
      )
      expect(spread).toBeCloseTo(1e-9 * added, 12)
    }
  })

  test("samples lie where the rows lay", () => {
    const random = dice(163)
    for (const evidence of [
      [Number.NaN, Number.NaN, Number.NaN, Number.NaN],
      [0.3, Number.NaN, Number.NaN, Number.NaN],
      [Number.NaN, Number.NaN, 0.1, 0.2],
    ]) {
      const block = blockOf([evidence])
      leaf.sample(params, 0, block, random)
      const [c3, , c1, c0] = (block.cells as Float64Array[]).map(cells => cells[0])
      expect(Math.abs(c0 + c1 - c3)).toBeLessThan(1e-3)
    }
  })
})

test("a slot of negative mass is held, whatever the others that share its matrix hold", () => {
  const leaf = bind("tied", 2, 3, 0)
  const stats = new Float64Array(leaf.shape.statistics)
  const params = new Float64Array(leaf.shape.parameters)
  leaf.solve(stats, 0, params)
  leaf.moments(params, Float64Array.of(3, 2, -1), stats)
  expect(leaf.solve(stats, 0, params)).toBe(1)
})

describe("what is refused", () => {
  const message = (act: () => unknown) => {
    try {
      act()
    } catch (error) {
      return (error as Error).message
    }
    return "nothing was thrown"
  }
  const adopt = (covariance: Covariance, description: Description) =>
    message(() => {
      const leaf = bind(covariance, 2, 1)
      leaf.adopt(description, 0, 1, new Float64Array(leaf.shape.statistics))
    })

  test("options", () => {
    expect(message(() => normalFamily({ covariance: "round" as Covariance }))).toMatchInlineSnapshot(
      `"normal: covariance is "round". It must be one of "full", "tied", "diag", "spherical" and "identity". Choose one of them, or leave it out."`,
    )
    expect(message(() => normalFamily({ prior: -1 }))).toMatchInlineSnapshot(
      `"normal: prior is -1. It counts pseudo-rows, so it must be a finite number ≥ 0. Give 0 for maximum likelihood, or leave it out for the default."`,
    )
    expect(message(() => normalKind.make({ covarianc: "full" }))).toMatchInlineSnapshot(
      `"normal: there is no option "covarianc". It knows "covariance" and "prior". Did you mean "covariance"?"`,
    )
  })

  test("descriptions", () => {
    const mean = { c0: 0, c1: 1 }
    const rows = (a: number, b: number, c: number, d: number) => ({
      c0: { c0: a, c1: b },
      c1: { c0: c, c1: d },
    })
    expect(adopt("full", undefined as unknown as Description)).toMatchInlineSnapshot(
      `"normal: "mean" of column "c0" is undefined. It must be a finite number. Give the parameters as describe() prints them."`,
    )
    expect(adopt("full", { mean: { c0: 0 }, covariance: rows(1, 0, 0, 1) })).toMatchInlineSnapshot(
      `"normal: "mean" of column "c1" is undefined. It must be a finite number. Give the parameters as describe() prints them."`,
    )
    expect(adopt("full", { mean, covariance: { c0: { c0: 1 } } })).toMatchInlineSnapshot(
      `"normal: "covariance with c0" of column "c1" is undefined. It must be a finite number. Give the parameters as describe() prints them."`,
    )
    expect(adopt("tied", { mean, covariance: rows(1, 0.5, 0.4, 1) })).toMatchInlineSnapshot(
      `"normal: the covariance of "c1" with "c0" is 0.4, and that of "c0" with "c1" is 0.5. A covariance is symmetric. Give the same number in both places."`,
    )
    expect(adopt("full", { mean, covariance: rows(1, 2, 2, 1) })).toMatchInlineSnapshot(
      `"normal: the covariance leaves column "c1" no variance of its own, given the columns before it. A covariance must be positive definite. Give the parameters as describe() prints them, or add a little to the diagonal."`,
    )
    expect(adopt("diag", { mean, variance: { c0: 1, c1: 0 } })).toMatchInlineSnapshot(
      `"normal: "variance" of column "c1" is 0. It must be a finite number above 0. Give the parameters as describe() prints them."`,
    )
    expect(adopt("spherical", { mean, variance: { c0: 1, c1: 2 } })).toMatchInlineSnapshot(
      `"normal: the variance of column "c1" is 2, not 1. A spherical covariance has one variance. Give every column 1, or choose covariance: "diag"."`,
    )
    expect(adopt("identity", { mean, variance: { c0: 1, c1: 2 } })).toMatchInlineSnapshot(
      `"normal: the variance of column "c1" is 2, not 1. An identity covariance has variance 1. Give every column 1, or choose covariance: "diag"."`,
    )
  })
})

test("every specimen makes a family that says what it is", () => {
  for (const { options, cell } of normalKind.specimens) {
    const family = normalKind.make(options)
    expect(normalKind.make(family.options).options).toEqual(family.options)
    expect(Number.isFinite(cell(dice(1), []))).toBe(true)
  }
  expect(normalFamily().options).toEqual({ covariance: "full", prior: 1 })
})

// ── the second opinion: matrices as arrays of rows ─────────────────────────────────────────────────

type Matrix = number[][]

/** Gauss–Jordan with row exchanges: the inverse, and ln |A|. */
function inverse(a: Matrix): { readonly inverse: Matrix; readonly logDet: number } {
  const d = a.length
  const work = a.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))])
  let logDet = 0
  for (let i = 0; i < d; i++) {
    let best = i
    for (let r = i; r < d; r++) if (Math.abs(work[r][i]) > Math.abs(work[best][i])) best = r
    ;[work[i], work[best]] = [work[best], work[i]]
    const pivot = work[i][i]
    logDet += Math.log(Math.abs(pivot))
    work[i] = work[i].map(value => value / pivot)
    for (let r = 0; r < d; r++) {
      if (r === i) continue
      const factor = work[r][i]
      work[r] = work[r].map((value, c) => value - factor * work[i][c])
    }
  }
  return { inverse: work.map(row => row.slice(d)), logDet }
}

function times(a: Matrix, b: Matrix): Matrix {
  return a.map(row => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)))
}

function transpose(a: Matrix): Matrix {
  return a[0].map((_, j) => a.map(row => row[j]))
}

function part(a: Matrix, rows: readonly number[], columns: readonly number[]): Matrix {
  return rows.map(i => columns.map(j => a[i][j]))
}

/** ln of the normal density at x. */
function logDensity(x: readonly number[], mean: readonly number[], covariance: Matrix): number {
  if (x.length === 0) return 0
  const { inverse: precision, logDet } = inverse(covariance)
  const c = x.map((value, j) => [value - mean[j]])
  return -0.5 * (x.length * Math.log(2 * Math.PI) + logDet + times(transpose(c), times(precision, c))[0][0])
}

/** E[x | x_o] and Cov[x | x_o], all columns; NaN is what was not seen. */
function conditional(
  x: readonly number[],
  mean: readonly number[],
  covariance: Matrix,
): { readonly filled: number[]; readonly spread: Matrix } {
  const all = x.map((_, j) => j)
  const o = all.filter(j => !Number.isNaN(x[j]))
  const m = all.filter(j => Number.isNaN(x[j]))
  const spread = all.map(() => all.map(() => 0))
  const filled = [...x]
  if (m.length === 0) return { filled, spread }
  const gain =
    o.length > 0
      ? times(part(covariance, m, o), inverse(part(covariance, o, o)).inverse)
      : m.map(() => [] as number[])
  m.forEach((j, a) => {
    filled[j] = o.reduce((sum, k, b) => sum + gain[a][b] * (x[k] - mean[k]), mean[j])
    m.forEach((k, b) => {
      spread[j][k] = o.reduce((sum, l, c) => sum - gain[a][c] * covariance[l][m[b]], covariance[j][k])
    })
  })
  return { filled, spread }
}

describe("spreads beyond 1e±150, whose squares are no numbers", () => {
  const rolls = dice(3)
  const plain = Array.from({ length: 60 }, (_, i) => ({
    y: i % 2 ? "a" : "b",
    x: (i % 2) + rolls.normal(),
    z: rolls.normal(),
  }))

  test.each(["full", "tied", "diag", "spherical"] as const)(
    "%s: are described themselves, and come back",
    async covariance => {
      const model = classes("y", normal(["x", "z"], { covariance }))
      for (const unit of [1e200, 1e-200]) {
        const rows = plain.map(({ y, x, z }) => ({ y, x: unit * x, z: unit * z }))
        const fitted = await fit(model, rows)
        const described = JSON.parse(JSON.stringify(fitted.describe()))
        const { sd, mean } = described.y.given.a["x, z"]
        expect(Object.values({ ...sd, ...mean }).every(value => Number.isFinite(value) && value !== 0)).toBe(
          true,
        )
        const [there, here] = [fitted.posterior(rows), specify(model, described).posterior(rows)]
        here.probabilities.forEach((p, i) => {
          expect(p).toBeCloseTo(there.probabilities[i], 9)
        })
      }
    },
  )

  test("a correlation is read as a covariance is", () => {
    const both = normal(["x", "z"])
    const by = (correlation: number, other = correlation) => ({
      "x, z": {
        mean: { x: 0, z: 0 },
        sd: { x: 2, z: 3 },
        correlation: { x: { x: 1, z: correlation }, z: { x: other, z: 1 } },
      },
    })
    expect(specify(both, by(0.5)).describe()).toMatchObject({
      "x, z": { covariance: { x: { x: expect.closeTo(4, 12), z: expect.closeTo(3, 12) } } },
    })
    expect(() => specify(both, by(0.5, 0.4))).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: normal: the correlation of "z" with "x" is 0.4, and that of "x" with "z" is 0.5. A correlation is symmetric. Give the same number in both places.]`,
    )
    const unit = normal(["x"], { covariance: "identity" })
    expect(() => specify(unit, { x: { mean: { x: 0 }, sd: { x: 2 } } })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: normal: the variance of column "x" is 4, not 1. An identity covariance has variance 1. Give every column 1, or choose covariance: "diag".]`,
    )
  })
})
