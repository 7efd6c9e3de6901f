/** The record of skips holds every skip, and differs where one is planted or removed. */
import { describe, expect, test } from "vitest"
import type { Skip } from "../law.ts"
import { differences, skipsFromText, skipsToText } from "./skips.ts"

const names = {
  models: [
    "ant alone",
    "bee alone",
    "cow alone",
    "mixture of ants",
    "mixture of bees",
    "mixture of cows, tied",
  ],
  states: ["complete", "missing cells", "streamed"],
  learners: ["em", "sdem, hinge", "bayes"],
}

const every = names.models.flatMap(model =>
  names.states.flatMap(state => names.learners.map(learner => [model, state, learner].join(" · "))),
)
const skips: readonly Skip[] = [
  { law: "A2", reason: "a family without a mean", subject: "ant { prior: 2 }" },
  ...names.models.slice(1).map(subject => ({ law: "A1", reason: "it is wide", subject })),
  ...every
    .filter(subject => subject.endsWith("hinge") && !subject.startsWith("ant"))
    .map(subject => ({ law: "A4", reason: "no target", subject })),
  ...every
    .filter(subject => subject.endsWith("bayes") || subject.includes("streamed"))
    .map(subject => ({ law: "A4", reason: "no posterior", subject })),
]
const text = skipsToText(skips, names)

describe("the record of skips", () => {
  test("has a line per law and reason", () => {
    expect(text).toMatchInlineSnapshot(`
      "law	reason	subjects
      A1	it is wide	* but ant alone
      A2	a family without a mean	ant { prior: 2 }
      A4	no posterior	* · * · bayes | * · streamed · * but bayes
      A4	no target	* but ant alone · * · sdem, hinge
      "
    `)
  })

  test("is read as it was written, in any order of the skips", () => {
    expect(differences(skipsFromText(text, names), skips)).toEqual({ silent: [], stale: [] })
    expect(skipsToText([...skips].reverse(), names)).toBe(text)
  })

  test("a planted skip is silent, and changes the text", () => {
    const planted = { law: "A4", reason: "no target", subject: "ant alone · complete · sdem, hinge" }
    const made = [...skips, planted]
    expect(differences(skipsFromText(text, names), made)).toEqual({ silent: [planted], stale: [] })
    expect(skipsToText(made, names)).not.toBe(text)
  })

  test("a skip with another reason is both silent and stale", () => {
    const other = { ...skips[0], reason: "another" }
    const changed = differences(skipsFromText(text, names), [other, ...skips.slice(1)])
    expect(changed).toEqual({ silent: [other], stale: [skips[0]] })
  })

  test.each(skips.map(skip => [skip.law, skip] as const))("a removed skip of %s is stale", (_, missing) => {
    const made = skips.filter(skip => skip !== missing)
    expect(differences(skipsFromText(text, names), made)).toEqual({ silent: [], stale: [missing] })
    expect(skipsToText(made, names)).not.toBe(text)
  })

  test("a new model that is not skipped is stale where all others are", () => {
    const more = { ...names, models: [...names.models, "dog alone"] }
    const { stale } = differences(skipsFromText(text, more), skips)
    expect(stale.map(({ subject }) => subject)).toContain("dog alone")
  })
})
