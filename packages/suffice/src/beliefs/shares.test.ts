/** What each column contributes to a predictive adds up to its score; with many rows it is that of a normal. */
import { expect, test } from "vitest"
import { solvedOf } from "../answers/predictor.ts"
import { answering, believing } from "../engine/believe.ts"
import { lay } from "../engine/lay.ts"
import { classes, dice, fit, normal } from "../index.ts"
import { bayes, beliefs } from "../learn.ts"

const NAMES = ["a", "b", "c"]

test.each(["full", "tied", "diag", "spherical", "identity"] as const)(
  "of %s normals, whatever is missing, and far away",
  async covariance => {
    const roll = dice(8)
    const rows = Array.from({ length: 30 }, (_, i) => {
      const a = roll.normal()
      return { y: i % 2, a, b: a + roll.normal(), c: 100 * roll.normal() }
    })
    const fitted = await fit(classes("y", normal(NAMES, { covariance })), rows as never, { learner: bayes() })
    const { known } = solvedOf(fitted as never)
    const laid = lay(believing(known.model, beliefs, answering), known.schema.columns)
    const part = laid.parts.find(({ role }) => role === "leaf")!
    const params = new Float64Array(part.leaf.shape.parameters)
    part.leaf.solve(part.ranges.statsOf(known.stats), 1, params, part.ranges.spreadOf(known.spread!))
    for (const cells of [
      [0.3, -1, 0.2],
      [Number.NaN, 2, 0.1],
      [0.5, Number.NaN, Number.NaN],
      [1e80, 1, -3],
      [Number.NaN, Number.NaN, Number.NaN],
    ]) {
      const block = { rows: 1, weight: Float64Array.of(1), cells: [] as Float64Array[] }
      cells.forEach((x, j) => {
        block.cells[part.places[j]] = Float64Array.of(x)
      })
      const scores = new Float64Array(part.leaf.shape.slots)
      part.leaf.score(block, params, scores)
      for (let p = 0; p < part.leaf.shape.slots; p++) {
        const shares = new Float64Array(NAMES.length)
        part.leaf.terms!.contributions!(block, params, p, shares)
        const sum = shares.reduce((total, share) => total + share, 0)
        expect(Math.abs(sum - scores[p])).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(scores[p])))
        cells.forEach((x, j) => {
          if (Number.isNaN(x)) expect(shares[j]).toBe(0)
        })
      }
    }
  },
)

test("with many rows they are those of the estimate", async () => {
  const roll = dice(9)
  const rows = Array.from({ length: 60 }, (_, i) => {
    const a = roll.normal()
    return { y: i % 2 ? "p" : "q", a, b: a + roll.normal() + (i % 2), w: 1e6 }
  })
  const model = classes("y", normal(["a", "b"]))
  const [one, other] = [
    await fit(model, rows, { weight: "w", learner: bayes() }),
    await fit(model, rows, { weight: "w" }),
  ]
  const row = { a: 0.5, b: 1.5 }
  const terms = (from: ReturnType<typeof one.explain>) =>
    new Map(from.terms.map(({ column, contribution }) => [column, contribution]))
  const [mine, plain] = [terms(one.explain(row)), terms(other.explain(row))]
  expect([...mine.keys()].sort()).toEqual(["a", "b"])
  for (const [column, share] of mine) expect(share).toBeCloseTo(plain.get(column)!, 4)
})
