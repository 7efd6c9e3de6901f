/** Features of a token and its neighbours: the same strings for every system. */
import type { Sentence } from "./corpora.ts"

export type Features = (sentence: Sentence) => readonly (readonly string[])[]

/** The cell `t`; before and after the sentence <s1>, </s1> and so on. */
function at(cells: readonly string[], t: number): string {
  return cells[t] ?? (t < 0 ? `<s${-t}>` : `</s${t - cells.length + 1}>`)
}

const around = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** Chunking, 19: five words, two pairs of them; five parts of speech, four pairs, three triples. */
export const chunkFeatures: Features = sentence => {
  const words = sentence.map(({ word }) => word)
  const tags = sentence.map(({ pos }) => pos)
  const joined = (name: string, cells: readonly string[], t: number, from: number, size: number) => {
    const places = around(from, from + size - 1)
    return `${name}${places.join("|")}=${places.map(d => at(cells, t + d)).join("|")}`
  }
  return sentence.map((_, t) => [
    ...around(-2, 2).map(d => joined("w", words, t, d, 1)),
    ...around(-1, 0).map(d => joined("w", words, t, d, 2)),
    ...[1, 2, 3].flatMap(size => around(-2, 3 - size).map(d => joined("p", tags, t, d, size))),
  ])
}

/** Capitals X, small letters x, digits d; runs of more than two cut to two. */
function shapeOf(word: string): string {
  return word
    .replace(/[A-Z]/g, "X")
    .replace(/[a-z]/g, "x")
    .replace(/[0-9]/g, "d")
    .replace(/(.)\1{2,}/g, "$1$1")
}

/** Parts of speech, 21: the word, in small letters too; four neighbours and two pairs; prefixes and suffixes of up to four letters; three shapes; two suffixes of neighbours. */
export const speechFeatures: Features = sentence => {
  const words = sentence.map(({ word }) => word)
  const small = words.map(word => word.toLowerCase())
  const shapes = words.map(shapeOf)
  return sentence.map((_, t) => [
    `w=${words[t]}`,
    `l=${small[t]}`,
    ...[-2, -1, 1, 2].map(d => `l${d}=${at(small, t + d)}`),
    `l-1|0=${at(small, t - 1)}|${small[t]}`,
    `l0|1=${small[t]}|${at(small, t + 1)}`,
    ...[1, 2, 3, 4].flatMap(n => [`s${n}=${small[t].slice(-n)}`, `p${n}=${small[t].slice(0, n)}`]),
    ...[-1, 0, 1].map(d => `sh${d}=${at(shapes, t + d)}`),
    ...[-1, 1].map(d => `s3${d}=${at(small, t + d).slice(-3)}`),
  ])
}
