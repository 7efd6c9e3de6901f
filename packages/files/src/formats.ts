/**
 * The formats of tables: how a file of each is recognised, and how it is opened. Error messages, help and the documentation list these. Readers are
 * loaded when a file needs them.
 */
import type { Found, Place } from "./bytes.ts"
import type { Reader, ReadingOptions } from "./table.ts"

/** The beginning of a text. */
export interface Head {
  readonly text: string
  /** Lines that are not blank. */
  readonly lines: readonly string[]
  /** Lines without the last one, if it is cut. */
  readonly whole: readonly string[]
}

interface Named {
  /** Noun for a file of the format. */
  readonly title: string
  readonly extensions: readonly string[]
  /** Names of the format in the library file-type. */
  readonly types?: readonly string[]
  /** True if rows are the tokens of sentences, which the column `sequence` numbers. */
  readonly hasSentences?: true
}

/** A format of files whose bytes are looked at first, whatever their names say. */
interface InspectedFormat extends Named {
  /** Text may be gzipped, and in any known encoding. */
  readonly content: "text" | "bytes"
  /** Recognises a text. */
  readonly holds?: (head: Head) => boolean
  /** `bySight`: the format was recognised, not named. */
  readonly open: (file: Found, options: ReadingOptions, bySight: boolean) => Promise<Reader>
}

/** A format whose name is enough. */
interface TrustedFormat extends Named {
  readonly content: "folder" | "database"
  readonly open: (place: Place, options: ReadingOptions) => Promise<Reader>
}

/** How files of a format are recognised, and how they are opened. */
export type FormatReader = InspectedFormat | TrustedFormat

/** An entry for each format. */
export const READERS = {
  csv: {
    title: "CSV file",
    content: "text",
    extensions: ["csv"],
    open: async (file, options, bySight): Promise<Reader> =>
      (await import("./duckdb/csv.ts")).openCsv(file, options, { tabs: false, bySight }),
  },
  tsv: {
    title: "TSV file",
    content: "text",
    extensions: ["tsv", "tab"],
    open: async (file, options, bySight): Promise<Reader> =>
      (await import("./duckdb/csv.ts")).openCsv(file, options, { tabs: true, bySight }),
  },
  xlsx: {
    title: "Excel workbook",
    content: "bytes",
    extensions: ["xlsx", "xlsm"],
    types: ["xlsx", "xltx", "xlsm"],
    open: async (file, options): Promise<Reader> => (await import("./excel.ts")).openExcel(file, options),
  },
  ods: {
    title: "OpenDocument spreadsheet",
    content: "bytes",
    extensions: ["ods"],
    types: ["ods"],
    open: async (file, options): Promise<Reader> => (await import("./ods.ts")).openOds(file, options),
  },
  parquet: {
    title: "Parquet file",
    content: "database",
    extensions: ["parquet", "pq"],
    types: ["parquet"],
    open: async (file, options): Promise<Reader> =>
      (await import("./duckdb/relation.ts")).openParquet(file, options),
  },
  json: {
    title: "JSON file",
    content: "text",
    extensions: ["json", "ndjson", "jsonl"],
    holds: ({ text }) => /^\s*(\{|\[\s*(\{|\]))/.test(text),
    open: async (file, options): Promise<Reader> =>
      (await import("./duckdb/relation.ts")).openJson(file, options),
  },
  svmlight: {
    title: "svmlight file",
    content: "text",
    extensions: ["svm", "svmlight", "libsvm"],
    holds: ({ whole }) =>
      whole.length > 0 && whole.every(line => /^\S+(\s+(qid|\d+):\S+)+\s*(#.*)?$/.test(line)),
    open: async (file, options): Promise<Reader> =>
      (await import("./svmlight.ts")).openSvmlight(file, options),
  },
  arff: {
    title: "ARFF file",
    content: "text",
    extensions: ["arff"],
    holds: ({ lines }) => /^\s*@(relation|attribute)\b/i.test(lines.find(line => !/^\s*%/.test(line)) ?? ""),
    open: async (file, options): Promise<Reader> => (await import("./arff.ts")).openArff(file, options),
  },
  conll: {
    title: "CoNLL file",
    content: "text",
    extensions: ["conll", "iob"],
    hasSentences: true,
    open: async (file, options): Promise<Reader> =>
      (await import("./conll.ts")).openConll(file, options, false),
  },
  conllu: {
    title: "CoNLL-U file",
    content: "text",
    extensions: ["conllu"],
    hasSentences: true,
    open: async (file, options): Promise<Reader> =>
      (await import("./conll.ts")).openConll(file, options, true),
  },
  folder: {
    title: "folder of text files",
    content: "folder",
    extensions: [],
    open: async ({ path }, options): Promise<Reader> =>
      (await import("./folder.ts")).openFolder(path, options),
  },
} as const satisfies Readonly<Record<string, FormatReader>>

/** The formats that can be opened. */
export type Format = keyof typeof READERS

/** Names of the formats, as `format` and `--format` take them. */
export const FORMATS = Object.keys(READERS) as readonly Format[]

const LISTED: readonly (readonly [Format, FormatReader])[] = FORMATS.map(format => [format, READERS[format]])

/** The format by the extension of a path. */
export function formatNamed(path: string): Format | undefined {
  return LISTED.find(([, { extensions, content }]) => {
    const name = content === "text" ? path.replace(/\.gz$/i, "") : path
    const extension = /\.([^./\\]*)$/.exec(name)?.[1].toLowerCase()
    return extension !== undefined && extensions.includes(extension)
  })?.[0]
}

/** True if rows of this format are the tokens of sentences. */
export function hasSentences(format: Format): boolean {
  const reader: FormatReader = READERS[format]
  return reader.hasSentences === true
}

/** The format of a text: cells between delimiters unless another one recognises it. */
export function formatOfText(head: Head): Format {
  return LISTED.find(([, reader]) => "holds" in reader && reader.holds?.(head))?.[0] ?? "csv"
}

/** The format of bytes, by what the library file-type calls them. */
export function formatOfType(type: string): Format | undefined {
  return LISTED.find(([, { types }]) => types?.includes(type))?.[0]
}
