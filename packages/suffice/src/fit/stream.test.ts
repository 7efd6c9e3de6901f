import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"
import type { Row } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import {
  type Checkpointing,
  categorical,
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
  plate,
  type Step,
  topics,
} from "../index.ts"
import { float64FromBase64, float64ToBase64 } from "../kernels/base64.ts"
import { learn, onlineEm, sdem } from "../learn.ts"
import { bodyOf, checkpointOf } from "../saved/testing/checkpoint-body.ts"

const model = classes("y", independent({ x: gaussian(), u: categorical(), t: multinomial() }))

/** Class number `c` lies around 3·c. */
function rowOf(c: number, die: ReturnType<typeof dice>) {
  return {
    y: "abcdef"[c],
    x: 3 * c + die.normal(),
    u: "mno"[(c + die.integer(2)) % 3],
    t: [`w${c}`, `w${die.integer(6)}`],
  }
}

/** Batches without end, of the classes that `among` names for that batch. */
async function* endless(
  among: (batch: number) => number,
  { seed = 1, size = 100, closed = () => {} }: { seed?: number; size?: number; closed?: () => void } = {},
) {
  const die = dice(seed)
  try {
    for (let batch = 0; ; batch++)
      yield Array.from({ length: size }, () => rowOf(die.integer(among(batch)), die))
  } finally {
    closed()
  }
}

async function* take<T>(source: AsyncIterable<T>, count: number): AsyncGenerator<T> {
  if (count === 0) return
  for await (const item of source) {
    yield item
    if (--count === 0) return
  }
}

const streamed = (data: unknown, options: FitOptions): AsyncGenerator<Step<{ y: string }, "y">> =>
  learn(model, data as never, options) as never
const learners: [string, Learner][] = [
  ["onlineEm", onlineEm({ warmup: 500 })],
  ["sdem, conditional likelihood", sdem({ warmup: 500 })],
  ["sdem, hinge", sdem({ loss: "hinge", warmup: 500 })],
]

describe.each(learners)("a stream that never ends: %s", (_name, learner) => {
  test("every step can be made a model, and `break` ends the source", async () => {
    let closed = 0
    const seen: number[] = []
    for await (const step of streamed(
      endless(() => 3, { closed: () => closed++ }),
      { learner },
    )) {
      const fitted = step.fitted()
      const tests = Array.from({ length: 60 }, (_, i) => rowOf(i % 3, dice(i + 1)))
      const right = fitted.predict(tests as never).filter(({ value }, i) => value === tests[i].y).length
      expect(right).toBeGreaterThan(50)
      seen.push(step.rows)
      expect(step.stopped).toBe(undefined)
      expect(Number.isFinite(step.objective)).toBe(true)
      if (step.rows >= 20_000) break
    }
    expect(closed).toBe(1)
    expect(seen.length).toBeGreaterThan(2)
    expect([...seen].sort((a, b) => a - b)).toEqual(seen)
  })

  test("labels that appear on the way become classes, which are predicted", async () => {
    // a third class after 3,000 rows, a fourth after 6,000
    const source = endless(batch => (batch < 30 ? 2 : batch < 60 ? 3 : 4))
    let last: Step<{ y: string }, "y"> | undefined
    for await (const step of streamed(source, { learner })) {
      last = step
      step.fitted()
      if (step.rows > 25_000) break
    }
    const fitted = last!.fitted()
    const die = dice(77)
    const tests = Array.from({ length: 400 }, (_, i) => rowOf(i % 4, die))
    const { levels } = fitted.posterior(tests as never)
    expect(levels).toEqual(["a", "b", "c", "d"])
    const right = [0, 0, 0, 0]
    fitted.predict(tests as never).forEach(({ value }, i) => {
      if (value === tests[i].y) right[i % 4]++
    })
    for (const count of right) expect(count).toBeGreaterThan(85)
  })

  test("the same seed gives the same bits, another seed others", async () => {
    const at = async (seed: number): Promise<string> => {
      for await (const step of streamed(
        endless(batch => (batch < 20 ? 2 : 3)),
        { learner, seed },
      ))
        if (step.rows > 9000) return JSON.stringify(step.fitted())
      return ""
    }
    const first = await at(1)
    expect(await at(1)).toBe(first)
    expect(await at(2)).not.toBe(first)
  })

  test("a stream that ends is learned to its end, however it was cut", async () => {
    for (const size of [1, 7, 100]) {
      const source = take(
        endless(() => 2, { size }),
        700 / size,
      )
      const ends: Step[] = []
      const fitted = await fit(model, source as never, { learner, onStep: step => ends.push(step) })
      expect(ends.at(-1)?.stopped).toBe("ended")
      expect(ends.at(-1)?.rows).toBe(700)
      expect(fitted.training).toMatchObject({ rows: 700, weight: 700 })
      expect(fitted.predict([{ x: 3, u: "n", t: "w1" }])[0].value).toBe("b")
    }
  })

  test("one shorter than the warm-up is learned all the same; an empty one is refused", async () => {
    const fitted = await fit(
      model,
      take(
        endless(() => 2),
        2,
      ) as never,
      { learner },
    )
    expect(fitted.training?.rows).toBe(200)
    await expect(
      fit(
        model,
        take(
          endless(() => 2),
          0,
        ) as never,
        { learner },
      ),
    ).rejects.toThrow(/^the data has no rows\./)
  })

  test("rows of one class only, and rows with nothing in them", async () => {
    const one = await fit(
      model,
      take(
        endless(() => 1),
        20,
      ) as never,
      { learner },
    )
    expect(one.predict([{ x: 0, u: "m", t: "w0" }])[0]).toMatchObject({ value: "a", probability: 1 })
    const holes = async function* () {
      for await (const rows of take(
        endless(() => 2),
        20,
      )) {
        yield rows.map((row, i) => (i % 2 === 0 ? row : { y: null, x: null, u: null, t: null }))
      }
    }
    const fitted = await fit(model, holes() as never, { learner })
    expect(fitted.predict([{ x: 3, u: "n", t: "w1" }])[0].value).toBe("b")
    // rows without a label that hold nothing else do not help
    expect(fitted.training).toMatchObject({ rows: 1000, unlabelled: 0 })
  })

  test("a source that fails names the batch; the last checkpoint goes on with what comes next", async () => {
    const failing = async function* () {
      let batch = 0
      for await (const rows of endless(() => 3)) {
        if (batch++ === 150) throw new Error("the line is dead")
        yield rows
      }
    }
    let kept: Uint8Array | undefined
    const checkpoint: Checkpointing = {
      read: () => kept,
      write(bytes) {
        kept = bytes
      },
    }
    await expect(fit(model, failing() as never, { learner, checkpoint })).rejects.toThrow(
      "the source failed in batch 150, after 15000 rows: the line is dead.",
    )
    const steps: Step[] = []
    // the words, levels and units of the checkpoint, not those of what comes now
    const later = async function* () {
      for await (const rows of take(
        endless(() => 4, { seed: 2 }),
        90,
      ))
        yield rows.map(row => ({ ...row, t: [...row.t, "never"] }))
    }
    const fitted = await fit(model, later() as never, {
      learner,
      checkpoint,
      onStep: step => steps.push(step),
    })
    expect(steps[0].iteration).toBeGreaterThan(1)
    expect(fitted.training!.rows).toBeGreaterThan(9000 + 8192)
    expect(fitted.posterior([{ x: 1, u: "m", t: "w0" }]).levels).toEqual(["a", "b", "c", "d"])
    expect(
      Object.keys(
        (fitted.describe().y as never as { given: { a: { t: { words: object } } } }).given.a.t.words,
      ).sort(),
    ).toEqual(["w0", "w1", "w2", "w3", "w4", "w5"])
    // one that has ended may continue as well
    const more = await fit(
      model,
      take(
        endless(() => 4, { seed: 3 }),
        10,
      ) as never,
      { learner, checkpoint },
    )
    expect(more.training!.rows).toBe(fitted.training!.rows + 1000)
    expect(more.training!.runs.filter(({ stopped }) => stopped === "ended")).toHaveLength(1)
  })

  test("an abort ends it within a batch, also while the source keeps it waiting", async () => {
    const controller = new AbortController()
    const reason = new Error("enough")
    let batches = 0
    const counted = async function* () {
      for await (const rows of endless(() => 2)) {
        if (++batches === 40) controller.abort(reason)
        yield rows
      }
    }
    await expect(fit(model, counted() as never, { learner, signal: controller.signal })).rejects.toBe(reason)
    expect(batches).toBeLessThanOrEqual(41)
    const silent = async function* () {
      yield* take(
        endless(() => 2),
        9,
      )
      await new Promise(() => {})
    }
    const timed = AbortSignal.timeout(300)
    await expect(fit(model, silent() as never, { learner, signal: timed })).rejects.toMatchObject({
      name: "TimeoutError",
    })
    // timers have their turn although the source is never late
    const busy = AbortSignal.timeout(300)
    await expect(fit(model, endless(() => 2) as never, { learner, signal: busy })).rejects.toMatchObject({
      name: "TimeoutError",
    })
  })
})

describe("what a stream brings that its first rows did not have", () => {
  const first: Row[] = Array.from({ length: 40 }, (_, i) => ({
    y: "ab"[i % 2],
    x: i % 2,
    u: "mn"[i % 2],
    t: "sun",
  }))
  const learner = sdem({ warmup: 40, batch: 4 })
  const after = (...batches: unknown[]): never =>
    (async function* () {
      yield first
      yield* batches
    })() as never
  const message = async (data: never, options: FitOptions = { learner }): Promise<string> =>
    fit(model, data, options).then(
      () => "fine",
      error => error.message,
    )

  test("other levels count as missing, and are counted; other words are ignored", async () => {
    const fitted = await fit(
      model,
      after(
        [
          { y: "a", x: 0, u: "zz", t: "moon moon" },
          { y: "b", x: 1, u: "zz", t: "sun" },
        ],
        [{ y: "b", x: 1, u: "yy", t: "sun" }],
      ),
      { learner },
    )
    expect(fitted.diagnostics.filter(({ code }) => code === "unseen-level")).toMatchInlineSnapshot(`
      [
        {
          "code": "unseen-level",
          "column": "u",
          "message": "3 cells of "u" held levels that the first rows of the stream did not have: they count as missing. A longer warm-up, or declared levels, would know them.",
        },
      ]
    `)
    expect(fitted.training?.rows).toBe(43)
  })

  test("labels of rows that weigh nothing are no classes", async () => {
    const weighed = (rows: readonly Row[], w: number): Row[] => rows.map(row => ({ ...row, w }))
    const data = async function* () {
      yield weighed(first, 1)
      yield [...weighed(first.slice(0, 2), 1), ...weighed([{ y: "never", x: 1, u: "m", t: "sun" }], 0)]
    }
    const fitted = await fit(model, data() as never, { learner, weight: "w" })
    expect(fitted.posterior([{ x: 1, u: "m", t: "sun" }]).levels).toEqual(["a", "b"])
  })

  test("nor do they interrupt it: it is learned as with any other label on them", async () => {
    const learned = async (label: string): Promise<string> => {
      const data = async function* () {
        yield first.map(row => ({ ...row, w: 1 }))
        yield [
          ...first.slice(0, 8).map(row => ({ ...row, w: 1 })),
          { y: label, x: 1, u: "m", t: "sun", w: 0 },
        ]
        yield first.map(row => ({ ...row, w: 1 }))
      }
      return JSON.stringify(await fit(model, data() as never, { learner, weight: "w" }))
    }
    expect(await learned("never")).toBe(await learned("a"))
  })

  test("soft labels may name new classes; a batch may lack a label column", async () => {
    const nested = classes("v", classes("y", independent({ x: gaussian() })))
    const data = async function* () {
      yield first.map((row, i) => ({ ...row, v: i % 3 === 0 ? "p" : "q" }))
      yield [{ v: "p", y: { a: 0.5, c: 0.5 }, x: 9 }]
      yield [{ v: "r", x: 9 }]
    }
    const fitted = await fit(nested, data() as never, { learner })
    expect(fitted.posterior([{ x: 1 }], { target: "y" }).levels).toEqual(["a", "b", "c"])
    expect(fitted.posterior([{ x: 1 }], { target: "v" }).levels).toEqual(["p", "q", "r"])
  })

  test("cells that cannot be name the batch and the row in it", async () => {
    expect([
      await message(after(first, [first[0], { y: "a", x: "one", u: "m", t: "sun" }])),
      await message(after(first, [first[0], { y: {}, x: 1, u: "m", t: "sun" }])),
      await message(after(first, 7)),
    ]).toMatchInlineSnapshot(`
      [
        "batch 2 of the stream: row 1 of "x" holds "one". The column is modelled by numbers. Convert the cell to a number, put null for a missing one, or choose categorical().",
        "batch 2 of the stream: row 1 of "y" is a soft label whose weights add up to 0. They must add up to a finite number above 0. Weigh at least one level, or put null for a missing label.",
        "batch 2 of the stream: the data is 7. It must be rows, columns, or a source of them. Pass for example [{ x: 1 }] or { x: [1] }.",
      ]
    `)
    const declared = classes("y", independent({ x: gaussian() }), { levels: ["a", "b"] })
    await expect(
      fit(declared, after([{ y: "c", x: 1 }]), { learner }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: batch 1 of the stream: row 0 of "y" holds "c", which is not among the declared levels "a" and "b". A level that is not declared cannot be learned. Add it to the levels, or put null.]`,
    )
  })
})

describe("refused", () => {
  test("learners that read the rows again, updates, held-out rows, weights of classes that are not there", async () => {
    const data = (): never => endless(() => 2) as never
    const begun = await fit(model, [rowOf(0, dice(1)), rowOf(1, dice(2))])
    const refusals = [
      () => fit(model, data(), { learner: em() }),
      () => fit(model, data()),
      () => begun.update(data(), { learner: sdem() }),
      () => fit(model, data(), { learner: sdem({ holdout: 0.2 }) }),
      () => fit(model, data(), { learner: sdem({ classWeights: { z: 2 } }) }),
    ]
    const messages: string[] = []
    for (const refused of refusals)
      messages.push(
        await refused().then(
          () => "fine",
          error => error.message,
        ),
      )
    expect(messages).toMatchInlineSnapshot(`
      [
        "em: the data is a stream, which can be read once. em reads the rows again and again. Use onlineEm() or sdem(), or give a source whose [Symbol.asyncIterator]() begins anew each time.",
        "em: the data is a stream, which can be read once. em reads the rows again and again. Use onlineEm() or sdem(), or give a source whose [Symbol.asyncIterator]() begins anew each time.",
        "update: the data is a stream, which can be read once. An update looks for new levels first. Update with batches of the stream, one after the other.",
        "sdem: holdout is 0.2, but the data is a stream. Rows that are held out are asked again after each epoch, and a stream has none. Leave holdout out, and judge the steps of learn() on rows of your own.",
        "sdem: classWeights names "z", which is no level of "y". Its levels are "a" and "b". Leave it out.",
      ]
    `)
  })
})

test("a web stream is a stream", async () => {
  const rows = Array.from({ length: 300 }, (_, i) => rowOf(i % 2, dice(i)))
  const data = new ReadableStream({
    start(controller) {
      for (let at = 0; at < rows.length; at += 50) controller.enqueue(rows.slice(at, at + 50))
      controller.close()
    },
  })
  const fitted = await fit(model, data as never, { learner: onlineEm({ warmup: 100 }) })
  expect(fitted.training?.rows).toBe(300)
})

test("hidden switches are learned from a stream", async () => {
  const die = dice(8)
  const data = async function* () {
    for (let batch = 0; batch < 60; batch++)
      yield Array.from({ length: 100 }, () => ({ x: (die.uniform() < 0.3 ? -4 : 4) + die.normal() }))
  }
  const fitted = await fit(mixture(2, independent({ x: gaussian() })), data(), {
    learner: onlineEm({ warmup: 500 }),
  })
  const { probabilities } = fitted.describe()["mixture(x)"] as { probabilities: Record<string, number> }
  const [small, large] = Object.values(probabilities).sort((a, b) => a - b)
  expect(small).toBeCloseTo(0.3, 1)
  expect(large).toBeCloseTo(0.7, 1)
})

/** Heap in use after 50,000 and after 500,000 rows, in MB. */
const HEAP = `
import { classes, gaussian, independent } from "suffice"
import { learn, onlineEm, sdem } from "suffice/learn"
const learner = process.argv[1] === "sdem" ? sdem({ warmup: 1000, batch: 256 }) : onlineEm({ warmup: 1000, batch: 256 })
let n = 0
async function* rows() {
  for (;;) {
    const y = new Array(500), x = new Float64Array(500)
    for (let i = 0; i < 500; i++, n++) {
      y[i] = n % 2
      x[i] = (n % 2) + (n % 97) / 97
    }
    yield { y, x }
  }
}
const used = []
for await (const step of learn(classes("y", independent({ x: gaussian() })), rows(), { learner })) {
  step.fitted()
  if (step.rows < [50_000, 500_000][used.length]) continue
  // what buffers held is given back a moment later: the least of some moments, or the first that is about as little as before
  let least = Infinity
  for (let moment = 0; moment < (used.length ? 1000 : 10) && least > (used[0] ?? 0) + 1e6; moment++) {
    gc()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    least = Math.min(least, heapUsed + arrayBuffers)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  used.push(least)
  if (used.length === 2) break
}
console.log(JSON.stringify(used.map(bytes => bytes / 1e6)))
`

test.each(["onlineEm", "sdem"])("memory stays as it is, however long the stream: %s", async name => {
  const options = ["--expose-gc", "--import", "tsx", "--conditions=source", "--input-type=module"]
  const { stdout } = await promisify(execFile)(process.execPath, [...options, "-e", HEAP, name])
  const [early, late] = JSON.parse(stdout)
  expect(late - early).toBeLessThan(2)
})

test("one that goes on from a checkpoint still has the weight of the rows before", async () => {
  const learner = onlineEm({ warmup: 200 })
  let kept: Uint8Array | undefined
  const checkpoint: Checkpointing = {
    read: () => kept,
    write(bytes) {
      kept = bytes
    },
  }
  const weighed = async function* (seed: number, w: number) {
    for await (const rows of take(
      endless(() => 2, { seed }),
      5,
    ))
      yield rows.map(row => ({ ...row, w }))
  }
  const options = { learner, checkpoint, weight: "w" }
  const begun = await fit(model, weighed(1, 2.5) as never, options)
  expect(begun.training).toMatchObject({ rows: 500, weight: 1250 })
  const after = await fit(model, weighed(2, 0.5) as never, options)
  expect(after.training).toMatchObject({ rows: 1000, weight: 1500 })
})

describe("a stream that is stopped and goes on", () => {
  /** Every checkpoint, with the rows that the stream had given by then. */
  const recorded = (from?: Uint8Array) => {
    const all: { bytes: Uint8Array; rows: number }[] = []
    const checkpoint: Checkpointing = {
      read: () => from,
      write: (bytes, rows) => void all.push({ bytes, rows }),
    }
    return { all, checkpoint }
  }
  /** The rows after the first `given`, in batches of other sizes. */
  async function* after(rows: readonly Row[], given: number, size: number) {
    for (let at = given; at < rows.length; at += size) yield rows.slice(at, at + size)
  }
  const die = dice(8)
  // a class appears late, a third of the labels is missing, and levels and words come that the warm-up does not have
  const mixedRows: Row[] = Array.from({ length: 24_000 }, (_, i) => {
    const row = rowOf(die.integer(i < 9000 ? 2 : 3), die)
    if (i > 12_000 && i % 5 === 0) row.u = "p"
    return die.uniform() < 0.3 ? { ...row, y: null } : row
  })
  const apart = mixedRows.map(row => ({ ...row, x: row.y === "a" ? -50 : row.y === "b" ? 0 : 50 }))
  const themes = ["sun sky rain", "cow pig hen", "car road bus"].map(words => words.split(" "))
  const texts: Row[] = Array.from({ length: 14_000 }, () => {
    const theme = themes[die.integer(3)]
    return { text: Array.from({ length: 4 }, () => theme[die.integer(3)]) }
  })
  const visits: Row[] = texts.map(({ text }) => ({
    pages: (text as string[]).map(word => ({ word, time: word.length })),
  }))

  test.each<[string, Model, readonly Row[], Learner]>([
    ["onlineEm", model as Model, mixedRows, onlineEm({ warmup: 500 })],
    ["sdem", model as Model, mixedRows, sdem({ warmup: 500 })],
    ["hinge, where soon nothing is lost", model as Model, apart, sdem({ loss: "hinge", warmup: 500 })],
    ["topics", topics(3, "text") as unknown as Model, texts, onlineEm({ warmup: 500 })],
    [
      "steps",
      mixture(2, plate("pages", independent({ word: categorical(), time: gaussian() }))) as unknown as Model,
      visits,
      onlineEm({ warmup: 500 }),
    ],
  ])("ends with the bits that it would have had: %s", async (_, asked, rows, learner) => {
    const whole = recorded()
    const options = { learner, seed: 5 }
    const fitted = await fit(asked, after(rows, 0, 100) as never, {
      ...options,
      checkpoint: whole.checkpoint,
    })
    expect(whole.all.length).toBeGreaterThan(1)
    for (const { bytes, rows: given } of whole.all.slice(0, -1)) {
      // some of them wait
      expect(given).toBeGreaterThan(8192)
      const rest = recorded(bytes)
      const resumed = await fit(asked, after(rows, given, 100) as never, {
        ...options,
        checkpoint: rest.checkpoint,
      })
      expect(JSON.stringify(resumed)).toBe(JSON.stringify(fitted))
      expect(resumed.diagnostics).toEqual(fitted.diagnostics)
      expect(rest.all.at(-1)).toEqual(whole.all.at(-1))
    }
    // the end is a checkpoint too: nothing waits
    const { bytes, rows: all } = whole.all.at(-1)!
    expect(all).toBe(rows.length)
    const ended = await fit(asked, after(rows, all, 100) as never, {
      ...options,
      checkpoint: recorded(bytes).checkpoint,
    })
    expect(ended.describe()).toEqual(fitted.describe())
  })

  test("rows in a checkpoint that were changed are refused", async () => {
    const whole = recorded()
    await fit(model, after(mixedRows, 0, 100) as never, {
      learner: onlineEm({ warmup: 500 }),
      checkpoint: whole.checkpoint,
    })
    const [{ bytes, rows }] = whole.all
    const changed = (change: (waiting: { rows: number; cells: { of: string }[] }) => void): Uint8Array => {
      const body = bodyOf<{ stream: { waiting: Parameters<typeof change>[0] } }>(bytes)
      change(body.stream.waiting)
      return checkpointOf(body)
    }
    const resume = (from: Uint8Array): Promise<string> =>
      fit(model, after(mixedRows, rows, 100) as never, {
        learner: onlineEm({ warmup: 500 }),
        checkpoint: recorded(from).checkpoint,
      }).then(
        () => "went on",
        (error: Error) => error.message,
      )
    expect(await resume(changed(() => {}))).toBe("went on")
    const codes = (waiting: { cells: { of: string }[] }): Float64Array =>
      float64FromBase64(waiting.cells[0].of)!
    for (const damage of [
      changed(waiting => {
        waiting.rows++
      }),
      // a label that there is not
      changed(waiting => {
        waiting.cells[0].of = float64ToBase64(codes(waiting).fill(99, 0, 1))
      }),
      changed(waiting => {
        waiting.cells[0].of = "?"
      }),
      changed(waiting => {
        waiting.cells.reverse()
      }),
      changed(waiting => {
        const { offsets } = waiting.cells[3] as unknown as { offsets: string }
        const other = float64ToBase64(float64FromBase64(offsets)!.fill(1e6, 1, 2))
        Object.assign(waiting.cells[3], { offsets: other })
      }),
      changed(waiting => {
        const { block } = waiting.cells[3] as unknown as { block: { cells: { of: string }[] } }
        block.cells[0].of = float64ToBase64(float64FromBase64(block.cells[0].of)!.fill(-1, 0, 1))
      }),
    ])
      expect(await resume(damage)).toMatch(/^what checkpoint\.read\(\) returned is no checkpoint\./)
  })
})
