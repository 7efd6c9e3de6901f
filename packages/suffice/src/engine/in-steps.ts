/** What stands in the steps of chains, and of networks over steps, can be asked for and predicted: by its name, or by that of the steps and its own. */

import { isLagged } from "../blocks/lags.ts"
import { nearest } from "../errors.ts"
import type { Laid } from "./lay.ts"
import { namesOf } from "./parts.ts"

/** The columns of such steps, as steps.tag; `hidden`: and the names of what is hidden there. */
export function namesInSteps(
  { columns, switches, parts }: Pick<Laid, "columns" | "switches" | "parts">,
  hidden: boolean,
): string[] {
  return columns.flatMap(column => {
    if (column.kind !== "steps") return []
    const chained = switches.filter(({ walk, part }) => walk && part.steps[0] === column.name)
    const nodes = parts.filter(
      ({ network, steps }) => network?.stepPlace !== undefined && steps[0] === column.name,
    )
    if (chained.length === 0 && nodes.length === 0) return []
    const seen = column.columns.filter(({ kind, name }) => kind !== "bag" && !isLagged(name))
    const unseen = nodes.filter(({ places }) => places[0] < 0).flatMap(namesOf)
    const others = hidden ? [...chained.map(state => state.column), ...unseen] : []
    return [...new Set([...seen.map(({ name }) => name), ...others])].map(name => `${column.name}.${name}`)
  })
}

/** Those of these names that are spelt like this one, by what stands behind the steps. */
export function nearestInSteps(name: string, names: readonly string[]): string[] {
  const alone = (one: string): string => one.slice(one.indexOf(".") + 1)
  const near = nearest(alone(name), names.map(alone))
  return near.flatMap(found => names.filter(one => alone(one) === found))
}
