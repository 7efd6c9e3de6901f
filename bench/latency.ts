/**
 * One row through `predict` and `posterior`: microseconds, and bytes allocated beside the result.
 *
 *     npm run bench -- latency            101 rounds, and the page
 *     npm run bench -- latency --quick    5 rounds, printed
 */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle } from "./bundle.ts"
import { optionsOf } from "./options.ts"
import { table, writePage } from "./page.ts"

interface Answer {
  readonly name: string
  readonly method: string
  readonly microseconds: number
  readonly allocated: number
  readonly result: number
  readonly reading: number
}

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))

async function measured(rounds: string): Promise<Answer[]> {
  const folder = here(".cache/latency")
  await bundle({ calls: here("latency/calls.ts") }, folder)
  // a young generation that no round fills: growth is what was allocated
  const sizes = ["min", "max"].map(end => `--${end}-semi-space-size=256`)
  const flags = ["--expose-gc", "--single-threaded", ...sizes]
  const answer = execFileSync(process.execPath, [...flags, join(folder, "calls.js"), rounds], {
    encoding: "utf8",
  })
  return JSON.parse(answer) as Answer[]
}

const HEADS = ["model", "call", "µs", "bytes allocated", "the result", "reading the row", "beside them"]

export async function run(options: readonly string[]): Promise<void> {
  const isQuick = optionsOf(options, [], ["--quick"]).has("--quick")
  const rounds = isQuick ? "5" : "101"
  const rows = (await measured(rounds)).map(({ name, method, microseconds, allocated, result, reading }) => [
    name,
    `\`${method}\``,
    microseconds.toFixed(1),
    allocated.toFixed(0),
    result.toFixed(0),
    reading.toFixed(0),
    String(Math.round(allocated - result - reading) || 0),
  ])
  const parts = [
    `One row in, one answer out, warm: the median of ${rounds} rounds of 200 calls. Bytes are the growth of the heap and its buffers per call.
The result is what remains of them after garbage collection while all results are held. Reading: the bytes of reading the row's cells by their names;
V8 boxes a number in an object, 16 bytes, whenever a program reads it by a computed name.`,
    table(HEADS, rows),
  ]
  if (isQuick) console.log(parts.join("\n\n"))
  else writePage("latency", "Latency", parts, {})
}
