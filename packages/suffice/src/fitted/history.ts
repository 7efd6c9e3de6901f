/** The steps of one call of `fit` so far, and how they are kept in a checkpoint. */
import type { Json, Learner, LearnerStep, Model, Training } from "../contract.ts"
import { type Belonging, type Checkpoint, readCheckpoint, writeCheckpoint } from "../saved/checkpoint.ts"
import { encodePlain } from "../saved/plain.ts"
import { type Checkpointing, isBetter, isHeld } from "./fit.ts"

interface About {
  readonly model: Model
  readonly learner: Learner
  readonly seed: number
  readonly checkpoint: Checkpointing | undefined
}

export class History {
  readonly #checkpoint: Checkpointing | undefined
  readonly #belonging: Belonging
  #trace: number[] = []
  #runs: Training["runs"][number][] = []
  #best: LearnerStep | undefined

  /** `data`: what tells this data from other data. */
  constructor({ model, learner, seed, checkpoint }: About, data: Json) {
    this.#checkpoint = checkpoint
    this.#belonging = {
      model: encodePlain(model.spec, "model"),
      learner: encodePlain({ name: learner.name, options: learner.options }, "learner"),
      seed,
      data,
    }
  }

  /** What an earlier call left behind. */
  async read(): Promise<Checkpoint | undefined> {
    const bytes = await this.#checkpoint?.read()
    if (!bytes || bytes.length === 0) return undefined
    const kept = readCheckpoint(bytes, this.#belonging)
    this.#trace = [...kept.trace]
    this.#runs = [...kept.runs]
    this.#best = kept.best
    return kept
  }

  add(step: LearnerStep): void {
    const { run, iteration, objective, stopped } = step
    if (iteration === 0 || stopped === "counted") this.#trace = []
    this.#trace.push(objective)
    if (!stopped) return
    this.#runs.push({ run, iterations: iteration, objective, stopped, ...(isHeld(step) && { held: true }) })
    if (!this.#best || isBetter(step, this.#best)) this.#best = step
  }

  /** A learner without a state to go on from is not kept. */
  async write({ state }: LearnerStep, stream?: Checkpoint["stream"]): Promise<void> {
    if (!this.#checkpoint || !state) return
    const { trace, runs } = this.upTo()
    await this.#checkpoint.write(
      writeCheckpoint(this.#belonging, { state, trace, runs, best: this.#best, ...(stream && { stream }) }),
    )
  }

  /** The trace and the runs as they are now. */
  upTo(): Pick<Training, "trace" | "runs"> {
    return { trace: this.#trace.slice(), runs: this.#runs.slice() }
  }
}

/** FNV-1a over the bytes: tells statistics from others. */
export function digest(stats: Float64Array): number {
  let hash = 0x811c9dc5
  for (const byte of new Uint8Array(stats.buffer, stats.byteOffset, stats.byteLength)) {
    hash = Math.imul(hash ^ byte, 0x01000193)
  }
  return hash >>> 0
}
