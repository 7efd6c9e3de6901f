import { expect, test } from "vitest"
import type { Encoded } from "../contract/block.ts"
import type { Use } from "../contract/columns.ts"
import { classes, gaussian, independent, multinomial } from "../index.ts"
import { discover, type Schema } from "./discover.ts"
import { questionBlocks, type Unseen } from "./question-blocks.ts"
import type { Data } from "./read.ts"
import { weightingOf } from "./weigh.ts"

const model = classes("y", independent({ x: gaussian(), t: multinomial() }))
const rows = [
  { x: 1, t: "one two", y: "a" },
  { x: 3, t: "two three", y: "b" },
]
async function schemaOf(): Promise<Schema> {
  const weighting = weightingOf(model, {})
  return (await discover(model.uses as readonly Use[], rows, weighting, undefined)).schema
}

/** What a question reads: plain, since its room is used again. */
function asked(schema: Schema, data: unknown, column?: string): { held: unknown[]; unseen: Unseen } {
  const held: unknown[] = []
  const asking = questionBlocks(schema, data as Data, column)
  for (let block = asking.next(); block; block = asking.next()) held.push(block.cells.map(plain))
  return { held, unseen: asking.unseen }
}

/** A bag alone may stand in arrays that are longer than it is. */
function plain(cells: Encoded): unknown {
  if (!("offsets" in cells)) return [...cells]
  if (!("words" in cells)) return cells
  const end = cells.offsets[cells.offsets.length - 1]
  return {
    offsets: [...cells.offsets],
    words: [...cells.words.subarray(0, end)],
    counts: [...cells.counts.subarray(0, end)],
  }
}

test("a row alone is held as it is beside others, whatever was asked before", async () => {
  const schema = await schemaOf()
  const questions = [
    { x: 2, t: "two two two", y: "b" },
    { x: null, t: null },
    { x: 5, t: "new words and one", y: "c" },
    { x: 0, t: [] },
  ]
  for (const question of questions) {
    const alone = asked(schema, [question])
    const again = asked(schema, [question])
    const column = asked(
      schema,
      Object.fromEntries(Object.entries(question).map(([name, cell]) => [name, [cell]])),
    )
    expect(alone.held).toHaveLength(1)
    expect(again).toEqual(alone)
    expect(column).toEqual(alone)
  }
})

test("onUnseen of one question are not those of the next, nor do they change afterwards", async () => {
  const schema = await schemaOf()
  const first = asked(schema, [{ x: 1, t: "unheard", y: "c" }]).unseen
  expect([...first]).toEqual([[0, { y: "c", t: ["unheard"] }]])
  expect(() => asked(schema, [{ x: "no number", t: "of", y: "d" }])).toThrow("no number")
  expect(() => asked(schema, [{ x: 1, t: 7, y: "d" }])).toThrow("7")
  expect(asked(schema, [{ x: 1, t: "one" }]).unseen.size).toBe(0)
  expect([...first]).toEqual([[0, { y: "c", t: ["unheard"] }]])
})

test("a row alone is refused in the words of a row among others", async () => {
  const schema = await schemaOf()
  const message = (data: unknown, column?: string): string => {
    try {
      asked(schema, data, column)
    } catch (error) {
      return (error as Error).message
    }
    return "nothing"
  }
  for (const wrong of [
    { x: 1, T: "one" },
    null,
    7,
    ["x"],
    { x: {}, t: "one" },
    Object.create({ x: 1, t: "one" }),
  ]) {
    const alone = message([wrong])
    expect(alone).not.toBe("nothing")
    expect(message([wrong, wrong])).toBe(alone)
  }
  expect(message([{ x: 1 }])).toBe("nothing")
  expect(message([{ x: 1 }], "t")).toBe("nothing")
  expect(message([{ t: "one", x: 1 }], "y")).toBe("nothing")
})
