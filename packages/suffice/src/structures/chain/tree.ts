/** The declaration of `chain`. */
import type { DescribedChain } from "../../contract/described.ts"
import type { Description } from "../../contract/report.ts"
import {
  declared,
  lastArgument,
  listIn,
  type StructureGuide,
  type StructureTree,
  visitBodies,
  withoutArrows,
} from "../tree.ts"

/** The name of the state above the parts of a chain. */
export const STATE = "state"

export const chainTree: StructureTree = {
  children: spec => listIn(spec, "bodies"),
  with: (spec, children) => ({ ...spec, bodies: children }),
  columns: spec => [spec.column as string],
  arrows: withoutArrows,
  parts(spec, description, visitor) {
    const name = spec.column as string
    const { given, ...own } = description[name] as unknown as DescribedChain & {
      readonly given: Record<string, Description>
    }
    visitor.part({ ...own, part: "transitions", name })
    visitBodies(spec, given, visitor, STATE)
  },
  state(spec) {
    const column = (spec.state ?? spec.name) as string | undefined
    return column === undefined ? undefined : { column, isHidden: spec.state === undefined }
  },
}

/** The defaults of `chain`. */
const USUAL: Description = { column: "steps", ends: false, transitions: "all", initial: "free", prior: 0.1 }

export const chainGuide: StructureGuide = {
  title: spec => (spec.states === undefined ? `chain of ${spec.state}` : "chain of hidden states"),
  makers: ["chain"],
  count: spec => (spec.states === undefined ? undefined : { field: "states", name: "states" }),
  code(spec, { model }) {
    const { kind: _, states, state, bodies, ...options } = spec
    if ((bodies as unknown[]).length > 1) return declared(spec)
    const body = model(listIn(spec, "bodies")[0])
    return `chain(${JSON.stringify(states ?? state)}, ${body}${lastArgument(options, USUAL)})`
  },
}
