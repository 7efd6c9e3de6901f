/** A regression in the units of the data: described, adopted, as terms. */
import type { Weighted } from "../../contract/leaf.ts"
import type { Description } from "../../contract/report.ts"
import { finite } from "../../described.ts"
import { triangle } from "../../kernels/triangle.ts"
import { byColumn, describedCovariance, encodedCovariance, encodedMeans } from "../normal/columns.ts"
import type { Line } from "./rows.ts"

export function describeLine(line: Line, params: Float64Array, slot: number): Description {
  const { width, given, own, SPREAD, PRECISION, MEAN } = line
  const at = slot * width
  const coefficients = byColumn(given, j => (params[at + 1 + j] * own.scale) / given[j].scale)
  const spread = (j: number, k: number): number =>
    params[at + SPREAD + triangle(Math.max(j, k)) + Math.min(j, k)]
  return {
    intercept: given.reduce(
      (sum, { name, shift }) => sum - coefficients[name] * shift,
      own.shift + own.scale * params[at],
    ),
    coefficients,
    sd: own.scale / Math.sqrt(params[at + PRECISION]),
    on: {
      mean: byColumn(given, j => given[j].shift + given[j].scale * params[at + MEAN + j]),
      ...describedCovariance(given, spread),
    },
  }
}

export function adoptLine(
  line: Line,
  description: Description,
  slot: number,
  mass: number,
  stats: Float64Array,
): void {
  const { width, laid, own, given, PRECISION, MEAN, SPREAD } = line
  const params = new Float64Array(width)
  laid.pool(params, 0)
  const { coefficients, on } = (description ?? {}) as Record<string, Description | undefined>
  let intercept = finite("linear", own.name, description, "intercept") - own.shift
  given.forEach(({ name, shift, scale }, j) => {
    const parameter = `coefficient of ${name}`
    const slope = finite("linear", own.name, { [parameter]: coefficients?.[name] ?? null }, parameter)
    intercept += slope * shift
    params[1 + j] = (slope * scale) / own.scale
  })
  params[0] = intercept / own.scale
  const sd = finite("linear", own.name, description, "sd", 0) / own.scale
  params[PRECISION] = 1 / (sd * sd)
  // x̄ and C are not part of the density and may be omitted
  if (on !== undefined) {
    params.set(encodedMeans(given, on, "linear"), MEAN)
    params.set(encodedCovariance(given, on, "linear"), SPREAD)
  }
  laid.addMoments(params, 0, mass, stats, slot)
}

export function termsOf(line: Line, params: Float64Array, slot: number): Weighted[] {
  const { width, PRECISION, given, own, d, TOP } = line
  // top − ½λ(v·z)², v = (−w, 1)
  const at = slot * width
  const precision = params[at + PRECISION]
  const [intercept] = params.subarray(at, at + 1)
  const names = [...given, own].map(({ name }) => name)
  const v = names.map((_, j) => (j === d ? 1 : -params[at + 1 + j]))
  const top = params[at + TOP] - 0.5 * precision * intercept * intercept
  const terms: Weighted[] = [[{ kind: "1" }, top]]
  names.forEach((column, j) => {
    terms.push([{ kind: "x", column }, precision * intercept * v[j]])
    terms.push([{ kind: "x²", column }, -0.5 * precision * v[j] * v[j]])
    for (let k = 0; k < j; k++)
      terms.push([{ kind: "xy", column, other: names[k] }, -precision * v[j] * v[k]])
  })
  return terms
}
