import { expect, test } from "vitest"
import { gaussian } from "../families/gaussian.ts"
import { em } from "../learners/em.ts"
import { onlineEm } from "../learners/online-em.ts"
import { sdem } from "../learners/sdem.ts"
import { candidates } from "../propose/candidates.ts"
import { dice } from "../random.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { normal } from "../structures/normal.ts"
import { priceOf } from "./price.ts"

const WIDTH = 40
const roll = dice(1)
const names = Array.from({ length: WIDTH }, (_, j) => `x${j}`)
const rows = Array.from({ length: 60 }, (_, i) => ({
  y: `l${i % 3}`,
  ...Object.fromEntries(names.map(name => [name, roll.normal()])),
}))
const body = independent(Object.fromEntries(names.map(name => [name, gaussian()])))
const naive = classes("y", body) as never
const full = classes("y", normal(names)) as never
const tied = classes("y", normal(names, { covariance: "tied" })) as never
const mixed = classes("y", mixture(2, body)) as never
const price = async (model: never) => priceOf(model, rows as never, {})

test("a fit costs what its learner goes over: counting once, sdEM twenty times and more", async () => {
  const of = await price(naive)
  expect(of(sdem(), 1000)).toBeGreaterThan(20 * of(em(), 1000))
  // 2,000 steps at least, whatever the rows
  expect(of(sdem({ calibrate: false }), 100) / of(sdem({ calibrate: false }), 1600)).toBeGreaterThan(0.9)
  expect(of(sdem(), 3200)).toBeGreaterThan(1.9 * of(sdem(), 1600))
  expect(of(onlineEm(), 3200)).toBeLessThan(of(sdem(), 3200))
  // a trial finds the temperature of hinge
  expect(of(sdem({ loss: "hinge" }), 1600)).toBeGreaterThan(1.9 * of(sdem({ loss: "ncll" }), 1600))
  // hidden components: not one sweep but many
  expect((await price(mixed))(em(), 1000)).toBeGreaterThan(5 * of(em(), 1000))
})

test("covariances cost by the cube of their columns, one for all levels less than one for each", async () => {
  const [a, b, c] = [await price(naive), await price(tied), await price(full)].map(of => of(sdem(), 1600))
  expect(b).toBeGreaterThan(a)
  expect(c).toBeGreaterThan(b)
})

test("arrows cost to find, and to learn", async () => {
  const levels = rows.map((row, i) => ({ y: row.y, a: `a${i % 2}`, b: `b${i % 2}`, c: `c${i % 3}` }))
  const prices = await Promise.all(
    candidates(levels, { label: "y" })
      .filter(({ name }) => ["naive-bayes", "tan"].includes(name))
      .map(({ model }) => priceOf(model as never, levels as never, {})),
  )
  const [naive, tree] = prices.map(of => ({ few: of(em(), 1000), many: of(sdem(), 1000) }))
  expect(tree.few).toBeGreaterThan(naive.few)
  expect(tree.many - naive.many).toBeGreaterThan(tree.few - naive.few)
})

test("it is counted: the same for the same model, whatever the cells; what cannot be laid out costs nothing", async () => {
  const other = rows.map((row, i) => ({ ...row, x0: 1e3 * i }))
  expect((await priceOf(naive, other as never, {}))(sdem(), 500)).toBe((await price(naive))(sdem(), 500))
  const absent = classes("y", independent({ none: gaussian() })) as never
  expect((await price(absent))(sdem(), 1e6)).toBe(0)
})
