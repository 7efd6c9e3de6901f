/**
 * A source that is read once. While its first pass goes by, its rows are packed into frames, one per chunk; every later pass reads those. Few are held in
 * memory; more than that go to a file, which whoever made this removes at the end.
 */
import type { Cell, Columns } from "../contract/cells.ts"
import { CHUNK } from "../data/cut.ts"
import { type Batch, type Slice, type Source, slicesOf } from "../data/read.ts"
import { SufficeError, show } from "../errors.ts"
import { packFrame, readFrame } from "./frame.ts"

/** Frames up to this many bytes are held in memory. */
const MOST_HELD = 1 << 26

/** What a platform with files provides. */
export interface Disk {
  /** A new file, in this folder or in one for temporary files. */
  create(folder: string | undefined): SpillFile
  /** Removes files that others left behind there. */
  tidy(folder: string | undefined): void
}

export interface SpillFile {
  readonly path: string
  /** Appends. Throws if the disk is full. */
  write(bytes: Uint8Array): void
  /** Fills the bytes from this position on. */
  read(position: number, bytes: Uint8Array<ArrayBuffer>): void
  remove(): void
}

/** Where a frame stands: in a file, or in memory. */
export type FramePlace =
  | { readonly path: string; readonly position: number; readonly length: number }
  | { readonly bytes: Uint8Array<ArrayBuffer> }

function lengthOf(place: FramePlace): number {
  return "bytes" in place ? place.bytes.length : place.length
}

/** Where `fit` puts rows of a source that are too many to hold. */
export interface SpillOptions {
  /** For the file; the default is the folder of the system for temporary files. */
  readonly folder?: string
  /** Called once, when the first rows are written to disk. */
  readonly onSpill?: (spilled: { readonly path: string }) => void
}

/** Makes a source that is read once, where there are files. `columns`: those that will be read. */
export type Spill = (source: Source, columns: readonly string[], options?: SpillOptions) => SpilledSource

export class SpilledSource implements Source {
  readonly #source: Source
  readonly #columns: readonly string[]
  readonly #disk: Disk
  readonly #options: SpillOptions
  readonly #most: number
  #file: SpillFile | undefined
  #frames: FramePlace[] = []
  /** Bytes in memory, or in the file. */
  #bytes = 0
  #isWhole = false

  /** `columns`: those that will be read. `most`: bytes that may be held. */
  constructor(
    source: Source,
    columns: readonly string[],
    disk: Disk,
    options: SpillOptions = {},
    most = MOST_HELD,
  ) {
    this.#source = source
    this.#columns = columns
    this.#disk = disk
    this.#options = options
    this.#most = most
    disk.tidy(options.folder)
  }

  [Symbol.asyncIterator](): AsyncGenerator<Batch> {
    return this.#isWhole ? this.#again() : this.#packing()
  }

  /** One frame per chunk, in order, once the source has been read; undefined before. */
  get frames(): readonly FramePlace[] | undefined {
    return this.#isWhole ? this.#frames : undefined
  }

  end(): void {
    this.#file?.remove()
    this.#file = undefined
    this.#frames = []
    this.#bytes = 0
    this.#isWhole = false
  }

  /** Frames of the file are read into the same bytes: a batch is good until the next one. */
  async *#again(): AsyncGenerator<Batch> {
    const longest = this.#file ? this.#frames.reduce((most, place) => Math.max(most, lengthOf(place)), 0) : 0
    const room = new Uint8Array(longest)
    for (const place of this.#frames) {
      if ("bytes" in place) yield readFrame(place.bytes).columns
      else {
        const bytes = room.subarray(0, place.length)
        this.#file!.read(place.position, bytes)
        yield readFrame(bytes).columns
      }
    }
  }

  async *#packing(): AsyncGenerator<Batch> {
    this.end()
    const chunk = new RowsOfChunk(this.#columns)
    let first = 0
    let isWhole = false
    try {
      for await (const batch of this.#source) {
        yield batch
        // not before: what is no batch is refused by whoever reads it
        for (const slice of slicesOf(batch, first)) {
          chunk.add(slice)
          first = slice.first + slice.rows
          if (first % CHUNK === 0) this.#keep(chunk.pack())
        }
      }
      if (chunk.rows > 0) this.#keep(chunk.pack())
      isWhole = true
    } finally {
      if (!isWhole) this.end()
    }
    this.#isWhole = isWhole
  }

  #keep(frame: Uint8Array<ArrayBuffer>): void {
    if (!this.#file && this.#bytes + frame.length <= this.#most) {
      this.#frames.push({ bytes: frame })
      this.#bytes += frame.length
      return
    }
    if (!this.#file) this.#spill()
    this.#frames.push(this.#write(frame))
  }

  /** Everything that was held goes to a file. */
  #spill(): void {
    const held = this.#frames
    this.#bytes = 0
    this.#file = this.#guarded(() => this.#disk.create(this.#options.folder))
    this.#options.onSpill?.({ path: this.#file.path })
    this.#frames = held.map(place => ("bytes" in place ? this.#write(place.bytes) : place))
  }

  #write(frame: Uint8Array): FramePlace {
    const file = this.#file!
    const position = this.#bytes
    this.#guarded(() => file.write(frame))
    this.#bytes += frame.length
    return { path: file.path, position, length: frame.length }
  }

  #guarded<T>(act: () => T): T {
    try {
      return act()
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      const place = this.#file?.path ?? this.#options.folder
      const where = place === undefined ? "the folder for temporary files" : show(place)
      throw new SufficeError(
        "size",
        `fit: rows that are too many to hold cannot be written to ${where}: ${why}. They are packed once into a file, which each sweep reads. Free some space, name a folder that has it with spill: { folder }, or write spill: false to read the source again for each sweep.`,
        { path: this.#file?.path, bytes: this.#bytes },
        { cause },
      )
    }
  }
}

/** The cells of a chunk so far, column by column. */
export class RowsOfChunk {
  readonly #columns: readonly string[]
  #pieces: (ArrayLike<Cell> | undefined)[][]
  #lengths: number[] = []
  #first = 0
  rows = 0

  constructor(columns: readonly string[]) {
    this.#columns = columns
    this.#pieces = columns.map(() => [])
  }

  /** Slices come in order, and do not cross the end of a chunk. */
  add(slice: Slice): void {
    if (this.rows === 0) this.#first = slice.first
    this.#columns.forEach((name, c) => void this.#pieces[c].push(slice.cells(name)))
    this.#lengths.push(slice.rows)
    this.rows += slice.rows
  }

  pack(): Uint8Array<ArrayBuffer> {
    const columns: Record<string, ArrayLike<Cell>> = {}
    this.#columns.forEach((name, c) => {
      // a column that no row has stays out
      if (this.#pieces[c].some(Boolean)) columns[name] = this.#joined(this.#pieces[c])
    })
    const frame = packFrame({ first: this.#first, rows: this.rows, columns: columns as Columns })
    this.#pieces = this.#columns.map(() => [])
    this.#lengths = []
    this.rows = 0
    return frame
  }

  #joined(pieces: readonly (ArrayLike<Cell> | undefined)[]): ArrayLike<Cell> {
    if (pieces.length === 1) return pieces[0]!
    const isDouble = pieces.every(piece => piece instanceof Float64Array)
    const all: Cell[] | Float64Array = isDouble ? new Float64Array(this.rows) : new Array<Cell>(this.rows)
    let at = 0
    pieces.forEach((piece, p) => {
      if (piece instanceof Float64Array && isDouble) (all as Float64Array).set(piece, at)
      else for (let i = 0; piece && i < this.#lengths[p]; i++) all[at + i] = piece[i] as number
      at += this.#lengths[p]
    })
    return all
  }
}
