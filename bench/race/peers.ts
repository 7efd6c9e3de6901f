/** The other systems: installed at their pinned versions, and run as sides of the race. */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle } from "../bundle.ts"
import { install, installed, PYTHON } from "../peer.ts"
import type { Job } from "./jobs.ts"
import { type Side, side } from "./sides.ts"

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
export const CACHE = here("../.cache/race")
const PACKAGES = here("../peers")
export const DATA = here("../../../shared/data")

type Peer = Job["peer"]
const PYTHON_PEERS: readonly Peer[] = ["scikit-learn", "LIBLINEAR"]

/** Installs the peers at their pinned versions. */
export function prepare(peers: ReadonlySet<Peer>): void {
  if (PYTHON_PEERS.some(peer => peers.has(peer))) install("race/requirements.txt")
  if ([...peers].every(peer => PYTHON_PEERS.includes(peer))) return
  const lock = readFileSync(join(PACKAGES, "package-lock.json"), "utf8")
  const done = join(PACKAGES, "node_modules/.installed")
  if (existsSync(done) && readFileSync(done, "utf8") === lock) return
  installed("peers", "npm", ["ci", "--ignore-scripts", "--prefix", PACKAGES])
  writeFileSync(done, lock)
}

export const bundleOurs = (): Promise<void> => bundle({ ours: here("ours.ts") }, CACHE)

export interface Question {
  readonly job: Pick<Job, "kind" | "threads" | "size" | "peer">
  readonly folder: string
  readonly iterations: number
}

const said = ({ job: { kind, threads, peer, size }, folder, iterations }: Question) =>
  JSON.stringify({ kind, threads, peer, size, folder, iterations, data: DATA, packages: PACKAGES })

export const ours = (question: Question): Promise<Side> =>
  side(process.execPath, [join(CACHE, "ours.js"), said(question)], {})

export function theirs(question: Question, coreType: string): Promise<Side> {
  const { peer, threads } = question.job
  if (!PYTHON_PEERS.includes(peer)) {
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

/** As pinned. */
export function versions(peers: ReadonlySet<Peer>): Record<string, string> {
  const pins = ["../requirements.txt", "requirements.txt"].map(file => readFileSync(here(file), "utf8"))
  const python = [...pins.join("\n").matchAll(/^(\S+)==(\S+)$/gm)].map(([, name, version]) => [name, version])
  const { dependencies } = JSON.parse(readFileSync(join(PACKAGES, "package.json"), "utf8"))
  const isPython = [...peers].map(peer => PYTHON_PEERS.includes(peer))
  return {
    ...(isPython.includes(true) && Object.fromEntries(python)),
    ...(isPython.includes(false) && dependencies),
  }
}
