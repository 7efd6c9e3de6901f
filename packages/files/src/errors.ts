/** What can be wrong with a file. Messages say what, why, and what to do; `details` hold the path and the line where they are known. */
import { CodedError, nearest } from "suffice"

export type FileErrorCode =
  | "path" // no such file, a directory where a file is meant, no permission
  | "format" // a format nobody knows, or a file that is not of its format
  | "empty" // no bytes, or a header and no rows
  | "row" // a row with too few or too many cells, or cut off
  | "encoding" // bytes that are no text
  | "cell" // a cell of another type than its column
  | "column" // a column that is not there
  | "label" // a label that cannot be learned from
  | "option" // an option that cannot be
  | "sql" // a query that cannot be run
  | "write" // a file that cannot be written

export class FileError extends CodedError<FileErrorCode> {
  override readonly name = "FileError"
}

/** Text in a message: in quotes, and not too long. */
export function quoted(text: string, most = 60): string {
  return JSON.stringify(text.length > most ? `${text.slice(0, most)}…` : text)
}

/** "a", "b" and 3 more. */
export function listed(names: readonly string[], most = 8): string {
  const shown = names.slice(0, most).map(name => quoted(name))
  if (names.length > most) return `${shown.join(", ")} and ${names.length - most} more`
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown[shown.length - 1]}`
}

/** 12,345: large counts are read by people. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",")
}

/** "1 row", "2 rows". */
export function counted(count: number, word: string): string {
  return `${grouped(count)} ${word}${count === 1 ? "" : "s"}`
}

/** A column that is not in the table, with the names that are close. */
export function noColumn(option: string, column: string, table: string, names: readonly string[]): FileError {
  const near = nearest(column, names)
  return new FileError(
    "column",
    `${option} names ${quoted(column)}, which is no column of ${table}. It has ${listed(names)}. ${
      near.length > 0 ? `Did you mean ${near.map(name => quoted(name)).join(" or ")}?` : "Name one of them."
    }`,
    { column, columns: names, nearest: near },
  )
}
