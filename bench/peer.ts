/**
 * The other system: a Python of our own in bench/.venv, with what requirements.txt pins. A study hands it a question as
 * JSON in a temporary folder and reads the answer back. Where the answer is no measurement of time it is kept in
 * bench/.cache under the hash of the question, the scripts and the pins, so that asking again takes no time.
 */
import { spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const VENV = here(".venv")
export const PYTHON = join(
  VENV,
  ...(process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"]),
)
const INSTALLED = join(VENV, "requirements.txt") // a copy, written last: says that the installation is whole
// One thread: the studies share their machine, and where they time anything ours has one thread too.
const ENV = { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" }

/** What every answer carries. */
export interface Versions {
  readonly versions: Readonly<Record<string, string>>
}

/** Makes the environment where it is absent or its pins have changed; `also` names the pins that one study has beside those of all. */
export function install(also?: string): void {
  const wanted = readFileSync(here("requirements.txt"), "utf8")
  if (!(existsSync(INSTALLED) && readFileSync(INSTALLED, "utf8") === wanted)) {
    console.log("making bench/.venv")
    run("python3", ["-m", "venv", VENV])
    run(PYTHON, ["-m", "pip", "install", "-q", "-r", here("requirements.txt")])
    writeFileSync(INSTALLED, wanted)
  }
  if (also === undefined) return
  const done = join(VENV, also.replaceAll("/", "-"))
  const more = readFileSync(here(also), "utf8")
  if (existsSync(done) && readFileSync(done, "utf8") === more) return
  run(PYTHON, ["-m", "pip", "install", "-q", "-r", here("requirements.txt"), "-r", here(also)])
  writeFileSync(done, more)
}

/** What `script` answers to the question. Its two arguments are the files to read and to write. */
export function ask<Answer>(script: string, question: unknown, also?: string): Answer {
  return JSON.parse(asked(script, JSON.stringify(question), also)) as Answer
}

/** The same, remembered. */
export function askOnce<Answer>(script: string, question: unknown, also?: string): Answer {
  const { given, kept } = keptFor(script, question, also)
  if (!existsSync(kept)) {
    mkdirSync(here(".cache"), { recursive: true })
    writeFileSync(`${kept}.part`, asked(script, given, also))
    renameSync(`${kept}.part`, kept)
  }
  return JSON.parse(readFileSync(kept, "utf8")) as Answer
}

/** What is remembered; undefined: it has not been asked. */
export function askedBefore<Answer>(script: string, question: unknown, also?: string): Answer | undefined {
  const { kept } = keptFor(script, question, also)
  return existsSync(kept) ? (JSON.parse(readFileSync(kept, "utf8")) as Answer) : undefined
}

/** The question as text, and the file of its answer. */
function keptFor(
  script: string,
  question: unknown,
  also: string | undefined,
): { readonly given: string; readonly kept: string } {
  const given = JSON.stringify(question)
  const hash = createHash("sha256")
  const files = [script, ...importsOf(script), "requirements.txt", ...(also === undefined ? [] : [also])]
  for (const file of files) hash.update(readFileSync(here(file)))
  const name = `${script}-${hash.update(given).digest("hex").slice(0, 20)}.json`
  return { given, kept: join(here(".cache"), name) }
}

/** The scripts beside it that a script takes names from, and those that they do. */
function importsOf(script: string): string[] {
  const names = readFileSync(here(script), "utf8").matchAll(/^from (\w+) import/gm)
  const files = [...names].map(([, name]) => `${name}.py`).filter(file => existsSync(here(file)))
  return [...new Set(files.flatMap(file => [file, ...importsOf(file)]))]
}

function asked(script: string, question: string, also?: string): string {
  install(also)
  const folder = mkdtempSync(join(tmpdir(), "suffice-bench-"))
  try {
    const [given, answer] = [join(folder, "question.json"), join(folder, "answer.json")]
    writeFileSync(given, question)
    run(PYTHON, [here(script), given, answer])
    return readFileSync(answer, "utf8")
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A script that stays: it reads the question, then answers each line with a line of JSON. */
export interface Conversation {
  say<Answer>(line: string): Promise<Answer>
  end(): void
}

export function converse(script: string, question: unknown): Conversation {
  install()
  const folder = mkdtempSync(join(tmpdir(), "suffice-bench-"))
  const given = join(folder, "question.json")
  writeFileSync(given, JSON.stringify(question))
  const child = spawn(PYTHON, [here(script), given], { stdio: ["pipe", "pipe", "inherit"], env: ENV })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async say<Answer>(line: string) {
      child.stdin.write(`${line}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error(`${script} ended without an answer to "${line}".`)
      return JSON.parse(value) as Answer
    },
    end() {
      child.stdin.end()
      rmSync(folder, { recursive: true })
    },
  }
}

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: "inherit", env: ENV })
  if (error) throw error
  if (status !== 0) throw new Error(`${command} ended with code ${status}.`)
}
