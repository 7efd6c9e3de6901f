/** Random networks against enumeration, in patterns of missing cells of all kinds. LAWS=all tries many more. */
import { describe, expect, test } from "vitest"
import type { Model } from "../../contract/model.ts"
import { specify } from "../../fit/specify.ts"
import { mixture } from "../classes.ts"
import { type Known, type World, type WorldRow, worldOf } from "./testing/worlds.ts"

const SEEDS = process.env.LAWS === "all" ? 500 : 16
const away = (a: number, b: number): number => Math.abs(a - b) / Math.max(Math.abs(b), 1)

/** Rows with every pattern of missing cells; of large networks with a part of the patterns, another with each seed. */
function rowsOf(world: World, seed: number): WorldRow[] {
  const all = Array.from({ length: 2 ** world.nodes.length }, (_, pattern) => pattern)
  const stride = Math.ceil(all.length / 16)
  return all
    .filter(pattern => pattern % stride === seed % stride)
    .map(pattern => world.row(j => (pattern & (1 << j)) !== 0))
}

/** The largest differences between a model and what `known` says of its rows. */
function differences(
  world: World,
  model: Model,
  description: object,
  known: (row: WorldRow) => Known,
  rows: readonly WorldRow[],
) {
  const fitted = specify(model, description as never)
  const most = { density: 0, posterior: 0, mean: 0, variance: 0, numbers: 0 }
  fitted.logDensity(rows as never).forEach((density: number, i: number) => {
    most.density = Math.max(most.density, away(density, Math.log(known(rows[i]).density)))
  })
  world.nodes.forEach(({ name, levels }, v) => {
    const without = rows.map(row => ({ ...row, [name]: null }))
    if (levels === 0) {
      const answers = fitted.predict(without as never, { target: name as never }) as unknown[]
      without.forEach((row, i) => {
        const { means, variances } = known(row)
        const { value, sd } = answers[i] as { value: number; sd: number }
        most.mean = Math.max(most.mean, away(value, means[v]))
        most.variance = Math.max(most.variance, away(sd * sd, variances[v]))
        most.numbers++
      })
      return
    }
    const { probabilities } = fitted.posterior(without as never, { target: name as never })
    without.forEach((row, i) => {
      const joint = Array.from({ length: levels }, (_, l) => known({ ...row, [name]: l }).density)
      const sum = joint.reduce((a, b) => a + b)
      joint.forEach((p, l) => {
        most.posterior = Math.max(most.posterior, Math.abs(probabilities[i * levels + l] - p / sum))
      })
    })
  })
  return most
}

function expectEqual(most: ReturnType<typeof differences>): void {
  expect(most.density).toBeLessThan(1e-12)
  expect(most.posterior).toBeLessThan(1e-12)
  expect(most.mean).toBeLessThan(1e-11)
  expect(most.variance).toBeLessThan(1e-11)
}

describe("a random network of up to eight columns", () => {
  test("sums out levels and integrates out numbers as enumeration does", () => {
    let cases = 0
    let numbers = 0
    for (let seed = 1; seed <= SEEDS; seed++) {
      const world = worldOf(seed)
      const rows = rowsOf(world, seed)
      const most = differences(world, world.model, world.description, world.known, rows)
      expectEqual(most)
      cases += rows.length
      numbers += most.numbers
    }
    expect(cases).toBeGreaterThan(8 * SEEDS)
    expect(numbers).toBeGreaterThan(8 * SEEDS)
  })

  test("does so in every context", () => {
    for (let seed = 1; seed <= SEEDS; seed += 4) {
      const worlds = [worldOf(seed), worldOf(seed, 1)]
      const shares = [0.3, 0.7]
      const known = (row: WorldRow): Known => {
        const each = worlds.map(world => world.known(row))
        const density = each.reduce((sum, own, k) => sum + shares[k] * own.density, 0)
        const over = (value: (own: Known) => number): number =>
          each.reduce((sum, own, k) => sum + (shares[k] * own.density * value(own)) / density, 0)
        const means = each[0].means.map((_, v) => over(own => own.means[v]))
        const variances = means.map(
          (mean, v) => over(own => own.variances[v] + own.means[v] ** 2) - mean ** 2,
        )
        return { density, means, variances }
      }
      const model = mixture(2, worlds[0].model, { name: "h" }) as Model
      const description = {
        h: {
          probabilities: { 0: shares[0], 1: shares[1] },
          given: { 0: worlds[0].description, 1: worlds[1].description },
        },
      }
      expectEqual(differences(worlds[0], model, description, known, rowsOf(worlds[0], seed)))
    }
  })
})
