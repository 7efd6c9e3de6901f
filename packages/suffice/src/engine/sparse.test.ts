import { expect, test } from "vitest"
import type { Block, Weights } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Family } from "../contract/family.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Model } from "../contract/model.ts"
import type { Regime } from "../contract/moving.ts"
import type { SparseStep } from "../contract/sparse.ts"
import { categorical, classes, dice, gaussian, independent, plate } from "../index.ts"
import { lay } from "./lay.ts"
import { moving } from "./moving.ts"

const LEVELS = ["p", "q", "r", "s", "t"]
const columns: Column[] = [
  { kind: "level", name: "y", levels: ["a", "b"] },
  { kind: "level", name: "u", levels: LEVELS },
  { kind: "number", name: "x", shift: 0, scale: 1, variance: 1 },
]

/** Levels, of which a step touches those of its rows. It says which they are. */
function sparseLevels(touched: Set<number>[]): Family {
  const dense = categorical()
  return {
    ...dense,
    bind(bound, [place], slots): Leaf {
      const leaf = dense.bind(bound, [place], slots)
      return {
        ...leaf,
        moving: {
          sparse: {
            move({ moments, params }) {
              let taken: Weights[] = []
              leaf.solve(moments, 0, params)
              return {
                take: weights =>
                  taken.push(
                    weights.form === "one"
                      ? { ...weights, slot: weights.slot.slice(), weight: weights.weight.slice() }
                      : { form: "each", values: weights.values.slice() },
                  ),
                step({ cells, rows }, { mean }: SparseStep) {
                  const codes = cells[place] as Int32Array
                  const met = new Set<number>()
                  for (const weights of taken) {
                    for (let i = 0; i < rows; i++) {
                      met.add(codes[i])
                      for (let p = 0; p < slots; p++) {
                        const one = weights.form === "one" && weights.slot[i] === p ? weights.weight[i] : 0
                        const w = weights.form === "one" ? one : weights.values[p * rows + i]
                        moments[codes[i] * slots + p] += mean * w
                      }
                    }
                  }
                  taken = []
                  touched.push(met)
                  leaf.solve(moments, 0, params)
                  return 0
                },
                settle: () => leaf.solve(moments, 0, params),
              }
            },
          },
        },
      }
    },
  }
}

function someRows(rows: number, seed: number): Block {
  const die = dice(seed)
  const y = Int32Array.from({ length: rows }, () => die.integer(2))
  return {
    rows,
    weight: Float64Array.from({ length: rows }, () => 0.5 + die.uniform()),
    cells: [y, y.map(l => (l + die.integer(3)) % 3), Float64Array.from(y, l => l + die.normal())],
  }
}

/** The same rows, by twos: their levels and numbers are steps of one row. */
function inSteps({ rows, weight, cells: [y, ...inner] }: Block): Block {
  const offsets = Int32Array.from({ length: rows / 2 + 1 }, (_, i) => 2 * i)
  const block = { rows, weight: new Float64Array(rows).fill(1), cells: inner, offsets }
  const own = (y as Int32Array).filter((_, i) => i % 2 === 0)
  return { rows: rows / 2, weight: weight.subarray(0, rows / 2), cells: [own, { offsets, block }] }
}

const body = (u: Family) => independent({ u, x: gaussian() })
const nested: Column[] = [columns[0], { kind: "steps", name: "steps", columns: columns.slice(1) }]
const regimes: Regime[] = [
  { against: "hidden", target: "y" },
  { against: "rival", target: "y", margin: 1 },
]

test.each(
  regimes.flatMap(regime => [
    { regime, where: "rows", made: (u: Family) => lay(classes("y", body(u)) as Model, columns) },
    {
      regime,
      where: "steps",
      made: (u: Family) => lay(classes("y", plate("steps", body(u))) as Model, nested),
    },
  ]),
)(
  "any part that moves by entries takes the steps of one that moves as a whole: $where, $regime",
  ({ regime, where, made: laidWith }) => {
    const touched: Set<number>[] = []
    const both = [laidWith(sparseLevels(touched)), laidWith(categorical())].map(laid => {
      const counts = Float64Array.from({ length: laid.statistics }, (_, j) => 6 + ((7 * j) % 5))
      // Σx² of the gaussian leaves room for Σx
      for (let j = laid.statistics - 1; j > laid.statistics - 7; j -= 3) counts[j] = 40
      const prior = new Float64Array(laid.statistics)
      const steps = moving(laid, { prior, weight: 100 }, counts, { regime, generative: 0, prior: 0 })
      for (let step = 0; step < 20; step++) {
        const rows = someRows(where === "rows" ? 4 : 8, step)
        const { guarded } = steps.step(where === "rows" ? rows : inSteps(rows), 0.005, undefined)
        expect(guarded).toBe(0)
        if (step % 5 === 4) steps.settle()
      }
      return steps.state().moments
    })
    both[0].forEach((moment, j) => {
      expect(moment).toBeCloseTo(both[1][j], 12)
    })
    // levels that no row has are not touched
    expect(touched).toHaveLength(20)
    for (const entries of touched) expect(entries.has(3) || entries.has(4)).toBe(false)
  },
)
