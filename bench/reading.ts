/**
 * From a CSV file to a fitted Gaussian naive Bayes: rows per second, and whether memory grows with the file. Ten columns, seven of
 * them numbers; by the library, and by the command.
 */
import { execFileSync } from "node:child_process"
import { createWriteStream, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { cpus, loadavg, tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { classes, dice, fit, gaussian, independent } from "suffice"
import { openTable } from "suffice-files"

const BUILT = new URL("../packages/cli/dist/main.js", import.meta.url)
const SIZES = [500_000, 5_000_000]
const NUMBERS = ["a", "b", "c", "d", "e", "f", "g"]
const CITIES = ["Oslo", "Rome", "Paris", "Vienna", "Lisbon", "Madrid", "Stockholm", "Copenhagen"]

async function generate(path: string, rows: number): Promise<void> {
  const die = dice(rows)
  const out = createWriteStream(path)
  out.write(`y,${NUMBERS.join(",")},city,member\n`)
  for (let row = 0; row < rows; ) {
    let text = ""
    for (let i = 0; i < 10_000 && row < rows; i++, row++) {
      const y = die.uniform() < 0.5
      const numbers = NUMBERS.map((_, n) => (die.normal() * (n + 1) + (y ? 1 : 0)).toFixed(4))
      text += `${y ? "yes" : "no"},${numbers.join(",")},${CITIES[die.integer(8)]},${die.uniform() < 0.3}\n`
    }
    if (!out.write(text)) await new Promise<void>(resolve => out.once("drain", resolve))
  }
  await new Promise<void>(resolve => out.end(resolve))
}

interface Run {
  readonly rows: number
  readonly seconds: number
  readonly cpu: number
  readonly rss: number
}

/** In the child: file → fitted. */
async function run(path: string): Promise<Run> {
  const from = performance.now()
  const before = process.cpuUsage()
  const table = await openTable(path)
  const model = classes("y", independent(Object.fromEntries(NUMBERS.map(name => [name, gaussian()]))))
  const fitted = await fit(model, table.read(["y", ...NUMBERS]))
  const seconds = (performance.now() - from) / 1000
  const { user, system } = process.cpuUsage(before)
  await table.close()
  return {
    rows: fitted.training!.rows,
    seconds,
    cpu: (user + system) / 1e6,
    rss: process.resourceUsage().maxRSS / 1024,
  }
}

/** In the child: the same by the built command, as a user would run it: it looks at all ten columns first, and measures on rows held out. */
async function runCommand(path: string): Promise<Run> {
  const from = performance.now()
  const before = process.cpuUsage()
  const { main } = (await import(BUILT.href)) as { main(argv: readonly string[]): Promise<void> }
  await main(["fit", path, "--label", "y", "--seed", "1", "--quiet"])
  if (process.exitCode !== 0) throw new Error("suffice fit failed.")
  const { user, system } = process.cpuUsage(before)
  return {
    rows: Number(basename(path, ".csv")),
    seconds: (performance.now() - from) / 1000,
    cpu: (user + system) / 1e6,
    rss: process.resourceUsage().maxRSS / 1024,
  }
}

/** Each in a process of its own, so that its peak memory is its own. */
function measured(way: string, path: string): Run {
  const self = fileURLToPath(import.meta.url)
  const said = execFileSync(process.execPath, [...process.execArgv, self, way, path], { encoding: "utf8" })
  return JSON.parse(said.trim().split("\n").at(-1)!) as Run
}

const WAYS: Readonly<Record<string, (path: string) => Promise<Run>>> = { library: run, command: runCommand }
const [, , way, given] = process.argv

if (way) {
  console.log(JSON.stringify(await WAYS[way](given)))
} else {
  if (!existsSync(BUILT)) {
    console.error("The command is not built. Run npm run build first.")
    process.exit(2)
  }
  const [load] = loadavg()
  const folder = mkdtempSync(join(tmpdir(), "suffice-bench-"))
  try {
    const runs: Record<string, Run[]> = { library: [], command: [] }
    const lines: string[] = []
    for (const size of SIZES) {
      const path = join(folder, `${size}.csv`)
      await generate(path, size)
      const megabytes = (statSync(path).size / 1e6).toFixed(0)
      for (const name of Object.keys(WAYS)) {
        const found = measured(name, path)
        runs[name].push(found)
        const rate = (seconds: number): string => (found.rows / seconds / 1e6).toFixed(2)
        lines.push(
          `| ${name} | ${found.rows.toLocaleString("en")} | ${megabytes} | ${found.seconds.toFixed(2)} | ${rate(found.seconds)} | ${found.cpu.toFixed(2)} | ${rate(found.cpu)} | ${found.rss.toFixed(0)} |`,
        )
        console.log(lines.at(-1))
      }
      rmSync(path)
    }
    const growth = Object.entries(runs).map(
      ([name, [small, large]]) => `${(large.rss / small.rss).toFixed(2)} times by the ${name}`,
    )
    const page = [
      "# Reading",
      "",
      "From a CSV file with ten columns, seven of them numbers, to a fitted Gaussian naive Bayes (`npm run build && npm run bench:reading`): by the library, and by `suffice fit`, which looks at all columns first, models them all, and measures on rows held out.",
      "",
      `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0].model}; load average before and after: ${load.toFixed(1)} and ${loadavg()[0].toFixed(1)}. Where that is not near 0, seconds are of a shared machine; CPU seconds are of all threads, DuckDB's among them.`,
      "",
      "| by | rows | MB | seconds | million rows/s | CPU seconds | million rows per CPU second | peak RSS, MB |",
      "|---|---|---|---|---|---|---|---|",
      ...lines,
      "",
      `Peak memory at ${SIZES[1] / SIZES[0]} times the rows: ${growth.join(", ")}.`,
      "",
    ].join("\n")
    writeFileSync(new URL("reading.md", import.meta.url), page)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
