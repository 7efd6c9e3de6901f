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
      "--importMemory",
      "--disableWarning",
      "112",
    ]
    const { error, stderr } = await main(["index.ts", "--baseDir", HERE, ...options, "--outFile", file])
    if (error) throw new Error(`${error.message}\n${stderr.toString()}`)
    return `/** Made of assembly/ by \`npm run build:kernels\`: WebAssembly in letters, a frequent byte in one of them (wasm/use.ts reads it). */\nexport const MODULE =\n  "${letters(readFileSync(file))}"\n`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What a program's text is made of, the most frequent first; no quote and no backslash. */
const LETTERS =
  "et,r=n()so lia.+;fuhc[]0{}m:*1dpbgyw&<v2#>-A3$?O6kGI4x!NM8CH|/5FWjLE79T`RB_DSUPKzqJQVZYX^%'~@"
const SINGLES = 88

/**
 * Bytes from −4 on: 88 in a letter each, the next 88 behind a letter for that, the others behind another. The 90 letters come first, in
 * this order. The more frequent a letter is here, the more frequent it is in code: gzip has one table for both. It then finds what repeats
 * as well as in the bytes themselves; hexadecimal takes a tenth more.
 */
function letters(bytes: Uint8Array): string {
  const places = Array.from(bytes).flatMap(byte => {
    const place = (byte + 4) % 256
    const page = Math.floor(place / SINGLES)
    return page === 0 ? [place] : [SINGLES + page - 1, place % SINGLES]
  })
  const counts = new Array<number>(SINGLES + 2).fill(0)
  for (const place of places) counts[place]++
  const byCount = [...counts.keys()].sort((a, b) => counts[b] - counts[a] || a - b)
  const alphabet = [...counts.keys()].map(place => LETTERS[byCount.indexOf(place)])
  return [...alphabet, ...places.map(place => alphabet[place])].join("")
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeFileSync(MODULE, await compile())
