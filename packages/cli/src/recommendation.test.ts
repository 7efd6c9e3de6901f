import { expect, test } from "vitest"
import type { ContestantAnswer } from "./answers.ts"
import { recommendation } from "./recommendation.ts"

const one = (name: string, accuracy: number, curve: readonly number[] = []): ContestantAnswer => ({
  name,
  kind: name === "counting (EM)" ? "generative" : "discriminative",
  accuracy,
  accuracyStandardError: 0.01,
  folds: [],
  seconds: 1,
  curve: curve.map((value, i) => ({ rows: 10 * (i + 1), accuracy: value, standardError: 0 })),
})

const said = (contestants: readonly ContestantAnswer[], interval: readonly [number, number]): string => {
  const best = [...contestants].sort((a, b) => b.accuracy - a.accuracy)[0]
  const differences = contestants
    .filter(other => other !== best)
    .map(other => ({ against: other.name, difference: best.accuracy - other.accuracy, interval }))
  return recommendation({ label: "y", folds: 5, contestants, best: best.name, differences })
}

test("a certain lead of discriminative learning, and that few rows turn it round", () => {
  expect(
    said([one("counting (EM)", 0.9, [0.8, 0.9]), one("sdEM, NCLL", 0.95, [0.7, 0.95])], [0.02, 0.08]),
  ).toMatchInlineSnapshot(
    `"Discriminative is better here. sdEM, NCLL reaches 95.0 %, counting (EM) 90.0 %: a difference of +5.0 points (95 % interval +2.0 to +8.0). It is the same model, which still takes missing cells and gives reasons: use suffice fit --learner sdem --loss ncll. With few rows it is the other way round: from 10 rows, counting (EM) reaches 80.0 %, sdEM, NCLL 70.0 %."`,
  )
})

test("a reference that wins names the closest learner of the same model", () => {
  expect(
    said([one("counting (EM)", 0.9), one("sdEM, hinge", 0.94), one("linear SVM", 0.95)], [0.02, 0.08]),
  ).toMatchInlineSnapshot(
    `"Discriminative is better here. linear SVM reaches 95.0 %, counting (EM) 90.0 %: a difference of +5.0 points (95 % interval +2.0 to +8.0). Closest among the models that take missing cells and give reasons is sdEM, hinge: suffice fit --learner sdem --loss hinge."`,
  )
})

test("a certain lead of generative learning", () => {
  expect(said([one("counting (EM)", 0.95), one("sdEM, NCLL", 0.9)], [0.02, 0.08])).toMatchInlineSnapshot(
    `"Generative is better here. counting (EM) reaches 95.0 %, sdEM, NCLL 90.0 %: a difference of +5.0 points (95 % interval +2.0 to +8.0). Use suffice fit as it is."`,
  )
})

test("an interval that holds 0 decides nothing", () => {
  expect(
    said([one("counting (EM)", 0.9), one("sdEM, NCLL", 0.91, [0.8, 0.91])], [-0.02, 0.04]),
  ).toMatchInlineSnapshot(
    `"Which is better cannot be told with certainty. sdEM, NCLL reaches 91.0 %, counting (EM) 90.0 %: a difference of +1.0 points (95 % interval −2.0 to +4.0). Take counting (EM), the simplest and fastest, unless every point counts. With more rows sdEM, NCLL may gain: its learning curve still rises."`,
  )
})

test("a contestant alone", () => {
  expect(
    said([one("counting (EM)", 0.9), { ...one("sdEM, NCLL", 0), refused: "no" }], [0, 0]),
  ).toMatchInlineSnapshot(`"counting (EM) is the only way that could take part: accuracy 90.0 %."`)
})

test("a learning curve that is flat, or short, promises nothing", () => {
  const rises = (curve: readonly number[]): boolean =>
    said([one("counting (EM)", 0.9), one("sdEM, NCLL", 0.91, curve)], [-0.02, 0.04]).includes("still rises")
  expect([rises([0.8, 0.905]), rises([0.9, 0.905]), rises([0.92, 0.91]), rises([0.91])]).toEqual([
    true,
    false,
    false,
    false,
  ])
})
