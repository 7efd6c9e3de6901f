/**
 * What is worth trying for a label and the columns beside it: the one rule of `suffice fit`, of a page, and of `choose(candidates(rows, { label }), rows)`.
 *
 *     a label with levels    naive Bayes, discriminant analysis, a tree of the columns with levels, mixtures per class; by counting and by sdEM with either loss
 *     a number               linear regression, a normal over all numbers, either by the levels of other columns; mixtures of normals; where it is
 *                            positive, the same of its logarithm
 *     few numbers            both: they may be codes, or may be measured
 *
 * The first is always the base rate: the label alone, whatever the rest of the row. Where nothing loses less, it is chosen.
 */
import { type AutoOptions, auto } from "../auto.ts"
import type { Candidate } from "../choose/choose.ts"
import type { Cell, Columns, Row } from "../contract/cells.ts"
import type { ColumnSummary } from "../contract/columns.ts"
import type { Given } from "../contract/family.ts"
import type { Learner } from "../contract/learner.ts"
import { summarise } from "../data/summarise.ts"
import { list, nearest, refuseUnknown, SufficeError, show, wrongOption } from "../errors.ts"
import { em } from "../learners/em.ts"
import { sdem } from "../learners/sdem.ts"
import { nodesOf } from "../structure/tree-augmented.ts"
import {
  checkedBody,
  checkedPreset,
  isCount,
  isLevels,
  isText,
  LEVEL_MODELS,
  type LeafSpec,
  type LevelModel,
  type LooseModel,
  leavesOf,
  levelModel,
  MOST_FULL,
  MOST_TIED,
  MOST_TREE,
  type NumberModel,
  numberModel,
  numbersOf,
  type Preset,
} from "./presets.ts"

/** A model that is worth trying, with its learners and the preset that makes it again. */
export interface ProposedCandidate extends Candidate<Record<string, Cell>, string> {
  readonly preset: Preset
}

/** What a label is: levels to tell apart, a number to be estimated, or possibly either. */
export type LabelKind = "levels" | "number" | "either"

export interface CandidatesOptions extends Omit<AutoOptions, "label"> {
  readonly label: string
  /** Without it as the cells suggest. */
  readonly kind?: LabelKind
}

/** What the candidates depend on, beside the families of the columns. */
export interface LabelFacts {
  readonly label: string
  readonly kind: LabelKind
  readonly rows: number
  /** How many levels the label has, where it has levels. */
  readonly levels: number
  /** Columns with missing cells: linear regression cannot read them. */
  readonly holes: ReadonlySet<string>
  /** How many levels the other columns have, where they have some. */
  readonly levelsOf: ReadonlyMap<string, number>
  /** Is every number of the label above 0? Then its logarithm may be what is normal. */
  readonly positive?: boolean
}

/** Up to this many different numbers may be codes; more are measurements. */
const CODES = 20

/** The label by its cells: text and two values are levels, few numbers may be either. */
export function labelKind({ numbers, rows, missing, distinct }: ColumnSummary): LabelKind {
  if (numbers === 0 || numbers !== rows - missing || distinct <= 2) return "levels"
  return distinct <= CODES ? "either" : "number"
}

/** What is worth trying for a label, the simplest first. */
export function candidates(data: readonly Row[] | Columns, options: CandidatesOptions): ProposedCandidate[] {
  refuseUnknown("candidates", options, ["label", "kind", "except", "families"])
  const { label, kind, except = [], ...rest } = options
  if (!Array.isArray(except)) {
    throw wrongOption(
      "candidates",
      "except",
      except,
      "It is a list of columns to leave out. Leave it out for none.",
    )
  }
  if (kind !== undefined && !KINDS.includes(kind)) {
    throw wrongOption(
      "candidates",
      "kind",
      kind,
      `It must be one of ${list(KINDS)}. Leave it out to find it.`,
    )
  }
  const summaries = summarise(data)
  const own = summaries.find(({ name }) => name === label)
  if (!own) throw noLabel(label, summaries)
  const body = auto(data, { ...rest, except: [...except, label] })
  return candidatesOf(body as LooseModel, {
    label,
    kind: kind ?? labelKind(own),
    rows: own.rows,
    levels: own.distinct,
    holes: new Set(summaries.filter(({ missing }) => missing > 0).map(({ name }) => name)),
    levelsOf: new Map(summaries.map(({ name, distinct }) => [name, distinct])),
    positive: own.smallest > 0,
  })
}

const KINDS: readonly LabelKind[] = ["levels", "number", "either"]

/** The same for columns whose families are known: a model of independent columns, without the label. `given`: as `declare` takes it. */
export function candidatesOf(body: LooseModel, facts: LabelFacts, given: Given = {}): ProposedCandidate[] {
  const leaves = leavesOf(checkedBody("candidatesOf", body).spec, given)
  checkFacts(facts)
  return [
    ...(facts.kind === "number" ? [] : levelCandidates(leaves, facts)),
    ...(facts.kind === "levels" ? [] : numberCandidates(leaves, facts)),
  ]
}

function checkFacts(facts: LabelFacts): void {
  const { label, kind, rows, levels, holes, levelsOf } = facts ?? {}
  const isWhole =
    typeof label === "string" &&
    KINDS.includes(kind as LabelKind) &&
    typeof rows === "number" &&
    typeof levels === "number" &&
    typeof holes?.has === "function" &&
    typeof levelsOf?.get === "function"
  if (isWhole) return
  throw new SufficeError(
    "option",
    `candidatesOf: the facts are ${show(facts)}. What is worth trying depends on the label, its kind, the rows, its levels, columns with holes and the levels of the others. Give all of them, or call candidates() with the rows.`,
  )
}

// ── a label with levels ────────────────────────────────────────────────────────────────────────────

/** The simplest first. hinge has no probabilities of its own: it is judged, and taken, calibrated. */
const COUNTING: Readonly<Record<string, Learner>> = { counting: em() }
const LEVEL_LEARNERS: Readonly<Record<string, Learner>> = {
  ...COUNTING,
  ncll: sdem({ loss: "ncll" }),
  hinge: sdem({ loss: "hinge", calibrate: false }),
}

function levelCandidates(leaves: readonly LeafSpec[], facts: LabelFacts): ProposedCandidate[] {
  const { label, rows, levels } = facts
  const names = numbersOf(leaves)
  const found: ProposedCandidate[] = []
  const add = (model: LevelModel, components?: number): void => {
    found.push({
      name: components === undefined ? model : `${model}-${components}`,
      preset: { model, ...(components !== undefined && { components }) },
      model: levelModel(model, label, leaves, components),
      learners: learnersFor({ model }),
    })
  }
  add("base-rate")
  add("naive-bayes")
  if (leaves.some(isCount)) add("naive-bayes-normal")
  if (names.length > 0) add("diagonal")
  if (names.length >= 2 && names.length <= MOST_TIED) add("lda")
  if (names.length >= 2 && names.length <= MOST_FULL) add("qda")
  const nodes = nodesOf(leaves).length
  if (nodes >= 2 && nodes <= MOST_TREE) add("tan")
  if (!leaves.some(isText) && leaves.length <= MOST_TIED) {
    const mixes = (components: number): boolean => rows >= components * ROWS_EACH * levels
    if (mixes(2)) add("mixture-per-class", 2)
    if (mixes(4)) add("mixture-per-class", 4)
    if (names.length >= 2 && names.length <= MOST_FULL && mixes(2)) add("mixture-lda", 2)
  }
  return found
}

/** Rows that a component of a mixture needs. */
const ROWS_EACH = 8

// ── a number ───────────────────────────────────────────────────────────────────────────────────────

/** A row without a level of the columns that are switched on still says something of the number: it counts in full. */
const REGRESSION: Readonly<Record<string, Learner>> = { counting: em({ unlabelled: 1 }) }
/** EM climbs to the nearest summit: the best of several starts. */
const MIXTURES: Readonly<Record<string, Learner>> = { em: em({ restarts: 3, unlabelled: 1 }) }

/** The ways to learn a model that are worth trying, the simplest first. */
export function learnersFor(preset: Preset): Readonly<Record<string, Learner>> {
  const { model, components } = checkedPreset("learnersFor", preset)
  if (model === "base-rate") return COUNTING
  if (LEVEL_MODELS.includes(model as LevelModel)) return LEVEL_LEARNERS
  return components === undefined ? REGRESSION : MIXTURES
}

function numberCandidates(leaves: readonly LeafSpec[], facts: LabelFacts): ProposedCandidate[] {
  const { label, rows, holes } = facts
  const numbers = numbersOf(leaves).slice(0, MOST_FULL)
  const isWhole = numbers.length > 0 && numbers.every(name => !holes.has(name))
  const found: ProposedCandidate[] = []
  const add = (model: NumberModel, by: readonly string[] = [], components?: number): void => {
    const name = [model, components, by.length > 0 && `by ${by.join(" and ")}`].filter(Boolean).join(" ")
    found.push({
      name,
      preset: { model, ...(components !== undefined && { components }), ...(by.length > 0 && { by }) },
      model: numberModel(model, label, leaves, { by, components }),
      learners: learnersFor({ model, ...(components !== undefined && { components }) }),
    })
  }
  add("base-rate-normal")
  if (isWhole) add("linear")
  add("normal")
  for (const by of switchesOf(leaves, facts)) {
    if (isWhole) add("linear", by)
    add("normal", by)
  }
  const mixed = [2, 4, 8].filter(components => rows >= 5 * components * (numbers.length + 1))
  for (const components of mixed.filter(count => count < 8)) add("mixture-normal", [], components)
  if (facts.positive === true) {
    for (const by of [[], ...switchesOf(leaves, facts)]) add("log-normal", by)
    for (const components of mixed) add("mixture-log-normal", [], components)
  }
  return found
}

/** Columns of levels to switch on: each of those with the fewest levels, and the first two, three and four of them together. */
function switchesOf(leaves: readonly LeafSpec[], { rows, levelsOf }: LabelFacts): string[][] {
  const count = (name: string): number => levelsOf.get(name) ?? Infinity
  const columns = leaves
    .filter(isLevels)
    .map(({ columns }) => columns[0])
    .filter(name => count(name) > 1 && count(name) * ROWS_EACH <= rows)
    .toSorted((a, b) => count(a) - count(b))
    .slice(0, MOST_SWITCHES)
  const found = columns.map(name => [name])
  for (let most = 2; most <= columns.length; most++) {
    const together = columns.slice(0, most)
    if (together.reduce((product, name) => product * count(name), ROWS_EACH) <= rows) found.push(together)
  }
  return found
}

const MOST_SWITCHES = 4

function noLabel(label: unknown, summaries: readonly ColumnSummary[]): SufficeError {
  const names = summaries.map(({ name }) => name)
  const near = typeof label === "string" ? nearest(label, names) : []
  return new SufficeError(
    "column",
    `candidates: label names ${show(label)}, which is no column. The data has ${list(names)}. ${near.length > 0 ? `Did you mean ${list(near)}?` : "Name one of them."}`,
    { column: label, nearest: near },
  )
}
