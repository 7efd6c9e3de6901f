/** Learning from a stream, whose rows come once: the model grows when new labels appear. */

import type { Knowledge } from "../answers/knowledge.ts"
import type { Chunk } from "../contract/block.ts"
import type { Learner } from "../contract/learner.ts"
import type { Model } from "../contract/model.ts"
import type { Diagnostic } from "../contract/report.ts"
import type { Discovery } from "../data/discover.ts"
import type { Source } from "../data/read.ts"
import { checkClasses, type Weighting } from "../data/weigh.ts"
import { believed, believing, learning } from "../engine/believe.ts"
import { lay } from "../engine/lay.ts"
import { learnable, type Table } from "../engine/learnable.ts"
import { transfer } from "../engine/transfer.ts"
import { SufficeError } from "../errors.ts"
import { type Checkpoint, damaged, type StoredStream } from "../saved/checkpoint.ts"
import { History } from "./history.ts"
import { checkBest, isCertain, trialOf, unlabelledIn, weightMark } from "./learn-from-table.ts"
import type { Step } from "./options.ts"
import { type FitRequest, publish } from "./publish.ts"
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
  const learned = learner.beliefs ? believing(model, learner.beliefs, learning) : model
  const stream = new Stream(data, model, weighting, dice.fork(2), signal)
  try {
    const history = new History(request, "a stream")
    const from = await history.read()
    const warmup = learner.warmup ?? 1
    let chunks: Chunk[] = []
    let warnings: readonly Diagnostic[] = []
    let certain = false
    const stored = from && goOn(stream, model, from)
    let unlabelled = stored?.unlabelled
    let hidden = 0
    if (stored) warnings = stored.warnings
    else {
      const begun = await stream.begin(warmup, learner.scaling, (first, found) =>
        weighUnlabelled(request, first, found, undefined, trialOf(request, undefined), true),
      )
      checkClasses(weighting, begun.found.schema)
      chunks = begun.chunks
      warnings = [...begun.found.diagnostics, ...(begun.unlabelled?.diagnostics ?? [])]
      const missing = stillMissing(begun.found.missing, begun.unlabelled)
      certain = isCertain(lay(learned, stream.schema.columns), missing)
      hidden = unlabelledIn({ missing, schema: begun.found.schema }, model.target)
      unlabelled = begun.unlabelled && { column: begun.unlabelled.column, weight: begun.unlabelled.weight }
    }
    let state = from?.state
    for (;;) {
      const { schema } = stream
      const laid = lay(learned, schema.columns)
      const table: Table = {
        get rows() {
          return stream.rows
        },
        get weight() {
          return stream.weight
        },
        certain,
        label: model.target,
        unlabelled: hidden,
        chunks: () => chunks,
        batches: size => stream.batches(size),
        stream,
      }
      const posed = learnable(laid, table, signal, dice.fork(0))
      const problem = learner.beliefs ? believed(posed, laid, undefined, () => true) : posed
      const diagnostics = () => [...warnings, ...stream.diagnostics()]
      const context = { laid, schema, problem, diagnostics, mark: weightMark(model, unlabelled) }
      for await (const step of learner.learn(problem, dice.fork(1), state)) {
        signal?.throwIfAborted()
        const recorded = history.add(step)
        // not before the moments move, nor while a batch waits for a new class: what has been read since the last checkpoint is given again
        if (Number.isNaN(step.logLikelihood) && !stream.grows) {
          await history.write(recorded, () => ({
            ...stream.state(),
            ...(unlabelled && { unlabelled }),
            warnings,
          }))
        }
        yield publish(request, context, recorded, history)
        signal?.throwIfAborted()
        if (!stream.grows) continue
        const { numbers, arrays } = step.state!()
        const grown = lay(learned, (await stream.grow()).columns)
        const moments = transfer(laid, grown, arrays.moments)
        const { spread } = arrays
        state = {
          numbers,
          arrays: { grown: moments.map(m => m * stream.weight), ...(spread && { spread }) },
        }
        break
      }
      if (stream.ended || stream.schema === schema) return
    }
  } finally {
    await stream.close()
  }
}

/** The stream goes on as the checkpoint has it, which is returned; throws if it is not one of this model. */
function goOn(stream: Stream, model: Model, from: Checkpoint): StoredStream {
  if (!from.stream) throw damaged(undefined)
  try {
    checkColumns(model, from.stream.schema)
    checkBest(from, lay(model, from.stream.schema.columns))
    stream.resume(from.stream)
    return from.stream
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
