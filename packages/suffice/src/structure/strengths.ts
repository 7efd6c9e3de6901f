/**
 * How sure an arrow is: the share of bootstrap samples in which the search finds it (Friedman, Goldszmidt & Wyner 1999).
 *
 *     strength    share of samples in which the two columns are joined
 *     direction   of these, the share in which the arrow has this direction; one that the rows cannot tell counts one half
 */
import type { Columns, Row } from "../contract/cells.ts"
import { expected } from "../option-checks.ts"
import { paced } from "../pause.ts"
import { dice } from "../random.ts"
import { classOf, isArrow, isPair } from "./equivalence.ts"
import { checkOptions, type StructureOptions } from "./options.ts"
import { posed, searched } from "./structure.ts"
import { resampled } from "./table.ts"

/** Options of `arcStrengths`. */
export interface StrengthOptions extends StructureOptions {
  /** Samples: 100 by default. */
  readonly replicates?: number
}

/** How often two columns were joined in bootstrap samples, and how often the arrow had this direction. */
export interface ArcStrength {
  readonly from: string
  readonly to: string
  readonly strength: number
  readonly direction: number
}

/** How sure the arrows of a structure are, by bootstrap: pairs that were found at least once, the surest first. Missing cells: rows in which a column and its parents are seen. */
export async function arcStrengths(
  data: readonly Row[] | Columns,
  options: StrengthOptions = {},
): Promise<ArcStrength[]> {
  checkOptions(options, ["replicates"])
  const { replicates = 100, seed = 0, signal } = options
  const isCount = Number.isSafeInteger(replicates) && replicates >= 1
  expected("arcStrengths", "replicates", replicates, isCount, "be a whole number ≥ 1", "{ replicates: 100 }")
  const { table, constraints } = await posed(data, options)
  const { names } = table
  const count = names.length
  const joined = new Float64Array(count * count)
  const directed = new Float64Array(count * count)
  for (let replicate = 0; replicate < replicates; replicate++) {
    const sample = resampled(table, dice([seed, replicate]))
    const found = await paced(searched(sample, constraints, options), signal)
    const graph = found.graph ?? classOf(found.parents, constraints)
    for (let u = 0; u < count; u++) {
      for (let v = 0; v < count; v++) {
        if (u === v || !isPair(graph, u, v)) continue
        joined[u * count + v]++
        directed[u * count + v] += isArrow(graph, u, v) ? 1 : isArrow(graph, v, u) ? 0 : 0.5
      }
    }
  }
  const strengths: ArcStrength[] = []
  for (let u = 0; u < count; u++) {
    for (let v = 0; v < count; v++) {
      const times = joined[u * count + v]
      const direction = directed[u * count + v] / times
      // the likelier direction, and of two equal ones the first column
      if (!(times > 0) || direction < 0.5 || (direction === 0.5 && u > v)) continue
      strengths.push({ from: names[u], to: names[v], strength: times / replicates, direction })
    }
  }
  return strengths.sort((one, other) => other.strength - one.strength || other.direction - one.direction)
}
