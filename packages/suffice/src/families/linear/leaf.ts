/** A linear regression bound to its columns: y first, then x, which it reads. */
import { placeIn } from "../../blocks/encoded.ts"
import type { Block, Weights } from "../../contract/block.ts"
import type { Leaf, Weighted } from "../../contract/leaf.ts"
import type { Description } from "../../contract/report.ts"
import { finite } from "../../described.ts"
import { SufficeError, show, unreadable } from "../../errors.ts"
import { normalBelow } from "../../kernels/normal-cdf.ts"
import { triangle } from "../../kernels/triangle.ts"
import {
  byColumn,
  describedCovariance,
  encodedCovariance,
  encodedMeans,
  type NumberColumn,
} from "../normal/columns.ts"
import { addingPrior } from "../with-prior.ts"
import { rowsOfPrior } from "../within.ts"
import { openings } from "./openings.ts"
import { linearSlots } from "./slots.ts"
import { GIVEN, linearSpread, RESIDUAL, TIGHTNESS } from "./spread.ts"

/** Steps of stochastic learners keep residual variances above this fraction of those within slots. */
const CLEAR = 1e-4

export function linearLeaf(
  columns: readonly NumberColumn[],
  places: readonly number[],
  slots: number,
  kappa: number,
): Leaf {
  const [own, ...given] = columns
  const laid = linearSlots(columns)
  const { d, size, width, precision: PRECISION, top: TOP, mean: MEAN, spread: SPREAD } = laid
  const last = d + 1 // the index of y in z
  const z = new Float64Array(d + 2).fill(1)
  const trial = new Float64Array(slots * width)
  const x: Float64Array[] = []
  const within = linearSpread(d, laid.own, laid.given)
  const spreadOf = (stats: Float64Array): Float64Array =>
    within.of(stats, slots, new Float64Array(within.length))
  /** θ of the prior's pseudo-rows in one slot. */
  const pseudo = new Float64Array(width)

  const { isOpening, guessOf } = openings(given, laid, x)

  const cellsOf = (block: Block, j: number): Float64Array => block.cells[places[j]] as Float64Array

  function openCells(block: Block): Float64Array {
    for (let j = 0; j < d; j++) x[j] = cellsOf(block, j + 1)
    return cellsOf(block, 0)
  }

  /** ŷ of row i; NaN if a column it reads is missing. */
  function guess(params: Float64Array, at: number, i: number): number {
    let sum = params[at]
    for (let j = 0; j < d; j++) sum += params[at + 1 + j] * x[j][i]
    return sum
  }

  /** stats of a slot += w E[zzᵀ], with x already in z. */
  function add(stats: Float64Array, slot: number, w: number, spread: number): void {
    let to = slot * size
    for (let j = 0; j <= last; j++) {
      const wz = w * z[j]
      for (let k = 0; k <= j; k++) stats[to++] += wz * z[k]
    }
    stats[to - 1] += w * spread
  }

  /** Adds the rows whose y is seen, which must have x; or, as E[zzᵀ | x], those with x whose y is missing. */
  function absorbRows(
    block: Block,
    params: Float64Array,
    weights: Weights,
    stats: Float64Array,
    holes: boolean,
  ): void {
    const y = openCells(block)
    const one = weights.form === "one"
    for (let i = 0; i < block.rows; i++) {
      if ((y[i] !== y[i]) !== holes) continue
      let seen = true
      for (let j = 0; j < d; j++) {
        z[1 + j] = x[j][i]
        if (z[1 + j] !== z[1 + j]) seen = false
      }
      if (!seen && !holes && !isOpening(i)) throw refusal(block, i)
      if (!seen) continue
      z[last] = y[i]
      for (let p = one ? weights.slot[i] : 0; p < (one ? weights.slot[i] + 1 : slots); p++) {
        const w = one ? weights.weight[i] : weights.values[p * block.rows + i]
        if (w === 0) continue
        if (holes) z[last] = guess(params, p * width, i)
        add(stats, p, w, holes ? 1 / params[p * width + PRECISION] : 0)
      }
    }
  }

  function refusal(block: Block, i: number): SufficeError {
    const missing = given.findIndex((_, j) => Number.isNaN(x[j][i]))
    return unreadable(
      placeIn(block, i),
      own.name,
      given[missing].name,
      given.map(({ name }) => name),
    )
  }

  const prior: Leaf["prior"] = (stats, strength = 1, spread, around = stats) => {
    const wide = spread ?? spreadOf(around)
    pseudo[PRECISION] = 1 / wide[RESIDUAL]
    for (let j = 0; j < d; j++) {
      pseudo[1 + j] = wide[within.slope + j]
      pseudo[SPREAD + triangle(j) + j] = wide[TIGHTNESS] * wide[GIVEN + j]
    }
    for (let p = 0; p < slots; p++) {
      const n = around[p * size]
      const mean = (j: number): number => (n > 0 ? around[p * size + triangle(j)] / n : 0) // of z_j
      pseudo[0] = mean(last)
      for (let j = 0; j < d; j++) {
        pseudo[MEAN + j] = mean(1 + j)
        pseudo[0] -= pseudo[1 + j] * mean(1 + j)
      }
      laid.addMoments(pseudo, 0, rowsOfPrior(1, strength * kappa), stats, p)
    }
  }
  const withPrior = addingPrior(prior)

  return {
    shape: {
      slots,
      statistics: slots * size,
      axes: [["slot", size]],
      parameters: slots * width,
      free: slots * (d + 2),
    },
    spread: { length: within.length, estimate: (stats, spread) => void within.of(stats, slots, spread) },
    prior,

    score(block, params, out) {
      const y = openCells(block)
      const rows = block.rows
      for (let p = 0; p < slots; p++) {
        const at = p * width
        const precision = params[at + PRECISION]
        const top = params[at + TOP]
        for (let i = 0; i < rows; i++) {
          if (y[i] !== y[i]) continue
          // `guess`, inlined by hand: V8 would box its result for every row
          let sum = params[at]
          for (let j = 0; j < d; j++) sum += params[at + 1 + j] * x[j][i]
          const gap = y[i] - sum
          if (gap !== gap) {
            if (isOpening(i)) continue
            throw refusal(block, i)
          }
          out[p * rows + i] += top - 0.5 * precision * gap * gap
        }
      }
    },

    absorb(block, params, weights, stats) {
      absorbRows(block, params, weights, stats, false)
      return false
    },
    moving: {
      absorbHoles: (block, params, weights, stats) => absorbRows(block, params, weights, stats, true),
    },

    solve(stats, strength, params, spread = spreadOf(stats)) {
      const both = withPrior(stats, strength, spread)
      let clamped = 0
      for (let p = 0; p < slots; p++) if (laid.solve(both, p, params, spread)) clamped++
      return clamped
    },

    moments(params, mass, stats) {
      for (let p = 0; p < slots; p++) laid.addMoments(params, p * width, mass[p], stats, p)
    },

    inside(stats, slot, spread) {
      if (!(stats[slot * size] > 0)) return false
      const wide = spread ?? spreadOf(stats)
      return (
        !laid.solve(stats, slot, trial, wide) && 1 / trial[slot * width + PRECISION] > CLEAR * wide[RESIDUAL]
      )
    },

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
    },

    adopt(description, slot, mass, stats) {
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
    },

    sample(params, slot, block, dice) {
      const y = openCells(block)
      if (!Number.isNaN(y[0])) return
      const { mean, variance } = guessOf(params, slot * width, 0)
      if (Number.isNaN(mean))
        throw notGiven(own.name, given[x.findIndex(cells => Number.isNaN(cells[0]))].name)
      y[0] = mean + dice.normal() * Math.sqrt(variance)
    },
    numbers: {
      expect(block, params, slot, _place, mean, variance) {
        openCells(block)
        for (let i = 0; i < block.rows; i++) {
          const guessed = guessOf(params, slot * width, i)
          if (Number.isNaN(guessed.mean)) throw refusal(block, i)
          mean[i] = guessed.mean
          variance[i] = guessed.variance
        }
      },
      cdf: normalBelow,
      line: (params, slot, out) => out.set(params.subarray(slot * width, slot * width + d + 3)),
    },
    terms: {
      linear(params, slot) {
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
      },
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
