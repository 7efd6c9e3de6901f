/** Files appear whole or not at all: written under a temporary name beside their place, then renamed. */
import { randomBytes } from "node:crypto"
import { access, constants, open, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { Failure } from "../failure.ts"
import { reasonOf } from "./stream.ts"

export type Put = (text: string | Uint8Array) => Promise<void>

const temporary = new Set<string>()

/** Before the work begins: is there a folder to write into? */
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
  const folder = dirname(path)
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

/** Write a file. If anything fails, what stood there before still does, and nothing else. */
export async function save(path: string, what: string, fill: (put: Put) => Promise<void>): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  const device = found !== undefined && !found.isFile()
  const place = device
    ? path
    : join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(4).toString("hex")}.tmp`)
  if (!device) temporary.add(place)
  try {
    const file = await open(place, device ? "w" : "wx").catch(error => {
      throw refused(path, what, error)
    })
    try {
      await fill(async text => {
        await file.writeFile(text).catch(error => {
          throw refused(path, what, error)
        })
      })
      if (!device) {
        await file.sync().catch(error => {
          throw refused(path, what, error)
        })
      }
    } finally {
      await file.close().catch(() => undefined)
    }
    if (device) return
    await rename(place, path).catch(error => {
      throw refused(path, what, error)
    })
  } finally {
    if (!device) await rm(place, { force: true }).catch(() => undefined)
    temporary.delete(place)
  }
}

/** What an exit in the middle would leave behind. */
export function unfinished(): readonly string[] {
  return [...temporary]
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
