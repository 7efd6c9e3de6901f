/** How well the tags of steps are predicted: step by step, whole sequences, and spans. */
import type { Block } from "../contract/block.ts"
import type { Level } from "../contract/cells.ts"
import { questionBlocks } from "../data/question-blocks.ts"
import { type Batch, slicesOf } from "../data/read.ts"
import { rowWeights } from "../data/weigh.ts"
import { SufficeError, show } from "../errors.ts"
import { type Evaluation, type MeasureOptions, measured } from "../measure/evaluation.ts"
import { areSpanTags, type SpanEvaluation, spanScores } from "../measure/spans.ts"
import { checkWeight, ofTruth, paired, type Truths } from "./judge.ts"
import type { SolvedModel } from "./knowledge.ts"
import { pathsIn } from "./path.ts"
import { posteriors } from "./posterior.ts"
import { stepQuestion } from "./step-question.ts"
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
  const { column, levels, inner } = target
  if (!levels || !inner) throw notJudged(target)
  const sequences = sequencesIn(solved, batch, target)
  const weight = Array.from(slicesOf(batch)).flatMap(slice => [
    ...rowWeights(slice, { column: options.weight }),
  ])
  const truths = truthsOf(levels, sequences, weight)
  const { truth, shares, labelled } = truths
  checkWeight(
    "evaluate",
    column,
    options.weight,
    labelled,
    shares.some(w => w > 0),
  )
  const known = shares.reduce((sum, share, n) => sum + (truth[n] < levels.length ? share : 0), 0)
  let [tagged, right, together] = [0, 0, 0]
  sequences.forEach(({ tags, path, loss }, row) => {
    if (tags.every(tag => tag === null)) return
    together += weight[row] * loss
    tagged += weight[row]
    if (tags.every((tag, t) => tag === null || tag === path[t])) right += weight[row]
  })
  const steps = sequences.reduce((sum, { tags }) => sum + tags.length, 0)
  const posterior = posteriors(solved, batch, stepQuestion(solved, target, "evaluate"))
  const hasTags = target.states.length === 1 && areSpanTags(levels)
  return {
    ...(measured(ofTruth(paired(column, posterior, truths, steps)), options) as Evaluation),
    sequences: {
      rows: sequences.length,
      accuracy: tagged > 0 ? right / tagged : 0,
      logLoss: together / known,
    },
    ...(hasTags && {
      spans: spanScores(
        sequences.map(({ tags }) => tags),
        sequences.map(({ path }) => path),
      ),
    }),
  }
}

/** One row: its tags, null where one is missing, and its most probable path. */
interface Sequence {
  readonly tags: readonly (Level | null)[]
  readonly path: readonly Level[]
  /** −ln p(tags | the rest of the row). */
  readonly loss: number
}

function sequencesIn(solved: SolvedModel, batch: Batch, target: StepTarget): Sequence[] {
  const { levels, steps, column, place } = target
  const sequences: Sequence[] = []
  const blocks = questionBlocks(solved.known.schema, batch)
  for (let block = blocks.next(); block; block = blocks.next()) {
    const { offsets, block: nested } = stepsOf(block, target)
    const codes = nested.cells[place] as Int32Array
    const hidden = withoutTarget(block, target)
    const paths = target.states.length === 1 ? pathsIn(solved, hidden, target) : undefined
    const joint = scoresOf(solved, block)
    const evidence = scoresOf(solved, hidden)
    for (let i = 0; i < block.rows; i++) {
      const unseen = blocks.unseen.get(sequences.length) ?? {}
      const tags = Array.from(codes.subarray(offsets[i], offsets[i + 1]), (code, t): Level | null => {
        const strange = unseen[`${steps}[${t}].${column}`] as Level | undefined
        return strange ?? levels![code] ?? null
      })
      sequences.push({ tags, path: paths?.[i].values ?? [], loss: evidence[i] - joint[i] })
    }
  }
  return sequences
}

/** Every step with a tag, with the weight of its row. */
function truthsOf(
  levels: readonly Level[],
  sequences: readonly Sequence[],
  weight: readonly number[],
): Truths {
  const codes = new Map(levels.map((level, code) => [level, code]))
  const strange: Level[] = []
  const truth: number[] = []
  const from: number[] = []
  const shares: number[] = []
  let step = -1
  sequences.forEach(({ tags }, row) => {
    for (const tag of tags) {
      step++
      if (tag === null) continue
      if (!codes.has(tag)) {
        codes.set(tag, levels.length + strange.length)
        strange.push(tag)
      }
      truth.push(codes.get(tag)!)
      from.push(step)
      shares.push(weight[row])
    }
  })
  return { truth, from, shares, strange, labelled: truth.length }
}

/** ln p(row), up to what does not depend on the target. */
function scoresOf({ known, params }: SolvedModel, block: Block): Float64Array {
  const scores = new Float64Array(block.rows)
  known.laid.root.up(block, params, scores)
  return scores
}

function notJudged({ column, inner }: StepTarget): SufficeError {
  return new SufficeError(
    "target",
    `evaluate: ${show(column)} is ${inner ? "a number in the steps of rows" : "hidden in every row"}. ${inner ? "Only levels are compared step by step" : "There is no truth to compare with"}. Name a column of the steps that has levels.`,
    { column },
  )
}
