/**
 * `network({ … }, { steps })`: a network over the steps of a row. Its parents are columns of the same step, or of the step before.
 *
 *     p(steps) = Π_v p(x_1v | parents in step 1) · Π_{t>1} Π_v p(x_tv | parents in step t, parents in step t − 1)
 *
 * A column with a parent in the step before has other parameters in the first step, where there is none; all others have the same in every step. Hidden columns that the next
 * step depends on are a Markov chain together. A number of the step before is read, not modelled: x@-1, as in chains.
 */

import type { Use } from "../../../contract/columns.ts"
import type { Model } from "../../../contract/model.ts"
import type { Description, Json } from "../../../contract/report.ts"
import { list, SufficeError } from "../../../errors.ts"
import { checkNames, sharedUses } from "../../bodies.ts"
import { checkLags } from "../../lags.ts"
import { seenConfigurations } from "../configurations.ts"
import { isBefore, type RawNode } from "../nodes.ts"
import { layTemplate } from "./lay.ts"
import { type Slices, slicesOf } from "./template.ts"

/** More states of hidden columns together would be a mistake: each step has a table of as many rows and columns. */
const MOST_STATES = 4096

export function templateModel(nodes: readonly RawNode[], steps: string): Model {
  const slices = slicesOf(nodes)
  checkStates(nodes, slices)
  const uses = sharedUses("network", [{ uses: usesOf(nodes, slices) }])
  const measure = uses.some(use => use.measure === "density") ? "density" : "mass"
  const own: Use = { column: steps, need: { kind: "steps", uses }, measure, group: steps, role: "cell" }
  checkNames("network", [own])
  checkLags("network", uses)
  return {
    kind: "dynamicNetwork",
    uses: [own],
    target: undefined,
    spec: { kind: "dynamicNetwork", steps, nodes: nodes.map(specOf) },
    lay(plan, slots) {
      plan.notice?.(seenConfigurations)
      return layTemplate(plan, slots, steps, slices)
    },
  }
}

function specOf({ name, parents, family, isHidden }: RawNode): Description {
  const { levels, ...rest } = family.options
  return {
    name,
    parents: parents.map((parent): Json => (isBefore(parent) ? { before: parent.before } : parent)),
    ...(isHidden
      ? { hidden: (levels as Json[]).length, prior: rest.prior }
      : { family: family.name, options: family.options }),
  }
}

function usesOf(nodes: readonly RawNode[], { lagged, shades, later }: Slices): Use[] {
  const cells = nodes.map(({ name, family: { need, measure }, isHidden }): Use => {
    const role = isHidden ? "hidden" : "cell"
    return { column: name, need, measure, group: JSON.stringify([name]), role }
  })
  const reads = lagged.map((v, j): Use => {
    const column = later[shades[j]].name
    return { column, need: nodes[v].family.need, measure: "density", group: column, role: "read" }
  })
  return [...cells, ...reads]
}

/** Hidden columns that the next step depends on are summed out together, whatever is seen. */
function checkStates(nodes: readonly RawNode[], { carried, first }: Slices): void {
  const hidden = carried.filter(v => nodes[v].isHidden)
  const states = hidden.reduce((size, v) => size * (first[v].plain.options.levels as Json[]).length, 1)
  if (states <= MOST_STATES) return
  const names = hidden.map(v => nodes[v].name)
  throw new SufficeError(
    "size",
    `network: the hidden columns that the next step depends on, ${list(names, 20)}, have ${states} states together, more than ${MOST_STATES}. Each step takes a table of as many rows and columns. Give them fewer values, or let the next step depend on fewer of them.`,
    { states, columns: names },
  )
}
