/** The number of modules that each command loads, run from the sources. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { penguinsFolder } from "../../packages/cli/src/testing/built.ts"
import { words as wordsOf } from "../../packages/cli/src/testing/manifest.ts"
import type { Table } from "./record.ts"

const HERE = dirname(fileURLToPath(import.meta.url))
const ROOT = join(HERE, "../..")
const MAIN = join(ROOT, "packages/cli/src/main.ts")

/** Later commands read the files of earlier ones. */
const COMMANDS: Readonly<Record<string, string>> = {
  "--help": "--help",
  fit: "fit penguins.csv --label species --model naive-bayes --learner em --seed 7 -o model.json",
  "fit, choosing": "fit penguins.csv --label species --seed 7 -o chosen.json",
  "fit with a report":
    "fit penguins.csv --label species --model naive-bayes --learner em --seed 7 -o a.json --report a.html",
  predict: "predict model.json penguins.csv -o predicted.csv",
  evaluate: "evaluate model.json penguins.csv",
  describe: "describe model.json",
  explain: "explain model.json penguins.csv --row 3",
  impute: "impute model.json penguins.csv -o imputed.csv",
  sample: "sample model.json --rows 3 -o sampled.csv",
  cluster: "cluster penguins.csv --k 3 --seed 7 -o clusters.json",
  compare: "compare penguins.csv --label species --seed 7",
  structure: "structure penguins.csv --seed 7",
}

/** One row per command. Shown, the cells are the modules themselves. */
export async function moduleTable(words: readonly string[], isShown = false): Promise<Table> {
  const { path: folder, remove } = penguinsFolder()
  const scratch = mkdtempSync(join(tmpdir(), "suffice-modules-"))
  const table = new Map<string, Record<string, string>>()
  try {
    for (const [name, line] of Object.entries(COMMANDS)) {
      const isChosen = words.length === 0 || words.some(word => name.includes(word))
      // the model of `fit` is read by others
      if (!isChosen && name !== "fit") continue
      const modules = modulesOf(line, folder, scratch)
      if (isChosen) table.set(name, isShown ? listed(modules) : counted(modules))
    }
  } finally {
    remove()
    rmSync(scratch, { recursive: true, force: true })
  }
  return table
}

function modulesOf(line: string, folder: string, scratch: string): string[] {
  const file = join(scratch, "modules.txt")
  const program = join(scratch, "program.mjs")
  writeFileSync(file, "")
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
  const lines = [
    'import { register } from "node:module"',
    `import ${JSON.stringify(tsx)}`,
    `register(${JSON.stringify(pathToFileURL(join(HERE, "loaded.mjs")).href)}, { data: { file: ${JSON.stringify(file)} } })`,
    `const { main } = await import(${JSON.stringify(pathToFileURL(MAIN).href)})`,
    "await main(process.argv.slice(2))",
  ]
  writeFileSync(program, lines.join("\n"))
  const args = ["--conditions=source", program, ...wordsOf(line)]
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" })
  if (status !== 0) throw new Error(`suffice ${line}: ${stderr}`)
  const paths = readFileSync(file, "utf8").trim().split("\n").map(pathOf)
  return [...new Set(paths)].sort()
}

/** From the root of the repository. */
function pathOf(url: string): string {
  return relative(ROOT, fileURLToPath(url.replace(/[?#].*$/, "")))
}

function isOurs(path: string): boolean {
  return path.startsWith("packages/")
}

function counted(modules: readonly string[]): Record<string, string> {
  const ours = modules.filter(isOurs).length
  return { all: String(modules.length), ours: String(ours), others: String(modules.length - ours) }
}

function listed(modules: readonly string[]): Record<string, string> {
  return Object.fromEntries(modules.map((path, i) => [String(i + 1), path]))
}
