/** The answers of a family to reports, pages and code. Each family exports its guide beside itself; families/list.ts lists them. */
import type { Description } from "./report.ts"

export type ColumnKind = "number" | "count" | "level" | "text"

/** The answers of a family to pages, reports and code. */
export interface Guide {
  /** The name of the distribution: "gamma distribution". */
  readonly title: string
  /** The kinds of columns it suits, the most usual first. */
  readonly columns: readonly ColumnKind[]
  /** The parameters in a line: "mean 217.2, sd 6.5". */
  summary(parameters: Description, writing?: Writing): string
  /** Mean and standard deviation of its column; undefined: it has none, or parameters of another family. */
  mean(parameters: Description, options: Description): readonly [mean: number, sd: number] | undefined
  /** TypeScript that declares it, by the functions in `makers`: a family or, if it is joint, a model. */
  code(columns: readonly string[], options: Description): string
  readonly makers: readonly string[]

  /** The kind of column that is read as this family unless another is named. */
  readonly usual?: "number" | "count" | "category" | "binary" | "text"
  /** True if columns are read as it only on request, by its name. */
  readonly onRequest?: true
  /** The parameters column by column, of a family of several. */
  each?(parameters: Description): readonly (readonly [column: string, parameters: Description])[]
  /** It is a model of its columns, not a family of one: it models several, or reads others. */
  readonly joint?: true
  /** Columns that may vary together: in a leaf each, or in one. */
  readonly varies?: "alone" | "together"
  /** Its words are counted. */
  readonly counted?: true
  /** Its parameters are topics. */
  readonly topics?: true
  /** Its mean depends linearly on other columns. */
  readonly line?: true
  /** Options that a new leaf begins with. */
  readonly initial?: Description
  /** Options that a page offers to change. */
  readonly settings?: readonly Setting[]
}

/** An option of a family that a page offers to change. */
export type Setting =
  | { readonly option: string; readonly values: readonly string[]; readonly usual: string }
  | { readonly option: string; readonly from: number; readonly to: number; readonly usual: number }

/** How numbers and names look. */
export interface Writing {
  number(value: number, digits?: number): string
  share(probability: number): string
  /** A level or word. */
  name(text: string): string
  /** Entries of a list, before it is cut. */
  readonly most: number
}
