/** Warnings about topics that hardly any document uses. */

import type { Part } from "../contract/part.ts"
import type { Diagnostic } from "../contract/report.ts"
import { list, show } from "../errors.ts"
import { latentMass, namesOf } from "./parts.ts"

/** Topics of a column, numbered as `fitted.topics()` lists them: those of every slot, slot by slot, then the shared ones, part by part. */
interface Listed {
  readonly part: Part
  readonly k: number
  readonly slot: number
  readonly column: string
  readonly topic: number
}

function listed(parts: readonly Part[]): Listed[] {
  const next = new Map<string, number>()
  return parts.flatMap(part => {
    const { topics } = part.leaf
    if (!topics) return []
    const [column] = namesOf(part)
    const own = topics.count - topics.shared
    return Array.from({ length: part.leaf.shape.slots * own + topics.shared }, (_, t): Listed => {
      const topic = next.get(column) ?? 0
      next.set(column, topic + 1)
      const isOwn = t < part.leaf.shape.slots * own
      const k = isOwn ? t % own : own + t - part.leaf.shape.slots * own
      return { part, k, slot: isOwn ? Math.trunc(t / own) : 0, column, topic }
    })
  })
}

/** The topics that hold less than `one` document: how many hidden values they are, and a warning for each column. */
export function starvedTopics(
  parts: readonly Part[],
  stats: Float64Array,
  one: number,
): { readonly count: number; readonly diagnostics: readonly Diagnostic[] } {
  const starved = new Map<string, number[]>()
  const masses = new Map<Part, Float64Array>()
  let count = 0
  for (const { part, k, slot, column, topic } of listed(parts)) {
    const { leaf } = part
    const { slots } = leaf.shape
    const held = masses.get(part) ?? latentMass(part, stats)
    masses.set(part, held)
    if (!(held[k * slots + slot] < one)) continue
    // a shared topic is hidden in every slot
    count += k >= leaf.topics!.count - leaf.topics!.shared ? slots : 1
    starved.set(column, [...(starved.get(column) ?? []), topic])
  }
  const diagnostics = [...starved].map(([column, topics]): Diagnostic => {
    const which = topics.length === 1 ? `topic ${topics[0]} holds` : `topics ${list(topics)} hold`
    return {
      code: "starved-component",
      column,
      message: `${which} less of ${show(column)} than one document does. Fewer topics may be enough.`,
    }
  })
  return { count, diagnostics }
}
