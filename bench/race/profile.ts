/** Where our side spends its time: samples of the timed calls, by room of ARCHITECTURE.md, and the functions that take most. */
import { readFileSync } from "node:fs"
import { Session } from "node:inspector/promises"
import { fileURLToPath } from "node:url"

/** Shares of the samples, largest first. */
export interface Profile {
  readonly rooms: Readonly<Record<string, number>>
  readonly functions: Readonly<Record<string, number>>
}

/** Calls go on for so long, in milliseconds. */
const LONG = 2000
const NAMED = 4

export async function profiled(work: () => Promise<unknown>): Promise<Profile> {
  const session = new Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.setSamplingInterval", { interval: 200 })
  await session.post("Profiler.start")
  for (const start = performance.now(); performance.now() - start < LONG; ) await work()
  const { profile } = await session.post("Profiler.stop")
  session.disconnect()
  const nodes = new Map(profile.nodes.map(node => [node.id, node.callFrame]))
  const rooms = new Map<string, number>()
  const functions = new Map<string, number>()
  let total = 0
  for (const [i, id] of (profile.samples ?? []).entries()) {
    const { functionName, url, lineNumber } = nodes.get(id)!
    if (functionName === "(idle)") continue
    const time = profile.timeDeltas![i]
    const file = fileOf(url, lineNumber)
    const room = roomOf(file, functionName)
    total += time
    rooms.set(room, (rooms.get(room) ?? 0) + time)
    if (file && functionName) {
      const name = `${functionName} (${file})`
      functions.set(name, (functions.get(name) ?? 0) + time)
    }
  }
  return { rooms: shares(rooms, total), functions: shares(functions, total) }
}

/** What the page says of a job: rooms above 3 %, and the first functions. */
export function told({ rooms, functions }: Profile): string {
  const percent = ([name, share]: [string, number]): string => `${name} ${(100 * share).toFixed(0)} %`
  const first = Object.entries(rooms).filter(([, share]) => share >= 0.03)
  const most = Object.entries(functions).slice(0, NAMED)
  return `${first.map(percent).join(", ")}; most of all ${most.map(percent).join(", ")}`
}

function shares(times: ReadonlyMap<string, number>, total: number): Record<string, number> {
  const sorted = [...times].sort((a, b) => b[1] - a[1])
  return Object.fromEntries(sorted.map(([name, time]) => [name, time / total]))
}

function roomOf(file: string | undefined, functionName: string): string {
  if (file === "wasm") return "kernels in wasm"
  if (functionName === "(garbage collector)") return "garbage"
  if (file === undefined) return "the engine"
  return file.includes("/") ? `${file.split("/")[0]}/` : file
}

const bundles = new Map<string, readonly string[]>()

/** The source of a line of a bundle, which names each before its code; below src/. */
function fileOf(url: string, line: number): string | undefined {
  if (url.startsWith("wasm:")) return "wasm"
  if (!url.startsWith("file:")) return undefined
  let lines = bundles.get(url)
  if (!lines) {
    lines = readFileSync(fileURLToPath(url), "utf8").split("\n")
    bundles.set(url, lines)
  }
  for (let at = line; at >= 0; at--) {
    const named = /^\/\/ (\S+\.ts)$/.exec(lines[at])
    if (named)
      return named[1].replace(/^.*packages\/suffice\/src\//, "").replace(/^(?:\.\.\/)*bench\//, "bench/")
  }
  return undefined
}
