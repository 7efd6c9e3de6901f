/**
 * The bags of texts that are in memory, between the first pass and the second: then no text is cut into words twice. A text is found by
 * itself, so it does not matter which rows hold it.
 */

/** A growing list of whole numbers. */
class Numbers {
  values = new Int32Array(4096)
  length = 0

  push(value: number): void {
    if (this.length === this.values.length) {
      const longer = new Int32Array(2 * this.length)
      longer.set(this.values)
      this.values = longer
    }
    this.values[this.length++] = value
  }
}

export class Remembered {
  /** Bag b holds the entries [starts[b], starts[b + 1]). */
  readonly #bags = new Map<string, number>()
  readonly #starts = new Numbers()
  readonly #codes = new Numbers()
  readonly #counts = new Numbers()
  /** By code: 1 + the entry of the word in the bag under construction, or in an earlier one. */
  #places = new Int32Array(1024)
  /** What each code became; −1: nothing. */
  #became = new Int32Array(0)
  readonly #words = new Numbers()

  constructor() {
    this.#starts.push(0)
  }

  /** False: it is here already. */
  begin(text: string): boolean {
    if (this.#bags.has(text)) return false
    this.#bags.set(text, this.#bags.size)
    return true
  }

  add(code: number): void {
    if (code >= this.#places.length) {
      const longer = new Int32Array(2 * code)
      longer.set(this.#places)
      this.#places = longer
    }
    const start = this.#starts.values[this.#starts.length - 1]
    const place = this.#places[code]
    if (place > start) this.#counts.values[place - 1]++
    else {
      this.#codes.push(code)
      this.#counts.push(1)
      this.#places[code] = this.#codes.length
    }
  }

  end(): void {
    this.#starts.push(this.#codes.length)
  }

  /** The words of the column, by the codes they had: word w was codes[w], of so many. */
  settle(codes: readonly number[], size: number): void {
    this.#became = new Int32Array(size).fill(-1)
    for (let w = 0; w < codes.length; w++) this.#became[codes[w]] = w
    this.#places = new Int32Array(codes.length)
  }

  /** The bag of this text, its words in order. False: it was never met. */
  fill(text: string, bag: { addWord(code: number, count: number): void }): boolean {
    const b = this.#bags.get(text)
    if (b === undefined) return false
    const end = this.#starts.values[b + 1]
    const counts = this.#places // by word, of this bag
    const words = this.#words
    words.length = 0
    for (let t = this.#starts.values[b]; t < end; t++) {
      const word = this.#became[this.#codes.values[t]]
      if (word < 0) continue
      words.push(word)
      counts[word] = this.#counts.values[t]
    }
    const sorted = words.values.subarray(0, words.length).sort()
    for (let i = 0; i < sorted.length; i++) bag.addWord(sorted[i], counts[sorted[i]])
    return true
  }
}
