/** The law of the twins: TypeScript and wasm give the same bits, on whatever they are given. */
import fc from "fast-check"
import { afterAll, describe, expect, test } from "vitest"
import { isBrief, tries } from "../../../../checks/tiers/share.ts"
import { dice } from "../random.ts"
import * as best from "./best-rows.ts"
import { standardise } from "./columns.ts"
import * as scores from "./dense-scores.ts"
import * as sums from "./dense-sums.ts"
import * as diagonal from "./diagonal-rows.ts"
import { kernelsInUse, prepareKernels, useKernels } from "./fast/use.ts"
import * as pinning from "./pin.ts"
import * as posterior from "./posterior-rows.ts"
import * as responsibilities from "./responsibilities.ts"
import { RUN, sumRuns } from "./run-sums.ts"
import { withColumns, withScores } from "./testing/in-kernel-memory.ts"
import { triangle } from "./triangle.ts"
import { fastKernels, type Kernels, type RowKernels } from "./twins.ts"

useKernels("wasm")
const wasm: RowKernels = fastKernels() as Kernels
const typescript: RowKernels = {
  ...scores,
  ...sums,
  ...diagonal,
  ...responsibilities,
  ...best,
  ...posterior,
  ...pinning,
}
/** Wasm, with scores that lie in its memory. */
const inPlace: RowKernels = {
  ...wasm,
  scoreDense: (x, rows, d, slots, share, params, out) =>
    withScores(out, scores => wasm.scoreDense(x, rows, d, slots, share, params, scores)),
  scoreLines: (x, rows, d, slots, params, lines, out) =>
    withScores(out, scores => wasm.scoreLines(x, rows, d, slots, params, lines, scores)),
  scoreDiagonal: (x, rows, d, slots, step, params, out) =>
    withScores(out, scores => wasm.scoreDiagonal(x, rows, d, slots, step, params, scores)),
  bestRows: (of, ...more) => withScores(of, scores => wasm.bestRows(scores, ...more)),
  posteriorRows: (of, ...more) => withScores(of, scores => wasm.posteriorRows(scores, ...more)),
}
afterAll(() => useKernels("wasm"))

const shapes = fc.record({
  seed: fc.nat(),
  rows: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(479, 480, 481)),
  d: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 40 })),
  slots: fc.integer({ min: 1, max: 16 }),
  tied: fc.boolean(),
  holes: fc.constantFrom(0, 0.2, 1),
  weights: fc.constantFrom("some 0", "all", "signed", "tiny"),
})
type Shape = typeof shapes extends fc.Arbitrary<infer T> ? T : never

/** Both twins do the same to copies of the same arrays, and so does wasm where rows or scores lie in its memory. */
function same(
  shape: Shape,
  run: (kernels: RowKernels, made: Made) => readonly Float64Array[],
  hole: Shape["holes"] = shape.holes,
): void {
  const made = (): Made => make({ ...shape, holes: hole })
  const ours = run(typescript, made())
  const lent = [wasm, inPlace].map(kernels => {
    const near = made()
    return withColumns(near.x, x => {
      kernels.pin(x, shape.rows, shape.d)
      return run(kernels, { ...near, x })
    })
  })
  for (const theirs of [run(wasm, made()), run(inPlace, made()), ...lent]) {
    ours.forEach((values, a) => {
      for (let i = 0; i < values.length; i++) {
        if (!Object.is(values[i], theirs[a][i])) expect([a, i, theirs[a][i]]).toEqual([a, i, values[i]])
      }
    })
  }
}

interface Made {
  readonly x: readonly Float64Array[]
  readonly weights: Float64Array
  numbers(count: number): Float64Array
  positive(count: number): Float64Array
}

function make({ seed, rows, d, slots, holes, weights }: Shape): Made {
  const random = dice(seed)
  const numbers = (count: number): Float64Array =>
    Float64Array.from({ length: count }, () => random.normal() * (random.uniform() < 0.1 ? 1e3 : 1))
  const cell = (): number => (random.uniform() < holes ? NaN : random.normal() + 3)
  const weight = (): number => {
    if (weights === "some 0") return random.uniform() < 0.5 ? 0 : random.uniform()
    if (weights === "all") return random.uniform() + 1e-3
    return weights === "signed" ? random.normal() : random.uniform() * 1e-300
  }
  return {
    x: Array.from({ length: d }, () => Float64Array.from({ length: rows }, cell)),
    weights: Float64Array.from({ length: slots * rows }, weight),
    numbers,
    positive: count => numbers(count).map(value => Math.abs(value) + 1e-3),
  }
}

const check = (law: (shape: Shape) => void): void =>
  fc.assert(fc.property(shapes, law), { seed: 5, numRuns: tries(4, 40) })

describe("TypeScript and wasm give the same bits:", () => {
  test("scoreDense", () => {
    check(shape => {
      const { rows, d, slots, tied } = shape
      const share = tied ? slots : 1
      same(
        shape,
        (kernels, { x, numbers }) => {
          const out = numbers(slots * rows)
          const params = numbers(slots * d + (slots / share) * (2 * triangle(d) + 1))
          kernels.scoreDense(x, rows, d, slots, share, params, out)
          return [out]
        },
        0,
      )
    })
  })

  test("absorbDense", () => {
    check(shape => {
      const { rows, d, slots, tied } = shape
      const share = tied ? slots : 1
      same(
        shape,
        (kernels, { x, weights, numbers }) => {
          const stats = numbers(slots * (1 + d) + (slots / share) * triangle(d))
          kernels.absorbDense(x, rows, d, slots, share, weights, stats)
          return [stats]
        },
        0,
      )
    })
  })

  test("absorbList", () => {
    check(shape => {
      const { rows, d, seed } = shape
      same(
        shape,
        (kernels, { x, weights, numbers }) => {
          const stats = numbers(3 + d + triangle(d))
          const sums = seed % 3 === 0 ? -1 : 1
          const squares = seed % 3 === 1 ? -1 : 2 + d
          const random = dice(seed)
          const share = seed % 5 === 0 ? 1 : random.uniform()
          const list = Int32Array.from({ length: rows }, (_, i) => i).filter(() => random.uniform() < share)
          kernels.absorbList(x, rows, d, list, list.length, weights, stats, sums, squares)
          return [stats]
        },
        0,
      )
    })
  })

  test("pin", () => {
    check(shape => {
      same(shape, (kernels, { x }) => [Float64Array.of(Number(kernels.pin(x, shape.rows, shape.d)))])
    })
  })

  test("scoreDiagonal", () => {
    check(shape => {
      const { rows, d, slots, tied } = shape
      same(shape, (kernels, { x, numbers }) => {
        const out = numbers(slots * rows)
        kernels.scoreDiagonal(x, rows, d, slots, tied ? 0 : 1, numbers(slots * 3 * d), out)
        return [out]
      })
    })
  })

  test("absorbDiagonal", () => {
    check(shape => {
      const { rows, d, slots, tied } = shape
      same(shape, (kernels, { x, weights, numbers }) => {
        const stats = numbers(slots * 3 * d)
        kernels.absorbDiagonal(x, rows, d, slots, tied ? 0 : 1, weights, stats)
        return [stats]
      })
    })
  })

  /** Impossible values, rows that are impossible under every value, far tails, ties. */
  function joints({ d, slots, seed }: Shape, size: number, numbers: Made["numbers"]): Float64Array {
    const scores = numbers(slots * size)
    const random = dice(seed)
    for (let j = 0; j < scores.length; j++) {
      if (random.uniform() < 0.1) scores[j] = -Infinity
      if (j % size === d % size) scores[j] = -Infinity
      if (random.uniform() < 0.1) scores[j] = -730 * random.uniform()
      if (random.uniform() < 0.1 && j >= size) scores[j] = scores[j - size]
    }
    return scores
  }

  test("collapse, and with it exp and log", () => {
    check(shape => {
      same(shape, (kernels, { numbers }) => {
        const size = shape.rows * (1 + (shape.seed % 3))
        const scores = joints(shape, size, numbers)
        const sums = new Float64Array(2 * size)
        kernels.collapse(scores, shape.slots, size, sums)
        return [scores, sums]
      })
    })
  })

  test("scoreLines", () => {
    check(shape => {
      const { rows, d, slots, seed } = shape
      same(shape, (kernels, { x, numbers }) => {
        const out = numbers(slots * rows)
        kernels.scoreLines(x, rows, d, slots, numbers(slots * (d + 1) + 5), seed % 5, out)
        return [out]
      })
    })
  })

  test("bestRows, of which some are equal", () => {
    check(shape => {
      const { rows, slots } = shape
      same(shape, (kernels, { numbers }) => {
        const codes = new Int32Array(rows)
        kernels.bestRows(joints(shape, rows, numbers).map(Math.round), slots, rows, codes)
        return [Float64Array.from(codes)]
      })
    })
  })

  test("posteriorRows", () => {
    check(shape => {
      const { rows, slots, seed } = shape
      same(shape, (kernels, { numbers }) => {
        const scores = joints(shape, rows, numbers)
        const at = seed % 5
        const [probabilities, logs] = [numbers(slots * rows + 9), numbers(slots * rows + 9)]
        kernels.posteriorRows(scores, slots, rows, probabilities, logs, at)
        return [probabilities, logs]
      })
    })
  })
})

test("a stale memory does not matter: small after large, with holes before and without after", () => {
  const shape: Shape = { seed: 1, rows: 480, d: 9, slots: 3, tied: false, holes: 1, weights: "all" }
  const run = (rows: number, d: number, holes: Shape["holes"]): void =>
    same({ ...shape, rows, d, holes }, (kernels, { x, weights, numbers }) => {
      const out = numbers(3 * rows)
      const stats = numbers(9 * d)
      kernels.scoreDiagonal(x, rows, d, 3, 1, numbers(9 * d), out)
      kernels.absorbDiagonal(x, rows, d, 3, 1, weights, stats)
      return [out, stats]
    })
  for (const rows of [480, 31, 9]) for (const holes of [1, 0.2, 0] as const) run(rows, 9, holes)
})

test("rows that have changed are pinned anew, and others in between do no harm", () => {
  const shape: Shape = { seed: 2, rows: 40, d: 5, slots: 3, tied: false, holes: 0, weights: "all" }
  same(shape, (kernels, { x, weights, numbers }) => {
    const stats = numbers(3 * 6 + 3 * triangle(5))
    const out = numbers(3 * 40)
    const params = numbers(3 * 5 + 3 * (2 * triangle(5) + 1))
    const sums = new Float64Array(80)
    for (let round = 0; round < 3; round++) {
      for (const column of x) column[7] += 1
      kernels.pin(x, 40, 5)
      kernels.scoreDense(x, 40, 5, 3, 1, params, out)
      // another leaf, and a switch
      if (round > 0) kernels.scoreDiagonal([x[1]], 40, 1, 3, 1, params, out)
      kernels.collapse(out, 3, 40, sums)
      kernels.absorbDense(x, 40, 5, 3, 1, weights, stats)
    }
    return [stats, out, sums]
  })
})

function repeated(some: Float64Array, length: number): Float64Array {
  const all = new Float64Array(length)
  for (let at = 0; at < length; at += some.length)
    all.set(some.subarray(0, Math.min(some.length, length - at)), at)
  return all
}

// 2000 slots take 16 million numbers
test.each(isBrief ? [80] : [80, 2000])(
  "many slots of many columns, and more than there is memory for: %i",
  slots => {
    const shape: Shape = { seed: 3, rows: 9, d: 90, slots, tied: false, holes: 0, weights: "all" }
    same(shape, (kernels, { x, numbers }) => {
      const out = numbers(slots * 9)
      // 16 million of them: a few, again and again
      const params = repeated(numbers(4_099), slots * 90 + slots * (2 * triangle(90) + 1))
      for (let block = 0; block < 2; block++) {
        for (const column of x) column[5] += 1
        kernels.pin(x, 9, 90)
        kernels.scoreDense(x, 9, 90, slots, 1, params, out)
      }
      return [out]
    })
  },
)

describe("the switch", () => {
  test("chooses wasm where it runs, and what it is told", () => {
    expect(prepareKernels()).toBe("wasm")
    useKernels("typescript")
    expect([kernelsInUse(), prepareKernels(), fastKernels()]).toEqual(["typescript", "typescript", undefined])
    useKernels("wasm")
    expect([kernelsInUse(), prepareKernels()]).toEqual(["wasm", "wasm"])
  })

  test("refuses other names", () => {
    expect(() => useKernels("gpu" as never)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: useKernels: the kernels are "gpu". They are "wasm" or "typescript". Name one of the two.]`,
    )
  })
})

test("runs of numbers: the largest, their sum and their squares, also where some are missing or infinite", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 5 }), fc.constantFrom(0, 0.001), (seed, runs, holes) => {
      const die = dice(seed)
      const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
      const from = die.integer(9)
      const values = Float64Array.from({ length: from + runs * RUN + 3 }, () =>
        die.uniform() < holes ? odd[die.integer(3)] : 1e3 * die.normal(),
      )
      const found = [sumRuns, (fastKernels() as Kernels).sumRuns].map(kernel => {
        const out = new Float64Array(3 * runs)
        kernel(values, from, runs, 1 / 7, out)
        return out
      })
      expect(found[1]).toEqual(found[0])
    }),
  )
})

test("scores are zeros, in the memory of the kernels unless they are few or too many, and those that are handed out last are recognised", () => {
  const { scores } = fastKernels() as Kernels
  const first = scores(1000).fill(7)
  const second = scores(1000)
  expect([second.buffer === first.buffer, second.every(score => score === 0)]).toEqual([true, true])
  for (const length of [1, 63, 1e6]) {
    expect(scores(length).fill(1).buffer).not.toBe(first.buffer)
    const again = scores(length)
    // toEqual takes seconds for a million numbers
    expect([again.length, again.every(score => Object.is(score, 0))]).toEqual([length, true])
  }
})

test("numbers are standardised to the same bits, as far as they go", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 300 }), fc.constantFrom(0, 0.01), (seed, count, far) => {
      const die = dice(seed)
      const values = Float64Array.from({ length: count + 5 }, () =>
        die.uniform() < far ? [NaN, 1e9, -1e9][die.integer(3)] : die.normal(),
      )
      const run = (kernel: typeof standardise, to: Float64Array) => {
        const end = kernel(values, 3, 3 + count, to, 1, Float64Array.of(0.5, 1 / 3), 1e6)
        return [end, to.slice(1, end - 2)]
      }
      const plain = run(standardise, new Float64Array(count + 2))
      const { columns } = fastKernels() as Kernels
      expect(run(columns.standardise, new Float64Array(count + 2))).toEqual(plain)
      withColumns([new Float64Array(count + 2)], ([to]) =>
        expect(run(columns.standardise, to)).toEqual(plain),
      )
    }),
  )
})
