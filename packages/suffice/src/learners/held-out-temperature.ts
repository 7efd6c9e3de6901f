/**
 * The temperature of a learner whose loss does not calibrate probabilities: hinge asks for a margin only. Some rows are held out, a trial model is
 * learned from the others, and T is chosen on the held-out rows (kernels/temperature.ts). The final model is learned from all rows, and uses this T:
 * the trial model is nearly the same.
 */
import type { Dice } from "../contract/dice.ts"
import type { Learnable } from "../contract/learnable.ts"
import { type Posteriors, temperatureOf } from "../kernels/temperature.ts"

/** With MANY rows or more, a tenth is held out once, ENOUGH at most; with fewer, a quarter, three times. */
const MANY = 2000
const ENOUGH = 10_000
/** With fewer rows there is no temperature. */
const FEWEST = 12

/** `learned`: θ learned from the given rows. Undefined: there are too few rows, or they cannot be read again. */
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
