/** Runs a function that measures the core in a separate Node: the core is bundled, the function copied next to it as source text. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import type { Core } from "./core.ts"
import type { Meter } from "./meter.ts"

const SRC = fileURLToPath(new URL("../../../packages/suffice/src", import.meta.url))

/** Flags for reproducible measurements: garbage is collected only on request, on one thread, and no round fills the young generation (in MB). */
export function still(young: number): string[] {
  return [
    "--expose-gc",
    "--single-threaded",
    `--min-semi-space-size=${young}`,
    `--max-semi-space-size=${young}`,
  ]
}

/** What `measure` resolves to, given the core and the meter; it may use nothing but its arguments. */
export async function inChild<Measured>(
  measure: (core: Core, meter: Meter) => Promise<Measured>,
  flags: readonly string[],
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "suffice-measure-"))
  try {
    const program = join(folder, "measure.mjs")
    await build({
      stdin: {
        contents: `import { core } from "../../../checks/gates/testing/core.ts"
          import * as meter from "../../../checks/gates/testing/meter.ts"
          const measure = ${measure}
          console.log(JSON.stringify(await measure(core, meter)))
          process.exit(0)`,
        resolveDir: SRC,
        loader: "js",
      },
      bundle: true,
      outfile: program,
      format: "esm",
      platform: "node",
      conditions: ["source"],
      target: "es2022",
      logLevel: "error",
    })
    return JSON.parse(execFileSync(process.execPath, [...flags, program], { encoding: "utf8" }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
