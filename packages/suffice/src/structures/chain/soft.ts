/**
 * Rows in which some tags are soft: a belief q_t over the levels of step t. As with a soft label of a row, the step belongs to each level by its share, whatever the model says, as if
 * the row were copied once for each combination of levels, weighed by the product of their shares:
 *
 *     F(p) = max over q of the hidden steps of  E_q[ ln p(x, z | p) ] + H(q of the hidden steps)          q(z) = Π_{soft t} q_t(z_t) · q(hidden steps)
 *
 * Where no step is hidden, that is the mean of ln p(x, z) over the copies. Hidden steps between two soft ones are a chain of their own, which begins with exp Σ_i q(i) ln a_ij and
 * ends with exp Σ_j q(j) ln a_ij. EM climbs F. A belief in one level alone is a tag that is seen. All in logarithms: such rows are few, or small.
 */
import type { Block } from "../../contract/block.ts"
import type { ChainTables } from "../../kernels/chain-tables.ts"
import { exp } from "../../kernels/exp.ts"
import { logSumExp } from "../../kernels/log-sum-exp.ts"
import { NOTHING } from "../../kernels/workspace.ts"
import type { ChainLayout } from "./work.ts"

/** The codes of beliefs begin here, and go down. */
const FIRST = -2

/** The scores of a body, ln b at (l·P + p)·S + t, and the tags of its steps. */
export interface Scored {
  readonly scores: Float64Array
  readonly tags: Int32Array
  /** Where something is hidden. */
  readonly table: ChainTables | undefined
  readonly p: number
  readonly from: number
  readonly to: number
}

export type Soft = ReturnType<typeof softOf>

export function softOf({ label, states, slots, beliefs }: ChainLayout) {
  const k = states.length
  const terms = new Float64Array(k)
  const isSoft = (tag: number): boolean => tag <= FIRST

  /** Has one of the steps from … to − 1 a belief? */
  function within(tags: Int32Array | undefined, from: number, to: number): boolean {
    if (!beliefs || !tags) return false
    for (let t = from; t < to; t++) if (isSoft(tags[t])) return true
    return false
  }

  /** Is nothing hidden in the steps from … to − 1? */
  function isGiven(tags: Int32Array, from: number, to: number): boolean {
    for (let t = from; t < to; t++) if (tags[t] === -1) return false
    return true
  }

  /** Is a tag of the block soft? */
  const inBlock = (steps: Block): boolean =>
    label >= 0 && within(steps.cells[label] as Int32Array, 0, steps.rows)

  /** q_t(l), of a step that is not hidden. */
  const share = (tag: number, l: number): number =>
    isSoft(tag) ? beliefs![FIRST - tag][l] : tag === l ? 1 : 0

  /** Tags with one state a step, where that is needed: a soft one is its heaviest level. */
  function heaviest(tags: Int32Array): Int32Array {
    if (!beliefs) return tags
    return tags.map(tag => {
      if (!isSoft(tag)) return tag
      let best = 0
      for (let l = 1; l < k; l++) if (share(tag, l) > share(tag, best)) best = l
      return best
    })
  }

  /** Σ_l q(l) x(l), where 0 · −∞ is 0. */
  function mean(tag: number, of: (l: number) => number): number {
    let sum = 0
    for (let l = 0; l < k; l++) {
      const q = share(tag, l)
      if (q > 0) sum += q * of(l)
    }
    return sum
  }

  /** ln of what a hidden step begins with, in state j: π, or what the step before allows. */
  function before({ table, tags, from }: Scored, t: number, j: number, alpha: Float64Array): number {
    const { logInitial, logTransitions } = table!
    if (t === from) return logInitial[j]
    if (tags[t - 1] !== -1) return mean(tags[t - 1], i => logTransitions[i * k + j])
    for (let i = 0; i < k; i++) terms[i] = alpha[(t - 1 - from) * k + i] + logTransitions[i * k + j]
    return logSumExp(terms, 0, k, 1)
  }

  /** ln of what follows a hidden step in state i. */
  function after({ table, tags, to }: Scored, t: number, i: number, ahead: (j: number) => number): number {
    const { logEnds, logTransitions } = table!
    if (t === to - 1) return logEnds[i]
    if (tags[t + 1] !== -1) return mean(tags[t + 1], j => logTransitions[i * k + j])
    for (let j = 0; j < k; j++) terms[j] = logTransitions[i * k + j] + ahead(j)
    return logSumExp(terms, 0, k, 1)
  }

  const scoreAt = ({ scores, p }: Scored, S: number, t: number, l: number): number =>
    scores[(l * slots + p) * S + t]

  /** ln α of the hidden steps, each run of them by itself, at (t − from)·k + l. */
  function forward(row: Scored, S: number): Float64Array {
    const { tags, from, to } = row
    const alpha = new Float64Array((to - from) * k)
    for (let t = from; t < to; t++) {
      if (tags[t] !== -1) continue
      for (let j = 0; j < k; j++) alpha[(t - from) * k + j] = before(row, t, j, alpha) + scoreAt(row, S, t, j)
    }
    return alpha
  }

  /** F of a row in one context. */
  function score(row: Scored, S: number): number {
    const { tags, from, to } = row
    const table = row.table!
    const alpha = forward(row, S)
    let sum = 0
    for (let t = from; t < to; t++) {
      if (tags[t] === -1) {
        const isLast = t === to - 1 || tags[t + 1] !== -1
        if (!isLast) continue
        const own = Float64Array.from(
          { length: k },
          (_, i) => alpha[(t - from) * k + i] + after(row, t, i, () => 0),
        )
        sum += logSumExp(own, 0, k, 1)
        continue
      }
      sum += mean(tags[t], l => scoreAt(row, S, t, l))
      if (t === from) sum += mean(tags[t], l => table.logInitial[l])
      else if (tags[t - 1] !== -1)
        sum += mean(tags[t - 1], i => mean(tags[t], j => table.logTransitions[i * k + j]))
      if (t === to - 1) sum += mean(tags[t], l => table.logEnds[l])
    }
    return sum
  }

  /** Of an impossible row, the first step that no path reaches. */
  function unreached(row: Scored, S: number): number {
    const { tags, from, to } = row
    const alpha = forward(row, S)
    for (let t = from; t < to; t++) {
      if (tags[t] !== -1) continue
      const isLast = t === to - 1 || tags[t + 1] !== -1
      const own = alpha.subarray((t - from) * k, (t - from + 1) * k)
      if (!own.some(x => x > -Infinity)) return t
      if (isLast && !own.some((x, i) => x + after(row, t, i, () => 0) > -Infinity))
        return Math.min(t + 1, to - 1)
    }
    return from
  }

  /** values ← w q(z_t = l), at (l·P + p)·S + t, and xi += w q(z_{t−1} = i, z_t = j), at i·k + j. Returns w H of what is hidden; NaN: the row is impossible. `waits`: hidden steps count nothing. */
  function descend(
    row: Scored,
    S: number,
    w: number,
    values: Float64Array,
    xi: Float64Array,
    waits = false,
  ): number {
    const { tags, p, from, to } = row
    const at = (l: number, t: number): number => (l * slots + p) * S + t
    const isKnown = (t: number): boolean => waits || tags[t] !== -1
    const alpha = waits ? NOTHING : forward(row, S)
    const beta = new Float64Array(k)
    const later = new Float64Array(k)
    let entropy = 0
    let total = 0
    for (let t = to - 1; t >= from; t--) {
      if (isKnown(t)) {
        for (let l = 0; l < k; l++) values[at(l, t)] = w * share(tags[t], l)
      } else {
        const table = row.table!
        const isLast = t === to - 1 || tags[t + 1] !== -1
        for (let j = 0; j < k; j++) later[j] = isLast ? 0 : scoreAt(row, S, t + 1, j) + beta[j]
        const now = Float64Array.from({ length: k }, (_, i) => after(row, t, i, j => later[j]))
        if (isLast) {
          for (let l = 0; l < k; l++) terms[l] = alpha[(t - from) * k + l] + now[l]
          total = logSumExp(terms, 0, k, 1)
          if (!(total > -Infinity)) return Number.NaN
          entropy += total
        }
        for (let l = 0; l < k; l++) {
          const a = alpha[(t - from) * k + l]
          values[at(l, t)] = a > -Infinity ? w * exp(a + now[l] - total) : 0
          if (values[at(l, t)] !== 0)
            entropy -=
              (values[at(l, t)] / w) *
              (scoreAt(row, S, t, l) +
                (t === from ? table.logInitial[l] : 0) +
                (t === to - 1 ? table.logEnds[l] : 0))
        }
        // both hidden: they depend on each other
        for (let i = 0; !isLast && i < k; i++) {
          for (let j = 0; j < k; j++) {
            const logXi = alpha[(t - from) * k + i] + table.logTransitions[i * k + j] + later[j] - total
            if (logXi === -Infinity) continue
            xi[i * k + j] += w * exp(logXi)
            entropy -= exp(logXi) * table.logTransitions[i * k + j]
          }
        }
        beta.set(now)
      }
      const isApart = t < to - 1 && (isKnown(t) || isKnown(t + 1))
      const isCounted = isApart && isKnown(t) && isKnown(t + 1)
      for (let i = 0; isApart && i < k; i++) {
        for (let j = 0; j < k; j++) {
          const both = (values[at(i, t)] * values[at(j, t + 1)]) / w
          if (both === 0) continue
          xi[i * k + j] += both
          if (!isCounted) entropy -= (both / w) * row.table!.logTransitions[i * k + j]
        }
      }
    }
    return w * Math.max(entropy, 0)
  }

  return { within, inBlock, isGiven, share, heaviest, score, unreached, descend }
}
