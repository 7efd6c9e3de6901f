/** `fit` and `learn`: data through the door, the model laid out on it, the learner run. */
import type {
  Chunk,
  Diagnostic,
  Dice,
  Learnable,
  Learner,
  LearnerStep,
  Model,
  Training,
} from "../contract.ts"
import { type Discovery, discover, type Schema } from "../data/discover.ts"
import { encodeForLearning } from "../data/encode.ts"
import { type Data, isSource, type Source } from "../data/read.ts"
import { checkClasses, type Weighting, weightingOf } from "../data/weigh.ts"
import { inspect } from "../engine/inspect.ts"
import { type Laid, lay } from "../engine/lay.ts"
import { grownCounts, learnable, type Table } from "../engine/learnable.ts"
import { transfer } from "../engine/transfer.ts"
import { SufficeError, show, unknownOption } from "../errors.ts"
import { em } from "../learners/em.ts"
import { dice } from "../random.ts"
import { encodePlain } from "../saved/plain.ts"
import { continuation } from "./continuation.ts"
import { Fitted } from "./fitted.ts"
import { digest, History } from "./history.ts"
import type { Knowledge } from "./knowledge.ts"
import { checkSeed, expected } from "./options.ts"
import { isStream, Stream } from "./stream.ts"
import type { DataFor } from "./types.ts"

export interface FitOptions {
  /** Without it em(); in an update em with the prior the model has: a specified one has none, and counts itself as one row. */
  readonly learner?: Learner
  readonly seed?: number
  /** The column of row weights. */
  readonly weight?: string
  /** Factors on the weight of labelled rows, by level of the model's label. */
  readonly classWeights?: Readonly<Record<string, number>>
  readonly signal?: AbortSignal
  /** Called after each step; the loop itself is `learn`. */
  readonly onStep?: (step: Step) => void
  /** After each step `write` gets all that is needed to go on from there; when learning begins, `read` gives it back. */
  readonly checkpoint?: Checkpointing
}

export interface Checkpointing {
  /** What was written last; undefined or nothing in it: learning begins anew. */
  read(): Uint8Array | undefined | Promise<Uint8Array | undefined>
  /** Learning goes on when it is written: keep the last one whole, by writing to another name first. */
  write(bytes: Uint8Array): void | Promise<void>
}

export interface Step<Cells = unknown, Target extends string = string> {
  readonly iteration: number
  readonly run: number
  /** What the learner climbs. EM: log-likelihood + ln prior, at the parameters of this step; in an update see Training.logLikelihood. */
  readonly objective: number
  readonly change: number
  readonly rows: number
  readonly diagnostics: readonly Diagnostic[]
  readonly stopped?: LearnerStep["stopped"]
  /** The model at this step. */
  fitted(): Fitted<Cells, Target>
}

/** Learning goes on: the model's statistics and those of new rows, levels and words. */
export async function update<Cells, Target extends string>(
  known: Knowledge,
  data: Data,
  options: FitOptions,
): Promise<Fitted<Cells, Target>> {
  return lastOfBest(steps<Cells, Target>(known.model as Model<Cells, Target>, data, options, known), options)
}

/**
 * Learn the model: the best run's last step. The best run has the highest objective, but one that ends with a parameter set held
 * at the edge of its domain comes after all that do not: there the likelihood has no maximum, and its height says nothing.
 */
export async function fit<Cells, Target extends string, const Given>(
  model: Model<Cells, Target>,
  data: DataFor<Cells, Target, Given>,
  options: FitOptions = {},
): Promise<Fitted<Cells, Target>> {
  return lastOfBest(learn(model, data, options), options)
}

async function lastOfBest<Cells, Target extends string>(
  steps: AsyncGenerator<Step<Cells, Target>, void, void>,
  options: FitOptions,
): Promise<Fitted<Cells, Target>> {
  let best: Step<Cells, Target> | undefined
  for await (const step of steps) {
    options.onStep?.(step)
    // A run that is not finite anywhere is still better than none.
    if (step.stopped && (!best || isBetter(step, best))) best = step
  }
  if (best) return best.fitted()
  throw new SufficeError(
    "option",
    "fit: the learner ended without finishing a run. Its last step must say why it stopped. Set `stopped` on the last step of each run, or take steps from learn().",
    { option: "learner" },
  )
}

/** Of two ended runs. */
export function isBetter(step: Ranked, best: Ranked): boolean {
  if (isHeld(step) !== isHeld(best)) return isHeld(best)
  return step.objective > best.objective
}

export type Ranked = Pick<Step, "objective" | "diagnostics">

/** Does something stand at the edge of its domain, such as a variance near 0? */
export function isHeld({ diagnostics }: Pick<Step, "diagnostics">): boolean {
  return diagnostics.some(({ code }) => code === "held-at-floor")
}

/** The loop in the caller's hands: one step after the other. */
export function learn<Cells, Target extends string, const Given>(
  model: Model<Cells, Target>,
  data: DataFor<Cells, Target, Given>,
  options: FitOptions = {},
): AsyncGenerator<Step<Cells, Target>, void, void> {
  return steps(model, data as Data, options, undefined)
}

async function* steps<Cells, Target extends string>(
  model: Model<Cells, Target>,
  data: Data,
  options: FitOptions,
  before: Knowledge | undefined,
): AsyncGenerator<Step<Cells, Target>, void, void> {
  const { learner = em(before && { prior: before.prior }), seed = 0, signal, checkpoint } = checked(options)
  checkModel(model)
  const weighting = weightingOf(model, options)
  const root = dice(seed)
  const about = { model, learner, seed, weighting, signal, checkpoint, dice: root.fork(1) }
  if (isStream(data)) {
    yield* streamed(about, data, root, before)
    return
  }
  const found = await discover(model.uses, data, weighting, signal, before?.schema, learner.scaling)
  checkClasses(weighting, found.schema)
  const laid = lay(model, found.schema.columns)
  if (!before) checkComponents(laid, found.rows)
  const table = { ...(await tableOf(laid, found, data, weighting, signal)), label: model.target }
  const fresh = learnable(laid, table, signal, root.fork(0))
  const earlier = before && continuation(before, laid, fresh)
  const warnings = [
    ...found.diagnostics,
    ...(earlier?.warnings ?? []),
    ...(await inspectFirst(laid, found, table)),
  ]
  const history = new History(about, {
    rows: found.rows,
    weight: found.weight,
    columns: encodePlain(found.schema.columns, "columns"),
    ...(before && { after: digest(before.stats) }),
  })
  const from = await history.read()
  const problem = earlier?.problem ?? fresh
  const setting = { laid, schema: found.schema, problem, diagnostics: () => warnings, mark: earlier?.mark }
  // The best of the runs that had ended comes first, for whoever looks for the best.
  if (from?.best) yield publish(about, setting, from.best, history)
  for await (const step of learner.learn(problem, about.dice, from?.state)) {
    signal?.throwIfAborted()
    history.add(step)
    await history.write(step)
    yield publish(about, setting, step, history)
    // Whoever aborts in answer to a step, even the last, wants no model.
    signal?.throwIfAborted()
  }
}

/** What one call of `fit` or `learn` is about. */
interface About<Cells, Target extends string> {
  readonly model: Model<Cells, Target>
  readonly learner: Learner
  readonly seed: number
  readonly weighting: Weighting
  readonly signal: AbortSignal | undefined
  readonly checkpoint: Checkpointing | undefined
  readonly dice: Dice
}

/** What learning happens on. */
interface Setting {
  readonly laid: Laid
  readonly schema: Schema
  readonly problem: Learnable
  diagnostics(): readonly Diagnostic[]
  readonly mark?: Pick<Training, "continued"> | undefined
}

/** Rows that come once: the model grows with the labels that appear. */
async function* streamed<Cells, Target extends string>(
  about: About<Cells, Target>,
  data: Source,
  root: Dice,
  before: Knowledge | undefined,
): AsyncGenerator<Step<Cells, Target>, void, void> {
  const { model, learner, weighting, signal } = about
  checkStream(learner, before)
  const stream = new Stream(data, model, weighting, root.fork(2), signal)
  try {
    const history = new History(about, "a stream")
    const from = await history.read()
    const warmup = learner.warmup ?? 1
    let chunks: Chunk[] = []
    let warnings: readonly Diagnostic[] = []
    let certain = false
    if (from?.stream) stream.resume(from.stream.schema, warmup, from.stream)
    else {
      const begun = await stream.begin(warmup, learner.scaling)
      checkClasses(weighting, begun.found.schema)
      chunks = begun.chunks
      warnings = begun.found.diagnostics
      certain = isCertain(lay(model, stream.schema.columns), begun.found.missing)
    }
    let state = from?.state
    for (;;) {
      const { schema } = stream
      const laid = lay(model, schema.columns)
      const table: Table = {
        get rows() {
          return stream.rows
        },
        get weight() {
          return stream.weight
        },
        certain,
        label: model.target,
        chunks: () => chunks,
        batches: size => stream.batches(size),
        stream,
      }
      const problem = learnable(laid, table, signal, root.fork(0))
      const setting = { laid, schema, problem, diagnostics: () => [...warnings, ...stream.diagnostics()] }
      for await (const step of learner.learn(problem, about.dice, state)) {
        signal?.throwIfAborted()
        history.add(step)
        if (!Number.isFinite(step.logLikelihood)) {
          // past the warm-up
          const { columns, labels } = schema
          await history.write(step, {
            schema: { columns, labels },
            rows: stream.rows,
            weight: stream.weight,
          })
        }
        yield publish(about, setting, step, history)
        signal?.throwIfAborted()
        if (!stream.grows) continue
        const grown = lay(model, (await stream.grow()).columns)
        const counts = grownCounts(grown, transfer(laid, grown, step.stats))
        state = { numbers: step.state!().numbers, arrays: { counts } }
        break
      }
      if (stream.ended || stream.schema === schema) return
    }
  } finally {
    await stream.close()
  }
}

/** Only learners that take rows as they come can learn from rows that come once. */
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

function publish<Cells, Target extends string>(
  { model, learner, seed }: About<Cells, Target>,
  { laid, schema, problem, diagnostics: warnings, mark }: Setting,
  step: LearnerStep,
  history: History,
): Step<Cells, Target> {
  const diagnostics = [...warnings(), ...step.diagnostics]
  const { trace } = history.upTo()
  const { rows, weight } = problem
  return {
    iteration: step.iteration,
    run: step.run,
    objective: step.objective,
    change: step.change,
    rows: step.rows,
    diagnostics,
    ...(step.stopped && { stopped: step.stopped }),
    fitted: () =>
      new Fitted<Cells, Target>({
        model,
        laid,
        schema,
        stats: step.stats,
        prior: step.prior,
        training: {
          learner: { name: learner.name, options: learner.options },
          seed,
          rows,
          weight,
          run: step.run,
          iterations: step.iteration,
          objective: step.objective,
          logLikelihood: step.logLikelihood,
          entropy: step.entropy,
          trace,
          // all that have ended by now
          runs: history.upTo().runs,
          ...mark,
        },
        diagnostics,
      }),
  }
}

/** Data in memory is encoded once; a source is read and encoded anew for each sweep. */
async function tableOf(
  laid: Laid,
  { schema, rows, weight, missing }: Discovery,
  data: Data,
  weighting: Weighting,
  signal: AbortSignal | undefined,
): Promise<Table> {
  const certain = isCertain(laid, missing)
  if (isSource(data)) {
    return {
      rows,
      weight,
      certain,
      chunks: () => encodeForLearning(schema, data, weighting, rows, signal),
    }
  }
  const chunks: Chunk[] = []
  for await (const chunk of encodeForLearning(schema, data, weighting, rows, signal)) chunks.push(chunk)
  return { rows, weight, certain, chunks: () => chunks }
}

/** Warnings about columns, from the first chunk of the data. */
async function inspectFirst(laid: Laid, { schema }: Discovery, table: Table): Promise<Diagnostic[]> {
  for await (const chunk of table.chunks()) return inspect(laid.columns, schema.labels, chunk, table.rows)
  return []
}

/** Is every label seen, and every cell of the leaves that would guess? */
function isCertain(laid: Laid, missing: Readonly<Record<string, number>>): boolean {
  return laid.parts.every(part => {
    if (part.part === "switch")
      return part.levels.length === 1 || (!part.hidden && missing[part.column] === 0)
    if (part.leaf.guesses === "missing") return part.names.every(name => missing[name] === 0)
    return part.leaf.guesses === undefined
  })
}

function checkComponents(laid: Laid, rows: number): void {
  for (const part of laid.parts) {
    if (part.part !== "switch" || !part.hidden || part.levels.length <= rows) continue
    throw new SufficeError(
      "data",
      `${show(part.column)} has ${part.levels.length} components for ${rows} ${rows === 1 ? "row" : "rows"}. A component needs at least one row. Ask for fewer components, or bring more rows.`,
      { components: part.levels.length, rows },
    )
  }
}

function checkModel(model: Model): void {
  if (typeof model?.lay === "function") return
  throw new SufficeError(
    "model",
    `fit: the model is ${show(model)}. It must be made by classes, mixture, independent or normal. Write for example fit(independent({ x: gaussian() }), rows).`,
  )
}

const OPTIONS = ["learner", "seed", "weight", "classWeights", "signal", "onStep", "checkpoint"]

function checked(options: FitOptions): FitOptions {
  const wrong = unknownOption("fit", options, OPTIONS)
  if (wrong) throw wrong
  checkSeed("fit", options.seed)
  const { learner, weight, onStep, signal } = options
  expected(
    "fit",
    "learner",
    learner,
    typeof learner?.learn === "function",
    "be a learner",
    "{ learner: em() }",
  )
  expected("fit", "weight", weight, typeof weight === "string", "name a column", '{ weight: "count" }')
  expected("fit", "onStep", onStep, typeof onStep === "function", "be a function", "{ onStep: step => … }")
  const aborts = typeof signal?.throwIfAborted === "function"
  expected("fit", "signal", signal, aborts, "be an AbortSignal", "{ signal: controller.signal }")
  const { checkpoint } = options
  const kept = typeof checkpoint?.read === "function" && typeof checkpoint?.write === "function"
  expected(
    "fit",
    "checkpoint",
    checkpoint,
    kept,
    "have read() and write(bytes)",
    "{ checkpoint: { read, write } }",
  )
  return options
}
