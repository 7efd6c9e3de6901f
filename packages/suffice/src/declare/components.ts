/** The components of a switch: mean and standard deviation of columns under each of its values. */
import type { Above, DescribedLeaf, DescribedPart, DescribedSwitch } from "../contract/described.ts"
import type { Description } from "../contract/report.ts"
import { guideOf } from "./guide.ts"

/** A value of a switch, with mean and standard deviation of the columns below it. */
export interface Component {
  readonly level: string
  readonly probability: number
  readonly means: ReadonlyMap<string, number>
  readonly deviations: ReadonlyMap<string, number>
  /** Covariances inside one leaf, by "x\u0000y". */
  readonly covariances: ReadonlyMap<string, number>
  readonly parts: readonly DescribedLeaf[]
}

/** The components of the outermost switch of this name; leaves below further switches are left out. */
export function componentsOf(parts: readonly DescribedPart[], name: string): Component[] {
  const found = parts.find(
    (part): part is DescribedSwitch => part.part === "probabilities" && part.name === name,
  )
  if (!found) return []
  return Object.entries(found.probabilities).map(([level, probability]) => {
    const leaves = directlyBelow(parts, [...found.above, { name, level }])
    return { level, probability, ...momentsOf(leaves), parts: leaves }
  })
}

/** The leaves below these values, and below no others. */
export function directlyBelow(parts: readonly DescribedPart[], above: readonly Above[]): DescribedLeaf[] {
  return parts.filter(
    (part): part is DescribedLeaf =>
      part.part === "parameters" &&
      part.above.length === above.length &&
      above.every(({ name, level }, i) => part.above[i].name === name && part.above[i].level === level),
  )
}

/** The parameters of a leaf column by column. */
export function byColumn({
  name,
  family,
  parameters,
}: DescribedLeaf): readonly (readonly [string, Description])[] {
  return guideOf(family).each?.(parameters) ?? [[name, parameters]]
}

function momentsOf(
  leaves: readonly DescribedLeaf[],
): Pick<Component, "means" | "deviations" | "covariances"> {
  const means = new Map<string, number>()
  const deviations = new Map<string, number>()
  const covariances = new Map<string, number>()
  for (const leaf of leaves) {
    for (const [column, parameters] of byColumn(leaf)) {
      const moments = guideOf(leaf.family).mean(parameters, leaf.options)
      if (!moments) continue
      means.set(column, moments[0])
      deviations.set(column, moments[1])
    }
    for (const [one, row] of Object.entries((leaf.parameters.covariance ?? {}) as Record<string, unknown>))
      if (typeof row === "object" && row !== null)
        for (const [other, c] of Object.entries(row as Record<string, number>))
          covariances.set(`${one}\u0000${other}`, c)
  }
  return { means, deviations, covariances }
}
