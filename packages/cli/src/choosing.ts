/** Model and learner chosen by evidence: what was tried, why the winner, what baselines reach, and the command that does exactly it. */
import type { Columns } from "suffice"
import {
  type BaselineTrial,
  type ChooseOptions,
  choose,
  type ProposedCandidate,
  type Trial,
} from "suffice/measure"
import { flagsOf, isChosen, learnerWords, wordsOf } from "./auto.ts"
import { BASELINES } from "./baselines.ts"
import { type Brief, count, many, plain } from "./format.ts"
import type { LooseFitted } from "./loose.ts"
import type { ColumnSource } from "./tabular.ts"
import { shown } from "./terminal/shown.ts"
import { textTable } from "./terminal/table.ts"
import { hasWords } from "./word-progress.ts"
import type { Work } from "./work.ts"

/** What was chosen, as data. */
export interface ChoiceAnswer {
  /** In words. */
  readonly name: string
  readonly model: string
  readonly learner: string
  readonly calibrated: boolean
  readonly why: string
  /** The command that learns exactly this. */
  readonly command: string
  readonly trials: readonly Trial[]
  /** Shown beside them, on the same rows. */
  readonly baselines: readonly BaselineTrial[]
  /** Where one of these is clearly better: that, and what to do. */
  readonly advice?: string
}

export interface Choosing {
  readonly candidates: readonly ProposedCandidate[]
  readonly label: string
  /** --model says which. */
  readonly isModelGiven?: boolean
  /** Further flags of the command that does exactly what was chosen. */
  readonly flags?: string
}

export async function chosenBy(
  session: Work,
  { candidates, label, isModelGiven = false, flags = "" }: Choosing,
  data: Columns | ColumnSource,
  options: Omit<ChooseOptions, "target" | "learners" | "onTrial">,
): Promise<{ fitted: LooseFitted; choice: ChoiceAnswer }> {
  const bar = session.progress("choosing", undefined, "fits")
  let fits = 0
  let read = 0
  try {
    const found = await choose(candidates, data as Columns, {
      ...options,
      target: label,
      baselines: BASELINES,
      signal: session.signal,
      onTrial: ({ model, learner }) => bar.at(++fits, `${model} by ${learnerWords(learner)}`),
      // a fit begins with the words of its rows, which takes a while
      ...(candidates.some(({ model }) => hasWords(model)) && {
        onRows: rows => {
          read += rows
          bar.advance(0, `words of ${count(read)} rows read`)
        },
      }),
      onStep: step => {
        bar.stop()
        options.onStep?.(step)
      },
    })
    const { preset, learners } = candidates.find(({ name }) => name === found.model)!
    const fixing = flagsOf({
      preset,
      learner: found.learner,
      hinge: learners?.[found.learner]?.options.loss === "hinge",
      calibration: found.calibration,
      isModelGiven,
    })
    return {
      fitted: found.fitted as LooseFitted,
      choice: {
        name: wordsOf(preset, label),
        model: found.model,
        learner: learnerWords(found.learner),
        calibrated: found.calibrated,
        why: found.why,
        command: [session.command, flags, fixing].filter(Boolean).join(" "),
        trials: found.trials,
        baselines: found.baselines,
        ...(found.advice !== undefined && { advice: found.advice }),
      },
    }
  } finally {
    bar.stop()
  }
}

/** More lines than that are in the report, and in --json; of wide tables fewer are shown. */
const SHOWN = 12
const SHOWN_WIDE = 3
/** Where nothing could be compared. */
const FEW = " To learn another model from so few, name it: --model naive-bayes --learner em."

export function choiceText(
  { trials, baselines, why, advice, command, ...chosen }: ChoiceAnswer,
  { brief = false }: Brief = {},
): string {
  const tried = byOutcome(trials).filter(({ score }) => Number.isFinite(score))
  if (tried.length === 0) return `${shown(why)}${FEW}\nThe same again: ${command}\n`
  const head = `Tried ${many(trials.length, "model")} and ways to learn them, on rows that were not learned from:`
  const isTaken = (one: Trial): boolean => isChosen(one, chosen)
  const first = tried.slice(0, brief ? SHOWN_WIDE : SHOWN)
  const lines = (first.some(isTaken) ? first : [...first.slice(0, -1), ...tried.filter(isTaken)]).map(one => [
    one.model,
    `${learnerWords(one.learner)}${one.calibrated ? ", calibrated" : ""}`,
    `${plain(one.score, 3)} ± ${plain(one.standardError, 2)}`,
    count(one.free),
    `${count(one.rows)} × ${one.folds}`,
    isTaken(one) ? "← chosen" : one.dropped === undefined ? "" : "dropped",
  ])
  const table = textTable(
    [
      { title: "model" },
      { title: "learned by" },
      { title: "log-loss", align: "right" },
      { title: "free", align: "right" },
      { title: "rows × folds", align: "right" },
      { title: "" },
    ],
    [...lines, ...baselines.filter(({ score }) => Number.isFinite(score)).map(baselineLine)],
  )
  const more =
    trials.length > lines.length
      ? `${brief ? "\n" : "\n\n"}  ${count(trials.length - lines.length)} more: see --json or --report.`
      : ""
  const said = advice === undefined ? "" : `\n${shown(advice)}`
  return `${head}\n\n${table}${more}\n\n${shown(why)}${said}\nThe same again: ${command}\n`
}

/** Those that were compared to the end come first: what was dropped was judged on fewer rows, or fewer learned from, and its loss is no rival of theirs. */
export function byOutcome(trials: readonly Trial[]): Trial[] {
  const isOut = ({ score, dropped, refused }: Trial): number => {
    if (!Number.isFinite(score)) return 3
    return refused !== undefined ? 2 : dropped === undefined ? 0 : 1
  }
  const scoreOf = ({ score }: Trial): number => (Number.isFinite(score) ? score : 0)
  return trials.toSorted((a, b) => isOut(a) - isOut(b) || scoreOf(a) - scoreOf(b))
}

function baselineLine({ name, c, calibrated, score, standardError, rows, folds }: BaselineTrial): string[] {
  return [
    name,
    `${c === undefined ? "" : `C = ${plain(c, 2)}`}${calibrated ? ", calibrated" : ""}`,
    `${plain(score, 3)} ± ${plain(standardError, 2)}`,
    "",
    `${count(rows)} × ${folds}`,
    "baseline",
  ]
}
