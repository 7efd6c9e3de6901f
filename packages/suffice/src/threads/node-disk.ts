/**
 * Files of Node for rows that are too many to hold. A file is named after the process that wrote it and removed when its fit ends, when the process ends, or,
 * if it was killed, by the next that writes into the folder.
 */
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { SufficeError, show } from "../errors.ts"
import type { Disk, SpillFile } from "../frames/spill.ts"
import type { ReadPlace } from "./messages.ts"

const NAME = /^suffice-(\d+)-\d+\.frames$/

let made = 0
const open = new Set<SpillFile>()

function removeAll(): void {
  for (const file of open) file.remove()
}

export const disk: Disk = {
  create(folder = join(tmpdir(), "suffice")) {
    mkdirSync(folder, { recursive: true })
    removeLeftovers(folder)
    const path = join(folder, `suffice-${process.pid}-${made++}.frames`)
    // for this user alone: the file holds the rows
    const descriptor = openSync(path, "w+", 0o600)
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
}

/** Removes the files of processes that are no more. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(NAME.exec(name)?.[1] ?? process.pid)
    if (pid === process.pid || isAlive(pid)) continue
    rmSync(join(folder, name), { force: true })
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
