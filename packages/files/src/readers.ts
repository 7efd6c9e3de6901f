/** The readers of the formats, loaded when a file needs them. */
import type { Found, Place } from "./bytes.ts"
import type { DESCRIPTIONS, Format } from "./formats.ts"
import type { Reader, ReadingOptions } from "./table.ts"

/** Opens a file whose bytes were inspected. `bySight`: the format was recognised, not named. */
type OpenFile = (file: Found, options: ReadingOptions, bySight: boolean) => Promise<Reader>

/** Opens a place whose name is enough. */
export type OpenPlace = (place: Place, options: ReadingOptions) => Promise<Reader>

type Opener<F extends Format> = (typeof DESCRIPTIONS)[F]["content"] extends "text" | "bytes"
  ? OpenFile
  : OpenPlace

export const READERS = {
  csv: async (file, options, bySight): Promise<Reader> =>
    (await import("./duckdb/csv.ts")).openCsv(file, options, { tabs: false, bySight }),
  tsv: async (file, options, bySight): Promise<Reader> =>
    (await import("./duckdb/csv.ts")).openCsv(file, options, { tabs: true, bySight }),
  xlsx: async (file, options): Promise<Reader> => (await import("./excel.ts")).openExcel(file, options),
  ods: async (file, options): Promise<Reader> => (await import("./ods.ts")).openOds(file, options),
  parquet: async (file, options): Promise<Reader> =>
    (await import("./duckdb/relation.ts")).openParquet(file, options),
  json: async (file, options): Promise<Reader> =>
    (await import("./duckdb/relation.ts")).openJson(file, options),
  svmlight: async (file, options): Promise<Reader> =>
    (await import("./svmlight.ts")).openSvmlight(file, options),
  arff: async (file, options): Promise<Reader> => (await import("./arff.ts")).openArff(file, options),
  conll: async (file, options): Promise<Reader> =>
    (await import("./conll.ts")).openConll(file, options, false),
  conllu: async (file, options): Promise<Reader> =>
    (await import("./conll.ts")).openConll(file, options, true),
  folder: async ({ path }, options): Promise<Reader> =>
    (await import("./folder.ts")).openFolder(path, options),
} satisfies { readonly [F in Format]: Opener<F> }
