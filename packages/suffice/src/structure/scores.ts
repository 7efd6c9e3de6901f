/**
 * What a set of parents is worth to a column: the number of its own leaf, laid out with one slot per configuration of the parents.
 *
 *     likelihood  value(s, θ(s))                         s the counts of all rows, θ without a prior
 *     bic         value(s, θ(s)) − ½ ln n · free         Schwarz 1978
 *     aic         value(s, θ(s)) − free
 *     evidence    B(α + s) − B(α)                        the log-normaliser of the leaf's belief, with its own prior
 *     bdeu        the same with α = ess / (Q·L) in every cell of a table of L levels and Q configurations (Heckerman et al. 1995)
 *
 * The score of a network is the sum over its columns. A row in which the column or one of the parents is missing is left out, and the rest counts for it.
 */
import type { Belief, BeliefKind } from "../contract/belief.ts"
import type { Family } from "../contract/family.ts"
import type { Leaf } from "../contract/leaf.ts"
import { list, SufficeError, show } from "../errors.ts"
import { linearFamily } from "../families/linear/linear.ts"
import { log } from "../kernels/log.ts"
import { SlotSums } from "../kernels/slot-sums.ts"
import type { Table } from "./table.ts"

/** What a network may be judged by. */
export type ScoreName = "bic" | "aic" | "bdeu" | "evidence"

/** How a score is computed: its name, and for bdeu the weight of the prior. */
export interface Scoring {
  readonly score: ScoreName | "likelihood"
  readonly ess: number
  /** Of the families, where they are needed. */
  readonly beliefs: readonly BeliefKind[]
}

/** Numbers of one table that would be counted; a set of parents that needs more is not considered. */
const MOST_NUMBERS = 1 << 22

export class Scores {
  readonly table: Table
  /** How many tables were counted. */
  counted = 0
  readonly #scoring: Scoring
  readonly #cache = new Map<string, number>()
  readonly #sums = new SlotSums()
  readonly #slot: Int32Array
  readonly #weight: Float64Array
  readonly #levels: readonly number[]
  readonly #logWeight: number

  constructor(table: Table, scoring: Scoring) {
    this.table = table
    this.#scoring = scoring
    this.#slot = new Int32Array(table.block.rows)
    this.#weight = new Float64Array(table.block.rows)
    this.#levels = table.columns.map(column => (column.kind === "level" ? column.levels.length : 0))
    this.#logWeight = log(table.weight)
  }

  /** The same rows by another score. */
  by(score: Scoring["score"]): Scores {
    return new Scores(this.table, { ...this.#scoring, score })
  }

  /** −∞: its table would be too large. */
  of(v: number, parents: readonly number[]): number {
    const sorted = parents.length < 2 ? parents : [...parents].sort((a, b) => a - b)
    const key = `${v}|${sorted.join(",")}`
    const known = this.#cache.get(key)
    if (known !== undefined) return known
    const score = this.#count(v, sorted)
    this.#cache.set(key, score)
    return score
  }

  ofNetwork(parents: readonly (readonly number[])[]): number {
    return parents.reduce((sum, own, v) => sum + this.of(v, own), 0)
  }

  /** Free parameters of the column given these parents. */
  free(v: number, parents: readonly number[]): number {
    return this.#leafOf(v, parents).leaf.shape.free
  }

  #configurations(parents: readonly number[]): number {
    return parents.reduce((product, u) => product * (this.#levels[u] || 1), 1)
  }

  #leafOf(v: number, parents: readonly number[]): { readonly leaf: Leaf; readonly family: Family } {
    const { families, columns, names } = this.table
    const numbers = parents.filter(u => this.#levels[u] === 0)
    const prior = families[v].options.prior as number
    const family =
      numbers.length === 0
        ? families[v]
        : linearFamily(
            numbers.map(u => names[u]),
            { prior },
          )
    const own = [v, ...numbers]
    const leaf = family.bind(
      own.map(u => columns[u]),
      own,
      this.#configurations(parents),
    )
    return { leaf, family }
  }

  #count(v: number, parents: readonly number[]): number {
    const { block, hasHoles, weight } = this.table
    const slots = this.#configurations(parents)
    if (slots * Math.max(this.#levels[v], 1) > MOST_NUMBERS) return Number.NEGATIVE_INFINITY
    this.counted++
    const { leaf, family } = this.#leafOf(v, parents)
    const slot = this.#slot
    this.#place(parents)
    const weights = hasHoles ? this.#seen(v, parents) : block.weight
    const stats = new Float64Array(leaf.shape.statistics)
    const params = new Float64Array(leaf.shape.parameters)
    leaf.absorb(
      block,
      params,
      this.#sums.given({ form: "one", slot, weight: weights }, block.rows, slots),
      stats,
    )
    if (!hasHoles) return this.#value(v, parents, family, leaf, stats, params, 1)
    let seen = 0
    for (let i = 0; i < block.rows; i++) seen += weights[i]
    return this.#value(v, parents, family, leaf, stats, params, seen > 0 ? weight / seen : 1)
  }

  /** slot ← the configuration of each row, the first parent outermost; 0 where a parent is missing. */
  #place(parents: readonly number[]): void {
    const slot = this.#slot
    const rows = slot.length
    let isFirst = true
    for (const u of parents) {
      const length = this.#levels[u]
      if (length === 0) continue
      const codes = this.table.block.cells[u] as Int32Array
      if (isFirst) for (let i = 0; i < rows; i++) slot[i] = codes[i]
      else
        for (let i = 0; i < rows; i++)
          slot[i] = slot[i] < 0 || codes[i] < 0 ? -1 : slot[i] * length + codes[i]
      isFirst = false
    }
    if (isFirst) slot.fill(0)
  }

  /** The weights of rows in which the column and its parents are all seen; others have none, and slot 0. */
  #seen(v: number, parents: readonly number[]): Float64Array {
    const { block } = this.table
    const weights = this.#weight
    for (let i = 0; i < block.rows; i++) weights[i] = this.#slot[i] < 0 ? 0 : block.weight[i]
    for (const u of [v, ...parents]) {
      const cells = block.cells[u] as Float64Array | Int32Array
      const isLevel = this.#levels[u] > 0
      for (let i = 0; i < block.rows; i++) if (isLevel ? cells[i] < 0 : cells[i] !== cells[i]) weights[i] = 0
    }
    for (let i = 0; i < block.rows; i++) if (this.#slot[i] < 0) this.#slot[i] = 0
    return weights
  }

  /** `share`: what each counted row stands for. */
  #value(
    v: number,
    parents: readonly number[],
    family: Family,
    leaf: Leaf,
    stats: Float64Array,
    params: Float64Array,
    share: number,
  ): number {
    const { score } = this.#scoring
    if (score === "bdeu" || score === "evidence")
      return this.#evidence(
        v,
        parents,
        family,
        leaf,
        stats.map(each => each * share),
      )
    leaf.solve(stats, 0, params)
    const value = share * leaf.value(stats, params)
    if (score === "likelihood") return value
    return value - (score === "bic" ? 0.5 * this.#logWeight : 1) * leaf.shape.free
  }

  /** B(α + s) − B(α) */
  #evidence(v: number, parents: readonly number[], family: Family, leaf: Leaf, stats: Float64Array): number {
    const { score, ess, beliefs } = this.#scoring
    const { columns } = this.table
    const kind = beliefs.find(each => each.family === family.name)
    if (!kind) throw withoutEvidence(columns[v].name, family.name, score, beliefs)
    const cells = leaf.shape.slots * this.#levels[v]
    const options =
      score === "bdeu" && this.#levels[v] > 0 ? { ...family.options, prior: ess / cells } : family.options
    const numbers = parents.filter(u => this.#levels[u] === 0)
    const belief = kind.of(leaf, {
      family: family.name,
      options,
      columns: [columns[v]],
      given: numbers.map(u => columns[u]),
      places: [v, ...numbers],
      isChoice: false,
    })
    const spread = new Float64Array(leaf.spread?.length ?? 0)
    leaf.spread?.estimate(stats, spread)
    const at = (seen: Float64Array): number => logNormaliser(belief, seen, spread)
    return at(stats) - at(new Float64Array(stats.length))
  }
}

function logNormaliser(belief: Belief, stats: Float64Array, spread: Float64Array): number {
  const q = new Float64Array(belief.numbers)
  belief.posterior(stats, 1, spread, q)
  return belief.logNormaliser(q)
}

function withoutEvidence(
  column: string,
  family: string,
  score: string,
  beliefs: readonly BeliefKind[],
): SufficeError {
  return new SufficeError(
    "option",
    `structure: column ${show(column)} is modelled by ${family}(), and the score is ${show(score)}. It integrates over the parameters, and ${family}() has no posterior here: ${list(
      beliefs.map(kind => kind.family),
      20,
    )} have one. Score by "bic", or give the column another family.`,
    { column, family },
  )
}
