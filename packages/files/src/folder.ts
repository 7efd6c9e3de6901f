/** A folder of text files: with one sub-folder per label the columns are label, text and file; without sub-folders text and file. */
import { readdir, readFile, stat } from "node:fs/promises"
import { basename, join } from "node:path"
import type { Cell, Columns } from "suffice"
import { noSuchFile } from "./bytes.ts"
import { FileError, quoted } from "./errors.ts"
import type { Reader, TableOptions } from "./table.ts"
import { westernText } from "./western.ts"

/** Texts per batch: fewer than other cells, since they may be long. */
const BATCH = 256

export async function openFolder(path: string, { label = "label" }: TableOptions): Promise<Reader> {
  const status = await stat(path).catch(error => {
    throw noSuchFile(path, error)
  })
  if (!status.isDirectory()) {
    throw new FileError(
      "path",
      `${quoted(path, 200)} is a file, and a folder is meant. A folder holds text files, or one sub-folder of them per label. Name the folder, or pass another format.`,
      { path },
    )
  }
  const labelled = await filesBelow(path)
  const files = labelled.length > 0 ? labelled : await filesIn(path)
  if (files.length === 0) {
    throw new FileError(
      "empty",
      `${quoted(path, 200)} holds no files. A folder is read as a table of texts: folder/text.txt or, with one sub-folder per label, folder/label/text.txt. Arrange the files so, or name a single file.`,
      { path },
    )
  }
  return {
    name: basename(path) || path,
    columns: [
      ...(labelled.length > 0 ? [{ name: label, type: "string" } as const] : []),
      { name: "text", type: "string" },
      { name: "file", type: "string" },
    ],
    count: async () => files.length,
    read: wanted => ({ [Symbol.asyncIterator]: () => batches(files, wanted, label) }),
  }
}

interface TextFile {
  readonly label: string | null
  readonly path: string
  readonly file: string
}

/** Sorted by name; files that start with a dot are skipped. */
async function filesBelow(folder: string): Promise<TextFile[]> {
  const labels = (
    await readdir(folder, { withFileTypes: true }).catch(error => {
      throw noSuchFile(folder, error)
    })
  )
    .filter(entry => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort()
  const files: TextFile[] = []
  for (const label of labels) {
    const entries = await readdir(join(folder, label), { withFileTypes: true, recursive: true })
    const names = entries
      .filter(entry => entry.isFile() && !entry.name.startsWith("."))
      .map(entry => join(entry.parentPath, entry.name))
      .sort()
    for (const path of names)
      files.push({ label, path, file: path.slice(folder.length).replace(/^[/\\]+/, "") })
  }
  return files
}

/** The files of a folder without sub-folders. */
async function filesIn(folder: string): Promise<TextFile[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter(entry => entry.isFile() && !entry.name.startsWith("."))
    .map(({ name }) => ({ label: null, path: join(folder, name), file: name }))
    .sort((a, b) => (a.file < b.file ? -1 : 1))
}

async function* batches(
  files: readonly TextFile[],
  wanted: readonly string[],
  label: string,
): AsyncGenerator<Columns> {
  for (let from = 0; from < files.length; from += BATCH) {
    const part = files.slice(from, from + BATCH)
    const texts = wanted.includes("text") ? await Promise.all(part.map(({ path }) => textOf(path))) : []
    const cellsOf = (name: string): Cell[] =>
      name === "text" ? texts : part.map(file => (name === label ? file.label : file.file))
    yield Object.fromEntries(wanted.map(name => [name, cellsOf(name)]))
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** UTF-8; old mail is often Latin-1, or what Windows makes of it, in which every byte is a character. */
async function textOf(path: string): Promise<string> {
  const bytes = await readFile(path).catch(error => {
    throw noSuchFile(path, error)
  })
  try {
    return utf8.decode(bytes)
  } catch {
    return westernText(bytes)
  }
}
