/** Layout of a network over steps: both slices, and the nodes that own parameters. */
import type { Block, Nested } from "../../../contract/block.ts"
import type { Plan } from "../../../contract/model.ts"
import { layPart } from "../../part.ts"
import { Inference } from "../inference.ts"
import { columnsIn, type Found, layNode } from "../lay.ts"
import type { LaidNode } from "../layout.ts"
import { silentLeaf } from "../silent.ts"
import { nameBefore } from "./name-before.ts"
import type { Owned, TemplateLayout } from "./slices.ts"
import type { Slices } from "./template.ts"

export interface Template {
  readonly slices: Slices
  /** Column of the steps. */
  readonly column: string
  /** Index of the steps among the cells of a block. */
  readonly place: number
  readonly names: readonly string[]
  readonly layout: TemplateLayout
  readonly owned: readonly Owned[]
  /** True by node if the two slices have parameters of their own. */
  readonly isSplit: readonly boolean[]
  /** Both slices without borders. */
  readonly apart: readonly { readonly nodes: readonly LaidNode[]; readonly inference: Inference }[]
}

export function templateOf(outer: Plan, P: number, column: string, slices: Slices): Template {
  const steps = outer.column(column)
  const plan = outer.within(column)
  const columns = steps.column.kind === "steps" ? steps.column.columns : []
  const { carried, ghosts } = slices
  const count = slices.first.length
  const found = foundIn(plan, slices, columns.length)
  const levels = found.map(({ column }) => (column.kind === "level" ? column.levels.length : 0))
  const isRead = slices.first.map(
    (_, v) => carried.includes(v) || slices.first.some(node => parentsOf(node).includes(v)),
  )
  const isSplit = slices.later.map((node, v) => parentsOf(node).some(u => u >= count && v < count))
  const first = slices.first.map((node, v) =>
    layNode(plan, P, node, v, slices.first, found, levels, isRead[v], true),
  )
  const later = slices.later.map((node, v): LaidNode => {
    if (v >= count) return layGhost(plan, found[v], P)
    if (!isSplit[v]) return first[v]
    return layNode(plan, P, node, v, slices.later, found, levels, isRead[v], true)
  })
  const ofFirst = levels.slice(0, count)
  const layout: TemplateLayout = {
    slots: P,
    first: { inference: new Inference(first, ofFirst, P, [carried]), nodes: first, before: -1, after: 0 },
    later: {
      inference: new Inference(later, levels, P, [ghosts, carried]),
      nodes: later,
      before: 0,
      after: 1,
    },
    carried,
    ghosts,
    levels,
    columns,
  }
  return {
    slices,
    column,
    place: steps.place,
    names: first.map(({ name }) => name),
    layout,
    owned: ownedBy(first, later, isSplit),
    isSplit,
    apart: [
      { nodes: first, inference: new Inference(first, ofFirst, P) },
      { nodes: later, inference: new Inference(later, levels, P) },
    ],
  }
}

export function stepsOf({ place }: Template, block: Block): Nested {
  return block.cells[place] as Nested
}

function parentsOf({ levelParents, numberParents }: Slices["first"][number]): readonly number[] {
  return [...levelParents, ...numberParents]
}

/** Columns of a step, then the carried ones of the step before, then the lagged ones. */
function foundIn(plan: Plan, { first, later, carried, lagged, shades }: Slices, width: number): Found[] {
  const present = columnsIn(plan, first)
  const behind = present.reduce((most, found) => Math.max(most, found.place), width) + 1
  return [
    ...present,
    ...carried.map((v, j) => ({
      column: { ...present[v].column, name: nameBefore(first[v].name) },
      place: behind + j,
    })),
    ...lagged.map((_, j) => plan.column(later[shades[j]].name)),
  ]
}

function ownedBy(
  first: readonly LaidNode[],
  later: readonly LaidNode[],
  isSplit: readonly boolean[],
): Owned[] {
  return first.flatMap((laid, v): Owned[] =>
    isSplit[v]
      ? [
          { v, laid, inFirst: true, inLater: false },
          { v, laid: later[v], inFirst: false, inLater: true },
        ]
      : [{ v, laid, inFirst: true, inLater: true }],
  )
}

/** A given column of the step before. */
function layGhost(plan: Plan, { column, place }: Found, slots: number): LaidNode {
  const part = layPart(plan, silentLeaf(slots), { family: "given", columns: [column], places: [-1] })
  return {
    name: column.name,
    part,
    column,
    place,
    family: "given",
    isHidden: column.kind === "level",
    levelParents: [],
    numberParents: [],
    configurations: 1,
  }
}
