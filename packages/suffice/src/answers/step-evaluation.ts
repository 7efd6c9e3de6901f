/** How well the tags of steps are predicted: step by step, whole sequences, and spans. */
import type { Block } from "../contract/block.ts"
import type { Level } from "../contract/cells.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import { type Batch, slicesOf } from "../data/read.ts"
import { rowWeights } from "../data/weigh.ts"
import { SufficeError, show } from "../errors.ts"
import { log } from "../kernels/log.ts"
import { type Evaluation, type MeasureOptions, measured } from "../measure/evaluation.ts"
import type { JudgedLevels } from "../measure/judged.ts"
import { areSpanTags, type SpanEvaluation, spanScores } from "../measure/spans.ts"
import { checkWeight } from "./judge.ts"
import type { SolvedModel } from "./knowledge.ts"
import { pathsIn } from "./path.ts"
import { stepChances } from "./step-answers.ts"
import { type StepTarget, stepsOf, withoutTarget } from "./step-target.ts"

/** The measures of levels go by steps, each predicted by itself. */
export interface StepEvaluation extends Evaluation {
  /**
   * All tags of a row together: the share of rows with a tag whose most probable path is right in every step with one, and −ln p(tags | the rest of the row), per step
   * with a tag. A tag that training never saw is missing there.
   */
  readonly sequences: { readonly rows: number; readonly accuracy: number; readonly logLoss: number }
  /** Of the most probable paths, if the tags are such as B-PER, I-PER and O. */
  readonly spans?: SpanEvaluation
}

export function evaluateSteps(
  solved: SolvedModel,
  batch: Batch,
  target: StepTarget,
  options: MeasureOptions & { readonly weight?: string | undefined },
): StepEvaluation {
  const { column, steps, inner } = target
  if (!target.levels || !inner) throw notJudged(target)
  const { levels } = target
  const rowWeight = weightsOf(batch, options.weight)
  const strange: Level[] = []
  const truth: number[] = []
  const chances: number[] = []
  const weights: number[] = []
  const unseen = new Map<Level, number>()
  const truths: (Level | null)[][] = []
  const paths: (readonly Level[])[] = []
  let skipped = 0
  let row = 0
  let tagged = 0
  let right = 0
  let together = 0
  const blocks = questionBlocks(solved.known.schema, batch)
  for (let block = blocks.next(); block; block = blocks.next()) {
    const { offsets, block: nested } = stepsOf(block, target)
    const codes = nested.cells[target.place] as Int32Array
    const found = stepChances(solved, block, target, false)
    const hidden = withoutTarget(block, target)
    const best = target.states.length === 1 ? pathsIn(solved, hidden, target) : undefined
    const joint = scoresOf(solved, block)
    const evidence = scoresOf(solved, hidden)
    for (let i = 0; i < block.rows; i++, row++) {
      const strangers = blocks.unseen.get(row) ?? {}
      const own: (Level | null)[] = []
      for (let t = offsets[i]; t < offsets[i + 1]; t++) {
        const other = strangers[`${steps}[${t - offsets[i]}].${column}`] as Level | undefined
        own.push(other ?? levels[codes[t]] ?? null)
        if (codes[t] < 0 && other === undefined) {
          skipped++
          continue
        }
        if (other !== undefined) {
          if (!strange.includes(other)) strange.push(other)
          unseen.set(other, (unseen.get(other) ?? 0) + rowWeight[row])
        }
        truth.push(other === undefined ? codes[t] : levels.length + strange.indexOf(other))
        weights.push(rowWeight[row])
        for (let l = 0; l < levels.length; l++) chances.push(found[l * nested.rows + t])
      }
      truths.push(own)
      const path = best?.[i].values ?? []
      paths.push(path)
      if (own.every(tag => tag === null)) continue
      together += rowWeight[row] * (evidence[i] - joint[i])
      tagged += rowWeight[row]
      if (own.every((tag, t) => tag === null || tag === path[t])) right += rowWeight[row]
    }
  }
  checkWeight(
    "evaluate",
    column,
    options.weight,
    truth.length,
    weights.some(w => w > 0),
  )
  const judged: JudgedLevels = {
    kind: "levels",
    target: column,
    levels,
    strange,
    truth,
    from: truth.map((_, n) => n),
    probabilities: Float64Array.from(chances),
    logs: Float64Array.from(truth, (code, n) =>
      code < levels.length ? log(chances[n * levels.length + code]) : -Infinity,
    ),
    weights: Float64Array.from(weights),
    rows: truth.length,
    skipped,
    unseen,
  }
  const known = weights.reduce((sum, weight, n) => sum + (truth[n] < levels.length ? weight : 0), 0)
  const hasTags = target.states.length === 1 && areSpanTags(levels)
  return {
    ...(measured(judged, options) as Evaluation),
    sequences: { rows: row, accuracy: tagged > 0 ? right / tagged : 0, logLoss: together / known },
    ...(hasTags && { spans: spanScores(truths, paths) }),
  }
}

/** ln p(row), up to what does not depend on the target. */
function scoresOf({ known, params }: SolvedModel, block: Block): Float64Array {
  const scores = new Float64Array(block.rows)
  known.laid.root.up(block, params, scores)
  return scores
}

function weightsOf(batch: Batch, column: string | undefined): Float64Array {
  const all: number[] = []
  for (const slice of slicesOf(batch)) all.push(...rowWeights(slice, { column }))
  return Float64Array.from(all)
}

function notJudged({ column, inner }: StepTarget): SufficeError {
  return new SufficeError(
    "target",
    `evaluate: ${show(column)} is ${inner ? "a number in the steps of rows" : "hidden in every row"}. ${inner ? "Only levels are compared step by step" : "There is no truth to compare with"}. Name a column of the steps that has levels.`,
    { column },
  )
}
