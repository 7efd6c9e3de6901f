/**
 * Missing numbers, integrated out exactly: conditional on the levels, the numbers of a network are linear and Gaussian.
 *
 * Missing numbers that share a density form a group m. For every configuration b of the missing levels that its densities depend on, with residuals
 * r_j = x_j − a_j − b_j·x and precisions λ_j:
 *
 *     −½ Σ_j λ_j r_j² = −½ (x_m − x̂)ᵀ K (x_m − x̂) − ½ Σ_j λ_j r̂_j²        K = Σ_j λ_j c_j c_jᵀ,  K x̂ = h,  r̂ at x̂
 *     ln φ(b) = Σ_j ( top_j − ½ λ_j r̂_j² ) − ½ ln|K| + ½ |m| ln 2π           Cov = K⁻¹
 *
 * Long because all of it works on the same tables. φ is a factor over b in the program of the levels (program.ts). Lauritzen & Jensen 2001, in the form of information instead of potentials.
 */
import type { Block } from "../../contract/block.ts"
import type { Dice } from "../../contract/dice.ts"
import { list, SufficeError } from "../../errors.ts"
import { LN_2PI } from "../../families/normal/columns.ts"
import { log } from "../../kernels/log.ts"
import {
  addOuter,
  cholesky,
  logDetFromCholesky,
  solveLower,
  solveUpper,
  triangle,
} from "../../kernels/triangle.ts"
import type { LaidNode } from "./layout.ts"

/** Missing numbers that share a density, and what that takes. */
export interface Group {
  /** As a factor: behind the nodes and the borders. */
  readonly id: number
  /** m */
  readonly missing: readonly number[]
  /** The nodes whose densities involve them. */
  readonly families: readonly number[]
  /** The nodes whose statistics and posteriors come from the group; those of them in `blank` are not known to be anything, given what they read. */
  readonly told: readonly number[]
  readonly blank: readonly number[]
  /** Missing columns with levels that parameters depend on, and the step of each in the tables below. */
  readonly boundary: readonly number[]
  readonly strides: readonly number[]
  /** By configuration b and context p, at b·P + p: ln φ; x̂, |m| each; L of K = LLᵀ, packed. */
  readonly logs: Float64Array
  readonly means: Float64Array
  readonly factors: Float64Array
}

/** More configurations of missing levels than this are refused. */
const MOST_CONFIGURATIONS = 1 << 16

export class MissingNumbers {
  /** Lines that others read; and who reads a node. */
  readonly parents: readonly number[]
  readonly #children: readonly (readonly number[])[]
  readonly #nodes: readonly LaidNode[]
  readonly #levels: readonly number[]
  readonly #contexts: number
  readonly #firstId: number
  readonly #groups = new Map<string, Group>()
  readonly #values: Int32Array
  readonly #line: Float64Array
  #codes: readonly Int32Array[] = []
  #block: Block | undefined

  /** `firstId`: groups are factors from this number on. */
  constructor(
    nodes: readonly LaidNode[],
    levels: readonly number[],
    contexts: number,
    firstId: number = nodes.length,
  ) {
    this.#nodes = nodes
    this.#firstId = firstId
    this.#levels = levels
    this.#contexts = contexts
    this.#children = nodes.map((_, v) =>
      nodes.flatMap(({ numberParents }, child) => (numberParents.includes(v) ? [child] : [])),
    )
    this.parents = nodes.flatMap((_, v) =>
      this.#children[v].length > 0 && [v, ...this.#children[v]].every(u => this.#isLine(u)) ? [v] : [],
    )
    this.#values = new Int32Array(nodes.length)
    this.#line = new Float64Array(nodes.length + 3)
  }

  /** Is its density a line in the numbers it reads? Where θ is believed, not known, it is none. */
  #isLine(v: number): boolean {
    const { leaf } = this.#nodes[v].part
    return leaf.numbers?.line !== undefined && !leaf.belief
  }

  /** Can numbers be missing that others read? */
  get isAny(): boolean {
    return this.parents.length > 0
  }

  get count(): number {
    return this.#groups.size
  }

  forget(): void {
    this.#groups.clear()
  }

  /** The rows that the next calls are about. */
  read(block: Block | undefined, codes: readonly Int32Array[]): void {
    this.#block = block
    this.#codes = codes
  }

  /**
   * The groups of a row. `isWhole`: missing numbers on which nothing depends that is seen are wanted, too, since learners of small steps complete them. A number given one
   * that is missing, and no line, is left to its leaf, which refuses the row.
   */
  groupsOf(isMissing: (v: number) => boolean, isRelevant: (v: number) => boolean, isWhole: boolean): Group[] {
    const isTold = (v: number): boolean =>
      this.#nodes[v].numberParents.every(u => !isMissing(u) || (this.parents.includes(u) && isTold(u)))
    const open = this.parents.filter(v => isMissing(v) && (isWhole || isRelevant(v)) && isTold(v))
    if (open.length === 0) return []
    const isNear = (v: number): boolean => open.includes(v) || ((isWhole || !isMissing(v)) && isTold(v))
    const near = [...new Set(open.flatMap(v => [v, ...this.#children[v]]))].filter(isNear)
    near.sort((one, other) => one - other)
    const home = new Map(open.map(v => [v, v]))
    const root = (v: number): number => (home.get(v) === v ? v : root(home.get(v)!))
    const openIn = (v: number): number[] => [v, ...this.#nodes[v].numberParents].filter(u => home.has(u))
    for (const v of near) {
      const [first, ...others] = openIn(v)
      for (const u of others) home.set(root(u), root(first))
    }
    const groups = new Map<number, number[]>()
    for (const v of open) groups.set(root(v), [...(groups.get(root(v)) ?? []), v])
    return Array.from(groups, ([home, missing]) => {
      const own = near.filter(v => root(openIn(v)[0]) === home)
      const families = own.filter(v => missing.includes(v) || !isMissing(v))
      const isReading = (v: number): boolean => this.#nodes[v].numberParents.some(u => missing.includes(u))
      const told = own.filter(v => isRelevant(v) || isReading(v))
      const blank = told.filter(v => isMissing(v) && !isRelevant(v))
      const boundary = [...new Set(own.flatMap(v => this.#nodes[v].levelParents))].filter(isMissing)
      boundary.sort((one, other) => one - other)
      return this.#group({ missing, families, told, blank, boundary })
    })
  }

  #group(shape: Pick<Group, "missing" | "families" | "told" | "blank" | "boundary">): Group {
    const { missing, families, told, blank, boundary } = shape
    const key = [missing, families, told, blank, boundary].join("|")
    const known = this.#groups.get(key)
    if (known) return known
    const strides: number[] = []
    let size = this.#contexts
    for (const u of [...boundary].reverse()) {
      strides.unshift(size)
      size *= this.#levels[u]
    }
    if (size > MOST_CONFIGURATIONS * this.#contexts) {
      const names = boundary.map(u => this.#nodes[u].name)
      throw new SufficeError(
        "size",
        `network: to integrate out missing numbers takes ${size / this.#contexts} configurations of ${list(names, 20)}, more than ${MOST_CONFIGURATIONS}. Give more of these cells, or remove arrows to ${list(missing.map(v => this.#nodes[v].name))}.`,
        { entries: size, columns: names },
      )
    }
    const m = missing.length
    const group: Group = {
      id: this.#firstId + this.#groups.size,
      ...shape,
      strides,
      logs: new Float64Array(size),
      means: new Float64Array(size * m),
      factors: new Float64Array(size * triangle(m)),
    }
    this.#groups.set(key, group)
    return group
  }

  /** ln φ, x̂ and L of a row, for every configuration. */
  solve(group: Group, row: number, params: Float64Array): void {
    const { missing, families, logs, means, factors } = group
    const m = missing.length
    const along = new Float64Array(m)
    for (let s = 0; s < logs.length; s++) {
      const K = s * triangle(m)
      const h = s * m
      factors.fill(0, K, K + triangle(m))
      means.fill(0, h, h + m)
      for (const v of families) {
        const { gap, precision } = this.#residual(group, v, s, row, params, along)
        addOuter(m, factors, K, precision, along, 0)
        for (let j = 0; j < m; j++) means[h + j] -= precision * gap * along[j]
      }
      cholesky(factors, K, m)
      solveLower(factors, K, m, means, h)
      solveUpper(factors, K, m, means, h)
      let total = 0.5 * (m * LN_2PI - logDetFromCholesky(factors, K, m))
      for (const v of families) {
        const { gap, precision, top } = this.#residual(group, v, s, row, params, along)
        let left = gap
        for (let j = 0; j < m; j++) left += along[j] * means[h + j]
        total += top - 0.5 * precision * left * left
        // what is integrated over is encoded
        if (missing.includes(v)) total += log((this.#nodes[v].column as { scale: number }).scale)
      }
      logs[s] = total
    }
  }

  /** r = gap + along·x_m of a node's density, in configuration and context s; `cell`: its own, if it is not one of m. */
  #residual(
    group: Group,
    v: number,
    s: number,
    row: number,
    params: Float64Array,
    along: Float64Array,
    cell = this.#cell(v, row),
  ): { gap: number; precision: number; top: number } {
    const { part, numberParents } = this.#nodes[v]
    const line = this.#line
    part.leaf.numbers!.line!(part.ranges.paramsOf(params), this.slot(group, v, s, row), line)
    along.fill(0)
    const own = group.missing.indexOf(v)
    if (own >= 0) along[own] = 1
    let gap = own < 0 ? cell - line[0] : -line[0]
    numberParents.forEach((u, j) => {
      const at = group.missing.indexOf(u)
      if (at >= 0) along[at] -= line[1 + j]
      else gap -= line[1 + j] * this.#cell(u, row)
    })
    const d = numberParents.length
    return { gap, precision: line[d + 1], top: line[d + 2] }
  }

  #cell(v: number, row: number): number {
    return (this.#block!.cells[this.#nodes[v].place] as Float64Array)[row]
  }

  /** The slot of a node in configuration and context s of its group. */
  slot({ boundary, strides }: Group, v: number, s: number, row: number): number {
    boundary.forEach((u, j) => {
      this.#values[u] = Math.trunc(s / strides[j]) % this.#levels[u]
    })
    let c = 0
    for (const u of this.#nodes[v].levelParents) {
      const code = boundary.includes(u) ? this.#values[u] : this.#codes[u][row]
      c = c * this.#levels[u] + code
    }
    return c * this.#contexts + (s % this.#contexts)
  }

  /** Mean and variance of a missing number, of the group or riding on it, in configuration and context s. */
  belief(
    group: Group,
    v: number,
    s: number,
    row: number,
    params: Float64Array,
  ): { mean: number; variance: number } {
    const { missing, means, factors } = group
    const m = missing.length
    const own = missing.indexOf(v)
    const along = new Float64Array(m)
    let mean = 0
    let variance = 0
    if (own >= 0) along[own] = 1
    else {
      // 0 − x = gap + along·x_m + noise
      const { precision, gap } = this.#residual(group, v, s, row, params, along, 0)
      mean = -gap
      variance = 1 / precision
      for (let j = 0; j < m; j++) along[j] = -along[j]
    }
    for (let j = 0; j < m; j++) mean += along[j] * means[s * m + j]
    solveLower(factors, s * triangle(m), m, along, 0)
    for (let j = 0; j < m; j++) variance += along[j] * along[j]
    return { mean, variance }
  }

  /**
   * Points with the mean and the covariance of the missing numbers that a node reads or is, each of the same weight: x̂ ± √k · column of the root of their covariance. Statistics
   * of lines are squares and products, so that their mean over the points is what is expected.
   */
  points(
    group: Group,
    v: number,
    s: number,
  ): { readonly nodes: readonly number[]; readonly at: Float64Array[] } {
    const { missing, means, factors } = group
    const m = missing.length
    const nodes = [v, ...this.#nodes[v].numberParents].filter(u => missing.includes(u))
    const k = nodes.length
    const places = nodes.map(u => missing.indexOf(u))
    // L⁻¹ e_u, for each of them: their products are the covariance
    const columns = places.map(j => {
      const column = new Float64Array(m)
      column[j] = 1
      solveLower(factors, s * triangle(m), m, column, 0)
      return column
    })
    const root = new Float64Array(triangle(k))
    for (let a = 0, at = 0; a < k; a++)
      for (let b = 0; b <= a; b++, at++) for (let j = 0; j < m; j++) root[at] += columns[a][j] * columns[b][j]
    rootOf(root, k)
    const at: Float64Array[] = []
    for (let b = 0; b < k; b++) {
      for (const sign of [-1, 1]) {
        at.push(
          Float64Array.from(places, (j, a) => {
            const step = a >= b ? root[triangle(a) + b] : 0
            return means[s * m + j] + sign * Math.sqrt(k) * step
          }),
        )
      }
    }
    return { nodes, at }
  }

  /** values[u] ← a joint draw of the group's numbers, in configuration and context s. */
  draw(
    { missing, means, factors }: Group,
    s: number,
    dice: Dice,
    values: (v: number, x: number) => void,
  ): void {
    const m = missing.length
    // x̂ + L⁻ᵀ ε has covariance (LLᵀ)⁻¹
    const noise = Float64Array.from({ length: m }, () => dice.normal())
    solveUpper(factors, s * triangle(m), m, noise, 0)
    missing.forEach((v, j) => void values(v, means[s * m + j] + noise[j]))
  }
}

/** The packed lower root of a covariance in place; what is determined by the others has a pivot of 0. */
function rootOf(a: Float64Array, d: number): void {
  for (let i = 0, row = 0; i < d; row += ++i) {
    for (let j = 0, other = 0; j <= i; other += ++j) {
      let sum = a[row + j]
      for (let k = 0; k < j; k++) sum -= a[row + k] * a[other + k]
      if (j === i) a[row + i] = Math.sqrt(Math.max(sum, 0))
      else a[row + j] = a[other + j] > 0 ? sum / a[other + j] : 0
    }
  }
}
