/** Parquet in a page, by hyparquet; loaded when such a file is opened. */
import { parquetMetadataAsync, parquetReadObjects } from "hyparquet"
import { compressors } from "hyparquet-compressors"
import type { Reader, TableOptions } from "suffice-files/columns"
import { malformed, objectsReader } from "./objects.ts"

export async function openParquet(file: File, options: TableOptions): Promise<Reader> {
  try {
    const from = {
      byteLength: file.size,
      slice: (start: number, end?: number) => file.slice(start, end).arrayBuffer(),
    }
    const metadata = await parquetMetadataAsync(from)
    const rows = await parquetReadObjects({ file: from, metadata, compressors })
    const measured = metadata.schema.filter(
      ({ type, converted_type }) => type === "DOUBLE" || type === "FLOAT" || converted_type === "DECIMAL",
    )
    return objectsReader(file.name, rows as Record<string, unknown>[], options, {
      measured: new Set(measured.map(({ name }) => name)),
    })
  } catch (error) {
    if (error instanceof Error && error.name === "FileError") throw error
    const said = error instanceof Error ? error.message.split("\n")[0].replace(/[.\s]+$/, "") : String(error)
    throw malformed(file.name, `The reader says: ${said}`, undefined, "Parquet")
  }
}
