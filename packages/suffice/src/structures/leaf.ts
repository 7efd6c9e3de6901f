/** A family on its columns, as a node of the tree. */
import type { Block } from "../contract/block.ts"
import type { Use } from "../contract/columns.ts"
import type { Family } from "../contract/family.ts"
import type { Work } from "../contract/leaf.ts"
import type { Model, Plan } from "../contract/model.ts"
import type { Chosen, Node } from "../contract/node.ts"
import type { Part } from "../contract/part.ts"
import type { Description } from "../contract/report.ts"
import { list, SufficeError, show } from "../errors.ts"
import { growCodes } from "../kernels/workspace.ts"
import { fieldsAt, misshapen, namesAt, recordAt, textAt } from "../shape.ts"
import { at, partOf, type StructureKind, within } from "./kind.ts"
import { leafTree } from "./leaf-tree.ts"
import { layPart } from "./part.ts"

/** Functions have a `bind` too: gaussian without parentheses is not a family. */
export function isFamily(value: unknown): value is Family {
  return typeof value === "object" && typeof (value as Family | null)?.bind === "function"
}

export function leafModel(family: Family, names: readonly string[]): Model<never, never> {
  const { need, measure, reads } = family
  const group = JSON.stringify(names) // one string for all columns, as there may be thousands
  const uses: Use[] = names.map(column => ({ column, need, measure, group, role: "cell", reads }))
  for (const column of reads ?? []) uses.push({ column, need, measure, group: column, role: "read" })
  return {
    kind: "leaf",
    uses,
    target: undefined,
    spec: { kind: "leaf", columns: names, family: family.name, options: family.options },
    lay: (plan, slots) => layLeaf(plan, slots, family, names),
  }
}

/** A node that is nothing but its part. */
export interface LeafNode extends Node {
  readonly part: Part
}

function layLeaf(plan: Plan, slots: number, family: Family, names: readonly string[]): LeafNode {
  const found = names.concat(family.reads ?? []).map(name => plan.column(name))
  const columns = found.map(({ column }) => column)
  const places = found.map(({ place }) => place)
  const bound = family.bind(columns, places, slots)
  const own = columns.slice(0, names.length)
  const given = columns.slice(names.length)
  const about = { family: family.name, options: family.options, columns: own, given, places, isChoice: false }
  const believed = plan.believe?.(bound, about) ?? bound
  const leaf = plan.standIn?.(believed, names) ?? believed
  if (leaf.notice) plan.notice?.(leaf.notice)
  const part = layPart(plan, leaf, { family: family.name, columns: own, given, places })
  const label = names.join(", ")
  const cells: LeafCells = { part, slots, names, found, trials: growCodes() }
  return {
    part,
    slots,
    tree: {
      columns: new Set(names),
      parts: () => [part],
      switches: () => [],
      contexts: slotNames => [[part, slotNames]],
    },
    up: (block, params, out, upToConstant, reuse) =>
      leaf.score(block, part.ranges.paramsOf(params), out, upToConstant, reuse),
    down: (block, _params, weights, sink, work) => sink.leaf(part, block, weights, work),
    start: (block, _params, weights, dice, sink) => sink.start(part, block, weights, dice),

    open: (block, params, column, out, _upToConstant, reuse) =>
      open(cells, block, params, column, out, reuse),
    joint: { best: (block, params, heights) => best(cells, block, params, heights) },
    moments: (params, mass, stats) =>
      leaf.moments(part.ranges.paramsOf(params), mass, part.ranges.statsOf(stats)),
    descend: (_stats, mass, visit) => visit(part, mass),
    describe: (params, slot) => ({
      [label]: { family: family.name, ...leaf.describe(part.ranges.paramsOf(params), slot) },
    }),
    adopt: (description, slot, mass, stats) =>
      leaf.adopt(description?.[label] as Description, slot, mass, part.ranges.statsOf(stats)),
    sample: (block, params, slot, dice) => leaf.sample(part.ranges.paramsOf(params), slot, block, dice),
  }
}

/** Layout of a leaf, with a scratch buffer. */
interface LeafCells {
  readonly part: Part
  readonly slots: number
  readonly names: readonly string[]
  /** The columns it models, then those it reads. */
  readonly found: readonly ReturnType<Plan["column"]>[]
  readonly trials: (length: number) => Int32Array
}

/** Scores of every level of a column in turn. */
function open(
  { part, slots, names, found, trials }: LeafCells,
  block: Block,
  params: Float64Array,
  column: string,
  out: Float64Array,
  reuse: Work,
): Work {
  const { place, column: opened } = found[names.indexOf(column)]
  if (opened.kind !== "level") {
    throw new SufficeError(
      "target",
      `column ${show(column)} has no levels to choose from. A posterior over levels needs some. Name one of the others.`,
      { column },
    )
  }
  const trial = trials(block.rows)
  const cells = block.cells.slice()
  cells[place] = trial
  const size = slots * block.rows
  let work = reuse
  for (let l = 0; l < opened.levels.length; l++) {
    trial.fill(l)
    const scores = out.subarray(l * size, (l + 1) * size)
    work = part.leaf.score({ ...block, cells }, part.ranges.paramsOf(params), scores, false, work)
  }
  return work
}

/** The most probable level of row 0 in each slot, if it is missing. */
function best(
  { part, slots, found }: LeafCells,
  block: Block,
  params: Float64Array,
  heights: Float64Array,
): (slot: number, chosen: Chosen) => void {
  const { leaf, ranges } = part
  const [{ column, place }] = found
  const codes = column.kind === "level" ? (block.cells[place] as Int32Array) : undefined
  if (column.kind !== "level" || column.levels.length === 0 || codes![0] >= 0) {
    leaf.score(block, ranges.paramsOf(params), heights)
    return () => undefined
  }
  const scores = new Float64Array(column.levels.length * slots)
  const cells = block.cells.slice()
  column.levels.forEach((_, l) => {
    cells[place] = Int32Array.of(l)
    leaf.score({ ...block, cells }, ranges.paramsOf(params), scores.subarray(l * slots, (l + 1) * slots))
  })
  const levels = new Int32Array(slots)
  for (let p = 0; p < slots; p++) {
    for (let l = 1; l < column.levels.length; l++)
      if (scores[l * slots + p] > scores[levels[p] * slots + p]) levels[p] = l
    heights[p] += scores[levels[p] * slots + p]
  }
  return (slot, chosen) => void chosen(column.name, column.levels[levels[slot]])
}

/** A family on its columns, in a file and in a description. */
export const leafKind: StructureKind = {
  name: "leaf",
  tree: leafTree,

  revive(spec, revival, path) {
    const fields = { kind: textAt, columns: namesAt, family: textAt, options: recordAt }
    const { columns, family, options } = fieldsAt(spec, path, fields)
    if (columns.length === 0) throw misshapen(`${path}.columns`, columns, "at least one column")
    const kind = revival.families.get(family)
    if (!kind) {
      throw new SufficeError(
        "saved",
        `the model file uses the family ${show(family)} at ${path}.family, which is not known here: ${list(revival.families.keys(), 20)} are. A file names families, it does not bring them along. Pass its kind: load(json, { families: [ … ] }).`,
        { path: `${path}.family`, family },
      )
    }
    return within(`${path}.options`, () => leafModel(kind.make(options as Description, revival), columns))
  },

  names: spec => [(spec.columns as string[]).join(", ")],
  walk(spec, description, path, visitor) {
    const name = (spec.columns as string[]).join(", ")
    const own = partOf(description, name, path)
    if (own.family !== undefined && own.family !== spec.family) {
      throw new SufficeError(
        "parameters",
        `specify: ${at(path, name)} describes ${show(own.family)}, but the model has ${show(spec.family)} there. Parameters of one family mean nothing to another. Describe ${show(spec.family)}, or change the model.`,
        { path: at(path, name), family: own.family },
      )
    }
    visitor.leaf(spec.columns as string[], own, at(path, name))
  },
}
