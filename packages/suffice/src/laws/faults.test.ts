/**
 * Tests the suite itself: every planted fault must break some law, and without a fault no law may break. testing/noticed.json records where each
 * fault is noticed, which is tried first; a fault that is not noticed there is searched for in the whole quick suite.
 * SUFFICE_UPDATE=1 searches for all of them, and rewrites the record. `npm test` plants every ninth, and sees that the others have their place;
 * test:all plants the others of every third, `npm run laws` all.
 */
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import { context } from "esbuild"
import { afterAll, describe, expect, test } from "vitest"
import { isDue, isEverything } from "../../../../checks/tiers/share.ts"
import { type Fault, faults } from "./testing/faults.ts"
import type { Verdict } from "./testing/quick.ts"

const SRC = dirname(dirname(fileURLToPath(import.meta.url)))
const CACHE = join(SRC, "../../../node_modules/.cache")
const NOTICED = join(SRC, "laws/testing/noticed.json")
const isUpdating = process.env.SUFFICE_UPDATE === "1"

/** The subject on which the law of a fault notices it, by what the fault is about. */
const noticed: Readonly<Record<string, string>> = JSON.parse(readFileSync(NOTICED, "utf8"))
const found: Record<string, string> = {}
const caught: string[] = []

mkdirSync(CACHE, { recursive: true })
// inside the repository, so that fast-check is found
const folder = mkdtempSync(join(CACHE, "faults-"))

const ENTRY = `
import { families } from "./families/list.ts"
import { useKernels } from "./kernels/fast/use.ts"
import { checkPair, quick } from "./laws/testing/quick.ts"
useKernels("typescript") // faults are planted in TypeScript
export const judge = (law, subject) => subject === undefined ? quick(families, law) : checkPair(families, law, subject)
`

/** A worker that judges one bundle after the other. */
const JUDGE = `
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

/** What is planted in the bundle that is being made. */
let present: Fault | undefined

/** Files without a fault are read and parsed once for all bundles. */
const bundler = context({
  stdin: { contents: ENTRY, resolveDir: SRC, loader: "ts" },
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
      name: "fault",
      setup({ onLoad }) {
        onLoad({ filter: /\.ts$/ }, ({ path }) => {
          if (!present || relative(SRC, path) !== present.file) return undefined
          return { contents: planted(readFileSync(path, "utf8"), present), loader: "ts" }
        })
      },
    },
  ],
})
let bundled: Promise<unknown> = Promise.resolve()

/** The core and the laws in one file, with the fault in it; one after the other. */
function bundle(name: string, fault?: Fault): Promise<string> {
  const outfile = join(folder, `${name}.mjs`)
  const done = bundled.then(async () => {
    present = fault
    const { outputFiles } = await (await bundler).rebuild()
    writeFileSync(outfile, outputFiles![0].contents)
    return pathToFileURL(outfile).href
  })
  bundled = done.catch(() => undefined)
  return done
}

function planted(text: string, { file, find, replace }: Fault): string {
  const times = text.split(find).length - 1
  if (times === 1) return text.replace(find, () => replace)
  throw new Error(`${file} holds the text of the fault ${times} times, not once: ${JSON.stringify(find)}`)
}

type Judge = (bundle: string, law?: string, subject?: string) => Promise<Verdict | "not found">

/** Work for one of two threads, whichever is free. A test that runs out of time ends its thread, for a fault may be a loop without an end. */
const free: Promise<Worker>[] = [made(), made()]
const waiting: ((worker: Promise<Worker>) => void)[] = []

async function made(): Promise<Worker> {
  return new Worker(JUDGE, { eval: true })
}

async function inThread<T>(signal: AbortSignal, work: (judge: Judge) => Promise<T>): Promise<T> {
  let thread = free.pop() ?? new Promise<Worker>(resolve => waiting.push(resolve))
  const worker = await thread
  const end = (): void => {
    thread = made()
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
    const next = waiting.shift()
    if (next) next(thread)
    else free.push(thread)
  }
}

afterAll(async () => {
  for (const thread of free) await (await thread).terminate()
  await (await bundler).dispose()
  rmSync(folder, { recursive: true, force: true })
  if (isUpdating) {
    const sorted = Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1))
    writeFileSync(NOTICED, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
  }
  console.log(["caught by        fault", ...caught].join("\n"))
})

describe.concurrent("planted faults", () => {
  test("without a fault, no law is broken where one is to notice it", async ({ signal }) => {
    await inThread(signal, async judge => {
      const sound = await bundle("sound")
      for (const [i, { law, about }] of faults.entries()) {
        if (isDue(i, 9, 1) && noticed[about] !== undefined)
          expect(await judge(sound, law, noticed[about]), about).not.toBeTypeOf("object")
      }
      if (isEverything) expect(await judge(sound)).toBeUndefined()
    })
  })

  test("there are at least 110, none of them twice", () => {
    expect(faults.length).toBeGreaterThanOrEqual(110)
    expect(new Set(faults.map(({ file, find, replace }) => file + find + replace)).size).toBe(faults.length)
    expect(new Set(faults.map(({ about }) => about)).size).toBe(faults.length)
  })

  const isPlanted = (i: number): boolean => isUpdating || isDue(i, 9, 3)

  test("those that are not planted now have their place", () => {
    for (const [i, fault] of faults.entries()) {
      if (isPlanted(i)) continue
      const text = readFileSync(join(SRC, fault.file), "utf8")
      expect(planted(text, fault)).not.toBe(text)
    }
  })

  faults.forEach((fault, i) => {
    if (!isPlanted(i)) return
    test(`${fault.file}: ${fault.about}`, async ({ signal }) => {
      const verdict = await inThread(signal, async judge => {
        const faulty = await bundle(`fault-${i}`, fault)
        const subject = isUpdating ? undefined : noticed[fault.about]
        const there = subject === undefined ? undefined : await judge(faulty, fault.law, subject)
        return typeof there === "object" ? there : ((await judge(faulty, fault.law)) as Verdict)
      })
      expect(verdict, "no law noticed").toBeDefined()
      const { law, subject } = verdict!
      if (law === fault.law) found[fault.about] = subject
      caught.push(`${law.padEnd(16)} ${fault.about} (${fault.file}; ${subject})`)
    })
  })
})
