/** The models that suit a table: those that the command would try, and every other structure of the library that its columns allow. */
import { chain, declare, independent, mixture, topics } from "suffice"
import { candidatesFor, capitalised, leavesOf, modelFlags, proposedFor, wordsOf } from "suffice-cli/browser"
import { type ColumnReport, proposeModel } from "suffice-files/columns"
import type { Offer, Settings, Spec } from "../bench/types.ts"

const ABOUT: Readonly<Record<string, string>> = {
  "base-rate": "The shares of the levels alone: what everything else has to beat.",
  "base-rate-normal": "The mean and the spread alone: what everything else has to beat.",
  "naive-bayes":
    "Each column by itself, given the level. Takes every kind of column, holes and few rows well.",
  "naive-bayes-normal": "The same, with counts as normals.",
  diagonal: "Each number with one spread for all levels: a linear border.",
  lda: "Numbers together, one covariance for all levels: linear discriminant analysis.",
  qda: "Numbers together, a covariance for each level: correlated normals, curved borders.",
  tan: "Columns of levels may depend on each other: a tree of them, found in the rows, below the label.",
  "mixture-per-class": "Each level is made of groups of its own.",
  "mixture-lda": "Each level is made of groups, all of one shape.",
  linear: "A line through the other numbers.",
  normal: "The label and the other numbers together, so that any of them may be missing.",
  "mixture-normal": "Groups, each with a normal over all numbers.",
  "log-normal": "The logarithm of the label is normal.",
  "mixture-log-normal": "Groups, each with a label whose logarithm is normal.",
}

export async function offersFor(reports: readonly ColumnReport[], settings: Settings): Promise<Offer[]> {
  const { label, sequence } = settings
  if (sequence !== undefined) return chains(reports, settings)
  if (label !== undefined) return [...(await ofLabel(reports, label, settings)), ...topicsOf(reports, label)]
  const proposal = proposeModel(reports)
  const leaves = leavesOf(proposal as never)
  const body = (): never => independent(...leaves.map(leaf => declare(leaf.spec))) as never
  return [
    ...[2, 3, 4, 6].map(k => ({
      id: `mixture-${k}`,
      title: `A mixture of ${k} groups`,
      about: "Groups that nobody named: each column by itself within a group.",
      spec: specOf(mixture(k, body(), { name: "component" })),
      preset: undefined,
      flags: `--model mixture --components ${k}`,
    })),
    ...correlated(leaves),
    {
      id: "independent",
      title: "Each column by itself",
      about: "No groups, no label: the base that a mixture has to beat.",
      spec: specOf(body()),
      preset: undefined,
      flags: "--model model.json",
    },
    ...topicsOf(reports, undefined),
  ]
}

async function ofLabel(reports: readonly ColumnReport[], label: string, { as }: Settings): Promise<Offer[]> {
  const proposed = await proposedFor(reports, label, { as } as never)
  return candidatesFor(proposed, undefined, undefined).map(({ name, preset, model }) => ({
    id: name,
    title: capitalised(wordsOf(preset, label)),
    about: ABOUT[preset.model] ?? "",
    spec: specOf(model),
    preset,
    flags: modelFlags(preset),
  }))
}

/** Groups whose numbers vary together. */
function correlated(
  leaves: readonly { readonly spec: unknown; readonly columns: readonly string[]; readonly family: string }[],
): Offer[] {
  const numbers = leaves.filter(({ family }) => family === "gaussian").flatMap(({ columns }) => columns)
  if (numbers.length < 2 || numbers.length > 40) return []
  const others = leaves.filter(({ family }) => family !== "gaussian").map(({ spec }) => spec as Spec)
  const together: Spec = {
    kind: "leaf",
    columns: numbers,
    family: "normal",
    options: { covariance: "full", prior: 1 },
  }
  const body: Spec = others.length === 0 ? together : { kind: "independent", parts: [together, ...others] }
  return [2, 3].map(k => ({
    id: `mixture-normal-${k}`,
    title: `A mixture of ${k} groups of correlated normals`,
    about: "Within a group the numbers vary together: ellipses in any direction.",
    spec: { kind: "mixture", name: "component", components: k, prior: 1, bodies: [body] },
    preset: undefined,
    flags: "--model model.json",
  }))
}

function topicsOf(reports: readonly ColumnReport[], label: string | undefined): Offer[] {
  const text = reports.find(({ kind, name }) => kind === "text" && name !== label)
  if (!text) return []
  const model = (k: number): Spec => specOf(topics(k, text.name))
  return [
    ...[5, 10, 20].map(k => ({
      id: `topics-${k}`,
      title: `${k} topics of ${text.name}`,
      about: "Documents as mixtures of topics, each a list of words that go together.",
      spec: model(k),
      preset: undefined,
      flags: `topics --text ${text.name} --k ${k}`,
    })),
    ...(label === undefined
      ? []
      : [
          {
            id: "topics-by-label",
            title: `${label}, each level with 3 topics of ${text.name}`,
            about:
              "Every level has topics of its own; a text is of the level whose topics make it most probable.",
            spec: { kind: "classes", column: label, prior: 0, bodies: [model(3)] } as Spec,
            preset: undefined,
            flags: "--model model.json",
          },
        ]),
  ]
}

/** Rows in an order: a hidden state at every step. */
function chains(reports: readonly ColumnReport[], { sequence, label }: Settings): Offer[] {
  const own = reports.filter(({ name, kind }) => name !== sequence && kind !== "id" && kind !== "date")
  const proposal = proposeModel(own.filter(({ name }) => name !== label))
  const body = (): never =>
    independent(...leavesOf(proposal as never).map(leaf => declare(leaf.spec))) as never
  const seen: Offer[] =
    label === undefined
      ? []
      : [
          {
            id: "tagger",
            title: `A chain of ${label}`,
            about: "The label of a step depends on that of the step before: a tagger.",
            spec: specOf(chain(label, body())),
            preset: undefined,
            flags: "--model model.json",
          },
        ]
  return [
    ...seen,
    ...[2, 3, 4].map(k => ({
      id: `chain-${k}`,
      title: `A chain of ${k} hidden states`,
      about: "A hidden Markov model: the state of a step depends on the one before, and is not seen.",
      spec: specOf(chain(k, body(), { name: "state" } as never)),
      preset: undefined,
      flags: "--model model.json",
    })),
  ]
}

function specOf(model: { readonly spec: unknown }): Spec {
  return JSON.parse(JSON.stringify(model.spec)) as Spec
}
