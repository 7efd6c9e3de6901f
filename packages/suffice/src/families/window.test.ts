import { expect, test } from "vitest"
import type { Cell } from "../contract/cells.ts"
import { type WindowPart, windowCells } from "./window.ts"

/** The words of each step of one row. */
function words(parts: readonly WindowPart[], columns: Readonly<Record<string, readonly Cell[]>>): string[][] {
  const { from, cells } = windowCells(parts)
  const steps = Object.values(columns)[0].length
  const laid = from.map(name => columns[name])
  return cells(laid, Int32Array.of(0, steps)) as string[][]
}

/** Chunks: words and tags of neighbours, 19 for each step. */
const CHUNKS: readonly WindowPart[] = [
  { of: "word", at: [-2, 2] },
  { of: "word", at: [-1, 1], ngrams: 2 },
  { of: "pos", at: [-2, 2], ngrams: 3 },
]

/** Parts of speech: 21 for each step. */
const SPEECH: readonly WindowPart[] = [
  { of: "word" },
  { of: "word", as: "lower", at: [-2, 2] },
  { of: "word", as: "lower", at: [-1, 1], ngrams: 2 },
  { of: "word", as: "prefix", length: [1, 4] },
  { of: "word", as: "suffix", length: [1, 4] },
  { of: "word", as: "shape", at: [-1, 1] },
  { of: "word", as: "suffix", length: 3, at: [-1, 1] },
]

test("the features of chunking and of parts of speech can be said", () => {
  const word = ["The", "IBM-360", "ran"]
  const chunks = words(CHUNKS, { word, pos: ["DT", "NNP", "VBD"] })
  expect(chunks.map(step => step.length)).toEqual([19, 19, 19])
  expect(chunks[1]).toEqual([
    ...["word@-2=<s1>", "word@-1=The", "word=IBM-360", "word@1=ran", "word@2=</s1>"],
    ...["word@-1|word=The|IBM-360", "word|word@1=IBM-360|ran"],
    ...["pos@-2=<s1>", "pos@-2|pos@-1=<s1>|DT", "pos@-2|pos@-1|pos=<s1>|DT|NNP"],
    ...["pos@-1=DT", "pos@-1|pos=DT|NNP", "pos@-1|pos|pos@1=DT|NNP|VBD"],
    ...["pos=NNP", "pos|pos@1=NNP|VBD", "pos|pos@1|pos@2=NNP|VBD|</s1>"],
    ...["pos@1=VBD", "pos@1|pos@2=VBD|</s1>", "pos@2=</s1>"],
  ])
  const speech = words(SPEECH, { word })
  expect(speech.map(step => step.length)).toEqual([21, 21, 21])
  const own = "word.lower@-2=<s1> word.lower@-1=the word.lower=ibm-360 word.lower@1=ran word.lower@2=</s1>"
  const pairs = "word.lower@-1|word.lower=the|ibm-360 word.lower|word.lower@1=ibm-360|ran"
  const prefixes = "word.prefix1=i word.prefix2=ib word.prefix3=ibm word.prefix4=ibm-"
  const suffixes = "word.suffix1=0 word.suffix2=60 word.suffix3=360 word.suffix4=-360"
  const shapes = "word.shape@-1=Xxx word.shape=XX-dd word.shape@1=xx"
  const near = "word.suffix3@-1=the word.suffix3@1=ran"
  const wanted = `word=IBM-360 ${own} ${pairs} ${prefixes} ${suffixes} ${shapes} ${near}`
  expect([...speech[1]].sort()).toEqual(wanted.split(" ").sort())
})

test("columns stand together, cells may be numbers, and a missing cell makes no word", () => {
  const parts = [{ of: ["a", "b"], at: [0, 1], ngrams: 2 }] as const
  expect(words(parts, { a: [1, true, "x"], b: ["p", null, Number.NaN] })).toEqual([
    ["a|b=1|p"],
    [],
    ["a@1|b@1=</s1>|</s1>"],
  ])
  expect(words([{ of: "a" }, { of: "none" }], { a: ["x"] })).toEqual([["a=x"]])
})

test("no word looks across the end of a row", () => {
  const { cells } = windowCells([{ of: "x", at: [-1, 1] }])
  expect(cells([["a", "b", "c"]], Int32Array.of(0, 1, 1, 3))).toEqual([
    ["x@-1=<s1>", "x=a", "x@1=</s1>"],
    ["x@-1=<s1>", "x=b", "x@1=c"],
    ["x@-1=b", "x=c", "x@1=</s1>"],
  ])
})

test("characters of two halves and letters of other scripts are whole", () => {
  const parts = [
    { of: "x", as: "prefix", length: [1, 2] },
    { of: "x", as: "shape" },
  ] as const
  expect(words(parts, { x: ["😀Éa7"] })).toEqual([["x.prefix1=😀", "x.prefix2=😀é", "x.shape=😀Xxd"]])
})
