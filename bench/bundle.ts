/** Programs of the studies of time as users have them: plain JavaScript for Node, the worker of Suffice beside it. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const SUFFICE = fileURLToPath(new URL("../packages/suffice/src", import.meta.url))

/** Bundles each entry, by name, into `folder`. */
export async function bundle(entries: Readonly<Record<string, string>>, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: { ...entries, "node-worker": join(SUFFICE, "threads/node-worker.ts") },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // the sources of the package, by its own manifest
    conditions: ["source"],
    alias: { "#workers": join(SUFFICE, "threads/node.ts") },
    logLevel: "error",
  })
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
}
