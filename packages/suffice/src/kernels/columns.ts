/** Numeric columns between the door and the kernels: their memory, and their standardisation. */

/** Memory for the numbers of one chunk at a time. */
export interface ColumnMemory {
  /** `columns` arrays of `rows` numbers each, until `owner` releases them; undefined if none are free. */
  lend(owner: object, columns: number, rows: number): readonly Float64Array[] | undefined
  /** Elements from … to − 1 of an array, as the kernels recognise them. */
  cut(column: Float64Array, from: number, to: number): Float64Array
  readonly standardise: typeof standardise
  /** No effect if the owner has none. */
  release(owner: object): void
}

/**
 * to[at …] ← (x − shift)·inverse, x = values[from] … values[end − 1], measure = (shift, inverse). Returns where it stopped: at the first result farther
 * from 0 than `most`, or at `end`. A missing number stays missing. Twin: assembly/standardise.ts.
 */
export function standardise(
  values: Float64Array,
  from: number,
  end: number,
  to: Float64Array,
  at: number,
  measure: Float64Array,
  most: number,
): number {
  const shift = measure[0]
  const inverse = measure[1]
  const by = at - from
  let i = from
  for (; i < end; i++) {
    const value = (values[i] - shift) * inverse
    if (Math.abs(value) > most) break
    to[i + by] = value
  }
  return i
}

/** Ordinary memory: nothing is lent, so encoders allocate their own arrays. */
export const ORDINARY: ColumnMemory = {
  lend: () => undefined,
  cut: (column, from, to) => column.subarray(from, to),
  standardise,
  release() {},
}
