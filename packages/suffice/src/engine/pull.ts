/** Where the prior pulls, and which column may be a target: what stochastic learners ask of a model besides statistics. */
import type { Part } from "../contract.ts"
import { didYouMean, list, nearest, SufficeError, show } from "../errors.ts"
import type { Laid } from "./lay.ts"

/**
 * α − ν·E[s | θ], slot by slot, α around the means of the moments: ν is the mass of the prior itself, so that nothing but the shape moves. Where a switch moves its values,
 * what stands below it comes along, by E[s | θ].
 */
export function pulling(
  laid: Laid,
  /** Only these are pulled. */
  parts: readonly Part[],
  prior: Float64Array,
  spread: Float64Array,
): (params: Float64Array, moments: Float64Array) => Float64Array {
  // used again by the next call
  const pull = new Float64Array(prior.length)
  /** ν of each slot. */
  const masses = new Map(
    parts.map(part => [part, Float64Array.from({ length: part.slots }, (_, p) => part.mass(prior, p))]),
  )
  return (params, moments) => {
    walk(laid, parts, pull, 0, (part, brought) => {
      pull.fill(0, part.statsAt, part.statsAt + part.statistics)
      part.prior(pull, 1, spread, moments)
      const given = part.leaf.lengthGiven
      const mass = masses.get(part)!.map((nu, p) => (given ? 0 : brought[p]) - nu)
      part.moments(params, mass, pull)
    })
    return pull
  }
}

/** Visits these parts with the mass of their contexts, from above, where all rows have so much; the first alone without what it would bring below. */
export function walk(
  { root, parts: [first] }: Laid,
  parts: readonly Part[],
  stats: Float64Array,
  total: number,
  visit: (part: Part, mass: Float64Array) => void,
): void {
  const mass = Float64Array.of(total)
  if (parts.length === 1 && parts[0] === first) visit(first, mass)
  else {
    const wanted = new Set(parts)
    root.descend(stats, mass, (part, own) => {
      if (wanted.has(part)) visit(part, own)
    })
  }
}

/** The target of discriminative learning. */
export function targetColumn(
  laid: Laid,
  label: string | undefined,
  asked: string | undefined,
  against: "hidden" | "rival",
): string {
  const name = asked ?? label
  const names = laid.columns.filter(column => column.kind !== "bag").map(column => column.name)
  if (name === undefined) {
    throw new SufficeError(
      "target",
      `the model has no label, and no target is named. What to learn to predict cannot be guessed. Name one of ${list(names)}: { target: … }.`,
      { choices: names },
    )
  }
  const column = laid.columns.find(column => column.name === name)
  if (!column || column.kind === "bag") {
    throw new SufficeError(
      "target",
      `${show(name)} cannot be a target. The model has ${list(names)}. ${didYouMean(nearest(name, names), "Name one of them.")}`,
      { column: name, choices: names },
    )
  }
  for (const part of laid.parts) {
    if (!part.reads.includes(name)) continue
    throw new SufficeError(
      "target",
      `${show(name)} cannot be a target. ${part.names.map(show).join(", ")} is modelled given it, which says nothing of ${show(name)} itself. Name another, or use normal(${JSON.stringify([...part.reads, ...part.names])}), which has both conditionals.`,
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
  return name
}

/** Factors by level, in the order of the target's levels. */
export function factorsOf(
  { columns }: Laid,
  target: string,
  byName: Readonly<Record<string, number>>,
): Float64Array {
  const column = columns.find(({ name }) => name === target)
  if (column?.kind !== "level") {
    throw new SufficeError(
      "option",
      `sdem: classWeights weigh the levels of the target, but ${show(target)} is a number. It has no levels. Leave them out.`,
      { option: "classWeights", column: target },
    )
  }
  const names = column.levels.map(String)
  for (const name of Object.keys(byName)) {
    if (names.includes(name)) continue
    throw new SufficeError(
      "option",
      `sdem: classWeights names ${show(name)}, which is no level of ${show(target)}. Its levels are ${list(column.levels)}. ${didYouMean(nearest(name, names), "Leave it out.")}`,
      { option: "classWeights", level: name },
    )
  }
  return Float64Array.from(names, name => (Object.hasOwn(byName, name) ? byName[name] : 1))
}
