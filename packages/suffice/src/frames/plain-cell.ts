/**
 * Any cell as JSON and back: what JSON has no word for is written as { "$cell": kind, of: … }. An object that has "$cell" itself is written as pairs.
 */
import type { Cell } from "../contract/cells.ts"

export function toPlainCell(cell: unknown): unknown {
  switch (typeof cell) {
    case "bigint":
      return { $cell: "bigint", of: String(cell) }
    case "number":
      return Number.isFinite(cell) && !Object.is(cell, -0) ? cell : { $cell: "number", of: String(cell) }
    case "object":
      return cell === null ? null : toPlainObject(cell)
    case "undefined":
      return null
    default:
      return cell
  }
}

function toPlainObject(cell: object): unknown {
  if (Array.isArray(cell)) return cell.map(toPlainCell)
  if (ArrayBuffer.isView(cell)) return Array.from(cell as unknown as ArrayLike<unknown>, toPlainCell)
  if (cell instanceof Map)
    return { $cell: "map", of: [...cell].map(([key, value]) => [key, toPlainCell(value)]) }
  // sparse counts say what they hold
  const { toJSON } = cell as { toJSON?: unknown }
  const own = typeof toJSON === "function" ? (toJSON.call(cell) as object) : cell
  const pairs = Object.entries(own).map(([key, value]) => [key, toPlainCell(value)] as const)
  if (Object.hasOwn(own, "$cell")) return { $cell: "record", of: pairs }
  return Object.fromEntries(pairs)
}

export function fromPlainCell(plain: unknown): Cell {
  return read(plain) as Cell
}

function read(plain: unknown): unknown {
  if (typeof plain !== "object" || plain === null) return plain
  if (Array.isArray(plain)) return plain.map(read)
  const { $cell, of } = plain as { readonly $cell?: unknown; readonly of?: unknown }
  if ($cell === undefined)
    return Object.fromEntries(Object.entries(plain).map(([key, value]) => [key, read(value)]))
  const pairs = (): [string, unknown][] =>
    (of as [string, unknown][]).map(([key, value]) => [key, read(value)])
  if ($cell === "bigint") return BigInt(of as string)
  if ($cell === "number") return of === "-0" ? -0 : Number(of)
  return $cell === "map" ? new Map(pairs()) : Object.fromEntries(pairs())
}
