/** The suite is tested too: every planted fault must break some law, and without one none may break. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"
import { context } from "esbuild"
import { afterAll, describe, expect, test } from "vitest"
import { type Fault, faults } from "./testing/faults.ts"
import type { Verdict } from "./testing/quick.ts"

const SRC = dirname(dirname(fileURLToPath(import.meta.url)))
const PATIENCE = 120_000
const room = mkdtempSync(join(tmpdir(), "suffice-faults-"))
const caught: string[] = []

const ENTRY = `
import { parentPort, workerData } from "node:worker_threads"
import { families } from "./families/list.ts"
import { useKernels } from "./kernels/wasm/use.ts"
import { quick } from "./laws/testing/quick.ts"
useKernels("typescript") // faults are planted in TypeScript
quick(families, workerData.law).then(
  verdict => parentPort.postMessage({ verdict }),
  error => parentPort.postMessage({ verdict: { law: "none", subject: "none", message: String(error?.stack ?? error) } }),
)
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
  const outfile = join(room, `${name}.mjs`)
  const done = bundled.then(async () => {
    present = fault
    const { outputFiles } = await (await bundler).rebuild()
    writeFileSync(outfile, outputFiles![0].contents)
    return outfile
  })
  bundled = done.catch(() => undefined)
  return done
}

function planted(text: string, { file, find, replace }: Fault): string {
  const times = text.split(find).length - 1
  if (times === 1) return text.replace(find, () => replace)
  throw new Error(`${file} holds the text of the fault ${times} times, not once: ${JSON.stringify(find)}`)
}

/** What the quick suite says about a bundle. A run without an end is no verdict: it may be the machine that is busy. */
function judged(file: string, law?: string): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, { workerData: { law } })
    const clock = setTimeout(() => {
      void worker.terminate()
      resolve({ law: "time", subject: "any", message: `no answer within ${PATIENCE / 1000} s` })
    }, PATIENCE)
    worker.on("message", ({ verdict }) => {
      clearTimeout(clock)
      void worker.terminate()
      resolve(verdict)
    })
    worker.on("error", reject)
  })
}

/** Two at a time: each is a thread at work. */
const lanes = [Promise.resolve(), Promise.resolve()]
let next = 0

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const lane = next++ % lanes.length
  const done = lanes[lane].then(work)
  lanes[lane] = done.then(
    () => undefined,
    () => undefined,
  )
  return done
}

afterAll(async () => {
  await (await bundler).dispose()
  rmSync(room, { recursive: true, force: true })
  console.log(["caught by        fault", ...caught].join("\n"))
})

describe.concurrent("planted faults", { timeout: 10 * PATIENCE }, () => {
  test("without a fault, no law is broken", async () => {
    expect(await inTurn(async () => judged(await bundle("sound")))).toBeUndefined()
  })

  test("there are at least 110, none of them twice", () => {
    expect(faults.length).toBeGreaterThanOrEqual(110)
    expect(new Set(faults.map(({ file, find, replace }) => file + find + replace)).size).toBe(faults.length)
    expect(new Set(faults.map(({ about }) => about)).size).toBe(faults.length)
  })

  faults.forEach((fault, i) => {
    test(`${fault.file}: ${fault.about}`, async () => {
      const verdict = await inTurn(async () => judged(await bundle(`fault-${i}`, fault), fault.law))
      expect(verdict, "no law noticed").toBeDefined()
      expect(["none", "time"], verdict?.message).not.toContain(verdict?.law)
      caught.push(`${verdict?.law.padEnd(16)} ${fault.about} (${fault.file}; ${verdict?.subject})`)
    })
  })
})
