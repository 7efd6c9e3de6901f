/** Long because all that learners of small steps promise stands here: masses, units, class weights, rows held out. */
import { describe, expect, test } from "vitest"
import { gather } from "../blocks/gather.ts"
import type { Block, Chunk } from "../contract/block.ts"
import type { Row } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import type { Regime } from "../contract/moving.ts"
import { discover } from "../data/discover.ts"
import { encodeForLearning } from "../data/encode.ts"
import {
  bernoulli,
  categorical,
  classes,
  dice,
  fit,
  gaussian,
  independent,
  mixture,
  multinomial,
  normal,
  poisson,
} from "../index.ts"
import { prepareKernels } from "../kernels/fast/use.ts"
import { type SdemOptions, sdem } from "../learn.ts"
import { ownersOf } from "./axes.ts"
import { contrast } from "./contrast.ts"
import { holdOut } from "./hold-out.ts"
import { type Laid, lay } from "./lay.ts"
import { learnable } from "./learnable.ts"

const LEVELS = ["a", "b", "c"]

/** `hole(y)`: the share of missing cells in class y. */
function drawn(count: number, hole: (y: number) => number): Row[] {
  const rolls = dice(21)
  return Array.from({ length: count }, (_, i) => {
    const y = i % 3
    const holed = <T>(cell: T): T | null => (rolls.uniform() < hole(y) ? null : cell)
    return {
      y: rolls.uniform() < 0.1 ? null : LEVELS[y],
      x: holed(y + rolls.normal()),
      z: holed(0.5 * y - rolls.normal()),
      u: holed(["m", "n"][rolls.integer(2)]),
      f: holed(rolls.uniform() < 0.3 + 0.2 * y),
      n: holed(rolls.poisson(2 + y)),
      t: Array.from({ length: 1 + rolls.integer(5) }, () => `w${rolls.integer(4) + y}`),
    }
  })
}

async function problemOf(model: Model, rows: readonly Row[]) {
  const { schema, rows: count } = await discover(model.uses, rows, {})
  const laid = lay(model, schema.columns)
  const chunks: Chunk[] = []
  for await (const chunk of encodeForLearning(schema, rows, {}, count)) chunks.push(chunk)
  const table = { rows: count, weight: count, certain: false, label: model.target, chunks: () => chunks }
  const problem = learnable(laid, table, undefined, dice(1))
  const start = await problem.start.guess(dice(2))
  const counts = start.map((stat, j) => stat + problem.theta.prior[j])
  const blocks: Block[] = []
  // the next one is gathered in the same arrays
  for await (const block of problem.data.batches(8, dice(3))) {
    blocks.push(
      gather(laid.columns, {
        blocks: Array<Block>(block.rows).fill(block),
        rows: [...Array(block.rows).keys()],
      }),
    )
  }
  return { laid, table, problem, counts, blocks }
}

/** Every leaf slot has the mass of its context, and those of one switch add up to that of theirs. */
function expectMassLaw(laid: Laid, eta: Float64Array): void {
  laid.root.descend(eta, Float64Array.of(1), (part, mass) => {
    for (let p = 0; p < part.leaf.shape.slots; p++) {
      if (part.leaf.shape.lengthGiven) continue
      expect(Math.abs(part.leaf.mass(part.ranges.statsOf(eta), p) - mass![p])).toBeLessThan(1e-9)
      expect(mass![p]).toBeGreaterThan(0)
    }
  })
}

const mixed = () => independent({ x: gaussian(), u: categorical(), f: bernoulli(), n: poisson() })
const models: Record<string, [model: Model, targets: string[]]> = {
  "mixed leaves": [classes("y", mixed()) as Model, ["y", "u"]],
  "tied gaussians": [classes("y", independent({ x: gaussian({ variance: "tied" }) })) as Model, ["y"]],
  "full normals": [classes("y", normal(["x", "z"])) as Model, ["y", "x"]],
  "tied normals": [classes("y", normal(["x", "z"], { covariance: "tied" })) as Model, ["y"]],
  "hidden components": [classes("y", mixture(2, mixed())) as Model, ["y", "f"]],
  "words beside numbers": [classes("y", independent({ x: gaussian(), t: multinomial() })) as Model, ["y"]],
}
const holes: Record<string, (y: number) => number> = {
  "30 % of the cells missing": () => 0.3,
  "cells missing by class": y => 0.45 * y,
}

test("rows without the target leave the others their step, no longer and no shorter", async () => {
  const model = classes("y", independent({ x: gaussian(), u: categorical() })) as Model
  const rows = drawn(40, () => 0).map((row, i) => ({ ...row, y: i % 4 ? null : LEVELS[(i / 4) % 3] }))
  const { laid, problem, counts } = await problemOf(model, rows)
  const [block] = await all(problem.data.batches(40, undefined))
  const seen = rows.flatMap((row, i) => (row.y === null ? [] : [i]))
  const labelled = gather(laid.columns, { blocks: seen.map(() => block), rows: seen })
  const moved = (step: Block, rho: number): Float64Array => {
    const moving = problem.moments.moving(counts, {
      ...{ regime: { against: "hidden", target: "y" }, generative: 0, prior: 0 },
    })
    moving.step(step, rho, undefined)
    return moving.state().moments
  }
  // ten of forty rows: a quarter of the step that they take alone
  const [mixedUp, alone] = [moved(block, 0.02), moved(labelled, 0.02 / 4)]
  alone.forEach((eta, j) => void expect(mixedUp[j]).toBeCloseTo(eta, 12))
  expect(mixedUp).not.toEqual(moved(labelled, 0))
})

test("λ mixes the mean over all rows with the mean over those that have the target, however few these are", async () => {
  const model = classes("y", independent({ x: gaussian(), u: categorical() })) as Model
  const rows = drawn(40, () => 0).map((row, i) => ({ ...row, y: i % 4 ? null : LEVELS[(i / 4) % 3] }))
  const { problem, counts } = await problemOf(model, rows)
  const [block] = await all(problem.data.batches(40, undefined))
  const moved = (generative: number): Float64Array => {
    const moving = problem.moments.moving(counts, {
      ...{ regime: { against: "hidden", target: "y" }, generative, prior: 0 },
    })
    const before = moving.state().moments
    moving.step(block, 0.01, undefined)
    return moving.state().moments.map((eta, j) => eta - before[j])
  }
  const [none, some, full] = [moved(0), moved(0.3), moved(1)]
  // a quarter of the rows has the target: steps of λ < 1 are a quarter of those of online EM
  some.forEach((move, j) => void expect(move).toBeCloseTo(0.7 * none[j] + (0.3 * full[j]) / 4, 10))
})

async function all(batches: AsyncIterable<Block>): Promise<Block[]> {
  const blocks: Block[] = []
  for await (const block of batches) blocks.push(block)
  return blocks
}

describe.each(Object.entries(holes))("with %s", (_holes, hole) => {
  test.each(Object.entries(models))("every step keeps the masses: %s", async (_name, [model, targets]) => {
    const { laid, problem, counts, blocks } = await problemOf(model, drawn(120, hole))
    for (const target of targets) {
      const regimes: Regime[] = [
        { against: "hidden", target },
        ...(target === "x" ? [] : [{ against: "rival" as const, target, margin: 1 }]),
      ]
      for (const regime of regimes) {
        for (const generative of [0, 0.4, 1]) {
          const moving = problem.moments.moving(counts, { regime, generative, prior: 1 })
          let guarded = 0
          for (let round = 0; round < 3; round++) {
            for (const block of blocks) {
              guarded += moving.step(block, 0.02, 0.5).guarded
              expectMassLaw(laid, moving.state().moments)
            }
          }
          expect(guarded).toBe(0)
        }
      }
    }
  })
})

test("a class that is new begins with one row and the prior, the others go on as they stood", async () => {
  const [model] = models["words beside numbers"]
  const { laid, problem, counts, blocks } = await problemOf(
    model,
    drawn(120, () => 0.2),
  )
  const course = { regime: { against: "hidden", target: "y" }, generative: 0, prior: 1, inertia: 7 } as const
  const moving = problem.moments.moving(counts, course)
  for (const block of blocks) moving.step(block, 0.05, 0.5)
  moving.settle()
  const { moments } = moving.state()
  const n = problem.data.weight
  // the statistics of class "c" were never there
  const grown = moments.map(m => m * n)
  for (const part of laid.parts) {
    ownersOf(part).forEach((slot, j) => {
      const isNew = part.role !== "leaf" ? j === 2 : slot === 2
      if (isNew) grown[part.ranges.statsAt + j] = 0
    })
  }
  const after = problem.moments.moving({ grown }, course).state()
  expect(after.averages).toEqual([])
  expectMassLaw(laid, after.moments)
  const rest = grown[0] + grown[1]
  expect(after.moments[2]).toBeCloseTo(1 / (rest + 1), 12)
  expect(after.moments[0]).toBeCloseTo(grown[0] / (rest + 1), 12)
  const words = laid.parts.find(part => part.leaf.shape.lengthGiven)!
  for (let j = 0; j < words.leaf.shape.statistics - words.leaf.shape.slots; j++) {
    const at = words.ranges.statsAt + j
    const wanted = j % 3 === 2 ? (problem.theta.prior[at] + 7) / n : moments[at]
    expect(after.moments[at]).toBeCloseTo(wanted, 12)
  }
})

describe("η has total mass 1, so that nothing depends on the units or on how much a row weighs", () => {
  const rows = drawn(150, () => 0.1)
  const options: SdemOptions[] = [{}, { loss: "hinge" }, { generative: 0.3 }, { holdout: 0.2 }]
  const bodies = [
    () => independent({ x: gaussian(), z: gaussian(), u: categorical() }),
    () => normal(["x", "z"]),
    () => mixture(2, normal(["x", "z"], { covariance: "diag" })),
  ]
  test.each(options)("a numeric column may be rescaled and shifted: %o", async given => {
    for (const body of bodies) {
      const model = classes("y", body() as ReturnType<(typeof bodies)[0]>)
      const learner = sdem({ ...given, epochs: 4 })
      const changed = (row: Row): Row => ({
        ...row,
        x: row.x === null ? null : 250 * (row.x as number) - 4000,
      })
      const plain = (await fit(model, rows as never, { learner })).posterior(rows as never)
      const other = (await fit(model, rows.map(changed) as never, { learner })).posterior(
        rows.map(changed) as never,
      )
      plain.probabilities.forEach((p, j) => {
        expect(Math.abs(p - other.probabilities[j])).toBeLessThan(1e-8)
      })
    }
  })

  test("rows that all weigh the same weigh nothing, but for the prior", async () => {
    const model = classes("y", independent({ x: gaussian(), u: categorical() }))
    const learner = sdem({ epochs: 4, prior: 0 })
    const of = async (w: number) =>
      (await fit(model, rows.map(row => ({ ...row, w })) as never, { learner, weight: "w" })).posterior(
        rows as never,
      )
    const [one, many] = [await of(1), await of(64)]
    one.probabilities.forEach((p, j) => {
      expect(Math.abs(p - many.probabilities[j])).toBeLessThan(1e-8)
    })
  })
})

describe("class weights of sdEM", () => {
  test("are row weights of labelled rows, and whole ones are repetitions of rows", async () => {
    const model = classes("y", mixture(2, mixed())) as Model
    const rows = drawn(30, () => 0.2)
    const { laid, problem, blocks, counts } = await problemOf(model, rows)
    const factors = Float64Array.of(1, 3, 0)
    expect([...factors]).toEqual([1, 3, 0])
    const { params } = problem.theta.solve(counts, 0)
    const labels = laid.columns.findIndex(({ name }) => name === "y")
    for (const block of blocks) {
      const codes = block.cells[labels] as Int32Array
      const times = Array.from(codes, code => (code < 0 ? 1 : factors[code]))
      // rows of weight 0 are not there
      const again = times.flatMap((n, i) => new Array(n).fill(i))
      const repeated: Block = {
        rows: again.length,
        weight: Float64Array.from(again, i => block.weight[i]),
        cells: block.cells.map(cells =>
          (cells as Float64Array).constructor === Int32Array
            ? Int32Array.from(again, i => (cells as Int32Array)[i])
            : Float64Array.from(again, i => (cells as Float64Array)[i]),
        ),
      }
      for (const against of ["hidden", "rival"] as const) {
        const regime = { against, target: "y", margin: 1 } as Regime
        const [ours, theirs] = [new Float64Array(laid.statistics), new Float64Array(laid.statistics)]
        const weighed = contrast(laid, block, params, { ...regime, factors } as Regime, ours)
        const counted = contrast(laid, repeated, params, regime, theirs)
        expect(weighed.weight).toBeCloseTo(counted.weight, 10)
        expect(weighed.loss).toBeCloseTo(counted.loss, 9)
        ours.forEach((stat, j) => void expect(stat).toBeCloseTo(theirs[j], 9))
      }
    }
  })

  test("draw the line towards the class that weighs less", async () => {
    const rows = drawn(300, () => 0).filter(({ y }) => y !== "c" && y !== null)
    const model = classes("y", independent({ x: gaussian() }))
    const share = async (classWeights?: Record<string, number>): Promise<number> => {
      const learner = sdem({ epochs: 10, ...(classWeights && { classWeights }) })
      const fitted = await fit(model, rows as never, { learner })
      return fitted.predict(rows as never).filter(({ value }) => value === "b").length / rows.length
    }
    const [less, even, more] = [await share({ a: 5 }), await share(), await share({ b: 5 })]
    expect(less).toBeLessThan(even - 0.1)
    expect(more).toBeGreaterThan(even + 0.1)
    expect(await share({ a: 2, b: 2 })).toBe(even)
  })

  test("move words as weights of the rows would", async () => {
    const [model] = models["words beside numbers"]
    const { problem, laid, counts, blocks } = await problemOf(
      model,
      drawn(60, () => 0.1),
    )
    const labels = laid.columns.findIndex(({ name }) => name === "y")
    const factors = Float64Array.of(4, 1, 0.5)
    const regime = { against: "hidden", target: "y" } as const
    const ours = problem.moments.moving(counts, { regime: { ...regime, factors }, generative: 0, prior: 1 })
    const theirs = problem.moments.moving(counts, { regime, generative: 0, prior: 1 })
    for (const block of blocks) {
      const codes = block.cells[labels] as Int32Array
      const weight = block.weight.map((w, i) => (codes[i] < 0 ? w : w * factors[codes[i]]))
      ours.step(block, 0.05, 0.5)
      theirs.step({ ...block, weight }, 0.05, 0.5)
    }
    ours.settle()
    theirs.settle()
    const wanted = theirs.state().moments
    ours.state().moments.forEach((moment, j) => void expect(moment).toBeCloseTo(wanted[j], 10))
    expect(wanted).not.toEqual(
      problem.moments.moving(counts, { regime, generative: 0, prior: 1 }).state().moments,
    )
  })

  test("that name no level, or weigh a number, are refused", async () => {
    const model = classes("y", independent({ x: gaussian() }))
    const rows = drawn(12, () => 0)
    const message = (options: SdemOptions): Promise<string> =>
      fit(model, rows as never, { learner: sdem(options) }).then(
        () => "fine",
        error => error.message,
      )
    expect([
      await message({ classWeights: { aa: 2 } }),
      await message({ classWeights: { q: 2 } }),
      await message({ target: "x", classWeights: { a: 2 } }),
    ]).toMatchInlineSnapshot(`
      [
        "sdem: classWeights names "aa", which is no level of "y". Its levels are "a", "b" and "c". Did you mean "a"?",
        "sdem: classWeights names "q", which is no level of "y". Its levels are "a", "b" and "c". Leave it out.",
        "sdem: classWeights weigh the levels of the target, but "x" is a number. It has no levels. Leave them out.",
      ]
    `)
    expect(() => sdem({ classWeights: { a: -1 } })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: sdem: classWeights is an object with 1 key. It must be finite numbers ≥ 0 by level, such as { rare: 5 }. Leave it out for the default.]`,
    )
  })
})

describe("rows held out", () => {
  const model = classes("y", independent({ u: categorical({ levels: ["m", "n"] }), f: bernoulli() }), {
    levels: LEVELS,
  })
  const rows = drawn(200, () => 0).filter(({ y }) => y !== null)
  const learner = (epochs: number) => sdem({ epochs, holdout: 0.3, average: false })
  /** The rows that a fit of this seed holds out, as it draws them. */
  const heldOut = async (seed: number): Promise<Set<number>> => {
    const { laid, table } = await problemOf(model as Model, rows)
    const marked = rows.map((_, i) => i)
    const weights = {
      ...table,
      chunks: () => [[{ rows: rows.length, weight: Float64Array.from(marked), cells: [] }]],
    }
    const [rest, held] = await holdOut([], weights as never, 0.3, dice(seed).fork(1).fork(2))
    const found = new Set<number>()
    for await (const chunk of held.chunks())
      for (const block of chunk) for (const i of block.weight) found.add(i)
    expect(rest.rows + held.rows).toBe(rows.length)
    expect(held.rows).toBe(Math.round(0.3 * rows.length))
    expect(laid.columns).toHaveLength(3)
    return found
  }
  const answers = async (data: Row[], epochs: number, seed: number): Promise<string> => {
    const fitted = await fit(model, data as never, { learner: learner(epochs), seed })
    return [...fitted.posterior(rows as never).logs].join()
  }

  test("teach nothing: whatever they hold, the moments after each epoch are the same", async () => {
    const seed = 5
    const held = await heldOut(seed)
    const other = rows.map((row, i) => (held.has(i) ? { y: "c", u: "n", f: true } : row))
    // one epoch: there is nothing to choose
    expect(await answers(other, 1, seed)).toBe(await answers(rows, 1, seed))
    const touched = rows.map((row, i) =>
      i === [...rows.keys()].find(j => !held.has(j)) ? { y: "c", u: "n", f: true } : row,
    )
    expect(await answers(touched, 1, seed)).not.toBe(await answers(rows, 1, seed))
    const trace = async (data: Row[]) =>
      (await fit(model, data as never, { learner: learner(3), seed })).training!.trace.slice(0, 3)
    expect(await trace(other)).toEqual(await trace(rows))
  })

  test("choose the epoch: it is the one with the least loss on them", async () => {
    for (const seed of [1, 2, 3]) {
      const held = await heldOut(seed)
      const judges = rows.filter((_, i) => held.has(i))
      const epochs = 8
      const wild = sdem({ epochs, holdout: 0.3, stepSize: { kind: "constant", rho: 0.5 } })
      const losses: number[] = []
      const handed: string[] = []
      let ended: number | undefined
      const fitted = await fit(model, rows as never, {
        learner: wild,
        seed,
        onStep(step) {
          const made = step.fitted()
          const { levels, logs } = made.posterior(judges as never)
          let loss = 0
          judges.forEach(({ y }, i) => {
            loss -= logs[i * levels.length + levels.indexOf(y as never)]
          })
          if (step.run === 0) return
          if (step.stopped) ended = loss
          else losses.push(loss)
          handed.push([...logs].join())
        },
      })
      const last = [...fitted.posterior(judges as never).logs].join()
      expect(last).toBe(handed.at(-1))
      // the last epoch's own model is not seen where another was better
      expect(ended!).toBeLessThanOrEqual(Math.min(...losses) + 1e-9)
    }
  })
})

test("mini-batches of rows that stay in memory move words as those of rows that are read anew, to the bit", async () => {
  const model = classes("y", independent({ t: multinomial({ scaling: "tfidf" }) })) as Model
  const { laid, table, counts } = await problemOf(
    model,
    drawn(700, () => 0),
  )
  const held = [...table.chunks()]
  expect(prepareKernels()).toBe("wasm")
  const course = { regime: { against: "hidden", target: "y" }, generative: 0, prior: 1 } as const
  const [kept, copied] = await Promise.all(
    [held, undefined].map(async held => {
      const problem = learnable(laid, { ...table, inMemory: held }, undefined, dice(1))
      const moving = problem.moments.moving(counts, course)
      for (let epoch = 0; epoch < 2; epoch++) {
        for await (const block of problem.data.batches(16, dice(epoch))) moving.step(block, 0.03, 1)
      }
      moving.settle()
      return moving.stats()
    }),
  )
  expect(kept).toEqual(copied)
  expect(kept).not.toEqual(counts)
})

describe("how far a step goes", () => {
  test("the prior pulls with all its strength at up to a thousand rows a slot, beyond with that of a thousand", async () => {
    const model = classes("y", independent({ u: categorical() })) as Model
    const { laid, table, counts, blocks } = await problemOf(
      model,
      drawn(60, () => 0),
    )
    // rows without a label tell nothing: what moves is the prior's pull
    const labels = laid.columns.findIndex(({ name }) => name === "y")
    const blank: Block = {
      ...blocks[0],
      cells: blocks[0].cells.map((cells, place) => (place === labels ? new Int32Array(8).fill(-1) : cells)),
    }
    /** By how much the pull moves the moments of so many rows, in rows. */
    const pulled = (weight: number, strength = 1): Float64Array => {
      const problem = learnable(laid, { ...table, weight }, undefined, dice(1))
      const moving = problem.moments.moving(counts, {
        regime: { against: "hidden", target: "y" },
        generative: 0,
        prior: strength,
      })
      const before = moving.state().moments
      moving.step(blank, 0.5, undefined)
      return moving.state().moments.map((after, j) => (after - before[j]) * weight)
    }
    const whole = pulled(100)
    expect(Math.max(...whole)).toBeGreaterThan(0.01)
    const expectShare = (found: Float64Array, share: number): void =>
      found.forEach((moved, j) => void expect(moved).toBeCloseTo(share * whole[j], 6))
    // three slots
    expectShare(pulled(3000), 1)
    expectShare(pulled(6000), 0.5)
    expectShare(pulled(30_000), 0.1)
    expectShare(pulled(100, 2), 2)
  })

  test("a correlated normal takes no more than a sixteenth of what its rows could take, however large ρ is", async () => {
    const [model] = models["full normals"]
    const { laid, problem, counts, blocks } = await problemOf(
      model,
      drawn(60, () => 0),
    )
    const node = laid.parts.find(part => part.role === "leaf")!
    /** Moments per unit of mass: the switch above moves by ρ, and its slots get their mass from it. */
    const shapes = (rho: number): number[] => {
      const course = { regime: { against: "hidden", target: "y" }, generative: 0, prior: 0 } as const
      const moving = problem.moments.moving(counts, course)
      expect(moving.step(blocks[0], rho, undefined).guarded).toBe(0)
      const stats = node.ranges.statsOf(moving.state().moments)
      return Array.from(ownersOf(node), (slot, j) => stats[j] / node.leaf.mass(stats, slot))
    }
    // two columns, a matrix of its own for each of three classes, and eight rows a step
    expect(node.leaf.moving?.breadth).toBe(2 * 3)
    const most = 8 / 16 / 6
    const [half, full, more] = [shapes(most / 2), shapes(most), shapes(1.9 * most)]
    full.forEach((shape, j) => void expect(more[j]).toBeCloseTo(shape, 12))
    expect(Math.max(...full.map((shape, j) => Math.abs(shape - half[j])))).toBeGreaterThan(0.01)
  })

  test("no count of a word falls below the prior's, however far a step would go", async () => {
    for (const [family, least] of [
      [multinomial(), 1],
      [multinomial({ prior: 0 }), 0],
    ] as const) {
      const model = classes("y", independent({ x: gaussian(), t: family })) as Model
      const { laid, problem, counts, blocks } = await problemOf(
        model,
        drawn(60, () => 0),
      )
      const words = laid.parts.find(part => part.leaf.shape.lengthGiven)!
      const course = { regime: { against: "hidden", target: "y" }, generative: 0.1, prior: 1 } as const
      const moving = problem.moments.moving(counts, course)
      for (const block of blocks) moving.step(block, 0.01, 1e4)
      const { moments } = moving.state()
      for (let j = 0; j < words.leaf.shape.statistics; j++) {
        const count = moments[words.ranges.statsAt + j] * problem.data.weight
        expect(count).toBeGreaterThan(0)
        expect(count).toBeGreaterThanOrEqual(least * (1 - 1e-12))
      }
    }
  })
})
