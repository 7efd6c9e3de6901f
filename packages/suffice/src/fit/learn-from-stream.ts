/** Learning from a stream, whose rows come once: the model grows when new labels appear. */

import type { Knowledge } from "../answers/knowledge.ts"
import type { Chunk } from "../contract/block.ts"
import type { Learner, LearnerState, LearnerStep } from "../contract/learner.ts"
import type { Model } from "../contract/model.ts"
import type { Diagnostic } from "../contract/report.ts"
import type { Discovery } from "../data/discover.ts"
import type { Source } from "../data/read.ts"
import { checkClasses, type Weighting } from "../data/weigh.ts"
import { believed, believing, learning } from "../engine/believe.ts"
import { type Laid, lay } from "../engine/lay.ts"
import { learnable, type Table } from "../engine/learnable.ts"
import { transfer } from "../engine/transfer.ts"
import { SufficeError } from "../errors.ts"
import { type Checkpoint, damaged, type StoredStream } from "../saved/checkpoint.ts"
import { History } from "./history.ts"
import { checkBest, trialOf, weightMark } from "./learn-from-table.ts"
import { isCertain, unlabelledIn } from "./observed.ts"
import type { Step } from "./options.ts"
import { type FitContext, type FitRequest, publish } from "./publish.ts"
import { checkColumns } from "./read-model.ts"
import { Stream } from "./stream.ts"
import { weighUnlabelled } from "./unlabelled.ts"

export async function* learnFromStream<Cells, Target extends string>(
  request: FitRequest<Cells, Target>,
  data: Source,
  before: Knowledge | undefined,
): AsyncGenerator<Step<Cells, Target>, void, void> {
  const { model, learner, weighting, signal, dice } = request
  checkStream(learner, before)
  const stream = new Stream(data, model, weighting, dice.fork(2), signal)
  try {
    const history = new History(request, "a stream")
    const from = await history.read()
    const start = from ? resumed(stream, model, from) : await warmedUp(request, stream)
    let state = from?.state
    for (;;) {
      const { schema } = stream
      const context = contextOf(request, stream, start)
      for await (const step of learner.learn(context.problem, dice.fork(1), state)) {
        signal?.throwIfAborted()
        const recorded = history.add(step)
        // not before the moments move, nor while a batch waits for a new class: the rows read since the last checkpoint are given again
        if (Number.isNaN(step.logLikelihood) && !stream.grows) {
          await history.write(recorded, () => ({ ...stream.state(), ...keptOf(start) }))
        }
        yield publish(request, context, recorded, history)
        signal?.throwIfAborted()
        if (!stream.grows) continue
        state = await grownState(request, stream, context.laid, step)
        break
      }
      if (stream.ended || stream.schema === schema) return
    }
  } finally {
    await stream.close()
  }
}

/** The rows that the learner starts from, and the facts known before the first step. */
interface StreamStart {
  /** The warm-up; empty after a resume. */
  readonly chunks: Chunk[]
  readonly warnings: readonly Diagnostic[]
  readonly certain: boolean
  /** Rows of the warm-up without the label. */
  readonly unlabelledRows: number
  readonly unlabelled: Weighting["unlabelled"]
}

async function warmedUp(request: FitRequest<unknown, string>, stream: Stream): Promise<StreamStart> {
  const { model, learner, weighting } = request
  const begun = await stream.begin(learner.warmup ?? 1, learner.scaling, (first, found) =>
    weighUnlabelled(request, first, found, undefined, trialOf(request, undefined), true),
  )
  const { schema, diagnostics } = begun.found
  checkClasses(weighting, schema)
  const missing = stillMissing(begun.found.missing, begun.unlabelled)
  const { unlabelled } = begun
  return {
    chunks: begun.chunks,
    warnings: [...diagnostics, ...(unlabelled?.diagnostics ?? [])],
    certain: isCertain(lay(learnedModel(request), stream.schema.columns), missing),
    unlabelledRows: unlabelledIn({ missing, schema }, model.target),
    unlabelled: unlabelled && { column: unlabelled.column, weight: unlabelled.weight },
  }
}

/** The part of the start that a checkpoint keeps. */
function keptOf({ unlabelled, warnings }: StreamStart): Pick<StoredStream, "unlabelled" | "warnings"> {
  return { ...(unlabelled && { unlabelled }), warnings }
}

/** The model whose statistics are summed: a posterior has leaves of its own to learn with. */
function learnedModel({ model, learner }: FitRequest<unknown, string>): Model {
  return learner.beliefs ? believing(model, learner.beliefs, learning) : model
}

/** The model laid out on the schema so far, and the problem that the rows of the stream pose. */
function contextOf(
  request: FitRequest<unknown, string>,
  stream: Stream,
  { chunks, warnings, certain, unlabelledRows, unlabelled }: StreamStart,
): FitContext {
  const { model, learner, signal, dice } = request
  const { schema } = stream
  const laid = lay(learnedModel(request), schema.columns)
  const table: Table = {
    get rows() {
      return stream.rows
    },
    get weight() {
      return stream.weight
    },
    certain,
    label: model.target,
    unlabelled: unlabelledRows,
    chunks: () => chunks,
    batches: size => stream.batches(size),
    stream,
  }
  const posed = learnable(laid, table, signal, dice.fork(0))
  const problem = learner.beliefs ? believed(posed, laid, undefined, () => true) : posed
  const diagnostics = () => [...warnings, ...stream.diagnostics()]
  return { laid, schema, problem, diagnostics, mark: weightMark(model, unlabelled) }
}

/** The state of the learner on a schema with the new classes, levels and words. */
async function grownState(
  request: FitRequest<unknown, string>,
  stream: Stream,
  laid: Laid,
  step: LearnerStep,
): Promise<LearnerState> {
  const { numbers, arrays } = step.state!()
  const grown = lay(learnedModel(request), (await stream.grow()).columns)
  const moments = transfer(laid, grown, arrays.moments)
  const { spread } = arrays
  return { numbers, arrays: { grown: moments.map(m => m * stream.weight), ...(spread && { spread }) } }
}

/** The stream continues from the checkpoint; throws if the checkpoint is of another model. */
function resumed(stream: Stream, model: Model, from: Checkpoint): StreamStart {
  if (!from.stream) throw damaged(undefined)
  try {
    checkColumns(model, from.stream.schema)
    checkBest(from, lay(model, from.stream.schema.columns))
    stream.resume(from.stream)
    const { unlabelled, warnings } = from.stream
    return { chunks: [], warnings, certain: false, unlabelledRows: 0, unlabelled }
  } catch (cause) {
    throw damaged(cause)
  }
}

/** Missing cells by column, not counting unlabelled rows if they weigh nothing. */
function stillMissing(
  missing: Discovery["missing"],
  unlabelled: Weighting["unlabelled"],
): Readonly<Record<string, number>> {
  return unlabelled?.weight === 0 ? { ...missing, [unlabelled.column]: 0 } : missing
}

/** Only a learner with a warm-up can learn from rows that come once. */
function checkStream(learner: Learner, before: Knowledge | undefined): void {
  if (learner.warmup === undefined) {
    throw new SufficeError(
      "data",
      `${learner.name}: the data is a stream, which can be read once. ${learner.name} reads the rows again and again. Use onlineEm() or sdem(), or give a source whose [Symbol.asyncIterator]() begins anew each time.`,
      { learner: learner.name },
    )
  }
  if (before) {
    throw new SufficeError(
      "data",
      "update: the data is a stream, which can be read once. An update looks for new levels first. Update with batches of the stream, one after the other.",
    )
  }
}
