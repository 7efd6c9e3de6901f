/** The components of a mixture for people, and a picture of two of its columns. */
import type { Columns, Row } from "suffice"
import { type Component, componentsOf, type DescribedSwitch } from "suffice/describe"
import type { Card, ComponentAnswer, PictureAnswer } from "./answers.ts"
import { isSwitch, linesOf } from "./described.ts"
import { many } from "./format.ts"
import type { LooseFitted } from "./loose.ts"
import { rowsOf } from "./tabular.ts"

const POINTS = 1500

/** The outermost mixture of the model, if it has one. */
export function mixtureOf(fitted: LooseFitted): DescribedSwitch | undefined {
  const labels = new Set(fitted.model.uses.filter(use => use.role === "label").map(use => use.column))
  return fitted
    .parts()
    .filter(isSwitch)
    .find(({ name }) => !labels.has(name))
}

/** `data`: rows to plot, if the mixture is the whole model. */
export function componentsAnswer(fitted: LooseFitted, data: Columns | undefined): Card["components"] {
  const found = mixtureOf(fitted)
  if (!found) return undefined
  const components = componentsOf(fitted.parts(), found.name)
  const within = found.above.map(one => `${one.name} = ${one.level}`).join(", ")
  const each = components.map(
    (one): ComponentAnswer => ({
      name: `${found.name.startsWith("mixture(") ? "component" : found.name} ${one.level}`,
      share: one.probability,
      parts: one.parts.flatMap(linesOf),
    }),
  )
  const picture =
    data && found.above.length === 0
      ? pictureOf(fitted, found.name, components, rowsOf(data, 0, POINTS))
      : undefined
  return {
    title: within === "" ? many(each.length, "component") : `${many(each.length, "component")} of ${within}`,
    each,
    ...(picture && { picture }),
  }
}

/** The two columns whose means are furthest apart, relative to their spread. */
function pictureOf(
  fitted: LooseFitted,
  name: string,
  components: readonly Component[],
  rows: readonly Row[],
): PictureAnswer | undefined {
  const columns = [...(components[0]?.means.keys() ?? [])]
  const apart = (column: string): number => {
    const means = components.map(one => one.means.get(column) ?? 0)
    const spread =
      components.reduce((sum, one) => sum + (one.deviations.get(column) ?? 0), 0) / components.length
    return (Math.max(...means) - Math.min(...means)) / spread
  }
  const [x, y] = columns
    .map(column => ({ column, by: apart(column) }))
    .sort((a, b) => b.by - a.by)
    .map(one => one.column)
  if (x === undefined || y === undefined) return undefined
  const whole = rows.filter(row => typeof row[x] === "number" && typeof row[y] === "number")
  if (whole.length === 0) return undefined
  const chances = fitted.responsibilities(whole, { of: name as `mixture(${string})` })
  const k = components.length
  const points = whole.map((row, i) => {
    let group = 0
    for (let c = 1; c < k; c++) if (chances[i * k + c] > chances[i * k + group]) group = c
    return { x: row[x] as number, y: row[y] as number, group }
  })
  return { x, y, points, outlines: components.map((one, group) => ({ group, points: outline(one, x, y) })) }
}

/** Two standard deviations around the mean: x = μ + 2 L (cos t, sin t), L Lᵀ = Σ. */
function outline(
  { means, deviations, covariances }: Component,
  x: string,
  y: string,
): { x: number; y: number }[] {
  const [sx, sy] = [deviations.get(x)!, deviations.get(y)!]
  const slope = sx > 0 ? (covariances.get(`${x}\u0000${y}`) ?? 0) / sx : 0
  const rest = Math.sqrt(Math.max(sy * sy - slope * slope, 0))
  return Array.from({ length: 61 }, (_, i) => {
    const [c, s] = [2 * Math.cos((i * Math.PI) / 30), 2 * Math.sin((i * Math.PI) / 30)]
    return { x: means.get(x)! + sx * c, y: means.get(y)! + slope * c + rest * s }
  })
}
