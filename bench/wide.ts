/**
 * A wide table, 500 rows × 2,000 numbers: the cost of the command beside a Python script on the same CSV file. The script does five folds
 * of naive Bayes and of logistic regression. By turns; the ratio is of processor time.
 *
 *     npm run build && npm run bench -- wide            three rounds, and the page
 *     npm run build && npm run bench -- wide --quick    one round, printed
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { dice } from "suffice"
import { atMost, type Bar, barTable } from "./bars.ts"
import { builtCommand } from "./built.ts"
import { optionsOf } from "./options.ts"
import { table as lines, median, percent, writePage } from "./page.ts"
import { ask, type Versions } from "./peer.ts"

const ROWS = 500
const COLUMNS = 2000
const LEVELS = 3
/** Columns whose mean depends on the level. */
const INFORMATIVE = 40
const MOST = 3
const MOST_LINES = 40

const NAIVE = ["--label", "label", "--model", "naive-bayes"]
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  "`fit`, model and learner chosen": ["fit", "--label", "label"],
  "`fit --model naive-bayes --learner em`": ["fit", ...NAIVE, "--learner", "em"],
  "`compare --model naive-bayes`": ["compare", ...NAIVE],
  "`compare`, model chosen": ["compare", "--label", "label"],
}

function wideTable(): string {
  const die = dice(1)
  const means = Array.from({ length: LEVELS }, () =>
    Array.from({ length: COLUMNS }, (_, j) => (j < INFORMATIVE ? die.normal() / 2 : 0)),
  )
  const header = ["label", ...means[0].map((_, j) => `x${j + 1}`)]
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const level = i % LEVELS
    return [`c${level + 1}`, ...means[level].map(mean => (mean + die.normal()).toFixed(4))]
  })
  return `${[header, ...rows].map(row => row.join(",")).join("\n")}\n`
}

interface Cost {
  readonly seconds: number
  readonly cpu: number
}

interface Ours extends Cost {
  readonly lines: number
}

interface Peer extends Versions, Cost {
  readonly measured: Readonly<Record<string, { readonly accuracy: number; readonly logLoss: number }>>
}

/** The script, and the command right after it. */
interface Turn {
  readonly peer: Peer
  readonly ours: Ours
}

/** The command as a user runs it; at its end the process writes its processor time. */
function ours(bin: string, args: readonly string[], folder: string): Ours {
  const used = join(folder, "cpu.json")
  const hook = `import { writeFileSync } from "node:fs"; process.on("exit", () => writeFileSync(${JSON.stringify(used)}, JSON.stringify(process.cpuUsage())))`
  const began = performance.now()
  const [command, ...rest] = args
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      "--import",
      `data:text/javascript,${encodeURIComponent(hook)}`,
      bin,
      command,
      join(folder, "wide.csv"),
      ...rest,
    ],
    { encoding: "utf8", maxBuffer: 1 << 28, env: { ...process.env, COLUMNS: "120" } },
  )
  if (status !== 0) throw new Error(`suffice ${args.join(" ")} failed.`)
  const { user, system } = JSON.parse(readFileSync(used, "utf8")) as NodeJS.CpuUsage
  return {
    seconds: (performance.now() - began) / 1000,
    cpu: (user + system) / 1e6,
    lines: stdout.trimEnd().split("\n").length,
  }
}

/** Turns by command, and scikit-learn with C chosen. */
function measured(bin: string, rounds: number): { turns: Map<string, Turn[]>; choosing: Peer[] } {
  const folder = mkdtempSync(join(tmpdir(), "suffice-bench-"))
  const csv = join(folder, "wide.csv")
  const turns = new Map(Object.keys(COMMANDS).map(name => [name, [] as Turn[]]))
  const choosing: Peer[] = []
  try {
    writeFileSync(csv, wideTable())
    for (let round = 0; round < rounds; round++) {
      for (const [name, args] of Object.entries(COMMANDS)) {
        const peer = ask<Peer>("wide.py", { csv, chooses: false })
        turns.get(name)!.push({ peer, ours: ours(bin, args, folder) })
        console.log(name, turns.get(name)!.at(-1)!.ours, peer.cpu)
      }
      choosing.push(ask<Peer>("wide.py", { csv, chooses: true }))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return { turns, choosing }
}

const cpuOf = (costs: readonly Cost[]): number => median(costs.map(({ cpu }) => cpu))

function row(name: string, costs: readonly Cost[], peers: readonly Cost[], printed = ""): string[] {
  const cells = [cpuOf(costs), median(costs.map(({ seconds }) => seconds)), cpuOf(peers)]
  return [name, ...cells.map(x => x.toFixed(2)), (cpuOf(costs) / cpuOf(peers)).toFixed(1), printed]
}

const quality = (peer: Peer): string =>
  Object.entries(peer.measured)
    .map(([name, { accuracy, logLoss }]) => `${name} ${percent(accuracy)} % (log-loss ${logLoss.toFixed(2)})`)
    .join(", ")

const WORDS = `${ROWS} rows × ${COLUMNS.toLocaleString("en")} numbers, ${LEVELS} classes, ${INFORMATIVE} informative columns, as a CSV file. The command as a user runs it, from its start to its end.
Beside it a Python script that reads the file with numpy.loadtxt and does five folds of GaussianNB and of standardised
LogisticRegression(max_iter=1000), imports included; one thread. The script runs right before each command; medians of the rounds.`

export async function run(options: readonly string[]): Promise<void> {
  const isQuick = optionsOf(options, [], ["--quick"]).has("--quick")
  const { turns, choosing } = measured(builtCommand(), isQuick ? 1 : 3)
  const bars: Bar[] = []
  const rows: string[][] = []
  const scripts = [...turns.values()].flat().map(({ peer }) => peer)
  for (const [name, each] of turns) {
    const [runs, peers] = [each.map(({ ours }) => ours), each.map(({ peer }) => peer)]
    bars.push(atMost(`${name}: times the script`, MOST, cpuOf(runs) / cpuOf(peers), 1))
    bars.push(atMost(`${name}: lines printed`, MOST_LINES, runs[0].lines, 0))
    rows.push(row(name, runs, peers, String(runs[0].lines)))
  }
  rows.push(row("scikit-learn, C chosen of 7 by five folds within each fold", choosing, scripts))
  const heads = ["", "CPU seconds", "seconds", "CPU seconds of the script", "times the script", "lines"]
  const parts = [
    WORDS,
    barTable(bars),
    lines(heads, rows),
    `The script's scores: ${quality(scripts[0])}; with C chosen: ${quality(choosing[0])}.`,
  ]
  if (isQuick) console.log(parts.join("\n\n"))
  else writePage("wide", "A wide table", parts, scripts[0].versions)
}
