/** The models that suit a table: those that the command would try, and every other structure of the library that its columns allow. */
import { classes, declare, independent, mixture, topics } from "suffice"
import {
  familyWith,
  guideOf,
  type LeafSpec,
  leafSpec,
  leaves,
  mixtureSpec,
  productSpec,
} from "suffice/describe"
import type { ProposedCandidate } from "suffice/measure"
import {
  candidatesFor,
  capitalised,
  proposedFor,
  type StepsModel,
  stepsModel,
  wordsOf,
} from "suffice-cli/browser"
import { type ColumnReport, proposeModel } from "suffice-files/columns"
import { asOwn } from "../bench/spec.ts"
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

export async function offersFor(
  reports: readonly ColumnReport[],
  settings: Settings,
  isTag: boolean,
): Promise<Offer[]> {
  const { label, sequence } = settings
  if (sequence !== undefined) return chains(reports, settings, isTag)
  if (label !== undefined) return ofLabel(reports, label, settings)
  const proposal = proposeModel(reports)
  const own = leaves(proposal.spec)
  const body = (): never => independent(...own.map(leaf => declare(leaf.spec))) as never
  return [
    ...[2, 3, 4, 6].map(k => ({
      id: `mixture-${k}`,
      title: `A mixture of ${k} groups`,
      about: "Groups that nobody named: each column by itself within a group.",
      spec: specOf(mixture(k, body(), { name: "component" })),
      flags: { model: "mixture", components: k },
      pooled: proposal.pooled,
    })),
    ...correlated(own),
    ...networks(own, undefined),
    {
      id: "independent",
      title: "Each column by itself",
      about: "No groups, no label: the base that a mixture has to beat.",
      spec: specOf(body()),
    },
    ...topicsOf(reports, undefined),
  ]
}

async function ofLabel(reports: readonly ColumnReport[], label: string, { as }: Settings): Promise<Offer[]> {
  const proposed = await proposedFor(reports, label, { as } as never)
  return [
    ...candidatesFor(proposed, undefined, undefined)
      .filter(isOffered)
      .map(({ name, preset, model }) => ({
        id: name,
        title: capitalised(wordsOf(preset, label)),
        about: ABOUT[preset.model] ?? "",
        spec: specOf(model),
        flags: preset,
        pooled: proposed.pooled,
      })),
    ...(proposed.facts.kind === "number" ? [] : networks(leaves(proposed.body.spec), label)),
    ...topicsOf(reports, label),
  ]
}

/** The tree of "tan" is found when it is chosen, so that it can be drawn and changed. */
const isOffered = ({ preset }: ProposedCandidate): boolean => preset.model !== "tan"

/** More columns than this are searched for minutes. */
const MOST_SEARCHED = 60

/** Networks are found in the rows that are learned from, when they are chosen. */
function networks(all: readonly LeafSpec[], label: string | undefined): Offer[] {
  const own = all.filter(({ family }) => {
    const { usual, columns } = guideOf(family)
    return usual !== undefined && !columns.includes("text")
  })
  if (own.length < 2 || own.length > MOST_SEARCHED) return []
  if (label !== undefined)
    return [
      {
        id: "tan",
        title: `A tree-augmented network of ${label}`,
        about:
          "Naive Bayes in which each column may also depend on one other: the tree is found in the rows.",
        find: "tan",
      },
    ]
  return [
    {
      id: "network",
      title: "A Bayesian network, found in the rows",
      about:
        "Which columns depend on which. It is drawn, can be changed, and answers what would be if something were done.",
      find: "orders",
    },
    {
      id: "network-tree",
      title: "A network that is a tree",
      about: "Each column depends on one other at most (Chow and Liu): quickly found, quickly read.",
      find: "tree",
    },
  ]
}

/** Groups whose numbers vary together. */
function correlated(all: readonly LeafSpec[]): Offer[] {
  const isNumber = ({ family }: LeafSpec): boolean => guideOf(family).varies === "alone"
  const numbers = all.filter(isNumber).flatMap(({ columns }) => columns)
  if (numbers.length < 2 || numbers.length > 40) return []
  const others = all.filter(leaf => !isNumber(leaf)).map(({ spec }) => spec)
  const family = familyWith(({ varies }) => varies === "together")
  const together = leafSpec(numbers, family, guideOf(family).initial)
  const body = others.length === 0 ? together : productSpec([together, ...others])
  return [2, 3].map(k => ({
    id: `mixture-normal-${k}`,
    title: `A mixture of ${k} groups of correlated normals`,
    about: "Within a group the numbers vary together: ellipses in any direction.",
    spec: asOwn(mixtureSpec(k, body, "component")),
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
    })),
    ...(label === undefined
      ? []
      : [
          {
            id: "topics-by-label",
            title: `${capitalised(label)}, each level with 3 topics of ${text.name}`,
            about:
              "Every level has topics of its own; a text is of the level whose topics make it most probable.",
            spec: specOf(classes(label, topics(3, text.name))),
          },
        ]),
  ]
}

/** Rows in an order: a state at every step, as the command makes it of them. */
async function chains(
  reports: readonly ColumnReport[],
  { sequence, label, as }: Settings,
  isTag: boolean,
): Promise<Offer[]> {
  const made = async (options: object): Promise<{ spec: Spec; pooled: StepsModel["pooled"] }> => {
    const cut = sequence ? [sequence] : []
    const { model, pooled } = await stepsModel({ as, ...options }, reports, cut, { modelIn: noFiles })
    return { spec: specOf(model), pooled }
  }
  if (label !== undefined && isTag)
    return [
      {
        id: "tagger",
        title: `A chain of ${label}`,
        about:
          "A tagger: the label of a step depends on that of the step before, and on what stands around it.",
        flags: { model: "tagger" },
        ...(await made({ tag: label })),
      },
    ]
  return Promise.all(
    [2, 3, 4].map(async k => ({
      id: `chain-${k}`,
      title:
        label === undefined
          ? `A chain of ${k} hidden states`
          : `${capitalised(label)}, each level a chain of ${k} hidden states`,
      about:
        label === undefined
          ? "A hidden Markov model: the state of a step depends on the one before, and is not seen."
          : "A hidden Markov model for each level: a sequence is of the level whose states make it most probable.",
      flags: { model: "hmm", states: k },
      ...(await made({ states: k, ...(label !== undefined && { label }) })),
    })),
  )
}

/** A page has no files. */
export const noFiles = async (path: string): Promise<never> => {
  throw new Error(`${path} is a file, and a page opens none by its name. Drop it on the page.`)
}

function specOf(model: { readonly spec: unknown }): Spec {
  return JSON.parse(JSON.stringify(model.spec)) as Spec
}
