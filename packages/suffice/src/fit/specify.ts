/**
 * `specify`: a fitted model from parameters written by hand, in the form that `describe()` prints.
 *
 *     stats = 1 · E[s | described θ]      prior 0      so that θ(stats) is the described θ
 *
 * There is no data to learn the columns from, so they come from the description. Levels: those the model declares, else
 * those of `options.levels`, else the names found in the description, as text (a key cannot tell 1 from "1"); for
 * bernoulli false and true. Long because every kind of column is found in its own way. Words: the names found. Numbers are encoded in units of the described means and spreads.
 */
import type { Level } from "../contract/cells.ts"
import type { Column, Use } from "../contract/columns.ts"
import type { Model } from "../contract/model.ts"
import type { Description, Json } from "../contract/report.ts"
import { binNames } from "../data/bins-explorer.ts"
import { sortLevels } from "../data/cells.ts"
import { readingsOf } from "../data/readings.ts"
import { scaleOf } from "../data/scale.ts"
import { describedColumn, isPart } from "../data/supported.ts"
import { allUses } from "../data/uses.ts"
import { lay } from "../engine/lay.ts"
import { didYouMean, list, nearest, refuseUnknown, SufficeError, show } from "../errors.ts"
import { exp } from "../kernels/exp.ts"
import { prepareKernels } from "../kernels/fast/use.ts"
import { isLevel, isRecord } from "../shape.ts"
import { walkDescription } from "../structures/large.ts"
import { bucketNames } from "../text/hash.ts"
import { Fitted } from "./fitted.ts"

export interface SpecifyOptions {
  /** Levels by column, where the model declares none and they are not text: { smoker: [0, 1] }. */
  readonly levels?: Readonly<Record<string, readonly Level[]>>
}

export function specify<Cells, Target extends string>(
  model: Model<Cells, Target>,
  parameters: Description,
  options: SpecifyOptions = {},
): Fitted<Cells, Target> {
  const uses = model.uses.filter(use => use.role !== "hidden")
  const levels = givenLevels(options, allUses(uses))
  const found = new Map(allUses(uses).map(use => [use.column, new Findings()]))
  if (!isRecord(parameters)) {
    throw new SufficeError(
      "parameters",
      `specify: the parameters are ${show(parameters)}. They must be an object. Write them as describe() prints them.`,
    )
  }
  const written = new Map<string, DescribedLeaf>()
  walkDescription(model, parameters, {
    leaf: (columns, description, path) => {
      written.set(path, { columns, description })
      for (const column of columns) found.get(column)!.add(column, description)
      // the means of the columns it reads
      const { on } = description
      for (const column of isRecord(on) && isRecord(on.mean) ? Object.keys(on.mean) : [])
        found.get(column)?.add(column, on as Description)
    },
    label: (column, names) => found.get(column)!.addNames(names),
    levels: column => levels.get(column),
  })
  const columns = uses.map(use => columnOf(use, uses, found, levels))
  prepareKernels()
  const laid = lay(model, columns)
  const stats = new Float64Array(laid.statistics)
  laid.root.adopt(parameters, 0, 1, stats)
  const fitted = new Fitted<Cells, Target>({
    model,
    laid,
    schema: {
      columns,
      labels: uses.filter(use => use.role === "label").map(use => use.column),
      readings: readingsOf(uses),
    },
    stats,
    prior: 0,
    training: undefined,
    diagnostics: [],
  })
  const kept = new Map<string, DescribedLeaf>()
  walkDescription(model, fitted.describe(), {
    leaf: (columns, description, path) => void kept.set(path, { columns, description }),
    label: () => undefined,
    levels: column => levels.get(column),
  })
  checkKept(written, kept, found)
  return fitted
}

/** The relative error of a spread that rounding may cause. */
const LOST = 1e-3

/** Statistics hold a column in one unit: if means lie far apart, a small spread is lost in rounding. Refused, rather than changed. */
function checkKept(
  written: ReadonlyMap<string, DescribedLeaf>,
  kept: ReadonlyMap<string, DescribedLeaf>,
  found: ReadonlyMap<string, Findings>,
): void {
  for (const [path, { columns, description }] of written) {
    for (const column of columns) {
      const { reach } = found.get(column)!
      const before = placeOf(description, column)
      const after = placeOf(kept.get(path)!.description, column)
      const { spread } = before
      // close enough that the spread survives
      if (spread === undefined || !(reach * LOST > spread)) continue
      const isLost = (a = 0, b = 0): boolean => !(Math.abs(a - b) <= LOST * spread + 1e-12 * Math.abs(a))
      const what = isLost(spread, after.spread) ? "spread" : "mean"
      if (!isLost(before[what], after[what])) continue
      throw new SufficeError(
        "parameters",
        `specify: the ${what} of ${path} is ${before[what]}, and would become ${after[what]}. The means of ${show(column)} lie ${reach} apart, and a column is held in one unit: next to that, a spread of ${spread} is lost in rounding. Bring the means within a million spreads of each other, or give larger spreads.`,
        { path, column, [what]: before[what], kept: after[what] },
      )
    }
  }
}

interface DescribedLeaf {
  readonly columns: readonly string[]
  readonly description: Description
}

/** The described mean and spread of a column. */
function placeOf(
  description: Description,
  column: string,
): { readonly mean: number | undefined; readonly spread: number | undefined } {
  const sd = ofColumn(description.sd, column)
  const variance = ofColumn(description.variance, column) ?? ofMatrix(description.covariance, column)
  const spread = sd ?? (variance === undefined ? undefined : Math.sqrt(variance))
  return { mean: ofColumn(description.mean, column), spread: spread === 0 ? undefined : spread }
}

/** What the description says of one column, over all contexts. */
class Findings {
  readonly means: number[] = []
  readonly spreads: number[] = []
  readonly names = new Set<string>()

  /** Adds a family's parameters: its mean, its spread, its names of levels or words, as far as it has them. */
  add(column: string, description: Description): void {
    const mean = ofColumn(described(description), column)
    const { spread } = placeOf(description, column)
    if (mean !== undefined) this.means.push(mean)
    if (spread !== undefined) this.spreads.push(spread)
    for (const names of [description.probabilities, description.words]) {
      if (isRecord(names)) this.addNames(Object.keys(names))
    }
    for (const topics of [description.topics, description.shared]) {
      if (Array.isArray(topics)) for (const topic of topics) this.add(column, topic as Description)
    }
  }

  addNames(names: readonly string[]): void {
    for (const name of names) this.names.add(name)
  }

  get mean(): number {
    return this.means.reduce((sum, mean) => sum + mean / this.means.length, 0)
  }

  /** How far the means lie apart. */
  get reach(): number {
    const means = this.means.length > 0 ? this.means : [0]
    return means.reduce((a, b) => Math.max(a, b)) - means.reduce((a, b) => Math.min(a, b))
  }

  /** √( mean of the variances + variance of the means ), free of overflow; 0 where nothing spreads. */
  get spread(): number {
    const centre = this.mean
    const gaps = this.means.map(mean => Math.abs(mean - centre))
    const largest = maximum([...gaps, ...this.spreads])
    if (!(largest > 0 && Number.isFinite(largest))) return 0
    const squares = (values: readonly number[]): number =>
      values.reduce((sum, value) => sum + (value / largest) * (value / largest), 0) /
      Math.max(values.length, 1)
    return largest * Math.sqrt(squares(gaps) + squares(this.spreads))
  }
}

/** The mean of a column, under whatever name it is described. */
function described(description: Description): Json | undefined {
  const { mean, rate, logMean } = description
  return mean ?? rate ?? (typeof logMean === "number" ? exp(logMean) : regressed(description))
}

/** The mean of a column that is modelled given others, with those at their means. */
function regressed({ intercept, coefficients, on }: Description): Json | undefined {
  if (!isRecord(coefficients) || !isRecord(on)) return intercept
  return Object.entries(coefficients).reduce(
    (sum, [column, slope]) => sum + (slope as number) * (ofColumn(on.mean as Json, column) ?? 0),
    intercept as number,
  )
}

/** A number for the whole leaf, or one by column. */
function ofColumn(value: Json | undefined, column: string): number | undefined {
  const own = isRecord(value) && Object.hasOwn(value, column) ? value[column] : value
  return typeof own === "number" && Number.isFinite(own) ? own : undefined
}

/** The diagonal entry of a matrix by column. */
function ofMatrix(value: Json | undefined, column: string): number | undefined {
  if (!isRecord(value) || !Object.hasOwn(value, column)) return undefined
  return ofColumn(value[column] as Json, column)
}

/** The levels between cuts; quantiles are those of data, and there is none. */
function binned(name: string, bins: number | readonly number[]): Column {
  if (typeof bins !== "number") return { kind: "level", name, levels: binNames(bins), cuts: bins }
  throw new SufficeError(
    "model",
    `specify: column ${show(name)} has bins(${bins}), which are cut at quantiles of data. There is no data here. Name the cuts: bins([18, 65]).`,
    { column: name },
  )
}

function columnOf(
  use: Use,
  uses: readonly Use[],
  found: ReadonlyMap<string, Findings>,
  given: ReadonlyMap<string, readonly Level[]>,
): Column {
  const { column: name, need, group } = use
  const findings = found.get(name)!
  const levels = given.get(name)
  switch (need.kind) {
    case "number": {
      if (isPart(need.support)) return describedColumn(name, need.support, findings.mean)
      const together = need.scale === "own" ? [name] : uses.filter(u => u.group === group).map(u => u.column)
      const scale = scaleOf(maximum(together.map(other => found.get(other)!.spread)))
      return { kind: "number", name, shift: findings.mean, scale, variance: pooledVariance(findings, scale) }
    }
    case "count":
      return { kind: "count", name, mean: findings.means.length > 0 ? Math.max(findings.mean, 0) : 1 }
    case "level":
      if (need.bins !== undefined) return binned(name, need.bins)
      if (need.levels) return { kind: "level", name, levels: need.levels }
      if (levels) return { kind: "level", name, levels }
      if (need.binary) return { kind: "level", name, levels: [false, true] }
      return { kind: "level", name, levels: namesOf(findings, name, "probabilities") }
    case "bag":
      return {
        kind: "bag",
        name,
        words: need.text.hash ? bucketNames(need.text.hash) : namesOf(findings, name, "words"),
        text: need.text,
      }
    case "steps": {
      const inner = need.uses.filter(({ role }) => role !== "hidden")
      return { kind: "steps", name, columns: inner.map(step => columnOf(step, inner, found, given)) }
    }
    default:
      return need satisfies never
  }
}

/** Families clamp variances at a small fraction of the pooled one, which must not affect the smallest described. */
function pooledVariance({ spreads }: Findings, scale: number): number {
  const smallest = spreads.reduce((least, spread) => Math.min(least, spread), scale) / scale
  return Math.max(Math.min(1, 1e6 * smallest * smallest), 1e-290)
}

function maximum(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0)
}

function namesOf({ names }: Findings, column: string, parameter: string): string[] {
  if (names.size > 0) return sortLevels(names) as string[]
  throw new SufficeError(
    "parameters",
    `specify: the description names no ${parameter === "words" ? "words" : "levels"} of column ${show(column)}. Without data they can come from nowhere else. Give its ${parameter} as describe() prints them.`,
    { column, parameter },
  )
}

function givenLevels(options: SpecifyOptions, uses: readonly Use[]): ReadonlyMap<string, readonly Level[]> {
  refuseUnknown("specify", options, ["levels"])
  const open = uses.filter(({ need }) => need.kind === "level" && !need.levels)
  const given = new Map(Object.entries(options.levels ?? {}))
  for (const [column, levels] of given) {
    const use = open.find(other => other.column === column)
    if (!use) {
      const names = open.map(other => other.column)
      throw new SufficeError(
        "option",
        `specify: levels names ${show(column)}, which is no column whose levels are open. Those are ${list(names) || "none"}. ${didYouMean(nearest(column, names), "Leave it out.")}`,
        { option: "levels", column },
      )
    }
    if (!isLevels(levels, use)) {
      throw new SufficeError(
        "option",
        `specify: the levels of ${show(column)} are ${show(levels)}. They must be a list of text, booleans or finite numbers, each once${use.need.kind === "level" && use.need.binary ? ": for bernoulli [false, true] or [0, 1]" : ""}. Correct them, or leave them out.`,
        { option: "levels", column },
      )
    }
  }
  return given
}

function isLevels(levels: unknown, { need }: Use): levels is readonly Level[] {
  if (!Array.isArray(levels) || levels.length === 0 || new Set(levels.map(String)).size !== levels.length)
    return false
  if (need.kind === "level" && need.binary) return ["[false,true]", "[0,1]"].includes(JSON.stringify(levels))
  return levels.every(isLevel)
}
