/** Readers for Node, and what is needed to learn from a file. The whole public surface, by name. */

export type { As } from "./asked.ts"
export { type DatePart, partOfDate } from "./dates.ts"
export { type EncodeOptions, encode, type TextFormat } from "./encode.ts"
export { FileError, type FileErrorCode } from "./errors.ts"
export { EXAMPLES, type ExampleName, examplePath } from "./examples.ts"
export { FORMATS, type Format } from "./formats.ts"
export { LIMITS, MISSING, OTHER } from "./limits.ts"
export { openTable, type TableInput } from "./open.ts"
export { filesOf } from "./paths.ts"
export {
  type Proposal,
  type Proposed,
  type ProposeOptions,
  pool,
  pooling,
  proposeModel,
  sourceFor,
} from "./propose.ts"
export { replaceFile, targetOf } from "./replace.ts"
export type { ColumnKind, ColumnReport } from "./summary.ts"
export type {
  ColumnType,
  FileColumn,
  FileTable,
  TableOptions,
} from "./table.ts"
export { type WriteFormat, type WriteOptions, writeTable } from "./write.ts"
