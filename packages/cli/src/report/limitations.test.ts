/** Limitations come from facts: what no number says is not said. */
import type { Evaluation } from "suffice/measure"
import { expect, test } from "vitest"
import type { Card } from "../answers.ts"
import type { LearnedByGroup } from "../learned/answer.ts"
import { limitationsOf } from "./limitations.ts"

const bare: Card = { title: "t", lead: "l", command: "c", facts: [], warnings: [] }

function evaluation(more: Partial<Evaluation> = {}): Evaluation {
  return {
    kind: "levels",
    target: "y",
    rows: 100,
    weight: 100,
    skipped: 0,
    accuracy: 0.9,
    accuracyInterval: [0.83, 0.94],
    logLoss: 0.3,
    logLossInterval: [0.2, 0.4],
    brier: 0.1,
    ece: 0.02,
    reliability: [{ from: 0.9, to: 1, count: 100, confidence: 0.91, frequency: 0.9, interval: [0.83, 0.94] }],
    confusion: {
      levels: ["a", "b"],
      counts: [
        [45, 5],
        [5, 45],
      ],
    },
    macroF1: 0.9,
    perLevel: {},
    unseen: {},
    ...more,
  }
}

const learned: LearnedByGroup = {
  kind: "groups",
  of: "y",
  by: "levels",
  groups: [
    { name: "a", rows: 388 },
    { name: "b", rows: 12 },
  ],
  drawn: ["a", "b"],
  rows: 400,
  columns: [],
  all: 0,
  says: [],
  undrawn: [],
}

test("of nothing, nothing is said", () => {
  expect(limitationsOf(bare)).toEqual([])
})

test("a sound model says what it rests on, and no more", () => {
  expect(
    limitationsOf({
      ...bare,
      basis: { rows: 400, free: 20, calibrated: true },
      quality: { on: "held-out rows", rows: 100, evaluation: evaluation() },
    }),
  ).toMatchInlineSnapshot(`
    [
      "It rests on 400 rows, from which 20 free parameters were learned.",
      "It was measured on 100 rows it has not learned from: its accuracy may as well be anything within 83.0 – 94.0 %.",
    ]
  `)
})

test("each weakness has its sentence", () => {
  const perLevel = { a: { level: "a", support: 100 }, b: { level: "b", support: 0 } }
  expect(
    limitationsOf({
      ...bare,
      basis: { rows: 400, free: 200, calibrated: false },
      learned,
      quality: {
        on: "training rows",
        rows: 100,
        evaluation: evaluation({
          skipped: 3,
          logLossInterval: [0.9, 1.1],
          logLoss: 1,
          reliability: [
            { from: 0.9, to: 1, count: 100, confidence: 0.99, frequency: 0.9, interval: [0.83, 0.94] },
          ],
          perLevel: perLevel as never,
          unseen: { c: 2 },
          sampled: 50,
        }),
      },
      data: {
        name: "d",
        rows: 500,
        columns: [
          { name: "y", kind: "label", role: "label", missing: 0 },
          { name: "x", kind: "number", role: "cell", family: "gaussian", missing: 0.3 },
          { name: "id", kind: "id", role: "left out", missing: 0, note: "every cell is different" },
        ],
      },
    }),
  ).toMatchInlineSnapshot(`
    [
      "It rests on 400 rows, from which 200 free parameters were learned: 2 rows for each, which is little.",
      "It was measured on the rows it has learned from: on new rows it will be worse, by how much is not known.",
      "It is worse than a guess that never looks at the row: do not use its probabilities.",
      "3 rows without a y could not be scored.",
      "Curves, areas and calibration are of 50 rows of these, drawn by chance.",
      "Its probabilities are not calibrated, and it is surer than it should be.",
      "1 of 2 levels has fewer than 30 rows to learn from: b (12).",
      "No measured row is of b: nothing is known of how well it is told.",
      "It has never seen c: every row of it is told wrongly.",
      "15.0 % of the cells are missing, most in x (30.0 %). They are summed out, as if it were chance that they are missing.",
      "1 column is left out: id (every cell is different).",
    ]
  `)
})

test("groups: the largest number tried, a close rival, a small group", () => {
  const found = limitationsOf({
    ...bare,
    candidates: {
      criterion: "bic",
      chosen: 3,
      each: [
        { k: 2, aic: 0, bic: 1004, icl: 0 },
        { k: 3, aic: 0, bic: 1000, icl: 0 },
      ],
    },
    learned: { ...learned, by: "components" },
  })
  expect(found).toMatchInlineSnapshot(`
    [
      "3 is the largest number that was tried: there may be more groups.",
      "2 groups would do nearly as well: BIC 4 higher.",
      "1 group has fewer than 30 rows: b (12).",
    ]
  `)
})

test("a comparison whose difference may be chance says so, and names which", () => {
  const found = limitationsOf({
    ...bare,
    compare: {
      label: "y",
      folds: 5,
      contestants: [],
      best: "sdEM, NCLL",
      differences: [
        { against: "counting (EM)", difference: 0.02, interval: [-0.01, 0.05] },
        { against: "linear SVM", difference: 0.1, interval: [0.05, 0.15] },
      ],
      recommendation: "",
    },
  })
  expect(found).toMatchInlineSnapshot(`
    [
      "That “sdEM, NCLL” is better than “counting (EM)” may be chance: over 5 folds, the interval of the difference reaches 0.",
    ]
  `)
})
