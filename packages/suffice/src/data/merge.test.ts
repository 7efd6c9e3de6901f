import { describe, expect, test } from "vitest"
import type { Row } from "../contract/cells.ts"
import type { Model } from "../contract/model.ts"
import {
  bernoulli,
  beta,
  classes,
  gamma,
  gaussian,
  independent,
  mixture,
  multinomial,
  plate,
} from "../index.ts"
import { dice } from "../random.ts"
import { CHUNK } from "./cut.ts"
import { Exploration, type ExploredPart } from "./discover.ts"
import { slicesOf } from "./read.ts"
import type { Weighting } from "./weigh.ts"

const STRETCH = 64 * CHUNK

const model = classes(
  "y",
  independent(
    {
      x: gaussian(),
      wait: gamma(),
      share: beta(),
      yes: bernoulli(),
      text: multinomial({ scaling: "tfidf", minDocuments: 2 }),
    },
    plate("visits", independent({ z: gaussian(), tag: multinomial() })),
  ),
) as Model

function rowsOf(count: number, seed: number): Row[] {
  const roll = dice(seed)
  const word = (): string => `w${roll.integer(40) ** 2}`
  return Array.from({ length: count }, () => ({
    y: roll.uniform() < 0.1 ? null : `level ${roll.integer(5)}`,
    x: roll.uniform() < 0.2 ? null : 1e3 + roll.normal() * 10 ** roll.integer(12),
    wait: 0.1 + roll.uniform(),
    share: 0.01 + 0.9 * roll.uniform(),
    yes: roll.uniform() < 0.5,
    text: roll.uniform() < 0.1 ? null : `${word()} ${word()}\t${word()}\n😀`,
    visits: Array.from({ length: roll.integer(4) }, () => ({ z: roll.normal(), tag: [word()] })),
    w: roll.uniform() < 0.1 ? 0 : roll.uniform(),
  }))
}

/** Chunks by the number of their first row; only the first ones are long, so that a test stays short. */
const chunks = [
  { first: 0, rows: rowsOf(CHUNK, 1) },
  { first: CHUNK, rows: rowsOf(700, 2) },
  { first: STRETCH, rows: rowsOf(600, 3) },
  { first: STRETCH + CHUNK, rows: rowsOf(500, 4) },
  { first: 3 * STRETCH, rows: rowsOf(400, 5) },
]

function explored(own: typeof chunks, weighting: Weighting, of = model): Exploration {
  const exploration = new Exploration(of.uses, weighting)
  // as if every chunk were whole: its last slice ends where the next chunk begins
  for (const { first, rows } of own)
    for (const slice of slicesOf(rows, first)) {
      const isLast = slice.first + slice.rows === first + rows.length
      exploration.look(isLast ? { ...slice, first: first + CHUNK - slice.rows } : slice)
    }
  return exploration
}

describe.each([
  { label: "y" },
  { label: "y", column: "w" },
  { label: "y", column: "w", classes: { "level 1": 0.3 } },
])("with weights by %o", weighting => {
  const whole = explored(chunks, weighting).found()
  test.each([
    ["chunks", [[0], [1], [2], [3], [4]]],
    ["stretches", [[0, 1], [2, 3], [4]]],
    ["both", [[0], [1], [2, 3], [4]]],
  ])("%s that were explored apart are joined to the bits of one pass", (_, groups) => {
    const joined = new Exploration(model.uses, weighting)
    for (const group of groups) {
      const part = explored(
        group.map(c => chunks[c]),
        weighting,
      ).part()
      // as it crosses to another machine and back
      joined.join({ ...(JSON.parse(JSON.stringify(part)) as ExploredPart) })
    }
    const { schema, ...rest } = joined.found()
    expect({ ...rest, schema: schema.columns }).toStrictEqual({ ...whole, schema: whole.schema.columns })
  })
})

test("numbers of very different sizes are joined in a unit that suits both", () => {
  const of = independent({ x: gaussian() }) as Model
  const sized = (size: number, first: number) => ({ first, rows: [{ x: size }, { x: 3 * size }] as Row[] })
  for (const sizes of [
    [1e-200, 1e200],
    [1e200, 1e-200],
  ]) {
    const [column] = explored(
      sizes.map((size, c) => sized(size, c * CHUNK)),
      {},
      of,
    ).found().schema.columns
    expect(column).toMatchObject({ shift: 1e200 })
    // Σ (x − mean)² = (1 + 4 + 1 + 1) 10^400, by hand
    expect(column.kind === "number" && column.scale / 1e200).toBeCloseTo(Math.sqrt(6 / 4), 14)
  }
})

test("levels that no table tells apart are refused where parts are joined", () => {
  const of = mixture(2, independent({ a: bernoulli() })) as Model
  const joined = new Exploration(of.uses, {})
  joined.join(explored([{ first: 0, rows: [{ a: true }] }], {}, of).part())
  expect(() =>
    joined.join(explored([{ first: CHUNK, rows: [{ a: 1 }] }], {}, of).part()),
  ).toThrowErrorMatchingInlineSnapshot(
    `[SufficeError: row 16383 of "a" holds 1, another row holds true. bernoulli() takes booleans, or 0 and 1, but not both in one column. Convert the column to one of them.]`,
  )
})
