/** Files are written whole or not at all, keep the permissions of those they replace, and follow links. */
import { access, constants, open, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Failure } from "../failure.ts"
import { reasonOf } from "./stream.ts"

export type Put = (text: string | Uint8Array) => Promise<void>

/** Checks before the work starts that the file can be written. */
export async function checkPlace(path: string, what: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) {
    throw new Failure(
      "output",
      `${what} cannot be written to ${quoted(path)}: it is a folder. Name a file in it, for example ${quoted(join(path, "out"))}.`,
      { path },
    )
  }
  if (found && !found.isFile()) return // a device or a pipe
  const { targetOf } = await import("suffice-files")
  const folder = dirname(await targetOf(path))
  try {
    if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" })
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new Failure(
      "output",
      `${what} cannot be written to ${quoted(path)}: ${folder === "." ? "the folder" : `the folder ${quoted(folder)}`} cannot be written to, ${reasonOf(error)}. Nothing was computed. Make the folder, or choose another.`,
      { path },
    )
  }
}

/** Write a file. If anything fails, the old file is still there, and nothing else. */
export async function save(path: string, what: string, fill: (put: Put) => Promise<void>): Promise<void> {
  const { replaceFile } = await import("suffice-files")
  try {
    await replaceFile(path, async place => {
      const file = await open(place, "w")
      try {
        await fill(text => file.writeFile(text))
        // a device cannot be synced
        if ((await file.stat()).isFile()) await file.sync()
      } finally {
        await file.close().catch(() => undefined)
      }
    })
  } catch (error) {
    throw isOfSystem(error) ? refused(path, what, error) : error
  }
}

/** Errors of the data source are not about this file. */
function isOfSystem(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  return !(error instanceof Failure) && typeof code === "string" && syscall !== undefined
}

function refused(path: string, what: string, error: unknown): Failure {
  return new Failure(
    "output",
    `${what} could not be written to ${quoted(path)}: ${reasonOf(error)}. No half-written file is left. Make room, or choose another place.`,
    { path },
  )
}

function quoted(path: string): string {
  return JSON.stringify(path)
}
