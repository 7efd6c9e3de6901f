import { expect, test } from "vitest"
import { categorical, classes, independent, specify } from "../index.ts"

const is = (hit: number) => ({ c: { family: "categorical", probabilities: { hit, miss: 1 - hit } } })
const model = specify(classes("y", independent({ c: categorical() })), {
  y: { probabilities: { spam: 0.5, ham: 0.5 }, given: { spam: is(0.8), ham: is(0.2) } },
})
// p(spam | hit) = 0.8, p(spam | miss) = 0.2
const rows = [{ c: "hit" }, { c: "miss" }]

test("without a loss the decision is the most probable level, and its risk the chance of a mistake", () => {
  const [hit, miss] = model.decide(rows)
  expect(hit).toEqual({
    action: "spam",
    risk: expect.closeTo(0.2, 12),
    risks: { spam: expect.closeTo(0.2, 12), ham: expect.closeTo(0.8, 12) },
  })
  expect(miss.action).toBe("ham")
})

test("a dear mistake changes the decision; gains are negative costs", () => {
  const loss = { spam: { delete: -1, keep: 1 }, ham: { delete: 10, keep: 0 } }
  const [hit] = model.decide(rows, { loss })
  // delete: 0.8 · −1 + 0.2 · 10 = 1.2, keep: 0.8
  expect(hit.action).toBe("keep")
  expect(hit.risks).toEqual({ delete: expect.closeTo(1.2, 12), keep: expect.closeTo(0.8, 12) })
})

test("what must never happen costs infinitely much, unless it cannot happen", () => {
  const sure = specify(classes("y", independent({ c: categorical() })), {
    y: { probabilities: { spam: 0.5, ham: 0.5 }, given: { spam: is(1), ham: is(0.5) } },
  })
  const loss = {
    spam: { delete: 0, keep: 1 },
    ham: { delete: Number.POSITIVE_INFINITY, keep: 0 },
  }
  const [hit, miss] = sure.decide(rows, { loss: { ...loss, spam: { delete: 0, keep: Infinity } } })
  expect([hit.risks.delete, hit.risks.keep]).toEqual([Infinity, Infinity])
  expect(miss).toEqual({ action: "keep", risk: 0, risks: { delete: Infinity, keep: 0 } })
  expect(sure.decide(rows, { loss })[0].action).toBe("keep")
})

test("declining pays where the best action costs more; a tie decides", () => {
  const at = (reject: number) => model.decide(rows, { reject }).map(({ action }) => action)
  expect(at(0.1)).toEqual(["reject", "reject"])
  expect(at(0.3)).toEqual(["spam", "ham"])
  const even = model.decide([{ c: null }], { reject: 0.5 })
  expect(even[0].action).not.toBe("reject")
  expect(model.decide(rows, { reject: 0.1 })[0].risks.reject).toBeCloseTo(0.1, 12)
})

test("another prior and class weights count before the loss does", () => {
  const [hit] = model.decide(rows, { prior: { spam: 0.1, ham: 0.9 } })
  // odds 4 · 1/9
  expect(hit.action).toBe("ham")
  expect(hit.risk).toBeCloseTo(4 / 13, 12)
  expect(model.decide(rows, { classWeights: { ham: 5 } })[0].action).toBe("ham")
})

test("levels of a leaf can be decided too", () => {
  const [decision] = model.decide([{ y: "spam" }] as never, { target: "c" } as never)
  expect(decision.action).toBe("hit")
})

test("losses and options are refused with what, why and what to do", () => {
  const decide = (options: object) => () => model.decide(rows, options)
  const loss = { spam: { keep: 1 }, ham: { keep: 0 } }
  expect(decide({ loss: { spam: { keep: 1 } } })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: decide: the loss of "keep" when the truth is "ham" is undefined. Every action needs a cost for each of "ham" and "spam". Give a number above −∞; a gain is a negative cost.]`,
  )
  expect(
    decide({ loss: { spam: { keep: 1 }, ham: { keep: Number.NaN } } }),
  ).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: decide: the loss of "keep" when the truth is "ham" is NaN. Every action needs a cost for each of "ham" and "spam". Give a number above −∞; a gain is a negative cost.]`,
  )
  expect(
    decide({ loss: { spam: { keep: 1 }, ham: { keep: -Infinity } } }),
  ).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: decide: the loss of "keep" when the truth is "ham" is -Infinity. Every action needs a cost for each of "ham" and "spam". Give a number above −∞; a gain is a negative cost.]`,
  )
  expect(decide({ loss: { ...loss, eggs: { keep: 1 } } })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: decide: the loss names the level "eggs". The target has "ham" and "spam". Correct the name, or leave it out.]`,
  )
  expect(decide({ loss: {} })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: decide: the loss names no action. There is nothing to choose from. Give the cost of each action for each level: { spam: { delete: 0, keep: 1 }, … }.]`,
  )
  expect(
    decide({ loss: { spam: { reject: 1 }, ham: { reject: 1 } }, reject: 1 }),
  ).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: decide: the loss has an action "reject" and the option \`reject\` is given too. One of them decides. Leave one out.]`,
  )
  expect(decide({ reject: Number.NaN })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: decide: reject is NaN. It is the cost of not deciding. Give a number above −∞.]`,
  )
  expect(decide({ rejct: 0.1 })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: decide: there is no option "rejct". It knows "loss", "reject", "target", "prior" and "classWeights". Did you mean "reject"?]`,
  )
  expect(decide({ prior: { spam: 1 } })).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: prior gives level "ham" the value undefined. It needs finite numbers ≥ 0, not all 0, for every level. Correct it.]`,
  )
})
