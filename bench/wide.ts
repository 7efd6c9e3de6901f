/**
 * A table that is wider than it is long, 500 rows × 2,000 numbers: what the command costs, beside a script for scikit-learn that reads the same CSV and does five folds
 * of naive Bayes and of logistic regression.
 *
 *     npm run build && npm run bench:wide
 *     npm run bench:wide -- 2                 the second command alone, once; what is measured is kept in bench/.cache
 *     npm run bench:wide -- --page            the page of what is kept
 *
 * By turns, so that both meet the same machine; the ratio is of processor time, which other programs disturb less than seconds.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
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

const ANALYSIS = `What the command does beside the script: \`fit\` reads the file twice (kinds of columns, then cells) and, where it chooses, learns pairs of model and learner on three to five folds until
its budget ends; \`compare\` learns in five ways on five folds, logistic regression and the SVM with C chosen on the training rows of each fold, the hinge with a temperature from three more descents.

## What is missed, and what would close it

- \`compare\`: by a profile, about two fifths are the two baselines. C is chosen on five folds within each of five folds, some nine values of it: 450 problems for both, where the script solves 5. They are solved in the span of the rows, L of
  X·Xᵀ = L·Lᵀ, whose rows end at their own: half of every product. The inner products are made two rows by four at a time, in half the time of one by one. Both together took \`compare --model naive-bayes\` from 27.2 to
  19.3 seconds of processor time, side by side on a busy machine, with the same scores. Each fold still goes through the door and makes these products once for either baseline; keeping both between the two would save about a
  tenth. Vector instructions would save more: these loops are plain TypeScript, one multiplication at a time, where the script's run in BLAS. A tenth is garbage: of cells and columns, read and cut anew for every fit. With C chosen, scikit-learn itself takes about twice the script, without an SVM, sdEM or a choice of model.
- \`fit\`: about half is reading, start and the explanation of what the model goes by, as \`fit --model naive-bayes --learner em\` shows; the other half is some twenty fits for the choice, each of which goes through the
  door, finds shift and scale and is laid out anew for 2,000 columns. A door that is kept for all fits of a choice (the same columns, other rows) would save most of that, and less garbage some: it is a sixth of the time.
- sdEM is no longer the cost: its epochs with nothing left to learn are gone through in a few passes.`

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

/** The script, and the command right after it. */
interface Turn {
  readonly peer: Peer
  readonly run: Ours
  readonly load: number
}

const KEPT = new URL(".cache/wide/", import.meta.url)

function keptOf<T>(name: string): T[] {
  const file = new URL(`${name}.json`, KEPT)
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as T[]) : []
}

function keep<T>(name: string, one: T, isFirst: boolean): void {
  mkdirSync(KEPT, { recursive: true })
  writeFileSync(new URL(`${name}.json`, KEPT), JSON.stringify([...(isFirst ? [] : keptOf<T>(name)), one]))
}

const only = process.argv.slice(2).filter(word => /^\d$/.test(word))
const names = Object.keys(COMMANDS)
const folder = mkdtempSync(join(tmpdir(), "suffice-bench-"))
try {
  const csv = join(folder, "wide.csv")
  if (!process.argv.includes("--page")) {
    writeFileSync(csv, wideTable())
    for (let round = 0; round < (only.length > 0 ? 1 : ROUNDS); round++) {
      for (const [at, name] of names.entries()) {
        const number = String(at + 1)
        if (only.length > 0 && !only.includes(number)) continue
        const [load] = loadavg()
        const peer = ask<Peer>("wide.py", { csv, chooses: false })
        const turn: Turn = { peer, run: ours(COMMANDS[name], csv, folder), load }
        keep(number, turn, round === 0)
        console.log(name, turn.run, peer.cpu)
      }
      if (only.length === 0) keep("chooses", ask<Peer>("wide.py", { csv, chooses: true }), round === 0)
    }
    if (only.includes("0")) keep("chooses", ask<Peer>("wide.py", { csv, chooses: true }), true)
  }
} finally {
  rmSync(folder, { recursive: true })
}

const turns = new Map(names.map((name, at) => [name, keptOf<Turn>(String(at + 1))]))
const all = [...turns.values()].flat()
const peers = all.map(({ peer }) => peer)
const choosing = keptOf<Peer>("chooses")
const cpu = (runs: readonly Run[]): number => median(runs.map(run => run.cpu))
const seconds = (runs: readonly Run[]): number => median(runs.map(run => run.seconds))
const row = (name: string, runs: readonly Run[], beside: readonly Run[]): string[] => [
  name,
  cpu(runs).toFixed(2),
  seconds(runs).toFixed(2),
  cpu(beside).toFixed(2),
  (cpu(runs) / cpu(beside)).toFixed(1),
]
const quality = (peer: Peer): string =>
  Object.entries(peer.measured)
    .map(([name, { accuracy, logLoss }]) => `${name} ${percent(accuracy)} % (log-loss ${logLoss.toFixed(2)})`)
    .join(", ")
if (all.length > 0 && [...turns.values()].every(one => one.length > 0)) {
  writePage(
    "wide",
    "A wide table",
    [
      `${ROWS} rows × ${COLUMNS.toLocaleString("en")} numbers, ${LEVELS} classes, ${TELLING} columns that tell them apart, as a CSV file. The command as a user runs it, from its start to its end, beside a Python script that reads the file with numpy.loadtxt and does five folds of GaussianNB and of standardised LogisticRegression(max_iter=1000), imports included; one thread. The script runs right before each command; medians of ${median([...turns.values()].map(one => one.length))} rounds; load average before: ${Math.min(...all.map(({ load }) => load)).toFixed(1)} to ${Math.max(...all.map(({ load }) => load)).toFixed(1)}. Where that is not near 0 both sides are slower than they could be, processor time too.`,
      lines(
        [
          "",
          "CPU seconds",
          "seconds",
          "CPU seconds of the script",
          "times the script",
          `within ${BAR}`,
          `lines (at most ${MOST_LINES})`,
        ],
        [
          ...(choosing.length > 0
            ? [
                [
                  ...row("scikit-learn, C chosen of 7 by five folds within each fold", choosing, peers),
                  "",
                  "",
                ],
              ]
            : []),
          ...[...turns].map(([name, own]) => {
            const runs = own.map(({ run }) => run)
            const beside = own.map(({ peer }) => peer)
            return [
              ...row(name, runs, beside),
              verdict(cpu(runs) <= BAR * cpu(beside)),
              `${runs[0].lines} ${runs[0].lines <= MOST_LINES ? "" : "**too many**"}`.trim(),
            ]
          }),
        ],
      ),
      `The script's scores: ${quality(peers[0])}${choosing.length > 0 ? `; with C chosen: ${quality(choosing[0])}` : ""}.`,
      ANALYSIS,
    ],
    peers[0],
  )
}
