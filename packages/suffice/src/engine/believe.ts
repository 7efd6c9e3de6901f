/**
 * A declared model whose leaves know what is believed of their parameters, and the problem of learning a posterior.
 *
 *     ELBO = Σ_i ln Z_i(θ̄) − value(s, θ̄) + B(α + s) − B(α)        θ̄ = E_q[θ], s the statistics that q was made of
 *
 * Σ ln Z_i is the log-likelihood of a sweep at θ̄. If nothing is hidden it is value(s, θ̄), and what is left is the evidence, exactly.
 */
import type { Belief, BeliefKind } from "../contract/belief.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Learnable } from "../contract/learnable.ts"
import type { Model, Plan } from "../contract/model.ts"
import type { Node } from "../contract/node.ts"
import { list, SufficeError, show } from "../errors.ts"
import { logFactorial } from "../kernels/log-gamma.ts"
import { type Laid, solve, spreadOf, value } from "./lay.ts"

/** The leaf that stands for a plain one. */
export type Standing = (belief: Belief, plain: Leaf) => Leaf

/** The model laid out with leaves of its belief. */
export function believing<M extends Model>(model: M, kinds: readonly BeliefKind[], standing: Standing): M {
  const declared = (model.declared ?? model) as M
  const known = new Map(kinds.map(kind => [kind.family, kind]))
  const planned = (plan: Plan): Plan => ({
    ...plan,
    within: name => planned(plan.within(name)),
    believe(leaf, about) {
      const kind = known.get(about.family)
      if (!kind)
        throw withoutBelief(
          about.family,
          about.columns.map(({ name }) => name),
          [...known.keys()],
        )
      return standing(kind.of(leaf, about), leaf)
    },
  })
  return {
    ...declared,
    declared,
    beliefs: kinds,
    // the caller may answer for another column than the structure's own
    target: model.target,
    lay: (plan, slots) => checked(declared.lay(planned(plan), slots)),
  }
}

export const learning: Standing = belief => belief.expected
export const answering: Standing = belief => belief.predictive

/** Plates and chains have steps. */
function checked(root: Node): Node {
  for (const { steps } of root.parts()) if (steps.length > 0) throw manySteps(steps[0])
  return root
}

function manySteps(column: string): SufficeError {
  return new SufficeError(
    "model",
    `bayes: ${show(column)} holds steps. The steps of a row share parameters, so with these integrated out no step is independent of the others, and predictions here go cell by cell. Use em(), or make a row of every step.`,
    { column },
  )
}

function withoutBelief(family: string, names: readonly string[], known: readonly string[]): SufficeError {
  return new SufficeError(
    "model",
    `bayes: ${family} of ${list(names, 3)} has no posterior here. Posteriors are kept where counting updates them: of ${list(known, 20)}, and of the switches classes and mixture. Use one of these, or another learner.`,
    { family, column: names[0] },
  )
}

/** ΣB(q) over the parts, at these statistics. */
function logNormaliser({ parts }: Laid, stats: Float64Array, strength: number, spread: Float64Array): number {
  let sum = 0
  for (const part of parts) {
    const { belief } = part.leaf
    if (!belief) continue
    const q = new Float64Array(belief.numbers)
    belief.posterior(part.statsOf(stats), strength, part.spreadOf(spread), q)
    sum += belief.logNormaliser(q)
  }
  return sum
}

/** B(α + s) − B(α): the log-evidence of statistics that are counts. */
export function logEvidence(laid: Laid, stats: Float64Array, strength: number, spread: Float64Array): number {
  return (
    logNormaliser(laid, stats, strength, spread) -
    logNormaliser(laid, new Float64Array(laid.statistics), strength, spread)
  )
}

/**
 * The problem of learning a posterior: what EM solves for is E_q[θ], what it climbs is the ELBO. `fixed`: the spread that the prior is relative to, in an update.
 * `isSeen`: a label that no row has is as hidden as a component.
 * The problem is changed in place, since what it holds may change as a stream is read.
 */
export function believed(
  problem: Learnable,
  laid: Laid,
  fixed: Float64Array | undefined,
  isSeen: (column: string) => boolean,
): Learnable {
  const made = new WeakMap<Float64Array, { readonly stats: Float64Array; readonly strength: number }>()
  const seen = merging(laid, isSeen)
  const { adopt } = problem
  return Object.assign(problem, {
    // of first guesses only what was seen counts, so that the prior is the same for any number of components
    spread: (stats: Float64Array) => fixed ?? spreadOf(laid, seen(stats)),
    solve(stats: Float64Array, strength: number, spread?: Float64Array) {
      const own = solve(laid, stats, strength, spread ?? fixed ?? spreadOf(laid, stats))
      made.set(own.params, { stats, strength })
      return own
    },
    /** What makes an ELBO of the log-likelihood of a sweep, per unit of strength, as EM multiplies by it. */
    logPrior(params: Float64Array, spread: Float64Array) {
      const { stats, strength } = made.get(params)!
      const times = strength > 0 ? strength : 1
      return (logEvidence(laid, stats, times, spread) - value(laid, stats, params)) / times
    },
    /** A described model counts as all rows. */
    adopt: (description: Parameters<Learnable["adopt"]>[0]) =>
      adopt(description).map(share => share * problem.weight),
    // a component without rows is what is believed before: it may stay empty
    starved: () => 0,
    hidesInLeaves: false,
  })
}

/**
 * Statistics in which all values of hidden switches and hidden columns are one: they stand in the slots of the first, and the others are empty. Bodies of their own stay apart.
 */
function merging(laid: Laid, isSeen: (column: string) => boolean): (stats: Float64Array) => Float64Array {
  const hidden = new Set([
    ...laid.switches.flatMap(({ hidden, column }) => (hidden || !isSeen(column) ? [column] : [])),
    ...laid.parts.flatMap(({ renamable, names }) => (renamable === undefined ? [] : names)),
  ])
  if (hidden.size === 0) return stats => stats
  const firsts = [...laid.root.contexts([""])].map(([part, names]) => {
    const kept = new Map<string, number>()
    const first = names.map((name, slot) => {
      const seen = name
        .split("/")
        .filter(step => !hidden.has(step.slice(0, step.lastIndexOf("="))))
        .join("/")
      if (!kept.has(seen)) kept.set(seen, slot)
      return kept.get(seen)!
    })
    return { part, first }
  })
  return stats => {
    const merged = stats.slice()
    for (const { part, first } of firsts) {
      if (part.isChoice || first.every((to, slot) => to === slot)) continue
      const own = part.statsOf(merged)
      const before = own.slice()
      own.fill(0)
      eachEntry(part.leaf, (at, slot, atSlot) => {
        own[slot === undefined ? at : atSlot(first[slot])] += before[at]
      })
    }
    return merged
  }
}

/** The statistics of a leaf, those of all slots in the first. */
export function inOneSlot(leaf: Leaf, stats: Float64Array): Float64Array {
  const merged = new Float64Array(stats.length)
  eachEntry(leaf, (at, slot, atSlot) => {
    merged[slot === undefined ? at : atSlot(0)] += stats[at]
  })
  return merged
}

/** Visits every statistic of a leaf with the slot it belongs to, and where the same one of another slot stands. */
function eachEntry(
  { axes, slots, statistics }: Leaf,
  visit: (at: number, slot: number | undefined, atSlot: (slot: number) => number) => void,
): void {
  let from = 0
  axes.forEach((axis, a) => {
    // one length may follow from the whole: entries of a schema
    const known = (part: (typeof axes)[number]): number =>
      part.reduce<number>(
        (product, one) => product * (one === "slot" ? slots : typeof one === "number" ? one : 1),
        1,
      )
    const isLast = a === axes.length - 1
    const length = isLast
      ? statistics - from
      : axis.some(one => typeof one !== "number" && one !== "slot")
        ? statistics - from - axes.slice(a + 1).reduce((sum, other) => sum + known(other), 0)
        : known(axis)
    const place = axis.indexOf("slot")
    const inner = axis
      .slice(place + 1)
      .reduce<number>((product, one) => product * (typeof one === "number" ? one : 1), 1)
    for (let j = 0; j < length; j++) {
      if (place < 0) visit(from + j, undefined, () => from + j)
      else {
        const slot = Math.floor(j / inner) % slots
        visit(from + j, slot, to => from + j + (to - slot) * inner)
      }
    }
    from += length
  })
}

/** ln of the number of ways to name the components: each way has the same posterior, and a variational one finds but one. */
export function logSymmetries({ switches, parts }: Laid): number {
  let sum = 0
  for (const { renamable, columns } of parts)
    if (renamable !== undefined && columns[0].kind === "level")
      sum += renamable * logFactorial(columns[0].levels.length)
  for (const { hidden, levels, part } of switches)
    if (hidden && part.leaf.belief?.isSymmetric !== false) sum += part.slots * logFactorial(levels.length)
  return sum
}

/** The model of an answer that only a posterior can give. */
export function askBelief(
  where: string,
  beliefs: readonly BeliefKind[] | undefined,
  learner: string | undefined,
): readonly BeliefKind[] {
  if (beliefs) return beliefs
  throw new SufficeError(
    "model",
    `${where}: the model was learned by ${show(learner ?? "hand")}, which keeps an estimate of the parameters and no posterior. What is asked depends on the posterior. Learn it by bayes(), from "suffice/learn".`,
    { learner },
  )
}
