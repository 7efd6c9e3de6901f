import { describe, expect, test } from "vitest"
import { classes, dice, fit, normal } from "../../index.ts"
import { scoreDense, scoreLines } from "../../kernels/dense-scores.ts"
import { layout as layOut } from "./layout.ts"
import { drawLines, hasLines } from "./lines.ts"

const columns = ["x", "y", "z"].map(name => ({
  kind: "number" as const,
  name,
  shift: 0,
  scale: 1,
  variance: 1,
}))

describe("lines", () => {
  test("differ between slots as distances do, whatever the row", () => {
    const random = dice(8)
    const layout = layOut(columns, [0, 1, 2], 4, 4)
    const params = new Float64Array(layout.parameters)
    for (let p = 0; p < 4; p++) for (let j = 0; j < 3; j++) params[layout.meanAt(p) + j] = random.normal()
    params.set([0.8, 0.3, 1.2, -0.4, 0.2, 0.9], layout.inverseAt(0))
    drawLines(layout, params)
    expect(hasLines(layout, params)).toBe(true)
    const x = columns.map(() => Float64Array.from({ length: 5 }, () => 3 * random.normal()))
    const [near, far] = [new Float64Array(20), new Float64Array(20)]
    scoreLines(x, 5, 3, 4, params, layout.linesAt + 1, near)
    scoreDense(x, 5, 3, 4, 4, params, far)
    for (let p = 1; p < 4; p++) {
      for (let i = 0; i < 5; i++) expect(near[5 * p + i] - near[i]).toBeCloseTo(far[5 * p + i] - far[i], 12)
    }
  })

  const rows = (noise: number) => {
    const random = dice(3)
    return Array.from({ length: 300 }, (_, i) => {
      const x = random.normal() + (i % 3)
      return { label: "abc"[i % 3], x, y: x + noise * (random.normal() + (i % 2)) }
    })
  }
  const model = classes("label", normal(["x", "y"], { covariance: "tied" }))

  test.each([1, 1e-7])("give the posterior that densities give, at noise %d", async noise => {
    const data = rows(noise)
    const fitted = await fit(model, data)
    const { levels, logs } = fitted.posterior(data)
    data.slice(0, 40).forEach((row, i) => {
      const joint = levels.map(label => fitted.logDensity([{ ...row, label }])[0])
      for (let l = 1; l < 3; l++) {
        expect(logs[3 * i + l] - logs[3 * i]).toBeCloseTo(joint[l] - joint[0], noise < 1 ? 7 : 11)
      }
    })
  })

  test("tell rows apart that are so far away that their distances are all the same", async () => {
    const fitted = await fit(model, rows(1))
    const far = [{ x: 1e17, y: 1e17 }]
    const { logs } = fitted.posterior(far)
    expect(new Set(logs).size).toBe(3)
    expect(fitted.labels(far)).toEqual(["c"])
  })

  test("are not used where they are too steep to be exact", () => {
    const layout = layOut(columns.slice(0, 2), [0, 1], 2, 2)
    const params = new Float64Array(layout.parameters)
    params.set([1, -1, -1, 1])
    params.set([1, -1e4, 1e4], layout.inverseAt(0))
    drawLines(layout, params)
    expect(hasLines(layout, params)).toBe(false)
  })
})
