/** workerd, the runtime of Cloudflare Workers, against Node: a Worker learns, predicts, and answers over HTTP on loopback. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Readable } from "node:stream"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"
import { afterAll, beforeAll, expect, test } from "vitest"

const SRC = join(dirname(fileURLToPath(import.meta.url)), "../../packages/suffice/src")
/** The runtime of the package, for this system. */
const { default: WORKERD, compatibilityDate } = createRequire(import.meta.url)("workerd") as {
  default: string
  compatibilityDate: string
}

/** Rows and models, in Node and in workerd. */
const JOB = `
import { bernoulli, categorical, classes, dice, em, fit, gaussian, independent, mixture, multinomial, normal, poisson, topics } from "suffice"
import { sdem } from "suffice/learn"

const die = dice(3)
export const rows = Array.from({ length: 600 }, (_, i) => ({
  y: i % 3 ? (i % 7 ? "a" : "b") : null,
  x: die.uniform() < 0.1 ? null : die.normal() * (i % 7 ? 1 : 3),
  z: die.normal() + (i % 2),
  c: ["p", "q", "r"][die.integer(3)],
  b: die.uniform() < 0.3,
  n: die.poisson(4),
  w: Array.from({ length: 1 + die.integer(6) }, () => "word" + die.integer(50)),
}))
const small = classes("y", independent({ x: gaussian(), c: categorical(), b: bernoulli(), w: multinomial() }))
const large = classes("y", independent(mixture(2, normal(["x", "z"])), {
  c: categorical(), b: bernoulli(), n: poisson(), w: multinomial(),
}))

export const learnSmall = () => fit(small, rows, { seed: 5 })
/** EM with missing labels, missing cells and a hidden variable, topics, and stochastic discriminative EM. */
export async function learn() {
  const fitted = await fit(large, rows, { learner: em({ maxIterations: 10 }), seed: 5 })
  const themes = await fit(topics(5, "w"), rows, { seed: 5 })
  const told = await fit(small, rows, { learner: sdem({ epochs: 2 }), seed: 5 })
  return {
    fitted, themes, told,
    posterior: [...fitted.posterior(rows).probabilities], proportions: [...themes.proportions(rows).values],
    sample: fitted.sample(20, { seed: 2 }), explained: fitted.explain(rows[1]), imputed: fitted.impute(rows.slice(0, 20)),
  }
}`

/** The predictor is loaded once, where the module is: as the tutorial has it. */
const WORKER = `
import { bernoulliKind, categoricalKind, gaussianKind, multinomialKind } from "suffice"
import { kernelsInUse, useKernels } from "suffice/kernels"
import { loadPredictor } from "suffice/predict"
import { learn, rows } from "job"
import saved from "saved"

const predictor = loadPredictor(saved, { families: [gaussianKind, categoricalKind, bernoulliKind, multinomialKind] })
export const work = {
  "/learn": learn,
  "/predict": () => ({ answers: predictor.predict(rows), posterior: [...predictor.posterior(rows).probabilities] }),
  "/kernels": () => kernelsInUse(),
  "/wasm": () => useKernels("wasm"),
}
export default {
  async fetch(request) {
    try {
      return Response.json(await work[new URL(request.url).pathname]())
    } catch (error) {
      return Response.json({ code: error.code, message: error.message }, { status: 500 })
    }
  },
}`

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
    compatibilityDate = "${compatibilityDate}",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`

type Work = Readonly<Record<string, () => unknown>>

let folder: string
let runtime: ChildProcess
let address: string
let work: Work
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "suffice-workerd-"))
  const { learnSmall } = (await bundled("job.mjs", JOB)) as { learnSmall(): Promise<object> }
  const saved = JSON.stringify(await learnSmall())
  work = ((await bundled("worker.mjs", WORKER, saved)) as { work: Work }).work
  writeFileSync(join(folder, "config.capnp"), CONFIG)
  runtime = spawn(WORKERD, ["serve", "--control-fd=3", "config.capnp"], {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  })
  address = `http://127.0.0.1:${await port(runtime)}`
})
afterAll(() => {
  runtime?.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** Bundle a module as a Worker's toolchain would, and import it here. */
async function bundled(file: string, contents: string, saved = "null"): Promise<object> {
  const outfile = join(folder, file)
  await build({
    stdin: { contents, resolveDir: SRC, loader: "js" },
    bundle: true,
    format: "esm",
    platform: "browser",
    conditions: ["workerd", "worker", "source"],
    outfile,
    plugins: [
      {
        name: "in memory",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^(job|saved)$/ }, ({ path }) => ({ path, namespace: "memory" }))
          onLoad({ filter: /^job$/, namespace: "memory" }, () => ({ contents: JOB, resolveDir: SRC }))
          onLoad({ filter: /^saved$/, namespace: "memory" }, () => ({ contents: saved, loader: "json" }))
        },
      },
    ],
  })
  return import(/* @vite-ignore */ pathToFileURL(outfile).href)
}

/** The port that was free, as workerd reports it; or the end of workerd, which said why. */
function port(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let printed = ""
    ;(child.stdio[3] as Readable).on("data", chunk => {
      printed += chunk
      const listening = /"port":(\d+)/.exec(printed)
      if (listening) resolve(Number(listening[1]))
    })
    child.on("error", reject)
    child.on("close", code => reject(new Error(`workerd ended with code ${code}`)))
  })
}

async function there(path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(address + path)
  return { status: response.status, text: await response.text() }
}

test.each(["/learn", "/predict"])("workerd and Node give bit-identical answers to %s", async path => {
  const here = JSON.stringify(await work[path]())
  expect(here.length).toBeGreaterThan(40_000)
  const { status, text } = await there(path)
  // a difference is shown by its beginning
  const at = [...text].findIndex((character, i) => character !== here[i])
  expect(text.slice(at, at + 200)).toBe(here.slice(at, at + 200))
  expect({ status, same: text === here }).toEqual({ status: 200, same: true })
})

test("workerd compiles no WebAssembly from bytes: the kernels in TypeScript do the work", async () => {
  expect(work["/kernels"]()).toBe("wasm")
  expect(await there("/kernels")).toEqual({ status: 200, text: '"typescript"' })
  const { status, text } = await there("/wasm")
  expect(status).toBe(500)
  expect(JSON.parse(text)).toMatchObject({
    code: "option",
    message: expect.stringMatching(/Use "typescript"/),
  })
})
