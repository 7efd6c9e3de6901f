/**
 * How long the command takes to begin: `suffice --version` beside `node -e 0`, by turns, so that both meet the same machine.
 *
 *     npm run build && npm run bench:startup
 */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { loadavg } from "node:os"
import { fileURLToPath } from "node:url"
import { median, table, writePage } from "./page.ts"

const bin = fileURLToPath(new URL("../packages/cli/bin/suffice.js", import.meta.url))
if (!existsSync(new URL("../packages/cli/dist/main.js", import.meta.url))) {
  console.error("The command is not built. Run npm run build first.")
  process.exit(2)
}

function once(args: readonly string[]): number {
  const began = performance.now()
  if (spawnSync(process.execPath, args).status !== 0) throw new Error(`node ${args.join(" ")} failed.`)
  return performance.now() - began
}

const ROUNDS = 31
const [load] = loadavg()
const rounds = Array.from({ length: ROUNDS }, () => {
  const empty = once(["-e", "0"])
  return { empty, command: once([bin, "--version"]) }
})
const ratios = rounds.map(({ empty, command }) => command / empty).sort((a, b) => a - b)
const fastest = (of: "empty" | "command"): number => Math.min(...rounds.map(round => round[of]))
const quarter = Math.floor(ROUNDS / 4)
const shown = [median(ratios), ratios[quarter], ratios[ROUNDS - 1 - quarter]].map(ratio => ratio.toFixed(2))
writePage(
  "startup",
  "How long the command takes to begin",
  [
    `\`suffice --version\` beside \`node -e 0\`, by turns, ${ROUNDS} rounds: the ratio of the two times, and the fastest of each, which a busy machine disturbs least. Bar: at most 1.6. Load average before: ${load.toFixed(1)}.`,
    table(
      [
        "median ratio",
        "quarter",
        "three quarters",
        "fastest node, ms",
        "fastest suffice, ms",
        "ratio of the fastest",
      ],
      [
        [
          ...shown,
          fastest("empty").toFixed(1),
          fastest("command").toFixed(1),
          (fastest("command") / fastest("empty")).toFixed(2),
        ],
      ],
    ),
  ],
  { versions: {} },
)
