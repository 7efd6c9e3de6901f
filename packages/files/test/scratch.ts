/** A folder of its own for a test file, which becomes the working directory: so that paths in messages are short and the same everywhere. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll } from "vitest"

const home = process.cwd()
const folder = mkdtempSync(join(tmpdir(), "suffice-files-test-"))
process.chdir(folder)
afterAll(() => {
  process.chdir(home)
  rmSync(folder, { recursive: true, force: true })
})

/** Writes the file, zipped if its name says so, and gives its name back. */
export function file(name: string, content: string | Uint8Array): string {
  mkdirSync(dirname(name), { recursive: true })
  writeFileSync(name, name.endsWith(".gz") ? gzipSync(content) : content)
  return name
}

/** The message a promise is refused with. */
export async function refusal(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    return (error as Error).message
  }
  throw new Error("it was not refused")
}
