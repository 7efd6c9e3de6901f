/**
 * Tests the tests: every slip of slips.tsv has its place, and laws notice theirs. `npm test` plants every ninth slip of the laws, test:all
 * the others of every third, `npm run laws` all. The slips of the tests are planted by run.ts alone.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { isDue, isEverything } from "../tiers/share.ts"
import { LawTrials } from "./in-memory.ts"
import { isOfLaw, isOfTest, planted, ROOT, readSlips, sourceOf } from "./slips.ts"

const slips = readSlips()
const ofLaws = slips.filter(isOfLaw)
const ofTests = slips.filter(isOfTest)
const trials = new LawTrials()
const noticed: string[] = []

afterAll(async () => {
  await trials.end()
  console.log(["noticed by       slip", ...noticed].join("\n"))
})

test("every slip has its place", () => {
  const lost = slips.filter(slip => planted(sourceOf(slip), slip) === sourceOf(slip))
  expect(lost).toEqual([])
})

test("the tests of a slip exist", () => {
  const files = ofTests.flatMap(({ check }) => check.files)
  expect(files.filter(file => !existsSync(join(ROOT, file)))).toEqual([])
  expect(ofTests.filter(({ check }) => check.files.length === 0)).toEqual([])
})

test("the laws have at least 110 slips, and no slip is listed twice", () => {
  expect(ofLaws.length).toBeGreaterThanOrEqual(110)
  expect(new Set(slips.map(({ file, find, replace }) => `${file}\n${find}\n${replace}`)).size).toBe(
    slips.length,
  )
  expect(new Set(slips.map(({ about }) => about)).size).toBe(slips.length)
})

test("a slip without its text reports what to do", () => {
  const lost = { ...slips[0], file: "a.ts", find: "no such text" }
  expect(() => planted("some text", lost)).toThrowErrorMatchingInlineSnapshot(
    `[Error: a.ts holds the text of the slip 0 times, not once: "no such text". Change the slip in checks/faults/slips.tsv with the code.]`,
  )
})

test("a line with too few fields, or without a law or a test, is reported", () => {
  expect(() => readSlips("head\nlaw A1\ta.ts\tx\ty\n")).toThrowErrorMatchingInlineSnapshot(
    `[Error: slips.tsv: line 2 has 4 fields, not 5: law A1	a.ts	x	y]`,
  )
  expect(() => readSlips("head\nA1\ta.ts\tx\ty\tz\n")).toThrowErrorMatchingInlineSnapshot(
    `[Error: slips.tsv: the check "A1" names neither a law nor a test.]`,
  )
})

describe.concurrent("slips of the laws", () => {
  test("without a slip, no law is broken where one is to notice it", async ({ signal }) => {
    const sample = ofLaws.filter((_, i) => isDue(i, 9, 1))
    expect(await trials.broken(sample, signal, isEverything)).toEqual([])
  })

  ofLaws.forEach((slip, i) => {
    if (!isDue(i, 9, 3)) return
    test(`${slip.file}: ${slip.about}`, async ({ signal }) => {
      const verdict = await trials.noticed(slip, signal)
      expect(verdict, "no law noticed").toBeDefined()
      noticed.push(`${verdict!.law.padEnd(16)} ${slip.about} (${slip.file}; ${verdict!.subject})`)
    })
  })
})
