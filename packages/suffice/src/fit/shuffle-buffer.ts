/**
 * Rows that a stream has given and nothing has been learned from yet: they wait in its shuffle buffer. A checkpoint contains them, since nobody could give them
 * again. It may have been changed: kernels trust codes and offsets, so those are checked on the way in.
 */
import { asBags, columnsWithin } from "../blocks/encoded.ts"
import { gather, type Picks } from "../blocks/gather.ts"
import type { Block, Encoded, Nested } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Json } from "../contract/report.ts"
import { type BlockJson, blockFromJson, blockToJson } from "../frames/block-json.ts"

/** The rows as JSON, in their order. */
export function waitingToJson(columns: readonly Column[], picks: Picks): Json {
  return blockToJson(gather(columns, picks)) as unknown as Json
}

/** The rows again; throws if they cannot be rows of these columns. */
export function waitingFromJson(columns: readonly Column[], json: Json): Block {
  return checked(columns, blockFromJson(json as unknown as BlockJson))
}

function checked(columns: readonly Column[], block: Block): Block {
  const { rows, weight, numbers } = block
  if (weight.length !== rows || !weight.every(w => w >= 0 && w < Infinity)) throw wrong("weights")
  if (numbers && numbers.length !== rows) throw wrong("numbers of rows")
  // what words weigh, in a further column of theirs, is computed again
  return { ...block, cells: columns.map((column, place) => checkedCells(column, block.cells[place], rows)) }
}

function checkedCells(column: Column, held: Encoded, rows: number): Encoded {
  const within = columnsWithin(column)
  if (!within) {
    const isFine =
      column.kind === "level"
        ? held instanceof Int32Array && held.every(code => code >= -1 && code < column.levels.length)
        : held instanceof Float64Array && !held.some(value => Math.abs(value) === Infinity)
    if (!isFine || (held as Float64Array).length !== rows) throw wrong(column.name)
    return held
  }
  const { offsets, missing, block } = held as Nested
  const isOrdered = offsets.every((offset, i) => (i === 0 ? offset === 0 : offset >= offsets[i - 1]))
  if (offsets.length !== rows + 1 || !isOrdered || offsets[rows] !== block.rows) throw wrong(column.name)
  if (missing && missing.length !== rows) throw wrong(column.name)
  // steps belong to rows that have numbers
  const { numbers, ...inner } = block
  const nested = {
    offsets,
    missing,
    block: { ...checked(within, inner), ...(numbers && { numbers }), offsets },
  }
  if (column.kind !== "bag") return nested
  const bags = asBags(nested)
  // no word of a document is missing
  if (bags.words.some(code => code < 0)) throw wrong(column.name)
  return bags
}

function wrong(what: string): TypeError {
  return new TypeError(`the rows that wait have no valid ${what}`)
}
