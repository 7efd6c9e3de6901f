/** The hinge loss of tags in chains below a switch, against all k^T paths. */

import { probe } from "suffice-laws/probe"
import { describe, expect, test } from "vitest"
import type { Block, Nested } from "../../contract/block.ts"
import type { Model } from "../../contract/model.ts"
import type { Joint } from "../../contract/node.ts"
import { contrast } from "../../engine/contrast.ts"
import { lay } from "../../engine/lay.ts"
import { categorical, chain, classes, dice, fit, gaussian, independent, mixture } from "../../index.ts"
import { sdem } from "../../learn.ts"

const draws = dice(3)
const LONGEST = 4
const rows = Array.from({ length: 12 }, (_, i) => {
  const kind = i % 2 ? "left" : "right"
  return {
    kind,
    steps: Array.from({ length: 1 + draws.integer(LONGEST) }, () => {
      const state = draws.integer(3)
      // the letters of a state are those of another one in the other kind of sequence
      const letter = "uvw"[draws.uniform() < 0.7 ? (state + i) % 2 : state]
      return { tag: draws.uniform() < 0.8 ? "abc"[state] : null, c: letter }
    }),
  }
})
const tagger = () => chain("tag", independent({ c: categorical() }), { levels: ["a", "b", "c"] } as never)
const SUBJECTS: Readonly<Record<string, Model>> = {
  "a class that is seen": classes("kind", tagger() as never) as unknown as Model,
  "a class that is missing in half of the rows": classes("kind", tagger() as never) as unknown as Model,
  "a mixture": mixture(2, tagger() as never) as unknown as Model,
}

/** For every row, the best path of all with a margin of 2 for each tag that it misses, and the best one with all tags: whole rows are scored. */
function brute(root: { up(...given: never[]): unknown }, params: Float64Array, block: Block, outer: number) {
  const nested = block.cells[outer] as Nested
  const { offsets, block: steps } = nested
  const place = steps.cells.findIndex(
    cells => cells instanceof Int32Array && (cells as Int32Array).includes(-1),
  )
  const tags = steps.cells[place] as Int32Array
  const [right, wrong] = [0, 1].map(() => new Float64Array(block.rows).fill(-Infinity))
  for (let code = 0; code < 3 ** LONGEST; code++) {
    const path = new Int32Array(tags.length)
    const misses = new Int32Array(block.rows)
    for (let i = 0; i < block.rows; i++) {
      for (let t = offsets[i]; t < offsets[i + 1]; t++) {
        path[t] = Math.trunc(code / 3 ** (t - offsets[i])) % 3
        if (tags[t] >= 0 && tags[t] !== path[t]) misses[i]++
      }
    }
    const cells = steps.cells.slice()
    cells[place] = path
    const outerCells = block.cells.slice()
    outerCells[outer] = { ...nested, block: { ...steps, cells } }
    const scores = new Float64Array(block.rows)
    root.up(...([{ ...block, cells: outerCells }, params, scores] as never[]))
    for (let i = 0; i < block.rows; i++) {
      if (misses[i] === 0) right[i] = Math.max(right[i], scores[i])
      wrong[i] = Math.max(wrong[i], scores[i] + 2 * misses[i])
    }
  }
  let loss = 0
  for (let i = 0; i < block.rows; i++) {
    const seen = tags.subarray(offsets[i], offsets[i + 1]).some(tag => tag >= 0)
    if (seen) loss += Math.max(0, wrong[i] - right[i])
  }
  return loss
}

describe("the hinge loss of a tag below", () => {
  test.each(Object.entries(SUBJECTS))("%s", async (name, model) => {
    const data = rows.map((row, i) =>
      name.includes("missing") && i % 4 < 2 ? { ...row, kind: null } : row,
    ) as never
    const { problem, root, blocks, columns } = await probe(model, data)
    const outer = columns.findIndex(({ kind }) => kind === "steps")
    problem.moments.target("tag", "rival")
    // contexts that differ
    const start = problem.theta.withPrior(
      (await problem.data.sweep(problem.theta.solve(problem.theta.prior, 0).params)).stats,
      1,
    )
    const tilted = start.map((count, j) => count * (1 + 0.3 * Math.sin(j)))
    const regime = { against: "rival", target: "tag", margin: 2 } as const
    const moving = problem.moments.moving(tilted, { regime, generative: 0, prior: 0, inertia: 0 })
    const { params } = problem.theta.solve(
      moving.state().moments.map(value => value * problem.data.weight),
      0,
    )
    const wanted = brute(root as never, params, blocks[0], outer)
    const { loss } = moving.step(blocks[0], 1e-9, undefined)
    expect(wanted).toBeGreaterThan(1)
    // where the context is unknown the rival is the best of those of the contexts, which need not be the best of all
    if (name.includes("seen")) expect(loss).toBeCloseTo(wanted, 9)
    else {
      expect(loss).toBeLessThan(wanted + 1e-9)
      expect(loss).toBeGreaterThan(0.95 * wanted)
    }
  })

  test("the best paths are known: what an upward pass of each would say besides changes no bit", async () => {
    const draws = dice(4)
    const aged = rows.map(row => ({ ...row, age: draws.normal(), size: draws.normal() }))
    const beside = mixture(2, independent({ age: gaussian(), size: gaussian() }))
    const body = mixture(2, independent({ c: categorical() }))
    const model = independent(
      beside as never,
      chain("tag", body, { levels: ["a", "b", "c"] } as never) as never,
    )
    const { problem, columns, blocks, dice: rolls } = await probe(model as unknown as Model, aged as never)
    const laid = lay(model as unknown as Model, columns)
    const { params } = problem.theta.solve(await problem.start.guess(rolls), 1)
    const regime = { against: "rival", target: "tag", margin: 2 } as const
    const found = [true, false].map(isSpared => {
      let asked = 0
      const rival: NonNullable<Joint["rival"]> = (...given) => {
        const { work, ...rest } = laid.root.joint!.rival!(...given)!
        expect(work).toBeDefined()
        asked++
        return isSpared ? { work, ...rest } : rest
      }
      const stats = new Float64Array(laid.statistics)
      const { loss } = contrast(
        {
          ...laid,
          root: {
            ...laid.root,
            joint: { ...laid.root.joint, rival },
          },
        },
        blocks[0],
        params,
        regime,
        stats,
      )
      expect(asked).toBe(1)
      return { loss, stats }
    })
    expect(found[0].loss).toBeGreaterThan(1)
    expect(found[0].stats.some(value => value !== 0)).toBe(true)
    expect(found[0]).toEqual(found[1])
  })

  test("goes down as it is learned", async () => {
    const model = SUBJECTS["a mixture"]
    const losses: number[] = []
    await fit(model, rows as never, {
      learner: sdem({ loss: "hinge", target: "tag", epochs: 30 }),
      onStep: ({ objective }) => {
        losses.push(-objective)
      },
    })
    expect(losses.at(-1)!).toBeLessThan(0.7 * losses[2])
  })
})
