/**
 * The loop that online EM and sdEM share: mini-batches move the moments η (one row's worth: total mass 1), θ(η) follows.
 *
 *     η ← η + ρ_t [ λ·( mean E[s | row] − η )  +  (1 − λ)·mean( E[s | +] − E[s | −] )  +  (1 − λ)·( α − ν·E[s | θ] )/n ]
 *
 * λ = 1 is online EM; there the prior enters as in EM, θ(n·η + α). For λ < 1 it pulls, moves no mass and is not added again.
 * The average of η over the second half of the steps is what is handed out.
 */
import type { Block, Diagnostic, Dice, Learnable, LearnerStep, Regime } from "../contract.ts"
import { withPrior } from "./options.ts"

export interface Descent {
  readonly regime: Regime
  /** λ */
  readonly generative: number
  readonly prior: number
  readonly epochs: number
  readonly batch: number
  readonly rho: (t: number) => number
  readonly average: boolean
  readonly run: number
}

/** From the parameters of these statistics: η is their moments. */
export async function* descend(
  problem: Learnable,
  counts: Float64Array,
  dice: Dice,
  { regime, generative, prior, epochs, batch, rho, average, run }: Descent,
): AsyncGenerator<LearnerStep, void, void> {
  const total = epochs * Math.ceil(problem.rows / batch)
  const strength = generative === 1 ? prior : 0
  const map = (eta: Float64Array): Float64Array =>
    problem.solve(withPrior(scaled(eta, problem.weight), problem.prior, strength)).params
  const first = problem.solve(counts).params
  let params = first
  let eta = problem.moments(first, counts)
  const size = eta.length
  const mean = new Float64Array(size)
  let averaged = 0
  let guarded = 0
  let before = Number.NEGATIVE_INFINITY
  let t = 0
  for (let epoch = 1; epoch <= epochs; epoch++) {
    let loss = 0
    for await (const block of problem.batches(batch, dice.fork(epoch))) {
      t++
      const moved = move(problem, block, params, eta, rho(t))
      loss += moved.loss
      guarded += moved.guarded
      eta = moved.eta
      params = map(eta)
      if (average && 2 * t > total) {
        averaged++
        for (let j = 0; j < size; j++) mean[j] += (eta[j] - mean[j]) / averaged
      }
    }
    const last = epoch === epochs
    const objective = -loss
    yield {
      iteration: epoch,
      run,
      objective,
      logLikelihood: Number.NaN,
      entropy: 0,
      change: epoch === 1 ? Number.POSITIVE_INFINITY : objective - before,
      rows: problem.rows,
      stats: scaled(averaged > 0 ? mean : eta, problem.weight),
      prior: strength,
      diagnostics: diagnose(guarded, t),
      ...(last && { stopped: "epochs" as const }),
    }
    before = objective
  }

  /** One step: the mean direction of the block's rows, times ρ. */
  function move(
    problem: Learnable,
    block: Block,
    params: Float64Array,
    eta: Float64Array,
    rho: number,
  ): { eta: Float64Array; loss: number; guarded: number } {
    const direction = new Float64Array(size)
    let loss = 0
    if (generative < 1) {
      const delta = new Float64Array(size)
      const found = problem.contrast(block, params, regime, delta)
      const pull = prior > 0 ? problem.pull(params) : undefined
      if (found.weight > 0) {
        for (let j = 0; j < size; j++) direction[j] += ((1 - generative) * delta[j]) / found.weight
      }
      if (pull) {
        for (let j = 0; j < size; j++) direction[j] += ((1 - generative) * prior * pull[j]) / problem.weight
      }
      loss += (1 - generative) * found.loss
    }
    if (generative > 0) {
      const stats = new Float64Array(size)
      const found = problem.contrast(block, params, { against: "nothing" }, stats)
      for (let j = 0; j < size; j++) direction[j] += generative * (stats[j] / found.weight - eta[j])
      loss += generative * found.loss
    }
    const next = eta.map((value, j) => value + rho * direction[j])
    return { eta: next, loss, guarded: generative < 1 ? problem.guard(eta, next) : 0 }
  }
}

/** n·η: moments of one row as counts of all. */
function scaled(eta: Float64Array, weight: number): Float64Array {
  return eta.map(value => value * weight)
}

function diagnose(guarded: number, steps: number): Diagnostic[] {
  if (guarded === 0) return []
  return [
    {
      code: "guarded-steps",
      message: `${guarded} moves in ${steps} steps would have left the domain and were shortened. Many of them ask for smaller steps.`,
    },
  ]
}
