/** The pull of the prior on moments, and the check of a target: what stochastic learners need besides statistics. */

import { columnsAt } from "../blocks/encoded.ts"
import type { Bank } from "../contract/bank.ts"
import type { Column } from "../contract/columns.ts"
import type { Part } from "../contract/part.ts"
import { didYouMean, list, manyInRow, nearest, SufficeError, show } from "../errors.ts"
import { headOf, unitsOf } from "./banks.ts"
import { namesInSteps, nearestInSteps } from "./in-steps.ts"
import type { Laid } from "./lay.ts"
import { ownMass } from "./masses.ts"
import { namesOf } from "./parts.ts"

/**
 * α − ν·E[s | θ], slot by slot, α around the means of the moments: ν is the mass of the prior itself, so that nothing but the shape moves. Where a switch moves its values,
 * what stands below it comes along, by E[s | θ]. Reads the arrays it is given as they are at each call.
 */
export function pulling(
  laid: Laid,
  /** The parts that are pulled. */
  parts: readonly Part[],
  prior: Float64Array,
  spread: Float64Array,
  params: Float64Array,
  moments: Float64Array,
): () => Float64Array {
  // used again by the next call
  const pull = new Float64Array(prior.length)
  const ranges = rangesOf(parts)
  // cut once: there may be thousands of parts, and a call for every mini-batch
  const byPart = new Map(
    unitsOf(laid.banks, parts).map(unit => [
      headOf(unit),
      {
        leaf: unit.leaf as Pick<Bank, "prior" | "moments" | "shape">,
        pull: unit.ranges.statsOf(pull),
        spread: unit.ranges.spreadOf(spread),
        moments: unit.ranges.statsOf(moments),
        params: unit.ranges.paramsOf(params),
        /** ν of each slot. */
        nu: ownMass(headOf(unit), prior),
        mass: new Float64Array(unit.leaf.shape.slots),
      },
    ]),
  )
  return () => {
    for (const [from, to] of ranges) pull.fill(0, from, to)
    walk(laid, byPart, pull, 0, ({ leaf, pull, spread, moments, params, nu, mass }, moved) => {
      leaf.prior(pull, 1, spread, moments)
      const given = leaf.shape.lengthGiven
      for (let p = 0; p < nu.length; p++) mass[p] = (given || !moved ? 0 : moved[p]) - nu[p]
      leaf.moments(params, mass, pull)
    })
    return pull
  }
}

/**
 * Visits these parts with the masses of their contexts (Node.descend), `total` at the root. If the first part is the only one, the tree need not be
 * descended.
 */
export function walk<Own>(
  { root, parts: [first] }: Laid,
  /** What is visited for each part. */
  parts: ReadonlyMap<Part, Own>,
  stats: Float64Array,
  total: number,
  visit: (own: Own, mass: Float64Array | undefined) => void,
): void {
  const all = Float64Array.of(total)
  const alone = parts.size === 1 ? parts.get(first) : undefined
  if (alone) visit(alone, all)
  else {
    root.descend(stats, all, (part, mass) => {
      const own = parts.get(part)
      if (own) visit(own, mass)
    })
  }
}

/** Where the statistics of these parts stand, neighbours as one range. */
export function rangesOf(parts: readonly Part[]): (readonly [from: number, to: number])[] {
  const ranges: [number, number][] = []
  for (const part of parts) {
    const { statsAt } = part.ranges
    const { statistics } = part.leaf.shape
    const last = ranges.at(-1)
    if (last?.[1] === statsAt) last[1] += statistics
    else ranges.push([statsAt, statsAt + statistics])
  }
  return ranges
}

/** The target of discriminative learning. `steps`: the column whose steps contain it; the cells of a row are then predicted jointly. */
export function targetColumn(
  laid: Laid,
  label: string | undefined,
  asked: string | undefined,
  against: "hidden" | "rival",
): Column & { readonly steps?: string } {
  const inSteps = namesInSteps(laid, false)
  const name = inSteps.includes(asked ?? "") ? asked!.slice(asked!.indexOf(".") + 1) : (asked ?? label)
  const outside = laid.columns
    .filter(({ kind }) => kind !== "bag" && kind !== "steps")
    .map(column => column.name)
  const names = [...outside, ...inSteps]
  if (name === undefined) {
    throw new SufficeError(
      "target",
      `the model has no label, and no target is named. What to learn to predict cannot be guessed. Name one of ${list(names)}: { target: … }.`,
      { choices: names },
    )
  }
  const within = laid.parts.find(part => part.steps.length > 0 && namesOf(part).includes(name))
  if (
    within &&
    within.network?.stepPlace === undefined &&
    !laid.switches.some(({ walk, part }) => walk && part.steps[0] === within.steps[0])
  )
    throw manyInRow(name, within.steps[0])
  const column = columnsAt(laid.columns, within?.steps ?? []).find(column => column.name === name)
  if (!column || column.kind === "bag" || column.kind === "steps") {
    throw new SufficeError(
      "target",
      `${show(name)} cannot be a target. The model has ${list(names)}. ${didYouMean([...nearest(name, outside), ...nearestInSteps(name, inSteps)], "Name one of them.")}`,
      { column: name, choices: names },
    )
  }
  for (const part of laid.parts) {
    if (!part.given.some(column => column.name === name)) continue
    throw new SufficeError(
      "target",
      `${show(name)} cannot be a target. ${namesOf(part).map(show).join(", ")} is modelled given it, which says nothing of ${show(name)} itself. Name another, or use normal(${JSON.stringify([...part.given.map(({ name }) => name), ...namesOf(part)])}), which has both conditionals.`,
      { column: name },
    )
  }
  if (against === "rival" && column.kind !== "level") {
    throw new SufficeError(
      "target",
      `the hinge loss needs wrong values to compare with, but ${show(name)} is a number. Every other number is one. Use loss: "ncll", which is regression.`,
      { column: name },
    )
  }
  if (!within) return column
  if (against === "rival" && !laid.switches.some(({ column, walk }) => column === name && walk?.rivals)) {
    throw new SufficeError(
      "target",
      `the hinge loss of ${show(name)} needs the best wrong values of all steps together. They are found for the state of a chain that is a column. Use loss: "ncll".`,
      { column: name },
    )
  }
  return { ...column, steps: within.steps[0] }
}
