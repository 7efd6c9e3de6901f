/** The code that a page shows, run in Node as it stands: what it prints, and the values of some of its names. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"
import { sources } from "../../../../checks/testing/sources.ts"

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../../../..")
const CACHE = join(ROOT, "node_modules/.cache")
let runs = 0

export interface Ran {
  /** Line by line. */
  readonly printed: readonly string[]
  /** What the code says it prints: its lines // → … */
  readonly claimed: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: names of a program that is only known as text
  readonly values: Readonly<Record<string, any>>
}

export async function runCode(code: string, names: readonly string[] = []): Promise<Ran> {
  const { outputFiles } = await build({
    stdin: {
      contents: `${code}\nexport { ${names.join(", ")} }`,
      resolveDir: join(ROOT, "packages/studio"),
      loader: "ts",
    },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "es2022",
    // the packages of this repository as they are; others, some of which are not JavaScript, from node_modules
    packages: "external",
    alias: { ...sources(), "#workers": join(ROOT, "packages/suffice/src/threads/node.ts") },
    logLevel: "silent",
  })
  mkdirSync(CACHE, { recursive: true })
  runs += 1
  const path = join(CACHE, `page-code-${process.pid}-${runs}.mjs`)
  writeFileSync(path, outputFiles[0].text)
  const printed: string[] = []
  const { log } = console
  console.log = (...values: unknown[]) => printed.push(values.map(String).join(" "))
  try {
    const values = await import(/* @vite-ignore */ pathToFileURL(path).href)
    const claimed = [...code.matchAll(/^\/\/ → (.*)$/gm)].map(([, text]) => text)
    return { printed, claimed, values }
  } finally {
    console.log = log
    rmSync(path)
  }
}
