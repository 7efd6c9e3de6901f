/** The steps of one call of `fit` so far, and how they are kept in a checkpoint. */
import type { Description, Json, Learner, LearnerStep, Model, Training } from "../contract.ts"
import {
  type Belonging,
  type Checkpoint,
  type Kept,
  readCheckpoint,
  writeCheckpoint,
} from "../saved/checkpoint.ts"
import { encodePlain } from "../saved/plain.ts"
import { isBetter, isHeld } from "./best.ts"
import type { Checkpointing } from "./fit.ts"

export type { Kept }

interface About {
  readonly model: Model
  readonly learner: Learner
  readonly seed: number
  readonly checkpoint: Checkpointing | undefined
}

const known = /* @__PURE__ */ new WeakMap<object, Json>()

/** What no file could hold is refused before it is learned; once, since the same is learned again and again. */
function plain(of: object, path: string, value: Description): Json {
  const json = known.get(of) ?? encodePlain(value, path)
  known.set(of, json)
  return json
}

export class History {
  readonly #checkpoint: Checkpointing | undefined
  readonly #belonging: Belonging
  #run = -1
  #trace: number[] = []
  #runs: Training["runs"][number][] = []
  #best: Kept | undefined

  /** `data`: what tells this data from other data. */
  constructor({ model, learner, seed, checkpoint }: About, data: Json) {
    this.#checkpoint = checkpoint
    this.#belonging = {
      model: plain(model, "model", model.spec),
      learner: plain(learner, "learner", { name: learner.name, options: learner.options }),
      seed,
      data,
    }
  }

  /** What an earlier call left behind. */
  async read(): Promise<Checkpoint | undefined> {
    const bytes = await this.#checkpoint?.read()
    if (!bytes || bytes.length === 0) return undefined
    const kept = readCheckpoint(bytes, this.#belonging)
    this.#run = kept.run
    this.#trace = [...kept.trace]
    this.#runs = [...kept.runs]
    this.#best = kept.best
    return kept
  }

  /** The step with the trace of its run, which it now belongs to. */
  add(step: LearnerStep): Kept {
    const { run, iteration, objective, stopped } = step
    if (run !== this.#run || iteration === 0) this.#trace = []
    this.#run = run
    this.#trace.push(objective)
    const kept = { step, trace: this.#trace.slice() }
    if (stopped) {
      const ended = {
        run,
        iterations: iteration,
        objective,
        stopped,
        ...(isHeld(step) && { held: true as const }),
      }
      // a stream that had ended may go on
      this.#runs = [...this.#runs.filter(other => other.run !== run), ended]
      if (!this.#best || isBetter(step, this.#best.step)) this.#best = kept
    }
    return kept
  }

  /** A learner without a state to go on from is not kept. */
  async write({ step, trace }: Kept, stream?: Checkpoint["stream"]): Promise<void> {
    if (!this.#checkpoint || !step.state) return
    const kept = { state: step.state(), run: step.run, trace, runs: this.#runs, best: this.#best, stream }
    await this.#checkpoint.write(writeCheckpoint(this.#belonging, kept))
  }

  /** All runs that have ended by now. */
  runs(): Training["runs"] {
    return this.#runs.slice()
  }
}
