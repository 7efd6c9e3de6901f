/** How well the tags of steps are predicted: step by step, whole sequences, and spans. */
import type { Block } from "../contract/block.ts"
import type { Cell, Level } from "../contract/cells.ts"
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
import { stepChances } from "./step-question.ts"
import { type StepTarget, stepsOf, withoutTarget } from "./target.ts"

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
  const { column, inner } = target
  if (!target.levels || !inner) throw notJudged(target)
  const { levels } = target
  const tally = new StepTally(target, levels, weightsOf(batch, options.weight))
  const blocks = questionBlocks(solved.known.schema, batch)
  for (let block = blocks.next(); block; block = blocks.next()) tally.add(solved, block, blocks.unseen)
  const { truth, weights } = tally
  const hasWeight = weights.some(w => w > 0)
  checkWeight("evaluate", column, options.weight, truth.length, hasWeight)
  const known = weights.reduce((sum, weight, n) => sum + (truth[n] < levels.length ? weight : 0), 0)
  const hasTags = target.states.length === 1 && areSpanTags(levels)
  const { row, tagged, right, together } = tally
  return {
    ...(measured(tally.judged(), options) as Evaluation),
    sequences: { rows: row, accuracy: tagged > 0 ? right / tagged : 0, logLoss: together / known },
    ...(hasTags && { spans: spanScores(tally.truths, tally.paths) }),
  }
}

/** Sums over the rows judged so far. */
class StepTally {
  readonly #target: StepTarget
  readonly #levels: readonly Level[]
  readonly #rowWeight: Float64Array
  /** Tags that the model does not know. */
  readonly #strange: Level[] = []
  readonly #chances: number[] = []
  readonly #unseen = new Map<Level, number>()
  #skipped = 0
  /** By step with a tag: codes of `levels`, then of `strange`. */
  readonly truth: number[] = []
  readonly weights: number[] = []
  /** By row: the tags of its steps, and its most probable path. */
  readonly truths: (Level | null)[][] = []
  readonly paths: (readonly Level[])[] = []
  /** Number of rows. */
  row = 0
  /** Σ w over rows with a tag, over those whose path is right, and Σ w (−ln p(tags | rest)). */
  tagged = 0
  right = 0
  together = 0

  constructor(target: StepTarget, levels: readonly Level[], rowWeight: Float64Array) {
    this.#target = target
    this.#levels = levels
    this.#rowWeight = rowWeight
  }

  add(solved: SolvedModel, block: Block, unseen: ReadonlyMap<number, Readonly<Record<string, Cell>>>): void {
    const target = this.#target
    const { offsets, block: nested } = stepsOf(block, target)
    const codes = nested.cells[target.place] as Int32Array
    const chances = stepChances(solved, block, target, false)
    const hidden = withoutTarget(block, target)
    const best = target.states.length === 1 ? pathsIn(solved, hidden, target) : undefined
    const joint = scoresOf(solved, block)
    const evidence = scoresOf(solved, hidden)
    for (let i = 0; i < block.rows; i++, this.row++) {
      const others = unseen.get(this.row) ?? {}
      const tags: (Level | null)[] = []
      for (let t = offsets[i]; t < offsets[i + 1]; t++) {
        const other = others[`${target.steps}[${t - offsets[i]}].${target.column}`] as Level | undefined
        tags.push(other ?? this.#levels[codes[t]] ?? null)
        if (codes[t] < 0 && other === undefined) this.#skipped++
        else this.#addStep(codes[t], other, chances, t, nested.rows)
      }
      this.#addRow(tags, best?.[i].values ?? [], evidence[i] - joint[i])
    }
  }

  #addStep(code: number, other: Level | undefined, chances: Float64Array, t: number, steps: number): void {
    const weight = this.#rowWeight[this.row]
    if (other !== undefined) {
      if (!this.#strange.includes(other)) this.#strange.push(other)
      this.#unseen.set(other, (this.#unseen.get(other) ?? 0) + weight)
    }
    const count = this.#levels.length
    this.truth.push(other === undefined ? code : count + this.#strange.indexOf(other))
    this.weights.push(weight)
    for (let l = 0; l < count; l++) this.#chances.push(chances[l * steps + t])
  }

  /** `loss`: −ln p(tags | the rest of the row). */
  #addRow(tags: (Level | null)[], path: readonly Level[], loss: number): void {
    this.truths.push(tags)
    this.paths.push(path)
    if (tags.every(tag => tag === null)) return
    const weight = this.#rowWeight[this.row]
    this.together += weight * loss
    this.tagged += weight
    if (tags.every((tag, t) => tag === null || tag === path[t])) this.right += weight
  }

  judged(): JudgedLevels {
    const { truth, weights } = this
    const levels = this.#levels
    const logOf = (code: number, n: number): number =>
      code < levels.length ? log(this.#chances[n * levels.length + code]) : -Infinity
    return {
      kind: "levels",
      target: this.#target.column,
      levels,
      strange: this.#strange,
      truth,
      from: truth.map((_, n) => n),
      probabilities: Float64Array.from(this.#chances),
      logs: Float64Array.from(truth, logOf),
      weights: Float64Array.from(weights),
      rows: truth.length,
      skipped: this.#skipped,
      unseen: this.#unseen,
    }
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
