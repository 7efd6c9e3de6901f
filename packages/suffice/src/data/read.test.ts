import { describe, expect, test } from "vitest"
import type { Row } from "../contract/cells.ts"
import { SufficeError } from "../errors.ts"
import {
  type Batch,
  type Data,
  isSource,
  SLICE,
  type Slice,
  slices,
  slicesOf,
  unknownColumn,
} from "./read.ts"

const all = (batch: unknown): Slice[] => [...slicesOf(batch as Batch)]
const cellsOf = (slice: Slice, name: string): unknown => {
  const cells = slice.cells(name)
  return cells && Array.from(cells)
}
async function gather(data: unknown, signal?: AbortSignal): Promise<Slice[]> {
  const found: Slice[] = []
  for await (const slice of slices(data as Data, signal)) found.push(slice)
  return found
}
const source = (...batches: unknown[]): AsyncIterable<unknown> => ({
  async *[Symbol.asyncIterator]() {
    for (const batch of batches) {
      if (batch instanceof Error) throw batch
      yield batch
    }
  },
})
const failure = async (promise: Promise<unknown>): Promise<SufficeError> =>
  promise.then(
    () => {
      throw new Error("nothing was thrown")
    },
    error => error,
  )

describe("rows and columns read the same", () => {
  test("cells by column; a row without the cell has it missing", () => {
    const [rows] = all([{ x: 1, y: "a" }, { x: 2 }])
    const [columns] = all({ x: [1, 2], y: ["a", undefined] })
    for (const slice of [rows, columns]) {
      expect(slice).toMatchObject({ first: 0, rows: 2 })
      expect(slice.names()).toEqual(["x", "y"])
      expect(cellsOf(slice, "x")).toEqual([1, 2])
      expect(cellsOf(slice, "y")).toEqual(["a", undefined])
      expect(cellsOf(slice, "z")).toBeUndefined()
    }
  })

  test.each([SLICE - 1, SLICE, SLICE + 1, 2 * SLICE])("%d rows are cut at the same places", count => {
    const xs = Array.from({ length: count }, (_, i) => i)
    const forms = [
      xs.map(x => ({ x })),
      { x: xs },
      { x: Float64Array.from(xs) },
      { x: BigInt64Array.from(xs, BigInt) },
    ]
    for (const form of forms) {
      const found = all(form)
      expect(found.map(slice => slice.first)).toEqual(count > SLICE ? [0, SLICE] : [0])
      expect(found.flatMap(slice => Array.from(slice.cells("x")!, Number))).toEqual(xs)
    }
  })

  test("names like parts of an object's prototype are columns only where a row has them", () => {
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
      expect(all([{ x: 1 }])[0].cells(name)).toBeUndefined()
      expect(all({ x: [1] })[0].cells(name)).toBeUndefined()
      const rows = [{ x: 1 }, Object.fromEntries([[name, 5]])]
      expect(cellsOf(all(rows)[0], name)).toEqual([undefined, 5])
      expect(cellsOf(all(Object.fromEntries([[name, [5]]]))[0], name)).toEqual([5])
    }
  })

  test("what a row inherits is no cell; a cell that is undefined is there all the same", () => {
    const heir = Object.assign(Object.create({ y: 2 }), { x: 1 }) as Row
    const bare = Object.assign(Object.create(null), { x: 3 }) as Row
    for (const rows of [
      [heir, { x: 2 }],
      [{ x: 2 }, heir],
      [bare, heir],
    ]) {
      expect(all(rows)[0].cells("y")).toBeUndefined()
      expect(cellsOf(all(rows)[0], "x")).toEqual(rows.map(row => row.x))
    }
    expect(cellsOf(all([{ x: undefined }, {}])[0], "x")).toEqual([undefined, undefined])
    expect(all([{ x: undefined }])[0].names()).toEqual(["x"])
  })

  test("a column may be anything with a length: what is not an array is cut as one", () => {
    const x = { length: SLICE + 1, 0: 1, [SLICE]: 7 }
    expect(all({ x }).map(slice => slice.cells("x")![0])).toEqual([1, 7])
  })

  test("nothing has no slices", () => {
    for (const nothing of [[], {}, { x: [] }]) expect(all(nothing)).toEqual([])
  })
})

describe("refused are", () => {
  test("data that is no data", () => {
    expect(() => all(null)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the data is null. It must be rows, columns, or a source of them. Pass for example [{ x: 1 }] or { x: [1] }.]`,
    )
    expect(() => all("x,y\n1,2")).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the data is "x,y\\n1,2". It must be rows, columns, or a source of them. Pass for example [{ x: 1 }] or { x: [1] }.]`,
    )
    expect(() => all(Promise.resolve([]))).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the data is a Promise. It must be rows, columns, or a source of them. Await the promise first.]`,
    )
    expect(() => all(new Map([["x", [1]]]))).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the data is a Map. It must be rows, columns, or a source of them. Pass for example [{ x: 1 }] or { x: [1] }.]`,
    )
    expect(() => all(Float64Array.of(1, 2))).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: the data is a Float64Array. It must be rows, columns, or a source of them. Pass for example [{ x: 1 }] or { x: [1] }.]`,
    )
  })

  test("rows that are no objects", () => {
    expect(() => all([{ x: 1 }, null])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 1 is null. A row is an object of cells by column name. Pass rows like { age: 41, city: "Oslo" }.]`,
    )
    expect(() => all([{ x: 1 }, [1, 2]])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 1 is a list of 2. A row is an object of cells by column name. Pass rows like { age: 41, city: "Oslo" }.]`,
    )
    expect(() => all([5])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 0 is 5. A row is an object of cells by column name. Pass rows like { age: 41, city: "Oslo" }.]`,
    )
    const holes = [{ x: 1 }]
    holes[2] = { x: 3 }
    expect(() => all(holes)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 1 is undefined. A row is an object of cells by column name. Pass rows like { age: 41, city: "Oslo" }.]`,
    )
  })

  test("columns that are no lists, or of different lengths", () => {
    expect(() => all({ x: 1, y: 2 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: column "x" is 1. A column is an array or typed array of cells, one for each row. For a single row, pass [{ … }].]`,
    )
    expect(() => all({ x: "abc" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: column "x" is "abc". A column is an array or typed array of cells, one for each row. For a single row, pass [{ … }].]`,
    )
    expect(() => all({ x: () => 1 })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: column "x" is a function. A column is an array or typed array of cells, one for each row. For a single row, pass [{ … }].]`,
    )
    expect(() => all({ x: [1, 2, 3], y: [1, 2] })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: column "y" has 2 cells, column "x" has 3. Columns of one table are equally long. Fill missing cells with null.]`,
    )
  })
})

describe("a source", () => {
  test("is anything that can be iterated asynchronously", () => {
    expect(isSource(source() as Data)).toBe(true)
    expect([[], {}, null].some(data => isSource(data as Data))).toBe(false)
  })

  test("numbers its rows through, whatever its batches", async () => {
    const found = await gather(source([{ x: 0 }, { x: 1 }], [], { x: [2, 3, 4] }, [{ x: 5 }]))
    expect(found.map(slice => slice.first)).toEqual([0, 2, 5])
    expect(found.flatMap(slice => Array.from(slice.cells("x")!))).toEqual([0, 1, 2, 3, 4, 5])
  })

  test("that throws is named with the batch and the rows before, and its error is the cause", async () => {
    const cause = new Error("the connection was lost")
    const error = await failure(gather(source([{ x: 1 }, { x: 2 }], [{ x: 3 }], cause)))
    expect(error).toBeInstanceOf(SufficeError)
    expect(error.message).toMatchInlineSnapshot(
      `"the source failed in batch 2, after 3 rows: the connection was lost. A model is learned from all of the rows. Mend the source (its own error is the cause of this one), and fit again."`,
    )
    expect(error.cause).toBe(cause)
    expect(error.details).toEqual({ batch: 2, rows: 3 })
  })

  test("may fail before it begins, and throw what is no error", async () => {
    const locked = {
      [Symbol.asyncIterator]() {
        throw new TypeError("The stream is locked.")
      },
    }
    expect((await failure(gather(locked))).message).toMatchInlineSnapshot(
      `"the source failed in batch 0, after 0 rows: The stream is locked. A model is learned from all of the rows. Mend the source (its own error is the cause of this one), and fit again."`,
    )
    const rude = {
      async *[Symbol.asyncIterator](): AsyncGenerator<Row[]> {
        yield []
        throw "no"
      },
    }
    expect((await failure(gather(rude))).message).toMatchInlineSnapshot(
      `"the source failed in batch 1, after 0 rows: "no". A model is learned from all of the rows. Mend the source (its own error is the cause of this one), and fit again."`,
    )
  })

  test("names the batch that is no data", async () => {
    expect((await failure(gather(source([{ x: 1 }], null)))).message).toMatchInlineSnapshot(
      `"batch 1 of the source: the data is null. It must be rows, columns, or a source of them. Pass for example [{ x: 1 }] or { x: [1] }."`,
    )
    expect((await failure(gather(source({ x: [1], y: [] })))).message).toMatchInlineSnapshot(
      `"batch 0 of the source: column "y" has 0 cells, column "x" has 1. Columns of one table are equally long. Fill missing cells with null."`,
    )
    expect((await failure(gather(source([{ x: 1 }], [{ x: 2 }, "x"])))).message).toMatchInlineSnapshot(
      `"row 2 is "x". A row is an object of cells by column name. Pass rows like { age: 41, city: "Oslo" }."`,
    )
  })

  test("is closed when the reader stops early", async () => {
    let closed = false
    const endless = {
      async *[Symbol.asyncIterator]() {
        try {
          for (;;) yield [{ x: 1 }]
        } finally {
          closed = true
        }
      },
    }
    for await (const _ of slices(endless)) break
    expect(closed).toBe(true)
  })

  test("that never answers is not waited for after an abort, and is told to stop", async () => {
    const controller = new AbortController()
    let told = false
    const silent = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => undefined),
        return: async () => {
          told = true
          return { done: true as const, value: undefined }
        },
      }),
    }
    setTimeout(() => controller.abort(new Error("enough")), 5)
    expect((await failure(gather(silent, controller.signal))).message).toBe("enough")
    expect(told).toBe(true)
  })

  test("that throws because of an abort is the abort, not a failure", async () => {
    const controller = new AbortController()
    const reason = new Error("enough")
    const obedient = {
      async *[Symbol.asyncIterator](): AsyncGenerator<Row[]> {
        yield []
        controller.abort(reason)
        throw new Error("stopped reading")
      },
    }
    expect(await failure(gather(obedient, controller.signal))).toBe(reason)
  })
})

test("reading rows in memory gives timers their turn, and stops at an abort", async () => {
  const controller = new AbortController()
  const rows = Array.from({ length: 20 * SLICE }, () => ({ x: 1 }))
  let read = 0
  setTimeout(() => controller.abort(new Error("enough")), 0)
  const reading = (async () => {
    for await (const slice of slices(rows, controller.signal)) {
      read += slice.rows
      const until = performance.now() + 2
      while (performance.now() < until);
    }
  })()
  expect((await failure(reading)).message).toBe("enough")
  expect(read).toBeLessThan(rows.length)
})

describe("a column that is not there is named", () => {
  test("with the nearest names, or all of them", () => {
    expect(unknownColumn("bill_lenght", ["bill_length", "island"]).message).toMatchInlineSnapshot(
      `"column "bill_lenght" is not in the data. The data has "bill_length" and "island". Did you mean "bill_length"?"`,
    )
    expect(unknownColumn("mass", ["bill_length", "island"]).message).toMatchInlineSnapshot(
      `"column "mass" is not in the data. The data has "bill_length" and "island". Rename the column in the model or in the data."`,
    )
    expect(unknownColumn("mass", []).message).toMatchInlineSnapshot(
      `"column "mass" is not in the data. The data has no columns. Rename the column in the model or in the data."`,
    )
  })
})

test("nothing listens to an abort any more once a batch has come, or the source has failed", async () => {
  const listening = new Set<unknown>()
  const signal = new Proxy(new AbortController().signal, {
    get(target, name) {
      if (name === "addEventListener") return (_: string, listener: unknown) => void listening.add(listener)
      if (name === "removeEventListener")
        return (_: string, listener: unknown) => void listening.delete(listener)
      const value = Reflect.get(target, name, target)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
  expect(await gather(source([{ x: 1 }], [{ x: 2 }], [{ x: 3 }]), signal)).toHaveLength(3)
  expect(listening.size).toBe(0)
  await failure(gather(source([{ x: 1 }], new Error("gone")), signal))
  expect(listening.size).toBe(0)
})

test("a source that has ended is left alone, one that is left in the middle is told to end", async () => {
  let told = 0
  const counting = {
    [Symbol.asyncIterator]() {
      let batch = 0
      return {
        next: async () =>
          batch++ < 2 ? { done: false, value: [{ x: batch }] } : { done: true, value: undefined },
        return: async () => {
          told++
          return { done: true, value: undefined }
        },
      }
    },
  }
  expect(await gather(counting)).toHaveLength(2)
  expect(told).toBe(0)
  for await (const _ of slices(counting as never as Data)) break
  expect(told).toBe(1)
})
