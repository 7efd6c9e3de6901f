import type { Trial } from "suffice/measure"
import { expect, test } from "vitest"
import { byOutcome } from "./choosing.ts"

const trial = (model: string, score: number, how: Partial<Trial> = {}): Trial => ({
  model,
  learner: "counting",
  calibrated: false,
  free: 1,
  rows: 10,
  folds: 5,
  judged: 10,
  score,
  standardError: 0.1,
  ...how,
})

test("what was compared to the end stands first, what was dropped behind it, however little it lost there", () => {
  const trials = [
    trial("refused", 0.05, { refused: "no numbers" }),
    trial("untried", Number.NaN, { dropped: "the budget did not reach" }),
    trial("lucky on three folds", 0.1, { folds: 3, dropped: "it loses 0.3 more" }),
    trial("second", 0.4),
    trial("first", 0.3),
    trial("dropped", 0.2, { dropped: "it loses 0.4 more" }),
  ]
  expect(byOutcome(trials).map(({ model }) => model)).toEqual([
    "first",
    "second",
    "lucky on three folds",
    "dropped",
    "refused",
    "untried",
  ])
})
