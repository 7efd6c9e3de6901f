/** Posteriors of alarm beside bayesjs, which is installed in bench/.cache. */
import { existsSync, mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { cpu } from "../clock.ts"
import { installed } from "../peer.ts"
import { type Known, network, rowsOf } from "./data.ts"
import { timed } from "./inference.ts"

const BAYESJS = "0.6.5"
const PLACE = fileURLToPath(new URL("../.cache/bayesjs", import.meta.url))

/** A key of its tables. */
const THEN = "then"

interface JsNode {
  readonly id: string
  readonly states: readonly string[]
  readonly parents: readonly string[]
  readonly cpt: unknown
}

function bayesjs(): { inferAll(network: Record<string, JsNode>, given: Record<string, string>): unknown } {
  if (!existsSync(`${PLACE}/node_modules/bayesjs`)) {
    mkdirSync(PLACE, { recursive: true })
    const flags = ["--prefix", PLACE, "--no-save", "--ignore-scripts"]
    installed("networks", "npm", ["install", ...flags, `bayesjs@${BAYESJS}`])
  }
  return createRequire(import.meta.url)(`${PLACE}/node_modules/bayesjs`)
}

function forBayesjs({ tables }: Known): Record<string, JsNode> {
  const levelsOf = new Map(tables.columns.map(({ name, levels }) => [name, levels]))
  return Object.fromEntries(
    tables.columns.map(({ name, levels, parents, probabilities }) => {
      const chances = (c: number) =>
        Object.fromEntries(levels.map((level, l) => [level, probabilities[c * levels.length + l]]))
      const configurations = parents.reduce((n, parent) => n * levelsOf.get(parent)!.length, 1)
      const when = (c: number): Record<string, string> => {
        const own: Record<string, string> = {}
        for (let j = parents.length - 1, rest = c; j >= 0; j--) {
          const all = levelsOf.get(parents[j])!
          own[parents[j]] = all[rest % all.length]
          rest = Math.trunc(rest / all.length)
        }
        return own
      }
      const cpt =
        parents.length === 0
          ? chances(0)
          : Array.from({ length: configurations }, (_, c) => ({ when: when(c), [THEN]: chances(c) }))
      return [name, { id: name, states: levels, parents, cpt }]
    }),
  )
}

export interface BesideBayesjs {
  readonly version: string
  readonly rows: number
  /** Seconds a row. */
  readonly theirs: number
  readonly first: number
  readonly again: number
  readonly apart: number
}

/** A few rows of alarm: it takes long. */
export function besideBayesjs(): BesideBayesjs {
  const known = network("alarm")
  const rows = rowsOf(known, 10, 0.3, 1)
  const { inferAll } = bayesjs()
  const js = forBayesjs(known)
  const { columns } = known.fitted.marginals(rows as never)
  let apart = 0
  const began = cpu()
  const answers = rows.map(row => {
    const given = Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== null))
    return inferAll(js, given as Record<string, string>) as Record<string, Record<string, number>>
  })
  const theirs = (cpu() - began) / rows.length
  answers.forEach((answer, i) => {
    for (const [name, { levels, probabilities }] of Object.entries(columns))
      levels.forEach((level, l) => {
        apart = Math.max(apart, Math.abs(answer[name][String(level)] - probabilities[i * levels.length + l]))
      })
  })
  timed(network("alarm"), rowsOf(known, 50, 0.3, 5))
  const { first, again } = timed(known, rows)
  return {
    version: BAYESJS,
    rows: rows.length,
    theirs,
    first: first / rows.length,
    again: again / rows.length,
    apart,
  }
}
