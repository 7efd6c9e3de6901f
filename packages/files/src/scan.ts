/** What one pass over a column finds: the counts that `familyFor` of the core needs, and levels. */
import type { Cell, ColumnSummary } from "suffice"
import { LIMITS } from "./limits.ts"

/** White space between two words. */
const SEVERAL_WORDS = /\S\s+\S/
/** Longer texts are not levels: they are distinguished by their beginning and length, and not kept. */
const LONG = 1000

export class Scan {
  rows = 0
  missing = 0
  numbers = 0
  integers = 0
  negatives = 0
  smallest = Number.POSITIVE_INFINITY
  largest = Number.NEGATIVE_INFINITY
  booleans = 0
  strings = 0
  texts = 0
  bags = 0
  /** Whole numbers, each the one before plus 1. */
  consecutive = true
  /** More distinct values than are counted. */
  over = false
  /** How often each value occurs, of those that are counted. */
  readonly counts = new Map<string | number | boolean, number>()
  #mean = 0
  #squares = 0
  #last = Number.NaN

  add(cells: ArrayLike<Cell>): void {
    if (cells instanceof Float64Array) this.#addNumbers(cells)
    else for (let i = 0; i < cells.length; i++) this.#addCell(cells[i])
  }

  #addNumbers(cells: Float64Array): void {
    this.rows += cells.length
    for (let i = 0; i < cells.length; i++) {
      const x = cells[i]
      if (x !== x) this.missing++
      else this.#addNumber(x)
    }
  }

  #addNumber(x: number): void {
    this.numbers++
    if (Number.isInteger(x)) this.integers++
    if (x < 0) this.negatives++
    if (x < this.smallest) this.smallest = x
    if (x > this.largest) this.largest = x
    if (this.consecutive) {
      this.consecutive = Number.isInteger(x) && (this.numbers === 1 || x === this.#last + 1)
      this.#last = x
    }
    const away = x - this.#mean
    this.#mean += away / this.numbers
    this.#squares += away * (x - this.#mean)
    if (!this.over) this.#count(x)
  }

  #addCell(cell: Cell): void {
    this.rows++
    if (cell === null || cell === undefined || cell !== cell) this.missing++
    else if (typeof cell === "string") this.#addString(cell)
    else if (typeof cell === "number" || typeof cell === "bigint") this.#addNumber(Number(cell))
    else if (typeof cell === "boolean") {
      this.booleans++
      this.#count(cell)
    } else this.bags++
  }

  #addString(text: string): void {
    this.strings++
    if (SEVERAL_WORDS.test(text)) this.texts++
    // past the limit, texts cannot be levels
    if (this.over && this.texts * 2 > this.strings) return
    const key = text.length > LONG ? `${text.slice(0, LONG)} ${text.length}` : text
    this.#count(key)
  }

  #count(value: string | number | boolean): void {
    const before = this.counts.get(value)
    if (before !== undefined) this.counts.set(value, before + 1)
    else if (this.over) return
    else if (this.counts.size === LIMITS.distinct) this.over = true
    // a substring would keep the whole string in memory
    else this.counts.set(typeof value === "string" ? (JSON.parse(JSON.stringify(value)) as string) : value, 1)
  }

  summary(name: string): ColumnSummary {
    return {
      name,
      rows: this.rows,
      missing: this.missing,
      numbers: this.numbers,
      integers: this.integers,
      negatives: this.negatives,
      smallest: this.smallest,
      largest: this.largest,
      mean: this.numbers > 0 ? this.#mean : Number.NaN,
      variance: this.numbers > 0 ? this.#squares / this.numbers : Number.NaN,
      booleans: this.booleans,
      strings: this.strings,
      texts: this.texts,
      bags: this.bags,
      distinct: this.bags > 0 ? Math.min(this.bags, LIMITS.distinct) : this.counts.size + (this.over ? 1 : 0),
    }
  }
}
