import { describe, expect, test } from "vitest"
import { classes, dice, fit, gaussian, independent, load, multinomial } from "../index.ts"
import { sdem } from "../learn.ts"
import { evaluate } from "../measure.ts"

const LEVELS = [..."abcdefghijklmnop"]

/** Classes that overlap: no model can be sure. */
function drawn(count: number, seed: number) {
  const rolls = dice(seed)
  return Array.from({ length: count }, () => {
    const y = rolls.integer(LEVELS.length)
    const word = (): string => `w${y + rolls.integer(6)}${rolls.integer(3)}`
    return { y: LEVELS[y], x: y + 0.8 * rolls.normal(), t: Array.from({ length: 12 }, word) }
  })
}

const model = classes("y", independent({ t: multinomial() }))
const numbers = classes("y", independent({ x: gaussian() }))
const rows = drawn(600, 1)
const fresh = drawn(2000, 2)
const temperatureOf = (fitted: object): number | undefined =>
  JSON.parse(JSON.stringify(fitted)).calibration?.temperature

describe("the temperature of hinge", () => {
  test("brings its probabilities to what happens, on rows it has not seen, and changes no prediction", async () => {
    const fitted = await fit(model, rows, { learner: sdem({ loss: "hinge" }) })
    const raw = await fit(model, rows, { learner: sdem({ loss: "hinge", calibrate: false }) })
    const [found, before] = [evaluate(fitted, fresh), evaluate(raw, fresh)]
    expect(found.logLoss).toBeLessThan(before.logLoss - 0.05)
    expect(before.ece).toBeGreaterThan(0.1)
    expect(found.ece).toBeLessThan(0.5 * before.ece)
    expect(fitted.labels(fresh)).toEqual(raw.labels(fresh))
    expect(temperatureOf(raw)).toBeUndefined()
    // p^(1/T), made to add up to 1 again
    const temperature = temperatureOf(fitted)!
    const ask = fresh.slice(0, 1)
    const [sharp, plain] = [fitted, raw].map(model => [...model.posterior(ask).probabilities])
    const powers = plain.map(p => p ** (1 / temperature))
    const sum = powers.reduce((total, power) => total + power, 0)
    sharp.forEach((p, l) => {
      expect(p).toBeCloseTo(powers[l] / sum, 12)
    })
    expect([...fitted.calibrated(undefined).posterior(ask).probabilities]).toEqual(plain)
  })

  test("is close to the one of least log-loss on fresh rows", async () => {
    const fitted = await fit(model, rows, { learner: sdem({ loss: "hinge" }) })
    const chosen = temperatureOf(fitted)!
    const lossAt = (temperature: number) =>
      evaluate(fitted.calibrated({ target: "y", method: "temperature", temperature }), fresh).logLoss
    const best = Math.min(...Array.from({ length: 40 }, (_, i) => lossAt(0.1 * 1.1 ** i)))
    expect(lossAt(chosen)).toBeLessThan(best + 0.01)
  })

  test("is chosen for hinge unless that is refused, for ncll where that is asked for", async () => {
    expect(temperatureOf(await fit(model, rows, { learner: sdem() }))).toBeUndefined()
    expect(temperatureOf(await fit(model, rows, { learner: sdem({ calibrate: true }) }))).toBeGreaterThan(0)
    expect(sdem({ loss: "hinge" }).options.calibrate).toBe(true)
    expect(sdem().options.calibrate).toBe(false)
  })

  test("survives saving, and is the same from a source and after every checkpoint", async () => {
    const learner = sdem({ loss: "hinge", epochs: 3 })
    const written: Uint8Array[] = []
    const checkpoint = { read: () => undefined, write: (bytes: Uint8Array) => void written.push(bytes) }
    const fitted = await fit(model, rows, { learner, checkpoint })
    const json = JSON.stringify(fitted)
    expect(temperatureOf(fitted)).toBeGreaterThan(0)
    expect(JSON.stringify(load(json))).toBe(json)
    expect(load(json).posterior(fresh as never)).toEqual(fitted.posterior(fresh))
    const source = {
      async *[Symbol.asyncIterator]() {
        yield rows.slice(0, 100)
        yield rows.slice(100)
      },
    }
    expect(JSON.stringify(await fit(model, source, { learner }))).toBe(json)
    expect(written.length).toBe(3)
    for (const bytes of written) {
      const resumed = { read: () => bytes, write: () => {} }
      expect(JSON.stringify(await fit(model, rows, { learner, checkpoint: resumed }))).toBe(json)
    }
  })

  test("is not that of a part: the model is learned from all rows", async () => {
    const statisticsOf = (fitted: object): unknown => JSON.parse(JSON.stringify(fitted)).statistics
    const fitted = await fit(model, rows, { learner: sdem({ loss: "hinge", epochs: 2 }) })
    const raw = await fit(model, rows, { learner: sdem({ loss: "hinge", epochs: 2, calibrate: false }) })
    expect(temperatureOf(fitted)).toBeGreaterThan(0)
    expect(statisticsOf(fitted)).toBe(statisticsOf(raw))
  })

  test("rows that are all told apart leave some doubt", async () => {
    const apart = rows.slice(0, 60).map((_, i) => ({ y: LEVELS[i % 3], x: 10 * (i % 3) }))
    const fitted = await fit(numbers, apart, { learner: sdem({ loss: "hinge" }) })
    const [first] = fitted.posterior([{ x: 0 }]).probabilities
    expect(first).toBeGreaterThan(0.9)
    expect(first).toBeLessThan(0.999)
  })

  test("needs rows that can be asked: not a few, not a stream, not an update", async () => {
    const learner = sdem({ loss: "hinge", epochs: 2 })
    expect(temperatureOf(await fit(model, rows.slice(0, 11), { learner }))).toBeUndefined()
    async function* stream() {
      yield rows
    }
    expect(temperatureOf(await fit(model, stream(), { learner }))).toBeUndefined()
    const fitted = await fit(model, rows, { learner })
    const updated = await fitted.update(fresh, { learner })
    expect(temperatureOf(updated)).toBeUndefined()
    expect(updated.diagnostics.map(({ code }) => code)).toContain("calibration-dropped")
  })

  test("goes by the weight of the rows", async () => {
    const learner = sdem({ loss: "hinge", epochs: 2 })
    const temperature = async (weight: number, turn: number) => {
      const odd = rows.map((row, i) =>
        i % 3
          ? { ...row, w: 1 }
          : { ...row, w: weight, y: LEVELS[(LEVELS.indexOf(row.y) + turn) % LEVELS.length] },
      )
      return temperatureOf(await fit(model, odd, { learner, weight: "w" }))
    }
    const [once, again] = [await temperature(0, 1), await temperature(0, 2)]
    expect(once).toBeGreaterThan(0)
    expect(again).toBe(once)
    expect(await temperature(1, 1)).not.toBe(once)
  })

  test("a number has none", async () => {
    const learner = sdem({ target: "x", calibrate: true })
    await expect(fit(numbers, rows, { learner })).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: sdem: calibrate is true, but "x" is a number. Only probabilities of levels are calibrated. Leave calibrate out, or name a target with levels.]`,
    )
    expect(() => sdem({ calibrate: 1 as never })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: sdem: calibrate is 1. It must be true or false. Leave it out for the default.]`,
    )
  })
})
