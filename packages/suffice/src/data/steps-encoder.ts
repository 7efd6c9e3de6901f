/** Encodes a column of steps: the cells of all steps, one after the other, by the encoders of their columns, and the end of each row. */
import { blankRows, ownerOf } from "../blocks/encoded.ts"
import type { Block, Nested } from "../contract/block.ts"
import type { Cell } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { ColumnEncoder, Lifetime, MadeCells, UnseenListener } from "../contract/door.ts"
import { ones } from "../kernels/all-ones.ts"
import { isMissing } from "./cells.ts"
import { inStep, type LaidSteps, StepReader } from "./steps.ts"

type StepsColumn = Extract<Column, { kind: "steps" }>

/**
 * Steps per block, unless a single row has more. Their model has a score for each step and context, and reads the scores several times: with some ten
 * contexts they take as much memory as those of 480 rows with forty, which fits the cache of a core. Not a power of two, as in chunk.ts.
 */
export const STEPS = 1920

export class StepsEncoder implements ColumnEncoder {
  readonly #column: StepsColumn
  readonly #reader: StepReader
  readonly #made: readonly (MadeCells | undefined)[]
  readonly #encoders: readonly ColumnEncoder[]
  #lifetime: Lifetime = "fit"
  #offsets = new Int32Array(1)
  #rows = 0
  #missing: Uint8Array | undefined
  /** Capacity of the arrays in steps, if they are reused. */
  #capacity = 0

  /** `encoders`: those of its columns. `made`: how cells are made that the steps do not have. */
  constructor(
    column: StepsColumn,
    encoders: readonly ColumnEncoder[],
    made: (column: Column) => MadeCells | undefined,
  ) {
    this.#column = column
    this.#made = column.columns.map(made)
    this.#reader = new StepReader(
      column.name,
      column.columns.map(({ name, kind }, c) => ({ name, kind, made: this.#made[c] })),
    )
    this.#encoders = encoders
  }

  begin(rows: number, lifetime: Lifetime): void {
    if (lifetime !== "chunk" || this.#offsets.length <= rows) this.#offsets = new Int32Array(rows + 1)
    if (lifetime !== "chunk") this.#capacity = 0
    this.#lifetime = lifetime
    this.#rows = 0
    this.#missing = undefined
    for (const encoder of this.#encoders) encoder.begin(this.#capacity, lifetime)
  }

  extend(rows: number): void {
    if (this.#offsets.length > rows) return
    this.#offsets = longer(this.#offsets, new Int32Array(rows + 1))
    if (this.#missing) this.#missing = longer(this.#missing, new Uint8Array(rows + 1))
  }

  read(
    cells: ArrayLike<Cell>,
    first: number,
    from: number,
    to: number,
    _at: number,
    onUnseen: UnseenListener,
  ): void {
    const laid = this.#reader.lay(cells, first, from, to)
    const at = this.#offsets[this.#rows]
    const row = first + from
    const tell = listenerIn(this.#column.name, row, laid, onUnseen)
    const end = at + laid.steps
    if (end > this.#capacity) this.#capacity = at === 0 ? end : Math.ceil(1.5 * end)
    if (laid.steps > 0)
      for (const source of this.#reader.sources) if (!laid.present.has(source)) tell.absent?.([source])
    inStep(
      () =>
        this.#encoders.forEach((encoder, c) => {
          const own = laid.columns[c]
          encoder.extend(this.#capacity)
          // words that are made of others are new all the time: nothing to tell
          if (own) encoder.read(own, 0, 0, laid.steps, at, this.#made[c] ? quiet : tell)
          else encoder.skip(laid.steps, at)
        }),
      row,
      laid,
    )
    for (let i = from; i < to; i++) {
      if (isMissing(cells[i])) this.#miss(1)
      this.#offsets[++this.#rows] = at + laid.offsets[i - from + 1]
    }
  }

  skip(count: number): void {
    this.#miss(count)
    const at = this.#offsets[this.#rows]
    for (let i = 0; i < count; i++) this.#offsets[++this.#rows] = at
  }

  /** Rows whose cells are missing. */
  #miss(count: number): void {
    this.#missing ??= new Uint8Array(this.#offsets.length)
    this.#missing.fill(1, this.#rows, this.#rows + count)
  }

  endOf(from: number, to: number): number {
    let end = from + 1
    while (end < to && this.#offsets[end + 1] - this.#offsets[from] <= STEPS) end++
    return end
  }

  cut(from: number, to: number, { first, numbers }: Pick<Block, "first" | "numbers"> = {}): Nested {
    const start = this.#offsets[from]
    const end = this.#offsets[to]
    const steps = end - start
    const offsets = this.#offsets.slice(from, to + 1)
    for (let i = 0; i < offsets.length; i++) offsets[i] -= start
    const cells =
      steps > 0
        ? this.#encoders.map(encoder => encoder.cut(start, end))
        : blankRows(this.#column.columns, 0).cells
    // blocks that stay valid may be sent to another thread
    const weight = this.#lifetime === "chunk" ? ones(steps) : new Float64Array(steps).fill(1)
    const block = { rows: steps, weight, cells, first, numbers, offsets }
    return { offsets, block, missing: this.#missing?.slice(from, to) }
  }
}

const quiet: UnseenListener = { level: () => undefined }

/** Reports levels and words that are not in the schema under names such as steps[3].word. */
function listenerIn(
  name: string,
  first: number,
  { offsets }: LaidSteps,
  onUnseen: UnseenListener,
): UnseenListener {
  const at = (inner: number, column: string): [number, string] => {
    const i = ownerOf(offsets, inner)
    return [first + i, `${name}[${inner - offsets[i]}].${column}`]
  }
  return {
    level: (inner, column, level) => onUnseen.level(...at(inner, column), level),
    ...(onUnseen.word && {
      word: (inner: number, column: string, word: string) => onUnseen.word!(...at(inner, column), word),
    }),
    ...(onUnseen.absent && { absent: (path: readonly string[]) => onUnseen.absent!([name, ...path]) }),
  }
}

function longer<T extends Int32Array | Uint8Array>(old: T, fresh: T): T {
  fresh.set(old)
  return fresh
}
