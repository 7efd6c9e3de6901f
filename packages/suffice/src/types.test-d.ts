/**
 * What the compiler promises, checked by the compiler: `tsc --noEmit` reads this file, nothing runs it. Long because it is a list.
 * A positive promise is an Expect<Equal<…>>, a negative one a @ts-expect-error. types.test.ts reads the messages.
 */

import { evaluate } from "./answers/evaluate.ts"
import type { LevelPrediction, LoosePrediction, NumberPrediction, Prediction } from "./answers/types.ts"
import { auto } from "./auto.ts"
import { choose } from "./choose/choose.ts"
import type { Bag, Cell, Columns, Level, Row, SoftLabel } from "./contract/cells.ts"
import type { Family } from "./contract/family.ts"
import type { Model } from "./contract/model.ts"
import { bernoulli } from "./families/bernoulli.ts"
import { categorical } from "./families/categorical.ts"
import { gaussian } from "./families/gaussian.ts"
import { multinomial } from "./families/multinomial.ts"
import { fit, learn } from "./fit/fit.ts"
import type { Fitted } from "./fit/fitted.ts"
import { chain } from "./structures/chain/chain.ts"
import { classes, mixture } from "./structures/classes.ts"
import { independent } from "./structures/independent.ts"
import { linear } from "./structures/linear.ts"
import { given, hidden, network } from "./structures/network/declare.ts"
import { normal } from "./structures/normal.ts"
import { plate } from "./structures/plate.ts"
import { window } from "./structures/window.ts"

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Expect<True extends true> = True
/** Evaluated by nobody: a value of any type. */
declare function some<T>(): T

// ── a model carries its columns and its target ─────────────────────────────────────────────────────

const table = independent({
  age: gaussian(),
  city: categorical(),
  smoker: bernoulli(),
  words: multinomial(),
})
const pair = normal(["x", "y"])
const product = independent(table, pair, { size: categorical({ levels: ["S", "M", "L"] }) })
const species = classes("species", table)
const declared = classes("species", pair, { levels: ["a", "b"] })
const digits = classes("digit", pair, { levels: [0, 1, 2] })
const perLevel = classes("pet", { cat: pair, dog: independent({ x: gaussian(), y: gaussian() }) })
const mixed = classes("pet", {
  cat: independent({ colour: categorical() }),
  dog: independent({ colour: categorical({ levels: ["red", "blue"] }) }),
})
const named = mixture(3, pair, { name: "cluster" })
const unnamed = mixture(3, pair)
const listed = mixture([pair, independent({ x: gaussian(), y: gaussian() })])
const nested = classes("y", mixture(2, normal(["u", "v"])))
const nestedNamed = classes("y", mixture(2, normal(["u", "v"]), { name: "part" }))
const line = linear("y", ["x", "z"])
const experts = mixture(3, independent(normal(["x", "z"]), line))
const twoLines = classes("kind", { a: line, b: linear("y", ["u"]) })
const twoLabels = independent({ z: gaussian() }, classes("a", pair), classes("b", normal(["u"])))
const labelInLabel = classes("outer", classes("inner", pair))

export type Models = [
  Expect<
    Equal<typeof table, Model<{ age: number; city: Level; smoker: boolean | 0 | 1; words: Bag }, never>>
  >,
  Expect<Equal<typeof pair, Model<{ x: number; y: number }, never>>>,
  Expect<
    Equal<
      typeof product,
      Model<
        {
          age: number
          city: Level
          smoker: boolean | 0 | 1
          words: Bag
          x: number
          y: number
          size: "S" | "M" | "L"
        },
        never
      >
    >
  >,
  Expect<
    Equal<
      typeof species,
      Model<{ species: Level; age: number; city: Level; smoker: boolean | 0 | 1; words: Bag }, "species">
    >
  >,
  Expect<Equal<typeof declared, Model<{ species: "a" | "b"; x: number; y: number }, "species">>>,
  Expect<Equal<typeof digits, Model<{ digit: 0 | 1 | 2; x: number; y: number }, "digit">>>,
  Expect<Equal<typeof perLevel, Model<{ pet: "cat" | "dog"; x: number; y: number }, "pet">>>,
  Expect<Equal<typeof mixed, Model<{ pet: "cat" | "dog"; colour: "red" | "blue" }, "pet">>>,
  // a hidden column is optional: it can be asked for, and no data holds it
  Expect<Equal<typeof named, Model<{ cluster?: number; x: number; y: number }, never>>>,
  Expect<Equal<typeof unnamed, Model<{ x: number; y: number }, never>>>,
  Expect<Equal<typeof listed, Model<{ x: number; y: number }, never>>>,
  Expect<Equal<typeof nested, Model<{ y: Level; u: number; v: number }, "y">>>,
  Expect<Equal<typeof nestedNamed, Model<{ y: Level; part?: number; u: number; v: number }, "y">>>,
  // what is read is a number like what is modelled
  Expect<Equal<typeof line, Model<{ x: number; y: number; z: number }, never>>>,
  Expect<Equal<typeof experts, Model<{ x: number; z: number; y: number }, never>>>,
  Expect<
    Equal<typeof twoLines, Model<{ kind: "a" | "b"; x: number; y: number; z: number; u: number }, "kind">>
  >,
  // the first label is the target; the other may still be soft, and its cells say so
  Expect<
    Equal<
      typeof twoLabels,
      Model<{ z: number; a: Level; x: number; y: number; b: Level | SoftLabel; u: number }, "a">
    >
  >,
  Expect<
    Equal<
      typeof labelInLabel,
      Model<{ outer: Level; inner: Level | SoftLabel; x: number; y: number }, "outer">
    >
  >,
]

// numbers as levels are levels, not quantities, even where the compiler does not know them
const numberLevels = classes("digit", pair, { levels: some<number[]>() })
const numberCategories = independent({ code: categorical({ levels: some<number[]>() }) })
export type NumberLevels = [
  Expect<Equal<typeof numberLevels, Model<{ digit: Level; x: number; y: number }, "digit">>>,
  Expect<Equal<typeof numberCategories, Model<{ code: Level }, never>>>,
]

// columns known at run time only: loosely typed in, loosely typed out
const dynamic = classes("species", independent(Object.fromEntries([["x", gaussian()]])))
const several = independent(...some<Model[]>())
export type Dynamic = [
  Expect<Equal<typeof dynamic, Model<Record<string, Cell>, "species">>>,
  Expect<Equal<typeof several, Model<Record<string, Cell>, string>>>,
]

// every model is a Model, every fitted model a Fitted
function anyModel(_model: Model): void {}
function anyFitted(_fitted: Fitted): void {}
anyModel(table)
anyModel(twoLabels)
anyModel(named)
anyModel(independent({ own: some<Family>() }))
anyFitted(some<Fitted<{ x: number; y: "a" | "b"; cluster?: number }, "y">>())
anyFitted(some<Fitted<{ x: number }, never>>())

// @ts-expect-error a family is needed
independent({ age: gaussian })
// @ts-expect-error the body is a model
classes("species", gaussian())
// @ts-expect-error the body is a model
mixture(2, { x: gaussian() })

// ── fit: every shape of data ───────────────────────────────────────────────────────────────────────

interface Person {
  age: number
  city: string
  smoker: boolean
  words: string[]
  species: "a" | "b"
  id: symbol
}
interface Patchy {
  age?: number
  city: string | null | undefined
  smoker?: 0 | 1 | null
  words?: Record<string, number>
  species?: string | SoftLabel
}

fit(species, some<Person[]>(), { weight: "anything" })
fit(species, some<readonly Readonly<Person>[]>())
fit(species, some<Patchy[]>())
fit(species, some<(Person | Patchy)[]>())
fit(species, [
  { age: 41, city: "Oslo", smoker: true, words: "sun and moon", species: "a" },
  { age: null, city: "Bergen", smoker: 0, words: { sun: 2 }, species: { a: 0.3, b: 0.7 } },
])
fit(table, [{ age: 1 }, { city: "Oslo" }, { smoker: false, words: [] }])
fit(table, [{ age: 1, city: "Oslo", smoker: true, words: new Map([["sun", 2]]) }])
fit(table, [])
fit(species, JSON.parse("[]"))
// biome-ignore lint/suspicious/noExplicitAny: what JSON.parse gives
fit(species, JSON.parse("[]") as any[])
fit(species, some<Row[]>())
fit(species, some<Record<string, Cell>[]>())
fit(species, some<Record<string, unknown>[]>())
fit(species, some<Record<string, string | number | null>[]>())
fit(species, some<Columns>())
fit(species, some<AsyncIterable<readonly object[]>>())
fit(declared, some<{ species: string; x: number; y: number }[]>())
fit(declared, [{ species: "a", x: 1, y: 2 }])
fit(declared, { species: ["a", "b"], x: new Float64Array(2), y: [1, null] })
fit(digits, { digit: new Int32Array(2), x: some<number[]>(), y: new Float32Array(2) })
fit(species, {
  age: new Float64Array(1),
  city: ["Oslo"],
  smoker: new Uint8Array(1),
  words: [["sun"]],
  species: [null],
})
fit(pair, some<{ x: bigint; y: number }[]>())
fit(table, some<{ age: number; city: number; smoker: number; words: string }[]>())
fit(named, some<{ x: number; y: number }[]>())
fit(twoLabels, [{ z: 1, a: { p: 1 }, b: { q: 1 }, x: 1, y: 1, u: 1 }])
fit(dynamic, some<Person[]>())
fit(some<Model>(), some<Person[]>())
learn(species, some<Person[]>())
fit(pair, some<{ x: number; y: number }[]>(), { onStep: step => anyFitted(step.fitted()) })
choose({ one: mixture(1, pair), two: mixture(2, pair) }, some<{ x: number; y: number }[]>())
choose([{ name: "two", model: mixture(2, pair) }], some<{ x: number; y: number }[]>(), { criterion: "icl" })

// @ts-expect-error y is not in the rows
fit(pair, [{ x: 1, yy: 2 }])
// @ts-expect-error y is not in the rows
fit(pair, some<{ x: number; yy: number }[]>())
// @ts-expect-error y is not in the columns
fit(pair, { x: [1], yy: [2] })
// @ts-expect-error the label is not in the rows
fit(nested, some<{ u: number; v: number }[]>())
// @ts-expect-error x holds text
fit(pair, some<{ x: string; y: number }[]>())
// @ts-expect-error x may hold text
fit(pair, some<{ x: number | string; y: number }[]>())
// @ts-expect-error x may hold text
fit(pair, [{ x: "1", y: 2 }])
// @ts-expect-error x holds text
fit(pair, { x: ["1"], y: [2] })
// @ts-expect-error all cells are text
fit(pair, some<Record<string, string>[]>())
// @ts-expect-error "c" is not among the levels
fit(declared, [{ species: "c", x: 1, y: 2 }])
// @ts-expect-error only a label may be soft
fit(table, [{ age: 1, city: { Oslo: 1 }, smoker: true, words: "" }])
// @ts-expect-error 2 is neither 0 nor 1
fit(table, [{ age: 1, city: "Oslo", smoker: 2, words: "" }])
// @ts-expect-error counts are numbers
fit(table, [{ age: 1, city: "Oslo", smoker: true, words: new Map([["sun", "2"]]) }])
// @ts-expect-error a number is no bag
fit(table, [{ age: 1, city: "Oslo", smoker: true, words: 3 }])
// @ts-expect-error a date is no number
fit(pair, some<{ x: Date; y: number }[]>())
// @ts-expect-error one row is not rows
fit(pair, { x: 1, y: 2 })
// @ts-expect-error the await is missing
fit(pair, Promise.resolve([{ x: 1, y: 2 }]))
// @ts-expect-error not data
fit(pair, 3)
// @ts-expect-error y is not in the rows
learn(pair, [{ x: 1 }])
// @ts-expect-error y is not in the rows
choose({ one: mixture(1, pair) }, [{ x: 1 }])
// @ts-expect-error an unknown option
fit(pair, [{ x: 1, y: 2 }], { wieght: "w" })

// ── predict, posterior: targets and answers ────────────────────────────────────────────────────────

const ofSpecies = await fit(species, some<Person[]>())
const ofDeclared = await fit(declared, some<{ species: string; x: number; y: number }[]>())
const ofDigits = await fit(digits, some<Row[]>())
const ofNamed = await fit(named, some<{ x: number; y: number }[]>())
const ofNested = await fit(nestedNamed, some<Row[]>())
const ofTwo = await fit(twoLabels, some<Row[]>())
const ofAuto = await fit(auto(some<Row[]>()), some<Row[]>())
const people = some<Omit<Person, "species">[]>()
const points = some<{ x: number; y: number }[]>()

const level = ofSpecies.predict(people)
const withLabel = ofSpecies.predict(some<Person[]>())
const city = ofSpecies.predict(some<Omit<Person, "city">[]>(), { target: "city" })
const smoker = ofSpecies.predict(people, { target: "smoker" })
const age = ofSpecies.predict(people, { target: "age" })
const either = ofSpecies.predict(people, { target: some<"age" | "city">() })
const union = ofDeclared.predict(points)
ofDeclared.predict(JSON.parse("[]"))
ofDeclared.predict(some<Row[]>())
ofDeclared.logDensity(JSON.parse("[]"))
const union2 = ofDeclared.predict({ x: new Float64Array(1), y: [2] })
const quantity = ofDeclared.predict([{ x: 1 }], { target: "y" })
const digit = ofDigits.predict(points)
const cluster = ofNamed.predict(points, { target: "cluster" })
const part = ofNested.predict([{ u: 1, v: 2 }], { target: "part" })
const first = ofTwo.predict([{ z: 1, x: 1, y: 1, u: 1 }])
const second = ofTwo.predict([{ z: 1, x: 1, y: 1, u: 1 }], { target: "b" })
const loose = ofAuto.predict(people, { target: "anything" })
const looseLabel = ofAuto.predict(some<Row[]>())
const cities = ofSpecies.posterior(people, { target: "city" })
const posterior = ofDeclared.posterior(points)
const labels = ofDeclared.labels(points)
ofDeclared.logDensity(points)
ofDeclared.logDensity([{ x: 1, y: null }])
ofNamed.responsibilities(points)
ofNamed.responsibilities(points, { of: "cluster" })
ofNamed.responsibilities(points, { of: "mixture(x, y)" })

export type Answers = [
  Expect<Equal<typeof level, LevelPrediction<Level>[]>>,
  Expect<Equal<typeof withLabel, LevelPrediction<Level>[]>>,
  Expect<Equal<typeof city, LevelPrediction<Level>[]>>,
  Expect<Equal<typeof smoker, LevelPrediction<boolean | 0 | 1>[]>>,
  Expect<Equal<typeof age, NumberPrediction[]>>,
  Expect<Equal<typeof either, (NumberPrediction | LevelPrediction<Level>)[]>>,
  Expect<Equal<typeof union, LevelPrediction<"a" | "b">[]>>,
  Expect<Equal<typeof union2, LevelPrediction<"a" | "b">[]>>,
  Expect<Equal<(typeof union)[number]["value"], "a" | "b">>,
  Expect<Equal<(typeof union)[number]["probabilities"], Readonly<Record<"a" | "b", number>>>>,
  Expect<Equal<typeof quantity, NumberPrediction[]>>,
  Expect<Equal<typeof digit, LevelPrediction<0 | 1 | 2>[]>>,
  Expect<Equal<keyof (typeof digit)[number]["probabilities"], "0" | "1" | "2">>,
  Expect<Equal<typeof cluster, LevelPrediction<number>[]>>,
  Expect<Equal<typeof part, LevelPrediction<number>[]>>,
  Expect<Equal<typeof first, LevelPrediction<Level>[]>>,
  Expect<Equal<typeof second, LevelPrediction<Level>[]>>,
  Expect<Equal<typeof loose, LoosePrediction[]>>,
  Expect<Equal<(typeof loose)[number]["value"], Level>>,
  Expect<Equal<typeof looseLabel, LoosePrediction[]>>,
  Expect<Equal<(typeof cities)["levels"], readonly Level[]>>,
  Expect<Equal<(typeof posterior)["levels"], readonly ("a" | "b")[]>>,
  Expect<Equal<typeof labels, ("a" | "b")[]>>,
  Expect<Equal<Prediction, LevelPrediction<Level>>>,
  Expect<Equal<Prediction<number>, NumberPrediction>>,
  Expect<Equal<Prediction<"a" | "b">, LevelPrediction<"a" | "b">>>,
]

// a column that is left out of a question is missing
ofDeclared.predict([{ x: 1 }])
ofDeclared.posterior([{ x: 1 }])
ofDeclared.logDensity([{ x: 1 }])
ofNamed.responsibilities([{ x: 1 }])
// @ts-expect-error x holds text
ofDeclared.predict([{ x: "1", y: 2 }])
// @ts-expect-error a misspelt target
ofSpecies.predict(people, { target: "ctiy" })
// @ts-expect-error a bag cannot be asked for
ofSpecies.predict(people, { target: "words" })
// @ts-expect-error a quantity has no posterior over levels
ofSpecies.posterior(people, { target: "age" })
// @ts-expect-error no label: a target is needed
ofNamed.predict(points)
// @ts-expect-error no label: a target is needed
ofNamed.posterior(points)
// @ts-expect-error a misspelt component
ofNamed.responsibilities(points, { of: "clutser" })
// @ts-expect-error a question takes rows in memory
ofDeclared.predict(some<AsyncIterable<Row[]>>())
// @ts-expect-error "c" is no level
ofDeclared.predict(points)[0].value === "c"
// @ts-expect-error a level has no spread
ofDeclared.predict(points)[0].sd

// ── explain, prototypes, toLinear, sample, impute ──────────────────────────────────────────────────

const why = ofDeclared.explain({ x: 1, y: null }, { level: "a", against: "b" })
const whyCity = ofSpecies.explain(people[0], { target: "city", level: "Oslo" })
const whySmoker = ofSpecies.explain(people[0], { target: "smoker", level: true })
const whyCluster = ofNamed.explain(points[0], { target: "cluster", level: 2 })
ofNamed.explain(points[0], { target: "mixture(x, y)", level: 1 })
ofDeclared.explain({ x: 1, y: 2, species: "a" })
ofDeclared.explain(JSON.parse("{}"))
ofDeclared.explain(some<Row>())
ofAuto.explain(some<Row>(), { target: "anything", level: 3 })
const typical = ofDeclared.prototypes(points, { count: 2 })
ofNamed.prototypes(points, { target: "cluster" })
ofDeclared.toLinear()
ofDeclared.toLinear({ target: "species" })
ofNamed.toLinear({ target: "cluster" })
ofAuto.toLinear({ target: "anything" })
const drawn = ofDeclared.sample(3, { given: { species: "a", x: null } })
ofSpecies.sample(3, { given: { words: ["sun"], age: 41, city: "Oslo" } })
ofNamed.sample(3, { given: { x: 1 } })
ofAuto.sample(3, { given: { anything: "goes" } })

const filled = ofDeclared.impute(some<{ x: number | null; y?: number; id: symbol; note: string | null }[]>())
const filledColumns = ofDeclared.impute({ x: [1, null], y: new Float64Array(2), id: some<bigint[]>() })
const filledPeople = ofSpecies.impute(some<Omit<Patchy, "species">[]>())
const filledLiteral = ofNamed.impute([{ x: 1, y: null }])
const filledAnything = ofDeclared.impute(JSON.parse("[]"))
const filledLoose = ofDeclared.impute(some<Row[]>())
const filledAuto = ofAuto.impute(some<{ x: number | null }[]>())

export type Explained = [
  Expect<Equal<(typeof why)["level"], "a" | "b">>,
  Expect<Equal<(typeof whyCity)["against"], Level>>,
  Expect<Equal<(typeof whySmoker)["level"], boolean | 0 | 1>>,
  Expect<Equal<(typeof whyCluster)["level"], number>>,
  Expect<Equal<(typeof typical)[number]["level"], "a" | "b">>,
  Expect<Equal<(typeof drawn)[number]["species"], "a" | "b">>,
  // every cell of the model is there, and the user's own columns are as they were
  Expect<
    Equal<
      (typeof filled)["rows"][number],
      {
        readonly x: number
        readonly y: number
        readonly species: "a" | "b"
        readonly id: symbol
        readonly note: string | null
      }
    >
  >,
  Expect<Equal<typeof filled.draws, (typeof filled)["rows"][]>>,
  Expect<
    Equal<
      (typeof filledColumns)["rows"][number],
      { readonly x: number; readonly y: number; readonly species: "a" | "b"; readonly id: bigint }
    >
  >,
  Expect<Equal<(typeof filledPeople)["rows"][number]["age"], number>>,
  Expect<Equal<(typeof filledPeople)["rows"][number]["city"], Level>>,
  // nothing fills a bag
  Expect<Equal<(typeof filledPeople)["rows"][number]["words"], Record<string, number> | undefined>>,
  Expect<Equal<(typeof filledLiteral)["rows"][number], { readonly x: number; readonly y: number }>>,
  Expect<
    Equal<
      (typeof filledAnything)["rows"][number],
      { readonly species: "a" | "b"; readonly x: number; readonly y: number }
    >
  >,
  Expect<Equal<(typeof filledLoose)["rows"][number]["anything"], Cell>>,
  Expect<Equal<(typeof filledAuto)["rows"][number]["anything"], Cell>>,
]

ofDeclared.explain({ x: 1 })
// @ts-expect-error x holds text
ofDeclared.explain({ x: "1", y: 2 })
// @ts-expect-error one row, not rows
ofDeclared.explain(points)
// @ts-expect-error no label: a target is needed
ofNamed.explain(points[0])
// @ts-expect-error "c" is no level
ofDeclared.explain(points[0], { level: "c" })
// @ts-expect-error nor is 1
ofDeclared.explain(points[0], { against: 1 })
// @ts-expect-error a quantity has no levels
ofDeclared.explain(points[0], { target: "x" })
// @ts-expect-error a misspelt target
ofDeclared.explain(points[0], { target: "specise" })
// @ts-expect-error a misspelt target
ofDeclared.prototypes(points, { target: "specise" })
// @ts-expect-error no label: a target is needed
ofNamed.prototypes(points)
ofDeclared.prototypes([{ x: 1 }])
// @ts-expect-error a quantity has no levels
ofDeclared.toLinear({ target: "x" })
// @ts-expect-error a misspelt column
ofDeclared.sample(3, { given: { z: 1 } })
// @ts-expect-error x is a number
ofDeclared.sample(3, { given: { x: "1" } })
// @ts-expect-error "c" is no level
ofDeclared.sample(3, { given: { species: "c" } })
// @ts-expect-error a hidden column cannot be given
ofNamed.sample(3, { given: { cluster: 1 } })
// @ts-expect-error the answer's interval is asked for by its coverage
ofDeclared.predict(points, { target: "x", interval: 0.9 })
ofDeclared.predict(points, { target: "x", coverage: 0.9 })

// ── generic code passes data on ────────────────────────────────────────────────────────────────────

export async function both(rows: { x: number; y: number; species: "a" | "b" }[]): Promise<void> {
  for (const model of [declared, classes("species", mixture(2, pair), { levels: ["a", "b"] })]) {
    const fitted = await fit(model, rows)
    const [answer] = fitted.predict(rows)
    answer.value satisfies "a" | "b"
  }
}

export async function anything(model: Model, rows: Row[]): Promise<Level> {
  const fitted = await fit(model, rows)
  return fitted.predict(rows, { target: "x" })[0].value
}

export function anyAnswer(fitted: Fitted, rows: Row[]): Level {
  return fitted.predict(rows)[0].value ?? fitted.predict(rows, { target: "x" })[0].value
}
anyAnswer(ofDeclared, [])
anyAnswer(ofNamed, [])

// ── a regression is asked for its column, and told what it reads ───────────────────────────────────

const fittedLine = await fit(line, [{ x: 1, y: 2, z: 3 }])
export type Lines = [Expect<Equal<ReturnType<typeof askLine>, NumberPrediction[]>>]
function askLine() {
  return fittedLine.predict([{ x: 1, z: 3 }], { target: "y" })
}
// @ts-expect-error: z is read, and not in the data
fit(line, [{ x: 1, y: 2 }])
// @ts-expect-error: what is read is a number
fit(line, [{ x: 1, y: 2, z: "three" }])

// ── steps: the compiler knows their columns ────────────────────────────────────────────────────────

const visits = classes("ill", plate("visits", independent({ pulse: gaussian(), ward: categorical() })))
const spelled = plate("letters", independent({ letter: categorical() }))

export async function steps(): Promise<void> {
  const ill = await fit(visits, [
    { ill: "yes", visits: [{ pulse: 60, ward: "a" }, null, { pulse: null }] },
    { ill: "no", visits: { pulse: Float64Array.of(60, 70), ward: ["a", "b"] } },
    { ill: "no", visits: null },
  ])
  ill.predict([{ visits: [] }])
  await fit(spelled, [{ letters: ["a", "b", null] }, { letters: [{ letter: "c" }] }])
  // @ts-expect-error a number is wanted
  await fit(visits, [{ ill: "yes", visits: [{ pulse: "high", ward: "a" }] }])
  // @ts-expect-error a list is wanted
  await fit(visits, [{ ill: "yes", visits: 3 }])
  // @ts-expect-error the column is missing
  await fit(visits, [{ ill: "yes" }])
  // @ts-expect-error a row has many of it
  ill.predict([{ visits: [] }], { target: "pulse" })
  // @ts-expect-error steps are no target
  ill.predict([{ visits: [] }], { target: "visits" })
}

// ── chains: each step can be asked for ─────────────────────────────────────────────────────────────

const tagger = chain("tag", independent({ word: categorical(), length: gaussian() }), { column: "tokens" })
const series = classes("kind", chain(3, independent({ x: gaussian() })))

export async function chains(): Promise<void> {
  const tagging = await fit(tagger, [
    { tokens: [{ tag: "N", word: "time", length: 4 }, null, { word: "flies" }] },
    { tokens: { tag: ["N", null], word: ["time", "flies"], length: [4, 5] } },
  ])
  const sentences = [{ tokens: [{ word: "time" }] }]
  const tags = tagging.predict(sentences)
  const lengths = tagging.predict(sentences, { target: "length" })
  const [path] = tagging.path(sentences)
  const judged = evaluate(tagging, [{ tokens: [{ tag: "N", word: "time" }] }])
  type Answers = [
    Expect<Equal<(typeof lengths)[0][0], NumberPrediction>>,
    Expect<Equal<typeof path.logProbability, number>>,
    Expect<Equal<typeof judged.sequences.accuracy, number>>,
  ]
  some<Answers>()
  tags[0][0].probability.toFixed()
  tagging.posterior(sentences).offsets?.at(0)
  tagging.labels(sentences)[0].length.toFixed()
  // @ts-expect-error a misspelt target
  tagging.predict(sentences, { target: "tga" })
  // @ts-expect-error the column of the steps is no target
  tagging.predict(sentences, { target: "tokens" })
  // @ts-expect-error a number is wanted
  await fit(tagger, [{ tokens: [{ tag: "N", word: "time", length: "4" }] }])
  // @ts-expect-error other steps
  await fit(tagger, [{ tokens: 3 }])
  const kinds = await fit(series, [{ kind: "a", steps: [1, 2, null] }])
  kinds.predict([{ steps: [1] }])[0].probability.toFixed()
  kinds.predict([{ steps: [1] }], { target: "x" })[0][0].sd.toFixed()
}

/** Questions about single steps. */
export async function singleSteps(): Promise<void> {
  const tagging = await fit(tagger, [{ tokens: [{ tag: "N", word: "time", length: 4 }] }])
  const sentences = [{ tokens: [{ word: "time" }] }]
  const explained = tagging.explain(sentences[0], { step: 0 })
  const strange = tagging.anomalies(sentences, { by: "step" })
  const rows = tagging.anomalies(sentences)
  const actions = tagging.decide(sentences, { loss: { N: { go: 0 } } })
  type Answers = [
    Expect<Equal<typeof explained.past, number>>,
    Expect<Equal<(typeof strange.steps)[0]["step"], number>>,
    Expect<Equal<(typeof rows.rows)[0], number>>,
    Expect<Equal<(typeof actions)[0][0]["action"], "go" | "reject">>,
  ]
  some<Answers>()
  // @ts-expect-error one step has a past, a row has a prior
  explained.prior
  // @ts-expect-error rows are not judged by step
  rows.steps
}

/** The steps have the columns that a window or a lagged column reads. */
export async function made(): Promise<void> {
  const near = window([{ of: "word", at: [-1, 1] }, { of: ["word", "pos"] }])
  const tagging = await fit(chain("tag", near), [{ steps: [{ tag: "N", word: "time", pos: "NN" }] }])
  tagging.predict([{ steps: [{ word: "time" }] }])[0][0].probability.toFixed()
  // @ts-expect-error the window makes it, and it cannot be asked for
  tagging.predict([{ steps: [{ word: "time" }] }], { target: "features" })
  // @ts-expect-error a window reads levels
  await fit(chain("tag", near), [{ steps: [{ tag: "N", word: ["time"] }] }])
  const switching = await fit(chain(2, linear("x", ["x@-1", "u@-2"])), [{ steps: [{ x: 1, u: 2 }] }])
  switching.predict([{ steps: [{ x: 1, u: 1 }] }], { target: "x" })[0][0].sd.toFixed()
  // @ts-expect-error it is made of x
  switching.predict([{ steps: [{ x: 1 }] }], { target: "x@-1" })
  // @ts-expect-error of another type
  await fit(chain(2, linear("x", ["x@-1"])), [{ steps: [{ x: "1" }] }])
}

/** A network knows its parents, and a hidden column is in no data. */
export async function networks(): Promise<void> {
  const weather = network({
    season: categorical({ levels: ["dry", "wet"] }),
    mood: hidden(2),
    rain: given(["season"], bernoulli()),
    height: given(["mood", "age"], gaussian()),
    age: gaussian(),
  })
  const fitted = await fit(weather, [{ season: "dry", rain: true, height: 1, age: 30 }])
  const [season] = fitted.predict([{ rain: true }], { target: "season" })
  const [height] = fitted.predict([{ age: 30 }], { target: "height" })
  const { rows } = fitted.mostProbable([{ rain: true }])
  type Answers = [
    Expect<Equal<typeof season.value, "dry" | "wet">>,
    Expect<Equal<typeof height.sd, number>>,
    Expect<Equal<(typeof rows)[0]["season"], "dry" | "wet">>,
  ]
  some<Answers>()
  fitted.predict([{ rain: true }], { target: "mood" })[0].probability.toFixed()
  // @ts-expect-error a misspelt parent
  network({ season: categorical(), rain: given(["saeson"], bernoulli()) })
  // @ts-expect-error a hidden column is not in the data, and a seen one must be
  await fit(weather, [{ season: "dry", rain: true, height: 1 }])
  // @ts-expect-error another type of cell
  await fit(weather, [{ season: "dry", rain: true, height: "1", age: 30 }])
}
