/** Learning from rows that can be read again: two passes through the door, then as many sweeps as the learner wants. */
import * as platform from "#workers"
import type { Knowledge } from "../answers/knowledge.ts"
import type { Lifetime } from "../contract/door.ts"
import type { Learner } from "../contract/learner.ts"
import type { Model } from "../contract/model.ts"
import type { Training } from "../contract/report.ts"
import { CHUNK } from "../data/cut.ts"
import { type Discovery, discover, Exploration } from "../data/discover.ts"
import { encodeForLearning, forget } from "../data/encode.ts"
import { type Data, isSource } from "../data/read.ts"
import { checkClasses, type Weighting } from "../data/weigh.ts"
import { believed, believing, learning } from "../engine/believe.ts"
import { inspect } from "../engine/inspect.ts"
import { type Laid, lay, spreadOf } from "../engine/lay.ts"
import { learnable, type Table } from "../engine/learnable.ts"
import { manyTopics } from "../engine/topic-shortage.ts"
import { SufficeError, show } from "../errors.ts"
import {
  discoverRemote,
  pickRemote,
  type Remote,
  remoteOf,
  roundRemote,
  sweepRemote,
} from "../frames/remote.ts"
import type { SpilledSource } from "../frames/spill.ts"
import { digestOf } from "../kernels/digest.ts"
import { columnMemory } from "../kernels/twins.ts"
import { type Checkpoint, damaged } from "../saved/checkpoint.ts"
import { encodePlain } from "../saved/plain.ts"
import { reusableWorkers } from "../threads/idle.ts"
import { plainTask, type Task } from "../threads/pool.ts"
import { SharedSweeps, workersFor } from "../threads/threads.ts"
import { checkComponents, moreStates } from "./component-count.ts"
import { continuation } from "./continuation.ts"
import { encodeAll, firstOf, startingWith } from "./encoded-rows.ts"
import { History } from "./history.ts"
import type { Step } from "./options.ts"
import { type FitRequest, publish } from "./publish.ts"
import { type Learn, type UnlabelledWeight, weighUnlabelled } from "./unlabelled.ts"

/** Shared by all fits. */
const workers = /* @__PURE__ */ reusableWorkers(platform)

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

/** The columns of the model and of the weights. */
function columnsRead({
  model,
  weighting,
}: Pick<FitRequest<unknown, string>, "model" | "weighting">): string[] {
  const seen = model.uses.filter(use => use.role !== "hidden").map(use => use.column)
  return [...new Set(weighting.column === undefined ? seen : [...seen, weighting.column])]
}

async function* learnFromRows<Cells, Target extends string>(
  request: FitRequest<Cells, Target>,
  data: Data,
  before: Knowledge | undefined,
  packed: SpilledSource | undefined,
): AsyncGenerator<Step<Cells, Target>, void, void> {
  const { model, learner, threads, signal, dice } = request
  const { given, found, weighting, unlabelled } = await exploreRows(request, data, before)
  const { schema, rows, weight } = found
  checkClasses(weighting, schema)
  const laid = lay(learner.beliefs ? believing(model, learner.beliefs, learning) : model, schema.columns)
  // without any row there is nothing to guess; a component of a posterior without rows is what was believed before
  const isEmpty = rows === 0 && !before
  if (!before && !isEmpty && !learner.beliefs) checkComponents(laid, found)
  const task: Task = {
    model,
    laid,
    certain: isEmpty || isCertain(laid, found.missing),
    isBelieved: learner.beliefs !== undefined,
    door: isSource(data) ? { labels: schema.labels, weighting } : undefined,
  }
  const remote = remoteOf(data)
  const cut = { rows, chunk: CHUNK }
  const count = remote ? 1 : workersFor(threads, learner, task, cut, workers)
  // nothing is hidden: one sweep is enough, and rows in memory that this thread sweeps need not stay in encoded form
  const isOnce = task.certain && learner.sweeps === true && count <= 1 && !isSource(data)
  const inMemory = isSource(data) || isOnce ? undefined : await encodeAll(found, data, weighting, request)
  const memory = { chunk: columnMemory(), fit: undefined }
  const encode = (lifetime: Lifetime) =>
    encodeForLearning(schema, data, weighting, rows, signal, undefined, memory[lifetime])
  // the first chunk with rows is inspected before it is swept
  let begun = isOnce ? encode("chunk") : undefined
  const read = await firstOf(begun ?? inMemory ?? encode("fit"), begun !== undefined)
  const first = read[read.length - 1] ?? []
  const chunks = (lifetime: Lifetime = "fit") => {
    const rest = begun
    begun = undefined
    return inMemory ?? (rest ? startingWith(read, rest) : encode(lifetime))
  }
  const shared =
    count > 1
      ? new SharedSweeps(
          { requested: threads, count, workers },
          task,
          // passes of online EM begin every run where something hides inside a leaf
          {
            ...{ ...cut, chunks, inMemory, stay: laid.parts.some(({ leaf }) => leaf.latent?.start) },
            frames: () => packed?.frames,
          },
          first[0],
          signal,
        )
      : undefined
  const table: Table = {
    rows,
    weight,
    certain: task.certain,
    onlyTagsHide: !remote && onlyTagsHide(laid, found.missing),
    label: model.target,
    unlabelled: unlabelledIn(found, model.target),
    inMemory,
    chunks(lifetime) {
      if (shared?.gone) throw rowsAreGone(learner)
      return chunks(lifetime)
    },
    sweep: shared && (params => shared.sweep(params)),
    ...(remote && sweptElsewhere(remote, task, found, signal)),
  }
  const fresh = learnable(laid, table, signal, dice.fork(0))
  const earlier = before && continuation(before, laid, fresh)
  const warnings = [
    ...found.diagnostics,
    ...moreStates(laid, found),
    ...(unlabelled?.diagnostics ?? []),
    ...(earlier?.warnings ?? []),
    ...inspect(laid.columns, schema.labels, first, rows),
    ...manyTopics(laid.parts, rows),
  ]
  const history = new History(request, {
    // before unlabelled rows are weighed: their weight follows from learner, seed and data
    rows: given.rows,
    weight: given.weight,
    // may hold thousands of words, and only checkpoints compare them
    columns: request.checkpoint ? encodePlain(given.schema.columns, "columns") : [],
    ...(before && { after: digestOf(before.stats) }),
  })
  const from = await history.read()
  checkBest(from, laid)
  const posed = earlier?.problem ?? fresh
  const isSeen = (column: string): boolean => (found.missing[column] ?? 0) < rows
  const problem = task.isBelieved ? believed(posed, laid, before && fixedSpread(before), isSeen) : posed
  const mark = { ...earlier?.mark, ...weightMark(model, unlabelled) }
  const context = { laid, schema, problem, diagnostics: () => warnings, mark }
  try {
    // a caller who looks for the best run must see the best of the earlier ones
    if (from?.best) yield publish(request, context, from.best, history)
    for await (const step of learner.learn(problem, dice.fork(1), from?.state)) {
      signal?.throwIfAborted()
      const recorded = history.add(step)
      await history.write(recorded)
      yield publish(request, context, recorded, history)
      // a caller who aborts in response to a step, even the last, wants no model
      signal?.throwIfAborted()
    }
  } finally {
    shared?.end()
  }
}

/** In an update of a posterior, the spread that its prior is relative to stays. */
function fixedSpread({ laid, stats, spread, model }: Knowledge): Float64Array | undefined {
  return model.beliefs && (spread ?? spreadOf(laid, stats))
}

/** Sweeps and samples of rows that stay on other machines. */
function sweptElsewhere(
  remote: Remote,
  task: Task,
  { chunks }: Discovery,
  signal: AbortSignal | undefined,
): Pick<Table, "sweep" | "rowsAt" | "round"> {
  const round = remote.round?.bind(remote)
  return {
    ...(round && {
      round: (given, dice) => roundRemote(round, plainTask(task), chunks, given, dice, signal),
    }),
    sweep: params => sweepRemote(remote, plainTask(task), task.laid, chunks, params, signal),
    rowsAt: ranks => pickRemote(remote, plainTask(task), chunks, ranks, signal),
  }
}

/** The best step of a checkpoint is yielded unchanged, so it must fit this model. */
export function checkBest(from: Checkpoint | undefined, { statistics }: Laid): void {
  const stats = from?.best?.step.stats
  if (stats && (stats.length !== statistics || !stats.every(Number.isFinite))) throw damaged(undefined)
}

/**
 * The first pass, and the weight of rows without a label. If they weigh nothing, the pass is repeated without them: a word that occurs only in
 * them would still take its share of every class.
 */
async function exploreRows<Cells, Target extends string>(
  request: FitRequest<Cells, Target>,
  data: Data,
  before: Knowledge | undefined,
): Promise<{
  given: Discovery
  found: Discovery
  weighting: Weighting
  unlabelled: UnlabelledWeight | undefined
}> {
  const { model, learner, signal } = request
  const remote = remoteOf(data)
  const known = before?.schema
  const { scaling } = learner
  const mayBeEmpty = learner.beliefs !== undefined
  const explore = (weighting: Weighting): Promise<Discovery> => {
    if (!remote)
      return discover(model.uses, data, weighting, signal, known, scaling, mayBeEmpty, request.onRows)
    const task = { spec: model.spec, weighting, known: known?.columns, scaling }
    const exploration = new Exploration(model.uses, weighting, known, scaling)
    return discoverRemote(remote, exploration, task, columnsRead({ model, weighting }), signal)
  }
  const given = await explore(request.weighting)
  const unlabelled = await weighUnlabelled(request, data, given, before, trialOf(request, before))
  if (!unlabelled || unlabelled.weight === 1)
    return { given, found: given, weighting: request.weighting, unlabelled }
  forget(given.schema)
  const weighting = { ...request.weighting, unlabelled }
  return { given, found: await explore(weighting), weighting, unlabelled }
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

/** How many rows lack the label. One that stands in the steps is missing in steps, not in rows. */
export function unlabelledIn(
  { missing, schema }: Pick<Discovery, "missing" | "schema">,
  label: string | undefined,
): number {
  return label !== undefined && schema.columns.some(({ name }) => name === label) ? (missing[label] ?? 0) : 0
}

/** What the training record says of it, for updates to use again. */
export function weightMark(model: Model, weighed: Weighting["unlabelled"]): Pick<Training, "unlabelled"> {
  return weighed && weighed.column === model.target ? { unlabelled: weighed.weight } : {}
}

function rowsAreGone({ name }: Learner): SufficeError {
  return new SufficeError(
    "threads",
    `fit: the learner ${show(name)} asks for rows after a sweep. It says that it only sweeps, so the rows have gone to other threads. Leave \`sweeps\` out of it, or ask for rows before the first sweep.`,
    { learner: name },
  )
}

/** Is every label seen but for tags of steps, of which some are not? */
export function onlyTagsHide(laid: Laid, missing: Readonly<Record<string, number>>): boolean {
  const tags = laid.switches.filter(({ walk, hidden }) => walk && !hidden).map(({ column }) => column)
  return (
    tags.some(tag => missing[tag] > 0) &&
    isCertain(laid, { ...missing, ...Object.fromEntries(tags.map(tag => [tag, 0])) })
  )
}

/** Is every label seen, and every cell of leaves that would otherwise guess? */
export function isCertain(laid: Laid, missing: Readonly<Record<string, number>>): boolean {
  const chosen = laid.switches.every(
    ({ levels, hidden, column }) => levels.length === 1 || (!hidden && missing[column] === 0),
  )
  const read = laid.parts.every(({ leaf: { latent }, columns }) =>
    latent?.when === "missing" ? columns.every(({ name }) => missing[name] === 0) : latent === undefined,
  )
  return chosen && read
}
