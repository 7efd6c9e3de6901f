/**
 * A frame: the raw cells of some columns of one chunk, as bytes. Raw, not encoded: one pass over the rows is then enough for the first pass and all sweeps.
 *
 *     u32  length of the head, in bytes      u32  magic
 *     head, as JSON: the first row, the number of rows, and for each column its name, its form and the place of its body
 *     bodies, each at a multiple of 8 bytes:
 *         numbers   doubles; NaN is missing
 *         levels    codes into a list of cells in the head; −1 is missing
 *         text      offsets, then UTF-8; a cell that is missing has a bit in the head's list
 *         json      what else there is: lists, steps, counts of words, integers beyond 2^53
 *
 * Little-endian on every machine.
 */
import type { Cell, Columns } from "../contract/cells.ts"
import { SufficeError } from "../errors.ts"
import { littleEndian } from "../kernels/float64.ts"
import { fromPlainCell, toPlainCell } from "./plain-cell.ts"

const MAGIC = 0x31465553 // "SUF1"
/** More different levels than this in a chunk are written as text. */
const MOST_LEVELS = 1024

interface Head {
  readonly first: number
  readonly rows: number
  readonly columns: readonly ColumnHead[]
}

interface ColumnHead {
  readonly name: string
  readonly form: "numbers" | "levels" | "text" | "json"
  readonly at: number
  readonly bytes: number
  /** For levels. */
  readonly levels?: readonly (string | number | boolean)[]
  /** For text: the rows whose cell is missing. */
  readonly missing?: readonly number[]
}

/** The rows of a frame, by column. */
export interface Frame {
  readonly first: number
  readonly rows: number
  readonly columns: Columns
}

type Packed = Pick<ColumnHead, "form" | "levels" | "missing"> & { readonly body: Uint8Array }

const encoder = /* @__PURE__ */ new TextEncoder()
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true })

/** The frame as bytes. */
export function packFrame({ first, rows, columns }: Frame): Uint8Array<ArrayBuffer> {
  if (!littleEndian) throw bigEndian()
  const packed = Object.keys(columns).map(name => ({ name, ...packColumn(columns[name], rows) }))
  let at = 0
  const heads = packed.map(({ body, ...head }) => {
    const here = at
    at += padded(body.length)
    return { ...head, at: here, bytes: body.length }
  })
  const head = encoder.encode(JSON.stringify({ first, rows, columns: heads } satisfies Head))
  const start = 8 + padded(head.length)
  const frame = new Uint8Array(start + at)
  new Uint32Array(frame.buffer, 0, 2).set([head.length, MAGIC])
  frame.set(head, 8)
  packed.forEach(({ body }, c) => void frame.set(body, start + heads[c].at))
  return frame
}

/** `bytes` may stand anywhere in its buffer; if at a multiple of 8, numbers are read where they are. `only`: the columns to read. */
export function readFrame(bytes: Uint8Array, only?: readonly string[]): Frame {
  if (!littleEndian) throw bigEndian()
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : Uint8Array.from(bytes)
  const [length, magic] = aligned.length < 8 ? [0, 0] : new Uint32Array(aligned.buffer, aligned.byteOffset, 2)
  const start = 8 + padded(length)
  if (magic !== MAGIC || aligned.length < start) throw damagedFrame()
  let head: Head
  try {
    head = JSON.parse(decoder.decode(aligned.subarray(8, 8 + length))) as Head
  } catch (cause) {
    throw damagedFrame(cause)
  }
  const { first, rows } = head
  const end = head.columns.reduce((most, { at, bytes }) => Math.max(most, start + at + bytes), start)
  if (end > aligned.length) throw damagedFrame()
  const wanted = only ? head.columns.filter(({ name }) => only.includes(name)) : head.columns
  const entries = wanted.map(column => [
    column.name,
    readColumn(column, rows, aligned.subarray(start + column.at, start + column.at + column.bytes)),
  ])
  return { first, rows, columns: Object.fromEntries(entries) as Columns }
}

function packColumn(cells: ArrayLike<Cell>, rows: number): Packed {
  return packNumbers(cells, rows) ?? packLevels(cells, rows) ?? packText(cells, rows) ?? packJson(cells, rows)
}

function packNumbers(cells: ArrayLike<Cell>, rows: number): Packed | undefined {
  const numbers = new Float64Array(rows)
  if (cells instanceof Float64Array) numbers.set(cells.subarray(0, rows))
  else {
    for (let i = 0; i < rows; i++) {
      const cell = cells[i]
      if (typeof cell === "number") numbers[i] = cell
      else if (cell === null || cell === undefined) numbers[i] = NaN
      else return undefined
    }
  }
  return { form: "numbers", body: new Uint8Array(numbers.buffer) }
}

function packLevels(cells: ArrayLike<Cell>, rows: number): Packed | undefined {
  const codes = new Int32Array(rows)
  const known = new Map<string | number | boolean, number>()
  for (let i = 0; i < rows; i++) {
    const cell = cells[i]
    if (cell === null || cell === undefined) codes[i] = -1
    else if (typeof cell === "string" || typeof cell === "boolean" || isJsonNumber(cell)) {
      let code = known.get(cell)
      if (code === undefined) {
        if (known.size === MOST_LEVELS || (typeof cell === "string" && cell.length > 256)) return undefined
        code = known.size
        known.set(cell, code)
      }
      codes[i] = code
    } else return undefined
  }
  return { form: "levels", levels: [...known.keys()], body: new Uint8Array(codes.buffer) }
}

/** JSON cannot write the others. −0 and 0 are one level. */
function isJsonNumber(cell: Cell): cell is number {
  return typeof cell === "number" && Number.isFinite(cell)
}

/** Half of a pair of code units has no UTF-8. */
const LONE = /\p{Surrogate}/u

function packText(cells: ArrayLike<Cell>, rows: number): Packed | undefined {
  const texts: Uint8Array[] = []
  const missing: number[] = []
  const offsets = new Uint32Array(rows + 1)
  for (let i = 0; i < rows; i++) {
    const cell = cells[i]
    if (cell === null || cell === undefined) missing.push(i)
    else if (typeof cell !== "string" || LONE.test(cell)) return undefined
    else texts.push(encoder.encode(cell))
    offsets[i + 1] = offsets[i] + (typeof cell === "string" ? texts[texts.length - 1].length : 0)
  }
  const body = new Uint8Array(offsets.byteLength + offsets[rows])
  body.set(new Uint8Array(offsets.buffer))
  let at = offsets.byteLength
  for (const text of texts) {
    body.set(text, at)
    at += text.length
  }
  return { form: "text", missing, body }
}

function packJson(cells: ArrayLike<Cell>, rows: number): Packed {
  const plain = Array.from({ length: rows }, (_, i) => toPlainCell(cells[i]))
  return { form: "json", body: encoder.encode(JSON.stringify(plain)) }
}

function readColumn(
  { form, levels = [], missing = [] }: ColumnHead,
  rows: number,
  body: Uint8Array,
): ArrayLike<Cell> {
  switch (form) {
    case "numbers":
      return new Float64Array(body.buffer, body.byteOffset, rows)
    case "levels": {
      const codes = new Int32Array(body.buffer, body.byteOffset, rows)
      return Array.from(codes, code => (code < 0 ? null : levels[code]))
    }
    case "text": {
      const offsets = new Uint32Array(body.buffer, body.byteOffset, rows + 1)
      const text = body.subarray(offsets.byteLength)
      const cells = Array.from(
        { length: rows },
        (_, i): Cell => decoder.decode(text.subarray(offsets[i], offsets[i + 1])),
      )
      for (const row of missing) cells[row] = null
      return cells
    }
    case "json":
      return (JSON.parse(decoder.decode(body)) as unknown[]).map(fromPlainCell)
    default:
      form satisfies never
      throw damagedFrame()
  }
}

function padded(length: number): number {
  return Math.ceil(length / 8) * 8
}

function damagedFrame(cause?: unknown): SufficeError {
  return new SufficeError(
    "data",
    "a frame of rows is damaged, or cut short. It was changed between being written and being read: a full disk, a folder that was emptied, or another program. Fit again, with the same checkpoint to go on after the last step.",
    {},
    { cause },
  )
}

function bigEndian(): SufficeError {
  return new SufficeError(
    "option",
    "frames are little-endian, this machine is not. Their numbers would be read wrongly. Write spill: false.",
  )
}
