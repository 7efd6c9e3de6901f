/** Compiles assembly/ into module.ts and exports.ts of src/kernels/fast: `npm run build:kernels`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { main } from "assemblyscript/asc"

const HERE = dirname(fileURLToPath(import.meta.url))
const FAST = join(HERE, "../src/kernels/fast")

/** Generated files by name. */
export interface Compiled {
  readonly "module.ts": string
  readonly "exports.ts": string
}

export async function compile(): Promise<Compiled> {
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
      // declarations of the exports, beside the module
      "--bindings",
      "raw",
    ]
    const { error, stderr } = await main(["index.ts", "--baseDir", HERE, ...options, "--outFile", file])
    if (error) throw new Error(`${error.message}\n${stderr.toString()}`)
    return {
      "module.ts": moduleOf(readFileSync(file).toString("base64")),
      "exports.ts": exportsOf(readFileSync(join(folder, "kernels.d.ts"), "utf8")),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function moduleOf(base64: string): string {
  return `/** The kernels of assembly/ as WebAssembly in base64, written by \`npm run build:kernels\`. */
export const MODULE =
  "${base64}"
`
}

/** The declared functions as members of an interface. A module returns a `bool` as a number. */
function exportsOf(declarations: string): string {
  const functions = [...declarations.matchAll(/^ *export function (.+);$/gm)].map(([, signature]) =>
    signature.replace(/: boolean$/, ": number"),
  )
  if (functions.length === 0) throw new Error("The compiler declares no functions.")
  const lines = ["readonly memory: WebAssembly.Memory", ...functions].map(line => `  ${line}`)
  return `/** The exports of assembly/index.ts, written by \`npm run build:kernels\`. Addresses are in bytes, strides in numbers. */
export interface Exports {
${lines.join("\n")}
}
`
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const [file, text] of Object.entries(await compile())) writeFileSync(join(FAST, file), text)
}
