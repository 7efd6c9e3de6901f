import { classes, dice, fit, gaussian, independent, mixture, normal } from "suffice"
import { expect, test } from "vitest"
import { componentsAnswer } from "./components.ts"
import type { LooseFitted } from "./loose.ts"

const die = dice(5)
const rows = Array.from({ length: 200 }, (_, i) => {
  const far = i % 2
  const x = die.normal()
  // one group rises, the other falls
  return { kind: "ab"[far], x: 20 * far + x, y: (far ? -3 : 2) * x + die.normal() }
})
const columns = { x: rows.map(({ x }) => x), y: rows.map(({ y }) => y) }

test("the outline of a component lies two standard deviations from its mean, along its correlation", async () => {
  const fitted = await fit(mixture(2, normal(["x", "y"]), { name: "group" }), rows)
  const { picture, each, title } = componentsAnswer(fitted as never as LooseFitted, columns)!
  expect(title).toBe("2 components")
  expect(each.map(({ name }) => name)).toEqual(["group 0", "group 1"])
  const { given } = fitted.describe().group as never as {
    given: Record<
      string,
      Record<string, { mean: { x: number; y: number }; covariance: Record<string, Record<string, number>> }>
    >
  }
  expect([picture!.x, picture!.y]).toEqual(["x", "y"])
  expect(picture!.points).toHaveLength(200)
  for (const { group, points } of picture!.outlines) {
    const [{ mean, covariance: c }] = Object.values(given[group])
    expect(Math.abs(c.x.y)).toBeGreaterThan(1)
    const determinant = c.x.x * c.y.y - c.x.y * c.x.y
    for (const point of points) {
      const [u, v] = [point.x - mean.x, point.y - mean.y]
      // (p − μ)ᵀ Σ⁻¹ (p − μ) = 2²
      expect((c.y.y * u * u - 2 * c.x.y * u * v + c.x.x * v * v) / determinant).toBeCloseTo(4, 6)
    }
  }
})

test("below a label, components are named with it and drawn for nobody", async () => {
  const model = classes("kind", mixture(2, independent({ x: gaussian(), y: gaussian() })))
  const found = componentsAnswer((await fit(model, rows)) as never as LooseFitted, columns)!
  expect(found.title).toBe("2 components of kind = a")
  expect(found.picture).toBeUndefined()
})
