/** What can be wrong with a text of cells, in sentences; whoever reads it. */
import type { Dialect } from "./dialect.ts"
import { counted, FileError, grouped, quoted } from "./errors.ts"
import { LIMITS } from "./limits.ts"

/** A file without a byte. */
export function nothingIn(path: string): FileError {
  return new FileError(
    "empty",
    `${quoted(path, 200)} is empty. There is no row to learn from. Check whether it was written to its end.`,
    { path },
  )
}

/** Names, and nothing below them. */
export function headerOnly(path: string): FileError {
  return new FileError(
    "empty",
    `${quoted(path, 200)} has a header and no rows. There is nothing to learn from. Check whether it was written to its end; if its first line is a row, pass header: false.`,
    { path },
  )
}

/** A text that is no table: lines of words, and nothing that parts them into columns. */
export function refuseProse(path: string, { first, words, agreeing, records }: Dialect): void {
  if (first.length > 1 ? 2 * agreeing >= records : words < 0.5) return
  throw new FileError(
    "format",
    `${quoted(path, 200)} is text without columns: no comma, semicolon, tab or bar cuts its lines into as many cells. A table has a row per line. Name a table, a folder with one sub-folder of texts per label, or pass format: "csv" for one column of text.`,
    { path },
  )
}

/** A line with too few or too many cells. `at`: "line 3 of …". */
export function raggedRow(
  at: string,
  expected: number,
  found: number,
  original: string,
  delimiter: string,
  details: Readonly<Record<string, unknown>>,
  cause?: unknown,
): FileError {
  const few = found < expected
  return new FileError(
    "row",
    `${at} has ${counted(found, "cell")}, the first line has ${expected}: ${quoted(original)}. ${few ? "A row may be cut off, or the file ends in the middle of one" : `A cell that holds ${quoted(delimiter)} must be quoted`}. Mend the line${delimiter === "," ? "" : ", or pass another delimiter"}.`,
    { ...details, expected, found },
    { cause },
  )
}

/** A quote that nothing closes. */
export function openQuote(
  at: string,
  original: string,
  bytes: number,
  details: Readonly<Record<string, unknown>>,
  cause?: unknown,
): FileError {
  return new FileError(
    "row",
    `${at} opens a quote that is never closed: ${quoted(original)}. The file ends inside a cell, or a cell holds a single quote sign${bytes > LIMITS.csvLine ? `, or a line has more than ${grouped(LIMITS.csvLine)} bytes, which is too long` : ""}. Close it, write a quote inside a cell twice, or, if no cell is quoted, pass quote: "".`,
    details,
    { cause },
  )
}
