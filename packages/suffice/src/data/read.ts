/**
 * The three shapes of data (rows, columns, sources of either) read as one: slices of columns, in order.
 * A source is restartable: each `for await` begins from the start.
 */
import type { Cell, Columns, Row } from "../contract/cells.ts"
import { list, nearest, SufficeError, show } from "../errors.ts"
import { isDue, pause } from "../pause.ts"

export type Batch = readonly Row[] | Columns
/** An async iterable of batches that can be read again from the beginning. */
export type Source = AsyncIterable<Batch>
export type Data = Batch | Source

/** Rows of one batch, by column. `first` is the number of its first row in the whole data. */
export interface Slice {
  readonly first: number
  readonly rows: number
  /** The number of rows of the whole batch. */
  readonly of: number
  /** Computed on request: only messages and copies of the data need them. */
  names(): readonly string[]
  /** The cells of a column; undefined if no row has it. */
  cells(name: string): ArrayLike<Cell> | undefined
}

/** Rows and columns are read this many rows at a time, fewer if they are wide: the rows of a chunk. */
export const SLICE = 8192

/** What will be read of each row: the number of columns, and those with documents or steps. */
export interface Breadth {
  readonly columns: number
  readonly long: readonly string[]
}

const UNKNOWN: Breadth = { columns: 1, long: [] }
/** Cells, and characters or words, per slice: read in some hundredths of a second, with a pause after each slice. The bits do not depend on it. */
const CELLS = 1 << 17
const CHARACTERS = 1 << 18
/** Assumed length of a document that has none. */
const DOCUMENT = 256

/** The end of the slice that begins at a row of a batch whose first row is `first`. It never crosses a row of the data that begins a chunk. */
function endOf(
  from: number,
  rows: number,
  first: number,
  { columns, long }: Breadth,
  cell: (name: string, row: number) => unknown,
): number {
  const inChunk = SLICE - ((first + from) % SLICE)
  const most = Math.min(rows, from + Math.max(1, Math.min(inChunk, Math.floor(CELLS / Math.max(columns, 1)))))
  if (long.length === 0) return most
  let characters = 0
  let end = from
  while (end < most && characters < CHARACTERS) {
    for (const name of long) {
      const document = cell(name, end) as { readonly length?: unknown } | null | undefined
      characters += typeof document?.length === "number" ? document.length : DOCUMENT
    }
    end++
  }
  return end
}

export function isSource(data: Data): data is Source {
  return typeof (data as Source)?.[Symbol.asyncIterator] === "function"
}

/** The slices of data in memory; `where`: the batch of a source, for messages. */
export function* slicesOf(batch: Batch, first = 0, where = "", breadth = UNKNOWN): Generator<Slice> {
  if (Array.isArray(batch)) yield* sliceRows(batch as readonly Row[], first, breadth)
  else yield* sliceColumns(batch as Columns, first, where, breadth)
}

/** The slices of any data. An error thrown by a source is rethrown with the number of the batch. */
export async function* slices(
  data: Data,
  signal?: AbortSignal,
  breadth: Breadth = UNKNOWN,
): AsyncGenerator<Slice> {
  signal?.throwIfAborted()
  if (!isSource(data)) {
    for (const slice of slicesOf(data, 0, "", breadth)) {
      yield slice
      if (isDue()) await pause()
      signal?.throwIfAborted()
    }
    return
  }
  let first = 0
  let batch = 0
  const iterator = begin(data)
  let ended = false
  try {
    for (; ; batch++) {
      const next = await nextBatch(iterator, batch, first, signal).catch(error => {
        ended = true
        throw error
      })
      ended = next.done === true
      if (ended) return
      for (const slice of slicesOf(next.value, first, `batch ${batch} of the source: `, breadth)) {
        yield slice
        if (isDue()) await pause()
        signal?.throwIfAborted()
        first = slice.first + slice.rows
      }
    }
  } finally {
    if (!ended) await iterator.return?.()
  }
}

function begin(source: Source): AsyncIterator<Batch> {
  try {
    return source[Symbol.asyncIterator]()
  } catch (cause) {
    throw sourceFailed(0, 0, cause)
  }
}

/** Waits for the source, or for an abort. */
export async function nextBatch(
  iterator: AsyncIterator<Batch>,
  batch: number,
  rows: number,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<Batch>> {
  let aborted: (() => void) | undefined
  try {
    const next = Promise.resolve(iterator.next())
    if (!signal) return await next
    const abort = new Promise<never>((_, reject) => {
      aborted = () => reject(signal.reason)
      signal.addEventListener("abort", aborted)
    })
    return await Promise.race([next, abort])
  } catch (cause) {
    if (signal?.aborted) {
      // not awaited: the source may never answer
      Promise.resolve(iterator.return?.()).catch(() => undefined)
      throw signal.reason
    }
    // the disk is full: the source has not failed
    if (cause instanceof SufficeError && cause.code === "size") throw cause
    throw sourceFailed(batch, rows, cause)
  } finally {
    if (aborted) signal?.removeEventListener("abort", aborted)
  }
}

function sourceFailed(batch: number, rows: number, cause: unknown): SufficeError {
  const said = cause instanceof Error ? cause.message : show(cause)
  const why = /[.!?]$/.test(said) ? said : `${said}.`
  return new SufficeError(
    "data",
    `the source failed in batch ${batch}, after ${rows} rows: ${why} A model is learned from all of the rows. Mend the source (its own error is the cause of this one), and fit again.`,
    { batch, rows },
    { cause },
  )
}

/** The error for a source that gives other data when it is read again. */
export function sourceChanged(what: string, details: Readonly<Record<string, unknown>>): SufficeError {
  return new SufficeError(
    "data",
    `the source changed between passes: ${what}. It is read again for every sweep, and must give the same rows each time. Pass an object whose [Symbol.asyncIterator]() begins anew (a generator runs only once), or hold the rows in memory.`,
    details,
  )
}

function* sliceRows(rows: readonly Row[], first: number, breadth: Breadth): Generator<Slice> {
  // anything that is not a row is refused below
  const cell = (name: string, row: number): unknown => rows[row]?.[name]
  for (let from = 0, to = 0; from < rows.length; from = to) {
    to = endOf(from, rows.length, first, breadth, cell)
    const part = rows.slice(from, to)
    let plain = true
    for (let i = 0; i < part.length; i++) {
      checkRow(part[i], first + from + i)
      plain &&= Object.getPrototypeOf(part[i]) === Object.prototype
    }
    yield {
      first: first + from,
      rows: part.length,
      of: rows.length,
      names: () => namesOf(part),
      cells: name => cellsOf(part, name, plain && !(name in Object.prototype)),
    }
  }
}

export function checkRow(row: unknown, place: number): void {
  if (typeof row === "object" && row !== null && !Array.isArray(row)) return
  throw new SufficeError(
    "data",
    `row ${place} is ${show(row)}. A row is an object of cells by column name. Pass rows like { age: 41, city: "Oslo" }.`,
    { row: place },
  )
}

/** The rows' own cells. `own`: the name is not inherited from Object.prototype, so a plain lookup will do. */
function cellsOf(rows: readonly Row[], name: string, own: boolean): Cell[] | undefined {
  const cells = new Array<Cell>(rows.length)
  let found = false
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    const cell = own || Object.hasOwn(row, name) ? row[name] : undefined
    cells[i] = cell
    if (!found) found = cell !== undefined || Object.hasOwn(row, name)
  }
  return found ? cells : undefined
}

function namesOf(rows: readonly Row[]): string[] {
  const names = new Set<string>()
  for (const row of rows) for (const name of Object.keys(row)) names.add(name)
  return [...names]
}

function* sliceColumns(columns: Columns, first: number, where: string, breadth: Breadth): Generator<Slice> {
  if (!isTable(columns)) {
    const isPromise = typeof (columns as { then?: unknown } | null)?.then === "function"
    throw new SufficeError(
      "data",
      `${where}the data is ${show(columns)}. It must be rows, columns, or a source of them. ${
        isPromise ? "Await the promise first." : "Pass for example [{ x: 1 }] or { x: [1] }."
      }`,
    )
  }
  const names = Object.keys(columns)
  let rows = -1
  for (const name of names) {
    const column: unknown = columns[name]
    const length = columns[name]?.length
    if (typeof column !== "object" || typeof length !== "number") {
      throw new SufficeError(
        "data",
        `${where}column ${show(name)} is ${show(column)}. A column is an array or typed array of cells, one for each row. For a single row, pass [{ … }].`,
        { column: name },
      )
    }
    if (rows >= 0 && length !== rows) {
      throw new SufficeError(
        "data",
        `${where}column ${show(name)} has ${length} cells, column ${show(names[0])} has ${rows}. Columns of one table are equally long. Fill missing cells with null.`,
        { column: name },
      )
    }
    rows = length
  }
  const cell = (name: string, row: number): unknown =>
    Object.hasOwn(columns, name) ? columns[name][row] : undefined
  for (let from = 0, to = 0; from < rows; from = to) {
    to = endOf(from, rows, first, breadth, cell)
    const [begin, end] = [from, to]
    yield {
      first: first + begin,
      rows: end - begin,
      of: rows,
      names: () => names,
      cells: name => (Object.hasOwn(columns, name) ? cut(columns[name], begin, end) : undefined),
    }
  }
}

/** An object of columns: not a promise, a Map or an iterator. */
function isTable(data: unknown): data is Columns {
  if (typeof data !== "object" || data === null) return false
  const { then, [Symbol.iterator]: iterator } = data as { then?: unknown; [Symbol.iterator]?: unknown }
  return typeof then !== "function" && typeof iterator !== "function"
}

function cut(cells: ArrayLike<Cell>, from: number, to: number): ArrayLike<Cell> {
  if (from === 0 && to === cells.length) return cells
  if (ArrayBuffer.isView(cells)) return (cells as unknown as Float64Array).subarray(from, to)
  return Array.prototype.slice.call(cells, from, to) as Cell[]
}

/** The error for an absent column, with similar names. */
export function unknownColumn(column: string, names: Iterable<string>, hint = ""): SufficeError {
  const there = [...names]
  const near = nearest(column, there)
  return new SufficeError(
    "column",
    `column ${show(column)} is not in the data. The data has ${there.length > 0 ? list(there) : "no columns"}. ${
      near.length > 0 ? `Did you mean ${list(near)}?` : "Rename the column in the model or in the data."
    }${hint}`,
    { column, columns: there, nearest: near },
  )
}
