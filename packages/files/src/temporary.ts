/**
 * Files and folders that exist only during a run. Their names say whose they are,
 *
 *     .model.json.suffice-<host>-<process>-<random>.part
 *
 * so that what a killed run has left is removed by the next one that writes into the same folder: only names of this pattern, of this
 * host and this user, and only if no process of that number is alive.
 */
import { createHash, randomBytes } from "node:crypto"
import { rmSync } from "node:fs"
import { lstat, mkdtemp, readdir, rm } from "node:fs/promises"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { FileError, quoted } from "./errors.ts"

/** Process numbers mean nothing on another host, or in another container. */
const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 6)
const OURS = new RegExp(
  String.raw`^(?:\..+|suffice-files)\.suffice-${HOST}-(\d+)-\w{6,8}(?:\.part(?:\.ndjson)?)?$`,
)

/** Unfinished files and folders of this process. */
const held = new Set<string>()
let listening = false

/** The name of an unfinished file; it starts with the final name, in case someone finds it. */
export function partName(name: string): string {
  return `.${name.slice(0, 40)}.suffice-${HOST}-${process.pid}-${randomBytes(4).toString("hex")}.part`
}

/** The beginning of the name of a folder, for mkdtemp. */
export const FOLDER = `suffice-files.suffice-${HOST}-${process.pid}-`

export function hold(path: string): void {
  if (!listening) process.once("exit", removeUnfinished)
  listening = true
  held.add(path)
}

/** The file has been removed, or renamed to its final name. */
export async function release(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => undefined)
  held.delete(path)
}

/** An early exit leaves nothing behind. */
function removeUnfinished(): void {
  for (const path of held) {
    try {
      rmSync(path, { recursive: true, force: true })
    } catch {
      // the next run tries again
    }
  }
  held.clear()
}

/** Removes what earlier runs have left in a folder. */
export async function sweep(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const owner = OURS.exec(name)
    if (!owner || isAlive(Number(owner[1]))) continue
    const path = join(folder, name)
    const found = await lstat(path).catch(() => undefined)
    if (found && (process.getuid === undefined || found.uid === process.getuid()))
      await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

function isAlive(process_: number): boolean {
  try {
    process.kill(process_, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH"
  }
}

let swept = false

/** A folder for what does not fit into memory, or has to be unpacked; what killed runs have left is removed once per process. */
export async function temporaryFolder(): Promise<string> {
  const folder = tmpdir()
  if (!swept) {
    swept = true
    await sweep(folder)
  }
  try {
    const made = await mkdtemp(join(folder, FOLDER))
    hold(made)
    return made
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const why =
      code === "ENOENT" || code === "ENOTDIR"
        ? "There is no such folder"
        : code === "ENOSPC" || code === "EDQUOT"
          ? "There is no space left in it"
          : code === "EACCES" || code === "EPERM" || code === "EROFS"
            ? "You have no permission to write there"
            : `The system says ${code}`
    throw new FileError(
      "write",
      `the temporary folder ${quoted(folder, 200)} cannot be used. ${why}, and DuckDB puts there what does not fit into memory. Set TMPDIR to a folder that can be written to.`,
      { path: folder, code },
      { cause },
    )
  }
}
