/** Corpora of 2 to 50 classes, training rows only, for what depends on the number of classes. */
import { split } from "suffice/measure"
import { type Document, documentOf, published, seeded, stemmed } from "./corpora.ts"
import { read } from "./datasets.ts"

export interface Labelled {
  readonly name: string
  readonly rows: readonly Document[]
}

function cellsOf(path: string): string[][] {
  const lines = read(path).trimEnd().split("\n").slice(1)
  return lines.map(line => line.split("\t"))
}

/** A document is a file; 70 % of them. */
function brown(): readonly Document[] {
  const files = new Map<string, { label: string; sentences: string[] }>()
  for (const [label, file, tagged] of cellsOf("brown/brown.tsv.gz")) {
    const { sentences } = files.get(file) ?? { sentences: [] as string[] }
    sentences.push(
      tagged
        .split(" ")
        .map(token => token.slice(0, token.lastIndexOf("/")))
        .join(" "),
    )
    files.set(file, { label, sentences })
  }
  const all = [...files.values()].map(({ label, sentences }) => documentOf(label, sentences.join(" ")))
  return split(all, { test: 0.3, stratify: "label", seed: 0 }).train
}

function questions(isFine: boolean): readonly Document[] {
  return cellsOf("trec-qc/trec-train.tsv.gz").map(([coarse, fine, text]) =>
    documentOf(isFine ? `${coarse}:${fine}` : coarse, text),
  )
}

/** Of class k, in the order of their names, every (k + 1)th document, but six at least. */
function uneven(rows: readonly Document[]): Document[] {
  const labels = [...new Set(rows.map(({ label }) => label))].sort()
  return labels.flatMap((label, k) => {
    const own = rows.filter(row => row.label === label)
    return own.filter((_, i) => i % (k + 1) === 0 || i < 6)
  })
}

/** All of them, or those with these names. */
export function manyClasses(names?: readonly string[]): readonly Labelled[] {
  const train = (name: string) => published(name, stemmed(name)).splits[0].train
  const skewed = () => uneven(train("20ng"))
  const all: (readonly [name: string, rows: () => readonly Document[]])[] = [
    ["sms-spam", () => seeded("sms-spam", "sms-spam.tsv.gz", 1).splits[0].train],
    ["enron1-spam", () => seeded("enron1-spam", "enron1.tsv.gz", 1).splits[0].train],
    ["webkb", () => train("webkb")],
    ["trec-qc coarse", () => questions(false)],
    ["r8", () => train("r8")],
    ["brown's genres", () => brown()],
    ["20ng", () => train("20ng")],
    ["trec-qc fine", () => questions(true)],
    ["20ng, uneven", skewed],
    ["r8 and 20ng, uneven", () => [...train("r8"), ...skewed().filter((_, i) => i % 2 === 0)]],
  ]
  return all.filter(([name]) => names?.includes(name) ?? true).map(([name, rows]) => ({ name, rows: rows() }))
}
