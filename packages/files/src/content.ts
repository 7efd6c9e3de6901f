/**
 * What a file holds, by its first bytes: names are wrong often enough. Text is recognised here, what is not text by the library
 * file-type, which is loaded only then.
 */
import { type Found, firstBytes } from "./bytes.ts"
import { dialectOf } from "./dialect.ts"
import { FileError, quoted } from "./errors.ts"
import { type Format, formatOfText, formatOfType, type Head } from "./formats.ts"
import { alignedCells } from "./unpack.ts"

/** What was found: text, as it is written in bytes and in lines; a container to be opened; or a format that is no text. */
export type Content =
  | {
      readonly kind: "text"
      readonly encoding: "utf-8" | "utf-16le" | "utf-16be"
      readonly format: Format
      /** Runs of blanks part its cells, and nothing else does. */
      readonly aligned: boolean
    }
  | { readonly kind: "zip" | "gzip" }
  | { readonly kind: "bytes"; readonly format: Format }

const LOOKED_AT = 1 << 14

/** `wide`: it is said to be UTF-16. */
export async function contentOf(file: Found, wide = false): Promise<Content> {
  const { bytes, cut } = await firstBytes(file, LOOKED_AT)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return textOf(bytes, cut, "utf-16be")
  if (wide || (bytes[0] === 0xff && bytes[1] === 0xfe)) return textOf(bytes, cut, "utf-16le")
  const text = bytes.toString("latin1")
  if (!CONTROL.test(text) && !/^(%PDF-|\{\\rtf|\s*<|PK)/.test(text)) return textOf(bytes, cut, "utf-8")
  refuseMarkup(file, bytes.toString("utf8"))
  const { fileTypeFromBuffer } = await import("file-type")
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined)
  if (found === undefined) {
    if (looksWide(bytes)) throw unmarked(file)
    if (isBinary(bytes, text)) {
      throw refused(
        file,
        "no text",
        "Many of its bytes are no letters, digits or signs, and nothing here knows what else it is",
        "Export it as CSV",
      )
    }
    return textOf(bytes, cut, "utf-8")
  }
  if (found.ext === "zip") return { kind: "zip" }
  if (found.ext === "gz") return { kind: "gzip" }
  const format = formatOfType(found.ext)
  if (format) return { kind: "bytes", format }
  throw refused(file, ...wordsFor(found.ext, found.mime))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/

function textOf(bytes: Buffer, cut: boolean, encoding: "utf-8" | "utf-16le" | "utf-16be"): Content {
  const text = new TextDecoder(encoding).decode(bytes)
  const format = formatOfText(headOf(text, cut))
  return { kind: "text", encoding, format, aligned: format === "csv" && isAligned(text, cut) }
}

/** Lines that are not blank, and those that are not cut. */
function headOf(text: string, cut: boolean): Head {
  const lines = text.split(/\r?\n|\r/).filter(line => line.trim() !== "")
  return { text, lines, whole: cut ? lines.slice(0, -1) : lines }
}

/** Columns that are set with blanks: as many cells in every line, and no delimiter cuts them as well. */
function isAligned(text: string, cut: boolean): boolean {
  const dialect = dialectOf(text, cut)
  if (!dialect || (dialect.first.length > 1 && dialect.agreeing > 0.9 * dialect.records)) return false
  const lines = text.split(/\r?\n/).filter(line => line.trim() !== "" && !line.startsWith("#"))
  const rows = (cut ? lines.slice(0, -1) : lines).map(line => alignedCells(line).length)
  return (
    rows.length > 2 && rows[1] > 1 && rows.slice(1).every(cells => cells === rows[1]) && rows[0] === rows[1]
  )
}

// ── what is refused ────────────────────────────────────────────────────────────────────────────────

/** Every second byte is zero: characters of two bytes each, without the mark that says so. */
function looksWide(bytes: Buffer): boolean {
  const pairs = Math.floor(Math.min(bytes.length, 1000) / 2)
  const zeros = [0, 1].map(side => {
    let count = 0
    for (let i = 0; i < pairs; i++) if (bytes[2 * i + side] === 0) count++
    return count
  })
  return pairs > 4 && Math.abs(zeros[0] - zeros[1]) > 0.8 * pairs
}

/** A cell may hold a control character, and a text be of another encoding; one that is full of both is none. */
function isBinary(bytes: Buffer, text: string): boolean {
  const controls = text.match(new RegExp(CONTROL, "g"))?.length ?? 0
  if (controls <= text.length / 50) return false
  try {
    // the last character may be cut
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
    return false
  } catch {
    return true
  }
}

function unmarked(file: Found): FileError {
  return new FileError(
    "encoding",
    `${quoted(file.path, 200)} looks like UTF-16 without the mark at its beginning. Every second byte is zero. Save it as UTF-8, or, if it is CSV, pass encoding: "utf-16".`,
    { path: file.path },
  )
}

/** Pages and documents that are written as text. */
function refuseMarkup(file: Found, text: string): void {
  const said = text.replace(/^\ufeff?\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*/, "").slice(0, 200)
  if (/^<(!doctype\s+html|html|head|body|table|div|meta|title)\b/i.test(said)) {
    throw refused(
      file,
      "a web page (HTML)",
      "The page around the data was saved, or a page that asks to log in",
      "Download the file itself, or copy the table into a spreadsheet and save it as CSV",
    )
  }
  if (/^<[\w!?]/.test(said) || /^\s*<\?xml/i.test(text)) {
    throw refused(
      file,
      "an XML document",
      "Its rows are not known without knowing what its elements mean",
      "Export it as CSV",
    )
  }
}

function refused(file: Found, what: string, why: string, todo: string): FileError {
  return new FileError("format", `${quoted(file.path, 200)} is ${what}. ${why}. ${todo}.`, {
    path: file.path,
    content: what,
  })
}

const ARCHIVES = ["7z", "rar", "tar", "bz2", "xz", "zst", "lz", "lz4", "Z", "cab", "ar", "tar.gz"]
const DOCUMENTS: Readonly<Record<string, string>> = {
  pdf: "a PDF document",
  docx: "a Word document",
  pptx: "a PowerPoint presentation",
  odt: "an OpenDocument text",
  rtf: "a document (RTF)",
  epub: "an e-book",
}

/** What it is, why it cannot be read, and what to do. */
function wordsFor(ext: string, mime: string): [string, string, string] {
  if (ext === "cfb") {
    return [
      "a file of Office from before 2007 (.xls, .doc)",
      "Only workbooks in the newer format are read",
      'Open it and save it as "Excel Workbook (.xlsx)" or as CSV',
    ]
  }
  if (Object.hasOwn(DOCUMENTS, ext)) {
    return [
      DOCUMENTS[ext],
      "A document has pages, not rows and columns",
      "Copy its table into a spreadsheet and save that as CSV",
    ]
  }
  if (ARCHIVES.includes(ext))
    return [`an archive (${ext})`, "Only .gz and .zip are unpacked", "Unpack it, and name the file inside"]
  if (ext === "sqlite") return ["an SQLite database", "It may hold many tables", "Export one as CSV"]
  if (/^(image|video|audio|font)\//.test(mime)) {
    const kind = mime.slice(0, mime.indexOf("/"))
    return [
      /^[aeiou]/.test(kind) ? `an ${kind} (${ext})` : `a ${kind} (${ext})`,
      "It holds no rows of numbers and words",
      "Name a table",
    ]
  }
  return [`a file of another kind (${ext}, ${mime})`, "Nothing here reads it", "Export it as CSV"]
}
