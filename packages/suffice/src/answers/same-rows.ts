/**
 * Were two posteriors learned from the same rows? Statistics say what the rows were: summed over all slots they are those of the columns, whatever the model makes of them.
 */

import type { Column } from "../contract/columns.ts"
import type { Part } from "../contract/part.ts"
import type { Description } from "../contract/report.ts"
import { treeOf } from "../declare/tree.ts"
import { inOneSlot } from "../engine/believe.ts"
import { lay } from "../engine/lay.ts"
import { namesOf } from "../engine/parts.ts"
import { show } from "../errors.ts"
import type { Knowledge } from "./knowledge.ts"

/** Something that rows have, whatever the model, and how far it may be off by rounding. */
interface Trait {
  readonly value: number
  readonly off: number
}

const ROUNDING = 1e-6

/** The first thing in which the rows of two models differ, in words. `isExact`: nothing was hidden in either. */
export function difference(a: Knowledge, b: Knowledge, isExact: boolean): string | undefined {
  const others = traits(b, isExact)
  for (const [name, { value, off }] of traits(a, isExact)) {
    const other = others.get(name)
    if (other && Math.abs(value - other.value) > off + other.off)
      return `${name} is ${figure(value)} in the rows of one and ${figure(other.value)} in those of the other`
  }
  return undefined
}

function figure(value: number): string {
  return String(Number(value.toPrecision(6)))
}

/** Means and shares of the columns, by what they are called. */
function traits({ model, schema, stats, training }: Knowledge, isExact: boolean): Map<string, Trait> {
  const found = new Map<string, Trait>()
  // where labels or parents are missing, counts are partly guessed
  const isNetwork = treeOf(model.spec).nodes !== undefined
  if (!isExact && (isNetwork || training?.unlabelled !== undefined)) return found
  const { parts } = lay(model.declared ?? model, schema.columns)
  const times = new Map<string, number>()
  for (const { columns } of parts) for (const { name } of columns) times.set(name, (times.get(name) ?? 0) + 1)
  for (const part of parts) {
    const isGuessed = !isExact && (part.role !== "leaf" || part.leaf.latent?.when !== undefined)
    // a column that several bodies model is in parts of the rows there
    if (isGuessed || namesOf(part).some(name => times.get(name)! > 1)) continue
    for (const [name, trait] of ofPart(part, stats)) found.set(name, trait)
  }
  return found
}

function ofPart({ leaf, columns, ranges: { statsOf } }: Part, stats: Float64Array): [string, Trait][] {
  const params = new Float64Array(leaf.shape.parameters)
  const all = inOneSlot(leaf, statsOf(stats))
  const spread = new Float64Array(leaf.spread?.length ?? 0)
  leaf.spread?.estimate(all, spread)
  leaf.solve(all, 0, params, spread)
  return columns
    .flatMap(column => ofColumn(column, leaf.describe(params, 0)))
    .filter(([, { value, off }]) => Number.isFinite(value) && Number.isFinite(off))
}

function ofColumn(column: Column, described: Description): [string, Trait][] {
  const name = show(column.name)
  if (column.kind === "number") {
    const value = meanOf(column.name, described)
    return [[`the mean of ${name}`, { value, off: ROUNDING * (column.scale + ROUNDING * Math.abs(value)) }]]
  }
  if (column.kind === "count") {
    const value = described.rate as number
    return [[`the mean of ${name}`, { value, off: ROUNDING * (1 + value) }]]
  }
  if (column.kind === "level" && described.probability !== undefined)
    return [[`the share of ${show(column.levels[1])} in ${name}`, share(described.probability)]]
  const shares = (described.probabilities ?? described.words ?? {}) as Description
  return Object.entries(shares).map(([one, value]) => [`the share of ${show(one)} in ${name}`, share(value)])
}

/** That of the numbers a line goes through is the line's own at the mean of what it reads. */
function meanOf(name: string, { mean, intercept, coefficients, on }: Description): number {
  if (typeof mean === "number") return mean
  if (mean !== undefined) return (mean as Record<string, number>)[name]
  const at = (on as { readonly mean: Readonly<Record<string, number>> } | undefined)?.mean ?? {}
  return Object.entries(coefficients as Readonly<Record<string, number>>).reduce(
    (sum, [given, slope]) => sum + slope * at[given],
    intercept as number,
  )
}

function share(value: unknown): Trait {
  return { value: value as number, off: ROUNDING }
}
