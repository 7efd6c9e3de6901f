/**
 * Models by name, or from a file.
 *
 *     auto        with a label what fits best (auto.ts), without one a mixture
 *     mixture     no label: a mixture of --components bodies
 *     the others are the core's (`modelNamed`)
 */

import { declare, type Family, independent, mixture, modelNamed, type Preset } from "suffice"
import { families, guideOf, type LeafSpec, leaves } from "suffice/describe"
import type { ColumnReport, Proposal } from "suffice-files"
import { isOfNumbers, type Proposed, proposedFor, wordsOf } from "./auto.ts"
import { Failure } from "./failure.ts"
import type { LooseModel } from "./loose.ts"
import { type As, NAMED, PRESETS } from "./options.ts"
import { type TextChoice, textOption, withText } from "./text.ts"
import type { Work } from "./work.ts"

export interface ModelChoice extends TextChoice {
  /** A preset or the path of a file. */
  readonly model?: string
  readonly label?: string
  readonly text?: readonly string[]
  readonly components?: number
  /** Columns of levels that a model of a number switches on. */
  readonly by?: readonly string[]
  readonly as?: Readonly<Record<string, As>>
}

export interface ChosenModel {
  readonly model: LooseModel
  /** In words. */
  readonly name: string
  /** By column, the levels to keep: all others are pooled. */
  readonly pooled: Proposal["pooled"]
}

export const COMPONENTS = 3

/** The preset that --model names; undefined for auto, a mixture and a file. */
export function presetOf({ model, label, components, by }: ModelChoice): Preset | undefined {
  const name = NAMED.find(one => one === model)
  if (name === undefined) {
    if (by !== undefined) throw noBy(model)
    return undefined
  }
  if (label === undefined) {
    throw new Failure(
      "usage",
      `--model ${name} needs --label: the column ${isOfNumbers(name) ? "that it predicts" : "whose levels it tells apart"}. Name it, or use --model mixture.`,
    )
  }
  const isMixture = name.startsWith("mixture")
  if (by !== undefined && !["linear", "normal", "log-normal"].includes(name)) throw noBy(name)
  return {
    model: name,
    ...(isMixture && { components: components ?? COMPONENTS }),
    ...(by !== undefined && { by }),
  }
}

function noBy(model = "auto"): Failure {
  return new Failure(
    "usage",
    `--by is given with --model ${model}. It names the columns whose levels a regression switches on. Use it with --model linear, normal or log-normal, or leave it out.`,
  )
}

/** Is it a file, rather than a preset? */
export function isFile(model: string | undefined): boolean {
  return model !== undefined && !(PRESETS as readonly string[]).includes(model)
}

/** A model file says itself which columns there are; a preset is made from what the columns look like. */
export async function chosenModel(
  choice: ModelChoice,
  reports: readonly ColumnReport[],
  { modelIn }: Pick<Work, "modelIn">,
): Promise<ChosenModel> {
  const { model: asked = "auto", label, components = COMPONENTS } = choice
  if (isFile(asked)) return fromFile(asked, await modelIn(asked), choice)
  const preset = presetOf(choice)
  if (preset) {
    const proposed = await proposedFor(reports, label!, choice)
    checkPreset(preset, proposed, choice)
    const { body, pooled, stemmers } = proposed
    return {
      model: modelNamed(preset, label!, body, { stemmers }),
      name: wordsOf(preset, label!),
      pooled,
    }
  }
  if (label !== undefined) {
    throw new Failure(
      "usage",
      "--model mixture is given with --label. A mixture finds groups that nobody named. Leave --label out (and the column with --as column=ignore), or use --model mixture-per-class.",
    )
  }
  const { proposeModel } = await import("suffice-files/columns")
  const { text = [] } = choice
  const proposal = proposeModel(reports, { text })
  const body = independent(...leaves(proposal.spec).map(part => declare(part.spec))) as LooseModel
  return {
    model: await withText(mixture(components, body, { name: "component" }) as LooseModel, choice),
    name: `a mixture of ${components} components`,
    pooled: proposal.pooled,
  }
}

/** What a preset needs of the columns and the label. */
export function checkPreset(preset: Preset, { body, facts }: Proposed, { by = [] }: ModelChoice): void {
  const { model } = preset
  const { label, kind } = facts
  const families = leaves(body.spec)
  if (["diagonal", "lda", "qda", "mixture-lda", "linear"].includes(model)) {
    if (!families.some(({ family }) => ["number", "count"].includes(guideOf(family).usual ?? ""))) {
      throw new Failure(
        "model",
        `--model ${model} needs numbers, and the table has no column of them. ${model === "linear" ? "A line goes through numbers" : "Discriminant analysis is of numbers that vary together"}. Use --model ${model === "linear" ? "normal" : "naive-bayes"}, or read a column as numbers with --as column=number.`,
      )
    }
  }
  if (model === "tan" && families.filter(isLevels).length < 2) {
    throw new Failure(
      "model",
      "--model tan needs two columns of levels beside the label, and the table has fewer. It finds which of them depend on each other. Use --model naive-bayes or lda, or read a column as levels with --as column=category.",
    )
  }
  if (isOfNumbers(model) && kind === "levels") {
    throw new Failure(
      "usage",
      `--model ${model} predicts a number, and ${JSON.stringify(label)} has levels. Use --model naive-bayes, or auto.`,
    )
  }
  if (!isOfNumbers(model) && kind === "number") {
    throw new Failure(
      "usage",
      `--model ${model} tells levels apart, and ${JSON.stringify(label)} is a number of many values. Use --model linear or normal, or auto; if it is a code, read it with --as ${label}=category.`,
    )
  }
  const wrong = by.find(column => !families.some(leaf => leaf.columns[0] === column && isLevels(leaf)))
  if (wrong !== undefined) {
    throw new Failure(
      "column",
      `--by names ${JSON.stringify(wrong)}, which is no column of levels. A regression switches on levels. Name another, or read it with --as ${wrong}=category.`,
      { column: wrong },
    )
  }
}

function isLevels({ family }: LeafSpec): boolean {
  return guideOf(family).columns.includes("level")
}

/** Columns of levels as they were read; numbers as the search sees fit. Text has no place in a network. */
export function networkFamilies(proposal: LooseModel): Record<string, Family> {
  const own = leaves(proposal.spec).filter(isLevels)
  return Object.fromEntries(own.map(({ family, columns }) => [columns[0], familyOf(family)]))
}

function familyOf(name: string): Family {
  return families.find(kind => kind.name === name)!.make({})
}

function fromFile(path: string, model: LooseModel, choice: ModelChoice): ChosenModel {
  const { label, text = [], components } = choice
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
  return { model, name: `the model of ${path}`, pooled: {} }
}
