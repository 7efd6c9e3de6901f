/** The door for questions: rows in memory become blocks, each row once. */
import type { Block, Encoded } from "../contract/block.ts"
import type { Cell, Level, Row } from "../contract/cells.ts"
import type { UnseenListener } from "../contract/door.ts"
import { SufficeError } from "../errors.ts"
import { type ColumnMemory, ORDINARY } from "../kernels/columns.ts"
import { checkAbsent, checkAbsentInSteps } from "./absent.ts"
import { ChunkBuilder } from "./chunk.ts"
import type { Schema } from "./discover.ts"
import { encoderOf } from "./encoders.ts"
import { type Batch, checkRow, type Data, isSource, slicesOf } from "./read.ts"

/** Levels of a row that training never saw, by column. */
export type Unseen = Map<number, Record<string, Level | readonly string[]>>

/** The rows of a question, block by block: each once, weight 1. */
export interface QuestionBlocks {
  /** The total number of rows; known after the first block. */
  readonly rows: number
  /** The unseen levels of the blocks so far. */
  readonly unseen: Unseen
  /** The next block, valid until the next call; undefined after the last. */
  next(): Block | undefined
}

/**
 * Data in memory for a question. `target`: the column asked for, which is never read; `memory`: where blocks are read into. A single row, the usual
 * question of pages and servers, allocates nothing but its unseen levels, and is valid until the next question.
 */
export function questionBlocks(
  schema: Schema,
  data: Data,
  target?: string,
  memory: ColumnMemory = ORDINARY,
): QuestionBlocks {
  if (!Array.isArray(data) || data.length !== 1) return manyRows(schema, data, target, memory)
  let one = single.get(schema)
  if (!one) {
    one = oneRow(schema)
    single.set(schema, one)
  }
  one.read(data, target)
  return one
}

/** All blocks of a question; they stay valid. */
export function encodedForQuestion(
  schema: Schema,
  data: Data,
  target?: string,
): { blocks: Block[]; unseen: Unseen } {
  const question = manyRows(schema, data, target)
  const blocks: Block[] = []
  for (let block = question.next(); block; block = question.next()) blocks.push(block)
  return { blocks, unseen: question.unseen }
}

function manyRows(
  schema: Schema,
  data: Data,
  target: string | undefined,
  memory?: ColumnMemory,
): QuestionBlocks {
  if (isSource(data)) {
    throw new SufficeError(
      "data",
      "a question takes rows in memory, not a source: answers come all at once. Loop over it.",
    )
  }
  const question = { rows: 0, unseen: new Map(), next: () => blocks.next().value as Block | undefined }
  const blocks = encode(schema, data, target, memory, question)
  return question
}

/** Sets `rows` of the question, and adds to `unseen`. */
function* encode(
  schema: Schema,
  batch: Batch,
  target: string | undefined,
  memory: ColumnMemory | undefined,
  question: { rows: number; readonly unseen: Unseen },
): Generator<Block> {
  const onUnseen = listenerOf(question, path => checkAbsentInSteps(schema, path, batch))
  let builder: ChunkBuilder | undefined
  for (const slice of slicesOf(batch)) {
    question.rows = slice.of
    const columns = schema.columns.map(({ name }) => (name === target ? undefined : slice.cells(name)))
    if (slice.first === 0) {
      const absent = schema.columns.filter(({ name }, c) => !columns[c] && isRead(schema, name, target))
      if (absent.length > 0)
        checkAbsent(
          schema,
          absent.map(({ name }) => name),
          batch,
        )
    }
    if (!builder || !memory) builder = new ChunkBuilder(schema, slice.rows, memory, target)
    builder.push(columns, slice.first, 0, slice.rows, onUnseen)
    yield* builder.take()
  }
  builder?.end()
}

interface OneRow extends QuestionBlocks {
  read(data: readonly Row[], target: string | undefined): void
}

const single = /* @__PURE__ */ new WeakMap<Schema, OneRow>()

function oneRow(schema: Schema): OneRow {
  const encoders = schema.columns.map(column => encoderOf(schema, column))
  // null makes V8 keep a generic array, which stores numbers as they are instead of unboxing and boxing them
  const rooms = encoders.map((): Cell[] => [null])
  const cells: Encoded[] = []
  const whole: Block = { rows: 1, weight: Float64Array.of(1), cells }
  let next: Block | undefined
  let asked: readonly Row[] = []
  const question = {
    rows: 1,
    unseen: new Map(),
    read(data: readonly Row[], target: string | undefined): void {
      const row = data[0]
      checkRow(row, 0)
      asked = data
      // including those of a question that failed
      if (question.unseen.size > 0) question.unseen = new Map()
      for (let c = 0; c < encoders.length; c++) {
        const { name } = schema.columns[c]
        encoders[c].begin(1, "chunk")
        if (name !== target && Object.hasOwn(row, name)) {
          rooms[c][0] = row[name]
          encoders[c].read(rooms[c], 0, 0, 1, 0, onUnseen)
        } else {
          if (isRead(schema, name, target)) checkAbsent(schema, [name], data)
          encoders[c].skip(1, 0)
        }
        cells[c] = encoders[c].cut(0, 1)
      }
      next = whole
    },
    next(): Block | undefined {
      const block = next
      next = undefined
      return block
    },
  }
  const onUnseen = listenerOf(question, path => checkAbsentInSteps(schema, path, asked))
  return question
}

/** Labels and the target may be absent without a word. */
function isRead(schema: Schema, column: string, target: string | undefined): boolean {
  return column !== target && !schema.labels.includes(column)
}

function listenerOf(
  question: Pick<QuestionBlocks, "unseen">,
  absent: (path: readonly string[]) => void,
): UnseenListener {
  const tell = (row: number, column: string, what: Level | readonly string[]): void =>
    void question.unseen.set(row, { ...question.unseen.get(row), [column]: what })
  return {
    level: tell,
    word(row, column, word) {
      const told = question.unseen.get(row) ?? {}
      const words = (Object.hasOwn(told, column) ? told[column] : []) as readonly string[]
      if (!words.includes(word)) tell(row, column, [...words, word])
    },
    absent,
  }
}
