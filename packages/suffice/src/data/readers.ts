/** Cells become held values, column kind by column kind. Nothing past this point checks a cell again. */
import type { Cell, Column, Level } from "../contract.ts"
import { countCell, isMissing, levelCell, notABag, numberCell } from "./cells.ts"
import type { CellReader } from "./chunk.ts"
import type { Schema } from "./discover.ts"
import { doublesOf, isSmall, SMALL } from "./doubles.ts"
import type { Slice } from "./read.ts"

/** What to do about a level that is not in the schema. */
export type Stranger = (row: number, column: string, level: Level) => void

interface Codes {
  readonly all: ReadonlyMap<Level, number>
  /** Of levels that are small whole numbers; −1: none. */
  readonly small: Int32Array
}

const known = /* @__PURE__ */ new WeakMap<Column, Codes>()

/** The code of each level; remembered, since a question may be one row long. */
function codesOf(column: Column, levels: readonly Level[]): Codes {
  let codes = known.get(column)
  if (!codes) {
    codes = {
      all: new Map(levels.map((level, code) => [level, code])),
      small: new Int32Array(SMALL).fill(-1),
    }
    for (const [level, code] of codes.all) {
      if (typeof level === "number" && isSmall(level)) codes.small[level] = code
    }
    known.set(column, codes)
  }
  return codes
}

/**
 * A held number beyond this counts as this: its square, over the smallest variance that a family lets stand, is still a
 * number, and so are sums of such squares. Otherwise all scores of a far row would be −∞, and its posterior uniform.
 */
const FARTHEST = 1e140

/** NaN stays. */
function within(held: number): number {
  return held > FARTHEST ? FARTHEST : held < -FARTHEST ? -FARTHEST : held
}

/** Held numbers of a run of doubles, as far as they are near or missing. */
function numberRun(
  doubles: Float64Array,
  from: number,
  to: number,
  shift: number,
  scale: number,
  numbers: Float64Array,
  at: number,
): number {
  let i = from
  for (const by = at - from; i < to; i++) {
    const held = (doubles[i] - shift) / scale
    if (held > FARTHEST || held < -FARTHEST) break
    numbers[i + by] = held
  }
  return i
}

/** Codes of a run of doubles, as far as they are small levels that are known. */
function levelRun(
  doubles: Float64Array,
  from: number,
  to: number,
  small: Int32Array,
  codes: Int32Array,
  at: number,
): number {
  let i = from
  for (const by = at - from; i < to; i++) {
    const whole = doubles[i] >>> 0
    if (whole !== doubles[i] || whole >= SMALL) break
    const code = small[whole]
    if (code < 0) break
    codes[i + by] = code
  }
  return i
}

/** A column that is not there: all its cells are missing. */
const hole: CellReader = (from, to, target, at) => {
  target.numbers.fill(NaN, at, at + to - from)
  target.codes.fill(-1, at, at + to - from)
  for (let i = from; i < to; i++) target.endBag()
}

export function cellReader(
  { readings }: Schema,
  column: Column,
  cells: ArrayLike<Cell> | undefined,
  { first }: Slice,
  stranger: Stranger,
  strangeWord?: (row: number, column: string, word: string) => void,
): CellReader {
  const { name } = column
  if (!cells) return hole
  switch (column.kind) {
    case "number": {
      const { shift, scale } = column
      return (from, to, { numbers }, at) => {
        const doubles = doublesOf(cells, from, to)
        for (let i = from; i < to; i++) {
          if (doubles) i = numberRun(doubles, i, to, shift, scale, numbers, at + i - from)
          if (i < to) numbers[at + i - from] = within((numberCell(cells[i], first + i, name) - shift) / scale)
        }
      }
    }
    case "count":
      return (from, to, { numbers }, at) => {
        for (let i = from; i < to; i++) numbers[at++] = countCell(cells[i], first + i, name)
      }
    case "level": {
      const codes = codesOf(column, column.levels)
      return (from, to, target, at) => {
        const doubles = doublesOf(cells, from, to)
        for (let i = from; i < to; i++) {
          if (doubles) i = levelRun(doubles, i, to, codes.small, target.codes, at + i - from)
          if (i === to) break
          const level = levelCell(cells[i], first + i, name)
          const code = level === undefined ? -1 : codes.all.get(level)
          target.codes[at + i - from] = code ?? -1
          if (code === undefined) stranger(first + i, name, level!)
        }
      }
    }
    case "bag": {
      const read = readings.get(name)!.encoder(column)
      // One visitor for all rows: where it is, is set row by row.
      let row = first
      const unknown = strangeWord && ((word: string) => strangeWord(row, name, word))
      return (from, to, target) => {
        for (row = first + from; row < first + to; row++) {
          const cell = cells[row - first]
          if (!isMissing(cell) && !read(cell, target, unknown)) throw notABag(cell, row, name)
          target.endBag()
        }
      }
    }
    default:
      return column satisfies never
  }
}
