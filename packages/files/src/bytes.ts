/** Files as bytes, text and lines: opened, unzipped if they are gzipped, and refused with a sentence. */
import { createReadStream, readdirSync } from "node:fs"
import { access, constants, open, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { nearest } from "suffice"
import { nothingIn } from "./csv-sentences.ts"
import { FileError, grouped, quoted } from "./errors.ts"
import { LIMITS } from "./limits.ts"

/** A file to be read: what messages call it, and where its bytes are, which is elsewhere where it had to be unpacked. */
export interface Place {
  readonly path: string
  readonly at: string
}

export interface Found extends Place {
  readonly name: string
  readonly bytes: number
  readonly zipped: boolean
  /** Reading ends when it is aborted. */
  readonly signal?: AbortSignal
}

/** The file is there, may be read, and holds something. */
export async function findFile({ path, at }: Place, signal?: AbortSignal): Promise<Found> {
  const status = await stat(at).catch(error => {
    throw noSuchFile(path, error)
  })
  if (status.isDirectory()) {
    throw new FileError(
      "path",
      `${quoted(path, 200)} is a directory, and a file is meant. Only a folder of text files, or with one sub-folder of them per label, can be read as a table. Name a file in it, or pass format: "folder".`,
      { path },
    )
  }
  await access(at, constants.R_OK).catch(error => {
    throw noSuchFile(path, error)
  })
  if (status.size === 0 && status.isFile()) throw nothingIn(path)
  const zipped = /\.gz$/i.test(at)
  return { path, at, name: basename(path), bytes: status.size, zipped, ...(signal && { signal }) }
}

/** A file beside it whose name is nearly that. */
function nearFile(path: string): string {
  let beside: string[] = []
  try {
    beside = readdirSync(dirname(path))
  } catch {
    // nor is there such a folder
  }
  const near = nearest(basename(path), beside).map(name => quoted(join(dirname(path), name), 200))
  return near.length > 0
    ? `Did you mean ${near.join(" or ")}`
    : "Check the spelling, and the folder you are in"
}

export function noSuchFile(path: string, error: unknown): FileError {
  const { code } = error as NodeJS.ErrnoException
  const [what, why, todo] =
    code === "ENOENT" || code === "ENOTDIR"
      ? [
          "there is no file",
          "Nothing is at this path",
          /[*?[]/.test(path)
            ? "A path is one file, and no pattern; several files are given as a list of paths"
            : nearFile(path),
        ]
      : code === "EACCES" || code === "EPERM"
        ? ["cannot read", "You have no permission to", "Change its permissions, or copy it"]
        : ["cannot read", error instanceof Error ? error.message : String(error), "Check the path"]
  const end = todo.startsWith("Did") ? "?" : "."
  return new FileError(
    "path",
    `${what} ${quoted(path, 200)}. ${why}. ${todo}${end}`,
    { path },
    { cause: error },
  )
}

/** The bytes of a file, unzipped; each call begins anew. */
export async function* bytesOf({ path, at, zipped }: Found, end?: number): AsyncGenerator<Buffer> {
  const raw = createReadStream(at, { highWaterMark: 1 << 18 })
  const stream: Readable = zipped ? raw.pipe(createGunzip()) : raw
  raw.on("error", error => stream.destroy(error))
  let read = 0
  try {
    for await (const part of stream) {
      yield part as Buffer
      read += (part as Buffer).length
      if (end !== undefined && read >= end) return
    }
  } catch (error) {
    throw zipped ? badGzip(path, error) : noSuchFile(path, error)
  } finally {
    raw.destroy()
    stream.destroy()
  }
}

export function badGzip(path: string, cause: unknown): FileError {
  const { code } = cause as NodeJS.ErrnoException
  const cut = code === "Z_BUF_ERROR"
  return new FileError(
    "format",
    `${quoted(path, 200)} cannot be unzipped. ${cut ? "Its end is missing" : "Its bytes are no gzip"}. ${cut ? "Fetch it again" : "If it is not zipped, rename it without .gz"}.`,
    { path },
    { cause },
  )
}

/** The first bytes of a file, and whether there are more. */
export async function firstBytes(file: Found, most: number): Promise<{ bytes: Buffer; cut: boolean }> {
  const parts: Buffer[] = []
  let read = 0
  for await (const part of bytesOf(file, most + 1)) {
    parts.push(part)
    read += part.length
  }
  return { bytes: Buffer.concat(parts).subarray(0, most), cut: read > most }
}

/** The beginning of a file as text, and whether there is more. */
export async function beginningOf(
  file: Found,
  encoding: string,
  most = 1 << 18,
): Promise<{ text: string; cut: boolean }> {
  const { bytes, cut } = await firstBytes(file, most)
  return { text: new TextDecoder(encoding).decode(bytes), cut }
}

/**
 * The lines of a file, with their numbers from 1; without line ends. The parts of an unfinished line are collected and joined once,
 * so the time does not depend on where lines end.
 */
export async function* linesOf(file: Found): AsyncGenerator<readonly { text: string; line: number }[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let begun: string[] = []
  let length = 0
  let line = 0
  const decoded = (bytes?: Buffer): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch (cause) {
      throw notUtf8(file.path, undefined, cause)
    }
  }
  const keep = (text: string): void => {
    begun.push(text)
    length += text.length
    if (length > LIMITS.line) throw longLine(file.path, line + 1)
  }
  const whole = (): string => {
    const text = begun.join("")
    begun = []
    length = 0
    return text
  }
  const numbered = (text: string): { text: string; line: number } => ({
    text: text.endsWith("\r") ? text.slice(0, -1) : text,
    line: ++line,
  })
  for await (const bytes of bytesOf(file)) {
    file.signal?.throwIfAborted()
    const [first, ...others] = decoded(bytes).split("\n")
    keep(first)
    if (others.length === 0) continue
    const rest = others.pop()!
    yield [whole(), ...others].map(numbered)
    keep(rest)
  }
  keep(decoded())
  if (length > 0) yield [numbered(whole())]
}

/** Does the last line of a file have more than so many bytes? Looked for from the end. */
export async function endsInLongLine({ path, at, bytes }: Found, most: number): Promise<boolean> {
  if (bytes <= most) return false
  const file = await open(at).catch(error => {
    throw noSuchFile(path, error)
  })
  try {
    const block = Buffer.alloc(1 << 16)
    // the very last byte may be a line end
    for (let to = bytes - 1; to > bytes - 1 - most; ) {
      const from = Math.max(to - block.length, 0)
      const { bytesRead } = await file.read(block, 0, to - from, from)
      if (bytesRead === 0 || block.subarray(0, bytesRead).some(byte => byte === 10 || byte === 13))
        return false
      to = from
    }
    return true
  } finally {
    await file.close()
  }
}

function longLine(path: string, line: number): FileError {
  return new FileError(
    "row",
    `line ${grouped(line)} of ${quoted(path, 200)} has more than ${grouped(LIMITS.line)} characters. A line is a row, and is held in memory as one text. Check that the file has ends of lines, or pass another format.`,
    { path, line },
  )
}

export function notUtf8(path: string, line: number | undefined, cause?: unknown): FileError {
  return new FileError(
    "encoding",
    `${quoted(path, 200)}${line === undefined ? "" : `, line ${line},`} holds a byte that is not UTF-8. Text is read as UTF-8. Files of Windows programs are often in Windows-1252: pass encoding: "windows-1252", or save it as UTF-8.`,
    { path, line },
    { cause },
  )
}
