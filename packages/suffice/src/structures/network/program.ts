/**
 * What is done, row after row, to sum out a set of missing columns with levels. Everything that does not depend on the row is computed once.
 *
 *     up     T_c = Π factors · Π messages;  m = Σ_runs T_c,  z = Σ m,  ln Z += ln z,  m /= z,  T_c /= z       children first
 *     down   f = T_parent summed to the separator;  T_c *= f / m   (0/0 = 0)                                parents first
 *
 * After both, T_c is p(clique | seen). Entry e of a clique in context p stands at e·P + p. A factor of a node with levels reads its table at base + map[e] + p, where
 * base comes from the columns that are seen; counting adds to the same places. Numbers are factors by their log-densities, added before one exp per entry.
 */
import type { Dice } from "../../contract/dice.ts"
import { exp } from "../../kernels/exp.ts"
import { log } from "../../kernels/log.ts"
import { type Compiled, compile, type FamilyPlace, type Mapped } from "./program/compiled.ts"
import { densityAt, type Evidence, type Factor } from "./program/factors.ts"
import { multiplyDensities, sumOut } from "./program/messages.ts"

export type { Evidence, Factor } from "./program/factors.ts"

export class Program {
  /** The missing columns that it sums out. */
  readonly columns: readonly number[]
  /** ln Σ Π, by context, after `up`. */
  readonly logZ: Float64Array
  /** Where each node's factor is: its clique and its map. */
  readonly families: ReadonlyMap<number, FamilyPlace>
  readonly #cliques: readonly Compiled[]
  readonly #contexts: number
  readonly #tables: Float64Array
  readonly #messages: Float64Array
  readonly #levels: readonly number[]
  readonly #homes = new Map<
    number,
    { readonly at: number; readonly entries: number; readonly inner: number }
  >()
  readonly #passed: Float64Array

  /** `levels` and `names` of all columns of the network, by number. */
  constructor(
    columns: readonly number[],
    factors: readonly Factor[],
    levels: readonly number[],
    contexts: number,
    names: readonly string[],
  ) {
    const sizes = columns.map(v => levels[v])
    const { cliques, families, entries, passed } = compile(columns, sizes, factors, contexts, names)
    this.#cliques = cliques
    this.columns = columns
    this.families = families
    this.logZ = new Float64Array(contexts)
    this.#contexts = contexts
    this.#tables = new Float64Array(entries * contexts)
    this.#messages = new Float64Array(passed * contexts)
    this.#levels = sizes
    this.#passed = new Float64Array(Math.max(...cliques.map(({ shared }) => shared)) * contexts)
  }

  get entries(): number {
    return this.#tables.length + this.#messages.length
  }

  /** logZ[p] ← ln Σ over the missing columns of the product of all factors. */
  up(evidence: Evidence): void {
    this.logZ.fill(0)
    for (const clique of this.#cliques) {
      this.#multiply(clique, evidence)
      sumOut(clique, this.#contexts, this.#tables, this.#messages, this.logZ)
    }
  }

  /** After `up`: the tables of all cliques become p(clique | seen), by context. */
  down(): void {
    const P = this.#contexts
    const tables = this.#tables
    for (let c = this.#cliques.length - 1; c >= 0; c--) {
      const { children, at, entries } = this.#cliques[c]
      for (const { clique, map } of children) {
        const child = this.#cliques[clique]
        const marginal = this.#passed
        marginal.fill(0, 0, child.shared * P)
        if (P === 1) for (let e = 0; e < entries; e++) marginal[map[e]] += tables[at + e]
        else
          for (let e = 0; e < entries; e++)
            for (let p = 0; p < P; p++) marginal[map[e] * P + p] += tables[(at + e) * P + p]
        for (let s = 0; s < child.shared; s++) {
          for (let p = 0; p < P; p++) {
            const sent = this.#messages[(child.messageAt + s) * P + p]
            const ratio = sent > 0 ? marginal[s * P + p] / sent : 0
            const from = (child.at + s * child.run) * P + p
            for (let j = from, end = from + child.run * P; j < end; j += P) tables[j] *= ratio
          }
        }
      }
    }
  }

  /** After `down`: p(entry | seen) of the node's clique, at e·P + p, and where each entry belongs in the node's table. */
  family(node: number): { readonly map: Int32Array; readonly posterior: Float64Array } {
    const { clique, map } = this.families.get(node)!
    const { at, entries } = this.#cliques[clique]
    return { map, posterior: this.#tables.subarray(at * this.#contexts, (at + entries) * this.#contexts) }
  }

  /** out[l·P + p] += p(column = l | seen), after `down`. */
  marginal(column: number, out: Float64Array): void {
    const { at, entries, inner } = this.#homeOf(column)
    const P = this.#contexts
    const tables = this.#tables
    const run = inner * P
    const end = (at + entries) * P
    for (let j = at * P, to = 0; j < end; to = to + P === out.length ? 0 : to + P) {
      if (P === 1) {
        let sum = 0
        for (const stop = j + run; j < stop; j++) sum += tables[j]
        out[to] += sum
      } else for (const stop = j + run; j < stop; ) for (let p = 0; p < P; p++) out[to + p] += tables[j++]
    }
  }

  /** The smallest table with the column, and how many entries follow each other there for one level of it. */
  #homeOf(column: number): { readonly at: number; readonly entries: number; readonly inner: number } {
    const known = this.#homes.get(column)
    if (known) return known
    const v = this.columns.indexOf(column)
    const holding = this.#cliques.filter(clique => clique.columns.includes(v))
    const { columns, at, entries } = holding.reduce((a, b) => (b.entries < a.entries ? b : a))
    const inner = columns.slice(columns.indexOf(v) + 1).reduce((size, u) => size * this.#levels[u], 1)
    const home = { at, entries, inner }
    this.#homes.set(column, home)
    return home
  }

  /** values[column] ← one joint draw of the missing columns in context p, after `up`. */
  draw(context: number, dice: Dice, values: Int32Array): void {
    this.#trace(context, values, (chances, count) => dice.categorical(chances, 0, count))
  }

  /** values[column] ← the most probable values together, in context p; returns the logarithm of their product. Ties go to the lower code. */
  best(evidence: Evidence, context: number, values: Int32Array): number {
    const P = this.#contexts
    const tables = this.#tables
    let height = 0
    this.logZ.fill(0)
    for (const clique of this.#cliques) {
      this.#multiply(clique, evidence)
      const { at, shared, run, messageAt } = clique
      let most = 0
      for (let s = 0; s < shared; s++) {
        let top = 0
        for (let e = at + s * run; e < at + (s + 1) * run; e++) top = Math.max(top, tables[e * P + context])
        this.#messages[(messageAt + s) * P + context] = top
        most = Math.max(most, top)
      }
      height += log(most) + this.logZ[context]
      this.logZ[context] = 0
      for (let s = 0; s < shared && most > 0; s++) this.#messages[(messageAt + s) * P + context] /= most
    }
    this.#trace(context, values, (chances, count) => {
      let top = 0
      for (let e = 1; e < count; e++) if (chances[e] > chances[top]) top = e
      return top
    })
    return height
  }

  /** Parents first: given the values of its separator, the others of each clique are chosen from its table. */
  #trace(
    context: number,
    values: Int32Array,
    choose: (chances: Float64Array, count: number) => number,
  ): void {
    const P = this.#contexts
    for (let c = this.#cliques.length - 1; c >= 0; c--) {
      const { columns, at, between, run } = this.#cliques[c]
      let s = 0
      for (let j = 0; j < between; j++) s = s * this.#levels[columns[j]] + values[this.columns[columns[j]]]
      const chances = new Float64Array(run)
      for (let e = 0; e < run; e++) chances[e] = this.#tables[(at + s * run + e) * P + context]
      let rest = choose(chances, run)
      for (let d = columns.length - 1; d >= between; d--) {
        const count = this.#levels[columns[d]]
        values[this.columns[columns[d]]] = rest % count
        rest = Math.trunc(rest / count)
      }
    }
  }

  /** T_c ← Π factors · Π messages. What would underflow is computed in logarithms. */
  #multiply({ at, entries, tables: factors, densities, children }: Compiled, evidence: Evidence): void {
    const P = this.#contexts
    const T = this.#tables
    const from = at * P
    const size = entries * P
    if (densities.length > 0) multiplyDensities(from, entries, densities, evidence, P, T, this.logZ)
    else T.fill(1, from, from + size)
    for (const { node, map } of factors) {
      const table = evidence.tables[node]
      const base = evidence.base[node]
      if (P === 1) for (let e = 0; e < entries; e++) T[from + e] *= table[base + map[e]]
      else
        for (let e = 0, j = from; e < entries; e++)
          for (let p = 0, t = base + map[e]; p < P; p++) T[j++] *= table[t++]
    }
    for (const { clique, map } of children) {
      const sent = this.#cliques[clique].messageAt * P
      if (P === 1) for (let e = 0; e < entries; e++) T[from + e] *= this.#messages[sent + map[e]]
      else
        for (let e = 0, j = from; e < entries; e++)
          for (let p = 0, t = sent + map[e] * P; p < P; p++) T[j++] *= this.#messages[t++]
    }
    for (let p = 0; p < P; p++) {
      let most = 0
      for (let j = from + p; j < from + size; j += P) most = Math.max(most, T[j])
      if (most < TINY) this.#inLogarithms(from, entries, p, factors, densities, children, evidence)
    }
  }

  /** The same product in one context as a sum of logarithms: slow, and rare. */
  #inLogarithms(
    from: number,
    entries: number,
    p: number,
    factors: readonly Mapped[],
    densities: readonly Mapped[],
    children: Compiled["children"],
    evidence: Evidence,
  ): void {
    const { tables, base } = evidence
    const P = this.#contexts
    const sums = new Float64Array(entries)
    let most = -Infinity
    let before = -Infinity
    for (let e = 0; e < entries; e++) {
      let sum = 0
      for (const { node, map } of densities) sum += densityAt(evidence, node, map[e] + p)
      before = Math.max(before, sum)
      for (const { node, map } of factors) sum += log(tables[node][base[node] + map[e] + p])
      for (const { clique, map } of children)
        sum += log(this.#messages[(this.#cliques[clique].messageAt + map[e]) * P + p])
      sums[e] = sum
      most = Math.max(most, sum)
    }
    if (densities.length > 0 && before > -Infinity) this.logZ[p] -= before
    if (most > -Infinity) this.logZ[p] += most
    for (let e = 0; e < entries; e++)
      this.#tables[from + e * P + p] = most > -Infinity ? exp(sums[e] - most) : 0
  }
}

/** Products below this lose digits, or are 0 by rounding alone. */
const TINY = 1e-250
