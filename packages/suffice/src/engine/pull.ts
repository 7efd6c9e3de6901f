/** Where the prior pulls, and which column may be a target: what stochastic learners ask of a model besides statistics. */
import { list, nearest, SufficeError, show } from "../errors.ts"
import { exp } from "../kernels/exp.ts"
import { simplexMass } from "../kernels/simplex.ts"
import type { Laid } from "./lay.ts"

/** α − ν·E[s | θ], slot by slot: ν is the mass of the prior itself, so that nothing but the shape moves. */
export function pullOf(laid: Laid, prior: Float64Array, params: Float64Array): Float64Array {
  const pull = prior.slice()
  const drawn = new Float64Array(prior.length)
  for (const part of laid.parts) {
    if (part.part === "leaf") {
      const own = part.statsOf(prior)
      const mass = Float64Array.from({ length: part.slots }, (_, p) => part.leaf.mass(own, p))
      part.leaf.moments(part.paramsOf(params), mass, part.statsOf(drawn))
    } else {
      const own = prior.subarray(part.statsAt, part.statsAt + part.statistics)
      const k = part.levels.length
      for (let p = 0; p < part.slots; p++) {
        const mass = simplexMass(own, part.slots, k, p)
        for (let l = 0; l < k; l++) {
          drawn[part.statsAt + l * part.slots + p] += mass * exp(part.logWeight(params, p, l))
        }
      }
    }
  }
  for (let j = 0; j < pull.length; j++) pull[j] -= drawn[j]
  return pull
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
    const near = nearest(name, names)
    throw new SufficeError(
      "target",
      `${show(name)} cannot be a target. The model has ${list(names)}. ${near.length > 0 ? `Did you mean ${list(near)}?` : "Name one of them."}`,
      { column: name, choices: names },
    )
  }
  for (const part of laid.parts) {
    if (part.part === "switch" || !part.family.reads?.includes(name)) continue
    throw new SufficeError(
      "target",
      `${show(name)} cannot be a target. ${part.names.map(show).join(", ")} is modelled given it, which says nothing of ${show(name)} itself. Name another, or use normal(${JSON.stringify([...part.family.reads, ...part.names])}), which has both conditionals.`,
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
