/**
 * A product of models over different columns. A part may read a column that another one models: p(x) p(y | x).
 *
 *     ln p(row) = Σ_parts ln p(part | what it reads)        every part gets the same weights
 */
import type { Block, Weights } from "../contract/block.ts"
import type { Use } from "../contract/columns.ts"
import type { Family } from "../contract/family.ts"
import type { Work } from "../contract/leaf.ts"
import type { Model, Plan } from "../contract/model.ts"
import type { Chosen, Node, Rival, Sink } from "../contract/node.ts"
import type { Description } from "../contract/report.ts"
import { SufficeError, show } from "../errors.ts"
import { broadcast, grow } from "../kernels/workspace.ts"
import { fieldsAt, textAt } from "../shape.ts"
import { bestOf } from "./best.ts"
import { checkNames, intervenable, sharedUses } from "./bodies.ts"
import type { FirstTarget, Together } from "./columns.ts"
import { independentTree } from "./independent-tree.ts"
import { kindOf, modelsAt, type StructureKind, within } from "./kind.ts"
import { isFamily, leafModel } from "./leaf.ts"

export function independent<const Parts extends readonly (Model | Readonly<Record<string, Family>>)[]>(
  ...parts: Parts
): Model<Together<Parts>, FirstTarget<Parts>> {
  const models = parts.flatMap((part, j) => (isModel(part) ? [part] : byColumn(part, j)))
  // rows are sampled part by part: parts that read a column come after those that model it
  models.sort((a, b) => reading(a) - reading(b))
  if (models.length === 0) {
    throw new SufficeError(
      "model",
      "independent() has no columns. A model needs at least one. Give it { column: family() } or other models.",
    )
  }
  const met = new Map<string, Use["role"]>()
  for (const { column, role } of models.flatMap(model => model.uses)) {
    const before = met.get(column)
    if (before && role !== "read") {
      throw new SufficeError(
        "model",
        `independent: column ${show(column)} ${before === "read" ? "is read before it is modelled. Parts are drawn in order. Put the part that reads it last" : "stands in two parts. Independent parts share no column. Put the column in one part"}, or model both together with normal([...]).`,
        { column },
      )
    }
    met.set(column, before ?? role)
  }
  const uses = sharedUses("independent", models)
  checkNames("independent", uses)
  return independentOf(models, uses)
}

function independentOf(models: readonly Model[], uses: readonly Use[]): Model<never, never> {
  return {
    kind: "independent",
    uses,
    target: models.find(model => model.target !== undefined)?.target,
    spec: { kind: "independent", parts: models.map(model => model.spec) },
    lay: (plan, slots) => layIndependent(plan, slots, models),
    ...intervenable(models, changed => independentOf(changed, uses)),
  }
}

/** Does it read a column that it does not model? */
function reading({ uses }: Model): number {
  return uses.some(use => use.role === "read") ? 1 : 0
}

function isModel(part: Model | Readonly<Record<string, Family>>): part is Model {
  return typeof (part as Model | undefined)?.lay === "function"
}

function byColumn(families: Readonly<Record<string, Family>>, part: number): Model[] {
  if (typeof families !== "object" || families === null || Array.isArray(families) || isFamily(families)) {
    throw new SufficeError(
      "model",
      `independent: part ${part} is ${isFamily(families) ? "a family without a column" : show(families)}. A part is a model, or families by column. Write for example independent({ x: gaussian() }).`,
      { part },
    )
  }
  return Object.entries(families).map(([column, family]) => {
    if (isFamily(family)) return leafModel(family, [column])
    throw new SufficeError(
      "model",
      `independent: column ${show(column)} is given ${show(family)}. It needs a family. Write for example { ${show(column)}: gaussian() }.`,
      { column },
    )
  })
}

function layIndependent(plan: Plan, slots: number, models: readonly Model[]): Node {
  const nodes = models.map(model => model.lay(plan, slots))
  const product: Product = { nodes, slots, fused: plan.fuse?.(nodes), rest: grow() }
  return {
    slots,
    tree: {
      columns: new Set(nodes.flatMap(node => [...node.tree.columns])),
      parts: () => nodes.flatMap(node => [...node.tree.parts()]),
      switches: () => nodes.flatMap(node => [...node.tree.switches()]),
      contexts: names => nodes.flatMap(node => [...node.tree.contexts(names)]),
    },

    up: (block, params, out, upToConstant, reuse) => up(product, block, params, out, upToConstant, reuse),
    down: (block, params, weights, sink, work) => down(product, block, params, weights, sink, work),
    open: (block, params, column, out, upToConstant, reuse) =>
      open(product, block, params, column, out, upToConstant, reuse),
    joint: {
      rival: (block, params, column, margin) => rival(product, block, params, column, margin),
      best: (block, params, heights) => best(product, block, params, heights),
    },

    start(block, params, weights, dice, sink) {
      nodes.forEach((node, j) => {
        node.start(block, params, weights, dice.fork(j), sink)
      })
    },

    moments(params, mass, stats) {
      for (const node of nodes) node.moments(params, mass, stats)
    },

    descend(stats, mass, visit) {
      for (const node of nodes) node.descend(stats, mass, visit)
    },

    // not Object.assign, which would take a column "__proto__" for the prototype
    describe: (params, slot): Description =>
      Object.fromEntries(nodes.flatMap(node => Object.entries(node.describe(params, slot)))),

    adopt(description, slot, mass, stats) {
      for (const node of nodes) node.adopt(description, slot, mass, stats)
    },

    sample(block, params, slot, dice, chosen) {
      for (const node of nodes) node.sample(block, params, slot, dice, chosen)
    },
  }
}

/** Layout of a product, with a scratch buffer. */
interface Product {
  readonly nodes: readonly Node[]
  readonly slots: number
  readonly fused: ReturnType<NonNullable<Plan["fuse"]>> | undefined
  readonly rest: (length: number) => Float64Array
}

function up(
  { nodes, fused }: Product,
  block: Block,
  params: Float64Array,
  out: Float64Array,
  upToConstant: boolean | undefined,
  reuse: Work,
): Work {
  const works = (reuse as Work[] | undefined) ?? new Array<Work>(nodes.length)
  if (fused?.up) fused.up(block, params, out, works, upToConstant)
  else
    for (let j = 0; j < nodes.length; j++) works[j] = nodes[j].up(block, params, out, upToConstant, works[j])
  return works
}

function down(
  { nodes, fused }: Product,
  block: Block,
  params: Float64Array,
  weights: Weights,
  sink: Sink,
  work: Work,
): void {
  const works = work as readonly Work[] | undefined
  if (fused?.down) fused.down(block, params, weights, sink, works)
  else for (let j = 0; j < nodes.length; j++) nodes[j].down(block, params, weights, sink, works?.[j])
}

function open(
  { nodes, slots, rest }: Product,
  block: Block,
  params: Float64Array,
  column: string,
  out: Float64Array,
  upToConstant: boolean | undefined,
  reuse: Work,
): Work {
  const works = (reuse as Work[] | undefined) ?? new Array<Work>(nodes.length)
  const size = slots * block.rows
  const others = rest(size)
  nodes.forEach((node, j) => {
    if (node.tree.columns.has(column))
      works[j] = node.open(block, params, column, out, upToConstant, works[j])
    else works[j] = node.up(block, params, others, false, works[j])
  })
  broadcast(others, size, out)
  return works
}

/** The rival of the factor with the column: the other factors are the same for all its values. */
function rival(
  { nodes, slots, rest }: Product,
  block: Block,
  params: Float64Array,
  column: string,
  margin: number,
): Rival | undefined {
  const factor = nodes.find(node => node.tree.columns.has(column))
  const found = factor?.joint?.rival?.(block, params, column, margin)
  if (!found?.work) return found
  const others = rest(slots * block.rows)
  const work = nodes.map(node => (node === factor ? found.work : node.up(block, params, others)))
  return { ...found, work }
}

function best(
  { nodes }: Product,
  block: Block,
  params: Float64Array,
  heights: Float64Array,
): (slot: number, chosen: Chosen) => void {
  const readers = nodes.map(node => bestOf(node, block, params, heights))
  return (slot, chosen) => {
    for (const read of readers) read(slot, chosen)
  }
}

/** A product, in a file and in a description. */
export const independentKind: StructureKind = {
  name: "independent",
  tree: independentTree,

  revive(spec, revival, path) {
    const { parts } = fieldsAt(spec, path, { kind: textAt, parts: modelsAt(revival) })
    return within(path, () => independent(...parts))
  },

  names: (spec, kinds) =>
    (spec.parts as Description[]).flatMap(part => kindOf(part, kinds).names(part, kinds)),
  walk(spec, description, path, visitor, kinds) {
    for (const part of spec.parts as Description[])
      kindOf(part, kinds).walk(part, description, path, visitor, kinds)
  },
}
