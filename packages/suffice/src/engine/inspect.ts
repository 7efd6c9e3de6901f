/**
 * What the first chunk shows of columns that lead a model astray: copies of each other, and columns that give the label away.
 * Warnings, not errors: a copy counts its evidence twice, and a column made from the label is not there when it is needed.
 */
import type { Block, Chunk, Column, Diagnostic } from "../contract.ts"
import { show } from "../errors.ts"

/** Fewer rows than this prove nothing. */
const FEWEST = 30

/** `total`: how many rows there are; the chunk may hold the first of them only. */
export function inspect(
  columns: readonly Column[],
  labels: readonly string[],
  chunk: Chunk,
  total: number,
): Diagnostic[] {
  const rows = chunk.reduce((sum, block) => sum + block.rows, 0)
  if (rows < FEWEST) return []
  const table = columns.map((column, place) => valuesOf(column, chunk, place, rows))
  const where = rows < total ? `in the first ${rows} rows` : "in every row"
  return [...copies(columns, table, where), ...leaks(columns, labels, table, where)]
}

/** Numbers standardised with sign, so that linear copies are equal; levels numbered by first appearance; NaN is missing. */
function valuesOf(column: Column, chunk: Chunk, place: number, rows: number): Float64Array | undefined {
  if (column.kind === "bag") return undefined
  const values = new Float64Array(rows)
  let at = 0
  for (const { rows, cells } of chunk as readonly Block[]) {
    const held = cells[place] as Float64Array | Int32Array
    for (let i = 0; i < rows; i++, at++)
      values[at] = column.kind === "level" && held[i] < 0 ? Number.NaN : held[i]
  }
  return column.kind === "level" ? byAppearance(values) : standardised(values)
}

function byAppearance(codes: Float64Array): Float64Array {
  const order = new Map<number, number>()
  return codes.map(code => {
    if (code !== code) return code
    if (!order.has(code)) order.set(code, order.size)
    return order.get(code)!
  })
}

/** Mean 0, variance 1, the first value not below 0; a column without spread has no shape to compare. */
function standardised(values: Float64Array): Float64Array | undefined {
  let count = 0
  let sum = 0
  let first = Number.NaN
  for (const x of values) {
    if (x !== x) continue
    if (count++ === 0) first = x
    sum += x
  }
  const mean = sum / count
  let squares = 0
  for (const x of values) if (x === x) squares += (x - mean) * (x - mean)
  const spread = Math.sqrt(squares / count)
  if (!(spread > 0)) return undefined
  const sign = first < mean ? -1 : 1
  const shape = new Float64Array(values.length)
  for (let i = 0; i < shape.length; i++) shape[i] = (sign * (values[i] - mean)) / spread
  return shape
}

function copies(
  columns: readonly Column[],
  table: readonly (Float64Array | undefined)[],
  where: string,
): Diagnostic[] {
  // A fixed projection brings copies side by side: columns need be compared with their neighbours only.
  const longest = table.reduce((most, values) => Math.max(most, values?.length ?? 0), 0)
  const projection = Float64Array.from(
    { length: longest },
    (_, i) => ((i * 2654435761) % 1000003) / 1000003 - 0.5,
  )
  const keyed = table.flatMap((values, c) => {
    if (!values || !varied(values)) return []
    let key = 0
    for (let i = 0; i < values.length; i++) {
      const x = values[i]
      if (x === x) key += x * projection[i]
    }
    return [{ c, values, key }]
  })
  keyed.sort((a, b) => a.key - b.key)
  return keyed.slice(1).flatMap((after, j) => {
    const before = keyed[j]
    if (columns[before.c].kind !== columns[after.c].kind || !equal(before.values, after.values)) return []
    const [name, other] = [before.c, after.c].sort((a, b) => a - b).map(c => columns[c].name)
    return [
      {
        code: "duplicate-column" as const,
        column: other,
        message: `column ${show(other)} says the same as ${show(name)} ${where}: its evidence counts twice. Leave one of them out.`,
      },
    ]
  })
}

function equal(a: Float64Array, b: Float64Array): boolean {
  return a.every((x, i) => (x === x ? Math.abs(x - b[i]) <= 1e-9 : b[i] !== b[i]))
}

function varied(values: Float64Array): boolean {
  const first = values.find(x => x === x)
  return values.some(x => x === x && x !== first)
}

function leaks(
  columns: readonly Column[],
  labels: readonly string[],
  table: readonly (Float64Array | undefined)[],
  where: string,
): Diagnostic[] {
  return labels.flatMap(label => {
    const truth = table[columns.findIndex(({ name }) => name === label)]
    if (!truth || !varied(truth)) return []
    return columns.flatMap(({ name, kind }, c) => {
      const values = table[c]
      if (labels.includes(name) || !values || !givesAway(values, truth, kind !== "level")) return []
      return [
        {
          code: "leaking-column" as const,
          column: name,
          message: `column ${show(name)} tells ${show(label)} by itself ${where}. Is it known before ${show(label)} is? If not, leave it out.`,
        },
      ]
    })
  })
}

/** Does the value decide the label: each level has one label, or each label one stretch of the number line? */
function givesAway(values: Float64Array, truth: Float64Array, ordered: boolean): boolean {
  let both = 0
  for (let i = 0; i < values.length; i++) if (values[i] === values[i] && truth[i] === truth[i]) both++
  if (both < FEWEST) return false
  return ordered ? isStretched(values, truth) : isDecided(values, truth, both)
}

/** Labels are numbered by appearance, so are levels. */
function isDecided(levels: Float64Array, truth: Float64Array, both: number): boolean {
  const labelOf: number[] = []
  const kinds = new Set<number>()
  let count = 0
  for (let i = 0; i < levels.length; i++) {
    if (levels[i] !== levels[i] || truth[i] !== truth[i]) continue
    const label = labelOf[levels[i]]
    if (label !== undefined && label !== truth[i]) return false
    if (label === undefined) count++
    labelOf[levels[i]] = truth[i]
    kinds.add(truth[i])
  }
  return kinds.size > 1 && count * 5 <= both
}

/** From its smallest to its largest number, no label meets another. */
function isStretched(values: Float64Array, truth: Float64Array): boolean {
  const least: number[] = []
  const most: number[] = []
  for (let i = 0; i < values.length; i++) {
    const label = truth[i]
    if (values[i] !== values[i] || label !== label) continue
    least[label] = Math.min(least[label] ?? values[i], values[i])
    most[label] = Math.max(most[label] ?? values[i], values[i])
  }
  const labels = Object.keys(least).map(Number)
  labels.sort((a, b) => least[a] - least[b])
  return labels.length > 1 && labels.every((label, j) => j === 0 || most[labels[j - 1]] < least[label])
}
