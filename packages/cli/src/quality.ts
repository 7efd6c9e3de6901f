/** What was measured, as text. */
import {
  type Evaluation,
  type LevelBase,
  type NumberBase,
  type NumberEvaluation,
  type SpanEvaluation,
  type SpanScores,
  verdict,
} from "suffice/measure"
import type { QualityAnswer } from "./answers.ts"
import { type Brief, clipped, count, many, percent, percents, plain, range, signed } from "./format.ts"
import { mistakes } from "./report/mistakes.ts"
import type { Telling } from "./telling.ts"
import { shown } from "./terminal/shown.ts"
import { bar, textTable } from "./terminal/table.ts"

/** With more levels, mistakes are listed instead of a confusion matrix. */
const SQUARE = 12

const ELSEWHERE = "are in the report (--report) and in --json"

export function qualityText(quality: QualityAnswer, { brief = false }: Brief = {}): string {
  const { on, evaluation } = quality
  const where =
    on === "training rows"
      ? `On the ${sizeOf(quality)} it has learned from (too bright a picture: use --holdout or --test):`
      : `On ${sizeOf(quality)} ${on === "held-out rows" ? "it has not seen" : `of the ${on}`}:`
  const measured = evaluation.kind === "levels" ? levelsText(evaluation, brief) : numberText(evaluation)
  return `${where}\n\n${measured}\n\n${verdict(evaluation).sentence}`
}

/** "344 rows", "1,200 steps of 40 sequences" */
export function sizeOf({ rows, sequences, unit = "row" }: QualityAnswer): string {
  return sequences === undefined
    ? many(rows, unit)
    : `${many(rows, "step")} of ${many(sequences, "sequence")}`
}

/** Spans by type: how many there are, and how many of them are found. */
function spansText({ perType, ...all }: SpanEvaluation): string {
  const line = (name: string, one: SpanScores) => [
    clipped(name, 20),
    percent(one.precision),
    percent(one.recall),
    percent(one.f1),
    count(one.true),
  ]
  const types = Object.entries(perType).sort((a, b) => b[1].true - a[1].true)
  const table = textTable(
    [
      { title: "span" },
      { title: "precision", align: "right" },
      { title: "recall", align: "right" },
      { title: "F1", align: "right" },
      { title: "there are", align: "right" },
    ],
    [line("all", all), ...types.slice(0, SQUARE).map(([type, one]) => line(type, one))],
  )
  const left = types.length - SQUARE
  return `\n\n  Spans of tags, right if both ends and the type are:\n\n${table}${left > 0 ? `\n\n  ${many(left, "more type")} ${ELSEWHERE}.` : ""}`
}

function levelsText(
  evaluation: Extract<QualityAnswer["evaluation"], { kind: "levels" }>,
  brief: boolean,
): string {
  const base = verdict(evaluation).base as LevelBase
  const lines = [
    [
      "accuracy",
      percent(evaluation.accuracy),
      `95 % interval ${percents(evaluation.accuracyInterval)}; always ${clipped(String(base.level), 16)}: ${percent(base.accuracy)}`,
    ],
    [
      "log-loss",
      plain(evaluation.logLoss),
      `95 % interval ${range(evaluation.logLossInterval)}; base rate: ${plain(base.logLoss)}`,
    ],
    ["Brier score", plain(evaluation.brier), ""],
    ["calibration error", plain(evaluation.ece), ""],
    ["macro F1", plain(evaluation.macroF1), ""],
    ...(evaluation.auc === undefined ? [] : [["ROC area", plain(evaluation.auc), ""]]),
    ...(evaluation.sequences === undefined
      ? []
      : [
          [
            "whole sequences",
            percent(evaluation.sequences.accuracy),
            "every step of the most probable path right",
          ],
        ]),
  ]
  const skipped =
    evaluation.skipped > 0
      ? `\n\n  ${many(evaluation.skipped, "row")} without a ${shown(evaluation.target)} not scored.`
      : ""
  const sampled =
    evaluation.sampled === undefined
      ? ""
      : `\n\n  Calibration error and ROC area are of ${many(evaluation.sampled, "row")} of these, drawn by chance; the rest is of all.`
  const unseen = Object.keys(evaluation.unseen)
  const strange =
    unseen.length > 0
      ? `\n\n  Levels never seen in training, each an error: ${shown(unseen.slice(0, 5).join(", "))}${unseen.length > 5 ? ` and ${unseen.length - 5} more` : ""}.`
      : ""
  return `${textTable([{ title: "" }, { title: "", align: "right" }, { title: "" }], lines)}${skipped}${sampled}${strange}${evaluation.spans ? spansText(evaluation.spans) : ""}\n\n${brief ? `  Its mistakes, level by level, ${ELSEWHERE}.` : confusionText(evaluation)}`
}

function confusionText({ confusion: { levels, counts } }: Evaluation): string {
  const names = levels.map(level => clipped(String(level), 16))
  if (names.length <= SQUARE) {
    return `  Truth by row, prediction by column:\n\n${textTable(
      [{ title: "" }, ...names.map(title => ({ title, align: "right" as const }))],
      counts.map((row, t) => [names[t], ...row.map(value => (value === 0 ? "·" : count(value)))]),
    )}`
  }
  const wrong = mistakes(names, counts)
  if (wrong.length === 0) return "  No mistakes."
  return `  The most frequent mistakes:\n\n${textTable([{ title: "truth" }, { title: "predicted" }, { title: "rows", align: "right" }], wrong)}`
}

function numberText(evaluation: NumberEvaluation): string {
  const base = verdict(evaluation).base as NumberBase
  return textTable(
    [{ title: "" }, { title: "", align: "right" }, { title: "" }],
    [
      ["root mean squared error", plain(evaluation.rmse), `base rate: ${plain(base.rmse)}`],
      ["mean absolute error", plain(evaluation.mae), ""],
      ["R²", plain(evaluation.r2), "1 is perfect, 0 a constant guess"],
      [
        "inside its 95 % interval",
        percent(evaluation.coverage),
        `95 % interval ${percents(evaluation.coverageInterval)}`,
      ],
      [
        "mean log-density",
        plain(evaluation.logDensity),
        `higher is better; base rate: ${plain(base.logDensity)}`,
      ],
    ],
  )
}

/** The levels of a label, in the order that they have everywhere. */
export function levelsIn(evaluation: QualityAnswer["evaluation"]): readonly unknown[] {
  return evaluation.kind === "levels" ? evaluation.confusion.levels : []
}

/** Levels whose features are printed: the most frequent. The report has more. */
const TOLD = 12
const TOLD_BRIEF = 3
/** For the features of all levels. */
const LINES = 36

/** The most telling features of each level, with bars: fewer of each where there are many levels, so that all take so many lines. In brief, a sentence. `levels`: the order they have everywhere. */
export function tellingText(
  all: readonly Telling[],
  { brief = false, levels = [] }: Brief & { readonly levels?: readonly unknown[] } = {},
): string {
  const places = new Map(levels.map((level, at) => [String(level), at]))
  const placeOf = ({ level }: Telling): number => places.get(level) ?? places.size
  const inOrder = (some: readonly Telling[]): Telling[] => some.toSorted((a, b) => placeOf(a) - placeOf(b))
  if (brief) return tellingSentence(inOrder(all.slice(0, TOLD_BRIEF)), all.length)
  const telling = inOrder(all.slice(0, TOLD))
  const most = Math.min(Math.max(Math.floor(LINES / Math.max(telling.length, 1)), 1), 5)
  const strongest = telling.reduce((top, { features }) => Math.max(top, features[0]?.evidence ?? 0), 0)
  const rows = telling.flatMap(({ level, features }) =>
    features
      .slice(0, most)
      .map(({ name, evidence }, i) => [
        i === 0 ? clipped(level, 20) : "",
        clipped(name, 32),
        signed(evidence),
        bar(evidence / strongest, 16),
      ]),
  )
  const some = telling.length < all.length ? `; the ${telling.length} most frequent levels` : ""
  return `What it goes by (mean evidence for the level against the next best, in nats${some}):\n\n${textTable(
    [{ title: "level" }, { title: "feature" }, { title: "nats", align: "right" }, { title: "" }],
    rows,
  )}`
}

/** "What it goes by, in nats: c1 by x23 (+0.67) and x28 (+0.54); c2 by …" */
function tellingSentence(telling: readonly Telling[], all: number): string {
  const levels = telling.map(({ level, features }) => {
    const first = features
      .slice(0, 2)
      .map(({ name, evidence }) => `${clipped(name, 24)} (${signed(evidence)})`)
    return `${clipped(level, 16)} by ${first.join(" and ")}`
  })
  const more = all > levels.length ? `; ${many(all - levels.length, "more level")}` : ""
  return `What it goes by, in nats: ${levels.join("; ")}${more}. More features ${ELSEWHERE}.`
}

/** Curves have a point per row: they are only for charts. */
export function withoutCurves(evaluation: QualityAnswer["evaluation"]): object {
  if (evaluation.kind !== "levels") {
    const { points: _, ...rest } = evaluation
    return rest
  }
  return {
    ...evaluation,
    perLevel: Object.fromEntries(
      Object.entries(evaluation.perLevel).map(([level, { roc: _, precisionRecall: __, ...rest }]) => [
        level,
        rest,
      ]),
    ),
  }
}
