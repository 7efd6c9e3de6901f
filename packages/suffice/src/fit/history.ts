/** The steps of one call of `fit` so far, and their checkpoints. */
import type { LearnerStep } from "../contract/learner.ts"
import type { Description, Json, Training } from "../contract/report.ts"
import {
  type Checkpoint,
  type Owner,
  type RecordedStep,
  readCheckpoint,
  type StoredStream,
  writeCheckpoint,
} from "../saved/checkpoint.ts"
import { encodePlain } from "../saved/plain.ts"
import { isAtFloor, isBetter } from "./best.ts"
import type { Checkpointing } from "./options.ts"
import type { FitRequest } from "./publish.ts"

export type { RecordedStep }

const known = /* @__PURE__ */ new WeakMap<object, Json>()

/** Options that no file could hold are refused before learning; checked once per object, since the same model is fitted again and again. */
function plain(of: object, path: string, value: Description): Json {
  const json = known.get(of) ?? encodePlain(value, path)
  known.set(of, json)
  return json
}

export class History {
  readonly #checkpoint: Checkpointing | undefined
  readonly #owner: Owner
  #run = -1
  #trace: number[] = []
  #runs: Training["runs"][number][] = []
  #best: RecordedStep | undefined

  /** `data` identifies the data. */
  constructor({ model, learner, seed, checkpoint }: FitRequest<unknown, string>, data: Json) {
    this.#checkpoint = checkpoint
    this.#owner = {
      model: plain(model, "model", model.spec),
      learner: plain(learner, "learner", { name: learner.name, options: learner.options }),
      seed,
      data,
    }
  }

  /** The checkpoint that an earlier call left. */
  async read(): Promise<Checkpoint | undefined> {
    const bytes = await this.#checkpoint?.read()
    if (!bytes || bytes.length === 0) return undefined
    const checkpoint = readCheckpoint(bytes, this.#owner)
    this.#run = checkpoint.run
    this.#trace = [...checkpoint.trace]
    this.#runs = [...checkpoint.runs]
    this.#best = checkpoint.best
    return checkpoint
  }

  /** Records a step, with the trace of its run so far. */
  add(step: LearnerStep): RecordedStep {
    const { run, iteration, objective, stopped } = step
    if (run !== this.#run || iteration === 0) this.#trace = []
    this.#run = run
    this.#trace.push(objective)
    const recorded = { step, trace: this.#trace.slice() }
    if (stopped) {
      const ended = {
        run,
        iterations: iteration,
        objective,
        stopped,
        ...(isAtFloor(step) && { held: true as const }),
      }
      // a stream that had ended may continue
      this.#runs = [...this.#runs.filter(other => other.run !== run), ended]
      if (!this.#best || isBetter(step, this.#best.step)) this.#best = recorded
    }
    return recorded
  }

  /** Writes a checkpoint, if the learner has a state to resume from. `streamState`: where the stream stands. */
  async write({ step, trace }: RecordedStep, streamState?: () => StoredStream): Promise<void> {
    if (!this.#checkpoint || !step.state) return
    const stream = streamState?.()
    const checkpoint = {
      state: step.state(),
      run: step.run,
      trace,
      runs: this.#runs,
      best: this.#best,
      stream,
    }
    await this.#checkpoint.write(writeCheckpoint(this.#owner, checkpoint), stream?.given ?? step.rows)
  }

  /** All runs that have ended so far. */
  runs(): Training["runs"] {
    return this.#runs.slice()
  }
}
