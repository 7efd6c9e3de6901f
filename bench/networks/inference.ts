/** Posteriors of all missing columns, beside pyAgrum and bayesjs; ln Z of networks without evidence; a network that is too large. */
import type { Row } from "suffice"
import { fittedOfTables } from "suffice-files/networks"
import { cpu } from "../clock.ts"
import { median } from "../page.ts"
import {
  allNetworks,
  asked,
  codesOf,
  columnsOf,
  type Known,
  network,
  rowsOf,
  SEVEN,
  tablesOf,
} from "./data.ts"

const ROWS = 100
const ROUNDS = 3

interface PeerAnswer {
  readonly first: number
  readonly again: number
  readonly posteriors: readonly (readonly (readonly number[])[])[]
}

export interface Inferred {
  readonly name: string
  /** The largest difference of any probability. */
  readonly apart: number
  /** Seconds: of ours the first time, of ours again, of pyAgrum. */
  readonly first: number
  readonly again: number
  readonly theirs: number
  readonly ratio: number
}

/** One pass over the rows by a model that has seen none of their patterns, and the fastest of five more. */
export function timed({ tables }: Known, rows: readonly Row[]): { first: number; again: number } {
  const fresh = fittedOfTables(tables)
  const once = (): number => {
    const began = cpu()
    fresh.marginals(rows as never)
    return cpu() - began
  }
  const first = once()
  // short passes: ten at a time, since the clock of the processor ticks in milliseconds on some machines
  const tens = [1, 2, 3].map(() => {
    let sum = 0
    for (let k = 0; k < 10; k++) sum += once()
    return sum / 10
  })
  return { first, again: Math.min(...tens) }
}

function apartOf(known: Known, rows: readonly Row[], theirs: PeerAnswer["posteriors"]): number {
  const { columns } = known.fitted.marginals(rows as never)
  let most = 0
  rows.forEach((row, i) => {
    const missing = known.tables.columns.filter(({ name }) => row[name] === null)
    missing.forEach(({ name, levels: { length } }, j) => {
      for (let l = 0; l < length; l++)
        most = Math.max(most, Math.abs(columns[name].probabilities[i * length + l] - theirs[i][j][l]))
    })
  })
  return most
}

export function posteriors(): Inferred[] {
  // other rows first, so that the code is compiled as it is in a process that runs
  for (const name of SEVEN) timed(network(name), rowsOf(network(name), 20, 0.3, 9))
  return SEVEN.map(name => {
    const known = network(name)
    const rows = rowsOf(known, ROWS, 0.3, 1)
    const question = { job: "inference", columns: columnsOf(known.tables, true), rows: codesOf(known, rows) }
    let apart = 0
    const rounds = Array.from({ length: ROUNDS }, (_, round) => {
      const ours = timed(known, rows)
      const theirs = asked<PeerAnswer>({ ...question, tell: round === 0 })
      if (round === 0) apart = apartOf(known, rows, theirs.posteriors)
      return { ...ours, theirs: theirs.again, ratio: theirs.again / ours.again }
    })
    const of = (pick: (round: (typeof rounds)[number]) => number): number => median(rounds.map(pick))
    const found = {
      name,
      apart,
      first: of(({ first }) => first),
      again: of(({ again }) => again),
      theirs: of(({ theirs }) => theirs),
      ratio: of(({ ratio }) => ratio),
    }
    console.log(
      `  ${name}: apart ${apart.toExponential(1)}, first ${(1000 * found.first).toFixed(1)} ms, again ${(1000 * found.again).toFixed(2)} ms, pyAgrum ${(1000 * found.theirs).toFixed(0)} ms`,
    )
    return found
  })
}

// ── files and sizes ────────────────────────────────────────────────────────────────────────────────

export interface Files {
  readonly read: number
  /** Of networks whose tables fit: the largest |ln Z|, and how many there are. */
  readonly most: number
  readonly summed: readonly string[]
  readonly munin1: { readonly seconds: number; readonly said: string }
}

/** Beyond these a network is read only: their tables take hundreds of megabytes. */
const LARGE = ["diabetes", "munin", "munin4", "barley", "link"]

export function files(): Files {
  let most = 0
  const summed: string[] = []
  let munin1 = { seconds: Number.NaN, said: "" }
  const names = allNetworks()
  for (const name of names) {
    const fitted = fittedOfTables(tablesOf(name))
    if (LARGE.includes(name)) continue
    const began = cpu()
    try {
      const { logDensity } = fitted.marginals([{}] as never)
      most = Math.max(most, Math.abs(logDensity[0]))
      summed.push(name)
      console.log(`  ${name}: ln Z ${logDensity[0].toExponential(1)}, ${(cpu() - began).toFixed(2)} s`)
    } catch (error) {
      if (name === "munin1") munin1 = { seconds: cpu() - began, said: (error as Error).message }
      console.log(`  ${name}: ${(error as Error).message} (${(cpu() - began).toFixed(2)} s)`)
    }
  }
  return { read: names.length, most, summed, munin1 }
}
