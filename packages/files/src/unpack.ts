/**
 * Files that are not what is read: a zip with one file in it, a workbook, text in UTF-16, a stream. What is inside is written into a
 * temporary folder, so that it can be read again and again, and is called what the user calls it.
 */
import { createWriteStream } from "node:fs"
import { basename, join } from "node:path"
import { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import type { Entry, ZipFile } from "yauzl"
import { bytesOf, type Found, linesOf, type Place } from "./bytes.ts"
import { FileError, listed, quoted } from "./errors.ts"
import type { Reader } from "./table.ts"
import { release, temporaryFolder } from "./temporary.ts"
import { westernText } from "./western.ts"

/** A file in a folder of its own, to be removed when nobody reads it any more. */
export interface Unpacked extends Place {
  remove(): Promise<void>
}

/** The reader, which removes what was unpacked for it when it is closed. */
export async function closing(unpacked: Unpacked, opening: Promise<Reader>): Promise<Reader> {
  try {
    const reader = await opening
    return {
      ...reader,
      // Columns may change: they are asked for, not copied.
      get columns() {
        return reader.columns
      },
      async close() {
        await reader.close?.()
        await unpacked.remove()
      },
    }
  } catch (error) {
    await unpacked.remove()
    throw error
  }
}

/** What the bytes of a stream become: a file. `path` is what it is called. */
export async function spooled(
  streams: readonly [Readable, ...Transform[]],
  path: string,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Unpacked> {
  const folder = await temporaryFolder()
  const at = join(folder, name)
  try {
    await pipeline([...streams, createWriteStream(at)], { ...(signal && { signal }) })
  } catch (error) {
    await release(folder)
    signal?.throwIfAborted()
    throw error
  }
  return { path, at, remove: () => release(folder) }
}

/** The same file, unzipped, though its name does not say that it is zipped. */
export function gunzipped(file: Found, signal: AbortSignal | undefined): Promise<Unpacked> {
  return spooled([Readable.from(bytesOf(file)), createGunzip()], file.path, plainName(file), signal)
}

/** UTF-16, or a byte for each character, as UTF-8. */
export function transcoded(
  file: Found,
  encoding: "utf-16le" | "utf-16be" | "windows-1252",
  signal: AbortSignal | undefined,
): Promise<Unpacked> {
  const wide = encoding === "windows-1252" ? undefined : new TextDecoder(encoding)
  const decode = new Transform({
    transform(chunk: Buffer, _, done) {
      done(null, wide ? wide.decode(chunk, { stream: true }) : westernText(chunk))
    },
    flush(done) {
      done(null, wide?.decode() ?? "")
    },
  })
  return spooled([Readable.from(bytesOf(file)), decode], file.path, plainName(file), signal)
}

/** The one file in a zip. */
export async function unzipped({ path, at }: Found, signal: AbortSignal | undefined): Promise<Unpacked> {
  const { openPromise } = await import("yauzl")
  let zip: ZipFile | undefined
  try {
    zip = await openPromise(at, { lazyEntries: true, autoClose: false })
    const entries: Entry[] = []
    for await (const entry of zip.eachEntry()) if (isData(entry.fileName)) entries.push(entry)
    const [entry] = entries
    if (entries.length !== 1) {
      throw new FileError(
        "format",
        `${quoted(path, 200)} is a zip that holds ${entries.length === 0 ? "no file" : `${entries.length} files: ${listed(entries.map(({ fileName }) => fileName))}`}. A table is one file. ${entries.length === 0 ? "Check whether it was written to its end" : "Unpack it, and name the file you mean, or several with the same columns"}.`,
        { path, files: entries.map(({ fileName }) => fileName) },
      )
    }
    if (entry.isEncrypted()) {
      throw new FileError(
        "format",
        `${quoted(path, 200)} is protected by a password. It cannot be unpacked without it. Unpack it, and name the file inside.`,
        { path },
      )
    }
    const name = basename(entry.fileName) || "table"
    const stream = await zip.openReadStreamPromise(entry)
    return await spooled([stream], `${path}/${entry.fileName}`, name, signal)
  } catch (error) {
    if (error instanceof FileError) throw error
    signal?.throwIfAborted()
    throw new FileError(
      "format",
      `${quoted(path, 200)} cannot be unpacked. ${error instanceof Error ? error.message.replace(/\.$/, "") : String(error)}. Fetch it again, or unpack it by other means.`,
      { path },
      { cause: error },
    )
  } finally {
    zip?.close()
  }
}

/** What Macs and archivers add is no data. */
function isData(name: string): boolean {
  return !name.endsWith("/") && !name.startsWith("__MACOSX/") && !basename(name).startsWith(".")
}

/** Cells that blanks part, however many: tabs part them in the copy. What is quoted stays together. */
export function withTabs(file: Found, signal: AbortSignal | undefined): Promise<Unpacked> {
  async function* lines(): AsyncGenerator<string> {
    for await (const some of linesOf(file)) {
      yield some.map(({ text }) => `${alignedCells(text).join("\t")}\n`).join("")
    }
  }
  return spooled([Readable.from(lines())], file.path, plainName(file), signal)
}

/** What stands between blanks. */
export function alignedCells(line: string): string[] {
  return line.match(/"[^"]*"|\S+/g) ?? []
}

/** The name without what says that it is zipped. */
function plainName({ at }: Found): string {
  return basename(at).replace(/\.gz$/i, "")
}
