/** Second opinions: hmmlearn, read from checks/golden/chain.json, which names the script that made it. */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import type { Model } from "../../contract/model.ts"
import type { Description } from "../../contract/report.ts"
import { categorical, chain, em, fit, gaussian, independent, poisson } from "../../index.ts"

interface Parameters {
  readonly initial: readonly number[]
  readonly transitions: readonly (readonly number[])[]
  readonly means?: readonly (readonly number[])[]
  readonly variances?: readonly (readonly number[])[]
  readonly rates?: readonly number[]
  readonly probabilities?: readonly (readonly number[])[]
}

interface Case {
  readonly name: string
  readonly kind: string
  readonly lengths: readonly number[]
  readonly cells: readonly (readonly number[])[]
  readonly start: Parameters
  readonly after: readonly (Parameters & { readonly steps: number; readonly logLikelihood: number })[]
}

interface Optimum {
  readonly kind: string
  readonly states: number
  readonly values: readonly number[]
  readonly logLikelihood: number
}

const golden = JSON.parse(
  readFileSync(new URL("../../../../../checks/golden/chain.json", import.meta.url), "utf8"),
) as { cases: readonly Case[]; optima: Readonly<Record<string, Optimum>> }

const none = { prior: 0 }
const BODIES: Readonly<Record<string, Model>> = {
  gaussian: independent({ x0: gaussian(none), x1: gaussian(none) }) as unknown as Model,
  categorical: independent({ x0: categorical({ ...none, levels: [0, 1, 2] }) }) as unknown as Model,
  poisson: independent({ x0: poisson(none) }) as unknown as Model,
}

/** As describe() prints them. */
function described(at: Parameters): Description {
  const byState = <T>(of: (l: number) => T): Record<string, T> =>
    Object.fromEntries(at.initial.map((_, l) => [l, of(l)]))
  const given = (l: number): Description => {
    if (at.rates) return { x0: { family: "poisson", rate: at.rates[l] } }
    if (at.probabilities) {
      const probabilities = Object.fromEntries(at.probabilities[l].map((p, c) => [c, p]))
      return { x0: { family: "categorical", probabilities } }
    }
    return Object.fromEntries(
      at.means![l].map((mean, j) => [
        `x${j}`,
        { family: "gaussian", mean, sd: Math.sqrt(at.variances![l][j]) },
      ]),
    )
  }
  return {
    steps: {
      initial: byState(l => at.initial[l]),
      transitions: byState(i => byState(j => at.transitions[i][j])),
      given: byState(given),
    },
  }
}

function close(found: unknown, wanted: unknown, path: string): void {
  if (typeof wanted === "number") {
    const gap = Math.abs((found as number) - wanted) / Math.max(1, Math.abs(wanted))
    expect(gap, `${path}: ${String(found)} should be ${wanted}`).toBeLessThanOrEqual(1e-6)
  } else if (typeof wanted === "object" && wanted !== null) {
    for (const [key, value] of Object.entries(wanted))
      close((found as Record<string, unknown>)[key], value, `${path}.${key}`)
  }
}

describe("EM goes as hmmlearn's does, step by step", () => {
  for (const { name, kind, lengths, cells, start, after } of golden.cases) {
    test(name, async () => {
      let at = 0
      const rows = lengths.map(length => {
        const own = cells.slice(at, at + length)
        at += length
        return { steps: own.map(step => Object.fromEntries(step.map((x, j) => [`x${j}`, x]))) }
      })
      const model = chain(start.initial.length, BODIES[kind], { prior: 0 }) as unknown as Model
      for (const { steps, logLikelihood, ...wanted } of after) {
        const learner = em({ prior: 0, start: described(start), maxIterations: steps, tolerance: 0 })
        const fitted = await fit(model as never, rows as never, { learner })
        close(fitted.describe(), described(wanted), `${steps} steps`)
        const total = fitted.logDensity(rows as never).reduce((sum, x) => sum + x, 0)
        close(total, logLikelihood, `ln L after ${steps} steps`)
      }
    })
  }
})

describe("some start reaches the best optimum that hmmlearn finds", () => {
  for (const [name, { kind, states, values, logLikelihood }] of Object.entries(golden.optima)) {
    test(name, async () => {
      const body = independent({
        x0: kind === "poisson" ? poisson(none) : gaussian(none),
      }) as unknown as Model
      const model = chain(states, body, { prior: 0 }) as unknown as Model
      const learner = em({ prior: 0, restarts: 20, maxIterations: 1000, tolerance: 1e-8 })
      const fitted = await fit(model as never, [{ steps: values }] as never, { learner, seed: 1 })
      expect(fitted.training!.logLikelihood).toBeGreaterThan(logLikelihood - 0.01)
    })
  }
})
