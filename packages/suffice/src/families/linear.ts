/**
 * One real number per row, given others: linear regression.
 *
 *     ln p(y | x) = −½ ln 2πσ² − (y − w·(1, x))² / 2σ²
 *     s(x, y) = (1, x, y)(1, x, y)ᵀ      w = least squares      σ² = mean squared residual
 *     prior: κ pseudo-rows at the pooled means with the diagonal of the pooled variances (normal-inverse-gamma)
 *
 * With x̄, ȳ the means, C = Σwxxᵀ/n − x̄x̄ᵀ and c = Σwxy/n − x̄ȳ:  β = C⁻¹c,  w = (ȳ − β·x̄, β),  σ² = var y − β·c.
 * The density is that of y: x̄ and C are no part of it, but θ keeps them, so that there is a way back to the statistics.
 *
 *     y missing: E[s | x] = s(x, ŷ) with σ² added to y²      x missing: only where y is too; then the row says nothing
 *
 * Cells are held as (x − shift)/scale; the density is that of y in its own units.
 */
import type { Block, Description, Family, FamilyKind, Leaf, Weighted } from "../contract.ts"
import { finite } from "../described.ts"
import { SufficeError, show, unreadable } from "../errors.ts"
import { log } from "../kernels/log.ts"
import { normalBelow } from "../kernels/normal-cdf.ts"
import { solveLower, solveUpper, triangle } from "../kernels/triangle.ts"
import {
  byColumn,
  FLOOR,
  heldCovariance,
  heldMeans,
  LN_2PI,
  type NumberColumn,
  pooledVariances,
} from "./normal/columns.ts"
import { addRidge, factorWithRidge } from "./normal/ridge.ts"
import { knownOptions, pseudoRows } from "./options.ts"

export interface LinearLeafOptions {
  /** Pseudo-rows per slot at prior strength 1; 0 is least squares. */
  readonly prior?: number
}

/** The family behind `linear(column, on, options)`. */
export function linearFamily(on: readonly string[], { prior = 1 }: LinearLeafOptions = {}): Family<number> {
  const kappa = pseudoRows("linear", prior)
  const reads = checked(on).slice()
  return {
    name: "linear",
    options: { on: reads, prior },
    need: { kind: "number", scale: "own" },
    measure: "density",
    reads,
    bind(columns, places, slots) {
      const [{ name }, ...given] = columns as NumberColumn[]
      if (given.length !== reads.length || reads.includes(name)) throw notItself(name)
      return leaf(columns as NumberColumn[], places, slots, kappa)
    },
  }
}

function checked(on: readonly string[]): readonly string[] {
  const fine = Array.isArray(on) && on.length > 0 && on.every(name => typeof name === "string")
  if (fine && new Set(on).size === on.length) return on
  const twice = fine && on.find((name, j) => on.indexOf(name) !== j)
  throw new SufficeError(
    "model",
    twice
      ? `linear: column ${show(twice)} is read twice. Its two coefficients could not be told apart. Name it once.`
      : `linear: the columns to read are ${show(on)}. It takes a list of column names, at least one. Write for example linear("y", ["x"]), or gaussian() for a column that depends on none.`,
  )
}

/** One column, and not one of those it reads. */
export function notItself(column: string): SufficeError {
  return new SufficeError(
    "model",
    `linear: column ${show(column)} stands where one column is given others. A column says everything of itself. Name one column, and read others.`,
    { column },
  )
}

/** Steps of stochastic learners keep residual variances above this part of the column's pooled variance. */
const CLEAR = 1e-4

// stats, slot by slot: Σw zzᵀ, z = (1, x, y), a packed triangle.
// params, slot by slot: w (1 + d), 1/σ², ln of the density at ŷ, x̄ (d), C (a packed triangle)
function leaf(
  columns: readonly NumberColumn[],
  places: readonly number[],
  slots: number,
  kappa: number,
): Leaf {
  const [own, ...given] = columns
  const d = given.length
  const last = d + 1 // where y stands in z
  const size = triangle(d + 2)
  const width = d + 3 + d + triangle(d)
  const [PRECISION, TOP, MEAN, SPREAD] = [d + 1, d + 2, d + 3, d + 3 + d]
  const pooled = pooledVariances(columns)
  const floor = FLOOR * pooled[0]
  const spreads = pooled.subarray(1)
  const logScale = log(own.scale)
  const factor = new Float64Array(triangle(d))
  const beta = new Float64Array(d)
  const z = new Float64Array(d + 2).fill(1)
  const trial = new Float64Array(slots * width)
  const x: Float64Array[] = []

  const cellsOf = (block: Block, j: number): Float64Array => block.cells[places[j]] as Float64Array

  function openCells(block: Block): Float64Array {
    for (let j = 0; j < d; j++) x[j] = cellsOf(block, j + 1)
    return cellsOf(block, 0)
  }

  /** ŷ of row i; NaN where a column it reads is missing. */
  function guess(params: Float64Array, at: number, i: number): number {
    let sum = params[at]
    for (let j = 0; j < d; j++) sum += params[at + 1 + j] * x[j][i]
    return sum
  }

  /** θ of one slot; true if it had to be held at the edge of the domain. */
  function solveSlot(stats: Float64Array, slot: number, params: Float64Array): boolean {
    const from = slot * size
    const to = slot * width
    const n = stats[from]
    if (!(n > 0)) return pool(params, to, n < 0)
    const row = from + triangle(last)
    const mean = stats[row] / n
    for (let j = 0; j < d; j++) {
      const xRow = from + triangle(j + 1)
      params[to + MEAN + j] = stats[xRow] / n
      for (let k = 0; k <= j; k++) {
        params[to + SPREAD + triangle(j) + k] =
          stats[xRow + 1 + k] / n - params[to + MEAN + j] * params[to + MEAN + k]
      }
      beta[j] = stats[row + 1 + j] / n - params[to + MEAN + j] * mean
    }
    let variance = stats[row + last] / n - mean * mean
    const ridge = factorWithRidge(params, to + SPREAD, d, spreads, factor, 0)
    if (ridge === Infinity) return pool(params, to, true)
    addRidge(params, to + SPREAD, d, spreads, ridge)
    // var y − β·c, β = (C + ridge)⁻¹ c: with c = L a, β·c = |a|²
    solveLower(factor, 0, d, beta, 0)
    for (let j = 0; j < d; j++) variance -= beta[j] * beta[j]
    solveUpper(factor, 0, d, beta, 0)
    let intercept = mean
    for (let j = 0; j < d; j++) {
      variance -= ridge * spreads[j] * beta[j] * beta[j]
      intercept -= beta[j] * params[to + MEAN + j]
      params[to + 1 + j] = beta[j]
    }
    params[to] = intercept
    put(params, to, Math.max(variance, floor))
    return ridge > 0 || !(variance >= floor)
  }

  function put(params: Float64Array, to: number, variance: number): void {
    params[to + PRECISION] = 1 / variance
    params[to + TOP] = -0.5 * (LN_2PI + log(variance)) - logScale
  }

  /** Nothing depends on anything. */
  function pool(params: Float64Array, to: number, held: boolean): boolean {
    params.fill(0, to, to + width)
    addRidge(params, to + SPREAD, d, spreads, 1)
    put(params, to, pooled[0])
    return held
  }

  /** stats of a slot += mass · E[zzᵀ | θ] */
  function addMoments(
    params: Float64Array,
    to: number,
    mass: number,
    stats: Float64Array,
    slot: number,
  ): void {
    const from = slot * size
    const row = from + triangle(last)
    let mean = params[to] // of y
    for (let j = 0; j < d; j++) mean += params[to + 1 + j] * params[to + MEAN + j]
    let square = 1 / params[to + PRECISION] + mean * mean
    stats[from] += mass
    for (let j = 0; j < d; j++) {
      const xRow = from + triangle(j + 1)
      let along = 0 // (Cβ)_j
      stats[xRow] += mass * params[to + MEAN + j]
      for (let k = 0; k < d; k++) {
        const c = params[to + SPREAD + (k <= j ? triangle(j) + k : triangle(k) + j)]
        along += c * params[to + 1 + k]
        if (k <= j) stats[xRow + 1 + k] += mass * (c + params[to + MEAN + j] * params[to + MEAN + k])
      }
      stats[row + 1 + j] += mass * (along + params[to + MEAN + j] * mean)
      square += params[to + 1 + j] * along
    }
    stats[row] += mass * mean
    stats[row + last] += mass * square
  }

  /** stats of a slot += w E[zzᵀ], z holding x already. */
  function add(stats: Float64Array, slot: number, w: number, spread: number): void {
    let to = slot * size
    for (let j = 0; j <= last; j++) {
      const wz = w * z[j]
      for (let k = 0; k <= j; k++) stats[to++] += wz * z[k]
    }
    stats[to - 1] += w * spread
  }

  function refusal(block: Block, i: number): SufficeError {
    const missing = given.findIndex((_, j) => Number.isNaN(x[j][i]))
    return unreadable(
      (block.first ?? 0) + i,
      own.name,
      given[missing].name,
      given.map(({ name }) => name),
    )
  }

  return {
    slots,
    statistics: slots * size,
    axes: [["slot", size]],
    parameters: slots * width,
    free: slots * (d + 2),
    guesses: "missing",

    prior(stats) {
      for (let p = 0; p < slots; p++) {
        stats[p * size] += kappa
        for (let j = 0; j < d; j++) stats[p * size + triangle(j + 1) + j + 1] += kappa * spreads[j]
        stats[p * size + size - 1] += kappa * pooled[0]
      }
    },

    score(block, params, out) {
      const y = openCells(block)
      const rows = block.rows
      for (let p = 0; p < slots; p++) {
        const at = p * width
        const precision = params[at + PRECISION]
        const top = params[at + TOP]
        for (let i = 0; i < rows; i++) {
          if (y[i] !== y[i]) continue
          const gap = y[i] - guess(params, at, i)
          if (gap !== gap) throw refusal(block, i)
          out[p * rows + i] += top - 0.5 * precision * gap * gap
        }
      }
    },

    absorb(block, params, weights, stats) {
      const y = openCells(block)
      const rows = block.rows
      let guessed = false
      for (let i = 0; i < rows; i++) {
        let seen = true
        for (let j = 0; j < d; j++) {
          z[1 + j] = x[j][i]
          if (z[1 + j] !== z[1 + j]) seen = false
        }
        if (!seen) continue
        const isHole = y[i] !== y[i]
        z[last] = y[i]
        const one = weights.form === "one"
        for (let p = one ? weights.slot[i] : 0; p < (one ? weights.slot[i] + 1 : slots); p++) {
          const w = one ? weights.weight[i] : weights.values[p * rows + i]
          if (w === 0) continue
          if (isHole) {
            guessed = true
            z[last] = guess(params, p * width, i)
          }
          add(stats, p, w, isHole ? 1 / params[p * width + PRECISION] : 0)
        }
      }
      return guessed
    },

    solve(stats, params) {
      let held = 0
      for (let p = 0; p < slots; p++) if (solveSlot(stats, p, params)) held++
      return held
    },

    moments(params, mass, stats) {
      for (let p = 0; p < slots; p++) addMoments(params, p * width, mass[p], stats, p)
    },

    inside: (stats, slot) =>
      stats[slot * size] > 0 &&
      !solveSlot(stats, slot, trial) &&
      1 / trial[slot * width + PRECISION] > CLEAR * pooled[0],

    value(stats, params) {
      // Σ_p n·top − ½ vᵀ(Σw zzᵀ)v / σ², v = (−w, 1)
      let total = 0
      for (let p = 0; p < slots; p++) {
        const at = p * width
        let square = 0
        for (let j = 0, from = p * size; j <= last; j++) {
          const v = j === last ? -1 : params[at + j]
          let sum = 0 // Σ_{k<j} counts twice: zzᵀ is symmetric
          for (let k = 0; k < j; k++) sum += stats[from++] * params[at + k]
          square += v * (2 * sum + stats[from++] * v)
        }
        total += stats[p * size] * params[at + TOP] - 0.5 * params[at + PRECISION] * square
      }
      return total
    },

    mass: (stats, slot) => stats[slot * size],

    describe(params, slot) {
      const at = slot * width
      const coefficients = byColumn(given, j => (params[at + 1 + j] * own.scale) / given[j].scale)
      const spread = (j: number, k: number): number =>
        params[at + SPREAD + triangle(Math.max(j, k)) + Math.min(j, k)] * given[j].scale * given[k].scale
      return {
        intercept: given.reduce(
          (sum, { name, shift }) => sum - coefficients[name] * shift,
          own.shift + own.scale * params[at],
        ),
        coefficients,
        sd: own.scale / Math.sqrt(params[at + PRECISION]),
        on: {
          mean: byColumn(given, j => given[j].shift + given[j].scale * params[at + MEAN + j]),
          covariance: byColumn(given, j => byColumn(given, k => spread(j, k))),
        },
      }
    },

    adopt(description, slot, mass, stats) {
      const params = new Float64Array(width)
      pool(params, 0, false)
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
      // where x lies is no part of the density: it may be left out
      if (on !== undefined) {
        params.set(heldMeans(given, on, "linear"), MEAN)
        params.set(heldCovariance(given, on, "linear"), SPREAD)
      }
      addMoments(params, 0, mass, stats, slot)
    },

    sample(params, slot, block, dice) {
      const y = openCells(block)
      if (!Number.isNaN(y[0])) return
      const mean = guess(params, slot * width, 0)
      if (Number.isNaN(mean))
        throw notGiven(own.name, given[x.findIndex(cells => Number.isNaN(cells[0]))].name)
      y[0] = mean + dice.normal() / Math.sqrt(params[slot * width + PRECISION])
    },

    expect(block, params, slot, _place, mean, variance) {
      openCells(block)
      for (let i = 0; i < block.rows; i++) {
        mean[i] = guess(params, slot * width, i)
        if (Number.isNaN(mean[i])) throw refusal(block, i)
      }
      variance.fill(1 / params[slot * width + PRECISION])
    },

    cdf: normalBelow,

    linear(params, slot) {
      // top − ½λ(v·z)², v = (−w, 1)
      const at = slot * width
      const precision = params[at + PRECISION]
      const [intercept] = params.subarray(at, at + 1)
      const names = [...given, own].map(({ name }) => name)
      const v = names.map((_, j) => (j === d ? 1 : -params[at + 1 + j]))
      const terms: Weighted[] = [[{ kind: "1" }, params[at + TOP] - 0.5 * precision * intercept * intercept]]
      names.forEach((column, j) => {
        terms.push([{ kind: "x", column }, precision * intercept * v[j]])
        terms.push([{ kind: "x²", column }, -0.5 * precision * v[j] * v[j]])
        names.slice(0, j).forEach((other, k) => {
          terms.push([{ kind: "xy", column, other }, -precision * v[j] * v[k]])
        })
      })
      return terms
    },
  }
}

function notGiven(column: string, read: string): SufficeError {
  return new SufficeError(
    "cell",
    `sample: ${show(column)} is drawn given ${show(read)}, which no part of the model draws. There is nothing to draw it from. Give it: { given: { … } }, or add a part that models it.`,
    { column, read },
  )
}

export const linearKind: FamilyKind = {
  name: "linear",
  make(options) {
    const { on, ...rest } = knownOptions("linear", options, ["on", "prior"])
    return linearFamily(on as string[], rest as LinearLeafOptions)
  },
  specimens: [
    { options: { on: ["dose"] }, cell: (dice, [dose]) => 3 - 2 * dose + dice.normal() },
    {
      options: { on: ["dose", "age"], prior: 0.5 },
      cell: (dice, [dose, age]) => 0.01 * (dose + 3 * age + 2 * dice.normal()),
    },
  ],
}
