/**
 * Workers of Node where the package runs from its sources (tests, benches): Node cannot read them, so the worker is bundled first.
 * Not part of the built package.
 */
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"
import { ALONE, handOf } from "./node.ts"
import type { Hand, Listener } from "./orders.ts"

export { cores, later } from "./node.ts"

let bundled: URL | undefined

export function spawn(listener: Listener): Hand {
  bundled ??= bundle()
  return handOf(new Worker(bundled, ALONE), listener)
}

function bundle(): URL {
  // not imported: nobody who bundles the sources wants a bundler in it
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
