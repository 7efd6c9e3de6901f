/** Sequences of steps, as a task. */
import { type Columns, type FitOptions, fit } from "suffice"
import { isWide } from "../data.ts"
import { many } from "../format.ts"
import { type Chosen, learnedBy } from "../learner.ts"
import { LearningBar } from "../learning-bar.ts"
import type { LooseFitted } from "../loose.ts"
import type { Findings } from "../measured.ts"
import type { Learned, Measurement, Task, Watch } from "../task.ts"
import { basisOf } from "../training.ts"
import type { Work } from "../work.ts"
import { sequencesText } from "./data.ts"
import { type FittingSequences, type PreparedSequences, qualityOf } from "./fitting.ts"
import { pathAnswer } from "./path.ts"
import { chainsAnswer, chainsText } from "./states.ts"
import type { Cut, Sequences } from "./table.ts"

/** `testSequences`: the sequences of a test file, as a model reads them. */
export function sequencesTask(
  base: PreparedSequences,
  learner: Chosen,
  cut: Cut,
  options: FittingSequences,
  testSequences?: (fitted: LooseFitted) => Promise<Sequences>,
): Task {
  const { wanted, data, goal, parts } = base
  const { train, test } = parts
  const sequences = many(train.count, "sequence")
  const steps = many(train.length, "step")

  return {
    name: wanted.name,
    data,
    text: sequencesText(data),
    brief: isWide(data.columns.length),
    target: goal,
    steps: wanted.steps,
    seed: options.seed ?? 0,
    learn: (work, watch) => learned(work, base, learner, options, watch),
    targeted: fitted => fitted,
    inWords: ({ fitted }) => ({ name: wanted.name, by: learnedBy(fitted, learner) }),
    extent: () => ({
      sentence: `${sequences} of ${steps}`,
      lead: `${sequences} of ${data.name}, ${steps},`,
      facts: [
        ["data", `${data.name}, ${many(data.sequences, "sequence")}, ${many(data.steps, "step")}`],
        ["learned from", `${sequences}, ${steps}`],
      ],
      unit: "step",
      units: train.length,
    }),
    async measure(fitted): Promise<Measurement | undefined> {
      if (goal === undefined) return undefined
      const on = testSequences ? "test file" : test.length > 0 ? "held-out rows" : "training rows"
      const size = on === "test file" ? await testSequences!(fitted) : on === "held-out rows" ? test : train
      return { quality: qualityOf(fitted, size, on), columns: size.columns, size }
    },
    findings: (fitted, measurement) =>
      findingsOf(fitted, base, cut, options.tag === undefined, (measurement ?? train).columns),
    counts: (_, measurement) => ({
      sequences: { learned: train.count, measured: measurement?.size?.count ?? 0 },
      rows: { learned: train.length, measured: measurement?.size?.length ?? 0 },
    }),
    train: async () => train.columns,
  }
}

/** `looked`: the sequences of which one is drawn with its path. `isHidden`: the states are printed. */
function findingsOf(
  fitted: LooseFitted,
  { wanted, parts: { train } }: PreparedSequences,
  cut: Cut,
  isHidden: boolean,
  looked: Columns,
): Findings {
  const chains = chainsAnswer(fitted)
  return {
    text: isHidden ? chainsText(chains) : undefined,
    answer: { chains },
    async sections() {
      const path = pathAnswer(fitted, looked, wanted.steps, cut)
      const basis = { ...basisOf(fitted), rows: train.length, unit: "step" }
      return { chains, ...(path && { path }), basis }
    },
  }
}

async function learned(
  work: Work,
  { wanted, parts: { train } }: PreparedSequences,
  { learner, byEpochs }: Chosen,
  { seed = 0, threads }: FittingSequences,
  { checkpoint, onStep }: Watch = {},
): Promise<Learned> {
  const began = performance.now()
  const bar = new LearningBar(work, byEpochs)
  const options: FitOptions = {
    seed,
    ...(threads !== undefined && { threads }),
    learner,
    signal: work.signal,
    ...(checkpoint && { checkpoint }),
    onStep(step) {
      onStep?.(step)
      bar.at(step)
    },
  }
  try {
    await bar.show(`reading ${many(train.length, "step")}`)
    const fitted = (await fit(wanted.model, train.columns, options)) as LooseFitted
    return { fitted, seconds: (performance.now() - began) / 1000 }
  } finally {
    bar.stop()
  }
}
