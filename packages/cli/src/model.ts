/**
 * Models by name, or from a file.
 *
 *     naive-bayes         the columns are independent given the label
 *     lda, qda            the numbers are jointly normal given the label, with one covariance for all levels, or one for each
 *     mixture-per-class   every level is a mixture of --components naive Bayes bodies
 *     mixture             no label: a mixture of --components bodies
 *     auto                naive-bayes with a label, mixture without
 */
import { readFile } from "node:fs/promises"
import { classes, declare, independent, load, mixture, normal } from "suffice"
import type { ColumnReport, Proposal } from "suffice-files"
import { Failure } from "./failure.ts"
import type { LooseFitted, LooseModel } from "./loose.ts"
import { reasonOf } from "./terminal/stream.ts"
import { stemmersIn, type TextChoice, textOption, withText } from "./text.ts"

export const PRESETS = ["auto", "naive-bayes", "lda", "qda", "mixture-per-class", "mixture"] as const
type Preset = (typeof PRESETS)[number]

export interface ModelChoice extends TextChoice {
  /** A preset or the path of a file. */
  readonly model?: string
  readonly label?: string
  readonly text?: readonly string[]
  readonly components?: number
}

export interface ChosenModel {
  readonly model: LooseModel
  /** In words. */
  readonly name: string
  /** By column, the levels to keep: all others are pooled. */
  readonly pooled: Proposal["pooled"]
}

export const COMPONENTS = 3

/** A model file names its columns itself; a preset is built from how the columns look. */
export async function chosenModel(
  choice: ModelChoice,
  reports: readonly ColumnReport[],
): Promise<ChosenModel> {
  const chosen = await withoutText(choice, reports)
  return { ...chosen, model: await withText(chosen.model, choice) }
}

/** The model before text options are applied. */
async function withoutText(choice: ModelChoice, reports: readonly ColumnReport[]): Promise<ChosenModel> {
  const { model: asked = "auto", label, text = [], components = COMPONENTS } = choice
  const preset = presetOf(asked, label)
  if (preset === undefined) return fromFile(asked, choice)
  const { proposeModel } = await import("suffice-files")
  const proposal = proposeModel(reports, { ...(label !== undefined && { label }), text })
  const { pooled } = proposal
  const parts = leavesOf(proposal)
  const body = (): LooseModel => independent(...parts.map(part => declare(part.spec))) as LooseModel
  switch (preset) {
    case "naive-bayes":
      return { model: proposal, name: `naive Bayes of ${label}`, pooled }
    case "lda":
    case "qda": {
      const numbers = parts.filter(part => part.family === "gaussian").flatMap(part => part.columns)
      if (numbers.length === 0) {
        throw new Failure(
          "model",
          `--model ${preset} needs numbers, and the table has no column of them. Discriminant analysis is of numbers that vary together. Use --model naive-bayes, or read a column as numbers with --as column=number.`,
        )
      }
      const others = parts.filter(part => part.family !== "gaussian").map(part => declare(part.spec))
      const together = normal(numbers, { covariance: preset === "lda" ? "tied" : "full" })
      const given = others.length === 0 ? together : independent(together as unknown as LooseModel, ...others)
      const name = preset === "lda" ? "linear discriminant analysis" : "quadratic discriminant analysis"
      return {
        model: classes(label!, given as LooseModel) as LooseModel,
        name: `${name} of ${label}`,
        pooled,
      }
    }
    case "mixture-per-class":
      return {
        model: classes(label!, mixture(components, body())) as LooseModel,
        name: `${label}, each level a mixture of ${components}`,
        pooled,
      }
    case "mixture":
      return {
        model: mixture(components, body(), { name: "component" }) as LooseModel,
        name: `a mixture of ${components} components`,
        pooled,
      }
    default:
      return preset satisfies never
  }
}

interface LeafSpec {
  readonly spec: unknown
  readonly columns: readonly string[]
  readonly family: string
}

/** The leaves of a declared model: one per column, if it was proposed. */
export function leavesOf(model: LooseModel): LeafSpec[] {
  type Spec = { kind: string; columns: string[]; family: string; parts?: Spec[]; bodies?: Spec[] }
  const leaves = (spec: Spec): Spec[] =>
    spec.kind === "leaf" ? [spec] : [...(spec.parts ?? []), ...(spec.bodies ?? [])].flatMap(leaves)
  return leaves(model.spec as unknown as Spec).map(spec => ({
    spec,
    columns: spec.columns,
    family: spec.family,
  }))
}

function presetOf(asked: string, label: string | undefined): Exclude<Preset, "auto"> | undefined {
  if (!PRESETS.includes(asked as Preset)) return undefined
  const preset =
    asked === "auto" ? (label === undefined ? "mixture" : "naive-bayes") : (asked as Exclude<Preset, "auto">)
  if (preset === "mixture" && label !== undefined) {
    throw new Failure(
      "usage",
      "--model mixture is given with --label. A mixture finds groups that nobody named. Leave --label out (and the column with --as column=ignore), or use --model mixture-per-class.",
    )
  }
  if (preset !== "mixture" && label === undefined) {
    throw new Failure(
      "usage",
      `--model ${preset} needs --label: the column whose levels it tells apart. Name it, or use --model mixture.`,
    )
  }
  return preset
}

async function fromFile(path: string, choice: ModelChoice): Promise<ChosenModel> {
  const { label, text = [], components } = choice
  const json = await jsonIn(path, `There is no preset of that name either: they are ${PRESETS.join(", ")}.`)
  const isSaved =
    typeof json === "object" && json !== null && (json as { format?: unknown }).format === "suffice"
  const stemmers = await stemmersIn(isSaved ? (json as { model?: unknown }).model : json)
  const model = isSaved ? load(json, { stemmers }).model : declare(json, { stemmers })
  const words = textOption(choice)
  if (text.length > 0 || components !== undefined || words !== undefined) {
    throw new Failure(
      "usage",
      `${text.length > 0 ? "--text" : (words ?? "--components")} is given with a model file. The file says itself what its columns are. Change the file, or leave the option out.`,
    )
  }
  if (label !== undefined && model.target !== label) {
    throw new Failure(
      "usage",
      `--label is ${JSON.stringify(label)}, but the model of ${JSON.stringify(path)} ${model.target === undefined ? "has no label" : `has the label ${JSON.stringify(model.target)}`}. The file says which column it is. Leave --label out, or change the file.`,
    )
  }
  return { model: model as LooseModel, name: `the model of ${path}`, pooled: {} }
}

/** MODEL of predict, explain and the others. */
export async function loadModel(path: string): Promise<LooseFitted> {
  const json = await jsonIn(path, "Name a model that suffice fit -o has written.")
  if (typeof json !== "object" || json === null || (json as { format?: unknown }).format !== "suffice") {
    throw new Failure(
      "model",
      `${JSON.stringify(path)} is no saved model: it does not begin as one. A model is made by suffice fit DATA -o model.json. Name that file first, and the data second.`,
      { path },
    )
  }
  return load(json, { stemmers: await stemmersIn((json as { model?: unknown }).model) })
}

async function jsonIn(path: string, hint: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch(error => {
    throw new Failure(
      "file",
      `the model file ${JSON.stringify(path)} cannot be read: ${reasonOf(error)}. ${hint}`,
      { path },
    )
  })
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure(
      "file",
      `the model file ${JSON.stringify(path)} is not JSON. A model is saved as JSON; this file is something else, or was cut off. ${hint}`,
      { path },
    )
  }
}
