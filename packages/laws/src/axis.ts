/** Integrals over a support: x = x(u), where u ranges over the whole line, so that every density vanishes at both ends. */

import type { Model } from "suffice"
import type { Support } from "suffice/contract"
import { exp, log } from "./numbers.ts"

export interface Axis {
  into(x: number): number
  out(u: number): number
  /** dx/du. */
  slope(u: number): number
}

const line: Axis = { into: x => x, out: u => u, slope: () => 1 }
const half: Axis = { into: log, out: exp, slope: exp }
const share: Axis = {
  into: x => log(x) - log(1 - x),
  out: u => 1 / (1 + exp(-u)),
  slope: u => exp(-Math.abs(u)) / ((1 + exp(-Math.abs(u))) * (1 + exp(-Math.abs(u)))),
}

export function axisOf(support: Support = "any"): Axis {
  return { any: line, notNegative: half, positive: half, share }[support]
}

/** The support of a numeric column. */
export function supportOf(model: Model, column: string): Support {
  const need = model.uses.find(use => use.column === column)!.need
  return (need.kind === "number" && need.support) || "any"
}

/** A number far from the others, above or below. */
export function farFrom(x: number, above: boolean, support: Support): number {
  if (support === "any") return x * (above ? 1e3 : -1e3) - 1e4
  const axis = axisOf(support)
  return axis.out(axis.into(x) + (above ? 9 : -9))
}
