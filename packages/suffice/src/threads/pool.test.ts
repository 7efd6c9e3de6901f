import { type ModelSpecimen, modelOf, modelsOf, nested, type Variant, variants } from "suffice-laws"
import { expect, test } from "vitest"
import { gather } from "../blocks/gather.ts"
import type { Chunk } from "../contract/block.ts"
import type { Model } from "../contract/model.ts"
import { discover } from "../data/discover.ts"
import { encodeForLearning } from "../data/encode.ts"
import type { Data } from "../data/read.ts"
import { weightingOf } from "../data/weigh.ts"
import { lay, priorOf, solve } from "../engine/lay.ts"
import { sweep } from "../engine/sweep.ts"
import { families } from "../families/list.ts"
import { gaussian, independent, mixture } from "../index.ts"
import { dice } from "../random.ts"
import { type AcquiredWorker, reusableWorkers } from "./idle.ts"
import type { Listener } from "./messages.ts"
import { WorkerPool } from "./pool.ts"
import * as platform from "./sources.ts"

/** Shared by all pools here: starting workers takes longer than a law. */
const workers = reusableWorkers({ ...platform, cores: () => 3 })

/** Chunks of a few rows, so that there are many. */
async function problem(specimen: ModelSpecimen, variant: Variant) {
  const roll = dice(11)
  const model: Model = modelOf(specimen)
  const rows = Array.from({ length: 60 }, () => specimen.row(roll))
  const { data, options } = variant.dress(rows, model, roll)
  const weighting = weightingOf(model, options)
  const found = await discover(model.uses, data as Data, weighting, undefined)
  const laid = lay(model, found.schema.columns)
  async function chunks(): Promise<Chunk[]> {
    const small: Chunk[] = []
    for await (const chunk of encodeForLearning(found.schema, data as Data, weighting, found.rows)) {
      for (const block of chunk) {
        for (let from = 0; from < block.rows; from += 7) {
          const rows = Array.from({ length: Math.min(7, block.rows - from) }, (_, i) => from + i)
          small.push([gather(laid.columns, { blocks: rows.map(() => block), rows })])
        }
      }
    }
    return small
  }
  const { params } = solve(
    laid,
    priorOf(laid).map((alpha, j) => alpha + 0.1 + 0.05 * (j % 5)),
    0,
  )
  return { model, laid, params, chunks }
}

const specimens = [...nested, ...families.flatMap(modelsOf)]

test.each(specimens.map(specimen => [specimen.name, specimen] as const))(
  "any number of workers sums %s to the bits of none",
  async (_, specimen) => {
    for (const variant of variants) {
      if (variant.suits(modelOf(specimen)) !== true) continue
      const { model, laid, params, chunks } = await problem(specimen, variant)
      const alone = await sweep(laid, await chunks(), params, { certain: false })
      for (const count of [1, 2, 3]) {
        const task = { model, laid, certain: false }
        const mine = await chunks()
        expect(mine.length, "several chunks").toBeGreaterThan(3)
        const pool = await WorkerPool.start(workers, count, task, mine[0][0], params, undefined)
        try {
          // read again for each sweep, and then stored
          expect(await pool.sweep(params, await chunks()), variant.name).toEqual(alone)
          for (const chunk of mine) pool.store(chunk)
          for (const _ of [1, 2]) expect(await pool.sweep(params), variant.name).toEqual(alone)
        } finally {
          pool.end()
        }
      }
    }
  },
)

test("workers reply for several chunks at once if statistics are few, for one if they are many", async () => {
  for (const [components, at] of [
    [4, 9],
    [1100, 3],
    [5000, 1],
  ]) {
    const specimen: ModelSpecimen = {
      name: "a mixture",
      build: () => mixture(components, independent({ x: gaussian() })) as Model,
      row: roll => ({ x: roll.normal() }),
      drops: [],
    }
    const { model, laid, params, chunks } = await problem(specimen, variants[0])
    const alone = await sweep(laid, await chunks(), params, { certain: false })
    for (const count of [1, 2, 4]) {
      const answered: number[] = []
      const acquire = (listener: Listener): AcquiredWorker =>
        workers.acquire({
          ...listener,
          onReply(reply) {
            if (reply.type === "swept") answered.push(reply.swept.length)
            listener.onReply(reply)
          },
        })
      const mine = await chunks()
      expect(mine).toHaveLength(9)
      const pool = await WorkerPool.start(
        { acquire },
        count,
        { model, laid, certain: false },
        mine[0][0],
        params,
        undefined,
      )
      for (const chunk of mine) pool.store(chunk)
      expect(await pool.sweep(params)).toEqual(alone)
      pool.end()
      expect(Math.max(...answered)).toBe(Math.min(at, Math.ceil(9 / count)))
      expect(answered.reduce((sum, length) => sum + length)).toBe(9)
    }
  }
})

test("rows that are handed over are gone from here", async () => {
  const { model, laid, params, chunks } = await problem(nested[0], variants[0])
  const [first] = await chunks()
  const pool = await WorkerPool.start(
    workers,
    1,
    { model, laid, certain: false },
    first[0],
    params,
    undefined,
  )
  pool.store(first)
  expect(first[0].weight.length).toBe(0)
  pool.end()
  await expect(pool.sweep(params)).rejects.toThrow("the workers have been ended")
})

test("a model that computes something else in a worker is found out before it gets rows", async () => {
  const { model, laid, params, chunks } = await problem(nested[0], variants[0])
  const other = { ...laid, root: { ...laid.root, up: () => undefined } }
  const [[probe]] = await chunks()
  await expect(
    WorkerPool.start(workers, 2, { model, laid: other, certain: false }, probe, params, undefined),
  ).rejects.toMatchObject({ what: "model", message: "it computes something else there" })
})

test("and so is a worker that differs in any of its replies", async () => {
  const { model, laid, params, chunks } = await problem(nested[0], variants[0])
  const [[probe]] = await chunks()
  type Shown = Extract<Parameters<Listener["onReply"]>[0], { type: "laid" }>["swept"]
  const differences: Record<string, (shown: Shown) => Shown> = {
    "the likelihood": shown => ({ ...shown, logLikelihood: shown.logLikelihood! + 1e-12 }),
    "the entropy": shown => ({ ...shown, entropy: shown.entropy + 1e-12 }),
    "whether something was guessed": shown => ({ ...shown, guessed: !shown.guessed }),
    "a sum": shown => ({ ...shown, stats: shown.stats.map((value, j) => (j === 3 ? value + 1e-12 : value)) }),
    "how many sums there are": shown => ({ ...shown, stats: shown.stats.slice(1) }),
  }
  for (const [what, change] of Object.entries(differences)) {
    const acquire = (listener: Listener): AcquiredWorker =>
      workers.acquire({
        ...listener,
        onReply: reply =>
          listener.onReply(reply.type === "laid" ? { ...reply, swept: change(reply.swept) } : reply),
      })
    await expect(
      WorkerPool.start({ acquire }, 1, { model, laid, certain: false }, probe, params, undefined),
      what,
    ).rejects.toMatchObject({ what: "model", message: "it computes something else there" })
  }
})

test("a worker that is slow does not change the order, nor lets the others run ahead", async () => {
  const { model, laid, params, chunks } = await problem(nested[2], variants[0])
  const alone = await sweep(laid, await chunks(), params, { certain: false })
  let waiting = 0
  let most = 0
  let made = 0
  const slow = (listener: Listener): AcquiredWorker => {
    const delay = made++ === 0 ? 5 : 0
    const handle = workers.acquire({
      ...listener,
      onReply(reply) {
        setTimeout(() => {
          if (reply.type === "swept") waiting--
          listener.onReply(reply)
        }, delay)
      },
    })
    return {
      ...handle,
      post(command, transfer) {
        if (command.type === "sweep") most = Math.max(most, ++waiting)
        handle.post(command, transfer)
      },
    }
  }
  const mine = (await chunks()).concat(await chunks(), await chunks(), await chunks())
  const pool = await WorkerPool.start(
    { acquire: slow },
    2,
    { model, laid, certain: false },
    mine[0][0],
    params,
    undefined,
  )
  const swept = await pool.sweep(params, mine)
  pool.end()
  expect(most).toBe(16)
  expect(swept.logLikelihood).toBeCloseTo(4 * alone.logLikelihood!, 8)
  const again = await sweep(
    laid,
    (await chunks()).concat(await chunks(), await chunks(), await chunks()),
    params,
    {
      certain: false,
    },
  )
  expect(swept).toEqual(again)
})
