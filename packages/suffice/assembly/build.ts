/** Compiles assembly/ into src/kernels/fast/module.ts: `npm run build:kernels`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { main } from "assemblyscript/asc"

const HERE = dirname(fileURLToPath(import.meta.url))
const MODULE = join(HERE, "../src/kernels/fast/module.ts")

/** The text of module.ts, compiled anew. */
export async function compile(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "suffice-kernels-"))
  const file = join(folder, "kernels.wasm")
  try {
    const options = [
      "-O3",
      "--converge",
      "--noAssert",
      "--enable",
      "simd",
      "--runtime",
      "stub",
      "--importMemory",
      "--disableWarning",
      "112",
    ]
    const { error, stderr } = await main(["index.ts", "--baseDir", HERE, ...options, "--outFile", file])
    if (error) throw new Error(`${error.message}\n${stderr.toString()}`)
    const base64 = readFileSync(file).toString("base64")
    return `/** The kernels of assembly/ as WebAssembly in base64, written by \`npm run build:kernels\`. */
export const MODULE =
  "${base64}"
`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeFileSync(MODULE, await compile())
