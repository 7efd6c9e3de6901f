/**
 * A count per cell.
 *
 *     ln p(x | λ) = x ln λ − λ − ln x!      s(x) = (1, x, ln x!)      λ = Σwx / n
 *     prior: κ pseudo-rows at the column's pooled mean (Gamma)
 *
 * ln x! tells slots nothing apart; it is summed so that `value` is the log-likelihood.
 */
import type { Column, Family, FamilyKind, Leaf } from "../contract.ts"
import { notNegative } from "../described.ts"
import { exp } from "../kernels/exp.ts"
import { gammaAbove } from "../kernels/incomplete-gamma.ts"
import { log } from "../kernels/log.ts"
import { logFactorial } from "../kernels/log-gamma.ts"
import { known, knownOptions, pseudoRows } from "./options.ts"

export interface PoissonOptions {
  /** Pseudo-rows per slot at prior strength 1. */
  readonly prior?: number
}

export function poisson(options: PoissonOptions = {}): Family<number> {
  return made(known("poisson", options, ["prior"]))
}

function made({ prior = 1 }: PoissonOptions): Family<number> {
  const kappa = pseudoRows("poisson", prior)
  return {
    name: "poisson",
    options: { prior },
    need: { kind: "count" },
    measure: "mass",
    bind: (columns, places, slots) => leaf(columns[0] as CountColumn, places[0], slots, kappa),
  }
}

type CountColumn = Extract<Column, { kind: "count" }>

// stats, slot by slot: n, Σwx, Σw ln x!.   params, slot by slot: ln λ
function leaf(column: CountColumn, place: number, slots: number, kappa: number): Leaf {
  // A column of zeros, or one that is missing everywhere, still has a rate.
  const pooled = column.mean > 0 ? column.mean : 1

  return {
    slots,
    statistics: slots * 3,
    axes: [["slot", 3]],
    parameters: slots,
    free: slots,

    prior(stats, strength = 1) {
      for (let p = 0; p < slots; p++) {
        stats[p * 3] += strength * kappa
        stats[p * 3 + 1] += strength * kappa * pooled
      }
    },

    score(block, params, out) {
      const x = block.cells[place] as Float64Array
      const rows = block.rows
      for (let p = 0; p < slots; p++) {
        const logRate = params[p]
        const rate = exp(logRate)
        for (let i = 0; i < rows; i++) {
          if (x[i] !== x[i]) continue
          // 0 · ln 0 = 0
          out[p * rows + i] += (x[i] === 0 ? 0 : x[i] * logRate) - rate - logFactorial(x[i])
        }
      }
    },

    absorb(block, _params, weights, stats) {
      const x = block.cells[place] as Float64Array
      const rows = block.rows
      for (let i = 0; i < rows; i++) {
        if (x[i] !== x[i]) continue
        const base = logFactorial(x[i])
        if (weights.form === "one") add(stats, weights.slot[i], weights.weight[i], x[i], base)
        else for (let p = 0; p < slots; p++) add(stats, p, weights.values[p * rows + i], x[i], base)
      }
      return false
    },

    solve(stats, params) {
      let held = 0
      for (let p = 0; p < slots; p++) {
        const n = stats[p * 3]
        const rate = n > 0 ? stats[p * 3 + 1] / n : pooled
        if (rate < 0 || n < 0) held++
        params[p] = log(Math.max(rate, 0))
      }
      return held
    },

    moments(params, mass, stats) {
      for (let p = 0; p < slots; p++) {
        const rate = exp(params[p])
        stats[p * 3] += mass[p]
        stats[p * 3 + 1] += mass[p] * rate
        stats[p * 3 + 2] += mass[p] * expectedLogFactorial(rate)
      }
    },

    inside: (stats, slot) => stats[slot * 3] > 0 && stats[slot * 3 + 1] > 1e-9 * pooled * stats[slot * 3],

    value(stats, params) {
      let total = 0
      for (let p = 0; p < slots; p++) {
        const sum = stats[p * 3 + 1]
        total += (sum === 0 ? 0 : sum * params[p]) - stats[p * 3] * exp(params[p]) - stats[p * 3 + 2]
      }
      return total
    },

    mass: (stats, slot) => stats[slot * 3],

    describe: (params, slot) => ({ rate: exp(params[slot]) }),

    adopt(description, slot, mass, stats) {
      const rate = notNegative("poisson", column.name, description, "rate")
      stats[slot * 3] += mass
      stats[slot * 3 + 1] += mass * rate
      stats[slot * 3 + 2] += mass * expectedLogFactorial(rate)
    },

    sample(params, slot, block, dice) {
      const x = block.cells[place] as Float64Array
      if (Number.isNaN(x[0])) x[0] = dice.poisson(exp(params[slot]))
    },

    expect(_block, params, slot, _place, mean, variance) {
      mean.fill(exp(params[slot]))
      variance.fill(exp(params[slot]))
    },

    cdf: (x, mean) => (x < 0 ? 0 : gammaAbove(Math.floor(x) + 1, mean)),

    // ln x! is left out: it is the same in every slot
    linear: (params, slot) => [
      [{ kind: "1" }, -exp(params[slot])],
      [{ kind: "x", column: column.name }, params[slot]],
    ],
  }
}

function add(stats: Float64Array, slot: number, w: number, x: number, base: number): void {
  stats[slot * 3] += w
  stats[slot * 3 + 1] += w * x
  stats[slot * 3 + 2] += w * base
}

/** From here on the series below errs by less than 1e-13. */
const LARGE = 1000
const HALF_LN_2PI_E = 1.4189385332046727

/**
 * E[ln x!] = Σ_x p(x) ln x!, from the mode outwards until the terms vanish; for large λ by the entropy of a count,
 * λ − λ ln λ + E[ln x!] = ½ ln 2πeλ − 1/(12λ) − 1/(24λ²) − 19/(360λ³) − … (Adell, Lekuona & Yu 2010).
 */
function expectedLogFactorial(rate: number): number {
  if (rate >= LARGE) {
    const u = 1 / rate
    return (
      rate * (log(rate) - 1) + HALF_LN_2PI_E + 0.5 * log(rate) - u * (1 / 12 + u * (1 / 24 + (19 / 360) * u))
    )
  }
  const mode = Math.floor(rate)
  const top = exp((mode === 0 ? 0 : mode * log(rate)) - rate - logFactorial(mode))
  let total = top * logFactorial(mode)
  for (let x = mode + 1, p = top; ; x++) {
    p *= rate / x
    const term = p * logFactorial(x)
    total += term
    if (x > 2 && term <= 1e-18 * total) break
  }
  for (let x = mode, p = top; x > 1; x--) {
    p *= x / rate
    const term = p * logFactorial(x - 1)
    total += term
    if (x > 2 && term <= 1e-18 * total) break
  }
  return total
}

export const poissonKind: FamilyKind = {
  name: "poisson",
  make: options => poisson(knownOptions("poisson", options, ["prior"]) as PoissonOptions),
  suits: column =>
    column.integers > 0 &&
    column.integers === column.rows - column.missing &&
    column.smallest === 0 &&
    column.largest <= 100 &&
    column.distinct > 2 &&
    // a Poisson has variance = mean, a mix of a few somewhat more; percentages and ages have ten or twenty times as much
    column.variance <= 3 * column.mean
      ? `whole numbers from 0 to ${column.largest}, their variance near their mean: counts`
      : undefined,
  specimens: [{ options: {}, cell: dice => dice.poisson(4) }],
}
