/** The toy of the slides: blue N(0, 3²), red 0.8·N(−5, 0.1²) + 0.2·N(5, 0.1²), both as frequent; and accuracy by quadrature. */
import { classes, dice, gaussian, independent, mixture } from "suffice"

export function toy(seed: number, rows: number): { colour: string; x: number }[] {
  const roll = dice(seed)
  return Array.from({ length: rows }, () =>
    roll.uniform() < 0.5
      ? { colour: "blue", x: 3 * roll.normal() }
      : { colour: "red", x: (roll.uniform() < 0.8 ? -5 : 5) + 0.1 * roll.normal() },
  )
}

/** One normal per class, and two hidden ones. */
const body = independent({ x: gaussian() })
export const ONE = classes("colour", body)
export const TWO = classes("colour", mixture(2, body))

const STEP = 0.0005
export const grid = Float64Array.from({ length: 64_000 }, (_, i) => -16 + (i + 0.5) * STEP)
export const normalDensity = (x: number, mean: number, sd: number): number =>
  Math.exp(-0.5 * ((x - mean) / sd) ** 2) / (sd * Math.sqrt(2 * Math.PI))
/** p(x, colour)·dx */
export const blue = grid.map(x => 0.5 * normalDensity(x, 0, 3) * STEP)
export const red = grid.map(
  x => 0.5 * (0.8 * normalDensity(x, -5, 0.1) + 0.2 * normalDensity(x, 5, 0.1)) * STEP,
)

/** Of a rule, in per cent. */
export const right = (isBlue: (i: number) => boolean): number =>
  100 * grid.reduce((sum, _, i) => sum + (isBlue(i) ? blue[i] : red[i]), 0)

interface Told {
  posterior(data: { x: Float64Array }): { levels: readonly unknown[]; probabilities: Float64Array }
}

/** Of a fitted model, in per cent. */
export function accuracy(model: Told): number {
  const { levels, probabilities } = model.posterior({ x: grid })
  const at = levels.indexOf("blue")
  return right(i => probabilities[2 * i + at] > 0.5)
}
