/** Sparse counts: the same documents as counts by word; the same bits, where words are numbered alike. */
import fc from "fast-check"
import { afterEach, describe, expect, test } from "vitest"
import { linearScores } from "../answers/linear-scores.ts"
import { crossValidate } from "../choose/cross-validate.ts"
import { split } from "../choose/split.ts"
import type { Cell, Row } from "../contract/cells.ts"
import type { Family } from "../contract/family.ts"
import type { SufficeError } from "../errors.ts"
import { type MultinomialOptions, multinomial } from "../families/multinomial.ts"
import { wordSet } from "../families/word-set.ts"
import { fit } from "../fit/fit.ts"
import type { FitOptions } from "../fit/options.ts"
import { useKernels } from "../kernels/fast/use.ts"
import { em } from "../learners/em.ts"
import { onlineEm } from "../learners/online-em.ts"
import { sdem } from "../learners/sdem.ts"
import { dice } from "../random.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { type SparseCounts, sparse } from "./sparse.ts"

type Counts = Readonly<Record<string, number>>

/** Documents as counts, as one matrix with its words in this order, and as lists of words. */
function shapes(documents: readonly Counts[], words: readonly string[]) {
  const offsets = [0]
  const codes: number[] = []
  const counts: number[] = []
  for (const document of documents) {
    for (const [word, count] of Object.entries(document)) {
      codes.push(words.indexOf(word))
      counts.push(count)
    }
    offsets.push(codes.length)
  }
  return {
    objects: documents,
    sparse: sparse({ offsets: Int32Array.from(offsets), codes: Int32Array.from(codes), counts, words }),
    lists: documents.map(document =>
      Object.entries(document).flatMap(([word, count]) => Array<string>(count).fill(word)),
    ),
  }
}

const VOCABULARY = Array.from({ length: 60 }, (_, w) => (w % 7 === 0 ? `wörd ${w}` : `w${w}`))
/** In order of their code units, and with a word that nobody uses. */
const SORTED = [...VOCABULARY, "never"].sort()

/** Some of them are empty. */
function documentsOf(count: number, seed: number, words: readonly string[] = VOCABULARY): Counts[] {
  const die = dice(seed)
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(
      Array.from({ length: i % 11 === 5 ? 0 : 1 + die.integer(14) }, () => [
        words[(die.integer(30) + 12 * (i % 3)) % words.length],
        1 + die.integer(3),
      ]),
    ),
  )
}

const label = (i: number) => `class ${i % 3}`
const tableOf = (cells: readonly Cell[]): Row[] =>
  cells.map((text, i) => ({ text: i % 13 === 4 ? null : text, y: label(i), w: (i % 4) / 2 }))

const documents = documentsOf(700, 1)
const all = { unsorted: shapes(documents, VOCABULARY), sorted: shapes(documents, SORTED) }

async function fitted(family: Family, cells: readonly Cell[], options: FitOptions) {
  const model = classes("y", independent({ text: family as never }))
  return fit(model as never, tableOf(cells) as never, { seed: 3, ...options })
}

/** The described model by paths, and its answers: words may be in another order, which other bits come of. */
async function numbers(...[family, cells, options]: Parameters<typeof fitted>): Promise<Map<string, number>> {
  const found = await fitted(family, cells, options)
  const { probabilities } = found.posterior(cells.map(text => ({ text })) as never)
  return numbersIn([found.describe(), probabilities])
}

function numbersIn(value: unknown): Map<string, number> {
  const found = new Map<string, number>()
  const visit = (value: unknown, path: string): void => {
    if (typeof value === "number") found.set(path, value)
    else if (typeof value === "object" && value !== null)
      for (const [key, part] of Object.entries(value)) visit(part, `${path}/${key}`)
  }
  visit(value, "")
  return found
}

function expectSame(found: Map<string, number>, expected: Map<string, number>): void {
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort())
  for (const [path, number] of expected) {
    const difference = Math.abs(found.get(path)! - number)
    if (!(difference <= 1e-11 * Math.max(1, Math.abs(number))))
      expect.fail(`${path}: ${found.get(path)} in place of ${number}`)
  }
}

const families: readonly (readonly [string, () => Family])[] = [
  ["multinomial", () => multinomial()],
  ["multinomial, raw", () => multinomial({ scaling: "raw", prior: 0.5 })],
  ["multinomial, tfidf", () => multinomial({ scaling: "tfidf" })],
  ["multinomial, l2", () => multinomial({ scaling: "l2" })],
  ["wordSet", () => wordSet()],
  [
    "stop words, stems and runs",
    () => multinomial({ ngrams: 2, stopWords: ["w1"], stem: { name: "first", stem: word => word[0] } }),
  ],
  ["buckets", () => multinomial({ hash: 16 })],
  ["buckets, tfidf", () => multinomial({ hash: 16, scaling: "tfidf" })],
  ["words of a wordSet in buckets", () => wordSet({ hash: 16 })],
  ["a given vocabulary", () => multinomial({ words: ["w9", "w2", "nowhere", "wörd 7", "w11"] })],
  ["limits", () => multinomial({ minDocuments: 60, maxDocuments: 0.4, maxWords: 20 })],
  ["limits and tfidf", () => multinomial({ minDocuments: 60, scaling: "tfidf" })],
]

describe.each(families)("%s: sparse counts are counts by word", (_, family) => {
  afterEach(() => useKernels("wasm"))

  test.each(["unsorted", "sorted"] as const)("with words that are %s", async order => {
    const { objects, sparse } = all[order]
    expectSame(await numbers(family(), sparse, {}), await numbers(family(), objects, {}))
    const weighted = { weight: "w", classWeights: { "class 1": 2 } }
    expectSame(await numbers(family(), sparse, weighted), await numbers(family(), objects, weighted))
  })

  test("whatever learns, and whatever computes", async () => {
    const { objects, sparse } = all.sorted
    for (const learner of [sdem({ epochs: 2 }), onlineEm({ epochs: 2 }), em({ prior: 0.5 })]) {
      expectSame(await numbers(family(), sparse, { learner }), await numbers(family(), objects, { learner }))
    }
    useKernels("typescript")
    expectSame(await numbers(family(), sparse, {}), await numbers(family(), objects, {}))
  })

  test("among texts, lists and Maps, and out of order", async () => {
    expectSame(await numbers(family(), mixed, {}), await numbers(family(), documents, {}))
    const backwards = all.sorted.sparse.toReversed()
    expectSame(await numbers(family(), backwards, {}), await numbers(family(), documents.toReversed(), {}))
  })
})

const mixed = all.unsorted.sparse.map((cell, i): Cell => {
  const other = all.sorted.sparse[i]
  const counts = documents[i]
  return [cell, cell, new Map(Object.entries(counts)), other, counts, cell][i % 6]
})

const numbered: readonly (readonly [string, () => Family])[] = [
  ["multinomial", () => multinomial({ words: VOCABULARY })],
  ["multinomial, raw", () => multinomial({ words: VOCABULARY, scaling: "raw", prior: 0.5 })],
  ["multinomial, tfidf", () => multinomial({ words: VOCABULARY, scaling: "tfidf" })],
  ["multinomial, l2", () => multinomial({ words: VOCABULARY, scaling: "l2" })],
  ["wordSet", () => wordSet({ words: VOCABULARY })],
  ["some of the words", () => multinomial({ words: ["w9", "w2", "nowhere", "wörd 7", "w11"] })],
  ["buckets", () => multinomial({ hash: 16 })],
]

test.each(numbered)("%s: words that are numbered alike give the same bits", async (_, family) => {
  for (const learner of [em(), sdem({ epochs: 2 })]) {
    const bits = async (cells: readonly Cell[]) => {
      const found = await fitted(family(), cells, { learner })
      const asked = cells.map(text => ({ text })) as never
      return JSON.stringify([found, [...found.posterior(asked).logs]])
    }
    const expected = await bits(documents)
    for (const cells of [all.unsorted.sparse, all.sorted.sparse, all.sorted.lists, mixed])
      expect(await bits(cells)).toBe(expected)
  }
})

test("a column of them is what rows of them are, and chunks are cut where they always are", async () => {
  const many = documentsOf(20_000, 5)
  const { sparse: cells } = shapes(many, SORTED)
  const y = many.map((_, i) => label(i))
  const model = classes("y", independent({ text: multinomial() }))
  const columns = await fit(model, { text: cells, y })
  const table = cells.map((text, i) => ({ text, y: y[i] }))
  const rows = await fit(model, table)
  expect(JSON.stringify(columns)).toBe(JSON.stringify(rows))
  const asked = columns.posterior({ text: cells }).probabilities
  expect(asked).toEqual(rows.posterior(table).probabilities)
  const source = {
    async *[Symbol.asyncIterator]() {
      for (let i = 0; i < cells.length; i += 3000) {
        yield { text: cells.slice(i, i + 3000), y: y.slice(i, i + 3000) }
      }
    },
  }
  const { columns: schema, statistics } = JSON.parse(JSON.stringify(columns))
  expect(JSON.parse(JSON.stringify(await fit(model, source)))).toMatchObject({ columns: schema, statistics })
})

test("threads and hidden classes give the same bits", async () => {
  const many = documentsOf(20_000, 6)
  const { sparse: cells, objects } = shapes(many, SORTED)
  const model = mixture(3, independent({ text: multinomial() }))
  const bitsOf = async (text: readonly Cell[], threads: number) =>
    JSON.stringify(await fit(model, { text } as never, { threads, learner: em({ maxIterations: 3 }) }))
  const one = await bitsOf(objects, 1)
  expect(await bitsOf(cells, 1)).toBe(one)
  expect(await bitsOf(cells, 2)).toBe(one)
  // the arrays are still here
  expect(await bitsOf(cells, 1)).toBe(one)
})

test("cells are values: rows are split, folded and asked about one by one", async () => {
  const rows = (cells: readonly Cell[]) => cells.map((text, i) => ({ text, y: label(i) }))
  const model = classes("y", independent({ text: multinomial({ words: VOCABULARY }) }))
  const measured = async (cells: readonly Cell[]) => {
    const { train, test } = split(rows(cells) as never, { seed: 2 })
    const fitted = await fit(model, train as never)
    return numbersIn([
      fitted.predict(test as never),
      await crossValidate(model, rows(cells) as never, { folds: 3 }),
    ])
  }
  expectSame(await measured(all.unsorted.sparse), await measured(all.unsorted.objects))
})

test("words that training never met are told of, in questions of one row and of many", async () => {
  const model = classes("y", independent({ text: wordSet() }))
  const fitted = await fit(model, tableOf(documents) as never)
  const words = ["b", "a", "w1"]
  const asked = sparse({ offsets: [0, 3, 3, 4], codes: [0, 1, 2, 1], words })
  const questions = asked.map(text => ({ text }))
  const unseen = fitted.predict(questions as never).map(answer => answer.unseen)
  expect(unseen).toEqual([{ text: ["b", "a"] }, undefined, { text: ["a"] }])
  expect(fitted.predict([questions[0]] as never)[0].unseen).toEqual({ text: ["b", "a"] })
  const limited = await fit(
    classes("y", independent({ text: multinomial({ maxWords: 5 }) })),
    tableOf(documents) as never,
  )
  expect(limited.predict(questions as never).map(answer => answer.unseen)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test("an update brings the words of sparse counts along", async () => {
  const model = classes("y", independent({ text: multinomial() }))
  const more = documentsOf(50, 9, ["zebra", "ant", "w3", "w4"])
  const rows = (cells: readonly Cell[]) => cells.map((text, i) => ({ text, y: label(i) }))
  const updated = async (cells: readonly Cell[], then: readonly Cell[]) =>
    JSON.stringify(await (await fit(model, rows(cells) as never)).update(rows(then) as never))
  const expected = await updated(documents, more)
  expect(await updated(all.sorted.sparse, shapes(more, ["w4", "w3", "ant", "zebra"]).sparse)).toBe(expected)
})

test("linear scores read a cell as its counts, and so does JSON", async () => {
  const options: MultinomialOptions = { scaling: "raw" }
  const model = classes("y", independent({ text: multinomial(options) }))
  const fitted = await fit(model, tableOf(documents) as never)
  const linear = fitted.toLinear()
  expect(linearScores(linear, { text: all.unsorted.sparse[3] } as never)).toEqual(
    linearScores(linear, { text: documents[3] } as never),
  )
  expect(JSON.parse(JSON.stringify(all.unsorted.sparse))).toEqual(documents)
})

describe("a matrix", () => {
  const tiny = { offsets: [0, 2, 2, 3], codes: [0, 1, 1], counts: [2, 1, 4], words: ["a", "b"] }
  const plain = (given: SparseCounts) => sparse(given).map(cell => cell.toJSON())

  test("is read in any order, entries of a word are added, zeros are nothing", () => {
    const entry = fc.record({ code: fc.nat(4), count: fc.nat(2) })
    const words = fc.shuffledSubarray(["a", "b", "ab", "é", "𝒳"], { minLength: 5 })
    fc.assert(
      fc.property(fc.array(fc.array(entry, { maxLength: 30 }), { maxLength: 5 }), words, (entries, words) => {
        const offsets = [0]
        for (const document of entries) offsets.push(offsets[offsets.length - 1] + document.length)
        const found = plain({
          offsets,
          codes: entries.flat().map(({ code }) => code),
          counts: Float32Array.from(entries.flat(), ({ count }) => count),
          words,
        })
        const expected = entries.map(document => {
          const counts: Record<string, number> = {}
          for (const { code, count } of document)
            if (count > 0) counts[words[code]] = (counts[words[code]] ?? 0) + count
          return counts
        })
        expect(found).toEqual(expected)
      }),
      { numRuns: 300, seed: 1 },
    )
  })

  test("counts once what has no counts", () => {
    expect(plain({ ...tiny, counts: undefined })).toEqual([{ a: 1, b: 1 }, {}, { b: 1 }])
    expect(plain({ ...tiny, counts: undefined, codes: [1, 1, 0] })).toEqual([{ b: 2 }, {}, { a: 1 }])
    expect(sparse({ offsets: [0], codes: [], words: [] })).toEqual([])
  })

  test("that cannot be read is refused", () => {
    const wrong: Readonly<Record<string, Partial<Record<keyof SparseCounts, unknown>>>> = {
      "offsets that do not begin with 0": { offsets: [1, 3] },
      "no offsets at all": { offsets: [] },
      "offsets that fall": { offsets: [0, 2, 1, 3] },
      "offsets that are not whole": { offsets: [0, 1.5, 3] },
      "offsets that end early": { offsets: [0, 1, 2] },
      "offsets beyond the end": { offsets: [0, 1, 4] },
      "no documents for the codes": { offsets: [0] },
      "codes without a word": { codes: [0, 2, 1] },
      "codes that are not whole": { codes: [0, 0.5, 1] },
      "negative codes": { codes: [0, 1, -1] },
      "a negative count": { counts: [1, -1, 1] },
      "a count that is none": { counts: [1, 1, Number.NaN] },
      "too few counts": { counts: [1] },
      "a word that is none": { words: ["a", 7] },
      "a word twice": { words: ["b", "a", "b"] },
      "no codes": { codes: undefined },
      "words that are no list": { words: "ab" },
    }
    const said = Object.entries(wrong).map(([what, part]) => {
      try {
        return `${what}: ${sparse({ ...tiny, ...part } as never).length}`
      } catch (error) {
        return `${what}: ${(error as SufficeError).message}`
      }
    })
    expect(said).toMatchInlineSnapshot(`
      [
        "offsets that do not begin with 0: sparse: offsets[0] is 1. It must be one of whole numbers that begin with 0, never fall, and end with 3, the number of codes. Pass them as a CSR matrix has them.",
        "no offsets at all: sparse: offsets[0] is undefined. It must be one of whole numbers that begin with 0, never fall, and end with 3, the number of codes. Pass them as a CSR matrix has them.",
        "offsets that fall: sparse: offsets[2] is 1. It must be one of whole numbers that begin with 0, never fall, and end with 3, the number of codes. Pass them as a CSR matrix has them.",
        "offsets that are not whole: sparse: offsets[1] is 1.5. It must be one of whole numbers that begin with 0, never fall, and end with 3, the number of codes. Pass them as a CSR matrix has them.",
        "offsets that end early: sparse: offsets[2] is 2. It must be one of whole numbers that begin with 0, never fall, and end with 3, the number of codes. Pass them as a CSR matrix has them.",
        "offsets beyond the end: sparse: offsets[2] is 4. It must be one of whole numbers that begin with 0, never fall, and end with 3, the number of codes. Pass them as a CSR matrix has them.",
        "no documents for the codes: sparse: offsets[0] is 0. It must be one of whole numbers that begin with 0, never fall, and end with 3, the number of codes. Pass them as a CSR matrix has them.",
        "codes without a word: sparse: codes[1] is 2. It must be the place of one of the 2 words. Correct it, or give words all there are.",
        "codes that are not whole: sparse: codes[1] is 0.5. It must be the place of one of the 2 words. Correct it, or give words all there are.",
        "negative codes: sparse: codes[2] is -1. It must be the place of one of the 2 words. Correct it, or give words all there are.",
        "a negative count: sparse: counts[1] is -1. It must be a finite number ≥ 0. Correct it, or leave the entry out.",
        "a count that is none: sparse: counts[2] is NaN. It must be a finite number ≥ 0. Correct it, or leave the entry out.",
        "too few counts: sparse: counts.length is 1. It must be 3, that of codes. Leave counts out if all are 1.",
        "a word that is none: sparse: words[1] is 7. It must be text. Give each code its word.",
        "a word twice: sparse: words[2] is "b". It must be there once. Name each word once.",
        "no codes: sparse: codes is undefined. It must be an array. Pass offsets, codes and words, and counts unless all are 1.",
        "words that are no list: sparse: words is "ab". It must be an array. Pass offsets, codes and words, and counts unless all are 1.",
      ]
    `)
  })
})

test("documents that weigh nothing bring no words", async () => {
  const words = ["sun", "rain", "snow"]
  const { sparse: cells } = shapes([{ sun: 1 }, { snow: 2 }, { rain: 1, sun: 1 }], words)
  const rows = cells.map((text, i) => ({ text, y: label(i), w: i === 1 ? 0 : 1 }))
  for (const family of [multinomial(), multinomial({ scaling: "tfidf" })]) {
    const model = classes("y", independent({ text: family }))
    const found = await fit(model, rows as never, { weight: "w" })
    const { given } = found.describe().y as never as { given: Record<string, { text: { words: object } }> }
    expect(Object.keys(given["class 0"].text.words).sort()).toEqual(["rain", "sun"])
  }
})
