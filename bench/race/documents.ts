/** The real texts, read from their files as they are: label, tab, text. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"

export interface Document {
  readonly label: string
  readonly text: string
}

/** Stemmed words with one space between them, as the studies of text have them; and the reviews as they were written. */
const FILES = {
  "20ng": { file: (part: string) => `20ng/20ng-${part}-stemmed.txt.gz`, header: false },
  imdb: { file: (part: string) => `imdb/imdb-${part}.tsv.gz`, header: true },
} as const
export type Corpus = keyof typeof FILES

function read(data: string, corpus: Corpus, part: "train" | "test"): Document[] {
  const { file, header } = FILES[corpus]
  const lines = gunzipSync(readFileSync(join(data, file(part))))
    .toString("utf8")
    .replace(/\n$/, "")
    .split("\n")
  return lines.slice(header ? 1 : 0).map(line => {
    const [first, last] = [line.indexOf("\t"), line.lastIndexOf("\t")]
    return { label: line.slice(0, first), text: line.slice(last + 1) }
  })
}

export const trainDocuments = (data: string, corpus: Corpus) => read(data, corpus, "train")
export const testDocuments = (data: string, corpus: Corpus) => read(data, corpus, "test")
