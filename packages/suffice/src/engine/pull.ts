/** The pull of the prior on moments, and the check of a target: what stochastic learners need besides statistics. */
import type { Column } from "../contract/columns.ts"
import type { Part } from "../contract/part.ts"
import { didYouMean, list, manyInRow, nearest, SufficeError, show } from "../errors.ts"
import type { Laid } from "./lay.ts"

/**
 * α − ν·E[s | θ], slot by slot, α around the means of the moments. ν is the mass of the prior in the slot, so only the shape moves, not the mass. Where
 * the pull moves mass between the values of a switch, the parts below follow by E[s | θ].
 */
export function pulling(
  laid: Laid,
  /** The parts that are pulled. */
  parts: readonly Part[],
  prior: Float64Array,
  spread: Float64Array,
): (params: Float64Array, moments: Float64Array) => Float64Array {
  // the next call overwrites the result
  const pull = new Float64Array(prior.length)
  /** ν of each slot. */
  const masses = new Map(
    parts.map(part => [part, Float64Array.from({ length: part.slots }, (_, p) => part.mass(prior, p))]),
  )
  return (params, moments) => {
    walk(laid, parts, pull, 0, (part, moved) => {
      pull.fill(0, part.statsAt, part.statsAt + part.statistics)
      part.prior(pull, 1, spread, moments)
      const given = part.leaf.lengthGiven
      const mass = masses.get(part)!.map((nu, p) => (given || !moved ? 0 : moved[p]) - nu)
      part.moments(params, mass, pull)
    })
    return pull
  }
}

/**
 * Visits these parts with the masses of their contexts (Node.descend), `total` at the root. If the first part is the only one, the tree need not be
 * descended.
 */
export function walk(
  { root, parts: [first] }: Laid,
  parts: readonly Part[],
  stats: Float64Array,
  total: number,
  visit: (part: Part, mass: Float64Array | undefined) => void,
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
): Column {
  const name = asked ?? label
  const names = laid.columns
    .filter(({ kind }) => kind !== "bag" && kind !== "steps")
    .map(column => column.name)
  if (name === undefined) {
    throw new SufficeError(
      "target",
      `the model has no label, and no target is named. What to learn to predict cannot be guessed. Name one of ${list(names)}: { target: … }.`,
      { choices: names },
    )
  }
  const column = laid.columns.find(column => column.name === name)
  const within = laid.parts.find(part => part.steps.length > 0 && part.names.includes(name))
  if (within) throw manyInRow(name, within.steps[0])
  if (!column || column.kind === "bag" || column.kind === "steps") {
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
  return column
}
