/** How the documentation is searched: what of a section is indexed, and how an index is asked. */
import type { Options, SearchOptions } from "minisearch"

/** A section of a page. */
export interface Entry {
  readonly id: number
  /** Of the page. */
  readonly title: string
  readonly heading: string
  /** From docs/: "models/topics.html#the-formula". */
  readonly address: string
  /** Its first words. */
  readonly begins: string
  readonly text: string
}

export const INDEXED: Options<Entry> = {
  fields: ["title", "heading", "text"],
  storeFields: ["title", "heading", "address", "begins"],
}

export const ASKED: SearchOptions = {
  prefix: true,
  fuzzy: 0.15,
  combineWith: "AND",
  boost: { title: 1.5, heading: 4 },
  boostDocument: (_, __, stored) => weightOf(String(stored?.address)),
}

/** What explains stands before what lists, and that before measurements. */
function weightOf(address: string): number {
  if (/^(models|learners|tutorials)\//.test(address)) return 1
  return address.startsWith("bench/") ? 0.1 : 0.5
}
