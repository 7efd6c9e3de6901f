/** What is tried for a label and the columns of a file, as the core proposes it, and the flags of the command that does exactly what was chosen. */
import {
  classes,
  gaussian,
  independent,
  type Learner,
  modelNamed,
  type Preset,
  type PresetName,
} from "suffice"
import {
  type Calibration,
  candidatesOf,
  type LabelFacts,
  type LabelKind,
  learnersFor,
  type ProposedCandidate,
} from "suffice/measure"
import type { Stem } from "suffice/text"
import type { ColumnReport, Proposal } from "suffice-files"
import { breathing } from "./learner.ts"
import type { LooseModel } from "./loose.ts"
import type { As } from "./options.ts"
import { stemmersIn, type TextChoice, withText } from "./text.ts"

/** What the columns beside the label are, and what the label is. */
export interface Proposed {
  readonly body: LooseModel
  readonly pooled: Proposal["pooled"]
  readonly facts: LabelFacts
  /** The label with all columns: what is read, and shown. */
  readonly all: LooseModel
  /** The stemmers that text columns name. */
  readonly stemmers: Readonly<Record<string, Stem>>
}

/** Numbers of so many different values are measured; of fewer they may be codes. */
const CODES = 20

export function kindOfLabel({ type, levels }: ColumnReport, as: As | undefined): LabelKind {
  if (as === "category" || as === "text") return "levels"
  const isNumber = type === "number" || type === "integer"
  if (as === "number" || as === "count") return "number"
  if (!isNumber) return "levels"
  const count = levels === undefined || levels.more ? Infinity : levels.count
  return count <= 2 ? "levels" : count <= CODES ? "either" : "number"
}

/** What --as says of a column. */
export function asked(
  { as = {} }: { readonly as?: Readonly<Record<string, As>> },
  column: string,
): As | undefined {
  return Object.hasOwn(as, column) ? as[column] : undefined
}

export async function proposedFor(
  reports: readonly ColumnReport[],
  label: string,
  choice: TextChoice & { readonly text?: readonly string[]; readonly as?: Readonly<Record<string, As>> },
): Promise<Proposed> {
  const { text = [] } = choice
  const as = asked(choice, label)
  const { proposeModel } = await import("suffice-files/columns")
  const own = reports.find(({ name }) => name === label)
  const kind = own ? kindOfLabel(own, as) : "levels"
  // a label with levels is checked where it is proposed
  if (kind !== "number") proposeModel(reports, { label, text })
  const columns = proposeModel(
    reports.filter(({ name }) => name !== label),
    { text },
  )
  const body = await withText(columns, choice)
  const facts: LabelFacts = {
    label,
    kind,
    rows: own?.rows ?? 0,
    levels: own?.levels?.count ?? 0,
    holes: new Set(reports.filter(({ missing }) => missing.count > 0).map(({ name }) => name)),
    levelsOf: new Map(reports.flatMap(({ name, levels }) => (levels ? [[name, levels.count]] : []))),
    positive: (own?.smallest ?? 0) > 0,
  }
  const all =
    kind === "number"
      ? independent(body, { [label]: gaussian() } as never)
      : (classes(label, body) as unknown as LooseModel)
  return {
    body,
    pooled: columns.pooled,
    facts,
    all: all as LooseModel,
    stemmers: await stemmersIn(body.spec),
  }
}

/** Every candidate, or those of one model; learners let signals and the bar have their turn. */
export function candidatesFor(
  { body, facts, stemmers }: Proposed,
  preset: Preset | undefined,
  given: { readonly learner: Learner; readonly name: string } | undefined,
): ProposedCandidate[] {
  const all = preset
    ? [
        {
          name: preset.model,
          preset,
          model: modelNamed(preset, facts.label, body, { stemmers }),
          learners: learnersFor(preset),
        },
      ]
    : candidatesOf(body, facts, { stemmers })
  return all.map(candidate => ({
    ...candidate,
    learners: given
      ? { [given.name]: given.learner }
      : Object.fromEntries(
          Object.entries(candidate.learners ?? {}).map(([name, one]) => [name, breathing(one)]),
        ),
  }))
}

export const NUMBER_PRESETS: readonly PresetName[] = [
  "base-rate-normal",
  "linear",
  "normal",
  "mixture-normal",
  "log-normal",
  "mixture-log-normal",
]

export function isOfNumbers(model: PresetName): boolean {
  return NUMBER_PRESETS.includes(model)
}

/** A preset in words. */
export function wordsOf({ model, components, by = [] }: Preset, label: string): string {
  const given = by.length > 0 ? `, by ${by.join(" and ")}` : ""
  switch (model) {
    case "base-rate":
    case "base-rate-normal":
      return `the base rate of ${label}`
    case "naive-bayes":
      return `naive Bayes of ${label}`
    case "naive-bayes-normal":
      return `naive Bayes of ${label}, counts as normals`
    case "diagonal":
      return `diagonal discriminant analysis of ${label}`
    case "lda":
      return `linear discriminant analysis of ${label}`
    case "qda":
      return `quadratic discriminant analysis of ${label}`
    case "tan":
      return `tree-augmented naive Bayes of ${label}`
    case "mixture-per-class":
      return `${label}, each level a mixture of ${components}`
    case "mixture-lda":
      return `${label}, each level a mixture of ${components} normals with one covariance`
    case "linear":
      return `linear regression of ${label}${given}`
    case "normal":
      return `a normal over ${label} and the other numbers${given}`
    case "mixture-normal":
      return `a mixture of ${components} normals over ${label} and the other columns`
    case "log-normal":
      return by.length > 0
        ? `the logarithm of ${label} as a normal${given}`
        : `the base rate of ${label}, whose logarithm is normal`
    case "mixture-log-normal":
      return `a mixture of ${components} log-normals of ${label}, with the other columns`
    default:
      return model satisfies never
  }
}

const LEARNER_FLAGS: Readonly<Record<string, string>> = {
  counting: "--learner em",
  em: "--learner em --restarts 3",
  ncll: "--learner sdem --loss ncll",
  hinge: "--learner sdem --loss hinge",
}

const LEARNER_WORDS: Readonly<Record<string, string>> = {
  counting: "counting (EM)",
  em: "EM, the best of 4",
  ncll: "sdEM, NCLL",
  hinge: "sdEM, hinge",
}

export function learnerWords(name: string): string {
  return LEARNER_WORDS[name] ?? name
}

/** Is a trial the one of what was chosen, whose learner is named in words? */
export function isChosen(
  trial: { readonly model: string; readonly learner: string },
  chosen: { readonly model: string; readonly learner: string },
): boolean {
  return trial.model === chosen.model && learnerWords(trial.learner) === chosen.learner
}

/** What was chosen, and what of it the command line has said already. */
export interface Fixing {
  readonly preset: Preset
  readonly learner: string
  /** It is sdEM with the hinge loss. */
  readonly hinge: boolean
  readonly calibration: Calibration | undefined
  readonly isModelGiven: boolean
}

/** The flags that fix what was chosen. */
export function flagsOf({ preset, learner, hinge, calibration, isModelGiven }: Fixing): string {
  return [
    !isModelGiven && modelFlags(preset),
    LEARNER_FLAGS[learner],
    isOfNumbers(preset.model) && learner in LEARNER_FLAGS && "--unlabelled 1",
    ...(calibration?.method === "temperature"
      ? [`--temperature ${calibration.temperature}`, `--doubt ${calibration.doubt ?? 0}`]
      : // hinge would find a temperature of its own
        hinge
        ? ["--temperature 1"]
        : []),
  ]
    .filter(Boolean)
    .join(" ")
}

/** Those of the model alone. */
export function modelFlags({ model, components, by }: Preset): string {
  return [
    `--model ${model}`,
    components !== undefined && `--components ${components}`,
    by !== undefined && `--by ${by.map(quoted).join(",")}`,
  ]
    .filter(Boolean)
    .join(" ")
}

/** As a shell takes it. */
function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`
}
