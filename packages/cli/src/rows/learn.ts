/** Learning from rows, with progress, and measuring the result. */
import { type Columns, type FitOptions, fit, type Step } from "suffice"
import { evaluate } from "suffice/measure"
import type { QualityAnswer } from "../answers.ts"
import { chosenBy } from "../choosing.ts"
import { LearningBar } from "../learning-bar.ts"
import type { LooseFitted } from "../loose.ts"
import { type ColumnSource, counted, gathered, rowCount } from "../tabular.ts"
import type { Learned, Watch } from "../task.ts"
import { hasWords, WordProgress } from "../word-progress.ts"
import type { Work } from "../work.ts"
import type { FittingOptions, Parts, Wanted } from "./prepare.ts"

/** The most training rows on which quality is measured. */
const LOOKED_AT = 20_000

/** Learns, with a progress bar: by rows for a stream, by number for epochs, step by step for EM. */
export async function learned(
  work: Work,
  wanted: Wanted,
  { train }: Parts,
  rows: number,
  given: FittingOptions,
  watch: Watch = {},
): Promise<Learned> {
  const began = performance.now()
  const progress = learningProgress(work, wanted, train, rows)
  await progress.begin()
  try {
    const options: FitOptions = {
      ...optionsOf(given),
      // a note names the file of rows that are too many to hold
      spill: {
        onSpill: ({ path }) => work.note(`More rows than memory holds: packed into ${path} until the end.`),
      },
      signal: work.signal,
      ...(watch.checkpoint && { checkpoint: watch.checkpoint }),
      ...(progress.onRows && { onRows: progress.onRows }),
      onStep(step) {
        watch.onStep?.(step)
        progress.onStep(step)
      },
    }
    const { fitted, choice } = await learnedOrChosen(work, wanted, progress.watched, options)
    if (choice) await watch.onChoice?.(choice)
    const { target } = wanted
    const calibrated = corrected(fitted, target, given)
    return {
      fitted: target === undefined ? calibrated : calibrated.withTarget(target),
      seconds: (performance.now() - began) / 1000,
      ...(choice && { choice }),
    }
  } finally {
    progress.end()
  }
}

function optionsOf({ seed = 0, weight, threads }: FittingOptions): FitOptions {
  return { seed, ...(weight !== undefined && { weight }), ...(threads !== undefined && { threads }) }
}

async function learnedOrChosen(
  work: Work,
  { model, preset, learner, candidates, target, flags }: Wanted,
  rows: Columns | ColumnSource,
  options: FitOptions,
): Promise<Pick<Learned, "fitted" | "choice">> {
  if (!candidates)
    return { fitted: (await fit(model!, rows, { ...options, learner: learner!.learner })) as LooseFitted }
  const choice = { candidates, label: target!, isModelGiven: preset !== undefined, ...(flags && { flags }) }
  return chosenBy(work, choice, rows, options)
}

/** Probabilities corrected by --temperature and --doubt. */
function corrected(
  fitted: LooseFitted,
  target: string | undefined,
  { temperature = 1, doubt }: FittingOptions,
): LooseFitted {
  if (temperature === 1 && (doubt ?? 0) === 0) return fitted
  return fitted.calibrated({
    target: target!,
    method: "temperature",
    temperature,
    ...(doubt !== undefined && { doubt }),
  })
}

/** The progress of a fit, and its rows, which a stream counts. */
interface Progress {
  readonly watched: Columns | ColumnSource
  readonly onRows?: (read: number) => void
  readonly onStep: (step: Step) => void
  begin(): Promise<void>
  end(): void
}

function learningProgress(
  work: Work,
  { model, learner }: Wanted,
  train: Parts["train"],
  rows: number,
): Progress {
  if (Symbol.asyncIterator in train) return streamProgress(work, train as ColumnSource, rows)
  const bar = new LearningBar(work, learner?.byEpochs ?? true)
  // the words of a table in memory are found, then encoded, before the first step; a choice has a bar of its own
  const words = model && hasWords(model) ? new WordProgress(work, rows) : undefined
  return {
    watched: train,
    ...(words && { onRows: (read: number) => words.read(read) }),
    onStep(step) {
      words?.stop()
      bar.at(step)
    },
    begin: async () => words?.show(),
    end() {
      words?.stop()
      bar.stop()
    },
  }
}

/** The rows of each pass are counted. */
function streamProgress(work: Work, train: ColumnSource, rows: number): Progress {
  const bar = work.progress("learning", rows)
  let pass = 0
  return {
    watched: {
      [Symbol.asyncIterator]() {
        bar.at(0, `pass ${++pass}`)
        return counted(train, n => bar.advance(n))[Symbol.asyncIterator]()
      },
    },
    onStep: () => undefined,
    begin: async () => undefined,
    end: () => bar.stop(),
  }
}

/** Quality on these rows, on held-out rows, or otherwise on training rows; undefined without a label. */
export async function measuredOf(
  fitted: LooseFitted,
  { train, test }: Parts,
  { weight }: Pick<FittingOptions, "weight">,
  testFile?: () => Promise<Columns>,
): Promise<{ quality: QualityAnswer; columns: Columns } | undefined> {
  if (fitted.model.target === undefined) return undefined
  const held = await test()
  const on = testFile ? "test file" : rowCount(held) > 0 ? "held-out rows" : "training rows"
  const columns = testFile ? await testFile() : on === "held-out rows" ? held : await beginning(train)
  const evaluation = evaluate(fitted, columns, {
    curves: true,
    ...(weight !== undefined && { weight }),
  }) as unknown as QualityAnswer["evaluation"]
  return { quality: { on, rows: rowCount(columns), evaluation }, columns }
}

export async function beginning(train: Parts["train"]): Promise<Columns> {
  if (!(Symbol.asyncIterator in train)) return train
  const batches: Columns[] = []
  let rows = 0
  for await (const batch of train as ColumnSource) {
    batches.push(batch)
    rows += rowCount(batch)
    if (rows >= LOOKED_AT) break
  }
  const some: ColumnSource = {
    async *[Symbol.asyncIterator]() {
      yield* batches
    },
  }
  return (await gathered(some)) as Columns
}
