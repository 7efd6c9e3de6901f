/** What the compiler promises of baselines. */

import { categorical } from "../families/categorical.ts"
import { gaussian } from "../families/gaussian.ts"
import { type Evaluation, evaluate, type ScoreEvaluation } from "../measure.ts"
import { classes } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { linearSvm } from "./linear-svm.ts"
import { logisticRegression } from "./logistic-regression.ts"

const model = classes("y", independent({ x: gaussian(), city: categorical() }), { levels: ["a", "b"] })
const rows = [{ x: 1, city: "Oslo", y: "a" as const }]
const logistic = await logisticRegression().fit(model, rows)
const machine = await linearSvm().fit(model, rows)

const [answer] = logistic.predict([{ x: 1, city: null }])
answer.value satisfies "a" | "b"
answer.probabilities.a satisfies number
machine.predict(rows)[0].scores.b satisfies number
// @ts-expect-error an SVM has scores, not probabilities
machine.predict(rows)[0].probability
logistic.posterior(rows).levels satisfies readonly ("a" | "b")[]
evaluate(logistic, rows) satisfies Evaluation
evaluate(machine, rows) satisfies ScoreEvaluation
// @ts-expect-error a log-loss needs probabilities
evaluate(machine, rows).logLoss
// @ts-expect-error a column of the model is misspelt
logisticRegression().fit(model, [{ x: 1, ctiy: "Oslo", y: "a" }])
// @ts-expect-error a number is no text
machine.scores([{ x: "1", city: "Oslo" }])
