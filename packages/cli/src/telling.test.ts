import { categorical, classes, em, fit, independent, type Row } from "suffice"
import { expect, test } from "vitest"
import type { LooseFitted } from "./loose.ts"
import { tellingFeatures } from "./telling.ts"

/** Levels l0, l1, … of which each has more rows than the one before; the code is the level's own, the noise nobody's. */
const rows: Row[] = Array.from({ length: 32 }, (_, l) =>
  Array.from({ length: 4 + 2 * l }, (_, i) => ({ y: `l${l}`, code: `c${l}`, noise: `n${i % 2}` })),
).flat()

const columns = Object.fromEntries(["y", "code", "noise"].map(name => [name, rows.map(row => row[name])]))

async function learned(prior: number): Promise<LooseFitted> {
  const model = classes("y", independent({ code: categorical(), noise: categorical() }))
  return (await fit(model, rows as never, { learner: em({ prior }) })) as never as LooseFitted
}

test("the levels with most rows are told of, by what tells them, strongest first", async () => {
  const found = tellingFeatures(await learned(1), columns, "y")
  expect(found.map(({ level }) => level)).toEqual(Array.from({ length: 30 }, (_, l) => `l${31 - l}`))
  // 400 rows over 30 levels
  expect(found[0].rows).toBe(13)
  for (const { features } of found) {
    expect(features[0]).toMatchObject({ name: "code", column: "code" })
    expect(features[0].evidence).toBeGreaterThan(1)
    expect(features.every(({ evidence }) => evidence > 0)).toBe(true)
  }
})

test("evidence that is infinite is left out of the means", async () => {
  // without a prior the code of one level is impossible under the others
  const found = tellingFeatures(await learned(0), columns, "y")
  expect(found).toHaveLength(30)
  for (const { features } of found) {
    expect(features.every(({ evidence }) => Number.isFinite(evidence))).toBe(true)
  }
})
