/**
 * Models by name, made for columns whose families are known. A model is declared by its columns and its label; what is worth trying is said by
 * `candidates`.
 */
import type { Cell } from "../contract/cells.ts"
import type { Given } from "../contract/family.ts"
import type { Model } from "../contract/model.ts"
import type { Description } from "../contract/report.ts"
import { guideOf } from "../declare/guide.ts"
import { leaves } from "../declare/tree.ts"
import { list, SufficeError, show, wrongOption } from "../errors.ts"
import { categorical } from "../families/categorical.ts"
import { gaussian, gaussianKind } from "../families/gaussian.ts"
import { logNormal } from "../families/log-normal.ts"
import { LEVEL_FAMILIES } from "../families/names.ts"
import { declare } from "../fit/declare.ts"
import { treeAugmented } from "../structure/tree-augmented.ts"
import { classes, mixture } from "../structures/classes.ts"
import { independent } from "../structures/independent.ts"
import { linear } from "../structures/linear.ts"
import { normal } from "../structures/normal.ts"

/** A model whose columns are known only at run time: any name, any cell. */
export type LooseModel = Model<Record<string, Cell>, string>

/** What a candidate is made of: `modelNamed` makes it again. */
export interface Preset {
  readonly model: PresetName
  /** Of mixtures. */
  readonly components?: number
  /** Of numbers: the columns of levels to switch on. */
  readonly by?: readonly string[]
}

/** A covariance of more columns costs more than it can be worth here. */
export const MOST_TIED = 200
export const MOST_FULL = 64
/** A tree is found among all pairs. */
export const MOST_TREE = 100
export const LEVEL_MODELS = [
  "base-rate",
  "naive-bayes",
  "naive-bayes-normal",
  "diagonal",
  "lda",
  "qda",
  "tan",
  "mixture-per-class",
  "mixture-lda",
] as const
export type LevelModel = (typeof LEVEL_MODELS)[number]

/**
 * A model of a label with levels, by name. `leaves`: what the columns are.
 *
 *     base-rate             the label alone
 *     naive-bayes           each column by itself, given the label
 *     naive-bayes-normal    the same, counts as normals
 *     diagonal              the same, with one variance per column for all levels
 *     lda, qda              numbers together, with one covariance for all levels, or one for each
 *     tan                   diagonal, and a column of levels may depend on another one, too: which, `fit` finds in the rows (tree-augmented naive Bayes)
 *     mixture-per-class     each level a mixture of such columns
 *     mixture-lda           each level a mixture of numbers together, with one covariance for all
 */
export function levelModel(
  name: LevelModel,
  label: string,
  leaves: readonly LeafSpec[],
  components = 3,
): LooseModel {
  if (name === "tan") return treeAugmented(label, leaves, leaf => declared({ ...leaf, spec: tiedLeaf(leaf) }))
  if (name === "base-rate") return independent({ [label]: categorical() }) as unknown as LooseModel
  const body = (): LooseModel => {
    switch (name) {
      case "naive-bayes":
        return columnsAs(leaves, leaf => leaf.spec)
      case "naive-bayes-normal":
      case "mixture-per-class":
        return columnsAs(leaves, normalLeaf)
      case "diagonal":
        return columnsAs(leaves, tiedLeaf)
      case "lda":
      case "mixture-lda":
        return together(leaves, numbersOf(leaves), "tied")
      case "qda":
        return together(leaves, numbersOf(leaves), "full")
      default:
        return name satisfies never
    }
  }
  const isMixture: boolean = name === "mixture-per-class" || name === "mixture-lda"
  return classes(
    label,
    isMixture ? (mixture(components, body()) as LooseModel) : body(),
  ) as unknown as LooseModel
}

export const NUMBER_MODELS = [
  "base-rate-normal",
  "linear",
  "normal",
  "mixture-normal",
  "log-normal",
  "mixture-log-normal",
] as const
export type NumberModel = (typeof NUMBER_MODELS)[number]

/**
 * A model of a label that is a number, by name.
 *
 *     linear                the label given the other numbers; with `by` a line for every level of these columns
 *     normal                the label and the other numbers together, so that any of them may be missing; with `by` a mean for every level, and one covariance
 *     mixture-normal        a mixture of such normals, with the columns of levels beside them
 *     log-normal            the logarithm of a positive label is normal; with `by` for every level of these columns
 *     mixture-log-normal    a mixture of such labels, each with a normal over the other numbers and the columns of levels beside it
 */
export function numberModel(
  name: NumberModel,
  label: string,
  leaves: readonly LeafSpec[],
  {
    by = [],
    components = 3,
  }: { readonly by?: readonly string[]; readonly components?: number | undefined } = {},
): LooseModel {
  const numbers = numbersOf(leaves).slice(0, MOST_FULL)
  const all = [...numbers, label]
  /** The columns that are no numbers beside it. */
  const beside = (body: LooseModel): LooseModel => {
    const others = leaves.filter(leaf => !numbers.includes(leaf.columns[0]) && !isText(leaf))
    return others.length === 0 ? body : (independent(body, ...others.map(declared)) as LooseModel)
  }
  switch (name) {
    case "base-rate-normal":
      return independent({ [label]: gaussian() }) as unknown as LooseModel
    case "linear":
      return switched(by, linear(label, numbers) as unknown as LooseModel)
    case "normal":
      return switched(
        by,
        normal(all, { covariance: by.length > 0 ? "tied" : "full" }) as unknown as LooseModel,
      )
    case "mixture-normal":
      return mixture(components, beside(normal(all) as unknown as LooseModel)) as unknown as LooseModel
    case "log-normal":
      return switched(by, independent({ [label]: logNormal() }) as unknown as LooseModel)
    case "mixture-log-normal": {
      const own = independent({ [label]: logNormal() }) as unknown as LooseModel
      const body = numbers.length === 0 ? own : independent(own, normal(numbers) as unknown as LooseModel)
      return mixture(components, beside(body as LooseModel)) as unknown as LooseModel
    }
    default:
      return name satisfies never
  }
}

/** The body below a class for every combination of levels. */
function switched(by: readonly string[], body: LooseModel): LooseModel {
  return by.reduceRight<LooseModel>((below, column) => classes(column, below) as unknown as LooseModel, body)
}

/** The models that `modelNamed` makes: of a label with levels, of a number. */
export type PresetName = LevelModel | NumberModel

/** A preset for columns whose families are known: a model of independent columns, without the label. */
export function modelNamed(preset: Preset, label: string, body: LooseModel, given: Given = {}): LooseModel {
  const leaves = leavesOf(checkedBody("modelNamed", body).spec, given)
  const { model, components, by } = checkedPreset("modelNamed", preset)
  if (typeof label !== "string") {
    throw wrongOption("modelNamed", "label", label, "It names the column to be predicted.")
  }
  return isLevelModel(model)
    ? levelModel(model, label, leaves, components)
    : numberModel(model, label, leaves, { by, components })
}

/** A model by a name that there is, with what it is made of. */
export function checkedPreset(where: string, preset: Preset): Preset {
  const { model, components, by } = preset ?? {}
  const names = [...LEVEL_MODELS, ...NUMBER_MODELS]
  if (!names.includes(model as PresetName)) {
    throw wrongOption(where, "model", model, `It must be one of ${list(names, names.length)}.`)
  }
  const counts = components === undefined || (Number.isSafeInteger(components) && components >= 1)
  if (!counts) {
    throw wrongOption(where, "components", components, "It is a whole number ≥ 1. Leave it out for 3.")
  }
  if (by !== undefined && !(Array.isArray(by) && by.every(name => typeof name === "string"))) {
    throw wrongOption(where, "by", by, "It is a list of columns with levels. Leave it out for none.")
  }
  return preset
}

/** A declared model of columns that are independent. */
export function checkedBody(where: string, body: LooseModel): LooseModel {
  const { spec, lay } = body ?? {}
  if (typeof spec === "object" && spec !== null && typeof lay === "function") return body
  throw new SufficeError(
    "model",
    `${where}: the columns are ${show(body)}. They come as a model of independent columns, without the label. Pass what auto(rows, { except: [label] }) returned.`,
  )
}

function isLevelModel(name: PresetName): name is LevelModel {
  return LEVEL_MODELS.includes(name as LevelModel)
}

// ── columns ────────────────────────────────────────────────────────────────────────────────────────

/** One column of a declared model, as its declaration names it. */
export interface LeafSpec {
  readonly columns: readonly string[]
  readonly family: string
  readonly spec: object
  readonly given: Given
}

/** The leaves of a declaration, in order. */
export function leavesOf(spec: unknown, given: Given): LeafSpec[] {
  return leaves(spec as Description).flatMap(({ isMade, ...leaf }) => (isMade ? [] : [{ ...leaf, given }]))
}

/** A number, or a count that a normal may describe as well. */
function isNumber({ family }: LeafSpec): boolean {
  const { usual } = guideOf(family)
  return usual === "number" || usual === "count"
}

export function isCount({ family }: LeafSpec): boolean {
  return guideOf(family).usual === "count"
}

export function isText({ family }: LeafSpec): boolean {
  const { columns, joint } = guideOf(family)
  return columns.includes("text") && !joint
}

/** Levels: a column to switch on. */
export function isLevels({ family }: LeafSpec): boolean {
  return LEVEL_FAMILIES.has(family)
}

export function numbersOf(leaves: readonly LeafSpec[]): string[] {
  return leaves.filter(isNumber).map(({ columns }) => columns[0])
}

/** A count as a normal: far tails, and a spread of its own. */
function normalLeaf(leaf: LeafSpec): object {
  return isCount(leaf) ? { ...leaf.spec, family: gaussianKind.name, options: {} } : leaf.spec
}

/** A number with one variance for all levels. */
function tiedLeaf(leaf: LeafSpec): object {
  return isNumber(leaf) ? { ...normalLeaf(leaf), options: { variance: "tied" } } : leaf.spec
}

const declared = ({ spec, given }: Pick<LeafSpec, "spec" | "given">): LooseModel =>
  declare(spec, given) as unknown as LooseModel

function columnsAs(leaves: readonly LeafSpec[], as: (leaf: LeafSpec) => object): LooseModel {
  return independent(...leaves.map(leaf => declared({ spec: as(leaf), given: leaf.given }))) as LooseModel
}

/** These numbers as one normal, the other columns beside it. */
function together(
  leaves: readonly LeafSpec[],
  names: readonly string[],
  covariance: "tied" | "full",
): LooseModel {
  const others = leaves.filter(leaf => !names.includes(leaf.columns[0]))
  const joint = normal(names, { covariance }) as unknown as LooseModel
  return others.length === 0 ? joint : (independent(joint, ...others.map(declared)) as LooseModel)
}
