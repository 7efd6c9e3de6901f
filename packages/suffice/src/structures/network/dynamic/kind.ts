/** A network over steps, in a file and in a description. */

import { countAt, fieldsAt, finiteAt, isRecord, listAt, misshapen, recordAt, textAt } from "../../../shape.ts"
import { at, checkKeys, partOf, type Revival, type StructureKind, within } from "../../kind.ts"
import { before, given, hidden, network, type StepNode } from "../declare.ts"
import { familyAt, walkOwn } from "../kind.ts"
import { dynamicNetworkTree, sliceSpecs, templatesOf } from "./tree.ts"

/** A network over steps, for programs that load models without their code: `structures: [dynamicNetworkKind]`. */
export const dynamicNetworkKind: StructureKind = {
  name: "dynamicNetwork",
  tree: dynamicNetworkTree,

  revive(spec, revival, path) {
    const { nodes, steps } = fieldsAt(spec, path, {
      kind: textAt,
      steps: textAt,
      nodes: (value: unknown, here: string) => listAt(value, here, nodeAt(revival)),
    })
    const names = nodes.map(([name]) => name)
    const twice = names.find((name, v) => names.indexOf(name) !== v)
    if (twice !== undefined) throw misshapen(`${path}.nodes`, twice, "each column once")
    return within(path, () => network(Object.fromEntries(nodes), { steps }))
  },

  names: spec => [spec.steps as string],

  walk(spec, description, path, visitor) {
    const steps = spec.steps as string
    const nodes = templatesOf(spec)
    const own = partOf(description, steps, path)
    const here = at(path, steps)
    checkKeys(
      own,
      nodes.map(({ name }) => name),
      here,
      "part of the model",
    )
    const { first, later, all } = sliceSpecs(spec)
    nodes.forEach((node, v) => {
      const mine = partOf(own, node.name, here)
      const place = at(here, node.name)
      if (first[v].isWhole) walkOwn(first[v], all, mine, place, visitor)
      else {
        checkKeys(mine, ["first", "later"], place, "part of the model")
        walkOwn(first[v], all, partOf(mine, "first", place), at(place, "first"), visitor)
        walkOwn(later[v], all, partOf(mine, "later", place), at(place, "later"), visitor)
      }
    })
  },
}

function nodeAt(revival: Revival) {
  return (value: unknown, path: string): [name: string, node: StepNode] => {
    const isHidden = isRecord(value) && "hidden" in value
    if (isHidden) {
      const fields = { name: textAt, parents: parentsAt, hidden: countAt, prior: finiteAt }
      const { name, parents, hidden: values, prior } = fieldsAt(value, path, fields)
      if (values > revival.most) throw misshapen(`${path}.hidden`, values, `at most ${revival.most} values`)
      return [name, within(path, () => given(parents, hidden(values, { prior })))]
    }
    const fields = { name: textAt, parents: parentsAt, family: textAt, options: recordAt }
    const { name, parents, family, options } = fieldsAt(value, path, fields)
    return [name, given(parents, familyAt(revival, family, options, path))]
  }
}

function parentsAt(value: unknown, path: string) {
  return listAt(value, path, (parent, here) => {
    if (typeof parent === "string") return parent
    const { before: name } = fieldsAt(parent, here, { before: textAt })
    return before(name)
  })
}
