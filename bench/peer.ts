/**
 * The other system in Python: a virtual environment in bench/.venv with the pinned packages. A bench writes its question as JSON into a
 * temporary folder and reads the answer from there. Answers without times are kept in bench/.cache by the hash of question, scripts and pins.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Stop } from "./stop.ts"

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const VENV = here(".venv")
export const PYTHON = join(
  VENV,
  ...(process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"]),
)
// one thread, as on our side
const ENV = { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" }
const PINS = "requirements.txt"

/** Versions of the other system, in every answer. */
export interface Versions {
  readonly versions: Readonly<Record<string, string>>
}

/** Installs the pins of all benches and of one, if they are absent or have changed. */
export function install(pins: string = PINS): void {
  const done = join(VENV, pins.replaceAll("/", "-"))
  const files = [...new Set([PINS, pins])].map(here)
  const expected = files.map(file => readFileSync(file, "utf8")).join("")
  if (existsSync(done) && readFileSync(done, "utf8") === expected) return
  console.log(`installing ${pins} into bench/.venv`)
  installed(pins, "python3", ["-m", "venv", VENV])
  installed(pins, PYTHON, ["-m", "pip", "install", "-q", ...files.flatMap(file => ["-r", file])])
  // written last: the installation is complete
  writeFileSync(done, expected)
}

/** Runs an installer; one sentence if it fails. */
export function installed(what: string, command: string, args: readonly string[]): void {
  const { status, error, stderr } = spawnSync(command, args, { encoding: "utf8" })
  if (status === 0) return
  const lines = stderr?.split("\n").filter(line => /error/i.test(line) && !line.includes("complete log"))
  const reason = error?.message ?? lines?.[0] ?? `${command} ended with code ${status}`
  throw new Stop(`The peers of bench/${what} are not installed, and installing them failed: ${reason}`)
}

/** The answer of `script` to the question. */
export function ask<Answer>(script: string, question: unknown, pins?: string): Answer {
  return JSON.parse(answerOf(script, JSON.stringify(question), pins)) as Answer
}

/** The answer of an earlier run to the same question, or a new one. */
export function askOnce<Answer>(script: string, question: unknown, pins: string = PINS): Answer {
  const given = JSON.stringify(question)
  const hash = createHash("sha256")
  for (const file of new Set([script, "peers.py", PINS, pins])) hash.update(readFileSync(here(file)))
  const name = `${script}-${hash.update(given).digest("hex").slice(0, 20)}.json`
  const file = join(here(".cache"), name)
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.part`, answerOf(script, given, pins))
    renameSync(`${file}.part`, file)
  }
  return JSON.parse(readFileSync(file, "utf8")) as Answer
}

function answerOf(script: string, question: string, pins?: string): string {
  install(pins)
  const folder = mkdtempSync(join(tmpdir(), "suffice-bench-"))
  try {
    const [given, answer] = [join(folder, "question.json"), join(folder, "answer.json")]
    writeFileSync(given, question)
    const { status, error } = spawnSync(PYTHON, [here(script), given, answer], { stdio: "inherit", env: ENV })
    if (error) throw error
    if (status !== 0) throw new Error(`${script} ended with code ${status}.`)
    return readFileSync(answer, "utf8")
  } finally {
    rmSync(folder, { recursive: true })
  }
}
