/**
 * Workers of Node when the package runs from its sources (tests, benchmarks): Node cannot load those, so the worker is bundled first.
 * Not part of the built package.
 */
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"
import type { Listener, WorkerHandle } from "./messages.ts"
import { handleOf, NO_FLAGS } from "./node.ts"

export { cores, later, spill } from "./node.ts"

let bundled: URL | undefined

export function spawn(listener: Listener): WorkerHandle {
  bundled ??= bundle()
  return handleOf(new Worker(bundled, NO_FLAGS), listener)
}

function bundle(): URL {
  // required, not imported: a bundle of the sources must not contain a bundler
  const { buildSync } = createRequire(import.meta.url)("esbuild") as typeof import("esbuild")
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL("./node-worker.ts", import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "silent",
  })
  return new URL(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`)
}
