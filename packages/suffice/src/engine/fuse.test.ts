/** Fused leaves have the bits of leaves scored one after the other. */
import fc from "fast-check"
import { afterAll, expect, test } from "vitest"
import type { Block, Encoded } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Node } from "../contract/node.ts"
import { bernoulli, categorical, dice, gaussian, independent, poisson } from "../index.ts"
import { useKernels } from "../kernels/fast/use.ts"
import { withColumns, withScores } from "../kernels/testing/in-kernel-memory.ts"
import { fusedUp } from "./fuse.ts"

afterAll(() => useKernels("wasm"))

const shapes = fc.record({
  seed: fc.nat(),
  rows: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(479, 480, 481)),
  slots: fc.integer({ min: 1, max: 13 }),
  holes: fc.constantFrom(0, 0.2, 1),
  columns: fc.array(fc.constantFrom("number", "number", "level", "level", "bit", "count"), {
    minLength: 1,
    maxLength: 12,
  }),
})
type Shape = typeof shapes extends fc.Arbitrary<infer T> ? T : never

const FAMILIES = { number: gaussian, level: categorical, bit: bernoulli, count: poisson }

function columnOf(kind: Shape["columns"][number], name: string): Column {
  if (kind === "number") return { kind, name, shift: 0, scale: 1, variance: 1 }
  if (kind === "count") return { kind, name, mean: 2 }
  return { kind: "level", name, levels: kind === "bit" ? [0, 1] : ["a", "b", "c"] }
}

function laid({ columns, slots }: Shape, kernels: "wasm" | "typescript"): Node {
  useKernels(kernels)
  const named = columns.map((kind, j) => columnOf(kind, `x${j}`))
  let statistics = 0
  let parameters = 0
  return independent(Object.fromEntries(columns.map((kind, j) => [`x${j}`, FAMILIES[kind]()]))).lay(
    {
      column(name) {
        const place = named.findIndex(column => column.name === name)
        return { column: named[place], place }
      },
      reserve(more, further) {
        const at = { statsAt: statistics, paramsAt: parameters, spreadAt: 0 }
        statistics += more
        parameters += further
        return at
      },
      steps: [],
      within: () => {
        throw new Error("there are no steps")
      },
      fuse: nodes => ({ up: fusedUp(nodes), down: undefined }),
    },
    slots,
  )
}

test("whatever their kinds, holes, rows and slots", () => {
  fc.assert(
    fc.property(shapes, shape => {
      const { seed, rows, slots, holes, columns } = shape
      const die = dice(seed)
      const hole = () => die.uniform() < holes
      const cells = columns.map((kind): Encoded => {
        if (kind === "number") return Float64Array.from({ length: rows }, () => (hole() ? NaN : die.normal()))
        if (kind === "count")
          return Float64Array.from({ length: rows }, () => (hole() ? NaN : die.integer(9)))
        return Int32Array.from({ length: rows }, () => (hole() ? -1 : die.integer(kind === "bit" ? 2 : 3)))
      })
      const block: Block = { rows, weight: new Float64Array(rows).fill(1), cells }
      const params = Float64Array.from({ length: 3 * slots * columns.length }, () => die.normal())
      const before = Float64Array.from({ length: slots * rows }, () => die.normal())
      const [fast, plain] = (["wasm", "typescript"] as const).map(kernels => {
        const out = before.slice()
        laid(shape, kernels).up(block, params, out)
        return out
      })
      expect(fast).toEqual(plain)
      const root = laid(shape, "wasm")
      const near = withColumns(
        cells.map(held => Float64Array.from(held as Float64Array)),
        lent => {
          const out = before.slice()
          const numbers = cells.map((held, j) => (held instanceof Float64Array ? lent[j] : held))
          root.up({ ...block, cells: numbers }, params, out)
          return out
        },
      )
      expect(near).toEqual(plain)
      const inPlace = before.slice()
      withScores(inPlace, scores => root.up(block, params, scores))
      expect(inPlace).toEqual(plain)
    }),
    { numRuns: Number(process.env.LAWS_RUNS ?? 100) },
  )
})
