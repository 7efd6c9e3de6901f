/**
 * Topics that describe and topics that tell apart: "discriminative topics define just the differences between classes".
 *
 * Documents of two desks: half of their words are everyday ones, four in ten about one of three subjects that both desks write about, one in ten the desk's
 * own. Three topics, shared by both: EM finds the subjects, which explain most and tell nothing. sdEM finds the desks, and leaves the rest to the third.
 */
import { classes, dice, type Fitted, fit, topics } from "suffice"
import { sdem } from "suffice/learn"
import { evaluate } from "suffice/measure"

const everyday = ["said", "year", "people", "time", "new", "make", "day", "group", "week", "city"]
const subjects = [
  ["budget", "tax", "bank", "trade", "price"],
  ["film", "music", "stage", "artist", "museum"],
  ["storm", "river", "forest", "climate", "heat"],
]
const own: Readonly<Record<string, readonly string[]>> = {
  home: ["council", "mayor", "local", "school", "police", "street"],
  abroad: ["embassy", "border", "treaty", "minister", "visa", "envoy"],
}
const desks = ["home", "abroad"] as const

const draws = dice(8)
const documents = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const desk = desks[i % 2]
    const subject = subjects[draws.integer(3)]
    const pick = (words: readonly string[]) => words[draws.integer(words.length)]
    const word = (u: number) => pick(u < 0.5 ? everyday : u < 0.9 ? subject : own[desk])
    return { desk, text: Array.from({ length: 30 }, () => word(draws.uniform())).join(" ") }
  })
const [train, test] = [documents(400), documents(400)]

const model = classes("desk", topics(0, "text", { shared: 3 }))
const describing = await fit(model, train)
const telling = await fit(model, train, { learner: sdem({ loss: "ncll" }) })

/** How one-sided topics hold the desks' own words: 0 if each holds those of both alike, 1 if of one alone. A topic counts by how many of them it holds. */
function oneSided(fitted: Fitted): number {
  const sides = fitted.topics({ top: 37, relevance: 1 }).map(({ words }) => {
    const [home, abroad] = desks.map(desk =>
      words.reduce((sum, { word, probability }) => sum + (own[desk].includes(word) ? probability : 0), 0),
    )
    return { apart: Math.abs(home - abroad), held: home + abroad }
  })
  return sides.reduce((sum, { apart }) => sum + apart, 0) / sides.reduce((sum, { held }) => sum + held, 0)
}

const accuracy = evaluate(describing, test).accuracy
export const result = {
  "accuracy of topics that describe, beside chance": { stated: 0.5, measured: accuracy },
  "accuracy of topics that tell apart, beside those": {
    stated: accuracy,
    measured: evaluate(telling, test).accuracy,
  },
  "one-sided words of topics that describe": { stated: 0, measured: oneSided(describing) },
  "one-sided words of topics that tell apart": { stated: 1, measured: oneSided(telling) },
}
console.table(result)
