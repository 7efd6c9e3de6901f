/**
 * Warnings about columns that mislead a model, from the first chunk: copies of each other, whose evidence counts twice, and columns that
 * determine the label, which are often derived from it and unknown at prediction.
 */
import type { Block, Chunk } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Diagnostic } from "../contract/report.ts"
import { show } from "../errors.ts"

/** Fewer rows than this prove nothing. */
const FEWEST = 30

/** This many rows, from all over the chunk, raise suspicion: what is not so in them is not so in the chunk. */
const SAMPLE = 256

/** `total`: how many rows there are; the chunk may hold the first of them only. */
export function inspect(
  columns: readonly Column[],
  labels: readonly string[],
  chunk: Chunk,
  total: number,
): Diagnostic[] {
  const rows = chunk.reduce((sum, block) => sum + block.rows, 0)
  if (rows < FEWEST) return []
  const step = Math.ceil(rows / SAMPLE)
  const sample = columns.map((column, place) => valuesOf(column, chunk, place, rows, step))
  const known = new Map<number, Float64Array | undefined>()
  const whole = (place: number): Float64Array | undefined => {
    if (!known.has(place)) known.set(place, valuesOf(columns[place], chunk, place, rows, 1))
    return known.get(place)
  }
  const where = rows < total ? `in the first ${rows} rows` : "in every row"
  return [...copies(columns, sample, whole, where), ...leaks(columns, labels, sample, whole, where)]
}

/** Every step-th value; NaN is missing. Numbers are standardised up to sign, levels numbered by first appearance, so that copies are equal. */
function valuesOf(
  column: Column,
  chunk: Chunk,
  place: number,
  rows: number,
  step: number,
): Float64Array | undefined {
  if (column.kind === "bag" || column.kind === "steps") return undefined
  const values = new Float64Array(Math.ceil(rows / step))
  let at = 0
  let row = 0 // the next one to take, within the block
  for (const { rows, cells } of chunk as readonly Block[]) {
    const encoded = cells[place] as Float64Array | Int32Array
    for (; row < rows; row += step)
      values[at++] = column.kind === "level" && encoded[row] < 0 ? NaN : encoded[row]
    row -= rows
  }
  return column.kind === "level" ? byAppearance(values, column.levels.length) : standardised(values)
}

function byAppearance(codes: Float64Array, levels: number): Float64Array {
  const order = new Int32Array(levels)
  let met = 0
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]
    if (code !== code) continue
    if (order[code] === 0) order[code] = ++met
    codes[i] = order[code] - 1
  }
  return codes
}

/** Mean 0, variance 1, the first value ≥ 0; undefined for a column without spread. */
function standardised(values: Float64Array): Float64Array | undefined {
  let count = 0
  let sum = 0
  let first = NaN
  for (let i = 0; i < values.length; i++) {
    const x = values[i]
    if (x !== x) continue
    if (count++ === 0) first = x
    sum += x
  }
  const mean = sum / count
  let squares = 0
  for (let i = 0; i < values.length; i++) {
    const d = values[i] - mean
    if (d === d) squares += d * d
  }
  const spread = Math.sqrt(squares / count)
  if (!(spread > 0)) return undefined
  const sign = first < mean ? -1 : 1
  for (let i = 0; i < values.length; i++) values[i] = (sign * (values[i] - mean)) / spread
  return values
}

function copies(
  columns: readonly Column[],
  sample: readonly (Float64Array | undefined)[],
  whole: (place: number) => Float64Array | undefined,
  where: string,
): Diagnostic[] {
  const suspects = new Set(equals(columns, sample).flat())
  // a column that is constant in the sample is compared in full
  sample.forEach((values, c) => {
    if (!values || !varied(values)) suspects.add(c)
  })
  const pairs = equals(
    columns,
    columns.map((_, c) => (suspects.has(c) ? whole(c) : undefined)),
  )
  return pairs.map(pair => {
    const [name, other] = pair.map(c => columns[c].name)
    return {
      code: "duplicate-column" as const,
      column: other,
      message: `column ${show(other)} says the same as ${show(name)} ${where}: its evidence counts twice. Leave one of them out.`,
    }
  })
}

/** A fixed random vector. Columns are sorted by their product with it, so that copies are neighbours. */
const projection: number[] = []

/** Pairs of columns with the same values. */
function equals(columns: readonly Column[], table: readonly (Float64Array | undefined)[]): number[][] {
  const keyed = table.flatMap((values, c) => {
    if (!values || !varied(values)) return []
    let key = 0
    for (let i = 0; i < values.length; i++) {
      const x = values[i]
      projection[i] ??= ((i * 2654435761) % 1000003) / 1000003 - 0.5
      if (x === x) key += x * projection[i]
    }
    return [{ c, values, key }]
  })
  keyed.sort((a, b) => a.key - b.key)
  return keyed.slice(1).flatMap((after, j) => {
    const before = keyed[j]
    if (columns[before.c].kind !== columns[after.c].kind || !equal(before.values, after.values)) return []
    return [[before.c, after.c].sort((a, b) => a - b)]
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
  sample: readonly (Float64Array | undefined)[],
  whole: (place: number) => Float64Array | undefined,
  where: string,
): Diagnostic[] {
  return labels.flatMap(label => {
    const place = columns.findIndex(({ name }) => name === label)
    const few = sample[place]
    return columns.flatMap(({ name, kind }, c) => {
      const rules = kind === "level" ? decided : stretched
      const values = sample[c]
      if (
        labels.includes(name) ||
        kind === "bag" ||
        kind === "steps" ||
        (values && few && !rules(values, few))
      )
        return []
      if (!givesAway(whole(c), whole(place), rules)) return []
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

/** The rows in which both are seen, and the numbers of values and labels in them; undefined if one value has two labels. */
type Rule = (values: Float64Array, truth: Float64Array) => Told | undefined

interface Told {
  readonly rows: number
  readonly values: number
  readonly labels: number
}

/** Does the value determine the label, though values recur? */
function givesAway(values: Float64Array | undefined, truth: Float64Array | undefined, rule: Rule): boolean {
  const told = values && truth && rule(values, truth)
  return told !== undefined && told.rows >= FEWEST && told.labels > 1 && told.values * 5 <= told.rows
}

/** Each level has one label. Labels and levels are numbered by appearance. */
function decided(levels: Float64Array, truth: Float64Array): Told | undefined {
  const labelOf = new Map<number, number>()
  let rows = 0
  for (let i = 0; i < levels.length; i++) {
    if (levels[i] !== levels[i] || truth[i] !== truth[i]) continue
    rows++
    const label = labelOf.get(levels[i])
    if (label === undefined) labelOf.set(levels[i], truth[i])
    else if (label !== truth[i]) return undefined
  }
  return { rows, values: labelOf.size, labels: new Set(labelOf.values()).size }
}

/** Each label has an interval of its own, from its smallest to its largest number. */
function stretched(numbers: Float64Array, truth: Float64Array): Told | undefined {
  const least: number[] = []
  const most: number[] = []
  let rows = 0
  for (let i = 0; i < numbers.length; i++) {
    const x = numbers[i]
    const label = truth[i]
    if (x !== x || label !== label) continue
    rows++
    if (!(x >= least[label])) least[label] = x
    if (!(x <= most[label])) most[label] = x
  }
  const sorted = [...least.keys()].filter(l => l in least).sort((a, b) => least[a] - least[b])
  if (sorted.some((l, j) => j > 0 && most[sorted[j - 1]] >= least[l])) return undefined
  return { rows, values: sorted.length, labels: sorted.length }
}
