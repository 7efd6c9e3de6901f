/** What only a posterior over the parameters can say: evidence, credible intervals, draws. */
import type { Belief } from "../contract/belief.ts"
import type { Leaf } from "../contract/leaf.ts"
import type { Description } from "../contract/report.ts"
import { askBelief as beliefsOf, believing } from "../engine/believe.ts"
import { layOut, solve, spreadOf } from "../engine/lay.ts"
import { refuseUnknown, SufficeError } from "../errors.ts"
import { checkSeed, expected } from "../option-checks.ts"
import { dice } from "../random.ts"
import type { Knowledge } from "./knowledge.ts"

/** ln p(training rows), the parameters integrated out. */
export interface Evidence {
  /** ln p(rows), or a lower bound of it. */
  readonly value: number
  /** Nothing was hidden: it is the evidence itself. Otherwise it is the bound that learning climbed. */
  readonly exact: boolean
}

export function evidenceOf(known: Knowledge): Evidence {
  const { training } = known
  beliefsOf("evidence", known.model.beliefs, training?.learner.name)
  const own = training?.runs.find(({ run }) => run === training.run)
  if (
    training &&
    training.learner.name === "bayes" &&
    Number.isFinite(training.objective) &&
    own?.stopped !== "ended"
  ) {
    return { value: training.objective, exact: own?.stopped === "counted" && !training.continued }
  }
  throw new SufficeError(
    "model",
    "evidence: the model was learned from a stream, whose rows were read once. The evidence needs a pass over all rows with the last posterior. Fit it to data that can be read again.",
  )
}

/** Options of `credible`. */
export interface CredibleOptions {
  /** How much of the posterior every interval holds. */
  readonly probability?: number
}

/** describe(), with an interval beside every parameter. */
export function credible(known: Knowledge, options: CredibleOptions): Description {
  refuseUnknown("credible", options, ["probability"])
  const { probability = 0.9 } = options
  const isShare = typeof probability === "number" && probability > 0 && probability < 1
  expected("credible", "probability", probability, isShare, "lie between 0 and 1", "{ probability: 0.9 }")
  return describedBy("credible", known, (belief, { shape }) => ({
    shape: { ...shape, parameters: belief.numbers },
    solve: (stats, strength, params, spread) => {
      belief.posterior(stats, strength, spread!, params)
      return 0
    },
    describe: (params, slot) => belief.interval(params, slot, probability),
  }))[0]
}

/** Options of `draws`. */
export interface DrawOptions {
  readonly seed?: number
}

/** Parameter sets drawn from the posterior, each as describe() prints it. */
export function draws(known: Knowledge, count: number, options: DrawOptions): Description[] {
  refuseUnknown("draws", options, ["seed"])
  checkSeed("draws", options.seed)
  expected(
    "draws",
    "count",
    count,
    Number.isSafeInteger(count) && count >= 0,
    "be a whole number ≥ 0",
    "fitted.draws(100)",
  )
  const thrown = dice(options.seed ?? 0)
  return describedBy(
    "draws",
    known,
    belief => {
      const q = new Float64Array(belief.numbers)
      return {
        solve: (stats, strength, params, spread) => {
          belief.posterior(stats, strength, spread!, q)
          belief.draw(q, thrown, params)
          return 0
        },
      }
    },
    count,
  )
}

/** Descriptions of the model with plain leaves that differ in this. */
function describedBy(
  where: string,
  { model, laid: { columns }, laid, stats, prior, spread, training }: Knowledge,
  differing: (belief: Belief, plain: Leaf) => Partial<Leaf>,
  count = 1,
): Description[] {
  const kinds = beliefsOf(where, model.beliefs, training?.learner.name)
  const asked = believing(model, kinds, (belief, plain) => ({
    ...plain,
    belief,
    ...differing(belief, plain),
  }))
  const other = layOut(asked, columns)
  const wide = spread ?? spreadOf(laid, stats)
  return Array.from({ length: count }, () => other.root.describe(solve(other, stats, prior, wide).params, 0))
}
