/** Two trees by turns: processor time of the jobs, and of starting the built command. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const HERE = dirname(fileURLToPath(import.meta.url))
const ROOT = join(HERE, "../..")
const COMMANDS = ["--version", "--help", "predict model.json penguins.csv -o predicted.csv"]

/** Ratios are this tree to the other; a ratio above 1 is slower. Returns an exit code through the process. */
export async function byTurns(given: readonly string[], words: readonly string[]): Promise<void> {
  const [path] = given.filter(word => !word.startsWith("--"))
  if (path === undefined || !existsSync(join(path, "packages/suffice/package.json"))) {
    console.error("Name the tree to compare with: turns ../main.")
    process.exitCode = 2
    return
  }
  const turns = Number(given.find(word => word.startsWith("--turns="))?.slice(8) ?? 7)
  const trees = [resolve(path), ROOT]
  const folder = mkdtempSync(join(tmpdir(), "suffice-turns-"))
  const isChosen = (name: string): boolean => words.length === 0 || words.some(word => name.includes(word))
  try {
    const programs = await Promise.all(trees.map((tree, t) => bundled(tree, join(folder, String(t)))))
    const names = run(programs[0]).trim().split("\n").filter(isChosen)
    for (const name of names) raced(name, programs, turns)
    started(trees, folder, turns, isChosen)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The jobs on the sources of a tree. */
async function bundled(tree: string, outdir: string): Promise<string> {
  mkdirSync(outdir, { recursive: true })
  const core = join(tree, "packages/suffice")
  const { exports } = JSON.parse(readFileSync(join(core, "package.json"), "utf8")) as {
    exports: Record<string, { source: string }>
  }
  const alias = Object.fromEntries(
    Object.entries(exports).map(([entry, { source }]) => [`suffice${entry.slice(1)}`, join(core, source)]),
  )
  await build({
    entryPoints: [join(HERE, "jobs.ts")],
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["source"],
    alias,
    logLevel: "error",
  })
  return join(outdir, "jobs.mjs")
}

function run(program: string, ...args: string[]): string {
  const options = { encoding: "utf8", maxBuffer: 1 << 24 } as const
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--single-threaded", program, ...args],
    options,
  )
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** A B, B A, A B …: neighbours meet the same noise. */
function alternately<T>(turns: number, measure: (side: number) => T): (readonly [other: T, present: T])[] {
  return Array.from({ length: turns }, (_, turn) => {
    if (turn % 2 === 0) {
      const other = measure(0)
      return [other, measure(1)]
    }
    const present = measure(1)
    return [measure(0), present]
  })
}

function raced(name: string, programs: readonly string[], turns: number): void {
  const pairs = alternately(turns, side => {
    const [digest, time] = run(programs[side], name).trim().split(" ")
    return { digest, time: Number(time) }
  })
  const digests = new Set(pairs.flat().map(({ digest }) => digest))
  if (digests.size > 1) process.exitCode = 1
  const times = pairs.map(pair => pair.map(({ time }) => time))
  console.log(`${line(name, times, "ms")}  ${digests.size > 1 ? "DIFFERENT RESULTS" : [...digests][0]}`)
}

function line(name: string, times: readonly (readonly number[])[], unit: string): string {
  const ratio = median(times.map(([other, present]) => present / other)).toFixed(3)
  const fastest = [0, 1].map(side => Math.min(...times.map(pair => pair[side])))
  const shown = fastest.map(time => time.toFixed(1)).join(" → ")
  return `${name.padEnd(34)} ratio ${ratio}  fastest ${shown} ${unit} (${(fastest[1] / fastest[0]).toFixed(3)})`
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}

/** Processor time of whole processes of the built command. */
function started(
  trees: readonly string[],
  folder: string,
  turns: number,
  isChosen: (name: string) => boolean,
): void {
  const commands = COMMANDS.filter(command => isChosen(`suffice ${command}`))
  if (commands.length === 0) return
  const absent = trees.filter(tree => !existsSync(join(tree, "packages/cli/dist/main.js")))
  if (absent.length > 0) {
    console.log(`The command is not built in ${absent.join(" and ")}. Run npm run build there.`)
    return
  }
  const rows = Array.from({ length: 300 }, (_, i) => `${i % 3},${(i * 7) % 11},c${i % 3}`)
  writeFileSync(join(folder, "penguins.csv"), `a,b,species\n${rows.join("\n")}\n`)
  const clock = join(folder, "clock.mjs")
  const time = join(folder, "time.txt")
  const usage = "const { user, system } = process.cpuUsage()"
  writeFileSync(
    clock,
    `import { writeFileSync } from "node:fs"
process.on("exit", () => { ${usage}; writeFileSync(${JSON.stringify(time)}, String((user + system) / 1000)) })`,
  )
  const command = (tree: string, words: string): number => {
    const args = ["--import", clock, join(tree, "packages/cli/bin/suffice.js"), ...words.split(" ")]
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" })
    if (status !== 0) throw new Error(`suffice ${words}: ${stderr}`)
    return Number(readFileSync(time, "utf8"))
  }
  command(ROOT, "fit penguins.csv --label species --model naive-bayes --learner em -o model.json")
  for (const words of commands) {
    const pairs = alternately(3 * turns, side => command(trees[side], words))
    console.log(line(`suffice ${words.split(" ")[0]}`, pairs, "ms"))
  }
}
