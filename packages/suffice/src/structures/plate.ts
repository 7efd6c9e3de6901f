/**
 * `plate(column, body)`: a cell is a list of steps, and given the context each of them is a draw of the body, independent of the others.
 *
 *     ln p(row | context p) = Σ_steps ln p(step | context p)          every step gets the weights of its row
 *
 * The number of steps is given, not modelled, as that of the words of a bag. What is counted is how many there are in each context: that is the mass of what stands below.
 */
import { rowsOf } from "../blocks/encoded.ts"
import { carrier } from "../blocks/lags.ts"
import type { Block, Nested, Weights } from "../contract/block.ts"
import type { Use } from "../contract/columns.ts"
import type { Dice } from "../contract/dice.ts"
import type { Work } from "../contract/leaf.ts"
import type { Model, Plan } from "../contract/model.ts"
import type { Chosen, GuessingSink, Node, Sink } from "../contract/node.ts"
import type { Part } from "../contract/part.ts"
import type { Description } from "../contract/report.ts"
import { manyInRow, SufficeError, show } from "../errors.ts"
import { LEVELS, levelLeaf } from "../families/level-leaf.ts"
import { firstSlot, isOnes, ones } from "../kernels/all-ones.ts"
import { grow, growCodes } from "../kernels/workspace.ts"
import { fieldsAt, textAt } from "../shape.ts"
import { checkBodies, checkNames } from "./bodies.ts"
import type { InSteps } from "./columns.ts"
import { at, modelAt, partOf, type StructureKind, walkBody, within } from "./kind.ts"
import { checkLags } from "./lags.ts"
import { layPart } from "./part.ts"
import { plateTree } from "./plate-tree.ts"

/** Steps of a row, each a draw of the body given what the row belongs to; the column holds them as a list of rows. */
export function plate<const Name extends string, Body extends Model>(
  column: Name,
  body: Body,
): Model<InSteps<Name, Body>, never> {
  return overSteps(column, body)
}

function overSteps(column: string, body: Model): Model<never, never> {
  if (typeof column !== "string") {
    throw new SufficeError(
      "model",
      `plate: the column is ${show(column)}. It is the name of the column that holds the steps. Write for example plate("steps", body).`,
    )
  }
  const where = `plate(${show(column)})`
  checkBodies(where, [body])
  // what the steps are measured by: a single density makes their product one
  const measure = body.uses.some(use => use.measure === "density") ? "density" : "mass"
  const need = { kind: "steps", uses: body.uses } as const
  const steps: Use = { column, need, measure, group: column, role: "cell" }
  checkNames(where, [steps])
  checkLags(where, body.uses)
  return {
    kind: "plate",
    uses: [steps],
    target: undefined,
    spec: { kind: "plate", column, body: body.spec },
    lay: (plan, slots) => layPlate(plan, slots, column, body),
  }
}

/** What `up` leaves for `down`: what the body left, and its scores, which are used again. */
class PlateWork {
  readonly scores = grow()
  body: Work
}

/** Layout of a plate, with scratch buffers. */
interface Plate {
  readonly slots: number
  readonly name: string
  /** Index of the steps among the cells of a block. */
  readonly place: number
  /** Counts of the steps of each context. */
  readonly part: Part
  readonly body: Node
  readonly carry: (steps: Block, t: number) => void
  readonly spread: (length: number) => Float64Array
  readonly slotScratch: (length: number) => Int32Array
}

function layPlate(plan: Plan, slots: number, name: string, model: Model): Node {
  const { place, column } = plan.column(name)
  const carry = carrier(column.kind === "steps" ? column.columns : [])
  const step = { kind: "level", name, levels: ["step"] } as const
  // a choice that has one value: its counts are the steps of each context, and nothing is left to learn
  const plain = levelLeaf(step, -1, slots, 0)
  const leaf = { ...plain, shape: { ...plain.shape, lengthGiven: true as const } }
  const part = layPart(plan, leaf, { family: LEVELS, columns: [step], places: [-1], role: "choice" })
  const body = model.lay(plan.within(name), slots)
  const layout: Plate = { slots, name, place, part, body, carry, spread: grow(), slotScratch: growCodes() }
  return {
    slots,
    tree: {
      columns: new Set([name, ...body.tree.columns]),
      parts: () => [part, ...body.tree.parts()],
      switches: () => body.tree.switches(),
      contexts: names => [[part, names], ...body.tree.contexts(names)],
    },
    up: (block, params, out, upToConstant, reuse) => up(layout, block, params, out, upToConstant, reuse),
    down: (block, params, weights, sink, work) => down(layout, block, params, weights, sink, work),
    start: (block, params, weights, dice, sink) => start(layout, block, params, weights, dice, sink),

    open(_block, _params, asked) {
      throw manyInRow(asked, name)
    },

    // a row's worth is one step: how many there are, nothing here knows
    moments(params, mass, stats) {
      part.leaf.moments(part.ranges.paramsOf(params), mass, part.ranges.statsOf(stats))
      body.moments(params, mass, stats)
    },

    descend(stats, mass, visit) {
      visit(part, mass)
      body.descend(stats, part.ranges.statsOf(stats).slice(), visit)
    },
    describe: (params, slot) => ({ [name]: body.describe(params, slot) }),

    adopt(description, slot, mass, stats) {
      part.ranges.statsOf(stats)[slot] += mass
      body.adopt(description?.[name] as Description, slot, mass, stats)
    },
    sample: (block, params, slot, dice, chosen) => sample(layout, block, params, slot, dice, chosen),
  }
}

function stepsOf({ place }: Plate, block: Block): Nested {
  return block.cells[place] as Nested
}

function up(
  layout: Plate,
  block: Block,
  params: Float64Array,
  out: Float64Array,
  upToConstant: boolean | undefined,
  reuse: Work,
): Work {
  const { slots, body } = layout
  const work = (reuse as PlateWork | undefined) ?? new PlateWork()
  const { rows } = block
  const { offsets, block: steps } = stepsOf(layout, block)
  const scores = work.scores(slots * steps.rows)
  work.body = body.up(steps, params, scores, upToConstant, work.body)
  for (let p = 0; p < slots; p++) {
    const at = p * steps.rows
    for (let i = 0; i < rows; i++)
      for (let t = offsets[i]; t < offsets[i + 1]; t++) out[p * rows + i] += scores[at + t]
  }
  return work
}

function down(
  layout: Plate,
  block: Block,
  params: Float64Array,
  weights: Weights,
  sink: Sink,
  work: Work,
): void {
  const [steps, below] = deliver(layout, block, weights, sink)
  layout.body.down(steps, params, below, sink, (work as PlateWork | undefined)?.body)
}

function start(
  layout: Plate,
  block: Block,
  params: Float64Array,
  weights: Weights,
  dice: Dice,
  sink: GuessingSink,
): void {
  const [steps, below] = deliver(layout, block, weights, sink)
  layout.body.start(steps, params, below, dice, sink)
}

/** The steps and their weights, which are counted. */
function deliver(
  layout: Plate,
  block: Block,
  weights: Weights,
  sink: Sink,
): [steps: Block, weights: Weights] {
  const nested = stepsOf(layout, block)
  const below = weightsBelow(layout, block, nested, weights)
  sink.choice(layout.part, nested.block, below, false)
  return [nested.block, below]
}

/** Every step has the weights of its row. */
function weightsBelow(
  { slots, spread, slotScratch }: Plate,
  { rows }: Block,
  { offsets, block: { rows: steps } }: Nested,
  weights: Weights,
): Weights {
  if (weights.form === "one") {
    const slot = slots === 1 ? firstSlot(steps) : slotScratch(steps)
    const same = isOnes(weights.weight)
    const weight = same ? ones(steps) : spread(steps)
    for (let i = 0; i < rows; i++) {
      if (slots > 1) slot.fill(weights.slot[i], offsets[i], offsets[i + 1])
      if (!same) weight.fill(weights.weight[i], offsets[i], offsets[i + 1])
    }
    return { form: "one", slot, weight }
  }
  const values = spread(slots * steps)
  for (let p = 0; p < slots; p++) {
    const own = values.subarray(p * steps, (p + 1) * steps)
    for (let i = 0; i < rows; i++) own.fill(weights.values[p * rows + i], offsets[i], offsets[i + 1])
  }
  return { form: "each", values }
}

/** One step at a time: a draw replaces the missing cell of its step. */
function sample(
  layout: Plate,
  block: Block,
  params: Float64Array,
  slot: number,
  dice: Dice,
  chosen: Chosen | undefined,
): void {
  const { block: steps } = stepsOf(layout, block)
  for (let t = 0; t < steps.rows; t++) {
    layout.carry(steps, t)
    layout.body.sample(rowsOf(steps, t, t + 1), params, slot, dice, chosen)
  }
}

/** Steps, in a file and in a description. */
export const plateKind: StructureKind = {
  name: "plate",
  tree: plateTree,

  revive(spec, revival, path) {
    const { column, body } = fieldsAt(spec, path, { kind: textAt, column: textAt, body: modelAt(revival) })
    return within(path, () => plate(column, body))
  },

  names: spec => [spec.column as string],
  walk(spec, description, path, visitor, kinds) {
    const column = spec.column as string
    walkBody(spec.body as typeof spec, partOf(description, column, path), at(path, column), visitor, kinds)
  },
}
