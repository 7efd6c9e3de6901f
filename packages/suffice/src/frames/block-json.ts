/** A block of encoded rows as JSON and back, to the bit. */
import { asBags, isBags } from "../blocks/encoded.ts"
import type { Block, Encoded, Nested } from "../contract/block.ts"
import { float64FromBase64, float64ToBase64 } from "../kernels/base64.ts"

/** A block as JSON. */
export type BlockJson = {
  readonly rows: number
  readonly weight: string
  readonly cells: readonly CellsJson[]
  readonly numbers?: string | undefined
}
type CellsJson =
  | { readonly form: "numbers" | "codes"; readonly of: string }
  | {
      readonly form: "bags" | "steps"
      readonly offsets: string
      readonly missing?: string
      readonly block: BlockJson
    }

/** The block as JSON, to the bit. */
export function blockToJson({ rows, weight, cells, numbers }: Block): BlockJson {
  return {
    rows,
    weight: text(weight),
    cells: cells.map(cellsToJson),
    ...(numbers && { numbers: text(numbers) }),
  }
}

function cellsToJson(held: Encoded): CellsJson {
  if (ArrayBuffer.isView(held))
    return { form: held instanceof Float64Array ? "numbers" : "codes", of: text(held) }
  const { offsets, missing, block } = held
  const form = isBags(held) ? "bags" : "steps"
  return {
    form,
    offsets: text(offsets),
    ...(missing && { missing: text(missing) }),
    block: blockToJson(block),
  }
}

/** The block again. */
export function blockFromJson({ rows, weight, cells, numbers }: BlockJson): Block {
  return {
    rows,
    weight: doubles(weight),
    cells: cells.map(cellsFromJson),
    ...(numbers !== undefined && { numbers: doubles(numbers) }),
  }
}

function cellsFromJson(json: CellsJson): Encoded {
  if ("of" in json) return json.form === "numbers" ? doubles(json.of) : Int32Array.from(doubles(json.of))
  const offsets = Int32Array.from(doubles(json.offsets))
  const missing = json.missing === undefined ? undefined : Uint8Array.from(doubles(json.missing))
  const nested: Nested = { offsets, block: { ...blockFromJson(json.block), offsets }, missing }
  return json.form === "bags" ? asBags(nested) : nested
}

function text(values: ArrayLike<number>): string {
  return float64ToBase64(Float64Array.from(values))
}

function doubles(encoded: string): Float64Array {
  return float64FromBase64(encoded) ?? new Float64Array(0)
}
