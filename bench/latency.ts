/**
 * One row through `predict` and `posterior`: microseconds, and what is allocated beside the result.
 *
 *     npm run bench:latency               writes bench/latency.md
 *     npm run bench:latency -- --quick    a few rounds, printed
 */
import { execFileSync } from "node:child_process"
import { loadavg } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle } from "./bundle.ts"
import { table, writePage } from "./page.ts"

interface Answer {
  readonly name: string
  readonly method: string
  readonly microseconds: number
  readonly allocated: number
  readonly result: number
  readonly reading: number
}

const isQuick = process.argv.includes("--quick")
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const folder = here(".cache/latency")
const load = loadavg()[0]
await bundle({ calls: here("latency/calls.ts") }, folder)
// a young generation that no round fills: growth is what was allocated
const still = ["--expose-gc", "--single-threaded", "--min-semi-space-size=256", "--max-semi-space-size=256"]
const rounds = isQuick ? "5" : "101"
const said = execFileSync(process.execPath, [...still, join(folder, "calls.js"), rounds], {
  encoding: "utf8",
})
const answers = JSON.parse(said) as Answer[]
const parts = [
  `One row in, one answer out, warm: the median of ${rounds} rounds of 200 calls. Bytes are what the heap and its buffers grow by per call. The result is what is left of
them when garbage has been collected and all results are held. Reading: what it takes to read the row's cells by their names, by hand; V8 puts a
number that is part of an object into a box of its own, 16 bytes, whenever a program asks for it by a name that it computed.`,
  table(
    ["model", "call", "µs", "bytes allocated", "the result", "reading the row", "beside them"],
    answers.map(({ name, method, microseconds, allocated, result, reading }) => [
      name,
      `\`${method}\``,
      microseconds.toFixed(1),
      allocated.toFixed(0),
      result.toFixed(0),
      reading.toFixed(0),
      String(Math.round(allocated - result - reading) || 0),
    ]),
  ),
  `Load average before: ${load.toFixed(1)}.`,
]
if (isQuick) console.log(parts.join("\n\n"))
else writePage("latency", "Latency", parts, { versions: {} })
