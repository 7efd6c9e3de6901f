/** A family on its columns, as a node of the tree. */
import type { Description, Family, LeafNode, Model, Plan, Use } from "../contract.ts"
import { SufficeError, show } from "../errors.ts"
import { growCodes, NOTHING } from "../kernels/workspace.ts"

/** Functions have a `bind` too: gaussian, without its parentheses, is no family. */
export function isFamily(value: unknown): value is Family {
  return typeof value === "object" && typeof (value as Family | null)?.bind === "function"
}

/** The model of one family on the columns it is given. */
export function leafModel(family: Family, names: readonly string[]): Model<never, never> {
  const { need, measure, reads } = family
  const group = JSON.stringify(names) // once: one copy per column would fill the memory
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

function layLeaf(plan: Plan, slots: number, family: Family, names: readonly string[]): LeafNode {
  const found = names.concat(family.reads ?? []).map(name => plan.column(name))
  const bound = family.bind(
    found.map(({ column }) => column),
    found.map(({ place }) => place),
    slots,
  )
  const leaf = plan.standIn?.(bound, names) ?? bound
  const spreads = leaf.spreads ?? 0
  const { statsAt, paramsAt, spreadAt } = plan.reserve(leaf.statistics, leaf.parameters, spreads)
  const label = names.join(", ")
  const paramsOf = view(paramsAt, leaf.parameters)
  const statsOf = view(statsAt, leaf.statistics)
  const spreadOf = view(spreadAt, spreads)
  // beside the statistics that it is around
  const partOf = view(statsAt, leaf.statistics)
  // open() tries every level in turn: one column of codes, made once.
  const trials = growCodes()

  const node: LeafNode = {
    part: "leaf",
    slots,
    names,
    family,
    leaf,
    statsAt,
    paramsAt,
    statistics: leaf.statistics,
    axes: leaf.axes,
    parameters: leaf.parameters,
    // a column without levels has nothing to choose
    free: Math.max(leaf.free, 0),
    columns: new Set(names),
    paramsOf,
    statsOf,
    spreadOf,
    up: (block, params, out, lean) => leaf.score(block, paramsOf(params), out, lean),
    down: (block, _params, weights, sink) => sink.leaf(node, block, weights),
    start: (block, _params, weights, _dice, sink) => sink.leaf(node, block, weights),

    open(block, params, column, out) {
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
      for (let l = 0; l < opened.levels.length; l++) {
        trial.fill(l)
        leaf.score({ ...block, cells }, paramsOf(params), out.subarray(l * size, (l + 1) * size))
      }
    },

    parts: () => [node],
    moments: (params, mass, stats) => leaf.moments(paramsOf(params), mass, statsOf(stats)),
    descend: (_stats, mass, visit) => visit(node, mass),
    contexts: slotNames => [[node, slotNames]],
    prior: (stats, strength, spread, around) =>
      leaf.prior(partOf(stats), strength, spread && spreadOf(spread), around && statsOf(around)),
    solve: (stats, params, spread) =>
      leaf.solve(statsOf(stats), paramsOf(params), spread && spreadOf(spread)),
    value: (stats, params) => leaf.value(statsOf(stats), paramsOf(params)),
    describe: (params, slot) => ({
      [label]: { family: family.name, ...leaf.describe(paramsOf(params), slot) },
    }),
    adopt: (description, slot, mass, stats) =>
      leaf.adopt(description?.[label] as Description, slot, mass, statsOf(stats)),
    sample: (block, params, slot, dice) => leaf.sample(paramsOf(params), slot, block, dice),
  }
  return node
}

/** The part [at, at + length) of an array over the whole model; remembers the last one, since blocks come by the thousand. */
export function view(at: number, length: number): (whole: Float64Array) => Float64Array {
  let last: Float64Array | undefined
  let part = NOTHING
  return whole => {
    if (whole !== last) {
      last = whole
      part = whole.subarray(at, at + length)
    }
    return part
  }
}
