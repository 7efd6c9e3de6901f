/**
 * Records what the library and the command compute, and compares after a change.
 *
 *     npx tsx --conditions=source checks/frozen/run.ts record|compare [models] [command] [modules] [-- WORD …]
 *     npx tsx --conditions=source checks/frozen/run.ts show models|command|modules [-- WORD …]
 *     npx tsx --conditions=source checks/frozen/run.ts turns TREE [--turns=7] [-- WORD …]
 *
 * Without a part, models and command. WORDs choose rows by name. The exit code is 1 if something differs from the record.
 */
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { compared, readTable, type Table, UNSTABLE, writeTable } from "./record.ts"

const HERE = dirname(fileURLToPath(import.meta.url))

const PARTS: Readonly<Record<string, (words: readonly string[], isShown?: boolean) => Promise<Table>>> = {
  models: async words => (await import("./models.ts")).modelTable(words),
  command: async (words, isShown) => (await import("./command.ts")).commandTable(words, isShown),
  modules: async (words, isShown) => (await import("./modules.ts")).moduleTable(words, isShown),
}

function recordOf(part: string): string {
  return join(HERE, `${part}.tsv`)
}

/** Measured twice where times may be printed. */
async function measuredFor(part: string, words: readonly string[]): Promise<Table> {
  const first = await PARTS[part](words)
  if (part !== "command") return first
  const second = await PARTS[part](words)
  const cellsOf = (name: string, cells: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(cells).map(([column, cell]) => [
        column,
        second.get(name)?.[column] === cell ? cell : UNSTABLE,
      ]),
    )
  return new Map([...first].map(([name, cells]) => [name, cellsOf(name, cells)]))
}

async function record(parts: readonly string[], words: readonly string[]): Promise<void> {
  for (const part of parts) {
    const measured = await measuredFor(part, words)
    const others = words.length > 0 ? readTable(recordOf(part)) : []
    const table = new Map([...others, ...measured])
    writeTable(recordOf(part), table)
    console.log(`${part}: ${measured.size} rows recorded.`)
  }
}

async function compare(parts: readonly string[], words: readonly string[]): Promise<void> {
  for (const part of parts) {
    const measured = await PARTS[part](words)
    const recorded = new Map(
      [...readTable(recordOf(part))].filter(
        ([name]) => words.length === 0 || words.some(word => name.includes(word)),
      ),
    )
    const { different, added } = compared(recorded, measured)
    for (const line of different) console.log(`${part}: ${line}`)
    if (added.length > 0) console.log(`${part}: without a record: ${added.join("; ")}`)
    console.log(`${part}: ${recorded.size - different.length} of ${recorded.size} rows are unchanged.`)
    if (different.length > 0 || recorded.size === 0) process.exitCode = 1
  }
}

async function show(parts: readonly string[], words: readonly string[]): Promise<void> {
  for (const part of parts) {
    for (const [name, cells] of await PARTS[part](words, true))
      for (const [column, cell] of Object.entries(cells)) console.log(`${name}\t${column}\t${cell}`)
  }
}

const given = process.argv.slice(2)
const dash = given.includes("--") ? given.indexOf("--") : given.length
const [verb, ...rest] = given.slice(0, dash)
const words = given.slice(dash + 1)
const parts = rest.length > 0 ? rest : ["models", "command"]
if (verb === "turns") await (await import("./turns.ts")).byTurns(rest, words)
else if (!["record", "compare", "show"].includes(verb) || parts.some(part => !(part in PARTS))) {
  console.error("Write: record, compare or show, then models, command or modules; or turns and a tree.")
  process.exitCode = 2
} else await { record, compare, show }[verb as "record"](parts, words)
