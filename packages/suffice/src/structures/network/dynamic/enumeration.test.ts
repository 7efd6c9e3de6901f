/** Random networks over steps against enumeration, with missing cells of all kinds. LAWS=all tries many more. */
import { describe, expect, test } from "vitest"
import type { Model } from "../../../contract/model.ts"
import { specify } from "../../../fit/specify.ts"
import { mixture } from "../../classes.ts"
import { type Step, templateOf } from "./testing/templates.ts"

const SEEDS = process.env.LAWS === "all" ? 400 : 40
const away = (a: number, b: number): number => Math.abs(a - b) / Math.max(Math.abs(b), 1)

interface Answers {
  value: number
  sd: number
  probabilities: Record<string, number>
}

describe("a random network over steps", () => {
  test("sums out levels and integrates out numbers as enumeration does", () => {
    let cases = 0
    for (let seed = 1; seed <= SEEDS; seed++) {
      const world = templateOf(seed)
      const fitted = specify(world.model, world.description as never)
      const rows = [1, 2, 3, 4].map((count, j) => world.steps(count, [0, 0.3, 0.5, 0.8][(seed + j) % 4]))
      const densities = fitted.logDensity(rows.map(days => ({ days })) as never) as Float64Array
      rows.forEach((days, i) => {
        expect(away(densities[i], Math.log(world.known(days).density)), `seed ${seed}`).toBeLessThan(1e-12)
        cases++
      })
      world.nodes.forEach(({ name, levels, isHidden }, v) => {
        const without = rows.map(days =>
          days.map((step): Step => (isHidden ? step : { ...step, [name]: null })),
        )
        const answers = fitted.predict(without.map(days => ({ days })) as never, {
          target: name as never,
        }) as unknown as Answers[][]
        without.forEach((days, i) => {
          const { density, means, variances } = world.known(days)
          if (levels > 0) {
            const shares = days.map(() => new Float64Array(levels))
            world.visit(days, (values, share) => {
              for (let t = 0; t < days.length; t++) shares[t][values[t][v]] += share
            })
            shares.forEach((own, t) => {
              own.forEach((share, l) => {
                const said = answers[i][t].probabilities[String(l)]
                expect(Math.abs(said - share / density), `seed ${seed} ${name}`).toBeLessThan(1e-12)
              })
            })
            return
          }
          days.forEach((_, t) => {
            expect(away(answers[i][t].value, means[t][v]), `seed ${seed} ${name}`).toBeLessThan(1e-11)
            expect(away(answers[i][t].sd ** 2, variances[t][v]), `seed ${seed}`).toBeLessThan(1e-11)
          })
        })
      })
    }
    expect(cases).toBe(4 * SEEDS)
  })

  test("does so in every context", () => {
    for (let seed = 1; seed <= SEEDS; seed += 4) {
      const worlds = [templateOf(seed), templateOf(seed, 1)]
      const shares = [0.3, 0.7]
      const model = mixture(2, worlds[0].model, { name: "h" }) as Model
      const fitted = specify(model, {
        h: {
          probabilities: { 0: shares[0], 1: shares[1] },
          given: { 0: worlds[0].description, 1: worlds[1].description },
        },
      } as never)
      const rows = [2, 3].map(count => worlds[0].steps(count, 0.4))
      const densities = fitted.logDensity(rows.map(days => ({ days })) as never) as Float64Array
      rows.forEach((days, i) => {
        const each = worlds.map((world, k) => shares[k] * world.known(days).density)
        expect(away(densities[i], Math.log(each[0] + each[1]))).toBeLessThan(1e-12)
      })
    }
  })

  test("is drawn, given what is seen, as often as enumeration says", () => {
    const draws = 3000
    for (const seed of [3, 8, 11]) {
      const world = templateOf(seed, 0, false)
      const days = world.steps(4, 0.6)
      const seen = world.nodes.flatMap(({ isHidden }, v) => (isHidden ? [] : [v]))
      // of each missing cell, and of each pair of them in neighbouring steps
      const expected = new Map<string, number>()
      const counted = new Map<string, number>()
      const tell = (to: Map<string, number>, value: (t: number, v: number) => number, share: number) => {
        const add = (key: string) => void to.set(key, (to.get(key) ?? 0) + share)
        for (let t = 0; t < days.length; t++)
          for (const v of seen) {
            add(`${t}.${v}=${value(t, v)}`)
            for (const u of t > 0 ? seen : []) add(`${t}.${v}=${value(t, v)}, ${u}=${value(t - 1, u)}`)
          }
      }
      const { density } = world.known(days)
      world.visit(days, (values, share) => tell(expected, (t, v) => values[t][v], share / density))
      const fitted = specify(world.model, world.description as never)
      const rows = fitted.sample(draws, { given: { days }, seed: 5 } as never) as unknown as {
        days: Step[]
      }[]
      for (const row of rows) tell(counted, (t, v) => row.days[t][world.nodes[v].name]!, 1 / draws)
      for (const key of counted.keys()) expect(expected.get(key) ?? 0, key).toBeGreaterThan(0)
      for (const [key, p] of expected) {
        const error = Math.sqrt(Math.max(p * (1 - p), 0) / draws)
        expect(Math.abs((counted.get(key) ?? 0) - p), key).toBeLessThan(4.5 * error + 1e-9)
      }
    }
  })
})
