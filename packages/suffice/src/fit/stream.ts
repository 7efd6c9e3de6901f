/**
 * Rows that come once, and may never end. The first ones, the warm-up, determine columns, levels, words and the scale of numbers; after that,
 * memory use is constant. Labels may appear later: the model then grows by a class. Other levels that appear later count as missing, and new
 * words are ignored; a diagnostic counts the levels.
 */

import { Gatherer } from "../blocks/gather.ts"
import type { Block, Chunk } from "../contract/block.ts"
import type { Cell } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { Dice } from "../contract/dice.ts"
import type { UnseenListener } from "../contract/door.ts"
import type { Model } from "../contract/model.ts"
import type { Diagnostic } from "../contract/report.ts"
import { levelCell } from "../data/cells.ts"
import { type Discovery, discover, type Schema } from "../data/discover.ts"
import { encodeForLearning } from "../data/encode.ts"
import { type Batch, nextBatch, type Source, slicesOf } from "../data/read.ts"
import { readingsOf } from "../data/readings.ts"
import { isSoft, softLevels } from "../data/soft.ts"
import { rowWeights, type Weighting } from "../data/weigh.ts"
import { ShuffleBuffer } from "../engine/shuffle.ts"
import { SufficeError, show } from "../errors.ts"
import { diceFrom } from "../random.ts"
import type { StreamState } from "../saved/checkpoint.ts"
import { waitingFromJson, waitingToJson } from "./shuffle-buffer.ts"

type LevelColumn = Extract<Column, { kind: "level" }>

/** Is it an iterator itself, which cannot start again? */
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
  #dice: Dice
  readonly #unseen = new Map<string, number>()
  readonly #buffer = new ShuffleBuffer()
  #capacity = 1
  /** Batches and rows received from the source, including those that wait. */
  #batches = 0
  #given = 0
  /** A batch with a label that the schema does not have yet. */
  #waiting: Batch | undefined
  /** Whether the source has ended, or failed. */
  #exhausted = false
  schema!: Schema
  /** Rows received so far, and their weight. */
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
   * Reads the warm-up: what the first pass discovers in it, and its rows, encoded. `weigh` determines from it what rows without a label weigh. All its
   * words and levels are kept, since later rows add none.
   */
  async begin<UnlabelledWeight extends NonNullable<Weighting["unlabelled"]>>(
    warmup: number,
    scaling: Parameters<typeof discover>[5],
    weigh: (first: Source, found: Discovery) => Promise<UnlabelledWeight | undefined>,
  ): Promise<{ found: Discovery; unlabelled: UnlabelledWeight | undefined; chunks: Chunk[] }> {
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
      this.#enqueue(chunk)
    }
    return { found, unlabelled, chunks }
  }

  /** What a checkpoint contains of it: to go on, it needs this and what the source gives next. */
  state(): StreamState {
    const { rows, weight, schema } = this
    return {
      schema: { columns: schema.columns, labels: schema.labels },
      rows,
      weight,
      given: this.#given,
      batches: this.#batches,
      capacity: this.#capacity,
      dice: this.#dice.state(),
      waiting: waitingToJson(schema.columns, this.#buffer.all()),
      unseen: Object.fromEntries(this.#unseen),
    }
  }

  /** Goes on from a checkpoint. The source gives what comes after the rows it had given then. */
  resume(from: StreamState & Pick<Weighting, "unlabelled">): void {
    this.#weighting = { ...this.#weighting, unlabelled: from.unlabelled }
    this.schema = { ...from.schema, readings: readingsOf(this.#model.uses) }
    this.#capacity = from.capacity
    this.#given = from.given
    this.#batches = from.batches
    this.#dice = diceFrom(from.dice)
    this.#buffer.add(waitingFromJson(from.schema.columns, from.waiting))
    for (const [column, count] of Object.entries(from.unseen)) this.#unseen.set(column, count)
    this.rows = from.rows
    this.weight = from.weight
  }

  /** Whether a label has appeared that the schema lacks; no batches come until `grow` is called. */
  get grows(): boolean {
    return this.#waiting !== undefined
  }

  get ended(): boolean {
    return this.#exhausted && this.#buffer.length === 0 && !this.grows
  }

  /** Adds the labels that appeared to the schema. */
  async grow(): Promise<Schema> {
    const batch = this.#waiting!
    this.#waiting = undefined
    return this.#namingBatch(async () => {
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

  /** Mini-batches from a shuffle buffer, until the stream ends or a label appears. */
  async *batches(size: number): AsyncGenerator<Block> {
    const gatherer = new Gatherer(this.schema.columns)
    for (;;) {
      // fill the buffer with whole batches
      while (!this.#exhausted && this.#buffer.length < Math.max(this.#capacity, size)) {
        const batch = await this.#next()
        if (!batch) break
        await this.#namingBatch(async () => {
          if (this.#hasNewLabel(batch)) this.#waiting = batch
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
    if (!this.#exhausted) await this.#iterator.return?.()
  }

  async #next(): Promise<Batch | undefined> {
    this.#signal?.throwIfAborted()
    const next = await nextBatch(this.#iterator, this.#batches, this.#given, this.#signal).catch(error => {
      // it may hang: it was told to stop, and must not be asked again
      this.#exhausted = true
      throw error
    })
    if (next.done) {
      this.#exhausted = true
      return undefined
    }
    this.#batches++
    await this.#namingBatch(() => {
      for (const slice of slicesOf(next.value)) this.#given += slice.rows
    })
    return next.value
  }

  /** Messages count rows from the start of the batch; this adds which batch it is. */
  async #namingBatch<T>(work: () => T | Promise<T>): Promise<T> {
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
    const onUnseen: UnseenListener = {
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
      onUnseen,
    )
    for await (const chunk of encoded) this.#enqueue(chunk)
  }

  #enqueue(chunk: Chunk): void {
    for (const block of chunk) {
      this.#buffer.add(block)
      this.rows += block.rows
      for (const weight of block.weight) this.weight += weight
    }
  }

  /** Rows of weight 0 do not count. */
  #hasNewLabel(batch: Batch): boolean {
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
