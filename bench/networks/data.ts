/** The 24 networks of pgmpy's wheel, rows drawn of them, and what both sides are asked. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { dice, type Fitted, type Row } from "suffice"
import { fittedOfTables, type NetworkTables, readNetwork } from "suffice-files/networks"
import { ask, install, PYTHON, type Versions } from "../peer.ts"

const PINS = "networks/requirements.txt"

/** Of the seven on which posteriors are compared. */
export const SEVEN = ["asia", "alarm", "child", "insurance", "hailfinder", "win95pts", "hepar2"] as const

export interface Known {
  readonly name: string
  readonly tables: NetworkTables
  readonly fitted: Fitted<Record<string, string>, never>
}

function folder(): string {
  install(PINS)
  const lib = join(PYTHON, "../../lib")
  const python = readdirSync(lib).find(name => name.startsWith("python"))!
  return join(lib, python, "site-packages/pgmpy/utils/example_models")
}

export const allNetworks = (): string[] =>
  readdirSync(folder())
    .filter(file => file.endsWith(".bif.gz"))
    .map(file => file.slice(0, -7))
    .sort()

export function tablesOf(name: string): NetworkTables {
  const text = gunzipSync(readFileSync(join(folder(), `${name}.bif.gz`))).toString("utf8")
  return readNetwork(text, { file: `${name}.bif` })
}

export function network(name: string): Known {
  const tables = tablesOf(name)
  return { name, tables, fitted: fittedOfTables(tables) as unknown as Known["fitted"] }
}

/** Rows drawn of the network, each cell kept with this probability. */
export function rowsOf({ fitted }: Known, count: number, kept: number, seed: number): Row[] {
  const rolls = dice([seed, 1])
  return (fitted.sample(count, { seed }) as Row[]).map(row =>
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [name, rolls.uniform() < kept ? cell : null]),
    ),
  )
}

/** The codes of rows, −1 for what is missing. */
export function codesOf({ tables }: Known, rows: readonly Row[]): number[][] {
  const codes = tables.columns.map(({ levels }) => new Map(levels.map((level, l) => [level, l])))
  return rows.map(row =>
    tables.columns.map(({ name }, v) => (row[name] === null ? -1 : codes[v].get(String(row[name]))!)),
  )
}

/** Columns by number, for Python; `isWhole`: with their tables. */
export function columnsOf({ columns }: NetworkTables, isWhole: boolean): object[] {
  const place = new Map(columns.map(({ name }, v) => [name, v]))
  return columns.map(({ levels, parents, probabilities }) => ({
    levels: levels.length,
    parents: parents.map(parent => place.get(parent)!),
    ...(isWhole && { table: [...probabilities] }),
  }))
}

/** Of the peers that were asked. */
export const versions: Record<string, string> = {}

export function asked<Answer>(question: object): Answer {
  const answer = ask<Answer & Versions & { peers: Record<string, string> }>(
    "networks/peers.py",
    question,
    PINS,
  )
  Object.assign(versions, answer.versions, answer.peers)
  return answer
}
