/**
 * Files of Node for rows that are too many to hold. A file is named after the host and the process that wrote it and removed when its fit ends, when the process
 * ends, or, if it was killed, when the next fit begins to pack rows for the same folder.
 */
import { createHash } from "node:crypto"
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readSync, rmSync, writeSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { SufficeError, show } from "../errors.ts"
import type { Disk, SpillFile } from "../frames/spill.ts"
import type { ReadPlace } from "./messages.ts"

/** Process numbers mean nothing on another host, or in another container, with which a folder may be shared. */
const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 6)
const NAME = new RegExp(String.raw`^suffice-${HOST}-(\d+)-\d+\.frames$`)

let made = 0
const open = new Set<SpillFile>()

function removeAll(): void {
  for (const file of open) file.remove()
}

export const disk: Disk = {
  create(folder = tmpdir()) {
    mkdirSync(folder, { recursive: true })
    const path = join(folder, `suffice-${HOST}-${process.pid}-${made++}.frames`)
    rmSync(path, { force: true })
    // for this user alone: the file holds the rows. Of its own: in a folder for all, a link of another user could have this name
    const descriptor = openSync(path, "wx+", 0o600)
    if (open.size === 0) process.on("exit", removeAll)
    const file: SpillFile = {
      path,
      write(bytes) {
        for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
      },
      read: (position, bytes) => void readWhole(descriptor, path, position, bytes),
      remove() {
        if (!open.delete(file)) return
        if (open.size === 0) process.off("exit", removeAll)
        closeSync(descriptor)
        rmSync(path, { force: true })
      },
    }
    open.add(file)
    return file
  },
  tidy: (folder = tmpdir()) => removeLeftovers(folder),
}

/** Removes the files of processes that are no more. */
function removeLeftovers(folder: string): void {
  let names: string[] = []
  try {
    names = readdirSync(folder)
  } catch {
    // there is no such folder yet, or it is refused when it is written to
  }
  for (const name of names) {
    const pid = Number(NAME.exec(name)?.[1] ?? process.pid)
    if (pid === process.pid || isAlive(pid)) continue
    try {
      rmSync(join(folder, name), { force: true })
    } catch {
      // of another user
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: of another user
    return (error as { code?: unknown }).code !== "ESRCH"
  }
}

/** The file read last: a fit has one. */
let last: { readonly path: string; readonly descriptor: number } | undefined

let scratch = new Uint8Array(0)

/** For workers, which read by position. The next call overwrites the bytes. */
export const readPlace: ReadPlace = (path, position, length) => {
  if (scratch.length < length) scratch = new Uint8Array(length)
  if (last?.path !== path) {
    if (last) closeSync(last.descriptor)
    last = undefined
    last = { path, descriptor: openSync(path, "r") }
  }
  return readWhole(last.descriptor, path, position, scratch.subarray(0, length))
}

function readWhole(
  descriptor: number,
  path: string,
  position: number,
  bytes: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const { length } = bytes
  for (let at = 0; at < length; ) {
    const got = readSync(descriptor, bytes, at, length - at, position + at)
    if (got === 0) throw cutShort(path, fstatSync(descriptor).size)
    at += got
  }
  return bytes
}

function cutShort(path: string, size: number): SufficeError {
  return new SufficeError(
    "data",
    `the rows packed into ${show(path)} are cut short: the file has ${size} bytes now. Another program has changed it. Fit again, and name a folder of your own with spill: { folder }.`,
    { path, size },
  )
}
