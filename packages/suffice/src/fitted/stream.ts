/**
 * Rows that come once, and may never end. The first ones, the warm-up, say which columns, levels and words there are and how numbers are
 * scaled; after that memory stays as it is. Labels may appear later: the model then grows by a class. Other levels that appear later count
 * as missing, other words as none; how many there were is said in a diagnostic.
 */

import { Gatherer } from "../blocks/gather.ts"
import type { Block, Cell, Chunk, Column, Diagnostic, Dice, Model, Strangers } from "../contract.ts"
import { levelCell } from "../data/cells.ts"
import { type Discovery, discover, type Schema } from "../data/discover.ts"
import { encodeForLearning } from "../data/encode.ts"
import { type Batch, nextBatch, type Source, slicesOf } from "../data/read.ts"
import { readingsOf } from "../data/readings.ts"
import { isSoft, softLevels } from "../data/soft.ts"
import { rowWeights, type Weighting } from "../data/weigh.ts"
import { ShuffleBuffer } from "../engine/shuffle.ts"
import { SufficeError, show } from "../errors.ts"

type LevelColumn = Extract<Column, { kind: "level" }>

/** Is it an iterator itself, which cannot begin anew? */
export function isStream(data: unknown): data is Source & AsyncIterator<Batch> {
  const given = data as Partial<AsyncGenerator> & { getReader?: unknown }
  return (
    typeof given?.[Symbol.asyncIterator] === "function" &&
    (typeof given.next === "function" || typeof given.getReader === "function")
  )
}

export class Stream {
  readonly #iterator: AsyncIterator<Batch>
  readonly #model: Model
  #weighting: Weighting
  readonly #signal: AbortSignal | undefined
  readonly #dice: Dice
  readonly #unseen = new Map<string, number>()
  readonly #buffer = new ShuffleBuffer()
  #capacity = 1
  /** Batches and rows that the source has given, the ones that wait included. */
  #batches = 0
  #given = 0
  /** A batch that brings a label the schema does not have yet. */
  #waiting: Batch | undefined
  /** Has the source ended, or failed? */
  #dry = false
  schema!: Schema
  /** Rows taken in so far, and their weight. */
  rows = 0
  weight = 0

  constructor(data: Source, model: Model, weighting: Weighting, dice: Dice, signal: AbortSignal | undefined) {
    this.#iterator = data[Symbol.asyncIterator]()
    this.#model = model
    this.#weighting = weighting
    this.#dice = dice
    this.#signal = signal
  }

  /**
   * The first rows: what there is to know before learning, and they themselves, encoded. `weigh` says by them what rows without a label weigh; of their words and
   * levels all are kept, since those of later rows are not looked for.
   */
  async begin<Weighed extends NonNullable<Weighting["unlabelled"]>>(
    warmup: number,
    scaling: Parameters<typeof discover>[5],
    weigh: (first: Source, found: Discovery) => Promise<Weighed | undefined>,
  ): Promise<{ found: Discovery; unlabelled: Weighed | undefined; chunks: Chunk[] }> {
    const first: Batch[] = []
    while (this.#given < warmup) {
      const batch = await this.#next()
      if (!batch) break
      first.push(batch)
    }
    const source = again(first)
    const found = await discover(this.#model.uses, source, this.#weighting, this.#signal, undefined, scaling)
    const unlabelled = await weigh(source, found)
    this.#weighting = { ...this.#weighting, unlabelled }
    this.schema = found.schema
    this.#capacity = Math.max(warmup, found.rows)
    const chunks: Chunk[] = []
    for await (const chunk of encodeForLearning(found.schema, source, this.#weighting, undefined)) {
      chunks.push(chunk)
      this.#hold(chunk)
    }
    return { found, unlabelled, chunks }
  }

  /** Goes on from a checkpoint: the columns are known. */
  resume(
    schema: Omit<Schema, "readings">,
    warmup: number,
    { rows, weight, unlabelled }: Pick<Stream, "rows" | "weight"> & Pick<Weighting, "unlabelled">,
  ): void {
    this.#weighting = { ...this.#weighting, unlabelled }
    this.schema = { ...schema, readings: readingsOf(this.#model.uses) }
    this.#capacity = warmup
    this.rows = rows
    this.weight = weight
  }

  /** Did a label appear that the schema lacks? Then the batches have ended for now. */
  get grows(): boolean {
    return this.#waiting !== undefined
  }

  get ended(): boolean {
    return this.#dry && this.#buffer.length === 0 && !this.grows
  }

  /** The schema with the labels that appeared. */
  async grow(): Promise<Schema> {
    const batch = this.#waiting!
    this.#waiting = undefined
    return this.#naming(async () => {
      const { labels, columns } = this.schema
      const isThere = (name: string): boolean => [...slicesOf(batch)].some(slice => slice.cells(name))
      const uses = this.#model.uses.filter(({ column }) => labels.includes(column) && isThere(column))
      const { schema } = await discover(uses, again([batch]), this.#weighting, this.#signal, this.schema)
      const grown = new Map(schema.columns.map(column => [column.name, column]))
      this.schema = {
        ...this.schema,
        columns: columns.map(column => grown.get(column.name) ?? column),
      }
      await this.#take(batch)
      return this.schema
    })
  }

  /** Mini-batches out of a buffer in which the rows are mixed, until the stream ends or a label appears. */
  async *batches(size: number): AsyncGenerator<Block> {
    const gatherer = new Gatherer(this.schema.columns)
    for (;;) {
      // whole batches, as long as rows come
      while (!this.#dry && this.#buffer.length < Math.max(this.#capacity, size)) {
        const batch = await this.#next()
        if (!batch) break
        await this.#naming(async () => {
          if (this.#bringsLabel(batch)) this.#waiting = batch
          else await this.#take(batch)
        })
        if (this.grows) return
      }
      if (this.#buffer.length === 0) return
      yield gatherer.gather(this.#buffer.take(size, this.#dice))
    }
  }

  diagnostics(): Diagnostic[] {
    return [...this.#unseen].map(([column, count]) => ({
      code: "unseen-level",
      column,
      message: `${count} cells of ${show(column)} held levels that the first rows of the stream did not have: they count as missing. A longer warm-up, or declared levels, would know them.`,
    }))
  }

  async close(): Promise<void> {
    if (!this.#dry) await this.#iterator.return?.()
  }

  async #next(): Promise<Batch | undefined> {
    this.#signal?.throwIfAborted()
    const next = await nextBatch(this.#iterator, this.#batches, this.#given, this.#signal).catch(error => {
      // It may be waiting for ever: it was told to stop, and is not asked again.
      this.#dry = true
      throw error
    })
    if (next.done) {
      this.#dry = true
      return undefined
    }
    this.#batches++
    await this.#naming(() => {
      for (const slice of slicesOf(next.value)) this.#given += slice.rows
    })
    return next.value
  }

  /** Rows in messages are counted from the beginning of the batch: which one it is, they say as well. */
  async #naming<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof SufficeError)) throw error
      const batch = this.#batches - 1
      const message = `batch ${batch} of the stream: ${error.message}`
      throw new SufficeError(error.code, message, { ...error.details, batch }, { cause: error })
    }
  }

  async #take(batch: Batch): Promise<void> {
    const strangers: Strangers = {
      level: (_row, column) => {
        // of steps[3].tag it is not told in which step
        const name = column.replace(/\[\d+\]/g, "")
        this.#unseen.set(name, (this.#unseen.get(name) ?? 0) + 1)
      },
    }
    const encoded = encodeForLearning(
      this.schema,
      again([batch]),
      this.#weighting,
      undefined,
      this.#signal,
      strangers,
    )
    for await (const chunk of encoded) this.#hold(chunk)
  }

  #hold(chunk: Chunk): void {
    for (const block of chunk) {
      this.#buffer.add(block)
      this.rows += block.rows
      for (const weight of block.weight) this.weight += weight
    }
  }

  /** Rows of weight 0 bring nothing. */
  #bringsLabel(batch: Batch): boolean {
    const labels = this.schema.columns.filter(({ name }) => this.schema.labels.includes(name))
    const known = labels.map(column => new Set((column as LevelColumn).levels.map(String)))
    for (const slice of slicesOf(batch)) {
      const weights = rowWeights(slice, this.#weighting)
      for (let l = 0; l < labels.length; l++) {
        const { name } = labels[l]
        const cells = slice.cells(name)
        for (let i = 0; cells && i < slice.rows; i++) {
          if (weights[i] > 0 && isNew(cells[i], slice.first + i, name, known[l])) return true
        }
      }
    }
    return false
  }
}

function isNew(cell: Cell, row: number, name: string, known: ReadonlySet<string>): boolean {
  if (isSoft(cell)) return softLevels(cell, row, name, () => 1)!.some(level => !known.has(level.name))
  const level = levelCell(cell, row, name)
  return level !== undefined && !known.has(String(level))
}

/** Batches that can be read again. */
function again(batches: readonly Batch[]): Source {
  return {
    async *[Symbol.asyncIterator]() {
      yield* batches
    },
  }
}
