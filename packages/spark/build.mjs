/** `npm run build`: the package by the compiler, and the worker as one file, which is sent to the cluster. Further arguments are the compiler's. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const here = fileURLToPath(new URL(".", import.meta.url))
const given = process.argv.slice(2)
const tsc = join(here, "../../node_modules/typescript-7/bin/tsc")
const { status } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json", ...given], {
  cwd: here,
  stdio: "inherit",
})
if (status !== 0) process.exit(status ?? 1)
const at = given.indexOf("--outDir")
await build({
  entryPoints: [join(here, "src/worker.ts")],
  outfile: join(at < 0 ? join(here, "dist") : given[at + 1], "worker.bundle.mjs"),
  ...{ bundle: true, format: "esm", platform: "node", target: "node20" },
  ...{ conditions: ["source"], logLevel: "warning" },
})
