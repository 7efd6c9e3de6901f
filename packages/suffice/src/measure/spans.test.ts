import { expect, test } from "vitest"
import { areSpanTags, spanScores, spansOf } from "./spans.ts"

const spans = (tags: string): string =>
  spansOf(tags.split(" "))
    .map(({ type, from, to }) => `${type} ${from}-${to}`)
    .join(", ")

test("spans begin, continue and end", () => {
  expect(spans("O B-NP I-NP O B-VP B-NP I-NP")).toBe("NP 1-3, VP 4-5, NP 5-7")
  // an I without a B begins one, and one of another type too
  expect(spans("I-NP I-NP I-VP O")).toBe("NP 0-2, VP 2-3")
  expect(spans("B-A I-A E-A S-B B-A E-A E-A")).toBe("A 0-3, B 3-4, A 4-6, A 6-7")
  expect(spansOf([null, "B-A", undefined])).toEqual([{ type: "A", from: 1, to: 2 }])
})

test("levels that mark spans are told by their names", () => {
  expect(areSpanTags(["O", "B-NP", "I-NP"])).toBe(true)
  expect(areSpanTags(["O", "NN", "B-NP"])).toBe(false)
  expect(areSpanTags(["O", "I-NP"])).toBe(false)
  expect(areSpanTags([0, 1])).toBe(false)
})

test("a span is right if its ends and its type are", () => {
  const truth = ["B-A I-A O B-B", "O B-A"].map(tags => tags.split(" "))
  const predicted = ["B-A I-A O B-A", "B-B B-A"].map(tags => tags.split(" "))
  const { perType, ...all } = spanScores(truth, predicted)
  expect(all).toMatchObject({ true: 3, predicted: 4, right: 2, precision: 0.5, recall: 2 / 3 })
  expect(all.f1).toBeCloseTo(4 / 7, 12)
  expect(perType.A).toMatchObject({ true: 2, predicted: 3, right: 2 })
  expect(perType.B).toMatchObject({ true: 1, predicted: 1, right: 0, f1: 0 })
  expect(spanScores([["O"]], [["O"]])).toMatchObject({ f1: 0, precision: 0, recall: 0 })
})
