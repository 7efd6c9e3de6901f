/**
 * Search over orders of the columns (Teyssier & Koller 2005): given an order, the best parents of each column are the best of its sets that stand before it.
 *
 *     per column  all sets of up to `maxParents` of 8 candidates: its neighbours in the network that tabu found, then the best by themselves
 *     climb       move one column to another place, the best place first, until nothing gains
 *     restarts    from the best network, in another of its orders, with some columns moved at random
 *
 * Bars and measured distances from true networks stand in bench/networks.md.
 */
import type { Dice } from "../contract/dice.ts"
import type { Constraints } from "./constraints.ts"
import type { Scores } from "./scores.ts"
import { type Searched, SLIGHT, tabu } from "./tabu.ts"

export interface OrdersOptions {
  /** Of the sets that are enumerated. */
  readonly maxParents: number
  /** What tabu may give to a column: such a set is tried beside the others. */
  readonly mostParents: number
  readonly restarts: number
  readonly dice: Dice
}

interface ParentSet {
  readonly score: number
  readonly parents: readonly number[]
}

/** Of all candidates as many are looked at together. */
const CANDIDATES = 8
/** Steps without a better network that end the search for candidates. */
const IDLE = 15

export function* orders(
  scores: Scores,
  constraints: Constraints,
  { maxParents, mostParents, restarts, dice }: OrdersOptions,
): Generator<undefined, Searched, void> {
  const first = yield* tabu(scores, constraints, { maxParents: mostParents, idle: IDLE })
  const sets: ParentSet[][] = []
  for (let v = 0; v < first.parents.length; v++) {
    sets.push(setsOf(scores, constraints, first.parents, v, maxParents))
    yield
  }
  const search = new OrderSearch(sets, constraints)
  let best: { parents: readonly (readonly number[])[]; score: number } = first
  const trace = [...first.trace]
  for (let run = 0; run <= restarts; run++) {
    const order = run === 0 ? orderOf(best.parents) : perturbed(best.parents, search, dice)
    const found = yield* search.climb(order)
    if (found.score <= best.score + SLIGHT) continue
    best = found
    trace.push(found.score)
  }
  return { parents: best.parents, score: scores.ofNetwork(best.parents), trace }
}

/** The sets of parents to choose from, best first. The last that always fits is that of the required ones. */
function setsOf(
  scores: Scores,
  constraints: Constraints,
  found: readonly (readonly number[])[],
  v: number,
  maxParents: number,
): ParentSet[] {
  const required = constraints.required[v]
  const alone = scores.of(v, required)
  const isFree = (u: number): boolean => constraints.isAllowed(u, v) && !required.includes(u)
  const candidates = new Set(found[v].filter(isFree))
  found.forEach((own, u) => {
    if (own.includes(v) && isFree(u)) candidates.add(u)
  })
  const others = found
    .map((_, u) => u)
    .filter(isFree)
    .map(u => ({ u, gain: scores.of(v, [...required, u]) - alone }))
    .sort((one, other) => other.gain - one.gain || one.u - other.u)
  for (const { u } of others) {
    if (candidates.size >= CANDIDATES) break
    candidates.add(u)
  }
  const list = [...candidates]
  const sets: ParentSet[] = []
  const extend = (from: number, parents: readonly number[]): void => {
    sets.push({ score: scores.of(v, parents), parents })
    if (parents.length >= maxParents) return
    for (let j = from; j < list.length; j++) extend(j + 1, [...parents, list[j]])
  }
  extend(0, required)
  if (found[v].length > maxParents) sets.push({ score: scores.of(v, found[v]), parents: found[v] })
  return sets.sort((one, other) => other.score - one.score)
}

/** Parents first. */
function orderOf(parents: readonly (readonly number[])[], visiting?: readonly number[]): number[] {
  const order: number[] = []
  const isPlaced = parents.map(() => false)
  const visit = (v: number): void => {
    if (isPlaced[v]) return
    isPlaced[v] = true
    for (const u of parents[v]) visit(u)
    order.push(v)
  }
  for (const v of visiting ?? parents.keys()) visit(v)
  return order
}

/** Another order of the network, in which some columns are moved. */
function perturbed(parents: readonly (readonly number[])[], search: OrderSearch, dice: Dice): number[] {
  const count = parents.length
  const visiting = parents.map((_, v) => v)
  for (let i = count - 1; i > 0; i--) {
    const j = dice.integer(i + 1)
    ;[visiting[i], visiting[j]] = [visiting[j], visiting[i]]
  }
  const order = orderOf(parents, visiting)
  for (let k = 0; k < Math.max(3, count / 6); k++)
    search.move(order, dice.integer(count), dice.integer(count))
  return order
}

class OrderSearch {
  readonly #sets: readonly (readonly ParentSet[])[]
  readonly #constraints: Constraints
  /** Where each column stands. */
  readonly #place: Int32Array

  constructor(sets: readonly (readonly ParentSet[])[], constraints: Constraints) {
    this.#sets = sets
    this.#constraints = constraints
    this.#place = new Int32Array(sets.length)
  }

  /** The best set of parents that stand before v. */
  #best(v: number): ParentSet {
    const place = this.#place
    const own = place[v]
    const sets = this.#sets[v]
    search: for (const set of sets) {
      for (const u of set.parents) if (place[u] > own) continue search
      return set
    }
    return sets[sets.length - 1]
  }

  /** Moves a column towards a place, as far as what is required allows. */
  move(order: number[], from: number, to: number): void {
    const step = to > from ? 1 : -1
    for (let k = from; k !== to; k += step) {
      if (!this.#mayPass(order[k], order[k + step], step)) return
      ;[order[k], order[k + step]] = [order[k + step], order[k]]
    }
  }

  /** May v go past u? */
  #mayPass(v: number, u: number, step: number): boolean {
    return step > 0 ? !this.#constraints.isRequired(v, u) : !this.#constraints.isRequired(u, v)
  }

  *climb(order: number[]): Generator<undefined, { parents: (readonly number[])[]; score: number }, void> {
    const count = order.length
    const place = this.#place
    const settle = (): void => {
      for (let k = 0; k < count; k++) place[order[k]] = k
    }
    settle()
    const own = new Float64Array(count)
    for (let v = 0; v < count; v++) own[v] = this.#best(v).score
    const walked = order.slice()
    const trial = new Float64Array(count)
    for (let improved = true; improved; ) {
      improved = false
      for (let i = 0; i < count; i++) {
        yield
        const v = order[i]
        let most = SLIGHT
        let to = -1
        // past one neighbour after the other: only the two that change places have other sets
        for (const step of [-1, 1]) {
          let gain = 0
          for (let k = 0; k < count; k++) walked[k] = order[k]
          trial.set(own)
          for (let k = i; step < 0 ? k > 0 : k < count - 1; k += step) {
            const u = walked[k + step]
            if (!this.#mayPass(v, u, step)) break
            walked[k] = u
            walked[k + step] = v
            place[v] = k + step
            place[u] = k
            const ofV = this.#best(v).score
            const ofU = this.#best(u).score
            gain += ofV - trial[v] + ofU - trial[u]
            trial[v] = ofV
            trial[u] = ofU
            if (gain > most) [most, to] = [gain, k + step]
          }
          settle()
        }
        if (to < 0) continue
        order.splice(i, 1)
        order.splice(to, 0, v)
        settle()
        for (let u = 0; u < count; u++) own[u] = this.#best(u).score
        improved = true
      }
    }
    return {
      parents: order.map((_, v) => this.#best(v).parents),
      score: own.reduce((sum, each) => sum + each, 0),
    }
  }
}
