/** Compiles assembly/ into src/kernels/wasm/module.ts: `npm run build:kernels`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { main } from "assemblyscript/asc"

const HERE = dirname(fileURLToPath(import.meta.url))
const MODULE = join(HERE, "../src/kernels/wasm/module.ts")

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
      "--disableWarning",
      "112",
    ]
    const { error, stderr } = await main(["index.ts", "--baseDir", HERE, ...options, "--outFile", file])
    if (error) throw new Error(`${error.message}\n${stderr.toString()}`)
    const text = readFileSync(file).toString("hex")
    return `/** Made of assembly/ by \`npm run build:kernels\`: WebAssembly in hexadecimal, in which gzip finds what repeats. */\nexport const MODULE =\n  "${text}"\n`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeFileSync(MODULE, await compile())
