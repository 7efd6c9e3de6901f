/** The command as it is installed: bin, dist and package.json in a folder of their own, built once per test file. */
import { spawn } from "node:child_process"
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { sources } from "../../../../checks/testing/sources.ts"

const CLI = join(dirname(fileURLToPath(import.meta.url)), "../..")
const ROOT = join(CLI, "../..")
const THREADS = join(ROOT, "packages/suffice/src/threads")

export interface Built {
  readonly bin: string
  remove(): void
}

export async function builtCommand(): Promise<Built> {
  const cache = join(ROOT, "node_modules/.cache")
  mkdirSync(cache, { recursive: true })
  // inside the repository, so that dependencies are found
  const folder = mkdtempSync(join(cache, "suffice-cli-"))
  await build({
    // the worker is next to the program, as in the package
    entryPoints: { main: join(CLI, "src/main.ts"), "node-worker": join(THREADS, "node-worker.ts") },
    outdir: join(folder, "dist"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    alias: { ...sources(), "#workers": join(THREADS, "node.ts") },
    logLevel: "error",
  })
  cpSync(join(CLI, "bin"), join(folder, "bin"), { recursive: true })
  cpSync(join(CLI, "package.json"), join(folder, "package.json"))
  // beside dist, as in suffice-files
  cpSync(join(ROOT, "packages/files/examples"), join(folder, "examples"), { recursive: true })
  return {
    bin: join(folder, "bin/suffice.js"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A folder of its own that holds penguins.csv. */
export function penguinsFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "suffice-penguins-"))
  const penguins = createRequire(import.meta.url).resolve("@observablehq/sample-datasets/penguins.csv")
  copyFileSync(penguins, join(path, "penguins.csv"))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export interface Ran {
  readonly exit: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd: string
  /** A line of shell: $SUFFICE is the command. */
  readonly shell?: string
  readonly args?: readonly string[]
  /** Called with what was printed so far. */
  readonly watch?: (printed: string, kill: (signal: NodeJS.Signals) => void) => void
}

export function run({ bin }: Built, { cwd, args = [], shell, watch }: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child =
      shell === undefined
        ? spawn(process.execPath, [bin, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] })
        : spawn("bash", ["-c", shell], {
            cwd,
            stdio: ["ignore", "pipe", "pipe"],
            env: { ...process.env, SUFFICE: `${process.execPath} ${bin}` },
          })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", chunk => {
      stdout += chunk
      watch?.(stdout, signal => child.kill(signal))
    })
    child.stderr.on("data", chunk => {
      stderr += chunk
    })
    child.on("error", reject)
    child.on("close", (exit, signal) => resolve({ exit, signal, stdout, stderr }))
  })
}
