/**
 * The first pass over numbers that become levels: where to cut, so that every level holds about as many rows.
 *
 *     cut j of k = the smallest value below which at least j/k of the weight lies        equal cuts are one
 *
 * Every value is counted. Once there are more than `most` different ones, values are counted by their first twelve binary digits, 0.02 % apart: whether that happens, and what comes of it, depends
 * on the values alone, and weights are summed by stretch, so that parts that were read elsewhere join to the same cuts.
 */
import type { Column } from "../contract/columns.ts"
import { numberCell } from "./cells.ts"
import type { ColumnPart, Explorer } from "./explore.ts"

const MOST = 100_000

export function binsExplorer(
  name: string,
  bins: number | readonly number[],
  known: Column | undefined,
  most = MOST,
): Explorer {
  const total = new Counts(most)
  let stretch = new Counts(most)
  let missing = 0
  const endStretch = (): void => {
    total.join(stretch.list())
    stretch = new Counts(most)
  }
  return {
    look(cells, weights, first) {
      for (let i = 0; i < weights.length; i++) {
        if (weights[i] === 0) continue
        const cell = cells[i]
        // a level by its name, as drawn rows have it
        if (typeof cell === "string" && typeof bins !== "number" && binNames(bins).includes(cell)) continue
        const value = numberCell(cell, first + i, name)
        if (value === value) stretch.add(value, weights[i])
        else missing++
      }
    },
    endChunk() {},
    endStretch,
    part(): ColumnPart {
      endStretch()
      return { missing, values: total.list() }
    },
    join({ missing: more, values = [] }) {
      missing += more
      total.join(values)
    },
    get missing() {
      return missing
    },
    found() {
      endStretch()
      const counts = total.list()
      const variety = counts.length === 0 ? "none" : counts.length === 1 ? "constant" : "some"
      return { column: columnOf(counts), missing, variety }
    },
  }

  function columnOf(counts: readonly (readonly [number, number])[]): Column {
    if (known?.kind === "level" && known.levels.length > 0) return known
    if (typeof bins === "number" && counts.length === 0) return { kind: "level", name, levels: [] }
    const cuts = typeof bins === "number" ? quantiles(counts, bins) : bins
    return { kind: "level", name, levels: binNames(cuts), cuts }
  }
}

/** Weights by value. */
class Counts {
  readonly #most: number
  #weights = new Map<number, number>()
  #isCoarse = false

  constructor(most: number) {
    this.#most = most
  }

  add(value: number, weight: number): void {
    // −0 is 0
    const key = (this.#isCoarse ? coarse(value) : value) + 0
    this.#weights.set(key, (this.#weights.get(key) ?? 0) + weight)
    if (!this.#isCoarse && this.#weights.size > this.#most) this.#coarsen()
  }

  join(counts: readonly (readonly [number, number])[]): void {
    for (const [value, weight] of counts) this.add(value, weight)
  }

  /** In order of the values. */
  list(): (readonly [number, number])[] {
    return [...this.#weights].sort(([one], [other]) => one - other)
  }

  #coarsen(): void {
    this.#isCoarse = true
    const fine = this.#weights
    this.#weights = new Map()
    for (const [value, weight] of fine) this.add(value, weight)
  }
}

const bits = new DataView(new ArrayBuffer(8))

/** The first twelve binary digits of a number: all others 0. */
function coarse(value: number): number {
  bits.setFloat64(0, value)
  bits.setUint32(0, bits.getUint32(0) & 0xffff_ff00)
  bits.setUint32(4, 0)
  return bits.getFloat64(0)
}

function quantiles(counts: readonly (readonly [number, number])[], bins: number): number[] {
  const all = counts.reduce((sum, [, weight]) => sum + weight, 0)
  const cuts: number[] = []
  let below = 0
  let next = 1
  for (const [value, weight] of counts) {
    let isCut = false
    while (next < bins && below >= (all * next) / bins) {
      isCut = true
      next++
    }
    if (isCut) cuts.push(value)
    below += weight
  }
  return cuts
}

/** The interval that x lies in: how many cuts are at most x. */
export function binOf(cuts: ArrayLike<number>, x: number): number {
  let low = 0
  let high = cuts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (cuts[middle] <= x) low = middle + 1
    else high = middle
  }
  return low
}

/** The cuts of these levels: each but the first begins with one. */
export function cutsIn(levels: readonly unknown[]): number[] {
  return levels.slice(1).map(level => Number(String(level).replace("≥ ", "").split(" – ")[0]))
}

/** The intervals between the cuts, by name. */
export function binNames(cuts: readonly number[]): string[] {
  if (cuts.length === 0) return ["any"]
  const between = cuts.slice(1).map((cut, j) => `${cuts[j]} – ${cut}`)
  return [`< ${cuts[0]}`, ...between, `≥ ${cuts[cuts.length - 1]}`]
}
