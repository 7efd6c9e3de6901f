/**
 * What a model gains by more rows, as its simplest learner shows: counting goes over all of them once, where others go over them twenty times. What any
 * other learner of the same model loses on a sample is taken to fall as much.
 *
 *     expected on all rows = lost on the sample + ( counting on all rows − counting on the sample )
 */
import type { Model } from "../contract/model.ts"
import { type Contest, costOf, lossOf, type Runner, run } from "./runner.ts"
import type { Stage } from "./stages.ts"
import type { Pair } from "./trial.ts"

export interface Curves {
  /** The simplest learner of a model on a growing sample, if it is this pair. */
  at(pair: Pair, stage: Stage): Promise<Runner | undefined>
  /** The loss of the simplest learner on all rows less that on this sample; undefined: not known. */
  gain(pair: Pair, stage: Stage): Promise<number | undefined>
  /** What that has cost since it was asked last. */
  spent(): number
}

/** The share of the budget that the simplest learners may take on more than the first sample. */
const AHEAD = 0.2

export function simpleCurves(
  simplest: ReadonlyMap<Model, Pair>,
  first: Stage,
  whole: Stage | undefined,
  contest: Contest,
): Curves {
  const known = new Map<Pair, Map<Stage, Runner>>()
  let left = AHEAD * contest.budget
  let spent = 0
  const at = async (pair: Pair, stage: Stage): Promise<Runner | undefined> => {
    const seen = known.get(pair)?.get(stage)
    if (seen || !stage.anew) return seen
    const cost = costOf(pair, stage, contest)
    if (stage !== first) {
      if (cost > left) return undefined
      left -= cost
    }
    spent += cost
    const runner = await run(pair, undefined, stage, contest)
    known.set(pair, (known.get(pair) ?? new Map()).set(stage, runner))
    return runner
  }
  return {
    at: async (pair, stage) => (simplest.get(pair.of) === pair ? at(pair, stage) : undefined),
    async gain({ of }, stage) {
      const pair = simplest.get(of)
      if (!pair || !whole || !stage.anew || stage.rows >= whole.rows) return undefined
      const [here, there] = [await at(pair, stage), await at(pair, whole)]
      if (!here || !there || here.refused !== undefined || there.refused !== undefined) return undefined
      return lossOf(there) - lossOf(here)
    },
    spent() {
      const since = spent
      spent = 0
      return since
    },
  }
}
