/**
 * A table that is wider than it is long, 500 rows × 2,000 numbers: what the command costs, beside a script for scikit-learn that reads the same CSV and does five folds
 * of naive Bayes and of logistic regression.
 *
 *     npm run build && npm run bench:wide
 *
 * By turns, so that both meet the same machine; the ratio is of processor time, which other programs disturb less than seconds.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { dice } from "suffice"
import { table as lines, median, percent, verdict, writePage } from "./page.ts"
import { ask, type Versions } from "./peer.ts"

const ROWS = 500
const COLUMNS = 2000
const LEVELS = 3
/** Columns whose mean depends on the level. */
const TELLING = 40
const BAR = 3
const MOST_LINES = 40
const ROUNDS = Number(process.argv.find(word => word.startsWith("--rounds="))?.slice(9) ?? 3)

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  "`fit`, model and learner chosen": ["fit", "--label", "label"],
  "`fit --model naive-bayes --learner em`": [
    "fit",
    "--label",
    "label",
    "--model",
    "naive-bayes",
    "--learner",
    "em",
  ],
  "`compare --model naive-bayes`": ["compare", "--label", "label", "--model", "naive-bayes"],
  "`compare`, model chosen": ["compare", "--label", "label"],
}

const bin = fileURLToPath(new URL("../packages/cli/bin/suffice.js", import.meta.url))
if (!existsSync(new URL("../packages/cli/dist/main.js", import.meta.url))) {
  console.error("The command is not built. Run npm run build first.")
  process.exit(2)
}

function wideTable(): string {
  const die = dice(1)
  const means = Array.from({ length: LEVELS }, () =>
    Array.from({ length: COLUMNS }, (_, j) => (j < TELLING ? die.normal() / 2 : 0)),
  )
  const header = ["label", ...means[0].map((_, j) => `x${j + 1}`)]
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const level = i % LEVELS
    return [`c${level + 1}`, ...means[level].map(mean => (mean + die.normal()).toFixed(4))]
  })
  return `${[header, ...rows].map(row => row.join(",")).join("\n")}\n`
}

interface Run {
  readonly seconds: number
  readonly cpu: number
}

interface Ours extends Run {
  readonly lines: number
}

/** The command as a user runs it; at its end the process says what it took. */
function ours(args: readonly string[], csv: string, folder: string): Ours {
  const said = join(folder, "cpu.json")
  const hook = `import { writeFileSync } from "node:fs"; process.on("exit", () => writeFileSync(${JSON.stringify(said)}, JSON.stringify(process.cpuUsage())))`
  const began = performance.now()
  const [command, ...rest] = args
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, bin, command, csv, ...rest],
    { encoding: "utf8", maxBuffer: 1 << 28, env: { ...process.env, COLUMNS: "120" } },
  )
  if (status !== 0) throw new Error(`suffice ${args.join(" ")} failed.`)
  const { user, system } = JSON.parse(readFileSync(said, "utf8")) as NodeJS.CpuUsage
  return {
    seconds: (performance.now() - began) / 1000,
    cpu: (user + system) / 1e6,
    lines: stdout.trimEnd().split("\n").length,
  }
}

interface Peer extends Versions, Run {
  readonly measured: Readonly<Record<string, { readonly accuracy: number; readonly logLoss: number }>>
}

const folder = mkdtempSync(join(tmpdir(), "suffice-bench-"))
const [load] = loadavg()
try {
  const csv = join(folder, "wide.csv")
  writeFileSync(csv, wideTable())
  const peers: Peer[] = []
  const choosing: Peer[] = []
  const runs = new Map<string, Ours[]>(Object.keys(COMMANDS).map(name => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, args] of Object.entries(COMMANDS)) {
      peers.push(ask<Peer>("wide.py", { csv, chooses: false }))
      runs.get(name)!.push(ours(args, csv, folder))
      console.log(name, runs.get(name)!.at(-1), peers.at(-1)!.cpu)
    }
    choosing.push(ask<Peer>("wide.py", { csv, chooses: true }))
  }
  const cpu = (all: readonly Run[]): number => median(all.map(run => run.cpu))
  const seconds = (all: readonly Run[]): number => median(all.map(run => run.seconds))
  const base = cpu(peers)
  const row = (name: string, all: readonly Run[]): string[] => [
    name,
    cpu(all).toFixed(2),
    seconds(all).toFixed(2),
    (cpu(all) / base).toFixed(1),
  ]
  const quality = (peer: Peer): string =>
    Object.entries(peer.measured)
      .map(
        ([name, { accuracy, logLoss }]) => `${name} ${percent(accuracy)} % (log-loss ${logLoss.toFixed(2)})`,
      )
      .join(", ")
  writePage(
    "wide",
    "A wide table",
    [
      `${ROWS} rows × ${COLUMNS.toLocaleString("en")} numbers, ${LEVELS} classes, ${TELLING} columns that tell them apart, as a CSV file. The command as a user runs it, from its start to its end, beside a Python script that reads the file with numpy.loadtxt and does five folds of GaussianNB and of standardised LogisticRegression(max_iter=1000), imports included; one thread. Medians of ${ROUNDS} rounds, by turns; load average before: ${load.toFixed(1)}. Where that is not near 0 both sides are slower than they could be, processor time too.`,
      lines(
        ["", "CPU seconds", "seconds", "times the script", `within ${BAR}`, `lines (at most ${MOST_LINES})`],
        [
          [...row("scikit-learn, the script", peers), "", ""],
          [...row("scikit-learn, C chosen of 7 by five folds within each fold", choosing), "", ""],
          ...[...runs].map(([name, all]) => [
            ...row(name, all),
            verdict(cpu(all) <= BAR * base),
            `${all[0].lines} ${all[0].lines <= MOST_LINES ? "" : "**too many**"}`.trim(),
          ]),
        ],
      ),
      `The script's scores: ${quality(peers[0])}; with C chosen: ${quality(choosing[0])}.`,
      "What the command does beside it: `fit` reads the file twice (kinds of columns, then cells) and, where it chooses, learns pairs of model and learner on three folds until its budget ends, naive Bayes by sdEM among them, which is 100 epochs of 20 steps over all columns; `compare` learns in five ways on five folds, sdEM twice, logistic regression and the SVM with C chosen on the training rows of each fold.",
    ],
    peers[0],
  )
} finally {
  rmSync(folder, { recursive: true })
}
