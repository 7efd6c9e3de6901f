/**
 * `suffice-files/columns`: what is done with the values of a table, whoever reads it: what its columns are, the model proposed for them, rare levels pooled, dates as
 * parts. Nothing here touches a file, so that a page takes a table as the command does.
 */

export { AS, type As } from "./asked.ts"
export { headerOnly, nothingIn, openQuote, raggedRow, refuseProse } from "./csv-sentences.ts"
export { type DatePart, partOfDate } from "./dates.ts"
export { type Dialect, type DialectOptions, dialectOf, namesOf } from "./dialect.ts"
export { type EncodeOptions, encode, type TextFormat } from "./encode.ts"
export { FileError, type FileErrorCode, grouped, quoted } from "./errors.ts"
export { LIMITS, MISSING, OTHER } from "./limits.ts"
export {
  type Proposal,
  type Proposed,
  type ProposeOptions,
  pool,
  pooling,
  proposeModel,
  sourceFor,
} from "./propose.ts"
export type { ColumnKind, ColumnReport } from "./summary.ts"
export {
  type ColumnType,
  type FileColumn,
  type FileTable,
  fileTable,
  type Reader,
  type TableOptions,
} from "./table.ts"
export {
  type Decoding,
  missingCells,
  numberIn,
  retyped,
  stringColumn,
  type TextColumn,
  textColumns,
  trimmed,
} from "./text-columns.ts"
