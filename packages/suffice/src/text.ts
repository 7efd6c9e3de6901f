/** `suffice/text`: documents whose words are counted already, and the types of cells that hold words. Stop words and stemmers by language: `suffice-files/text`. */

export type { Bag, SparseBag, Stem } from "./contract.ts"
export { type SparseCounts, sparse } from "./text/sparse.ts"
