/**
 * The model of a table of steps.
 *
 *     tagger   chain(tag, body, { ends }): what is seen depends on the tag, a tag on the one before
 *     hmm      chain(states, body): the same with states that nobody named; with a label, one of them for each level
 */

import { chain, classes, declare, independent, type WindowPart, window } from "suffice"
import { leaves, specsIn, treeOf } from "suffice/describe"
import type { ColumnReport, Proposal } from "suffice-files"
import { Failure } from "../failure.ts"
import type { LooseFitted, LooseModel } from "../loose.ts"
import { isFile } from "../model.ts"
import type { As } from "../options.ts"
import { type TextChoice, withText } from "../text.ts"
import type { Work } from "../work.ts"
import { type SequenceOptions, STATES } from "./options.ts"
import { STEPS } from "./table.ts"

/** The name of a hidden state. */
export const STATE = "state"

/** The family of a column of text of which windows are made, in words. */
export const WORDS_NEARBY = "words nearby"

export interface StepsModel {
  readonly model: LooseModel
  /** In words. */
  readonly name: string
  readonly pooled: Proposal["pooled"]
  /** The column of the steps. */
  readonly steps: string
  /** By column of the steps, what it is modelled by. */
  readonly families: ReadonlyMap<string, string>
}

type BodyOptions = SequenceOptions &
  TextChoice & { readonly text?: readonly string[]; readonly as?: Readonly<Record<string, As>> }

export async function stepsModel(
  options: BodyOptions,
  reports: readonly ColumnReport[],
  cut: readonly string[],
  { modelIn }: Pick<Work, "modelIn">,
): Promise<StepsModel> {
  const { model = "auto", tag, label, states = STATES } = options
  if (isFile(model)) return fromFile(model, await modelIn(model), options)
  const { body, pooled, families } = await bodyFor(options, reports, cut)
  if (tag !== undefined)
    return {
      model: chain(tag, body, { column: STEPS, ends: true }) as unknown as LooseModel,
      name: `a tagger of ${tag}`,
      pooled,
      steps: STEPS,
      families,
    }
  const hidden = chain(states, body, {
    column: STEPS,
    name: STATE,
    ...(label !== undefined && { ends: true }),
  })
  return {
    model: (label === undefined ? hidden : classes(label, hidden as never)) as unknown as LooseModel,
    name:
      label === undefined
        ? `a hidden Markov model of ${states} states`
        : `${label}, each level a hidden Markov model of ${states} states`,
    pooled,
    steps: STEPS,
    families,
  }
}

export interface Body {
  readonly body: LooseModel
  readonly pooled: Proposal["pooled"]
  readonly families: ReadonlyMap<string, string>
}

/** What is seen in a step, given its state: the columns that are left when those of `cut`, the tag and the label are taken out. */
export async function bodyFor(
  options: BodyOptions,
  reports: readonly ColumnReport[],
  cut: readonly string[],
): Promise<Body> {
  const { tag, label, text = [] } = options
  const { proposeModel } = await import("suffice-files")
  const own = new Set([...cut, tag, label])
  const target = tag ?? label
  // the levels of what is predicted are checked where they are proposed
  if (target !== undefined) proposeModel(reports, { label: target, text })
  const columns = reports.filter(({ name }) => !own.has(name))
  // a tag is told by what stands around it
  const near = tag === undefined ? [] : columns.filter(report => isOfWords(report, options))
  const rest = columns.filter(report => !near.includes(report))
  const proposal =
    near.length > 0 && rest.every(({ family }) => family === undefined)
      ? undefined
      : proposeModel(rest, { text })
  const rows = proposal === undefined ? [] : leaves(proposal.spec)
  const parts = rows.map(({ spec }) => declare(spec))
  const words = near.length > 0 ? [window(near.flatMap(wordsAround)) as unknown as LooseModel] : []
  return {
    body: await withText(independent(...words, ...parts) as LooseModel, options),
    pooled: proposal?.pooled ?? {},
    families: new Map([
      ...near.map(({ name }) => [name, WORDS_NEARBY] as const),
      ...rows.flatMap(({ columns, family }) => columns.map(name => [name, family] as const)),
    ]),
  }
}

/** Text that is taken as it is: not if it was asked to be read as something else, or as running text. */
function isOfWords({ name, type, kind }: ColumnReport, { as = {}, text = [] }: BodyOptions): boolean {
  return type === "string" && kind !== "ignore" && !Object.hasOwn(as, name) && !text.includes(name)
}

/** A column with more levels has words, whose letters say something too. */
const FEW_LEVELS = 60

/** Five neighbouring cells and runs of them; of words also beginnings, endings and shapes. Chosen on sentences of conll2000 and UD EWT that were trained on. */
function wordsAround({ name: of, levels }: ColumnReport): WindowPart[] {
  if (levels && !levels.more && levels.count <= FEW_LEVELS) return [{ of, at: [-2, 2], ngrams: 3 }]
  return [
    { of, at: [-2, 2] },
    { of, at: [-1, 1], ngrams: 2 },
    { of, as: "lower" },
    { of, as: "prefix", length: [1, 4] },
    { of, as: "suffix", length: [1, 4] },
    { of, as: "shape", at: [-1, 1] },
  ]
}

function fromFile(path: string, model: LooseModel, { tag, label, states }: SequenceOptions): StepsModel {
  const steps = stepsColumn(model)
  if (steps === undefined) {
    throw new Failure(
      "usage",
      `the model of ${JSON.stringify(path)} has no steps. It takes every row by itself. Leave --sequence, --order and --tag out, or name a model with a chain.`,
      { path },
    )
  }
  const target = tag ?? label
  if (states !== undefined || (target !== undefined && model.target !== target)) {
    throw new Failure(
      "usage",
      `${states !== undefined ? "--states" : tag !== undefined ? "--tag" : "--label"} is given with a model file${states === undefined ? `, whose own is ${JSON.stringify(model.target ?? "none")}` : ""}. The file says itself what it models. Change the file, or leave the option out.`,
      { path },
    )
  }
  return { model, name: `the model of ${path}`, pooled: {}, steps, families: new Map() }
}

/** The column of a model that holds steps. */
export function stepsColumn(model: LooseModel): string | undefined {
  return model.uses.find(({ need }) => need.kind === "steps")?.column
}

/** Of a command that takes every row by itself. */
export function refuseSteps(fitted: LooseFitted, command: string, instead: string): void {
  if (stepsColumn(fitted.model) === undefined) return
  throw new Failure(
    "usage",
    `${command} takes every row by itself, and the model was learned from sequences. What a row says depends on those before and after it. ${instead}`,
  )
}

/** The columns of the data that a column of the model is read from: those that a window looks at, in place of its words. */
function cellsOf({ column, need }: LooseModel["uses"][number]): readonly string[] {
  return need.kind === "bag" && need.reading.made ? need.reading.made.from : [column]
}

/** The columns that the steps of a model are read from, and those of the sequence beside them. */
export function columnsOfSteps(model: LooseModel): {
  readonly steps: readonly string[]
  readonly beside: readonly string[]
} {
  const steps: string[] = []
  const beside: string[] = []
  for (const { need, column, role } of model.uses) {
    if (need.kind === "steps")
      for (const use of need.uses) steps.push(...(use.role === "hidden" ? [] : cellsOf(use)))
    else if (role !== "hidden") beside.push(column)
  }
  return { steps: [...new Set(steps)], beside: [...new Set(beside)] }
}

/** The state of the chain: a tag, or a hidden one that has a name. Below classes there are several chains of one name. */
export function stepTargetOf({
  model,
}: Pick<LooseFitted, "model">): { readonly column: string; readonly isHidden: boolean } | undefined {
  const chain = specsIn(model.spec).find(spec => treeOf(spec).state)
  return chain && treeOf(chain).state!(chain)
}
