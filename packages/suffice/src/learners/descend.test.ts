/** What a learner of small steps asks of a problem, seen from between the two. */
import { describe, expect, test } from "vitest"
import type { Block } from "../contract/block.ts"
import type { Learnable } from "../contract/learnable.ts"
import type { Learner } from "../contract/learner.ts"
import type { Moving } from "../contract/moving.ts"
import { classes, dice, fit, gaussian, independent, multinomial, type Step } from "../index.ts"
import { learn, onlineEm, sdem } from "../learn.ts"

const rolls = dice(6)
const COUNT = 40
const rows = Array.from({ length: COUNT }, (_, i) => ({
  y: "ab"[i % 2],
  x: (i % 2) + rolls.normal(),
  t: [`w${rolls.integer(4)}`, `w${(i % 2) + rolls.integer(4)}`],
}))
const model = classes("y", independent({ x: gaussian(), t: multinomial() }))

/** The same thing, some of its members others. */
function instead<T extends object>(thing: T, members: Partial<T>): T {
  return new Proxy(thing, {
    get: (target, name) => Reflect.get(name in members ? members : target, name),
  })
}

/** The problem, its moments made another way. */
function moved(problem: Learnable, moving: Learnable["moments"]["moving"]): Learnable {
  return instead(problem, { moments: instead(problem.moments, { moving }) })
}

/** The learner, at a problem that was looked at or changed before. */
function between(learner: Learner, change: (problem: Learnable) => Learnable): Learner {
  return { ...learner, learn: (problem, die, from) => learner.learn(change(problem), die, from) }
}

async function stepsOf(learner: Learner): Promise<Step<{ y: string }, "y">[]> {
  const steps = []
  for await (const step of learn(model, rows, { learner })) steps.push(step)
  return steps as never
}

describe.each([
  ["onlineEm", onlineEm({ epochs: 4, batch: 8 })],
  ["sdem", sdem({ epochs: 4, batch: 8 })],
])("the epochs of %s", (_name, learner) => {
  test("go over all rows, each in an order of its own", async () => {
    const epochs: number[][] = []
    const watched = between(learner, problem =>
      instead(problem, {
        data: instead(problem.data, {
          async *batches(size, order) {
            const met: number[] = []
            epochs.push(met)
            for await (const block of problem.data.batches(size, order)) {
              // every row has another x
              met.push(...numbersOf(block))
              yield block
            }
          },
        }),
      }),
    )
    await stepsOf(watched)
    expect(epochs).toHaveLength(4)
    const sorted = epochs.map(met => [...met].sort((a, b) => a - b).join())
    expect(new Set(sorted).size).toBe(1)
    expect(new Set(epochs[0]).size).toBe(COUNT)
    expect(new Set(epochs.map(met => met.join())).size).toBe(4)
  })
})

function numbersOf({ cells, rows }: Block): number[] {
  const x = cells.find(cell => cell instanceof Float64Array) as Float64Array
  return [...x.subarray(0, rows)]
}

describe("rows held out", () => {
  /** sdEM of twelve epochs whose losses on the held-out rows are these. */
  const judged = (losses: readonly number[]): Learner => {
    let epoch = 0
    const scripted = (moving: Moving): Moving =>
      instead(moving, {
        judge() {
          let loss = losses[epoch++]
          return () => {
            const once = loss
            loss = 0
            return once
          }
        },
      })
    return between(sdem({ epochs: 12, batch: 8, holdout: 0.25, average: false }), problem =>
      instead(problem, {
        data: instead(problem.data, {
          async holdOut(share, die) {
            const { rest, heldOut } = await problem.data.holdOut(share, die)
            return {
              rest: moved(rest, (from, course) => scripted(rest.moments.moving(from, course))),
              heldOut,
            }
          },
        }),
      }),
    )
  }
  const described = (step: Step<{ y: string }, "y">): string => JSON.stringify(step.fitted().describe())

  test("end it after three epochs in a row without gain, with the best epoch's model", async () => {
    const epochs = (await stepsOf(judged([5, 4, 6, 6, 3, 7, 4, 3, 2, 1, 1, 1]))).filter(({ run }) => run > 0)
    expect(epochs.map(({ stopped }) => stopped)).toEqual([...new Array(7).fill(undefined), "holdout"])
    expect(described(epochs[7])).toBe(described(epochs[4]))
    expect(described(epochs[7])).not.toBe(described(epochs[6]))
  })

  test("let it go on as long as a gain comes every third epoch", async () => {
    const losses = [9, 9, 9, 8, 8, 8, 7, 7, 7, 6, 6, 6]
    const epochs = (await stepsOf(judged(losses))).filter(({ run }) => run > 0)
    expect(epochs).toHaveLength(12)
    expect(epochs[11].stopped).toBe("epochs")
    expect(described(epochs[11])).toBe(described(epochs[9]))
  })
})

describe("epochs with nothing left to learn", () => {
  const far = Array.from({ length: 64 }, (_, i) => ({ y: "ab"[i % 2], x: 50 * (i % 2) + rolls.normal() }))
  const apart = classes("y", independent({ x: gaussian() }))
  /** The epochs after each pass, what is written there, and the model in the end. */
  const run = async (learner: Learner, from?: Uint8Array) => {
    const epochs: number[] = []
    const written: Uint8Array[] = []
    const fitted = await fit(apart, far, {
      learner,
      checkpoint: { read: () => from, write: bytes => void written.push(bytes) },
      onStep: ({ run, iteration }) => void (run > 0 && epochs.push(iteration)),
    })
    return { epochs, written, fitted }
  }

  test("are gone through in a few passes, each standing for twice as many, and lead where they lead", async () => {
    const quick = await run(sdem())
    // four steps an epoch, 2,000 in all
    expect(quick.epochs).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 500])
    const slow = await run(sdem({ epochs: 500 }))
    expect(slow.epochs).toHaveLength(500)
    const [one, other] = [quick, slow].map(({ fitted }) => numbersIn(fitted.describe()))
    expect(one).toHaveLength(other.length)
    one.forEach((value, j) => void expect(value / other[j]).toBeCloseTo(1, 1))
  })

  test("are gone on with after any of them, to the same bits", async () => {
    const { written, fitted } = await run(sdem())
    for (const bytes of written.slice(0, -1))
      expect(JSON.stringify((await run(sdem(), bytes)).fitted)).toBe(JSON.stringify(fitted))
  })

  test("are over as soon as one is lost in", async () => {
    const losses = [0, 0, 0, 9, 9, 0, 0, 0]
    const batches: number[] = []
    const scripted = between(sdem(), problem =>
      moved(problem, (from, course) => {
        const moving = problem.moments.moving(from, course)
        let epoch = -1
        let met = 64
        return instead(moving, {
          step(block, rho, words) {
            if (met === 64) {
              epoch++
              met = 0
              batches.push(block.rows)
            }
            met += block.rows
            return { ...moving.step(block, rho, words), loss: losses[epoch] ?? 0 }
          },
        })
      }),
    )
    const { epochs } = await run(scripted)
    expect(batches.slice(0, 8)).toEqual([16, 64, 64, 64, 16, 16, 64, 64])
    expect(epochs.slice(0, 8)).toEqual([1, 2, 4, 8, 9, 10, 11, 13])
  })
})

/** All numbers of a description, in order. */
function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

test("a document counts as rho / (1 + decay·passes so far) documents", async () => {
  const perDocument = async (words: { rho: number; decay: number }): Promise<number[]> => {
    const met: number[] = []
    const watched = between(sdem({ epochs: 3, batch: 8, words }), problem =>
      moved(problem, (from, course) => {
        const moving = problem.moments.moving(from, course)
        return instead(moving, {
          step(block, rho, documents) {
            met.push(documents!)
            return moving.step(block, rho, documents)
          },
        })
      }),
    )
    await stepsOf(watched)
    return met
  }
  const steps = COUNT / 8
  const falling = await perDocument({ rho: 2, decay: 0.5 })
  expect(falling).toHaveLength(3 * steps)
  falling.forEach((documents, t) => {
    expect(documents).toBeCloseTo(2 / (1 + (0.5 * (t + 1)) / steps), 12)
  })
  expect(new Set(await perDocument({ rho: 2, decay: 0 }))).toEqual(new Set([2]))
})
