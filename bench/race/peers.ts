/** The other systems, made ready: each is installed at its pinned version, or named as what is missing. */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle } from "../bundle.ts"
import { install, PYTHON } from "../peer.ts"
import type { Job } from "./jobs.ts"
import { type Side, side } from "./sides.ts"

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
export const CACHE = here("../.cache/race")
const PACKAGES = here("../peers")
export const DATA = here("../../../shared/data")

export type Peer = Job["peer"]
const PYTHON_PEERS: readonly Peer[] = ["scikit-learn", "LIBLINEAR"]

/** What cannot be installed, by name, with the reason. */
export function prepare(peers: ReadonlySet<Peer>): string[] {
  const missing: string[] = []
  if (PYTHON_PEERS.some(peer => peers.has(peer))) {
    try {
      install()
    } catch (error) {
      missing.push(`scikit-learn: ${(error as Error).message}`)
    }
    const wanted = readFileSync(here("requirements.txt"), "utf8")
    const done = join(PYTHON, "../../race-requirements.txt")
    if (missing.length === 0 && !(existsSync(done) && readFileSync(done, "utf8") === wanted)) {
      const failed = run(PYTHON, ["-m", "pip", "install", "-q", "-r", here("requirements.txt")])
      if (failed) missing.push(`LIBLINEAR: ${failed}`)
      else writeFileSync(done, wanted)
    }
  }
  if ([...peers].some(peer => !PYTHON_PEERS.includes(peer))) {
    const lock = readFileSync(join(PACKAGES, "package-lock.json"), "utf8")
    const done = join(PACKAGES, "node_modules/.installed")
    if (!(existsSync(done) && readFileSync(done, "utf8") === lock)) {
      const failed = run("npm", ["ci", "--ignore-scripts", "--prefix", PACKAGES])
      if (failed)
        missing.push(`${[...peers].filter(peer => !PYTHON_PEERS.includes(peer)).join(", ")}: ${failed}`)
      else writeFileSync(done, lock)
    }
  }
  return missing
}

function run(command: string, args: readonly string[]): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, { encoding: "utf8" })
  if (error) return error.message
  if (status === 0) return undefined
  const said = stderr.split("\n").filter(line => /error/i.test(line) && !line.includes("complete log"))
  return said.length > 0 ? said.slice(0, 3).join(" ") : `it ended with code ${status}`
}

export const bundleOurs = (): Promise<void> => bundle({ ours: here("ours.ts") }, CACHE)

export interface Question {
  readonly job: Pick<Job, "kind" | "threads" | "size"> & { readonly peer: Peer | "by hand" }
  readonly folder: string
  readonly iterations: number
}

const said = ({ job: { kind, threads, peer, size }, folder, iterations }: Question) =>
  JSON.stringify({ kind, threads, peer, size, folder, iterations, data: DATA, packages: PACKAGES })

export const ours = (question: Question): Promise<Side> =>
  side(process.execPath, [join(CACHE, "ours.js"), said(question)], {})

export function theirs(question: Question, coreType: string): Promise<Side> {
  const { peer, threads } = question.job
  if (!PYTHON_PEERS.includes(peer as Peer)) {
    return side(process.execPath, [here("npm-peers.mjs"), said(question)], {})
  }
  return side(PYTHON, [here("peers.py"), said(question)], {
    OMP_NUM_THREADS: String(threads),
    OPENBLAS_NUM_THREADS: String(threads),
    ...(coreType && { OPENBLAS_CORETYPE: coreType }),
  })
}

/** OpenBLAS does not know every processor: the kernels that multiply fastest here, so that its side runs at its best. */
export function bestCoreType(): string {
  const multiply = `
import numpy, time
a = numpy.ones((600, 600))
a @ a
print(min((lambda s: (a @ a, time.perf_counter() - s)[1])(time.perf_counter()) for _ in range(9)))`
  const times = ["", "Haswell", "SkylakeX", "Zen"].map(type => {
    const env = { ...process.env, OPENBLAS_NUM_THREADS: "1", ...(type && { OPENBLAS_CORETYPE: type }) }
    const { stdout, status } = spawnSync(PYTHON, ["-c", multiply], { encoding: "utf8", env })
    return { type, seconds: status === 0 ? Number(stdout) : Number.POSITIVE_INFINITY }
  })
  return times.reduce((best, other) => (other.seconds < 0.97 * best.seconds ? other : best)).type
}

/** As installed. */
export function versions(peers: ReadonlySet<Peer>): Record<string, string> {
  const found: Record<string, string> = {}
  if (PYTHON_PEERS.some(peer => peers.has(peer))) {
    const asking = `
import json, platform, importlib.metadata as m
print(json.dumps({"python": platform.python_version(), **{n: m.version(n) for n in ("scikit-learn", "numpy", "scipy", "liblinear-official")}}))`
    Object.assign(found, JSON.parse(spawnSync(PYTHON, ["-c", asking], { encoding: "utf8" }).stdout))
  }
  const { dependencies } = JSON.parse(readFileSync(join(PACKAGES, "package.json"), "utf8"))
  if ([...peers].some(peer => !PYTHON_PEERS.includes(peer))) Object.assign(found, dependencies)
  return found
}
