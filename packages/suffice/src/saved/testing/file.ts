/** Files to be damaged: a saved model with every kind of part, and what loading says of what was made of it. */
import { expect } from "vitest"
import type { Row } from "../../contract/cells.ts"
import type { Model } from "../../contract/model.ts"
import { SufficeError } from "../../errors.ts"
import { bernoulli } from "../../families/bernoulli.ts"
import { categorical } from "../../families/categorical.ts"
import { gaussian } from "../../families/gaussian.ts"
import { multinomial } from "../../families/multinomial.ts"
import { wordSet } from "../../families/word-set.ts"
import { fit } from "../../fit/fit.ts"
import { load } from "../../fit/load.ts"
import { em } from "../../learners/em.ts"
import { dice } from "../../random.ts"
import { classes, mixture } from "../../structures/classes.ts"
import { independent } from "../../structures/independent.ts"

// biome-ignore lint/suspicious/noExplicitAny: a test that damages files reaches into them anywhere
export type File = any

const d = dice(5)
export const ROWS: Row[] = Array.from({ length: 40 }, (_, i) => ({
  y: ["ash", "birch"][i % 2],
  x: (i % 2) + d.normal(),
  z: d.normal(),
  s: ["red", "green", "blue"][d.integer(3)],
  b: d.uniform() < 0.5,
  w: Array.from({ length: 3 }, () => ["sun", "moon", "rain"][d.integer(3)]),
  v: [["sun", "wind"][d.integer(2)]],
}))

export const MODEL = classes(
  "y",
  independent(mixture(2, independent({ x: gaussian(), s: categorical() }), { name: "part" }), {
    z: gaussian({ variance: "tied" }),
    b: bernoulli(),
    w: multinomial(),
    v: wordSet(),
  }),
)

/** The file of a model that has learned these rows. */
export async function savedText(model: unknown = MODEL): Promise<string> {
  const learner = em({ maxIterations: 2 })
  return JSON.stringify(await fit(model as Model<Record<string, never>>, ROWS as never, { learner }))
}

/** What loading says: its message, or that it works. */
export function said(json: unknown): string {
  try {
    load(json)
  } catch (error) {
    expect(error).toBeInstanceOf(SufficeError)
    expect((error as SufficeError).code).toBe("saved")
    return (error as SufficeError).message
  }
  return "it loads"
}
