import { expect, test } from "vitest"
import { classes, dice, fit, gaussian, independent, load } from "../index.ts"
import { calibrate, evaluate } from "../measure.ts"

/** Two columns that say the same: naive Bayes counts the evidence twice and is too sure of itself. */
function rows(seed: number, count: number) {
  const rolls = dice(seed)
  return Array.from({ length: count }, () => {
    const y = rolls.uniform() < 0.5 ? "a" : "b"
    const x = (y === "a" ? 0 : 1) + rolls.normal()
    return { y, x, twin: x + 0.01 * rolls.normal() }
  })
}
const model = classes("y", independent({ x: gaussian(), twin: gaussian() }))

test("calibration on held-out rows brings the temperature of doubled evidence near 2, and the log-loss down", async () => {
  const fitted = await fit(model, rows(1, 600))
  const calibration = calibrate(fitted, rows(2, 600))
  expect(calibration.method === "temperature" && calibration.temperature).toBeCloseTo(2, 0)
  const test = rows(3, 600)
  const calibrated = fitted.calibrated(calibration)
  expect(evaluate(calibrated, test).logLoss).toBeLessThan(evaluate(fitted, test).logLoss)
  expect(evaluate(calibrated, test).accuracy).toBe(evaluate(fitted, test).accuracy)
})

test.each(["temperature", "isotonic"] as const)(
  "a model calibrated by %s saves and loads to the bit",
  async method => {
    const fitted = await fit(model, rows(1, 200))
    const calibrated = fitted.calibrated(calibrate(fitted, rows(2, 200), { method }))
    const text = JSON.stringify(calibrated)
    const loaded = load(text)
    expect(JSON.stringify(loaded)).toBe(text)
    expect(loaded.posterior(rows(3, 50))).toEqual(calibrated.posterior(rows(3, 50)))
    expect(calibrated.posterior(rows(3, 50))).not.toEqual(fitted.posterior(rows(3, 50)))
  },
)

test("a model that is calibrated already is calibrated as if it were not: one map takes the place of the other", async () => {
  const fitted = await fit(model, rows(1, 200))
  const calibrated = fitted.calibrated(calibrate(fitted, rows(2, 200)))
  for (const method of ["temperature", "isotonic"] as const) {
    const found = calibrate(fitted, rows(2, 200), { method })
    expect(calibrate(calibrated, rows(2, 200), { method })).toEqual(found)
    expect(calibrate(calibrated.calibrated(undefined), rows(2, 200), { method })).toEqual(found)
  }
  const once = calibrate(fitted, rows(2, 200))
  const again = calibrated.calibrated(calibrate(calibrated, rows(2, 200)))
  expect(again.posterior(rows(3, 50))).toEqual(fitted.calibrated(once).posterior(rows(3, 50)))
})

test.each([
  [{ temperature: 0 }, "calibration.temperature"],
  [{ temperature: "hot" }, "calibration.temperature"],
  [{ method: "magic" }, "calibration.method"],
  [{ target: "x" }, "calibration.target"],
  [{ method: "isotonic", curves: [[{ x: 0, y: 0.5 }]] }, "calibration.curves"],
  [
    {
      method: "isotonic",
      curves: [
        [
          { x: 1, y: 0.5 },
          { x: 0, y: 0.6 },
        ],
        [{ x: 0, y: 2 }],
      ],
    },
    "calibration.curves[0]",
  ],
])("a file with the calibration %j is refused where it is wrong", async (change, path) => {
  const fitted = await fit(model, rows(1, 60))
  const saved = JSON.parse(
    JSON.stringify(fitted.calibrated({ target: "y", method: "temperature", temperature: 2 })),
  )
  Object.assign(saved.calibration, change)
  expect(() => load(saved)).toThrow(path)
})
