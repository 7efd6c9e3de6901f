/** Tables of steps: what --sequence, --order, --tag, --states and --model hmm or tagger ask for, and what cannot go together. */
import { type Format, formatNamed, hasSentences } from "suffice-files/formats"
import type { DataPaths } from "../data.ts"
import { Failure } from "../failure.ts"
import { isFile } from "../model.ts"

export interface SequenceOptions {
  /** The column that tells sequences apart. */
  readonly sequence?: string
  /** The column that orders their steps. */
  readonly order?: string
  /** The column of the steps that is predicted. */
  readonly tag?: string
  readonly label?: string
  readonly states?: number
  readonly model?: string
  readonly format?: string
}

export const SEQUENCE_MODELS = ["hmm", "tagger"] as const

/** How many hidden states, where nobody says. */
export const STATES = 3

/** Formats of tokens number their sentences in this column. */
export const SENTENCE = "sequence"

export function isConll(paths: DataPaths, format: string | undefined): boolean {
  const formats = format === undefined ? paths.map(formatNamed) : [format as Format]
  return formats.some(name => name !== undefined && hasSentences(name))
}

/** Are the rows steps of sequences? */
export function isOfSteps(options: SequenceOptions, paths: DataPaths): boolean {
  const { sequence, order, tag, model = "" } = options
  return (
    [sequence, order, tag].some(column => column !== undefined) ||
    (SEQUENCE_MODELS as readonly string[]).includes(model) ||
    isConll(paths, options.format)
  )
}

/** The columns that make steps into sequences; those of a CoNLL file are known. */
export function cutOf(
  { sequence, order, format }: SequenceOptions,
  paths: DataPaths,
): { readonly sequence?: string; readonly order?: string } {
  const by = sequence ?? (isConll(paths, format) ? SENTENCE : undefined)
  return { ...(by !== undefined && { sequence: by }), ...(order !== undefined && { order }) }
}

/** --states belongs to sequences. */
export function refuseStates({ states }: SequenceOptions): void {
  if (states === undefined) return
  throw new Failure(
    "usage",
    "--states is given, but nothing says that the rows are steps. States are those that a sequence goes through, step by step. Name the column of the sequences with --sequence, or use --model hmm if all rows are one.",
  )
}

/** Of a model that takes every row by itself. */
export function refuseSequences({
  sequence,
  order,
  path,
  past,
}: SequenceOptions & { readonly path?: boolean; readonly past?: boolean }): void {
  const given = Object.entries({ "--sequence": sequence, "--order": order, "--path": path, "--past": past })
  const [option] = given.find(([, value]) => value !== undefined && value !== false) ?? []
  if (option === undefined) return
  throw new Failure(
    "usage",
    `${option} is given, but the model knows no sequences. It takes every row by itself. Leave ${option} out, or name a model that was learned with --sequence.`,
  )
}

/** Options that say different things of the same rows; `others` are those that are meant for rows by themselves. */
export function checkSequences(options: SequenceOptions, others: Readonly<Record<string, unknown>>): void {
  const { model = "auto", tag, label, states, sequence, order } = options
  const isTagger = model === "tagger" || (tag !== undefined && model === "auto")
  if (model !== "auto" && !isFile(model) && !(SEQUENCE_MODELS as readonly string[]).includes(model)) {
    throw new Failure(
      "usage",
      `--model ${model} is given for steps of sequences. It takes every row by itself. Use --model hmm or tagger, or leave --sequence, --order and --tag out.`,
    )
  }
  if (tag !== undefined && label !== undefined) {
    throw new Failure(
      "usage",
      "both --tag and --label are given. --tag is predicted for each step, --label once for a sequence. Leave one of them out.",
    )
  }
  if (model === "tagger" && tag === undefined) {
    throw new Failure(
      "usage",
      "--model tagger needs --tag: the column that is predicted for each step. Name it, or use --model hmm for states that nobody named.",
    )
  }
  if (model === "hmm" && tag !== undefined) {
    throw new Failure(
      "usage",
      "--tag is given with --model hmm. The states of a hidden Markov model are hidden, those of a tagger are the tags. Use --model tagger, or leave --tag out.",
    )
  }
  if (isTagger && states !== undefined) {
    throw new Failure(
      "usage",
      "--states is given with --tag. The states of a tagger are the levels of the tag. Leave --states out, or use --model hmm without --tag.",
    )
  }
  const named = Object.entries({ "--sequence": sequence, "--order": order, "--tag": tag, "--label": label })
  for (const [option, column] of named) {
    const twice = named.find(([other, one]) => other !== option && one === column && column !== undefined)
    if (!twice) continue
    throw new Failure(
      "usage",
      `${option} and ${twice[0]} both name ${JSON.stringify(column)}. Each says something else of a column. Name another one, or leave one of them out.`,
      { column },
    )
  }
  const other = Object.keys(others).find(option => others[option] !== undefined)
  if (other !== undefined) {
    throw new Failure(
      "usage",
      `${other} is given for steps of sequences. It is for rows that stand by themselves. Leave it out.`,
    )
  }
}
