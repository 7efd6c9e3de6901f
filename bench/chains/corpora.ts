/** Sentences, their training part and test part, and series. */
import { read } from "../datasets.ts"

export interface Token {
  readonly word: string
  /** Where the corpus has them: the part of speech that is read, not predicted. */
  readonly pos: string
  readonly tag: string
}
export type Sentence = readonly Token[]

export interface Tagged {
  readonly train: readonly Sentence[]
  readonly test: readonly Sentence[]
}

/** Blank lines between sentences; of a line the cells are tabs or blanks apart. */
function sentences(path: string, tokenOf: (cells: readonly string[]) => Token): Sentence[] {
  return read(path)
    .split(/\n\s*\n/)
    .map(block => block.split("\n").filter(line => line.trim() !== ""))
    .filter(lines => lines.length > 0)
    .map(lines => lines.map(line => tokenOf(line.split(/[\t ]/))))
}

/** Chunks: the first 7,936 sentences are learned from, the last 1,000 measured on. */
export function chunking(): Tagged {
  const all = sentences("conll2000/conll2000-train.txt.gz", ([word, pos, tag]) => ({ word, pos, tag }))
  return {
    train: all.slice(0, 7936),
    test: all.slice(7936),
  }
}

/** Parts of speech: the published split of UD English EWT. */
export function speech(): Tagged {
  const of = (part: string) =>
    sentences(`ud-english-ewt/ewt-${part}.tsv.gz`, ([word, tag]) => ({ word, pos: "", tag }))
  return { train: of("train"), test: of("test") }
}

export interface Series {
  readonly name: string
  readonly kind: "poisson" | "gaussian"
  readonly states: number
  readonly values: readonly number[]
}

/** Five series of R's datasets and of Zucchini, MacDonald & Langrock (2016). */
export function series(): Series[] {
  const of = (path: string, column: string): number[] => {
    const [head, ...lines] = read(`${path}.csv.gz`)
      .trim()
      .split("\n")
      .map(line => line.trim().replaceAll('"', "").split(","))
    return lines.map(line => Number(line[head.indexOf(column)]))
  }
  const quakes = of("hmm-series/earthquakes", "count")
  return [
    { name: "earthquakes", kind: "poisson", states: 2, values: quakes },
    { name: "earthquakes", kind: "poisson", states: 3, values: quakes },
    { name: "nile", kind: "gaussian", states: 2, values: of("hmm-series/nile", "value") },
    {
      name: "√sunspots",
      kind: "gaussian",
      states: 3,
      values: of("hmm-series/sunspot-year", "value").map(Math.sqrt),
    },
    {
      name: "geyser durations",
      kind: "gaussian",
      states: 2,
      values: of("old-faithful/geyser-mass", "duration"),
    },
  ]
}
