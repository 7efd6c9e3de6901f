/** What the compiler knows of evaluations: `tsc --noEmit` reads this file, nothing runs it. */

import { crossValidate } from "../choose/cross-validate.ts"
import { split } from "../choose/split.ts"
import type { Row } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { fit } from "../fit/fit.ts"
import type { Fitted } from "../fit/fitted.ts"
import type { Evaluation, NumberEvaluation } from "../measure/evaluation.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { calibrate } from "./calibrate.ts"
import { evaluate, type LooseEvaluation } from "./evaluate.ts"

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Expect<True extends true> = True
declare function some<T>(): T

interface Tree {
  species: string
  x: number
  leaf: string
}

const model = classes("species", independent({ x: gaussian(), leaf: categorical() }))
const { train, test } = split(some<Tree[]>(), { stratify: "species" })
const fitted = await fit(model, train)
const label = evaluate(fitted, test)
const leaf = evaluate(fitted, test, { target: "leaf" })
const number = evaluate(fitted, test, { target: "x", weight: "anything" })
const loose = evaluate(some<Fitted>(), some<Row[]>())
const columns = split({ x: new Float64Array(2), species: ["a", "b"] })
const validated = await crossValidate(model, some<Tree[]>(), { folds: 3, group: "ward" })
const numbers = await crossValidate(model, some<Tree[]>(), { target: "x" })
const any = await crossValidate(some<Model>(), some<Row[]>())

export type Answers = [
  Expect<Equal<typeof train, Tree[]>>,
  Expect<Equal<(typeof columns)["test"]["x"], Float64Array<ArrayBuffer>>>,
  Expect<Equal<typeof label, Evaluation>>,
  Expect<Equal<typeof leaf, Evaluation>>,
  Expect<Equal<typeof number, NumberEvaluation>>,
  Expect<Equal<typeof loose, LooseEvaluation>>,
  Expect<Equal<(typeof loose)["accuracy"], number>>,
  Expect<Equal<(typeof loose)["rmse"], number | undefined>>,
  Expect<Equal<typeof validated.pooled, Evaluation>>,
  Expect<Equal<typeof validated.accuracy.mean, number>>,
  Expect<Equal<typeof numbers.rmse.standardError, number>>,
  Expect<Equal<typeof any.accuracy.mean, number>>,
]

// @ts-expect-error the label is not in the rows: there is no truth
evaluate(fitted, some<Omit<Tree, "species">[]>())
// @ts-expect-error a misspelt target
evaluate(fitted, test, { target: "laef" })
// @ts-expect-error an unknown option
evaluate(fitted, test, { wieght: "w" })
// @ts-expect-error a number has no accuracy
number.accuracy
// @ts-expect-error a number has no probabilities to calibrate
calibrate(fitted, test, { target: "x" })
// @ts-expect-error an unknown method
calibrate(fitted, test, { method: "platt" })
// @ts-expect-error a column is missing
crossValidate(model, some<{ x: number }[]>())
calibrate(fitted, test, { method: "isotonic", target: "leaf" })
crossValidate(mixture(2, independent({ x: gaussian() })), test, { target: "x" })
