/** Every limit of reading and inference, in one place. */
export const LIMITS = {
  /** Rows per batch, as many as in a chunk of the core. */
  batch: 8192,
  /** Types are inferred from all rows of files up to this many bytes; from the first rows of longer ones. */
  wholeBytes: 8_000_000,
  sampleRows: 50_000,
  /** Of a long and wide file, fewer rows: so many cells are looked at. */
  sampleCells: 20_000_000,
  /** Characters of a line of svmlight and ARFF: it is one row, held and taken apart at once. */
  line: 1 << 24,
  /** Bytes of an object of JSON. */
  object: 1 << 26,
  /** Bytes of a line of CSV. */
  csvLine: 8_000_000,
  /** Distinct values of a column are counted up to here. */
  distinct: 10_000,
  /** A category keeps this many levels, the most frequent ones; the rest become "(other)". */
  levels: 200,
  /** A label has at most this many levels. */
  labelLevels: 1000,
  /** From this many rows on, whole numbers that follow one another are a row number. */
  rowNumbers: 20,
  /** Up to this many different whole numbers may be codes: the report says so. */
  codes: 20,
  /** svmlight: up to this many features may become columns of their own. */
  denseFeatures: 1000,
} as const

/** Cells that mean "not known", in every format; blanks around them do not matter. */
export const MISSING: readonly string[] = [
  ...["", "?", "NA", "N/A", "n/a", "<NA>", "NaN", "nan", "null", "NULL"],
  // Spreadsheets' errors.
  ...["#N/A", "#NA", "#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?"],
]

/** The level that stands for all rare ones. */
export const OTHER = "(other)"
