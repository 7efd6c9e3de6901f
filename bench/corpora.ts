/** The texts of the studies. A document is its tokens in lower case, one space between them: so both systems read the same words. */
import { split } from "suffice/measure"
import { read } from "./datasets.ts"

export interface Document {
  readonly label: string
  readonly text: string
}
export interface Corpus {
  readonly name: string
  /** The published split, or several by seed. */
  readonly splits: readonly { readonly train: readonly Document[]; readonly test: readonly Document[] }[]
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu // what multinomial() takes for a word

function documentOf(label: string, text: string): Document {
  return { label, text: (text.replaceAll("<br />", " ").toLowerCase().match(WORD) ?? []).join(" ") }
}

/** One document per line, `label<TAB>text`, the text last. */
function documents(path: string, header: boolean): Document[] {
  const lines = read(path).replace(/\n$/, "").split("\n")
  return lines.slice(header ? 1 : 0).map(line => {
    const cells = line.split("\t")
    return documentOf(cells[0], cells[cells.length - 1])
  })
}

export function published(name: string, file: (part: "train" | "test") => string, header = false): Corpus {
  const [train, test] = (["train", "test"] as const).map(part => documents(`${name}/${file(part)}`, header))
  return { name, splits: [{ train, test }] }
}

/** 70/30, labels in proportion. */
export function seeded(name: string, file: string, seeds: number): Corpus {
  const all = documents(`${name}/${file}`, true)
  const splits = Array.from({ length: seeds }, (_, seed) =>
    split(all, { test: 0.3, stratify: "label", seed }),
  )
  return { name, splits }
}

export const stemmed = (name: string) => (part: string) => `${name}-${part}-stemmed.txt.gz`
