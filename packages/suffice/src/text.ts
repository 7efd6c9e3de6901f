/** `suffice/text`: documents whose words are counted already, and the types of cells that hold words. Stop words and stemmers by language: `suffice-files/text`. */

export type { Bag, SparseBag } from "./contract/cells.ts"
export type { Stem } from "./contract/columns.ts"
export { type SparseCounts, sparse } from "./text/sparse.ts"
