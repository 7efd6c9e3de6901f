import { classes, fit, independent, multinomial } from "suffice"
import { expect, test } from "vitest"
import { file, refusal } from "../test/scratch.ts"
import { openTable } from "./open.ts"

test("whole numbers from 0 on are a bag", async () => {
  const table = await openTable(file("bag.svm", "# comment\n+1 3:2 17:1 # a\n-1 1:1\n\n? qid:4 2:5\n"))
  expect(table.columns).toEqual([
    { name: "label", type: "integer" },
    { name: "features", type: "bag" },
  ])
  expect(await table.count()).toBe(3)
  expect(await table.take(9)).toEqual([
    { label: 1, features: { 3: 2, 17: 1 } },
    { label: -1, features: { 1: 1 } },
    { label: null, features: { 2: 5 } },
  ])
})

test("other numbers are columns of their own, 0 where they are absent", async () => {
  const table = await openTable(file("dense.libsvm.gz", "cat 1:0.5 3:-1\ndog 2:2\n"), { label: "animal" })
  expect(table.columns).toEqual([
    { name: "animal", type: "string" },
    { name: "f1", type: "number" },
    { name: "f2", type: "number" },
    { name: "f3", type: "number" },
  ])
  for (let pass = 0; pass < 2; pass++) {
    expect(await table.take(9)).toEqual([
      { animal: "cat", f1: 0.5, f2: 0, f3: -1 },
      { animal: "dog", f1: 0, f2: 2, f3: 0 },
    ])
  }
  for await (const batch of table.read(["f3"])) expect(batch).toEqual({ f3: Float64Array.of(-1, 0) })
})

test("more rows than a batch come back whole", async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `${i % 3} ${1 + (i % 5)}:${1 + (i % 4)}`)
  const table = await openTable(file("many.svm", lines.join("\n")))
  const rows = await table.take(Number.POSITIVE_INFINITY)
  expect(rows).toEqual(lines.map((_, i) => ({ label: i % 3, features: { [1 + (i % 5)]: 1 + (i % 4) } })))
})

test("a bag teaches a multinomial", async () => {
  const table = await openTable(file("spam.svm", "spam 1:5 2:1\nham 2:4 3:2\nspam 1:3\nham 3:3\n"))
  const fitted = await fit(classes("label", independent({ features: multinomial() })), table.source)
  expect(fitted.predict([{ features: { 1: 2 } }])[0].value).toBe("spam")
})

test("what is no svmlight is refused, with its line", async () => {
  const refused = (text: string) => refusal(openTable(file("bad.svm", text)))
  expect(await refused("1 1:2\n1 1:x\n")).toMatchInlineSnapshot(
    `"line 2 of "bad.svm" holds "1:x". A row of svmlight is a label and index:value pairs, the values being finite numbers. Mend the line, or pass another format."`,
  )
  expect(await refused("1 1:2\n1:3 2:4\n")).toMatchInlineSnapshot(
    `"line 2 of "bad.svm" begins with "1:3". A row of svmlight begins with its label. Put one there, ? if it is not known."`,
  )
  expect(await refused("1 1:2 5000:-1\n")).toMatchInlineSnapshot(
    `"line 1 of "bad.svm" holds a feature below 0, and there are 5,000 features. Up to 1,000 become columns of numbers, more a bag of counts, which are 0 or more. Select features, or shift them to 0 or more."`,
  )
})

test("features of a batch do not stay for the next", async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => (i < 5000 ? "a 1:0.5 2:-1" : "b 2:0.25"))
  const table = await openTable(file("long.svm", lines.join("\n")))
  let row = 0
  for await (const batch of table.read(["f1", "f2"])) {
    const { f1, f2 } = batch as Record<string, Float64Array>
    for (let i = 0; i < f1.length; i++, row++) {
      if (f1[i] !== (row < 5000 ? 0.5 : 0) || f2[i] !== (row < 5000 ? -1 : 0.25))
        throw new Error(`row ${row} holds ${f1[i]} and ${f2[i]}`)
    }
  }
  expect(row).toBe(20_000)
})
