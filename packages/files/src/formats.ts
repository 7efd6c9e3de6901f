/**
 * The formats of tables: how a file of each is recognised. Error messages, help and the documentation list these. The functions that open them are in
 * readers.ts, so that a page can name formats without readers.
 */

/** The beginning of a text. */
export interface Head {
  readonly text: string
  /** Lines that are not blank. */
  readonly lines: readonly string[]
  /** Lines without the last one, if it is cut. */
  readonly whole: readonly string[]
}

/** How files of a format are recognised. */
export interface FormatDescription {
  /** Noun for a file of the format. */
  readonly title: string
  /** Text may be gzipped, and in any known encoding; of a folder or a database the name is enough. */
  readonly content: "text" | "bytes" | "folder" | "database"
  readonly extensions: readonly string[]
  /** Names of the format in the library file-type. */
  readonly types?: readonly string[]
  /** Recognises a text. */
  readonly holds?: (head: Head) => boolean
  /** True if rows are the tokens of sentences, which the column `sequence` numbers. */
  readonly hasSentences?: true
}

/** An entry for each format. */
export const DESCRIPTIONS = {
  csv: {
    title: "CSV file",
    content: "text",
    extensions: ["csv"],
  },
  tsv: {
    title: "TSV file",
    content: "text",
    extensions: ["tsv", "tab"],
  },
  xlsx: {
    title: "Excel workbook",
    content: "bytes",
    extensions: ["xlsx", "xlsm"],
    types: ["xlsx", "xltx", "xlsm"],
  },
  ods: {
    title: "OpenDocument spreadsheet",
    content: "bytes",
    extensions: ["ods"],
    types: ["ods"],
  },
  parquet: {
    title: "Parquet file",
    content: "database",
    extensions: ["parquet", "pq"],
    types: ["parquet"],
  },
  json: {
    title: "JSON file",
    content: "text",
    extensions: ["json", "ndjson", "jsonl"],
    holds: ({ text }) => /^\s*(\{|\[\s*(\{|\]))/.test(text),
  },
  svmlight: {
    title: "svmlight file",
    content: "text",
    extensions: ["svm", "svmlight", "libsvm"],
    holds: ({ whole }) =>
      whole.length > 0 && whole.every(line => /^\S+(\s+(qid|\d+):\S+)+\s*(#.*)?$/.test(line)),
  },
  arff: {
    title: "ARFF file",
    content: "text",
    extensions: ["arff"],
    holds: ({ lines }) => /^\s*@(relation|attribute)\b/i.test(lines.find(line => !/^\s*%/.test(line)) ?? ""),
  },
  conll: {
    title: "CoNLL file",
    content: "text",
    extensions: ["conll", "iob"],
    hasSentences: true,
  },
  conllu: {
    title: "CoNLL-U file",
    content: "text",
    extensions: ["conllu"],
    hasSentences: true,
  },
  folder: {
    title: "folder of text files",
    content: "folder",
    extensions: [],
  },
} as const satisfies Readonly<Record<string, FormatDescription>>

/** The formats that can be opened. */
export type Format = keyof typeof DESCRIPTIONS

/** Names of the formats, as `format` and `--format` take them. */
export const FORMATS = Object.keys(DESCRIPTIONS) as readonly Format[]

const LISTED: readonly (readonly [Format, FormatDescription])[] = FORMATS.map(format => [
  format,
  DESCRIPTIONS[format],
])

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
  const description: FormatDescription = DESCRIPTIONS[format]
  return description.hasSentences === true
}

/** The format of a text: cells between delimiters unless another one recognises it. */
export function formatOfText(head: Head): Format {
  return LISTED.find(([, { holds }]) => holds?.(head))?.[0] ?? "csv"
}

/** The format of bytes, by what the library file-type calls them. */
export function formatOfType(type: string): Format | undefined {
  return LISTED.find(([, { types }]) => types?.includes(type))?.[0]
}
