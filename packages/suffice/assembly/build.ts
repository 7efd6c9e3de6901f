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
    const text = Array.from(readFileSync(file), letters).join("")
    return `/** Made of assembly/ by \`npm run build:kernels\`: WebAssembly in letters, a frequent byte in one of them (wasm/use.ts reads it). */\nexport const MODULE =\n  "${text}"\n`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Bytes from −4 on: 88 in a letter each, from # to z, the next 88 behind a }, the others behind a ~; ! stands for the backslash. gzip then
 * finds what repeats as well as in the bytes themselves; hexadecimal takes a tenth more.
 */
function letters(byte: number): string {
  const place = (byte + 4) % 256
  const letter = String.fromCharCode(35 + (place % 88))
  return ["", "}", "~"][Math.floor(place / 88)] + (letter === "\\" ? "!" : letter)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeFileSync(MODULE, await compile())
