/**
 * The posterior of a switch as a softmax that is linear in named features, in the units of the data:
 *
 *     ln p(l | row) − ln p(first | row) = bias[l] + Σ_f weights[l][f] · feature_f(row)          rows without missing cells
 *
 * Row 0 belongs to the first level and is all zeros, so with two levels weights[1] and bias[1] are those of a logistic regression.
 * Quadratic features whose weights cancel are left out: where levels share a covariance, the posterior is linear in x.
 */

import { blankRows } from "../blocks/encoded.ts"
import type { Block, Weights } from "../contract/block.ts"
import type { Level } from "../contract/cells.ts"
import type { Column, TextOptions } from "../contract/columns.ts"
import type { Feature } from "../contract/leaf.ts"
import type { Sink, SwitchNode } from "../contract/node.ts"
import type { Part } from "../contract/part.ts"
import { hasNetwork } from "../declare/arrows.ts"
import { namesOf } from "../engine/parts.ts"
import { list, refuseUnknown, SufficeError, show } from "../errors.ts"
import type { SolvedModel } from "./knowledge.ts"
import { rowTarget } from "./target.ts"

/** "x", "x²", "xy" of numbers and counts; "level": 1 if the cell is that level; "count": how often a word occurs; "word": 1 if it does. */
export type LinearFeature = Exclude<Feature, { kind: "1" }> & { readonly name: string }

export interface Linear {
  readonly target: string
  readonly levels: readonly Level[]
  readonly features: readonly LinearFeature[]
  /** levels × features, against the first level. */
  readonly weights: readonly (readonly number[])[]
  readonly bias: readonly number[]
  /** How the text of a column becomes words. */
  readonly text: Readonly<Record<string, TextOptions>>
}

export interface LinearOptions<Name extends string = string> {
  /** The label or mixture whose posterior is described, by name; by default the model's label. */
  readonly target?: Name
}

export function toLinear(solved: SolvedModel, options: LinearOptions = {}): Linear {
  refuseUnknown("toLinear", options, ["target"])
  const { known, params } = solved
  const { columns } = known.schema
  const node = switchOf(solved, options.target)
  const sums = new Sums(node.levels.length, columns)
  node.levels.forEach((_, l) => {
    sums.add({ kind: "1" }, l, node.part.ranges.paramsOf(params)[l])
    for (const { part, slot } of slotsOf(solved, node, l)) {
      for (const [feature, weight] of part.leaf.terms!.linear!(part.ranges.paramsOf(params), slot))
        sums.add(feature, l, weight)
    }
  })
  const { bias, features, byFeature } = sums.inDataUnits()
  byFeature.forEach((weights, f) => {
    checkFinite(weights, node, features[f].name)
  })
  checkFinite(bias, node, "bias")
  return {
    target: node.column,
    levels: node.levels,
    features,
    weights: node.levels.map((_, l) => byFeature.map(weights => weights[l])),
    bias,
    text: Object.fromEntries(
      columns.flatMap(column => (column.kind === "bag" ? [[column.name, column.text]] : [])),
    ),
  }
}

// ── what is linear ─────────────────────────────────────────────────────────────────────────────────

/** The switch to describe: the outermost, with nothing but leaves of linear families below. */
function switchOf({ known }: SolvedModel, target: string | undefined): SwitchNode {
  const { column } = rowTarget(known, target)
  const { switches } = known.laid
  const node = switches.find(other => other.column === column)
  if (!node) {
    throw refused(column, "it is a leaf of the model, not a label", "Ask for a label or a mixture")
  }
  const outer = switches.find(other => other !== node && [...other.tree.switches()].includes(node))
  if (outer) throw refused(column, `it stands below ${show(outer.column)}, which would be summed out`)
  for (const part of node.tree.parts()) {
    if (part.steps.length > 0)
      throw refused(column, `${list(namesOf(part))} stands in steps, of which a row has as many as it likes`)
    if (!part.leaf.terms?.linear) throw notLinear(column, part)
  }
  if (hasNetwork(known.model.spec))
    throw refused(column, "in a network, what a cell says depends on those it is given")
  const inner = [...node.tree.switches()].find(other => other !== node)
  if (inner) throw refused(column, `${show(inner.column)} below it would be summed out`)
  return node
}

function notLinear(column: string, { family, columns }: Part): SufficeError {
  const [bag] = columns
  const over = `${family} over ${columns.map(({ name }) => show(name)).join(", ")}`
  const scaling = bag.kind === "bag" ? bag.text.scaling : undefined
  if (!scaling || scaling === "raw") return refused(column, `${over} has no such form`)
  return refused(
    column,
    `${over} scales counts (${show(scaling)}), so that what a word weighs depends on more than how often it occurs`,
    'Use multinomial({ scaling: "raw" }), or posterior() and explain()',
  )
}

function refused(column: string, why: string, instead = "Use posterior() and explain()"): SufficeError {
  return new SufficeError(
    "model",
    `toLinear: the posterior of ${show(column)} is not linear in features of the row: ${why}. A softmax needs one sum per level. ${instead}.`,
    { column },
  )
}

/** The leaves of one level, each with its slot: those that a row with this level reaches in the downward pass. */
function slotsOf(
  { known, params }: SolvedModel,
  node: SwitchNode,
  level: number,
): { readonly part: Part; readonly slot: number }[] {
  const found: { part: Part; slot: number }[] = []
  const sink: Sink = {
    choice: () => undefined,
    leaf(part, _block, weights) {
      const slot = slotIn(weights, part.leaf.shape.slots)
      if (slot >= 0) found.push({ part, slot })
    },
  }
  const block: Block = blankRows(known.schema.columns, 1)
  // the other values get weight 0, whether the switch is a label or hidden
  const pinned = params.slice()
  node.part.ranges.paramsOf(pinned).fill(-Infinity)[level] = 0
  const work = node.up(block, pinned, new Float64Array(1))
  node.down(block, pinned, { form: "each", values: Float64Array.of(1) }, sink, work)
  return found
}

function slotIn(weights: Weights, slots: number): number {
  if (weights.form === "one") return weights.weight[0] > 0 ? weights.slot[0] : -1
  for (let p = 0; p < slots; p++) if (weights.values[p] > 0) return p
  return -1
}

function checkFinite(weights: readonly number[], { column }: SwitchNode, name: string): void {
  if (weights.every(Number.isFinite)) return
  throw new SufficeError(
    "parameters",
    `toLinear: the weights of ${show(name)} are not finite. Something has probability 0 under a level of ${show(column)}, and no softmax says so. Fit the model with a prior.`,
    { column, feature: name },
  )
}

// ── weights, against the first level ───────────────────────────────────────────────────────────────

const ORDER: readonly Feature["kind"][] = ["1", "x", "x²", "xy", "level", "count", "word"]

interface Entry {
  readonly feature: Feature
  readonly weights: Float64Array
}

/** Weights by feature and level. */
class Sums {
  readonly #entries = new Map<string, Entry>()
  readonly #levels: number
  readonly #columns: ReadonlyMap<string, Column>

  constructor(levels: number, columns: readonly Column[]) {
    this.#levels = levels
    this.#columns = new Map(columns.map(column => [column.name, column]))
  }

  add(feature: Feature, level: number, weight: number): void {
    this.#entry(feature).weights[level] += weight
  }

  #entry(feature: Feature): Entry {
    const key = JSON.stringify(feature)
    const found = this.#entries.get(key)
    if (found) return found
    const entry = { feature, weights: new Float64Array(this.#levels) }
    this.#entries.set(key, entry)
    return entry
  }

  /** Differences first, then units: shared terms cancel exactly, and shifts far from 0 cost fewer digits. */
  inDataUnits(): { bias: number[]; features: LinearFeature[]; byFeature: number[][] } {
    const data = new Sums(this.#levels, [...this.#columns.values()])
    for (const { feature, weights } of this.#entries.values()) {
      const first = weights[0]
      for (let l = 0; l < this.#levels; l++) data.#convert(feature, l, weights[l] - first)
    }
    const bias = [...data.#entry({ kind: "1" }).weights]
    const kept = [...data.#entries.values()].filter(
      ({ feature: { kind }, weights }) =>
        kind !== "1" && ((kind !== "x²" && kind !== "xy") || weights.some(weight => weight !== 0)),
    )
    kept.sort((a, b) => ORDER.indexOf(a.feature.kind) - ORDER.indexOf(b.feature.kind))
    return {
      bias,
      features: kept.map(({ feature }) => ({ ...feature, name: nameOf(feature) }) as LinearFeature),
      byFeature: kept.map(({ weights }) => [...weights]),
    }
  }

  /** weight · feature(held) as a sum of features of the data: encoded x = (x − shift)/scale. */
  #convert(feature: Feature, level: number, weight: number): void {
    if (feature.kind === "x") {
      const { shift, scale } = this.#unit(feature.column)
      this.add(feature, level, weight / scale)
      this.add({ kind: "1" }, level, -weight * (shift / scale))
    } else if (feature.kind === "x²" || feature.kind === "xy") {
      const { column } = feature
      const other = feature.kind === "xy" ? feature.other : column
      const [a, b] = [this.#unit(column), this.#unit(other)]
      this.add(feature, level, weight / a.scale / b.scale)
      this.add({ kind: "x", column }, level, -(weight / a.scale) * (b.shift / b.scale))
      this.add({ kind: "x", column: other }, level, -(weight / b.scale) * (a.shift / a.scale))
      this.add({ kind: "1" }, level, weight * (a.shift / a.scale) * (b.shift / b.scale))
    } else this.add(feature, level, weight)
  }

  /** Counts are not scaled. */
  #unit(name: string): { shift: number; scale: number } {
    const column = this.#columns.get(name)!
    return column.kind === "number" ? column : { shift: 0, scale: 1 }
  }
}

function nameOf(feature: Feature): string {
  switch (feature.kind) {
    case "1":
      return "1"
    case "x":
      return feature.column
    case "x²":
      return `${feature.column}²`
    case "xy":
      return `${feature.column} · ${feature.other}`
    case "level":
      return `${feature.column} = ${feature.level}`
    case "count":
      return `${feature.column}: ${feature.word}`
    case "word":
      return `${feature.column} has ${feature.word}`
    default:
      return feature satisfies never
  }
}
