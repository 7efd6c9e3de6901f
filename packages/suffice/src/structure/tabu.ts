/**
 * Greedy search over networks that remembers where it was (Glover 1989): arrows are added, removed and turned round, the best move first, also downhill, but
 * never to one of the last networks.
 */
import { withAncestors } from "../structures/network/graph.ts"
import type { Constraints } from "./constraints.ts"
import type { Scores } from "./scores.ts"

export interface Searched {
  readonly parents: readonly (readonly number[])[]
  readonly score: number
  /** The score after each step that found a better network. */
  readonly trace: readonly number[]
}

export interface TabuOptions {
  readonly maxParents: number
  /** It ends after so many steps without a better network. */
  readonly idle: number
}

/** Networks that it does not return to. */
const REMEMBERED = 100
/** Smaller differences are rounding. */
export const SLIGHT = 1e-9

interface Move {
  readonly gain: number
  readonly kind: "add" | "remove" | "turn"
  readonly from: number
  readonly to: number
}

export function* tabu(
  scores: Scores,
  constraints: Constraints,
  { maxParents, idle }: TabuOptions,
): Generator<undefined, Searched, void> {
  const count = scores.table.names.length
  const parents = constraints.required.map(own => new Set(own))
  const base = new Float64Array(count)
  // what toggling u among the parents of v gains, at v·count + u
  const toggle = new Float64Array(count * count)
  const refresh = (v: number): void => {
    base[v] = scores.of(v, [...parents[v]])
    for (let u = 0; u < count; u++) {
      const has = parents[v].has(u)
      const isFixed = u === v || (has ? constraints.isRequired(u, v) : !constraints.isAllowed(u, v))
      if (isFixed || (!has && parents[v].size >= maxParents)) {
        toggle[v * count + u] = Number.NEGATIVE_INFINITY
        continue
      }
      const changed = has ? [...parents[v]].filter(other => other !== u) : [...parents[v], u]
      toggle[v * count + u] = scores.of(v, changed) - base[v]
    }
  }
  for (let v = 0; v < count; v++) {
    refresh(v)
    yield
  }
  const plain = (): number[][] => parents.map(own => [...own])
  const sum = (): number => base.reduce((total, each) => total + each, 0)
  const remembered = new Set([signatureOf(parents)])
  let best = { parents: plain(), score: sum() }
  const trace = [best.score]
  for (let waiting = 0; waiting < idle; ) {
    yield
    const moves = movesFrom(parents, toggle, maxParents).sort((one, other) => other.gain - one.gain)
    const taken = moves.find(move => !closesCycle(parents, move) && leadsElsewhere(parents, move, remembered))
    if (!taken) break
    refresh(taken.to)
    if (taken.kind === "turn") refresh(taken.from)
    const score = sum()
    if (score > best.score + SLIGHT) {
      best = { parents: plain(), score }
      trace.push(score)
      waiting = 0
    } else waiting++
  }
  return { ...best, trace }
}

/** True if the move leads to a network that is not remembered: it is then made, and remembered. */
function leadsElsewhere(parents: readonly Set<number>[], move: Move, remembered: Set<string>): boolean {
  apply(parents, move)
  const signature = signatureOf(parents)
  if (remembered.has(signature)) {
    undo(parents, move)
    return false
  }
  remembered.add(signature)
  const [oldest] = remembered
  if (remembered.size > REMEMBERED) remembered.delete(oldest)
  return true
}

function signatureOf(parents: readonly ReadonlySet<number>[]): string {
  return parents.map(set => [...set].sort((a, b) => a - b).join()).join(";")
}

function movesFrom(
  parents: readonly ReadonlySet<number>[],
  toggle: Float64Array,
  maxParents: number,
): Move[] {
  const count = parents.length
  const moves: Move[] = []
  for (let v = 0; v < count; v++) {
    for (let u = 0; u < count; u++) {
      const gain = toggle[v * count + u]
      if (gain === Number.NEGATIVE_INFINITY) continue
      if (!parents[v].has(u)) {
        if (!parents[u].has(v)) moves.push({ gain, kind: "add", from: u, to: v })
        continue
      }
      moves.push({ gain, kind: "remove", from: u, to: v })
      const back = toggle[u * count + v]
      if (parents[u].size < maxParents && back > Number.NEGATIVE_INFINITY)
        moves.push({ gain: gain + back, kind: "turn", from: u, to: v })
    }
  }
  return moves
}

function closesCycle(parents: readonly Set<number>[], { kind, from, to }: Move): boolean {
  if (kind === "remove") return false
  const lists = parents.map(own => [...own])
  if (kind === "add") return withAncestors(lists, [from]).has(to)
  lists[to] = lists[to].filter(u => u !== from)
  return withAncestors(lists, [to]).has(from)
}

function apply(parents: readonly Set<number>[], { kind, from, to }: Move): void {
  if (kind === "add") parents[to].add(from)
  else parents[to].delete(from)
  if (kind === "turn") parents[from].add(to)
}

function undo(parents: readonly Set<number>[], { kind, from, to }: Move): void {
  if (kind === "turn") parents[from].delete(to)
  if (kind === "add") parents[to].delete(from)
  else parents[to].add(from)
}
