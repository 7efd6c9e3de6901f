/** A family in which something hides: two bumps of one narrow variance, and which of them a number comes from. */
import type { Block, Weights } from "../../contract/block.ts"
import type { Family } from "../../contract/family.ts"
import type { Leaf } from "../../contract/leaf.ts"
import { exp } from "../../kernels/exp.ts"
import { log } from "../../kernels/log.ts"

const LN_2PI = 1.8378770664093453
/** Of held numbers, which all together have 1. */
const VARIANCE = 1 / 16

/** `starts`: does it know how to begin? */
export function hiddenPair(starts: boolean): Family<number> {
  return {
    name: "hiddenPair",
    options: {},
    need: { kind: "number", scale: "own" },
    measure: "density",
    bind: (_columns, [place], slots) => leaf(place, slots, starts),
  }
}

// stats and params, bump by bump, at (k·slots + p)·2: n and Σwx; ln of its share and its mean
function leaf(place: number, slots: number, starts: boolean): Leaf {
  const size = 4 * slots
  const at = (k: number, p: number): number => 2 * (k * slots + p)

  const joint = (x: number, params: Float64Array, k: number, p: number): number => {
    const gap = x - params[at(k, p) + 1]
    return params[at(k, p)] - 0.5 * (LN_2PI + log(VARIANCE) + (gap * gap) / VARIANCE)
  }
  const total = (x: number, params: Float64Array, p: number): number => {
    const [a, b] = [joint(x, params, 0, p), joint(x, params, 1, p)]
    const top = Math.max(a, b)
    return top + log(exp(a - top) + exp(b - top))
  }
  /** Every row that is seen, with its weight in each slot. */
  function rows(block: Block, weights: Weights, visit: (x: number, p: number, w: number) => void): void {
    const x = block.cells[place] as Float64Array
    for (let i = 0; i < block.rows; i++) {
      if (Number.isNaN(x[i])) continue
      if (weights.form === "one") visit(x[i], weights.slot[i], weights.weight[i])
      else for (let p = 0; p < slots; p++) visit(x[i], p, weights.values[p * block.rows + i])
    }
  }
  const add = (stats: Float64Array, k: number, p: number, w: number, x: number): void => {
    stats[at(k, p)] += w
    stats[at(k, p) + 1] += w * x
  }
  const mass = (stats: Float64Array, p: number): number => stats[at(0, p)] + stats[at(1, p)]

  return {
    shape: { slots, statistics: size, parameters: size, axes: [[2, "slot", 2]], free: 3 * slots },
    latent: {
      when: "always",
      mass: stats =>
        Float64Array.from({ length: 2 * slots }, (_, j) => stats[at(Math.trunc(j / slots), j % slots)]),
      ...(starts && {
        start(block, weights, dice, stats, value) {
          rows(block, weights, (x, p, w) => {
            // one of the two, by chance; or the one that begins anew
            add(stats, value ?? dice.integer(2), p, w, x)
          })
        },
      }),
    },

    prior(stats, strength = 1) {
      for (let j = 0; j < size; j += 2) stats[j] += strength
    },
    solve(stats, strength, params) {
      for (let p = 0; p < slots; p++) {
        const n = mass(stats, p) + 2 * strength
        for (let k = 0; k < 2; k++) {
          const own = stats[at(k, p)] + strength
          params[at(k, p)] = n > 0 ? log(own / n) : log(0.5)
          params[at(k, p) + 1] = own > 0 ? stats[at(k, p) + 1] / own : 0
        }
      }
      return 0
    },
    score(block, params, out) {
      const x = block.cells[place] as Float64Array
      for (let p = 0; p < slots; p++) {
        for (let i = 0; i < block.rows; i++) {
          if (!Number.isNaN(x[i])) out[p * block.rows + i] += total(x[i], params, p)
        }
      }
    },
    absorb(block, params, weights, stats) {
      rows(block, weights, (x, p, w) => {
        for (let k = 0; k < 2; k++) add(stats, k, p, w * exp(joint(x, params, k, p) - total(x, params, p)), x)
      })
      return true
    },
    moments(params, masses, stats) {
      for (let p = 0; p < slots; p++) {
        for (let k = 0; k < 2; k++) add(stats, k, p, masses[p] * exp(params[at(k, p)]), params[at(k, p) + 1])
      }
    },
    inside: (stats, p) => stats[at(0, p)] > 0 && stats[at(1, p)] > 0,
    value: () => 0,
    mass,
    describe: (params, p) => ({ means: [params[at(0, p) + 1], params[at(1, p) + 1]] }),
    adopt: () => undefined,
    sample: () => undefined,
  }
}
