import { categorical, classes, type Description, fit, gaussian, given, network } from "suffice"
import { expect, test } from "vitest"
import { isLeaf, summaryOf } from "./described.ts"

test("a column of a network is told once for each configuration of its parents with levels", async () => {
  const rows = Array.from({ length: 80 }, (_, i) => ({
    y: i % 2 === 0 ? "p" : "q",
    a: i % 4 < 2 ? "u" : "v",
    x: i % 5,
    z: (i % 5) + (i % 4 < 2 ? 0 : 10),
  }))
  const model = classes("y", network({ a: categorical(), x: gaussian(), z: given(["x", "a"], gaussian()) }))
  const leaves = (await fit(model, rows))
    .parts()
    .filter(isLeaf)
    .filter(({ name }) => name === "z")
  expect(leaves.map(({ above }) => above.map(({ name, level }) => `${name} = ${level}`).join(", "))).toEqual([
    "y = p, a = u",
    "y = p, a = v",
    "y = q, a = u",
    "y = q, a = v",
  ])
  for (const leaf of leaves) expect(summaryOf(leaf)).toMatch(/x (0\.9|1)/)
})

test("topics are told by their α and their first words", () => {
  const words = { sun: 0.2, moon: 0.5, star: 0.2, dog: 0.1 }
  const topic = { alpha: 0.25, words }
  const leaf = { part: "parameters", name: "text", columns: ["text"], options: {}, above: [] } as const
  const told = (parameters: Description): string => summaryOf({ ...leaf, family: "topics", parameters })
  expect(told({ topics: [topic], shared: [topic, topic, topic, topic] })).toBe(
    "topics: moon sun star (α 0.25), shared: moon sun star (α 0.25), moon sun star (α 0.25), moon sun star (α 0.25) … (4 in all)",
  )
})
