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
  readonly bytes: number
  readonly result: number
}

const isQuick = process.argv.includes("--quick")
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const folder = here(".cache/latency")
const load = loadavg()[0]
await bundle({ calls: here("latency/calls.ts") }, folder)
// a young generation that no round fills: growth is what was allocated
const still = ["--expose-gc", "--min-semi-space-size=256", "--max-semi-space-size=256"]
const rounds = isQuick ? "5" : "101"
const said = execFileSync(process.execPath, [...still, join(folder, "calls.js"), rounds], {
  encoding: "utf8",
})
const answers = JSON.parse(said) as Answer[]
const parts = [
  `One row in, one answer out, warm: the median of ${rounds} rounds of 200 calls. Bytes are what the heap and its buffers grow by per call; the result is one of the
same shape made by hand.`,
  table(
    ["model", "call", "µs", "bytes allocated", "of which the result", "beside it"],
    answers.map(({ name, method, microseconds, bytes, result }) => [
      name,
      `\`${method}\``,
      microseconds.toFixed(1),
      bytes.toFixed(0),
      result.toFixed(0),
      (bytes - result).toFixed(0),
    ]),
  ),
  `Nothing beside the result is the bar, and it is missed. What is left, by the sampling heap profiler: the closures of a call and what they share (some 400 bytes),
the options that are looked at (90), numbers that V8 boxes where a function is not inlined (16 for every class in exp), views of a bag's words and counts (480), and
in \`predict\` the pairs that name the probabilities. What would close it: a question that is prepared once for a target and its options, and asked again and again.`,
  `Load average before: ${load.toFixed(1)}.`,
]
if (isQuick) console.log(parts.join("\n\n"))
else writePage("latency", "Latency", parts, { versions: {} })
