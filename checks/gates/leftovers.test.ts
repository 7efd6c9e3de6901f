/**
 * What a fit or a question allocates is garbage when it is over, and a collection of the young generation frees it. A closure that is a generator, or a getter
 * of a unique object, has a hidden class of its own, which is allocated in the old generation and keeps everything the closure captures until a full collection: a
 * fifth of what a small fit allocates.
 */
import { beforeAll, expect, test } from "vitest"
import { inChild, still } from "./testing/child.ts"
import type { Core } from "./testing/core.ts"

/** The share of allocated bytes that may survive: engines keep some metadata. */
const MOST = 0.05

type Shares = Record<string, number>

/** Runs in the child: which share of what was allocated is there after the young were collected, case by case. */
async function measure(core: Core): Promise<Shares> {
  const CALLS = 100
  const { classes, mixture, independent, gaussian, categorical, normal, em, fit } = core
  const dice = core.dice(1)
  const rows = Array.from({ length: 60 }, (_, i) => ({
    y: ["a", "b", "c"][i % 3],
    x: dice.normal() + (i % 3),
    z: dice.normal(),
    c: ["u", "v"][dice.integer(2)],
  }))
  const numbers = independent({ x: gaussian(), z: gaussian() })
  const learner = em({ maxIterations: 3 })
  const models = {
    "naive Bayes": classes("y", independent(numbers, { c: categorical() })),
    "a normal in each class": classes("y", normal(["x", "z"])),
    "a mixture": mixture(2, numbers),
    "a mixture in each class": classes("y", mixture(2, numbers)),
  }
  const fitted = await fit(models["naive Bayes"], rows)
  const cases: Record<string, () => unknown> = {
    ...Object.fromEntries(
      Object.entries(models).map(([name, model]) => [
        `a fit of ${name}`,
        () => fit(model as never, rows as never, { learner, threads: 1 }),
      ]),
    ),
    "an update": () => fitted.update(rows, { learner }),
    labels: () => fitted.labels(rows),
    predictions: () => fitted.predict(rows),
    "log-densities": () => fitted.logDensity(rows),
  }
  const gc = globalThis.gc as unknown as (options?: { type: "minor" }) => void
  const shares: Shares = {}
  for (const [name, call] of Object.entries(cases)) {
    for (let i = 0; i < 3 * CALLS; i++) await call()
    shares[name] = 1
    for (let round = 0; round < 5; round++) {
      gc()
      const before = process.memoryUsage().heapUsed
      for (let i = 0; i < CALLS; i++) await call()
      const allocated = process.memoryUsage().heapUsed - before
      // objects that survive one collection are still young
      gc({ type: "minor" })
      gc({ type: "minor" })
      shares[name] = Math.min(shares[name], (process.memoryUsage().heapUsed - before) / allocated)
    }
  }
  return shares
}

let shares: Shares
beforeAll(async () => {
  shares = await inChild(measure, still(64))
})

test.each([
  "a fit of naive Bayes",
  "a fit of a normal in each class",
  "a fit of a mixture",
  "a fit of a mixture in each class",
  "an update",
  "labels",
  "predictions",
  "log-densities",
])("%s: what it made goes with the young", name => {
  expect(shares[name]).toBeLessThan(MOST)
})
