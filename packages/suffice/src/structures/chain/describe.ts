/** A chain in words: its probabilities by name, how long it stays in a state, and where it is in the long run. */
import type { Description } from "../../contract/report.ts"
import { probabilitiesOf } from "../../described.ts"
import { SufficeError, show } from "../../errors.ts"
import { exp } from "../../kernels/exp.ts"
import type { ChainLayout } from "./work.ts"

/** The name of the end of a sequence among what may follow a state. */
export const END = "(end)"

/** Powers of the chain that are tried for its long run. */
const LONG = 1000
const STEADY = 1e-13

export function describeChain(layout: ChainLayout, params: Float64Array, slot: number): Description {
  const { states, slots, ends, initial, transitions } = layout
  const k = states.length
  const names = states.map(String)
  const first = initial.ranges.paramsOf(params)
  const next = transitions.ranges.paramsOf(params)
  /** a_ij, or e_i with j = k. */
  const a = (i: number, j: number): number => exp(next[j * k * slots + i * slots + slot])
  const byState = <T>(of: (state: number) => T): Record<string, T> =>
    Object.fromEntries(names.map((name, l) => [name, of(l)]))
  return {
    initial: byState(l => exp(first[l * slots + slot])),
    transitions: byState(i => byState(j => a(i, j))),
    ...(ends && { ends: byState(i => a(i, k)) }),
    // Σ_n n a^(n−1) (1 − a); null: it is never left
    stay: byState(l => (a(l, l) < 1 ? 1 / (1 - a(l, l)) : null)),
    ...(!ends && { stationary: stationary(k, l => exp(first[l * slots + slot]), a, byState) }),
  }
}

/** Where it is in the long run, having begun as it begins: the mean of two steps, so that a cycle has one too. */
function stationary(
  k: number,
  initial: (state: number) => number,
  a: (from: number, to: number) => number,
  byState: (of: (state: number) => number) => Record<string, number>,
): Description {
  const lazy = Float64Array.from({ length: k * k }, (_, at) => {
    const [i, j] = [Math.trunc(at / k), at % k]
    return 0.5 * ((i === j ? 1 : 0) + a(i, j))
  })
  let now = Float64Array.from({ length: k }, (_, l) => initial(l))
  let square = lazy
  // x ← x Q^(2^n): each squaring doubles the number of steps
  for (let n = 0; n < LONG; n++) {
    const then = timesMatrix(now, square, k)
    const change = then.reduce((most, x, l) => Math.max(most, Math.abs(x - now[l])), 0)
    now = then
    if (change < STEADY || n > 60) break
    square = squared(square, k)
  }
  const total = now.reduce((sum, x) => sum + x, 0)
  return byState(l => now[l] / total)
}

function timesMatrix(x: Float64Array, m: Float64Array, k: number): Float64Array<ArrayBuffer> {
  const out = new Float64Array(k)
  for (let i = 0; i < k; i++) for (let j = 0; j < k; j++) out[j] += x[i] * m[i * k + j]
  return out
}

function squared(m: Float64Array, k: number): Float64Array<ArrayBuffer> {
  const out = new Float64Array(k * k)
  for (let i = 0; i < k; i++)
    for (let h = 0; h < k; h++) for (let j = 0; j < k; j++) out[i * k + j] += m[i * k + h] * m[h * k + j]
  // rows sum to 1, up to rounding that squaring would double
  for (let i = 0; i < k; i++) {
    let sum = 0
    for (let j = 0; j < k; j++) sum += out[i * k + j]
    for (let j = 0; j < k; j++) out[i * k + j] /= sum
  }
  return out
}

/** The inverse of `describeChain`, each state being visited as often as the others. */
export function adoptChain(
  layout: ChainLayout,
  description: Description,
  slot: number,
  mass: number,
  stats: Float64Array,
): void {
  const { column, states, slots, ends, initial, transitions, visits, allowed } = layout
  const k = states.length
  const first = probabilitiesOf("chain", column, { probabilities: description?.initial }, states)
  first.forEach((p, l) => {
    if (p === 0 || allowed.initial[l]) return
    throw new SufficeError(
      "parameters",
      `chain: ${show(states[l])} comes first with probability ${p}, but the model forbids it. Give it 0, or allow it in \`initial\`.`,
      { column, state: states[l] },
    )
  })
  const rows = description?.transitions as Readonly<Record<string, Description>> | undefined
  const stops = description?.ends as Readonly<Record<string, number>> | undefined
  states.forEach((state, i) => {
    const row = rows?.[String(state)]
    const all = { ...row, ...(ends && { [END]: stops?.[String(state)] ?? null }) }
    const given = probabilitiesOf("chain", column, { probabilities: all }, ends ? [...states, END] : states)
    given.forEach((p, j) => {
      if (j < k && p > 0 && !allowed.transitions[i * k + j]) {
        throw new SufficeError(
          "parameters",
          `chain: ${show(states[j])} follows ${show(state)} with probability ${p}, but the transitions of the model forbid it. Give it 0, or allow it in the model.`,
          { column, from: state, to: states[j] },
        )
      }
      transitions.ranges.statsOf(stats)[j * k * slots + i * slots + slot] += mass * p
    })
    initial.ranges.statsOf(stats)[i * slots + slot] += mass * first[i]
    visits.ranges.statsOf(stats)[i * slots + slot] += mass
  })
}
