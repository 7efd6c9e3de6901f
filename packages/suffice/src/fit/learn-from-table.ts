/** Learning from rows that can be read again: two passes to discover and encode them, then the sweeps of the learner. */
import * as platform from "#workers"
import type { Knowledge } from "../answers/knowledge.ts"
import type { Model } from "../contract/model.ts"
import type { Training } from "../contract/report.ts"
import type { Discovery } from "../data/discover.ts"
import { type Data, isSource } from "../data/read.ts"
import { checkClasses, type Weighting } from "../data/weigh.ts"
import { believed, believing, learning } from "../engine/believe.ts"
import { inspect } from "../engine/inspect.ts"
import { type Laid, lay, spreadOf } from "../engine/lay.ts"
import { learnable } from "../engine/learnable.ts"
import { remoteOf } from "../frames/remote.ts"
import type { SpilledSource } from "../frames/spill.ts"
import { digestOf } from "../kernels/digest.ts"
import { type Checkpoint, damaged } from "../saved/checkpoint.ts"
import { encodePlain } from "../saved/plain.ts"
import { continuation } from "./continuation.ts"
import { columnsRead, firstPass } from "./first-pass.ts"
import { History } from "./history.ts"
import type { Step } from "./options.ts"
import { type FitContext, type FitRequest, publish } from "./publish.ts"
import { tableRows } from "./table-rows.ts"
import type { Learn } from "./unlabelled.ts"

/** `before`: what the model already knows, in an update. */
export async function* learnFromTable<Cells, Target extends string>(
  request: FitRequest<Cells, Target>,
  data: Data,
  before: Knowledge | undefined,
): AsyncGenerator<Step<Cells, Target>, void, void> {
  const isPacked = isSource(data) && !remoteOf(data) && request.spill !== false
  const packed = isPacked ? platform.spill?.(data, columnsRead(request), request.spill || {}) : undefined
  try {
    yield* learnFromRows(request, packed ?? data, before, packed)
  } finally {
    packed?.end()
  }
}

async function* learnFromRows<Cells, Target extends string>(
  request: FitRequest<Cells, Target>,
  data: Data,
  before: Knowledge | undefined,
  packed: SpilledSource | undefined,
): AsyncGenerator<Step<Cells, Target>, void, void> {
  const { learner, signal, dice } = request
  const { context, given, end } = await posed(request, data, before, packed)
  const history = new History(request, {
    // before rows without a label are weighed: their weight follows from learner, seed and data
    rows: given.rows,
    weight: given.weight,
    // thousands of words, perhaps, which only checkpoints compare
    columns: request.checkpoint ? encodePlain(given.schema.columns, "columns") : [],
    ...(before && { after: digestOf(before.stats) }),
  })
  try {
    const from = await history.read()
    checkBest(from, context.laid)
    // a caller who looks for the best run must see the best of the earlier ones
    if (from?.best) yield publish(request, context, from.best, history)
    for await (const step of learner.learn(context.problem, dice.fork(1), from?.state)) {
      signal?.throwIfAborted()
      const recorded = history.add(step)
      await history.write(recorded)
      yield publish(request, context, recorded, history)
      // a caller who aborts in response to a step, even the last, wants no model
      signal?.throwIfAborted()
    }
  } finally {
    end()
  }
}

/** The problem that a learner solves: the model laid out on the first pass, the encoded rows, and what an update continues. */
async function posed<Cells, Target extends string>(
  request: FitRequest<Cells, Target>,
  data: Data,
  before: Knowledge | undefined,
  packed: SpilledSource | undefined,
): Promise<{ context: FitContext; given: Discovery; end: () => void }> {
  const { model, learner, signal, dice } = request
  const pass = await firstPass(request, data, before, trialOf(request, before))
  const { given, found, unlabelled } = pass
  const { schema } = found
  checkClasses(pass.weighting, schema)
  const laid = lay(learner.beliefs ? believing(model, learner.beliefs, learning) : model, schema.columns)
  const isEmpty = found.rows === 0 && !before
  const totals = { ...found, isOnlyEvidence: !before && !isEmpty && !learner.beliefs }
  const notices = laid.notices.flatMap(notice => notice.data?.(laid, totals) ?? [])
  const { task, table, first, end } = await tableRows(request, data, pass, laid, isEmpty, packed)
  const fresh = learnable(laid, table, signal, dice.fork(0))
  const earlier = before && continuation(before, laid, fresh)
  const warnings = [
    ...found.diagnostics,
    ...notices,
    ...(unlabelled?.diagnostics ?? []),
    ...(earlier?.warnings ?? []),
    ...inspect(laid.columns, schema.labels, first, found.rows),
  ]
  const plain = earlier?.problem ?? fresh
  const isSeen = (column: string): boolean => (found.missing[column] ?? 0) < found.rows
  const problem = task.isBelieved ? believed(plain, laid, before && fixedSpread(before), isSeen) : plain
  const mark = { ...earlier?.mark, ...weightMark(model, unlabelled) }
  return { context: { laid, schema, problem, diagnostics: () => warnings, mark }, given, end }
}

/** In an update of a posterior, the spread that its prior is relative to stays. */
function fixedSpread({ laid, stats, spread, model }: Knowledge): Float64Array | undefined {
  return model.beliefs && (spread ?? spreadOf(laid, stats))
}

/** The best step of a checkpoint is yielded unchanged, so it must fit this model. */
export function checkBest(from: Checkpoint | undefined, { statistics }: Laid): void {
  const stats = from?.best?.step.stats
  if (stats && (stats.length !== statistics || !stats.every(Number.isFinite))) throw damaged(undefined)
}

/** Runs a trial fit to its end. */
export function trialOf<Cells, Target extends string>(
  request: FitRequest<Cells, Target>,
  before: Knowledge | undefined,
): Learn {
  return async (learner, rows, weighting) => {
    let last: Step<Cells, Target> | undefined
    const trial: FitRequest<Cells, Target> = {
      ...request,
      ...{ learner, weighting, threads: 1, onRows: undefined, checkpoint: undefined },
    }
    for await (const step of learnFromTable(trial, rows, before)) last = step
    return last!.fitted()
  }
}

/** What the training record says of it, for updates to use again. */
export function weightMark(model: Model, weighed: Weighting["unlabelled"]): Pick<Training, "unlabelled"> {
  return weighed && weighed.column === model.target ? { unlabelled: weighed.weight } : {}
}
