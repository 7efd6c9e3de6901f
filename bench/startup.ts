/**
 * How long the command takes to start: `suffice --version` beside `node -e 0`, by turns.
 *
 *     npm run build && npm run bench -- startup            31 rounds, and the page
 *     npm run build && npm run bench -- startup --quick    5 rounds, printed
 */
import { spawnSync } from "node:child_process"
import { atMost, barTable } from "./bars.ts"
import { builtCommand } from "./built.ts"
import { optionsOf } from "./options.ts"
import { median, table, writePage } from "./page.ts"

function once(args: readonly string[]): number {
  const began = performance.now()
  if (spawnSync(process.execPath, args).status !== 0) throw new Error(`node ${args.join(" ")} failed.`)
  return performance.now() - began
}

export async function run(options: readonly string[]): Promise<void> {
  const isQuick = optionsOf(options, [], ["--quick"]).has("--quick")
  const command = builtCommand()
  const count = isQuick ? 5 : 31
  const rounds = Array.from({ length: count }, () => ({
    node: once(["-e", "0"]),
    suffice: once([command, "--version"]),
  }))
  const ratios = rounds.map(({ node, suffice }) => suffice / node).sort((a, b) => a - b)
  const quarter = Math.floor(count / 4)
  const fastest = (of: "node" | "suffice"): number => Math.min(...rounds.map(round => round[of]))
  const heads = [
    "quarter",
    "three quarters",
    "fastest node, ms",
    "fastest suffice, ms",
    "ratio of the fastest",
  ]
  const cells = [
    ratios[quarter].toFixed(2),
    ratios[count - 1 - quarter].toFixed(2),
    fastest("node").toFixed(1),
    fastest("suffice").toFixed(1),
    (fastest("suffice") / fastest("node")).toFixed(2),
  ]
  const parts = [
    `\`suffice --version\` beside \`node -e 0\`, by turns, ${count} rounds: the ratio of the two times, and the fastest of each.`,
    barTable([atMost("median of suffice / node", 1.6, median(ratios))]),
    table(heads, [cells]),
  ]
  if (isQuick) console.log(parts.join("\n\n"))
  else writePage("startup", "How long the command takes to begin", parts, {})
}
