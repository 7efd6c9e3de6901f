import { describe, expect, test } from "vitest"
import type { Row } from "../contract/cells.ts"
import { dice } from "../random.ts"
import { folds, split } from "./split.ts"

interface Visit {
  id: number
  y: string | null
  patient: string
  day: number
  when: string
}

const VISITS: Visit[] = Array.from({ length: 60 }, (_, id) => ({
  id,
  y: id % 10 === 9 ? null : id % 3 === 0 ? "rare" : "common",
  patient: `p${(id * 7) % 13}`,
  day: (id * 11) % 20,
  when: `2024-0${1 + (id % 6)}-01`,
}))

const ids = (rows: readonly { id: number }[]): number[] => rows.map(row => row.id)
const count = (rows: readonly Visit[], y: string | null): number => rows.filter(row => row.y === y).length

describe("split", () => {
  test("parts the rows once, in their order, 3 of 10 for the test", () => {
    const { train, test } = split(VISITS)
    expect(test).toHaveLength(18)
    expect([...ids(train), ...ids(test)].sort((a, b) => a - b)).toEqual(ids(VISITS))
    expect(ids(train)).toEqual(ids(train).sort((a, b) => a - b))
    expect(train[0]).toBe(VISITS[ids(train)[0]])
  })

  test("the same seed gives the same parts, another seed others", () => {
    expect(ids(split(VISITS, { seed: 3 }).test)).toEqual(ids(split(VISITS, { seed: 3 }).test))
    expect(ids(split(VISITS, { seed: 4 }).test)).not.toEqual(ids(split(VISITS, { seed: 3 }).test))
    expect(ids(split(VISITS, { seed: 0 }).test)).toEqual(ids(split(VISITS).test))
  })

  test("columns come back as columns, each of its own kind, with the same rows", () => {
    const columns = {
      id: VISITS.map(row => row.id),
      y: VISITS.map(row => row.y),
      day: Float32Array.from(VISITS, row => row.day),
    }
    const { train, test } = split(columns, { stratify: "y", seed: 5 })
    const rows = split(VISITS, { stratify: "y", seed: 5 })
    expect(test.id).toEqual(ids(rows.test))
    expect(train.day).toBeInstanceOf(Float32Array)
    expect([...train.day]).toEqual(rows.train.map(row => row.day))
  })

  test("stratified by the label, each part has its share of every level and of missing labels", () => {
    for (let seed = 0; seed < 10; seed++) {
      const { test } = split(VISITS, { stratify: "y", test: 0.5, seed })
      for (const level of ["rare", "common", null]) {
        expect(Math.abs(count(test, level) - count(VISITS, level) / 2)).toBeLessThanOrEqual(1)
      }
    }
  })

  test("a soft label counts as its heaviest level", () => {
    const rows = VISITS.map(row => ({ ...row, y: row.y === "rare" ? { rare: 0.8, common: 0.2 } : row.y }))
    expect(ids(split(rows, { stratify: "y" }).test)).toEqual(ids(split(VISITS, { stratify: "y" }).test))
  })

  test("no group is on both sides, and a missing group stands alone", () => {
    for (let seed = 0; seed < 10; seed++) {
      const { train, test } = split(VISITS, { group: "patient", stratify: "y", seed })
      const known = new Set(train.map(row => row.patient))
      expect(test.some(row => known.has(row.patient))).toBe(false)
      expect(test.length).toBeGreaterThan(12)
      expect(test.length).toBeLessThan(24)
    }
    const alone = split([{ g: null }, { g: null }, { g: Number.NaN }, {}], { group: "g", test: 0.5 })
    expect([alone.train.length, alone.test.length]).toEqual([2, 2])
  })

  test("by time, the test part is the latest rows, and rows of one time stay together", () => {
    for (const time of ["day", "when"] as const) {
      const { train, test } = split(VISITS, { time, test: 0.4 })
      expect(test.every(late => train.every(early => early[time] < late[time]))).toBe(true)
      expect(Math.abs(test.length - 24)).toBeLessThanOrEqual(time === "day" ? 3 : 6)
      expect(ids(test)).toEqual(ids(test).sort((a, b) => a - b))
    }
    const dates = VISITS.map(({ id, when }) => ({ id, when: new Date(when) }))
    expect(ids(split(dates, { time: "when" }).test)).toEqual(ids(split(VISITS, { time: "when" }).test))
    const big = VISITS.map(({ id, day }) => ({ id, day: BigInt(day) }))
    expect(ids(split(big, { time: "day" }).test)).toEqual(ids(split(VISITS, { time: "day" }).test))
  })

  test("the data is not touched", () => {
    const frozen = Object.freeze(VISITS.map(row => Object.freeze({ ...row })))
    split(frozen, { stratify: "y", group: "patient" })
    split(frozen, { time: "day" })
    expect(frozen).toEqual(VISITS)
  })
})

describe("folds", () => {
  test("every row is tested once, and learned from in all other folds", () => {
    for (const options of [
      {},
      { stratify: "y" },
      { group: "patient" },
      { group: "patient", stratify: "y" },
    ]) {
      const parts = folds(VISITS, 5, options)
      expect(parts.flatMap(({ test }) => ids(test)).sort((a, b) => a - b)).toEqual(ids(VISITS))
      for (const { train, test } of parts) {
        expect([...ids(train), ...ids(test)].sort((a, b) => a - b)).toEqual(ids(VISITS))
        expect(Math.abs(test.length - 12)).toBeLessThanOrEqual("group" in options ? 4 : 0)
      }
    }
  })

  test("each fold holds its share of every level", () => {
    for (const { test } of folds(VISITS, 4, { stratify: "y", seed: 2 })) {
      for (const level of ["rare", "common", null]) {
        expect(Math.abs(count(test, level) - count(VISITS, level) / 4)).toBeLessThanOrEqual(1)
      }
    }
  })

  test("as many folds as rows leave one out", () => {
    expect(folds(VISITS, 60).map(({ test }) => test.length)).toEqual(new Array(60).fill(1))
  })

  test("by time, each fold learns from all that came before its test part", () => {
    const parts = folds(VISITS, 3, { time: "day" })
    expect(parts).toHaveLength(3)
    parts.forEach(({ train, test }, f) => {
      const latest = Math.max(...train.map(row => row.day))
      expect(test.every(row => row.day > latest)).toBe(true)
      if (f > 0) {
        const before = [...ids(parts[f - 1].train), ...ids(parts[f - 1].test)].sort((a, b) => a - b)
        expect(ids(train)).toEqual(before)
      }
    })
    expect(parts[2].train.length + parts[2].test.length).toBe(60)
  })
})

test("a hundred thousand rows are split at once", () => {
  const d = dice(1)
  const y = Array.from({ length: 100_000 }, () => d.integer(5))
  expect(split({ y }, { stratify: "y" }).test.y).toHaveLength(30_000)
})

describe("what cannot be split is refused:", () => {
  const refused = (name: string, call: () => unknown, check: (call: () => unknown) => void): void =>
    test(name, () => check(call))

  refused(
    "a share of 30",
    () => split(VISITS, { test: 30 }),
    call =>
      expect(call).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: split: test is 30. It is a share of the rows, above 0 and below 1. Write for example { test: 0.3 }.]`,
      ),
  )
  refused(
    "an unknown option",
    () => split(VISITS, { tset: 0.2 } as never),
    call =>
      expect(call).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: split: there is no option "tset". It knows "test", "seed", "stratify", "group" and "time". Did you mean "test"?]`,
      ),
  )
  refused(
    "a seed that is none",
    () => split(VISITS, { seed: Number.NaN }),
    call =>
      expect(call).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: split: seed is NaN. The dice need a finite number. Give any, or leave it out for 0.]`,
      ),
  )
  refused(
    "stratify: true",
    () => split(VISITS, { stratify: true as never }),
    call =>
      expect(call).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: split: stratify is true. It must name a column. Write for example { stratify: "label" }.]`,
      ),
  )
  refused(
    "a misspelt column",
    () => split(VISITS, { group: "pateint" }),
    call =>
      expect(call).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: split: the group column "pateint" is not in the data. The data has "id", "y", "patient", "day" and "when". Did you mean "patient"?]`,
      ),
  )
  refused(
    "a column that is nowhere near",
    () => folds({ x: [1, 2] }, 2, { stratify: "label" }),
    call =>
      expect(call).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: folds: the stratify column "label" is not in the data. The data has "x". Add it, or name another column.]`,
      ),
  )
  refused(
    "time and group",
    () => split(VISITS, { time: "day", group: "patient" }),
    call =>
      expect(call).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: split: time is given together with group. Time alone decides which rows are late. Leave one of them out.]`,
      ),
  )
  refused(
    "one row",
    () => split([VISITS[0]]),
    call =>
      expect(call).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: split: the data has 1 row. Each part needs at least one, so 2 are wanted. Bring more rows.]`,
      ),
  )
  refused(
    "fewer rows than folds",
    () => folds(VISITS.slice(0, 3), 5),
    call =>
      expect(call).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: folds: the data has 3 rows. Each part needs at least one, so 5 are wanted. Bring more rows, or ask for fewer folds.]`,
      ),
  )
  refused(
    "one fold",
    () => folds(VISITS, 1),
    call =>
      expect(call).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: folds: the number of folds is 1. Each row is tested by a model of the others, which takes at least two. Write for example folds(rows, 5).]`,
      ),
  )
  refused(
    "one group",
    () => split(VISITS.slice(0, 1).concat(VISITS[13]), { group: "patient" }),
    call =>
      expect(call).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: split: column "patient" has 1 group for 2 parts. A group is never parted, so each part needs one. Bring more groups, or leave out group.]`,
      ),
  )
  refused(
    "one time",
    () => split([VISITS[0], VISITS[0]], { time: "day" }),
    call =>
      expect(call).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: split: column "day" has fewer than 2 different times. Rows of one time stay together, so they cannot be cut into 2 stretches. Use a finer time, or split by seed.]`,
      ),
  )
  refused(
    "a missing time",
    () => split([{ t: 1 }, { t: null }], { time: "t" }),
    call =>
      expect(call).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: split: row 1 of "t" holds null. A row without a time is neither before nor after the others. Give it a number, a date or ISO text, or drop it.]`,
      ),
  )
  refused(
    "times of two kinds",
    () => split([{ t: 1 }, { t: "2024" }], { time: "t" }),
    call =>
      expect(call).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: split: row 1 of "t" holds "2024", row 0 holds 1. Times of two kinds have no order. Convert the column to one type.]`,
      ),
  )
  refused(
    "a source",
    () => split((async function* (): AsyncGenerator<Row[]> {})()),
    call =>
      expect(call).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: split: the data is a source. All rows are needed at once. Read the source into rows first.]`,
      ),
  )
  refused(
    "something that is no data",
    () => split("rows" as never),
    call =>
      expect(call).toThrowErrorMatchingInlineSnapshot(
        `[SufficeError: the data is "rows". It must be rows, columns, or a source of them. Pass for example [{ x: 1 }] or { x: [1] }.]`,
      ),
  )
})
