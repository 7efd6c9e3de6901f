/** Leaves in a bank have the bits of leaves one by one. */

import fc from "fast-check"
import { expect, test } from "vitest"
import type { Family } from "../contract/family.ts"
import type { Learner } from "../contract/learner.ts"
import { categorical, classes, dice, em, fit, gaussian, independent, mixture } from "../index.ts"
import { onlineEm, sdem } from "../learn.ts"
import { layOut } from "./lay.ts"
import { namesOf } from "./parts.ts"

/** The same family, whose leaves are no longer as it has made them. */
function oneByOne<Value>(family: Family<Value>): Family<Value> {
  return { ...family, bind: (...given) => ({ ...family.bind(...given) }) }
}

const LEARNERS: Readonly<Record<string, Learner>> = {
  em: em({ maxIterations: 3 }),
  onlineEm: onlineEm({ epochs: 2 }),
  ncll: sdem({ loss: "ncll", epochs: 3 }),
  hinge: sdem({ loss: "hinge", epochs: 3 }),
  // so large that steps leave the domain, and are shortened
  bold: sdem({ loss: "ncll", epochs: 3, stepSize: { kind: "constant", rho: 0.9 } }),
}

const shapes = fc.record({
  seed: fc.nat(),
  learner: fc.constantFrom(...Object.keys(LEARNERS)),
  hidden: fc.boolean(),
  holes: fc.constantFrom(0, 0.2),
  columns: fc.array(fc.constantFrom("own", "own", "tied", "level"), { minLength: 1, maxLength: 9 }),
})

test("whatever their options, neighbours, holes and learner", async () => {
  await fc.assert(
    fc.asyncProperty(shapes, async ({ seed, learner, hidden, holes, columns }) => {
      const die = dice(seed)
      const rows = Array.from({ length: 40 }, () => {
        const y = die.integer(3)
        const cells = columns.map((kind, j) => {
          if (die.uniform() < holes) return [`x${j}`, null]
          return [`x${j}`, kind === "level" ? "ab"[die.integer(2)] : y * 0.3 + die.normal()]
        })
        return { y: "abc"[y], ...Object.fromEntries(cells) }
      })
      const learned = async (as: <Value>(family: Family<Value>) => Family<Value>): Promise<Float64Array> => {
        const families = columns.map((kind, j) => [
          `x${j}`,
          kind === "level" ? categorical() : as(gaussian({ variance: kind })),
        ])
        const body = independent(Object.fromEntries(families))
        const model = classes("y", hidden ? mixture(2, body) : body)
        const fitted = await fit(model as never, rows as never, { learner: LEARNERS[learner], seed })
        return JSON.parse(JSON.stringify(fitted)).statistics
      }
      expect(await learned(family => family)).toEqual(await learned(oneByOne))
    }),
    { numRuns: 60 },
  )
})

test("neighbours with the same options stand in one bank, others in another or in none", () => {
  const kinds = { a: gaussian(), b: gaussian(), c: categorical(), d: gaussian(), e: gaussian({ prior: 2 }) }
  const tied = {
    f: gaussian({ variance: "tied" }),
    g: gaussian({ variance: "tied" }),
    h: oneByOne(gaussian()),
  }
  const columns = [..."abdefgh"].map(name => ({
    kind: "number" as const,
    name,
    shift: 0,
    scale: 1,
    variance: 1,
  }))
  const level = { kind: "level" as const, name: "c", levels: ["u", "v"] }
  const { banks } = layOut(independent(kinds, tied), [...columns, level])
  expect(banks.map(({ parts }) => parts.flatMap(namesOf).join(""))).toEqual(["ab", "fg"])
})
