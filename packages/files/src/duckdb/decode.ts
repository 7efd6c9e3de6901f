/**
 * DuckDB's vectors as columns of cells: numbers as Float64Array with NaN where the validity mask says "missing", text as
 * strings or null. The memory of a vector belongs to DuckDB, so everything is copied.
 *
 * A string costs about 1 µs to decode. DuckDB keeps up to 12 bytes of it in the vector itself (4 bytes of length, 12 of
 * text, padded with zeros), so short recurring strings are looked up by those 16 bytes in a table instead. Longer ones that recur
 * are selected as indices into a dictionary.
 */
import type { DuckDBDataChunk } from "@duckdb/node-api"
import bindings from "@duckdb/node-bindings"
import type { Cell } from "suffice"

/** How a column of a query is decoded: a DOUBLE, a BOOLEAN, a VARCHAR, or anything else, by way of plain values. */
export type Decoding = "number" | "boolean" | "string" | "value"

/** Cells of one column, gathered over several chunks. */
export interface Gatherer {
  /** Adds the first `rows` cells of the column at place `c` of the chunk, after the first `at`. */
  add(chunk: DuckDBDataChunk, c: number, rows: number, at: number): void
  /** Returns what was gathered, and starts the next batch. */
  take(rows: number): ArrayLike<Cell>
}

/** With a dictionary, a string is its index in it (an ENUM), or is in the next column if the dictionary lacks it. */
export function gatherer(decoding: Decoding, size: number, dictionary?: readonly string[]): Gatherer {
  switch (decoding) {
    case "number":
      return numbers(size)
    case "boolean":
      return others(decodeBooleans)
    case "string": {
      const strings = new ShortStrings()
      if (dictionary) return others((chunk, c, rows) => decodeEntries(chunk, c, rows, dictionary, strings))
      return others((chunk, c, rows) => decodeStrings(chunk, c, rows, strings))
    }
    case "value":
      return others(decodeValues)
    default:
      return decoding satisfies never
  }
}

/** As long as the batch before, at first as the chunk: a short and wide table shall not cost `size` cells for each column. */
function numbers(size: number): Gatherer {
  let cells = new Float64Array(0)
  let expected = 0
  return {
    add(chunk, c, rows, at) {
      if (cells.length < at + rows) {
        const before = cells
        cells = new Float64Array(at === 0 ? Math.max(expected, rows) : size)
        cells.set(before.subarray(0, at))
      }
      const vector = bindings.data_chunk_get_vector(chunk.chunk, c)
      const data = bindings.vector_get_data(vector, rows * 8)
      cells.set(new Float64Array(data.buffer, data.byteOffset, rows), at)
      const valid = validityOf(vector, rows)
      if (!valid) return
      for (let i = 0; i < rows; i++) {
        if ((valid[i >> 3] & (1 << (i & 7))) === 0) cells[at + i] = Number.NaN
      }
    },
    take(rows) {
      const taken = cells
      cells = new Float64Array(0)
      expected = taken.length
      return rows === taken.length ? taken : taken.subarray(0, rows)
    },
  }
}

function others(decode: (chunk: DuckDBDataChunk, c: number, rows: number) => Cell[]): Gatherer {
  let parts: Cell[][] = []
  return {
    add(chunk, c, rows) {
      parts.push(decode(chunk, c, rows))
    },
    take() {
      const taken = parts.length === 1 ? parts[0] : ([] as Cell[]).concat(...parts)
      parts = []
      return taken
    },
  }
}

/** One bit per row, lowest first; undefined where all are valid. */
function validityOf(
  vector: ReturnType<typeof bindings.data_chunk_get_vector>,
  rows: number,
): Uint8Array | undefined {
  return bindings.vector_get_validity(vector, Math.ceil(rows / 64) * 8) ?? undefined
}

function decodeBooleans(chunk: DuckDBDataChunk, c: number, rows: number): Cell[] {
  const vector = bindings.data_chunk_get_vector(chunk.chunk, c)
  const data = bindings.vector_get_data(vector, rows)
  const valid = validityOf(vector, rows)
  const cells = new Array<Cell>(rows)
  for (let i = 0; i < rows; i++) {
    cells[i] = valid && (valid[i >> 3] & (1 << (i & 7))) === 0 ? null : data[i] !== 0
  }
  return cells
}

/** Is the last row of the chunk the one that says "end", in the boolean column `c`? */
export function endsHere(chunk: DuckDBDataChunk, c: number): boolean {
  const rows = chunk.rowCount
  return bindings.vector_get_data(bindings.data_chunk_get_vector(chunk.chunk, c), rows)[rows - 1] !== 0
}

const SHORT = 12
const utf8 = new TextDecoder()

function decodeStrings(chunk: DuckDBDataChunk, c: number, rows: number, strings: ShortStrings): Cell[] {
  const vector = bindings.data_chunk_get_vector(chunk.chunk, c)
  const data = bindings.vector_get_data(vector, rows * 16)
  const words = new Uint32Array(data.buffer, data.byteOffset, rows * 4)
  const valid = validityOf(vector, rows)
  const cells = new Array<Cell>(rows)
  for (let i = 0; i < rows; i++) {
    if (valid && (valid[i >> 3] & (1 << (i & 7))) === 0) cells[i] = null
    else if (words[4 * i] <= SHORT) cells[i] = strings.find(words, i, data)
    else {
      const at = data.byteOffset + 16 * i
      const bytes = bindings.get_data_from_pointer(data.buffer as ArrayBuffer, at + 8, words[4 * i])
      cells[i] = utf8.decode(bytes)
    }
  }
  return cells
}

/** Entries of a dictionary of at most 256: a byte each. Few strings are not in it, so their column is read only if there are any. */
function decodeEntries(
  chunk: DuckDBDataChunk,
  c: number,
  rows: number,
  dictionary: readonly string[],
  strings: ShortStrings,
): Cell[] {
  const vector = bindings.data_chunk_get_vector(chunk.chunk, c)
  const places = bindings.vector_get_data(vector, rows)
  const valid = validityOf(vector, rows)
  const cells = new Array<Cell>(rows)
  let others: Cell[] | undefined
  for (let i = 0; i < rows; i++) {
    if (valid && (valid[i >> 3] & (1 << (i & 7))) === 0) {
      others ??= decodeStrings(chunk, c + 1, rows, strings)
      cells[i] = others[i]
    } else cells[i] = dictionary[places[i]]
  }
  return cells
}

/** Short strings by their 16 bytes: open addressing; once half full, others are decoded each time. */
class ShortStrings {
  readonly #keys = new Uint32Array(4 * PLACES)
  readonly #strings = new Array<string | undefined>(PLACES).fill(undefined)
  #used = 0

  find(words: Uint32Array, i: number, data: Uint8Array): string {
    const w = 4 * i
    const a = words[w]
    const b = words[w + 1]
    const c = words[w + 2]
    const d = words[w + 3]
    let place =
      (Math.imul(a, 0x9e3779b1) ^
        Math.imul(b, 0x85ebca77) ^
        Math.imul(c, 0xc2b2ae3d) ^
        Math.imul(d, 0x27d4eb2f)) >>>
      (32 - BITS)
    for (;;) {
      const known = this.#strings[place]
      if (known === undefined) break
      const k = 4 * place
      if (
        this.#keys[k] === a &&
        this.#keys[k + 1] === b &&
        this.#keys[k + 2] === c &&
        this.#keys[k + 3] === d
      ) {
        return known
      }
      place = (place + 1) & (PLACES - 1)
    }
    const text = utf8.decode(data.subarray(16 * i + 4, 16 * i + 4 + a))
    if (2 * this.#used < PLACES) {
      this.#used++
      this.#strings[place] = text
      this.#keys.set([a, b, c, d], 4 * place)
    }
    return text
  }
}

const BITS = 12
const PLACES = 1 << BITS

/** Lists of words as they are, maps and structs of counts as { word: count }. */
function decodeValues(chunk: DuckDBDataChunk, c: number, rows: number): Cell[] {
  const vector = chunk.getColumnVector(c)
  return Array.from({ length: rows }, (_, i) => plain(vector.getItem(i)))
}

function plain(value: unknown): Cell {
  if (value === null || value === undefined) return null
  const { items, entries } = value as {
    readonly items?: readonly string[]
    readonly entries?: readonly { key: string; value: unknown }[] | Readonly<Record<string, unknown>>
  }
  if (items) return items.filter(item => item !== null)
  const pairs = Array.isArray(entries)
    ? entries.map(({ key, value }) => [key, value])
    : Object.entries(entries ?? {})
  return Object.fromEntries(
    pairs.filter(([, count]) => count !== null).map(([word, count]) => [word, Number(count)]),
  )
}
