/** Patterns of paths, as shells know them: * ? [ab] and ** for folders. DuckDB's own are used, so that they mean the same as in SQL. */
import { stat } from "node:fs/promises"
import { FileError, quoted } from "./errors.ts"

/** The files that a path means: itself, if it is one or is no pattern, else all that fit, in the order of their names. */
export async function filesOf(path: string): Promise<string[]> {
  if (!/[*?[]/.test(path) || (await stat(path).catch(() => undefined))) return [path]
  const { literal, openDatabase } = await import("./duckdb/database.ts")
  const database = await openDatabase()
  try {
    const found = await database.ask(`select file from glob(${literal(path)}) order by file`)
    if (found.length > 0) return found.map(({ file }) => file as string)
  } finally {
    await database.close()
  }
  throw new FileError(
    "path",
    `no file fits the pattern ${quoted(path, 200)}. Nothing at this place has such a name. Check the spelling, and the folder you are in.`,
    { path },
  )
}
