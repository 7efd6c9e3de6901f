/**
 * The temperature of a learner whose loss does not ask for probabilities: hinge is content with a margin, and what it says is a certainty nobody
 * has checked. A part of the rows is kept aside, the others are learned from, and T is chosen on those kept aside (kernels/temperature.ts). What
 * is handed out is then learned from all rows, and given this T: a part of the rows makes nearly the same model.
 */
import type { Dice } from "../contract/dice.ts"
import type { Learnable } from "../contract/learnable.ts"
import { type Posteriors, temperatureOf } from "../kernels/temperature.ts"

/** Of many rows a tenth once, but no more than enough; of few a quarter, three times. */
const MANY = 2000
const ENOUGH = 10_000
/** Fewer rows than this say nothing. */
const FEWEST = 12

/** `learned`: θ learned from these rows alone. Undefined: there are too few rows, or they cannot be asked. */
export async function heldOutTemperature(
  problem: Learnable,
  target: string,
  factors: Float64Array | undefined,
  dice: Dice,
  learned: (rows: Learnable, dice: Dice) => Promise<Float64Array>,
): Promise<number | undefined> {
  const { rows } = problem
  if (!problem.posteriors || rows < FEWEST) return undefined
  const parts = rows < MANY ? 3 : 1
  const share = rows < MANY ? 0.25 : Math.min(0.1, ENOUGH / rows)
  const found: Posteriors[] = []
  for (let part = 0; part < parts; part++) {
    const own = dice.fork(part)
    const { rest, heldOut } = await problem.holdOut(share, own)
    const params = await learned(rest, own)
    found.push(await heldOut.posteriors!(params, target, factors))
  }
  const all = pooled(found)
  return all.truth.length > 0 ? temperatureOf(all, 1 / (all.truth.length + 2)) : undefined
}

function pooled(parts: readonly Posteriors[]): Posteriors {
  return {
    levels: parts[0].levels,
    logs: Float64Array.from(parts.flatMap(({ logs }) => [...logs])),
    truth: parts.flatMap(({ truth }) => Array.from(truth)),
    weights: parts.flatMap(({ weights }) => Array.from(weights)),
  }
}
