/** A warning about networks: configurations of parents that no row shows. */
import type { Notice } from "../../contract/notice.ts"
import type { Part } from "../../contract/part.ts"
import type { Diagnostic } from "../../contract/report.ts"
import { list, show } from "../../errors.ts"

export const seenConfigurations: Notice = { statistics: unseenConfigurations }

/** `stats` in counts. */
function unseenConfigurations(parts: readonly Part[], stats: Float64Array): Diagnostic[] {
  let slots = 0
  let unseen = 0
  let worst: { readonly part: Part; readonly count: number } | undefined
  for (const part of parts) {
    if (!part.network?.parents) continue
    let count = 0
    for (let s = 0; s < part.leaf.shape.slots; s++)
      if (!(part.leaf.mass(part.ranges.statsOf(stats), s) > 0)) count++
    slots += part.leaf.shape.slots
    unseen += count
    if (count > (worst?.count ?? 0)) worst = { part, count }
  }
  if (!worst) return []
  const { part, count } = worst
  return [
    {
      code: "unseen-configuration",
      message: `${unseen} of ${slots} configurations of parents are in no row: there, the prior alone speaks. Most of them, ${count} of ${part.leaf.shape.slots}, are above ${show(part.columns[0].name)}, which is given ${list(part.network!.parents!)}. More rows, fewer parents or fewer levels would tell more.`,
    },
  ]
}
