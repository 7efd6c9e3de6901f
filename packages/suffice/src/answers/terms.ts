/** The terms of an explanation: what each column or word contributes to the log-odds. */
import { cellOf, isHole, rowsOf } from "../blocks/encoded.ts"
import type { Bags, Block } from "../contract/block.ts"
import type { Cell, Level } from "../contract/cells.ts"
import type { Column } from "../contract/columns.ts"
import type { ScaledLeaf } from "./scaled.ts"

export interface ExplanationTerm {
  readonly column: string
  /** Of a column that stands in steps: which one. */
  readonly step?: number
  readonly word?: string
  /** Of a document in topics: what its proportions cost, beside what its words say. */
  readonly of?: "proportions"
  /** The cell of the row; null if it is missing. For a word: how often it occurs. */
  readonly value: Cell
  readonly contribution: number
}

/** From this weight on, a slot of an impossible level counts as used. */
const TAKEN = 1e-9
const isTaken = (w: number): boolean => w > TAKEN

interface Name {
  readonly column: string
  readonly step?: number | undefined
  readonly word?: string | undefined
  readonly of?: "proportions" | undefined
}

/** All of one shape: there may be thousands. */
interface Term {
  readonly column: string
  readonly step: number | undefined
  readonly word: string | undefined
  readonly of: "proportions" | undefined
  contribution: number
}

/** Contributions of one row, by column, step and word. */
export class Terms {
  readonly #values: Map<string, Cell>
  readonly #terms = new Map<string, Term>()

  /** `unseen`: levels that count as missing. */
  constructor(
    columns: readonly Column[],
    block: Block,
    target: string,
    unseen: Readonly<Record<string, Level | readonly string[]>>,
  ) {
    const holes = new Set(
      columns.filter((column, place) => isHole(column, block.cells[place], 0)).map(column => column.name),
    )
    // own properties only: every object has a "constructor"
    const unseenLevel = (name: string): Level | readonly string[] | null =>
      Object.hasOwn(unseen, name) ? unseen[name] : null
    this.#values = new Map(
      columns.map((column, place) => [
        keyOf({ column: column.name }),
        holes.has(column.name) ? unseenLevel(column.name) : cellOf(column, block.cells[place], 0),
      ]),
    )
    for (const { kind, name } of columns) {
      const isOne = (kind !== "bag" && kind !== "steps") || holes.has(name)
      if (name !== target && isOne) this.add({ column: name }, 0)
    }
  }

  add({ column, step, word, of }: Name, contribution: number): void {
    const key = keyOf({ column, step, word, of })
    const term = this.#terms.get(key)
    if (term) term.contribution += contribution
    else this.#terms.set(key, { column, step, word, of, contribution })
  }

  /**
   * Σ_p weight_p · share_p of a leaf, for one level minus the other. `possible`: if a level is not possible, whatever makes its slots
   * impossible contributes an infinite amount.
   */
  addLeaf(
    leaf: ScaledLeaf,
    weights: readonly [Float64Array, Float64Array],
    possible: readonly [boolean, boolean],
  ): void {
    const { rows } = leaf.block
    for (let i = 0; i < rows; i++) {
      if (leaf.leaf.terms?.contributions) this.#addShares(leaf, i, weights, possible)
      else this.#addWhole(leaf, i, weights, possible)
    }
  }

  /** Of a leaf that does not divide its score. */
  #addWhole(
    leaf: ScaledLeaf,
    i: number,
    weights: readonly [Float64Array, Float64Array],
    possible: readonly [boolean, boolean],
  ): void {
    const column = leaf.part.columns.map(({ name }) => name).join(", ")
    const whole = wholeOf(leaf, i, weights[0], possible[0]) - wholeOf(leaf, i, weights[1], possible[1])
    if (leaf.part.steps.length > 0) this.#keepValues(leaf, i)
    this.add(leaf.part.steps.length > 0 ? { column, step: i } : { column }, whole)
  }

  /** The cells of a step. */
  #keepValues({ part: { columns, places }, block }: ScaledLeaf, i: number): void {
    columns.forEach((column, c) => {
      this.#values.set(keyOf({ column: column.name, step: i }), cellOf(column, block.cells[places[c]], i))
    })
  }

  /** Of a leaf that divides its score among columns or words, and of row i of its block: the row itself, or one of its steps. */
  #addShares(
    leaf: ScaledLeaf,
    i: number,
    weights: readonly [Float64Array, Float64Array],
    possible: readonly [boolean, boolean],
  ): void {
    const { rows } = leaf.block
    const block = rows > 1 ? rowsOf(leaf.block, i, i + 1) : leaf.block
    if (leaf.part.steps.length > 0) this.#keepValues(leaf, i)
    const { count, nameOf, there } = namesOf(leaf, block, i)
    const totals = weights.map((weight, k) => {
      const total = new Float64Array(count)
      for (let p = 0; p < leaf.part.leaf.shape.slots; p++) {
        const at = p * rows + i
        const w = weight[leaf.at + at]
        if (w === 0) continue
        const { shares, exact } = sharesOf(leaf, block, p, at, count)
        const impossible = !possible[k] && isTaken(w)
        for (let c = 0; c < total.length; c++) {
          total[c] += impossible && exact[c] === -Infinity ? exact[c] : w * shares[c]
        }
      }
      return total
    })
    for (let c = 0; c < count; c++) {
      const contribution = totals[0][c] - totals[1][c]
      // skips words that are not in the row and contribute nothing: most of the vocabulary
      if (contribution !== 0 || there(c)) this.add(nameOf(c), contribution)
    }
  }

  /**
   * Makes the contributions add up: distributes the remainder of quadrature and rounding in proportion to their size. Returns the
   * remainder; 0 if the odds are infinite.
   */
  settle(total: number): number {
    const terms = [...this.#terms.values()]
    const values = Float64Array.from(terms, term => term.contribution)
    const gap = total - values.reduce((sum, value) => sum + value, 0)
    if (!Number.isFinite(gap)) return 0
    spread(gap, values)
    terms.forEach((term, j) => {
      term.contribution = values[j]
    })
    return Math.abs(gap)
  }

  /** Largest first. */
  sorted(): ExplanationTerm[] {
    return (
      [...this.#terms.values()]
        .map(({ column, step, word, of, contribution }): ExplanationTerm => {
          const value = this.#values.get(keyOf({ column, step })) ?? null
          if (word === undefined && step === undefined && of === undefined)
            return { column, value, contribution }
          const cell = step === undefined ? { column } : { column, step }
          if (of !== undefined) return { ...cell, of, value, contribution }
          if (word === undefined) return { ...cell, value, contribution }
          const bag = value as Readonly<Record<string, number>> | null
          return { ...cell, word, value: bag && Object.hasOwn(bag, word) ? bag[word] : 0, contribution }
        })
        // a word whose contributions cancelled
        .filter(({ word, value, contribution }) => word === undefined || value !== 0 || contribution !== 0)
        .sort((a, b) => compare(Math.abs(a.contribution), Math.abs(b.contribution)))
    )
  }
}

/** The names that the shares of a leaf belong to, and whether they are in the row. */
function namesOf(
  { leaf, part: { columns, places, steps } }: ScaledLeaf,
  block: Block,
  i: number,
): {
  readonly count: number
  nameOf(c: number): Name
  there(c: number): boolean
} {
  const named = (column: string): Name => (steps.length > 0 ? { column, step: i } : { column })
  const [column] = columns
  if (column.kind !== "bag")
    return { count: columns.length, nameOf: c => named(columns[c].name), there: () => true }
  const { offsets, words } = block.cells[places[0]] as Bags
  const codes = new Set(words.subarray(offsets[0], offsets[1]))
  // topics have a term of the whole document: what its proportions cost
  const known = column.words.length
  return {
    count: leaf.topics ? known + 1 : known,
    nameOf: c => ({
      ...named(column.name),
      ...(c < known ? { word: column.words[c] } : { of: "proportions" }),
    }),
    there: c => codes.has(c),
  }
}

/** Most names are a column alone: no column begins as the others do. */
function keyOf({ column, step, word, of }: Name): string {
  const isAlone = step === undefined && word === undefined && of === undefined
  return isAlone ? `=${column}` : JSON.stringify([column, step, word, of])
}

/** Σ_p weight_p · score_p of row i of a leaf. If its level is not `possible`, −∞ where a slot that counts is impossible. */
function wholeOf(
  { part, block, at: from, exact, scores }: ScaledLeaf,
  i: number,
  weight: Float64Array,
  possible: boolean,
): number {
  let total = 0
  for (let p = 0; p < part.leaf.shape.slots; p++) {
    const at = p * block.rows + i
    const w = weight[from + at]
    if (w === 0) continue
    const impossible = !possible && isTaken(w)
    total += impossible && exact[at] === -Infinity ? exact[at] : w * scores[at]
  }
  return total
}

/** How the score of slot p, which stands at a place, divides among columns or words: `shares` add up to it; `exact` may hold −∞. */
function sharesOf(
  { leaf, params, scores }: ScaledLeaf,
  block: Block,
  p: number,
  at: number,
  count: number,
): { shares: Float64Array; exact: Float64Array } {
  const exact = new Float64Array(count)
  leaf.terms!.contributions!(block, params, p, exact)
  const shares = exact.slice()
  let infinite = 0
  let sum = 0
  for (let c = 0; c < count; c++) {
    if (Number.isFinite(exact[c])) sum += exact[c]
    else infinite++
  }
  const gap = scores[at] - sum
  if (infinite > 0) {
    for (let c = 0; c < count; c++) if (!Number.isFinite(exact[c])) shares[c] = gap / infinite
  } else if (Math.abs(gap) > 1e-14 * Math.abs(scores[at])) spread(gap, shares)
  return { shares, exact }
}

/** Add `gap` to the sum of the values, to each in proportion to its size. */
function spread(gap: number, values: Float64Array): void {
  let size = 0
  for (let c = 0; c < values.length; c++) size += Math.abs(values[c])
  if (!(size > 0)) return
  for (let c = 0; c < values.length; c++) values[c] += gap * (Math.abs(values[c]) / size)
}

/** Descending, also for ±∞. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a > b ? -1 : 1
}
