/** Slips that a law must notice: planted in a bundle of the core and the laws, and tried in threads. Nothing is written to the sources. */
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import { type BuildContext, context } from "esbuild"
import type { Verdict } from "../../packages/laws/src/testing/quick.ts"
import { type LawCheck, planted, ROOT, type Slip } from "./slips.ts"

/** A fault in a loop may never end: a thread that is aborted is replaced. */
const THREADS = 2
const CACHE = join(ROOT, "node_modules/.cache")
const LAWS = join(ROOT, "packages/laws/src")

const ENTRY = `
import { useKernels } from "suffice/kernels"
import { families } from "./testing/families.ts"
import { checkPair, quick } from "./testing/quick.ts"
useKernels("typescript") // slips are planted in TypeScript
export const judge = (law, subject) => subject === undefined ? quick(families, law) : checkPair(families, law, subject)
`

/** Tries one bundle after the other. */
const THREAD = `
import { parentPort } from "node:worker_threads"
parentPort.on("message", async ({ bundle, law, subject }) => {
  try {
    const { judge } = await import(bundle)
    parentPort.postMessage({ verdict: await judge(law, subject) })
  } catch (error) {
    parentPort.postMessage({ failed: String(error?.stack ?? error) })
  }
})
`

type Judge = (bundle: string, law?: string, subject?: string) => Promise<Verdict | "not found">

export class LawTrials {
  // inside the repository, so that fast-check is found
  readonly #folder: string
  readonly #free: Promise<Worker>[] = Array.from({ length: THREADS }, started)
  readonly #waiting: ((worker: Promise<Worker>) => void)[] = []
  readonly #bundler: Promise<BuildContext>
  #bundled: Promise<unknown> = Promise.resolve()
  #bundles = 0
  /** The slip of the bundle that is being made. */
  #present: Slip | undefined

  constructor() {
    mkdirSync(CACHE, { recursive: true })
    this.#folder = mkdtempSync(join(CACHE, "faults-"))
    this.#bundler = this.#opened()
  }

  /** The first law that breaks with the slip planted: at the recorded subject, or else anywhere in the quick suite. */
  async noticed(slip: Slip<LawCheck>, signal: AbortSignal, isSearching = false): Promise<Verdict> {
    const { law, subject } = slip.check
    return this.#inThread(signal, async judge => {
      const faulty = await this.#bundle(slip)
      const there = isSearching || subject === undefined ? undefined : await judge(faulty, law, subject)
      return typeof there === "object" ? there : ((await judge(faulty, law)) as Verdict)
    })
  }

  /** The slips whose law is broken at their subject without any slip; `isWhole` tries the whole quick suite as well. */
  async broken(slips: readonly Slip<LawCheck>[], signal: AbortSignal, isWhole = false): Promise<string[]> {
    return this.#inThread(signal, async judge => {
      const sound = await this.#bundle()
      const broken: string[] = []
      for (const { check, about } of slips) {
        if (check.subject === undefined) continue
        if (typeof (await judge(sound, check.law, check.subject)) === "object") broken.push(about)
      }
      const verdict = isWhole ? await judge(sound) : undefined
      if (typeof verdict === "object") broken.push(`the quick suite, by ${verdict.law}: ${verdict.message}`)
      return broken
    })
  }

  async end(): Promise<void> {
    for (const thread of this.#free) await (await thread).terminate()
    await (await this.#bundler).dispose()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Files without a slip are read and parsed once for all bundles. */
  #opened(): Promise<BuildContext> {
    return context({
      stdin: { contents: ENTRY, resolveDir: LAWS, loader: "ts" },
      bundle: true,
      write: false,
      format: "esm",
      platform: "node",
      conditions: ["source"],
      target: "node20",
      logLevel: "silent",
      external: ["fast-check"],
      plugins: [
        {
          name: "slip",
          setup: ({ onLoad }) =>
            onLoad({ filter: /\.ts$/ }, ({ path }) => {
              const slip = this.#present
              if (slip === undefined || path !== join(ROOT, slip.file)) return undefined
              return { contents: planted(readFileSync(path, "utf8"), slip), loader: "ts" }
            }),
        },
      ],
    })
  }

  /** The core and the laws in one file, one bundle after the other. */
  #bundle(slip?: Slip): Promise<string> {
    const outfile = join(this.#folder, `${this.#bundles++}.mjs`)
    const done = this.#bundled.then(async () => {
      this.#present = slip
      const { outputFiles } = await (await this.#bundler).rebuild()
      writeFileSync(outfile, outputFiles![0].contents)
      return pathToFileURL(outfile).href
    })
    this.#bundled = done.catch(() => undefined)
    return done
  }

  async #inThread<T>(signal: AbortSignal, work: (judge: Judge) => Promise<T>): Promise<T> {
    let thread = this.#free.pop() ?? new Promise<Worker>(resolve => this.#waiting.push(resolve))
    const worker = await thread
    const end = (): void => {
      thread = started()
      void worker.terminate()
    }
    signal.addEventListener("abort", end)
    try {
      return await work(async (bundle, law, subject) => {
        worker.postMessage({ bundle, law, subject })
        const [{ verdict, failed }] = await once(worker, "message", { signal })
        if (failed !== undefined) throw new Error(failed)
        return verdict
      })
    } finally {
      signal.removeEventListener("abort", end)
      const next = this.#waiting.shift()
      if (next) next(thread)
      else this.#free.push(thread)
    }
  }
}

async function started(): Promise<Worker> {
  return new Worker(THREAD, { eval: true })
}
