/** Exit code, output and files of every case of the command's manifest, by their values and keys. */
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import {
  type Built,
  builtCommand,
  penguinsFolder,
  type Ran,
  run,
} from "../../packages/cli/src/testing/built.ts"
import { type Hosts, hostsOf } from "../../packages/cli/src/testing/hosts.ts"
import { type Case, lay, words as wordsOf } from "../../packages/cli/src/testing/manifest.ts"
import { digest, type Table } from "./record.ts"
import { valuesOf } from "./values.ts"

const MANIFEST = join(dirname(fileURLToPath(import.meta.url)), "../../packages/cli/manifest")
const PROCESSES = 2
/** Bytes from which on a file is compared as a whole. */
const LARGE = 2 ** 21

interface Stage {
  readonly built: Built
  readonly hosts: Hosts
  /** Folder with penguins.csv and model.json. */
  readonly shared: string
}

/** One row per case whose name holds one of the words. Shown, cells are the values themselves. */
export async function commandTable(words: readonly string[], isShown = false): Promise<Table> {
  const cases = readdirSync(MANIFEST)
    .sort()
    .flatMap(file => casesOf(file))
    .filter(([name, { needs }]) => isChosen(name, words) && (needs ?? process.platform) === process.platform)
  const built = await builtCommand()
  const hosts = hostsOf(built, PROCESSES)
  const { path: shared, remove } = penguinsFolder()
  const table = new Map<string, Record<string, string>>()
  try {
    const stage = { built, hosts, shared }
    await play({ ...PENGUINS }, shared, stage)
    // rows in the order of the manifest, whichever case ends first
    for (const [name] of cases) table.set(name, {})
    const queue = [...cases]
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift())
        table.set(next[0], cellsOf(await valuesOfCase(next[1], stage), isShown))
    }
    await Promise.all(Array.from({ length: PROCESSES }, worker))
  } finally {
    hosts.end()
    built.remove()
    remove()
  }
  return table
}

const PENGUINS: Case = {
  name: "penguins",
  run: "fit penguins.csv --label species --model naive-bayes --learner em --seed 7 -o model.json",
  exit: 0,
}

function casesOf(file: string): (readonly [name: string, Case])[] {
  const cases = JSON.parse(readFileSync(join(MANIFEST, file), "utf8")) as Case[]
  return cases.map(one => [`${file.replace(/\.json$/, "")}: ${one.name}`, one] as const)
}

function isChosen(name: string, words: readonly string[]): boolean {
  return words.length === 0 || words.some(word => name.includes(word))
}

function cellsOf(values: Readonly<Record<string, string>>, isShown: boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([column, text]) => [
      column,
      isShown ? JSON.stringify(text) : text === "" ? "–" : column === "exit" ? text : digest(text),
    ]),
  )
}

async function valuesOfCase(one: Case, stage: Stage): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "suffice-frozen-"))
  try {
    lay(folder, one.files, stage.shared)
    const before = new Set(filesIn(folder))
    for (const line of one.before ?? []) await stage.hosts.run({ cwd: folder, args: wordsOf(line) })
    const { exit, stdout, stderr } = await play(one, folder, stage)
    const here = (text: string): string => text.replaceAll(folder, "FOLDER")
    const made = filesIn(folder).filter(file => !before.has(file))
    const files = made.map(file => `${file}\n${here(valuesOf(contentOf(join(folder, file)), file))}`)
    return {
      exit: String(exit),
      stdout: here(valuesOf(stdout)),
      stderr: here(valuesOf(stderr)),
      files: files.join("\n"),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function play({ run: line, shell }: Case, folder: string, { built, hosts }: Stage): Promise<Ran> {
  if (line === undefined || line === "--version")
    return run(built, { cwd: folder, shell: shell ?? `$SUFFICE ${line}` })
  return hosts.run({ cwd: folder, args: wordsOf(line) })
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter(file => lstatSync(join(folder, file)).isFile())
    .sort()
}

function contentOf(path: string): string {
  const bytes = readFileSync(path)
  if (bytes.length > LARGE) return digest(bytes.toString("base64"))
  if (path.endsWith(".gz")) return gunzipSync(bytes).toString("utf8")
  const text = bytes.toString("utf8")
  return text.includes("\u0000") ? bytes.toString("base64") : text
}
