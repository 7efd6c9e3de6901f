import { expect, test } from "vitest"
import type { ContestantAnswer } from "./answers.ts"
import { chosenText } from "./chosen-c.ts"

const contestant = (name: string, cs: readonly (number | undefined)[]): ContestantAnswer => ({
  name,
  kind: "discriminative",
  accuracy: 1,
  accuracyStandardError: 0,
  folds: cs.map(c => ({ accuracy: 1, ...(c !== undefined && { c }) })),
  seconds: 0,
  curve: [],
})

test("the C of each fold is told, of those that have one", () => {
  const all = [
    contestant("counting (EM)", [undefined, undefined]),
    contestant("logistic regression", [0.25, 1]),
    contestant("linear SVM", [0.03125, 8]),
  ]
  expect(chosenText(all)).toMatchInlineSnapshot(`
    [
      "C, chosen on the training rows of each fold by cross-validation: logistic regression 0.25, 1; linear SVM 0.03125, 8.",
    ]
  `)
  expect(chosenText(all.slice(0, 1))).toEqual([])
})
