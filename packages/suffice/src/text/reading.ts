/** From cells to bags: what families over bags provide to the door. First pass: explorer.ts. Further passes look up the code of each word. */
import type { Cell } from "../contract/cells.ts"
import type { Column, Stem, TextOptions } from "../contract/columns.ts"
import type { ColumnEncoder, Reading } from "../contract/door.ts"
import { BagEncoder, type BagReader, type CodeMap, type ReadBag } from "./bag-encoder.ts"
import { isChosen, WordExplorer } from "./explorer.ts"
import { bucketOf } from "./hash.ts"
import type { Remembered } from "./remembered.ts"
import type { SparseSource } from "./sparse.ts"
import { Tally } from "./tally.ts"
import { type EachWord, eachWord, isPlain, type WordSink } from "./tokenise.ts"
import { WordTable } from "./word-table.ts"

type BagColumn = Extract<Column, { kind: "bag" }>

export function readingOf(text: TextOptions, stem?: Stem): Reading {
  return new BagReading(eachWord(text, stem))
}

class BagReading implements Reading {
  readonly #each: EachWord
  readonly #readers = new WeakMap<Column, WordReader>()

  constructor(each: EachWord) {
    this.#each = each
  }

  explore(
    ...[need, known, scaling, remember]: Parameters<Reading["explore"]>
  ): ReturnType<Reading["explore"]> {
    const explorer = new WordExplorer(need, known as BagColumn | undefined, scaling, this.#each, remember)
    return {
      run: (cells, weights, from) => explorer.run(cells, weights, from),
      look: (cell, weight) => explorer.look(cell, weight),
      endChunk: () => explorer.endChunk(),
      endStretch: () => explorer.endStretch(),
      part: () => explorer.part(),
      join: part => explorer.join(part),
      get seen() {
        return explorer.seen
      },
      column: name => {
        const column = explorer.column(name)
        const reader = this.#readerOf(column)
        reader.remembered = explorer.remembered
        reader.table = explorer.table
        return column
      },
    }
  }

  encoder(column: Column): ColumnEncoder {
    return new BagEncoder(column.name, this.#readerOf(column))
  }

  inOrder(column: Column, cell: Cell): number[] | undefined {
    const reader = this.#readerOf(column)
    const codes: number[] = []
    const sink: WordSink = { word: (text, from, to) => void codes.push(reader.code(text, from, to)) }
    return this.#each(cell, sink) ? codes : undefined
  }

  forget(column: Column): void {
    this.#readerOf(column).remembered = undefined
  }

  /** Cached by column: a question may be a single row. */
  #readerOf(column: Column): WordReader {
    let reader = this.#readers.get(column)
    if (!reader) {
      reader = new WordReader(column as BagColumn, this.#each)
      this.#readers.set(column, reader)
    }
    return reader
  }
}

type Unknown = ((word: string) => void) | undefined

class WordReader implements WordSink, BagReader {
  readonly #text: TextOptions
  readonly #words: readonly string[]
  /** Made on demand, unless the first pass has left its own: there frequent words were inserted first, and are found at the first probe. */
  table: WordTable | undefined
  readonly tally = new Tally()
  readonly read: ReadBag
  readonly isSilent: boolean
  readonly isEmptySeen: boolean
  readonly #maps = new WeakMap<SparseSource, CodeMap>()
  remembered: Remembered | undefined
  #unknown: Unknown

  constructor({ words, text }: BagColumn, each: EachWord) {
    this.#text = text
    this.#words = words
    const { lowercase, hash } = text
    const isSilent = isChosen(text)
    this.isSilent = isSilent
    this.isEmptySeen = text.empty !== undefined
    const inBytes = isPlain(text) && hash === undefined
    this.read = (cell, bag, unknown) => {
      if (this.remembered?.fill(cell, bag)) return true
      this.#unknown = isSilent ? undefined : unknown
      // unknown words of a text are reported by the slow path
      if (inBytes && !(this.#unknown && typeof cell === "string")) {
        if (!this.#known().take(cell, lowercase, false, this.tally, this.#unknown)) return false
      } else {
        this.tally.begin(0)
        if (!each(cell, this)) return false
      }
      this.tally.give(bag)
      return true
    }
  }

  mapOf(source: SparseSource): CodeMap {
    let map = this.#maps.get(source)
    if (!map) {
      map = this.#mapped(source)
      this.#maps.set(source, map)
    }
    return map
  }

  #mapped({ words }: SparseSource): CodeMap {
    const codes = new Int32Array(words.length)
    let isSame = true
    for (let w = 0; w < words.length; w++) {
      const word = words[w]
      // usually it is the same vocabulary
      codes[w] = word === this.#words[w] ? w : this.code(word, 0, word.length)
      if (codes[w] !== w) isSame = false
    }
    return { codes, isSame }
  }

  #known(): WordTable {
    this.table ??= new WordTable(this.#words)
    return this.table
  }

  /** −1: the column lacks the word. */
  code(text: string, from: number, to: number): number {
    const { hash } = this.#text
    return hash === undefined ? this.#known().code(text, from, to, false) : bucketOf(text, from, to, hash)
  }

  word(text: string, from: number, to: number, count: number): void {
    const code = this.code(text, from, to)
    if (code >= 0) this.tally.add(code, count)
    else this.#unknown?.(text.slice(from, to))
  }
}
