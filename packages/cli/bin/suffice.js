#!/usr/bin/env node
// The version is answered before anything else is loaded; everything else is in dist/.
import { existsSync, readFileSync, writeSync } from "node:fs"

const here = path => new URL(path, import.meta.url)

if (process.argv.length === 3 && (process.argv[2] === "--version" || process.argv[2] === "-V")) {
  try {
    writeSync(1, `${JSON.parse(readFileSync(here("../package.json"), "utf8")).version}\n`)
  } catch (error) {
    console.error(`suffice: the version could not be written: ${error.message}. Write it to another place.`)
    process.exitCode = 1
  }
} else if (!existsSync(here("../dist/main.js"))) {
  console.error(
    "suffice: the command has not been built. Its TypeScript must be compiled first. Run: npm run build",
  )
  process.exitCode = 1
} else {
  const { main } = await import("../dist/main.js")
  await main(process.argv.slice(2))
}
