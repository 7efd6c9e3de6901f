/** Learning from rows that can be read again: through the door twice, and then as often as the learner likes. */
import * as platform from "#workers"
import type { Chunk, Learner, Model, Training } from "../contract.ts"
import { CHUNK } from "../data/chunk.ts"
import { type Discovery, discover } from "../data/discover.ts"
import { encodeForLearning } from "../data/encode.ts"
import { type Data, isSource } from "../data/read.ts"
import { checkClasses, type Weighting } from "../data/weigh.ts"
import { inspect } from "../engine/inspect.ts"
import { type Laid, lay } from "../engine/lay.ts"
import { learnable, type Table } from "../engine/learnable.ts"
import { SufficeError, show } from "../errors.ts"
import { digestOf } from "../kernels/digest.ts"
import { columnMemory } from "../kernels/twins.ts"
import { type Checkpoint, damaged } from "../saved/checkpoint.ts"
import { encodePlain } from "../saved/plain.ts"
import { keeping } from "../threads/kept.ts"
import { SharedSweeps, workersFor } from "../threads/threads.ts"
import { continuation } from "./continuation.ts"
import type { Step } from "./fit.ts"
import { History } from "./history.ts"
import type { Knowledge } from "./knowledge.ts"
import { type About, publish } from "./publish.ts"
import { type Learn, type Weighed, weighUnlabelled } from "./unlabelled.ts"

/** They go from fit to fit. */
const workers = /* @__PURE__ */ keeping(platform)

/** `before`: what a model already knows, where learning goes on. */
export async function* tabled<Cells, Target extends string>(
  about: About<Cells, Target>,
  data: Data,
  before: Knowledge | undefined,
): AsyncGenerator<Step<Cells, Target>, void, void> {
  const { model, learner, threads, signal, dice } = about
  const { given, found, weighting, unlabelled } = await explored(about, data, before)
  const { schema, rows, weight } = found
  checkClasses(weighting, schema)
  const laid = lay(model, schema.columns)
  if (!before) checkComponents(laid, rows)
  const task = { model, laid, certain: isCertain(laid, found.missing) }
  const cut = { rows, chunk: CHUNK }
  const count = workersFor(threads, learner, task, cut, workers)
  // nothing is hidden: one sweep is enough
  const once = task.certain && learner.sweeps === true
  // Rows in memory that are swept once, by the one thread there is, need not be held a second time.
  const memory = once && count <= 1 && !isSource(data) ? columnMemory() : undefined
  const held = isSource(data) || memory ? undefined : await encoded(found, data, weighting, signal)
  const encode = () => encodeForLearning(schema, data, weighting, rows, signal, undefined, memory)
  // the first chunk is looked at before it is swept
  let begun = memory ? encode() : undefined
  const first: Chunk = begun ? (await begun.next()).value : await firstOf(held ?? encode())
  const chunks = () => {
    const rest = begun
    begun = undefined
    return held ?? (rest ? goingOn(first, rest) : encode())
  }
  const shared =
    count > 1
      ? new SharedSweeps({ asked: threads, count, workers }, task, { ...cut, chunks, held }, first[0], signal)
      : undefined
  const table: Table = {
    rows,
    weight,
    certain: task.certain,
    label: model.target,
    unlabelled: unlabelledIn(found, model.target),
    held,
    chunks() {
      if (shared?.gone) throw noRows(learner)
      return chunks()
    },
    sweep: shared && (params => shared.sweep(params)),
  }
  const fresh = learnable(laid, table, signal, dice.fork(0))
  const earlier = before && continuation(before, laid, fresh)
  const warnings = [
    ...found.diagnostics,
    ...(unlabelled?.diagnostics ?? []),
    ...(earlier?.warnings ?? []),
    ...inspect(laid.columns, schema.labels, first, rows),
  ]
  const history = new History(about, {
    // as they came: what rows without a label weigh follows from learner, seed and data
    rows: given.rows,
    weight: given.weight,
    // thousands of words, which only checkpoints compare
    columns: about.checkpoint ? encodePlain(given.schema.columns, "columns") : [],
    ...(before && { after: digestOf(before.stats) }),
  })
  const from = await history.read()
  checkBest(from, laid)
  const problem = earlier?.problem ?? fresh
  const mark = { ...earlier?.mark, ...weightMark(model, unlabelled) }
  const setting = { laid, schema, problem, diagnostics: () => warnings, mark }
  try {
    // The best of the runs that had ended comes first, for whoever looks for the best.
    if (from?.best) yield publish(about, setting, from.best, history)
    for await (const step of learner.learn(problem, dice.fork(1), from?.state)) {
      signal?.throwIfAborted()
      const kept = history.add(step)
      await history.write(kept)
      yield publish(about, setting, kept, history)
      // Whoever aborts in answer to a step, even the last, wants no model.
      signal?.throwIfAborted()
    }
  } finally {
    shared?.end()
  }
}

/** The best step of a checkpoint is handed out as it is: it must be one of this model. */
export function checkBest(from: Checkpoint | undefined, { statistics }: Laid): void {
  const stats = from?.best?.step.stats
  if (stats && (stats.length !== statistics || !stats.every(Number.isFinite))) throw damaged(undefined)
}

/**
 * What there is, and what rows without a label weigh. Those that weigh nothing are no rows: a word that stands only in them would still take its share of
 * every class.
 */
async function explored<Cells, Target extends string>(
  about: About<Cells, Target>,
  data: Data,
  before: Knowledge | undefined,
): Promise<{ given: Discovery; found: Discovery; weighting: Weighting; unlabelled: Weighed | undefined }> {
  const { model, learner, signal } = about
  const explore = (weighting: Weighting): Promise<Discovery> =>
    discover(model.uses, data, weighting, signal, before?.schema, learner.scaling)
  const given = await explore(about.weighting)
  const unlabelled = await weighUnlabelled(about, data, given, before, trialOf(about, before))
  if (!unlabelled || unlabelled.weight === 1)
    return { given, found: given, weighting: about.weighting, unlabelled }
  for (const column of given.schema.columns) given.schema.readings.get(column.name)?.forget(column)
  const weighting = { ...about.weighting, unlabelled }
  return { given, found: await explore(weighting), weighting, unlabelled }
}

/** Learns a trial to its end. */
export function trialOf<Cells, Target extends string>(
  about: About<Cells, Target>,
  before: Knowledge | undefined,
): Learn {
  return async (learner, rows, weighting) => {
    let last: Step<Cells, Target> | undefined
    const trial: About<Cells, Target> = { ...about, learner, weighting, threads: 1, checkpoint: undefined }
    for await (const step of tabled(trial, rows, before)) last = step
    return last!.fitted()
  }
}

/** Rows in which the label is missing, where it is one. */
export function unlabelledIn({ missing }: Discovery, label: string | undefined): number {
  return label === undefined ? 0 : (missing[label] ?? 0)
}

/** What training says of it: an update goes on with it. */
export function weightMark(model: Model, weighed: Weighting["unlabelled"]): Pick<Training, "unlabelled"> {
  return weighed && weighed.column === model.target ? { unlabelled: weighed.weight } : {}
}

/** Data in memory is encoded once; a source is read and encoded anew for each sweep. */
async function encoded(
  { schema, rows }: Discovery,
  data: Data,
  weighting: Weighting,
  signal: AbortSignal | undefined,
): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  for await (const chunk of encodeForLearning(schema, data, weighting, rows, signal)) chunks.push(chunk)
  return chunks
}

async function* goingOn(first: Chunk, rest: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  yield first
  yield* rest
}

async function firstOf(chunks: Iterable<Chunk> | AsyncIterable<Chunk>): Promise<Chunk> {
  for await (const chunk of chunks) return chunk
  return []
}

function noRows({ name }: Learner): SufficeError {
  return new SufficeError(
    "threads",
    `fit: the learner ${show(name)} asks for rows after a sweep. It says that it only sweeps, so the rows have gone to other threads. Leave \`sweeps\` out of it, or ask for rows before the first sweep.`,
    { learner: name },
  )
}

/** Is every label seen, and every cell of the leaves that would guess? */
export function isCertain(laid: Laid, missing: Readonly<Record<string, number>>): boolean {
  const chosen = laid.switches.every(
    ({ levels, hidden, column }) => levels.length === 1 || (!hidden && missing[column] === 0),
  )
  const read = laid.parts.every(({ leaf: { guesses }, names }) =>
    guesses === "missing" ? names.every(name => missing[name] === 0) : guesses === undefined,
  )
  return chosen && read
}

function checkComponents(laid: Laid, rows: number): void {
  for (const { column, hidden, levels } of laid.switches) {
    if (!hidden || levels.length <= rows) continue
    throw new SufficeError(
      "data",
      `${show(column)} has ${levels.length} components for ${rows} ${rows === 1 ? "row" : "rows"}. A component needs at least one row. Ask for fewer components, or bring more rows.`,
      { components: levels.length, rows },
    )
  }
}
