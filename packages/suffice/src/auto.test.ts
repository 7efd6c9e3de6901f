import { describe, expect, test } from "vitest"
import { auto } from "./auto.ts"
import type { Row } from "./contract/cells.ts"
import type { FamilyKind } from "./contract/family.ts"
import { families } from "./families/list.ts"
import { dice } from "./random.ts"

const texts = [
  "a good film",
  "a very bad film",
  "dull",
  "what a film",
  "not my kind of film",
  "go and see it",
]
const rows: Row[] = texts.map((text, i) => ({
  id: `row${i}`,
  species: i % 2 ? "Adelie" : "Gentoo",
  island: ["Dream", "Biscoe", "Dream"][i % 3],
  bill: 40 + 0.7 * i * i,
  legs: 1 + (i % 3),
  male: i % 3 === 0,
  tagged: i % 2,
  text,
  words: i % 2 ? ["a", "b"] : { a: 2 },
  empty: null,
  same: 3,
  mixed: i % 2 ? "x" : 7,
  when: new Date(i) as never,
}))

test("each column gets the first family that suits it, or is left out with a reason", () => {
  const { inferred } = auto(rows, { label: "species" })
  expect(inferred.map(({ column, family, why }) => `${column}: ${family} (${why})`)).toMatchInlineSnapshot(`
    [
      "id: undefined (every string is different: an id says nothing about other rows)",
      "island: categorical (2 different words in 6 cells)",
      "bill: gaussian (6 different numbers)",
      "legs: gaussian (3 different whole numbers, whose order and distance count; if they are codes, name categorical())",
      "male: bernoulli (true or false)",
      "tagged: bernoulli (only 0 and 1)",
      "text: multinomial (5 of 6 strings are several words)",
      "words: multinomial (6 word lists or word counts)",
      "empty: undefined (every cell is missing)",
      "same: undefined (every cell is the same)",
      "mixed: undefined (it mixes 3 numbers and 3 strings)",
      "when: undefined (no cell is a number, a boolean, a string or a bag)",
    ]
  `)
})

test("percentages and ages are no counts, however whole; visits are", () => {
  const draws = dice(8)
  const many = Array.from({ length: 400 }, () => ({
    percent: draws.integer(101),
    age: Math.max(0, Math.round(35 + 18 * draws.normal())),
    visits: draws.poisson(draws.uniform() < 0.5 ? 2 : 6),
    none: draws.poisson(0.3),
  }))
  expect(auto(many).inferred.map(({ column, family }) => `${column}: ${family}`)).toEqual([
    "percent: gaussian",
    "age: gaussian",
    "visits: poisson",
    "none: poisson",
  ])
  expect(auto(many).inferred[0].why).toMatch(/variance 1\d times the mean: too spread for counts$/)
})

test("with a label: one body of independent columns per class", () => {
  const model = auto(rows, { label: "species" })
  expect(model.kind).toBe("classes")
  expect(model.target).toBe("species")
  expect(model.uses.map(use => use.column)).toEqual([
    ...["species", "island", "bill", "legs", "male", "tagged", "text", "words"],
  ])
})

test("without a label: independent columns, and the would-be label is one of them", () => {
  const model = auto(rows, { except: ["text", "words"] })
  expect(model.kind).toBe("independent")
  expect(model.target).toBeUndefined()
  expect(model.uses.map(use => use.column)).toEqual(["species", "island", "bill", "legs", "male", "tagged"])
})

test("columns give the same model as rows", () => {
  const columns = Object.fromEntries(Object.keys(rows[0]).map(name => [name, rows.map(row => row[name])]))
  const model = auto(columns, { label: "species" })
  expect(model.spec).toEqual(auto(rows, { label: "species" }).spec)
  expect(model.inferred).toEqual(auto(rows, { label: "species" }).inferred)
})

test("phrases that recur are levels, not texts", () => {
  const species = ["Iris setosa", "Iris virginica"]
  const many = Array.from({ length: 40 }, (_, i) => ({ species: species[i % 2] }))
  expect(auto(many).inferred).toEqual([
    { column: "species", family: "categorical", why: "2 different phrases in 40 cells" },
  ])
})

test("strings too many to be levels are left out", () => {
  const many = Array.from({ length: 3000 }, (_, i) => ({ zip: `z${i % 1200}`, x: i }))
  expect(auto(many).inferred[0]).toEqual({
    column: "zip",
    family: undefined,
    why: "no family suits 1000 or more different values in 3000 rows",
  })
})

test("the families to choose from may be given: the first that suits wins", () => {
  const mine: FamilyKind = { ...families[3], name: "mine", suits: () => "I like it" }
  expect(auto(rows, { label: "species", families: [mine] }).inferred[1].family).toBe("mine")
})

describe("messages", () => {
  test("an unknown label", () => {
    expect(() => auto(rows, { label: "specie" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: auto: label names "specie", which is no column. The data has "id", "species", "island", "bill", "legs", "male", "tagged", "text" and 5 more. Did you mean "species"?]`,
    )
    expect(() => auto([{ x: 1 }], { label: "colour" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: auto: label names "colour", which is no column. The data has "x". Name one of them.]`,
    )
  })
  test("an unknown column to leave out", () => {
    expect(() => auto(rows, { except: ["txt"] })).toThrow(/except names "txt".*Did you mean "text"\?/)
  })
  test("nothing left", () => {
    const few = [
      { y: "a", id: "r1", same: 1 },
      { y: "b", id: "r2", same: 1 },
    ]
    expect(() => auto(few, { label: "y" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: auto: no column is left to model ("id": every string is different: an id says nothing about other rows; "same": every cell is the same). A model needs at least one. Give more columns, or name the families with independent({ ... }).]`,
    )
    expect(() => auto([{ y: 1 }], { label: "y" })).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: auto: no column is left to model. A model needs at least one. Give more columns, or name the families with independent({ ... }).]`,
    )
  })
  test("no rows", () => {
    expect(() => auto([])).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: auto: the data has no rows. Families are chosen by looking at cells. Give at least one row, or name the families with independent({ ... }).]`,
    )
  })
})
