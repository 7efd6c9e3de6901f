/** The steps of learning: options checked, the model laid out on the data, the learner run. */

import type { Knowledge } from "../answers/knowledge.ts"
import type { Learner } from "../contract/learner.ts"
import type { Model } from "../contract/model.ts"
import type { Description } from "../contract/report.ts"
import type { Data } from "../data/read.ts"
import { weightingOf } from "../data/weigh.ts"
import { given, list, SufficeError, show } from "../errors.ts"
import { prepareKernels } from "../kernels/fast/use.ts"
import { em } from "../learners/em.ts"
import { expected } from "../option-checks.ts"
import { dice } from "../random.ts"
import { isRecord } from "../shape.ts"
import { isBetter } from "./best.ts"
import { forgetting } from "./continuation.ts"
import type { Fitted } from "./fitted.ts"
import { learnFromStream } from "./learn-from-stream.ts"
import { learnFromTable } from "./learn-from-table.ts"
import { checkedOptions, type FitOptions, type Step, type UpdateOptions } from "./options.ts"
import type { FittedOf } from "./publish.ts"
import { isStream } from "./stream.ts"

/** Continue learning: the model's statistics plus those of new rows, levels and words. */
export async function updated<Cells, Target extends string>(
  known: Knowledge,
  data: Data,
  updating: UpdateOptions,
  fittedOf: FittedOf,
): Promise<Fitted<Cells, Target>> {
  const { forget = 1, ...options } = given("update", updating)
  const isShare = typeof forget === "number" && forget > 0 && forget <= 1
  expected("update", "forget", forget, isShare, "be above 0 and at most 1", "{ forget: 0.99 }")
  const before = forget === 1 ? known : forgetting(known, forget)
  return lastOfBest(
    steps<Cells, Target>(known.model as Model<Cells, Target>, data, options, before, fittedOf),
    options,
  )
}

/** The fitted model at the last step of the best run. */
export async function lastOfBest<Cells, Target extends string>(
  steps: AsyncGenerator<Step<Cells, Target>, void, void>,
  options: FitOptions,
): Promise<Fitted<Cells, Target>> {
  let best: Step<Cells, Target> | undefined
  for await (const step of steps) {
    options.onStep?.(step)
    // a run whose objective is never finite is still better than none
    if (step.stopped && (!best || isBetter(step, best))) best = step
  }
  if (best) return best.fitted()
  throw new SufficeError(
    "option",
    "fit: the learner ended without finishing a run. Its last step must say why it stopped. Set `stopped` on the last step of each run, or take steps from learn().",
    { option: "learner" },
  )
}

/** Everything is checked when the first step is requested. */
export async function* steps<Cells, Target extends string>(
  requested: Model<Cells, Target>,
  data: Data,
  options: FitOptions,
  before: Knowledge | undefined,
  fittedOf: FittedOf,
): AsyncGenerator<Step<Cells, Target>, void, void> {
  const {
    learner = defaultLearner(before),
    seed = 0,
    threads = "auto",
    spill,
    signal,
    onRows,
    checkpoint,
  } = checkedOptions(options)
  checkModel(requested)
  const model = requested.find ? await requested.find(data, options) : requested
  const declared: Model<Cells, Target> = model.declared ? { ...model.declared, target: model.target } : model
  if (!learner.beliefs) checkNumbers(declared.spec, learner.name)
  prepareKernels()
  const request = {
    model: declared,
    learner,
    seed,
    weighting: weightingOf(declared, options),
    threads,
    spill,
    signal,
    onRows,
    checkpoint,
    dice: dice(seed),
    fittedOf,
  }
  yield* isStream(data) ? learnFromStream(request, data, before) : learnFromTable(request, data, before)
}

/** em, or in an update of a posterior the learner of posteriors, with the model's own prior. */
function defaultLearner(before: Knowledge | undefined): Learner {
  if (!before) return em()
  const { model, prior } = before
  return model.beliefs ? { ...em({ prior }), name: "bayes", beliefs: model.beliefs } : em({ prior })
}

/** Priors in the units of the data are of use to a posterior alone. */
function checkNumbers(spec: Description, learner: string): void {
  const prior = (isRecord(spec.options) ? spec.options : spec).prior
  if (isRecord(prior)) {
    const where = spec.family ?? spec.kind
    throw new SufficeError(
      "option",
      `${learner}: ${show(where)} of ${list(((spec.columns ?? [spec.column ?? spec.name]) as string[]).map(String), 3)} has a prior in the units of the data. Only a posterior uses it, and ${learner} estimates parameters. Learn by bayes(), or give prior a number.`,
      { option: "prior", learner },
    )
  }
  for (const value of Object.values(spec)) {
    for (const inner of Array.isArray(value) ? value : [value])
      if (isRecord(inner) && ("kind" in inner || "family" in inner))
        checkNumbers(inner as Description, learner)
  }
}

function checkModel(model: Model): void {
  if (typeof model?.lay === "function" && Array.isArray(model.uses)) return
  throw new SufficeError(
    "model",
    `fit: the model is ${show(model)}. It must be made by classes, mixture, independent or normal. Write for example fit(independent({ x: gaussian() }), rows).`,
  )
}
