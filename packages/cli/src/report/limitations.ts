/** What to keep in mind, said from the facts of this model and these rows: each sentence is there because a number says so. */
import { type Evaluation, type NumberEvaluation, verdict } from "suffice/measure"
import { type Card, decidingName, decidingValue } from "../answers.ts"
import { clipped, count, many, percent, percents, plain, range } from "../format.ts"
import { sizeOf } from "../quality.ts"
import type { Section } from "./document.ts"
import { html } from "./html.ts"

/** With fewer rows a share of a level is uncertain by ten points and more: 1.96 · √(0.25 / 30) = 0.18. */
const FEW = 30
/** Fewer rows per free parameter are little to learn it from. */
const THIN = 5
/** A column with a larger share of holes is named. */
const HOLES = 0.05
/** The most names in a sentence. */
const NAMED = 8
/** Differences of a criterion below it say little (Kass & Raftery 1995: 10 is very strong, 2 not worth a mention). */
const CLOSE = 10

export function limitationsSection(card: Card): Section | undefined {
  const sentences = limitationsOf(card)
  if (sentences.length === 0) return undefined
  const body = html`<ul class="limits">${sentences.map(sentence => html`<li>${sentence}</li>\n`)}</ul>`
  return { id: "limitations", title: "Limitations", body }
}

export function limitationsOf(card: Card): string[] {
  return [
    ...ofRows(card),
    ...ofMeasure(card),
    ...ofProbabilities(card),
    ...ofLevels(card),
    ...ofMissing(card),
    ...ofColumns(card),
    ...ofGroups(card),
    ...ofComparison(card),
  ]
}

function ofRows({ basis }: Card): string[] {
  if (!basis || basis.rows === 0) return []
  const { rows, free, unit = "row" } = basis
  const each = rows / free
  return [
    `It rests on ${many(rows, unit)}, from which ${many(free, "free parameter")} ${free === 1 ? "was" : "were"} learned${
      free > 0 && each < THIN ? `: ${plain(each, 2)} ${unit}s for each, which is little` : ""
    }.`,
  ]
}

function ofMeasure({ quality }: Card): string[] {
  if (!quality) return []
  const { on, evaluation } = quality
  const { standing } = verdict(evaluation)
  const where =
    on === "training rows"
      ? `It was measured on the rows it has learned from: on new rows it will be worse, by how much is not known.`
      : `It was measured on ${sizeOf(quality)} it has not learned from: ${precision(evaluation)}.`
  return [
    where,
    ...(standing === "better"
      ? []
      : [
          standing === "worse"
            ? "It is worse than a guess that never looks at the row: do not use its probabilities."
            : "It is not clearly better than a guess that never looks at the row.",
        ]),
    ...(evaluation.skipped > 0
      ? [`${many(evaluation.skipped, "row")} without a ${evaluation.target} could not be scored.`]
      : []),
    ...(evaluation.kind === "levels" && evaluation.sampled !== undefined
      ? [`Curves, areas and calibration are of ${many(evaluation.sampled, "row")} of these, drawn by chance.`]
      : []),
  ]
}

function precision(evaluation: Evaluation | NumberEvaluation): string {
  return evaluation.kind === "levels"
    ? `its accuracy may as well be anything within ${percents(evaluation.accuracyInterval)}`
    : `its mean log-density may as well be anything within ${range(evaluation.logDensityInterval)}`
}

function ofProbabilities({ quality, basis }: Card): string[] {
  const calibrated = basis?.calibrated
  const confidence = quality && verdict(quality.evaluation).confidence
  if (quality?.evaluation.kind === "number") {
    return confidence === "overconfident"
      ? [`Its 95 % intervals are too narrow: they hold ${percent(quality.evaluation.coverage)}.`]
      : confidence === "underconfident"
        ? [`Its 95 % intervals are too wide: they hold ${percent(quality.evaluation.coverage)}.`]
        : []
  }
  if (calibrated === undefined) return []
  const state = calibrated ? "Its probabilities are calibrated" : "Its probabilities are not calibrated"
  if (confidence === "overconfident") return [`${state}, and it is surer than it should be.`]
  if (confidence === "underconfident") return [`${state}, and it is less sure than it could be.`]
  return calibrated
    ? []
    : [
        `${state}; ${confidence === "fitting" ? "they fit what happened on the measured rows." : "whether they need it cannot be told."}`,
      ]
}

function ofLevels({ quality, learned, basis }: Card): string[] {
  const groups = learned?.kind === "groups" && learned.by === "levels" ? learned.groups : []
  const few = groups.filter(({ rows }) => rows < FEW).toSorted((a, b) => a.rows - b.rows)
  const looked = learned?.rows ?? 0
  const among = basis && looked < basis.rows ? ` among the first ${count(looked)}` : " to learn from"
  const evaluation = quality?.evaluation.kind === "levels" ? quality.evaluation : undefined
  const unmeasured = evaluation
    ? Object.values(evaluation.perLevel).filter(({ support }) => support === 0)
    : []
  const unseen = Object.keys(evaluation?.unseen ?? {})
  return [
    ...(few.length > 0
      ? [
          `${few.length === groups.length ? "Every level has" : `${count(few.length)} of ${many(groups.length, "level")} ${few.length === 1 ? "has" : "have"}`} fewer than ${FEW} rows${among}: ${named(few.map(({ name, rows }) => `${clipped(name, 24)} (${count(rows)})`))}.`,
        ]
      : []),
    ...(unmeasured.length > 0
      ? [
          `No measured row is of ${named(unmeasured.map(({ level }) => clipped(String(level), 24)))}: nothing is known of how well ${unmeasured.length === 1 ? "it is" : "they are"} told.`,
        ]
      : []),
    ...(unseen.length > 0
      ? [
          `It has never seen ${named(unseen.map(level => clipped(level, 24)))}: every row of it is told wrongly.`,
        ]
      : []),
  ]
}

function ofMissing({ data }: Card): string[] {
  const used = (data?.columns ?? []).filter(({ role }) => role !== "left out")
  if (used.length === 0) return []
  const share = used.reduce((sum, { missing }) => sum + missing, 0) / used.length
  if (share === 0) return []
  const worst = used.filter(({ missing }) => missing > HOLES).toSorted((a, b) => b.missing - a.missing)
  const most =
    worst.length === 0
      ? "no column lacks more than 5 %"
      : `most in ${named(worst.map(({ name, missing }) => `${clipped(name, 24)} (${percent(missing)})`))}`
  // a regression cannot sum out what it reads
  const isRead = used.some(({ family }) => family === "read")
  return [
    `${percent(share)} of the cells are missing, ${most}.${isRead ? "" : " They are summed out, as if it were chance that they are missing."}`,
  ]
}

function ofColumns({ data }: Card): string[] {
  const out = (data?.columns ?? []).filter(({ role }) => role === "left out")
  return out.length === 0
    ? []
    : [
        `${many(out.length, "column")} ${out.length === 1 ? "is" : "are"} left out: ${named(out.map(({ name, note }) => `${clipped(name, 24)}${note === undefined ? "" : ` (${clipped(note, 60)})`}`))}.`,
      ]
}

function ofGroups({ candidates, learned }: Card): string[] {
  if (!candidates) return []
  const { criterion, chosen, each } = candidates
  const value = (one: (typeof each)[number]): number => decidingValue(one, criterion)
  const best = each.find(({ k }) => k === chosen)
  const close = each.filter(one => one.k !== chosen && best && value(one) - value(best) < CLOSE)
  const largest = Math.max(...each.map(({ k }) => k))
  const small = learned?.kind === "groups" ? learned.groups.filter(({ rows }) => rows < FEW) : []
  return [
    ...(each.length > 1 && chosen === largest
      ? [`${chosen} is the largest number that was tried: there may be more groups.`]
      : []),
    ...close.map(
      one =>
        `${many(one.k, "group")} would do nearly as well: ${decidingName(criterion)} ${plain(value(one) - value(best!), 3)} higher.`,
    ),
    ...(small.length > 0
      ? [
          `${many(small.length, "group")} ${small.length === 1 ? "has" : "have"} fewer than ${FEW} rows: ${named(small.map(({ name, rows }) => `${name} (${count(rows)})`))}.`,
        ]
      : []),
  ]
}

function ofComparison({ compare }: Card): string[] {
  if (!compare) return []
  const unclear = compare.differences.filter(({ interval }) => interval[0] <= 0)
  return unclear.length === 0
    ? []
    : [
        `That “${compare.best}” is better than ${named(unclear.map(({ against }) => `“${against}”`))} may be chance: over ${compare.folds} folds, the interval of the difference reaches 0.`,
      ]
}

function named(names: readonly string[]): string {
  return names.length <= NAMED
    ? names.join(", ")
    : `${names.slice(0, NAMED).join(", ")} and ${count(names.length - NAMED)} more`
}
