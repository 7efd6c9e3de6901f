/** First moments: from start statistics, an earlier run, or a model that has grown. */
import type { Course, Grown, MovingState } from "../../contract/moving.ts"
import { exp } from "../../kernels/exp.ts"
import { log } from "../../kernels/log.ts"
import { entryRanges } from "../axes.ts"
import { grownCounts, isNew } from "../grown.ts"
import { type Laid, spreadOf } from "../lay.ts"
import { ownMass } from "../masses.ts"
import { solvePart } from "../parts.ts"
import { inertiaOf, type PartGroups } from "./groups.ts"

/** Statistics of a start, moments of a run that continues, or statistics of a model that has grown. */
export type Origin = Float64Array | MovingState | Grown

/** Its statistics, in counts. */
export function countsIn(from: Origin, weight: number): Float64Array {
  if (from instanceof Float64Array) return from
  return "grown" in from ? from.grown : from.moments.map(moment => moment * weight)
}

/** moments (zeros on entry) ← E[s | θ] of one row; for bags, whose length is given, counts/n plus the inertia of each word. */
export function firstMoments(
  laid: Laid,
  { sparse }: PartGroups,
  course: Course,
  given: Float64Array | Grown,
  weight: number,
  spread: Float64Array | undefined,
  moments: Float64Array,
): void {
  const before = given instanceof Float64Array ? undefined : given.grown
  const counts = before
    ? grownCounts(laid, before, spread ?? spreadOf(laid, before))
    : (given as Float64Array)
  const first = new Float64Array(laid.parameters)
  laid.root.descend(moments, Float64Array.of(1), (part, counted) => {
    const mass = counted ?? ownMass(part, counts).map(n => n / weight)
    if (part.leaf.shape.lengthGiven) {
      const isSlow = course.generative === 0 && sparse.includes(part)
      const more = isSlow ? inertiaOf(course, part, effectiveSlots(mass)) : 0
      // old slots contain it
      const fresh = before && isNew(part, before)
      const entries = part.ranges.statsOf(moments)
      entries.set(part.ranges.statsOf(counts))
      for (const [from, to] of more > 0 ? entryRanges(part) : [])
        for (let j = from; j < to; j++) if (!fresh || fresh[j]) entries[j] += more
      for (let j = 0; j < entries.length; j++) entries[j] /= weight
      return
    }
    solvePart(part, counts, 0, first, spread)
    part.leaf.moments(part.ranges.paramsOf(first), mass, part.ranges.statsOf(moments))
  })
}

/** e^H of the masses: the effective number of slots. */
function effectiveSlots(mass: Float64Array): number {
  const total = mass.reduce((sum, m) => sum + m, 0)
  let entropy = 0
  for (const m of mass) if (m > 0) entropy -= (m / total) * log(m / total)
  return exp(entropy)
}
