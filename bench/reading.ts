/**
 * From a CSV file to a fitted Gaussian naive Bayes: rows per second, and whether memory grows with the file. Ten columns, seven of
 * them numbers; each size in a process of its own, so that its peak memory is its own.
 */
import { execFileSync } from "node:child_process"
import { createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { classes, dice, fit, gaussian, independent } from "suffice"
import { openTable } from "suffice-files"

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

if (process.argv[2]) {
  console.log(JSON.stringify(await run(process.argv[2])))
} else {
  const folder = mkdtempSync(join(tmpdir(), "suffice-bench-"))
  try {
    const runs: Run[] = []
    const lines: string[] = []
    for (const size of SIZES) {
      const path = join(folder, `${size}.csv`)
      await generate(path, size)
      const self = fileURLToPath(import.meta.url)
      const said = execFileSync(process.execPath, [...process.execArgv, self, path], { encoding: "utf8" })
      const found = JSON.parse(said.trim().split("\n").at(-1)!) as Run
      runs.push(found)
      lines.push(
        `| ${found.rows.toLocaleString("en")} | ${(statSync(path).size / 1e6).toFixed(0)} | ${found.seconds.toFixed(2)} | ${(found.rows / found.seconds / 1e6).toFixed(2)} | ${found.cpu.toFixed(2)} | ${found.rss.toFixed(0)} |`,
      )
      console.log(lines.at(-1))
      rmSync(path)
    }
    const page = [
      "# Reading",
      "",
      "From a CSV file with ten columns, seven of them numbers, to a fitted Gaussian naive Bayes (`npm run bench:reading`).",
      "",
      `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0].model}.`,
      "",
      "| rows | MB | seconds | million rows/s | CPU seconds | peak RSS, MB |",
      "|---|---|---|---|---|---|",
      ...lines,
      "",
      `Peak memory at ${runs[1].rows / runs[0].rows} times the rows: ${(runs[1].rss / runs[0].rss).toFixed(2)} times.`,
      "",
    ].join("\n")
    writeFileSync(new URL("reading.md", import.meta.url), page)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
