/** The worker as one file, to be sent to the cluster: built with the package, or bundled here when the package runs from its sources. */
import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"

let made: { readonly name: string; readonly bytes: Uint8Array } | undefined

export function workerFile(): { readonly name: string; readonly bytes: Uint8Array } {
  if (!made) {
    const built = fileURLToPath(new URL("./worker.bundle.mjs", import.meta.url))
    const bytes = existsSync(built) ? readFileSync(built) : bundled()
    const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 16)
    made = { name: `suffice-worker-${digest}.mjs`, bytes }
  }
  return made
}

function bundled(): Uint8Array {
  const { buildSync } = createRequire(import.meta.url)("esbuild") as typeof import("esbuild")
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL("./worker.ts", import.meta.url))],
    ...{ bundle: true, write: false, format: "esm", platform: "node", target: "node20" },
    ...{ conditions: ["source"], logLevel: "silent" },
  })
  return outputFiles[0].contents
}
