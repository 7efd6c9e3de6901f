/**
 * The loop that online EM and sdEM share: mini-batches move the moments, epoch by epoch, or as long as a stream lasts.
 *
 * Time is counted in rows, in units of whole batches of b rows. After R rows, m of them in the present batch, the step is
 *
 *     ρ(τ)·m/b        τ = R/b = 1, 2, … while all batches are whole
 *
 * so that the last batch of a pass, which may be short, takes a proportionally smaller step: no row counts more for coming last. With ρ(τ) = 1/τ it
 * is m/R, exactly the mean of all rows; 1 − (1 − ρ)^(m/b), the fraction of a step in terms of forgetting, agrees only to first order.
 *
 * An epoch without loss moves nothing but by the pull of the prior, which needs no rows. So after a quiet epoch passes are long: one goes over all rows once, block by block,
 * and stands for as many epochs as it can, 1, 2, 4, … while they stay quiet. Its steps, of m rows and k epochs, are the sums of those that they stand for, ρ at their middle:
 *
 *     ρ((τ₀ + 1 + τ₁)/2)·(τ₁ − τ₀)        τ₁ − τ₀ = k·m/b
 *
 * Rows on other machines are learned from in rounds: an epoch of each machine over its own rows, from the same state; then the states, which are mean parameters and so stay in
 * their domain, are averaged by weight. The clock goes on by the steps of one machine: with ρ(τ) = 1/τ on complete rows that is again the mean of all rows.
 *
 * The result is the average of the moments over the second half of the steps; on a stream, over at least the later half of those so far
 * (two averages, restarted when the number of steps doubles; the older one is the result).
 *
 * Long because the loop stands beside the state that it is resumed from.
 */
import type { Dice } from "../contract/dice.ts"
import type { Learnable } from "../contract/learnable.ts"
import type { LearnerState, LearnerStep } from "../contract/learner.ts"
import type { Course, Grown, Moving, MovingState } from "../contract/moving.ts"
import type { Diagnostic } from "../contract/report.ts"
import type { Round } from "../contract/round.ts"
import { SufficeError, show } from "../errors.ts"
import { type StateReader, stateReader } from "./state.ts"

export interface Descent extends Course {
  /** The name of the learner. */
  readonly name: string
  readonly epochs: number
  readonly batch: number
  /** ρ(τ), τ the number of whole batches so far. */
  readonly rho: (batches: number) => number
  /** How many documents a bag of words counts as, by the number of passes over the rows so far. */
  readonly words?: ((passes: number) => number) | undefined
  readonly average: boolean
  /** The schedules as data: rows on other machines are learned from in rounds there (Learnable.round). Absent: they are read by this one. */
  readonly rounds?: Pick<Round, "stepSize" | "words"> | undefined
  readonly run: number
  /** Numbers of the learner, which every state contains. */
  readonly marks?: LearnerState["numbers"]
  readonly calibration?: LearnerStep["calibration"]
  /** Strength of the prior that is yet to be added to the statistics of a step. */
  readonly added: number
  /** Rows without a target teach nothing at all: if there are no others, that is a mistake. */
  readonly needsTarget?: boolean
  /** Held-out rows: the last step returns the epoch with the lowest loss on them. */
  readonly heldOut?: Learnable | undefined
  /** An epoch whose mean loss is below this has nothing left to learn, and long passes follow. */
  readonly quiet?: number | undefined
}

/** It stops after this many epochs without gain on the held-out rows. */
const PATIENCE = 3
/** Rows between two steps of a stream. */
const STRETCH = 8192

/** The state of the loop after an epoch. */
interface Standing {
  readonly epoch: number
  readonly t: number
  readonly rows: number
  readonly guarded: number
  readonly before: number
  /** The loss of the best epoch on the held-out rows, and the number of epochs since. */
  readonly least: number
  readonly since: number
  /** How many epochs the next pass stands for; 0: it is an epoch of small steps. */
  readonly stride: number
}

export async function* descend(
  problem: Learnable,
  first: Float64Array | LearnerState,
  dice: Dice,
  descent: Descent,
): AsyncGenerator<LearnerStep, void, void> {
  const { epochs, batch, rho, words, average, run, marks, added, heldOut, quiet, spread, calibration } =
    descent
  const begun =
    first instanceof Float64Array
      ? undefined
      : readState(stateReader(descent.name, first, problem), problem.stream ? undefined : epochs)
  let moving = problem.moving(begun?.from ?? (first as Float64Array), descent)
  const inRounds = problem.round && descent.rounds
  let at: Standing = begun?.at ?? {
    epoch: 0,
    t: 0,
    rows: 0,
    guarded: 0,
    before: -Infinity,
    least: Infinity,
    since: 0,
    stride: 0,
  }
  let best = begun?.best
  const perEpoch = Math.ceil(problem.passRows / batch)
  const total = epochs * perEpoch
  const { stream } = problem
  const reason = (): LearnerStep["stopped"] => {
    if (stream) return stream.ended ? "ended" : undefined
    if (heldOut && at.since >= PATIENCE) return "holdout"
    return at.epoch === epochs ? "epochs" : undefined
  }
  // only a stream may continue after its end
  while (stream || !reason()) {
    const { stride } = at
    let { t, rows, guarded } = at
    let loss = 0
    let seen = 0
    const begin = rows
    if (inRounds) {
      const from = at.epoch === 0 && first instanceof Float64Array ? { stats: first } : moving.state()
      const round = {
        ...inRounds,
        from,
        course: courseOf(descent),
        batch,
        average,
        epoch: at.epoch,
        steps: t,
        rows,
      }
      const { passRows, weight } = problem
      const done = await problem.round!({ ...round, of: epochs, passRows, weight }, dice.fork(at.epoch))
      moving = problem.moving(done.state, descent)
      t += done.steps
      rows += done.rows
      loss = done.loss
      seen = done.weight
      guarded += done.guarded
    }
    for await (const block of inRounds
      ? []
      : problem.batches(batch, stride > 0 ? undefined : dice.fork(at.epoch))) {
      // b; all rows at once are a whole batch
      const whole = Math.min(batch, problem.passRows)
      let step: number
      if (stride > 0) {
        const batches = (stride * block.rows) / whole
        step = rho(rows / whole + Math.min(batches, (batches + 1) / 2)) * batches
        t += (stride * perEpoch * block.rows) / problem.passRows
        rows += stride * block.rows
      } else {
        t++
        rows += block.rows
        // ρ(τ)·m/b
        step = rho(rows / whole) * (block.rows / whole)
      }
      const moved = moving.step(block, step, words?.(rows / problem.passRows))
      loss += moved.loss
      seen += moved.weight
      guarded += moved.guarded
      // t = 1, 2, 4, 8, …
      if (average && stream && isPower(t)) moving.restart()
      if (average && (stream || 2 * t > total)) moving.average()
      if (stream && rows - begin >= STRETCH) break
    }
    if (seen === 0 && !stream && descent.needsTarget) throw nothingSeen(descent)
    moving.settle()
    // on a stream per unit of weight, as there is no fixed number of rows
    const objective = stream ? (seen > 0 ? -loss / seen : at.before) : -loss
    let made: Float64Array | undefined
    let isOpen = true
    const epoch = at.epoch + Math.max(stride, 1)
    // rows of a stream come once: there are no epochs that a pass could stand for
    const isQuiet = quiet !== undefined && !stream && !inRounds && loss < quiet * seen
    const stats = () => {
      if (!made && !isOpen) throw gone(epoch)
      made ??= moving.stats()
      return made
    }
    const heldLoss = heldOut ? await lossOf(heldOut, batch, moving) : 0
    const change = at.epoch === 0 ? Infinity : objective - at.before
    const better = at.epoch === 0 || heldLoss < at.least
    if (heldOut && better) best = stats()
    at = {
      epoch,
      t,
      rows,
      guarded,
      before: objective,
      least: better ? heldLoss : at.least,
      since: better ? 0 : at.since + 1,
      stride: isQuiet ? Math.min(Math.max(2 * stride, 1), epochs - epoch) : 0,
    }
    const stopped = reason()
    yield {
      iteration: at.epoch,
      run,
      objective,
      logLikelihood: NaN,
      entropy: 0,
      change,
      rows: stream ? rows : problem.rows,
      get stats() {
        return stopped && best ? best : stats()
      },
      prior: added,
      spread,
      diagnostics: diagnose(guarded, t),
      ...(calibration && { calibration }),
      ...(!stream && { of: epochs }),
      ...(stopped && { stopped }),
      state: () => writeState({ ...marks, ...at }, moving.state(), best, spread),
    }
    if (stopped) return
    if (problem.prior.length <= KEPT) stats()
    isOpen = false
  }
}

/** What moments go by, as plain data. */
function courseOf({ regime, generative, prior, spread, inertia, averagesWords }: Descent): Course {
  return { regime, generative, prior, spread, inertia, ...(averagesWords !== undefined && { averagesWords }) }
}

function nothingSeen({ name, regime }: Descent): SufficeError {
  const target = regime.against === "nothing" ? "" : regime.target
  return new SufficeError(
    "label",
    `${name}: ${show(target)} is missing everywhere. There is nothing to learn to predict. Bring rows in which it is seen, or learn without it by em().`,
    { column: target },
  )
}

/** Steps keep statistics of up to this many numbers; larger ones, megabytes each, are computed only if they are read before the next step. */
const KEPT = 1 << 16

function gone(epoch: number): SufficeError {
  return new SufficeError(
    "size",
    `the model of epoch ${epoch} is gone. More than ${KEPT} statistics are not kept with every step. Call fitted() before the next step.`,
    { epoch },
  )
}

/** Is it a power of two? */
function isPower(t: number): boolean {
  let power = 1
  while (power < t) power *= 2
  return power === t
}

/** The loss on all held-out rows of the present result. */
async function lossOf(heldOut: Learnable, batch: number, moving: Moving): Promise<number> {
  const judge = moving.judge()
  let loss = 0
  for await (const block of heldOut.batches(batch, undefined)) loss += judge(block)
  return loss
}

function writeState(
  at: LearnerState["numbers"],
  state: MovingState,
  best: Float64Array | undefined,
  spread: Float64Array | undefined,
): LearnerState {
  const { moments, averages, met, begun } = state
  const arrays: Record<string, Float64Array> = {
    moments,
    ...(best && { best }),
    ...(spread && { spread }),
  }
  const numbers: Record<string, number> = {
    ...at,
    ...(met && {
      metRows: met.all.rows,
      metWeight: met.all.weight,
      contrastedRows: met.contrasted.rows,
      contrastedWeight: met.contrasted.weight,
    }),
    ...(begun !== undefined && { begun }),
  }
  averages.forEach(({ mean, steps }, a) => {
    arrays[`mean${a}`] = mean
    numbers[`steps${a}`] = steps
  })
  return { numbers, arrays }
}

/** The statistics of a state, to the bits that its step had. */
export function statsOf(problem: Learnable, state: LearnerState, descent: Descent): Float64Array {
  const { from } = readState(stateReader(descent.name, state, problem), descent.epochs)
  return problem.moving(from, descent).stats()
}

/** If the model has grown since, the state has `grown`: the statistics that new moments begin with. */
function readState(
  state: StateReader,
  epochs: number | undefined,
): { at: Standing; from: MovingState | Grown; best: Float64Array | undefined } {
  const epoch = state.count("epoch", 1, epochs)
  const at: Standing = {
    epoch,
    t: state.amount("t"),
    rows: state.count("rows"),
    guarded: state.count("guarded"),
    before: state.measured("before"),
    least: state.measured("least"),
    since: state.count("since", 0, epoch),
    stride: state.count("stride", 0, epochs === undefined ? 0 : epochs - epoch),
  }
  const best = state.has("best") ? state.statistics("best") : undefined
  const met = {
    all: { rows: state.count("metRows"), weight: state.amount("metWeight") },
    contrasted: { rows: state.count("contrastedRows"), weight: state.amount("contrastedWeight") },
  }
  if (state.has("grown")) return { at, from: { grown: state.statistics("grown"), met }, best }
  const averages = ["0", "1"].flatMap(a =>
    state.has(`mean${a}`) ? [{ mean: state.statistics(`mean${a}`), steps: state.count(`steps${a}`) }] : [],
  )
  const begun = state.positive("begun")
  return { at, from: { moments: state.statistics("moments"), averages, met, begun }, best }
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
