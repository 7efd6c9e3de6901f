/**
 * Passes of online EM with which EM begins where something hides inside a leaf (topics).
 *
 * In a sweep, the counts of a document are in the parameters that explain it, and rare words hold themselves in place; in a mini-batch they are not. On
 * reuters (395 documents, 20 topics) 100 sweeps end at a perplexity of 1259–1284, and 20 passes with up to 3 sweeps at 1204–1281. More sweeps than that cost
 * coherence.
 */
import type { Dice } from "../contract/dice.ts"
import type { Learnable } from "../contract/learnable.ts"
import type { LearnerState, LearnerStep } from "../contract/learner.ts"
import { type Descent, descend, statsOf } from "./descend.ts"
import { stepSizes } from "./schedule.ts"

const PASSES = 20
const STEPS = 400
const BATCH = 32
const FEWEST = 8
/** A pass over few rows still has this many steps. */
const SPLIT = 16

const rho = stepSizes("em", { kind: "power", power: 0.6, delay: 2 })

/** Returns the statistics after the last pass. `first`: those to begin with, or the state of an earlier step. `marks`: numbers of the learner. */
export async function* passes(
  problem: Learnable,
  first: Float64Array | LearnerState,
  dice: Dice,
  prior: number,
  marks: { readonly run: number } & LearnerState["numbers"],
): AsyncGenerator<LearnerStep, Float64Array, void> {
  const batch = Math.max(FEWEST, Math.min(BATCH, Math.floor(problem.passRows / SPLIT)))
  const epochs = Math.max(PASSES, Math.ceil(STEPS / Math.ceil(problem.passRows / batch)))
  const begun = first instanceof Float64Array ? problem.withPrior(first, prior) : first
  const descent: Descent = {
    name: "em",
    regime: { against: "nothing" },
    generative: 1,
    prior,
    epochs,
    batch,
    rho,
    average: false,
    run: marks.run,
    marks,
    added: prior,
  }
  let stats: Float64Array | undefined
  for await (const { stopped, ...step } of descend(problem, begun, dice, descent)) {
    if (stopped) stats = step.stats
    yield step
  }
  // the state of the last pass has none after it
  return stats ?? statsOf(problem, begun as LearnerState, descent)
}
