/**
 * Whatever takes long lets the event loop turn. Judged by the order of events, never by milliseconds: timers that tick while work is under way and
 * then abort it, and a clock that says it is always late, by which every place that may pause does.
 */
import { describe, expect, test, vi } from "vitest"
import { linearSvm, logisticRegression } from "./baselines.ts"
import {
  classes,
  dice,
  em,
  type FitOptions,
  fit,
  gaussian,
  independent,
  type Learner,
  mixture,
  multinomial,
  normal,
  wordSet,
} from "./index.ts"
import { onlineEm, sdem } from "./learn.ts"
import { choose, crossValidate, evaluateSource } from "./measure.ts"
import { isDue, paced, pause } from "./pause.ts"

const roll = dice(1)
const names = ["x1", "x2", "x3", "x4"]

type Row = { y: string; t: string } & Record<string, number | string>

function rowsOf(count: number): Row[] {
  return Array.from({ length: count }, () => {
    const y = roll.integer(3)
    const words = Array.from({ length: 12 }, () => `w${roll.integer(40) + 10 * y}`)
    return {
      y: `c${y}`,
      t: words.join(" "),
      ...Object.fromEntries(names.map(name => [name, y + 2 * roll.normal()])),
    }
  })
}

const small = rowsOf(300)
const large = rowsOf(20_000)

const numbers = classes("y", independent(Object.fromEntries(names.map(name => [name, gaussian()]))))
const full = classes("y", normal(names))
const words = classes("y", independent({ t: multinomial() }))
const sets = classes("y", independent({ t: wordSet() }))
const clusters = mixture(3, normal(names))

/** Batches without end, each of them there at once: nothing but the reader lets anybody else have a turn. */
const endless = {
  async *[Symbol.asyncIterator]() {
    for (;;) yield small
  },
}

async function* once() {
  for (;;) yield small
}

type Work = (signal: AbortSignal) => Promise<unknown>

const learning = (model: unknown, data: unknown, learner?: Learner, more?: FitOptions): Work => {
  return signal => fit(model as never, data as never, { signal, ...(learner && { learner }), ...more })
}

/** Each of these would take minutes, or for ever. */
const FOREVER = 1e7
const works: readonly (readonly [string, Work])[] = [
  ["em, counting a source", learning(numbers, endless)],
  ["em, counting words of a source", learning(words, endless)],
  ["em, many restarts, few rows", learning(clusters, small, em({ restarts: FOREVER }))],
  ["em, many restarts, many rows", learning(clusters, large, em({ restarts: FOREVER }), { threads: 1 })],
  [
    "em, words, many restarts",
    learning(mixture(3, independent({ t: multinomial() })), small, em({ restarts: FOREVER })),
  ],
  ["online EM, few rows", learning(numbers, small, onlineEm({ epochs: FOREVER }))],
  ["online EM, many rows", learning(clusters, large, onlineEm({ epochs: FOREVER }))],
  ["online EM, a stream", signal => fit(numbers as never, once() as never, { signal, learner: onlineEm() })],
  ["sdEM, few rows", learning(numbers, small, sdem({ epochs: FOREVER }))],
  ["sdEM, hinge, few rows", learning(numbers, small, sdem({ loss: "hinge", epochs: FOREVER }))],
  ["sdEM, many rows", learning(full, large, sdem({ epochs: FOREVER }))],
  ["sdEM, rows held out", learning(numbers, large, sdem({ epochs: FOREVER, holdout: 0.9 }))],
  ["sdEM, words", learning(words, small, sdem({ epochs: FOREVER }))],
  ["sdEM, words, hinge", learning(words, large, sdem({ loss: "hinge", epochs: FOREVER }))],
  ["sdEM, sets of words", learning(sets, small, sdem({ epochs: FOREVER }))],
  ["sdEM, a stream", signal => fit(numbers as never, once() as never, { signal, learner: sdem() })],
  [
    "an update",
    async signal =>
      (await fit(numbers as never, small as never)).update(small as never, {
        signal,
        learner: sdem({ epochs: FOREVER }),
      }),
  ],
  [
    "crossValidate",
    signal => crossValidate(numbers as never, small as never, { signal, learner: sdem({ epochs: FOREVER }) }),
  ],
  [
    "choose",
    signal =>
      choose(
        Array.from({ length: FOREVER / 10 }, (_, i) => ({
          name: `${i}`,
          model: mixture(2, normal(names)) as never,
        })),
        small as never,
        { signal, criterion: "bic" },
      ),
  ],
  [
    "logistic regression",
    signal =>
      logisticRegression({ tolerance: 1e-300, maxIterations: FOREVER }).fit(
        numbers as never,
        small as never,
        { signal },
      ),
  ],
  [
    "evaluateSource",
    async signal =>
      evaluateSource((await fit(numbers as never, small as never)) as never, endless as never, { signal }),
  ],
]

describe("a timer ticks while it works, and aborts it:", () => {
  test.each(works)("%s", async (_name, work) => {
    const controller = new AbortController()
    const reason = new Error("enough")
    let ticks = 0
    const timer = setInterval(() => {
      if (++ticks === 5) controller.abort(reason)
    }, 1)
    try {
      await expect(work(controller.signal)).rejects.toBe(reason)
    } finally {
      clearInterval(timer)
    }
    expect(ticks).toBeGreaterThanOrEqual(5)
  })
})

test("work in pieces ends at the first pause after an abort", async () => {
  let pieces = 0
  function* work(): Generator<undefined, string, void> {
    for (; pieces < 1e9; pieces++) yield
    return "done"
  }
  const controller = new AbortController()
  setTimeout(() => controller.abort(new Error("enough")), 1)
  await expect(paced(work(), controller.signal)).rejects.toThrow("enough")
  await expect(paced(work(), AbortSignal.abort(new Error("before")))).rejects.toThrow("before")
  pieces = 1e9 - 3
  expect(await paced(work(), undefined)).toBe("done")
})

test("nobody waits where nobody has waited for long", async () => {
  await pause()
  const clock = vi.spyOn(performance, "now").mockReturnValue(0)
  expect(isDue()).toBe(false)
  let turned = false
  setImmediate(() => {
    turned = true
  })
  await pause()
  expect(turned).toBe(false)
  clock.mockRestore()
})

/** It never goes back: what it said last is remembered as the last turn. */
let late = 1e9

/** Turns of the event loop while it works, by a clock that runs by a second whenever it is looked at. */
async function countTurns<T>(work: () => Promise<T>): Promise<{ turns: number; made: T }> {
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    late += 1000
    return late
  })
  let turns = 0
  let next = setImmediate(function turn() {
    turns++
    next = setImmediate(turn)
  })
  try {
    const made = await work()
    return { made, turns }
  } finally {
    clearImmediate(next)
    clock.mockRestore()
  }
}

describe("by a clock that is always late there is a turn", () => {
  test("after every block that is swept", async () => {
    const learner = em({ maxIterations: 4, tolerance: 0 })
    const { turns } = await countTurns(() => fit(clusters as never, large as never, { learner, threads: 1 }))
    // blocks of 480 rows, five sweeps
    expect(turns).toBeGreaterThanOrEqual(5 * Math.floor(large.length / 480))
  })

  test("after every mini-batch", async () => {
    const learner = onlineEm({ epochs: 3, batch: 10 })
    const { turns } = await countTurns(() => fit(numbers as never, small as never, { learner }))
    expect(turns).toBeGreaterThanOrEqual(3 * (small.length / 10))
  })

  test("after every few rows of first guesses, of which many components take many", async () => {
    const few = await countTurns(() =>
      fit(mixture(2, normal(names)) as never, small as never, { learner: em({ maxIterations: 1 }) }),
    )
    const many = await countTurns(() =>
      fit(mixture(100, normal(names)) as never, small as never, { learner: em({ maxIterations: 1 }) }),
    )
    // several trials for each of 98 centres more
    expect(many.turns - few.turns).toBeGreaterThanOrEqual(3 * 98)
  })

  test("after every pass of a solver", async () => {
    for (const learner of [logisticRegression(), linearSvm({ hinge: "squared" }), linearSvm()]) {
      const { turns, made } = await countTurns(
        async () => (await learner.fit(numbers as never, small as never)).optimum,
      )
      expect(made.iterations).toBeGreaterThan(3)
      expect(turns).toBeGreaterThanOrEqual(made.iterations)
    }
  })

  test("after some documents, the fewer the longer they are, and after some rows, the fewer the wider they are", async () => {
    const long = { y: "a", t: "some words ".repeat(30_000) }
    const { turns } = await countTurns(() =>
      fit(words as never, Array.from({ length: 12 }, () => long) as never),
    )
    // 330,000 characters each: twice through the door, one at a time
    expect(turns).toBeGreaterThanOrEqual(2 * 12)
    const columns = Array.from({ length: 1500 }, (_, j) => `z${j}`)
    const wide = Array.from({ length: 400 }, (_, i) => Object.fromEntries(columns.map(name => [name, i])))
    const model = independent(Object.fromEntries(columns.map(name => [name, gaussian()])))
    const { turns: more } = await countTurns(() => fit(model as never, wide as never))
    // 87 rows of 1,500 cells at a time
    expect(more).toBeGreaterThanOrEqual(2 * Math.floor(400 / 87))
  })

  test("and the model is the same to the bit", async () => {
    for (const learner of [em(), onlineEm(), sdem({ epochs: 2 })]) {
      const plain = await fit(clusters as never, small as never, { learner: em(), seed: 3 })
      const late = await countTurns(() => fit(clusters as never, small as never, { learner: em(), seed: 3 }))
      expect(JSON.stringify(late.made)).toBe(JSON.stringify(plain))
      const one = await fit(numbers as never, small as never, { learner, seed: 3 })
      const other = await countTurns(() => fit(numbers as never, small as never, { learner, seed: 3 }))
      expect(JSON.stringify(other.made)).toBe(JSON.stringify(one))
    }
  })
})
