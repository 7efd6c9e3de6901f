/** Long because workers fail in many ways, and each is provoked for real. */
import { once } from "node:events"
import { syncBuiltinESMExports } from "node:module"
import os from "node:os"
import nodeThreads, { Worker, type WorkerOptions } from "node:worker_threads"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { Row } from "../contract/cells.ts"
import type { Family } from "../contract/family.ts"
import type { Learner } from "../contract/learner.ts"
import type { Model } from "../contract/model.ts"
import { lay } from "../engine/lay.ts"
import { SufficeError } from "../errors.ts"
import type { FitOptions, Step } from "../fit/options.ts"
import {
  categorical,
  classes,
  dice,
  em,
  fit,
  gaussian,
  independent,
  mixture,
  multinomial,
  normal,
  poisson,
} from "../index.ts"
import { useKernels } from "../kernels.ts"
import { learn, onlineEm } from "../learn.ts"
import type { Workers } from "./idle.ts"
import { SharedSweeps, workersFor } from "./threads.ts"
import { commandHandler } from "./worker.ts"

/** Every worker that Node makes in a test, those that were told to end, and options added to theirs. */
let made: Worker[] = []
const ended = new Set<Worker>()
let limits: WorkerOptions = {}
const NodeWorker = Worker
const { availableParallelism } = os
beforeAll(() => {
  os.availableParallelism = () => 3
  nodeThreads.Worker = class extends NodeWorker {
    constructor(file: string | URL, options?: WorkerOptions) {
      super(file, { ...options, ...limits })
      // the bundler has a worker of its own
      if (String(file).startsWith("data:")) made.push(this)
    }
    override terminate(): Promise<number> {
      ended.add(this)
      return super.terminate()
    }
  }
  syncBuiltinESMExports()
})
afterAll(() => {
  nodeThreads.Worker = NodeWorker
  os.availableParallelism = availableParallelism
  syncBuiltinESMExports()
})
beforeEach(async () => {
  // a test starts without workers of the one before
  await Promise.all(made.map(worker => worker.terminate()))
  made = []
  limits = {}
})

/** Three chunks, the last one not full, as some weights are 0: holes, labels that are missing or soft, weights, bags. */
const ROWS = 3 * 8192 + 500
const roll = dice(5)
const some = <T>(cell: T): T | null => (roll.uniform() < 0.1 ? null : cell)
const rows = Array.from({ length: ROWS }, (_, i) => ({
  y: i % 5 ? some(i % 3 ? "a" : "b") : { a: 1 + (i % 2), b: 2 },
  x: some(roll.normal() + (i % 3)),
  v: roll.normal() + (i % 2),
  z: some(roll.normal() * (1 + (i % 2))),
  c: some(["p", "q", "r"][roll.integer(3)]),
  n: some(roll.poisson(3)),
  t: Array.from({ length: roll.integer(5) }, () => `word${roll.integer(30)}`),
  w: roll.integer(10) === 0 ? 0 : roll.gamma(2),
}))
const source = {
  async *[Symbol.asyncIterator]() {
    for (let from = 0; from < rows.length; from += 3000) yield rows.slice(from, from + 3000)
  },
}
const models: Record<string, Model> = {
  "a mixture": mixture(2, normal(["x", "z"])) as Model,
  "naive Bayes with holes": classes(
    "y",
    independent({ x: gaussian(), c: categorical(), n: poisson(), t: multinomial() }),
  ) as Model,
  "a mixture in each class": classes(
    "y",
    independent(mixture(2, normal(["x", "z"])), { t: multinomial() }),
  ) as Model,
}
const few = em({ maxIterations: 3, tolerance: 0, unlabelled: 0.5 })
const bitsOf = async (model: Model, options: FitOptions, data: unknown = rows): Promise<string> =>
  JSON.stringify(await fit(model, data as Row[], { learner: few, weight: "w", ...options }))
/** It has been told to end, without waiting for the idle time, and does. */
const gone = async (worker: Worker): Promise<void> => {
  expect(ended).toContain(worker)
  if (worker.threadId !== -1) await once(worker, "exit")
}

describe("a fit has the same bits for any number of threads", () => {
  test.each(Object.entries(models))("%s", async (_, model) => {
    const one = await bitsOf(model, { threads: 1 })
    expect(made).toHaveLength(0)
    expect(await bitsOf(model, { threads: 2 })).toBe(one)
    expect(made).toHaveLength(2)
    expect(await bitsOf(model, { threads: 3 })).toBe(one)
    expect(await bitsOf(model, { threads: 2 }, source)).toBe(one)
    expect(made).toHaveLength(3)
  })

  test("with a component that starves, and restarts", async () => {
    const model = mixture(3, independent({ v: gaussian() })) as Model
    const start = {
      "mixture(v)": {
        probabilities: { 0: 0.5, 1: 0.499, 2: 0.001 },
        given: { 0: { v: g(0, 1) }, 1: { v: g(2, 1) }, 2: { v: g(900, 0.01) } },
      },
    }
    const learner = em({ maxIterations: 4, tolerance: 0, prior: 0, start })
    const runs: number[] = []
    const onStep = ({ run }: Step): void => void runs.push(run)
    const one = await bitsOf(model, { threads: 1, learner, onStep })
    expect(Math.max(...runs)).toBeGreaterThan(0)
    expect(await bitsOf(model, { threads: 2, learner })).toBe(one)
    const again = em({ maxIterations: 2, tolerance: 0, restarts: 1 })
    expect(await bitsOf(model, { threads: 3, learner: again })).toBe(
      await bitsOf(model, { threads: 1, learner: again }),
    )
  })

  test("sweeps that are asked for at the same time, at different parameters", async () => {
    const sums: Record<number, number[][]> = { 1: [], 2: [] }
    for (const threads of [1, 2]) {
      for (const data of [rows, source]) {
        const eager: Learner = {
          ...few,
          async *learn(problem) {
            yield* []
            // the first of them is how probable the first class is
            const at = [0.1, 0.2, 0.3].map(more => {
              const { params } = problem.theta.solve(problem.theta.prior, 0)
              params[0] += more
              return params
            })
            for (let time = 0; time < 2; time++) {
              const swept = await Promise.all(at.map(params => problem.data.sweep(params)))
              for (const { stats } of swept) sums[threads].push([...stats])
            }
          },
        }
        await bitsOf(models["naive Bayes with holes"], { threads, learner: eager }, data).catch(
          () => undefined,
        )
      }
    }
    expect(new Set(sums[1].map(String)).size).toBe(3)
    expect(sums[2]).toEqual(sums[1])
  })

  test("counting, an update, and what only takes small steps", async () => {
    const whole = rows.map(row => ({ ...row, y: row.n === 3 ? "a" : "b", x: row.x ?? 0 }))
    const model = classes("y", independent({ x: gaussian() }))
    const counted = async (threads: number): Promise<string> =>
      JSON.stringify(await (await fit(model, whole, { threads })).update(whole, { threads }))
    expect(await counted(2)).toBe(await counted(1))
    expect(made).toHaveLength(2)
    const learner = onlineEm({ epochs: 1 })
    const stepped = (threads: number) => fit(model, whole.slice(0, 9000), { threads, learner })
    expect(JSON.stringify(await stepped(2))).toBe(JSON.stringify(await stepped(1)))
    expect(made).toHaveLength(2)
  })
})

function g(mean: number, sd: number) {
  return { mean, sd }
}

describe("a worker that dies", () => {
  const model = models["a mixture"]

  /** A checkpoint that is kept, and a fit that loses a worker after its second step. */
  async function bereaved(lose: (worker: Worker) => void, data: unknown = rows, maxIterations = 6) {
    let kept: Uint8Array | undefined
    const checkpoint = {
      read: () => kept,
      write(bytes: Uint8Array) {
        kept = bytes
      },
    }
    const options = { threads: 2, checkpoint, learner: em({ maxIterations, tolerance: 0 }) }
    const onStep = ({ iteration }: Step): void => {
      if (iteration === 1) lose(made[1])
    }
    const error = await bitsOf(model, { ...options, onStep }, data).catch(error => error)
    return { error, options, taken: kept!.length }
  }

  test("is named, with what to do; its sibling is ended, and the checkpoint goes on to the same bits", async () => {
    const { error, options } = await bereaved(worker => void worker.terminate())
    expect(error).toBeInstanceOf(SufficeError)
    expect(error.code).toBe("threads")
    expect(error.message).toMatchInlineSnapshot(
      `"fit: worker 2 of 2 has died: it ended with code 1. Its rows are gone, and the sweep cannot be finished. Fit again, with the same checkpoint to go on after the last step, and with fewer threads if memory ran out."`,
    )
    await Promise.all(made.map(gone))
    const whole = await bitsOf(model, { ...options, checkpoint: undefined } as FitOptions)
    const iterations: number[] = []
    const onStep = ({ iteration }: Step): void => void iterations.push(iteration)
    expect(await bitsOf(model, { ...options, onStep })).toBe(whole)
    expect(iterations).toEqual([2, 3, 4, 5, 6])
  })

  test("in the middle of a sweep, of a source too, leaves nobody waiting", async () => {
    const late = (worker: Worker): void => void setTimeout(() => void worker.terminate(), 5)
    for (const data of [rows, source]) {
      // so many steps that none of them is the last, however long the worker takes to die
      const { error } = await bereaved(late, data, 1_000_000)
      expect(error).toMatchObject({ code: "threads" })
      await Promise.all(made.map(gone))
      made = []
    }
  })

  test("of lack of memory says so", async () => {
    limits = { resourceLimits: { maxOldGenerationSizeMb: 2, maxYoungGenerationSizeMb: 1 } }
    const error = await bitsOf(model, { threads: 2 }).catch(error => error)
    expect(error.code).toBe("threads")
    expect(error.message).toContain("reaching memory limit")
  })
})

describe("workers outlive a fit", () => {
  const model = models["a mixture"]
  const alive = (): Worker[] => made.filter(worker => !ended.has(worker))

  test("that ends gracefully, and the next takes them: another model, other rows, other kernels", async () => {
    for (const kernels of ["typescript", "wasm", "typescript"] as const) {
      useKernels(kernels)
      for (const each of Object.values(models)) {
        const one = await bitsOf(each, { threads: 1 })
        expect(await bitsOf(each, { threads: 2 })).toBe(one)
        expect(await bitsOf(each, { threads: 2 }, rows.slice(0, 9000))).not.toBe(one)
      }
    }
    useKernels("wasm")
    expect(made).toHaveLength(2)
    expect(alive()).toHaveLength(2)
  })

  test("whose loop was left between two sweeps, or whose caller threw there", async () => {
    for (let time = 0; time < 2; time++) {
      for await (const { iteration } of learn(model, rows as Row[], { threads: 2, learner: few })) {
        if (iteration === 1) break
      }
      const onStep = (): never => {
        throw new Error("the caller's")
      }
      await expect(bitsOf(model, { threads: 2, onStep })).rejects.toThrow("the caller's")
    }
    expect(await bitsOf(model, { threads: 2 })).toBe(await bitsOf(model, { threads: 1 }))
    expect(made).toHaveLength(2)
  })

  test("but not one that is aborted, in the middle of a sweep or between two", async () => {
    for (const late of [true, false]) {
      await bitsOf(model, { threads: 2 })
      const controller = new AbortController()
      const abort = (): void => controller.abort(new Error("enough"))
      const onStep = (): void => (late ? void setTimeout(abort, 3) : abort())
      const learner = em({ maxIterations: 1000, tolerance: 0 })
      await expect(bitsOf(model, { threads: 2, signal: controller.signal, onStep, learner })).rejects.toThrow(
        "enough",
      )
      expect(made).toHaveLength(2)
      await Promise.all(made.map(gone))
      made = []
    }
  })

  test("nor one whose source fails in the middle of a sweep", async () => {
    let passes = 0
    const failing = {
      async *[Symbol.asyncIterator]() {
        const pass = passes++
        for (let from = 0; from < rows.length; from += 3000) {
          if (pass === 3 && from > 9000) throw new Error("the disk is gone")
          yield rows.slice(from, from + 3000)
        }
      },
    }
    await expect(bitsOf(model, { threads: 2, spill: false }, failing)).rejects.toThrow("the disk is gone")
    expect(made).toHaveLength(2)
    await Promise.all(made.map(gone))
  })

  test("nor one whose learner leaves a sweep that is not finished", async () => {
    const hasty: Learner = {
      ...few,
      name: "hasty",
      async *learn(problem) {
        yield* []
        const { params } = problem.theta.solve(problem.theta.prior, 0)
        await problem.data.sweep(params)
        problem.data.sweep(params).catch(() => undefined)
        // chunks are asked for in these turns, and answered in none of them
        for (let turn = 0; turn < 10; turn++) await undefined
      },
    }
    await expect(bitsOf(model, { threads: 2, learner: hasty })).rejects.toThrow("without finishing a run")
    expect(made).toHaveLength(2)
    await Promise.all(made.map(gone))
  })

  test("and fits at the same time have each their own", async () => {
    const one = await Promise.all(Object.values(models).map(each => bitsOf(each, { threads: 1 })))
    const at = () => Promise.all(Object.values(models).map(each => bitsOf(each, { threads: 2 })))
    expect(await at()).toEqual(one)
    // two each, but a fit that begins when another has ended may take over its workers
    expect(made.length).toBeGreaterThan(2)
    expect(made.length).toBeLessThanOrEqual(6)
    // as many as there are cores are kept
    expect(alive().length).toBeLessThanOrEqual(3)
    expect(await at()).toEqual(one)
    expect(made.length).toBeLessThanOrEqual(9)
  })

  test("unless they die while idle: then others are made, whether their death is known already or not", async () => {
    const one = await bitsOf(model, { threads: 2 })
    await made[0].terminate()
    expect(await bitsOf(model, { threads: 2 })).toBe(one)
    expect(made).toHaveLength(3)
    for (const worker of made) void worker.terminate()
    expect(await bitsOf(model, { threads: 2 })).toBe(one)
    expect(made).toHaveLength(5)
    expect(alive()).toHaveLength(2)
  })
})

describe("what cannot cross", () => {
  const zipf = { ...(gaussian() as Family), name: "zipf" } as Family<number>
  const own = mixture(2, independent({ x: zipf, z: gaussian() })) as Model

  test("a family of one's own is refused where threads are asked for, and stays here where not", async () => {
    const error = await bitsOf(own, { threads: 2 }).catch(error => error)
    expect(error.code).toBe("threads")
    expect(error.message).toMatchInlineSnapshot(
      `"fit: threads is 2, but "zipf" is a family of your own. Workers know the families of Suffice by their names; the code of yours cannot cross to them. Write threads: 1, or leave it out."`,
    )
    await expect(fit(own, rows.slice(0, 10) as Row[], { threads: 2 })).rejects.toThrow("zipf")
    expect(made).toHaveLength(0)
    expect(await bitsOf(own, { threads: "auto" })).toBe(await bitsOf(own, { threads: 1 }))
    expect(made).toHaveLength(0)
  })

  test("one that has the name of another is found out", async () => {
    const shadow: Family<number> = {
      ...(gaussian() as Family<number>),
      bind(columns, places, slots) {
        const leaf = (gaussian() as Family).bind(columns, places, slots)
        return {
          ...leaf,
          score(block, params, out) {
            leaf.score(block, params, out)
            for (let i = 0; i < block.rows; i++) out[i] += 0.5
          },
        }
      },
    }
    const model = mixture(2, independent({ x: shadow })) as Model
    const error = await bitsOf(model, { threads: 2 }).catch(error => error)
    expect(error.code).toBe("threads")
    expect(error.message).toMatchInlineSnapshot(
      `"fit: threads is 2, but a worker cannot take the model: it computes something else there. Workers know the families and structures of Suffice by their names; those of your own cannot cross to them. Write threads: 1, or leave it out."`,
    )
    await Promise.all(made.map(gone))
  })

  test("a structure of one's own", async () => {
    const inner = models["a mixture"]
    const model: Model = { ...inner, spec: { ...inner.spec, kind: "forest" } }
    const error = await bitsOf(model, { threads: 2 }).catch(error => error)
    expect(error.code).toBe("threads")
    expect(error.message).toMatchInlineSnapshot(
      `"fit: threads is 2, but a worker cannot take the model: "forest" is not known there. Workers know the families and structures of Suffice by their names; those of your own cannot cross to them. Write threads: 1, or leave it out."`,
    )
  })

  test("a learner that asks for rows after a sweep, though it says that it only sweeps", async () => {
    const greedy: Learner = {
      ...few,
      name: "greedy",
      async *learn(problem) {
        yield* []
        await problem.data.sweep(problem.theta.solve(problem.theta.prior, 0).params)
        for await (const _ of problem.data.batches(10, undefined));
      },
    }
    const error = await bitsOf(models["a mixture"], { threads: 2, learner: greedy }).catch(error => error)
    expect(error.code).toBe("threads")
    expect(error.message).toMatchInlineSnapshot(
      `"fit: the learner "greedy" asks for rows after a sweep. It says that it only sweeps, so the rows have gone to other threads. Leave \`sweeps\` out of it, or ask for rows before the first sweep."`,
    )
    const frank: Learner = { ...greedy, sweeps: undefined }
    await expect(bitsOf(models["a mixture"], { threads: 2, learner: frank })).rejects.toThrow(
      "without finishing a run",
    )
  })
})

/** Sweeps of two workers over one row. */
function sweepsOf(workers: Workers) {
  const columns = [{ kind: "number", name: "x", shift: 0, scale: 1, variance: 1 }] as const
  const model = mixture(2, independent({ x: gaussian() })) as Model
  const laid = lay(model, columns)
  const params = new Float64Array(laid.parameters).fill(0.5)
  return {
    params,
    sweeps(requested: number | "auto"): SharedSweeps {
      const held = [[{ rows: 1, weight: Float64Array.of(1), cells: [Float64Array.of(2)] }]]
      const rows = { rows: 1, chunk: 1, chunks: () => held, inMemory: held }
      const task = { model, laid, certain: false }
      return new SharedSweeps({ requested, count: 2, workers }, task, rows, held[0][0], undefined)
    },
  }
}

test("workers that are ready when the fit is over already are let go", async () => {
  let acquired = 0
  let released = 0
  const { params, sweeps } = sweepsOf({
    cores: () => 2,
    acquire(listener) {
      acquired++
      const handle = commandHandler(reply => void setTimeout(() => listener.onReply(reply)))
      return {
        post: command => handle(command),
        keepAlive: () => undefined,
        end: () => undefined,
        release: () => void released++,
      }
    },
  })
  const shared = sweeps(2)
  const swept = shared.sweep(params)
  shared.end()
  await expect(swept).rejects.toThrow("the workers have been ended")
  expect([acquired, released]).toEqual([2, 2])
})

describe("where no worker begins", () => {
  const { params, sweeps } = sweepsOf({
    acquire(): never {
      throw new Error("Refused by the page")
    },
    cores: () => 2,
  })

  test('"auto" learns in one thread', async () => {
    const shared = sweeps("auto")
    const swept = await shared.sweep(params)
    expect(shared.gone).toBe(false)
    expect(await shared.sweep(params)).toEqual(swept)
    expect(swept.stats.some(value => value > 0)).toBe(true)
    shared.end()
  })

  test("a number is refused", async () => {
    const error = await sweeps(2)
      .sweep(params)
      .catch(error => error)
    expect(error.code).toBe("threads")
    expect(error.message).toMatchInlineSnapshot(
      `"fit: threads is 2, but a worker does not begin: Refused by the page. Its file must stand beside the program, and a page must allow workers. Make it so, or leave threads out: then one thread is enough."`,
    )
  })
})

describe("how many", () => {
  const columns = [{ kind: "number", name: "x", shift: 0, scale: 1, variance: 1 }] as const
  const model = mixture(4, independent({ x: gaussian() })) as Model
  const task = { model, laid: lay(model, columns), certain: false }
  const count = (requested: number | "auto", rows: number, certain = false): number =>
    workersFor(requested, few, { ...task, certain }, { rows, chunk: 8192 }, { cores: () => 4 })

  test('"auto" takes one for small work and for counting, and else as many as there are cores or chunks', () => {
    expect(count("auto", 10_000)).toBe(1)
    expect(count("auto", 10_000_000, true)).toBe(1)
    expect(count("auto", 10_000_000)).toBe(4)
  })

  test("a number is taken as it is, but no worker is without a chunk", () => {
    expect(count(8, 10_000_000)).toBe(8)
    expect(count(8, 3 * 8192)).toBe(3)
    expect(count(8, 8192)).toBe(1)
  })

  test("anything else is refused", async () => {
    const refused: string[] = []
    for (const threads of [0, 1.5, Number.NaN, "all", "2"]) {
      await fit(models["a mixture"], rows as Row[], { threads: threads as number }).catch(error =>
        refused.push(`${error.code}: ${error.message}`),
      )
    }
    expect(refused).toMatchInlineSnapshot(`
      [
        "option: fit: threads is 0. It must be a whole number ≥ 1, or "auto". Write for example { threads: 2 }.",
        "option: fit: threads is 1.5. It must be a whole number ≥ 1, or "auto". Write for example { threads: 2 }.",
        "option: fit: threads is NaN. It must be a whole number ≥ 1, or "auto". Write for example { threads: 2 }.",
        "option: fit: threads is "all". It must be a whole number ≥ 1, or "auto". Write for example { threads: 2 }.",
        "option: fit: threads is "2". It must be a whole number ≥ 1, or "auto". Write for example { threads: 2 }.",
      ]
    `)
  })
})
