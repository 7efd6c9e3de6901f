/** The progress of learning: steps, or epochs where their number is known. */
import type { Step } from "suffice"
import { plain } from "./format.ts"
import type { Bar, Work } from "./work.ts"

export class LearningBar {
  readonly #work: Pick<Work, "progress">
  readonly #byEpochs: boolean
  #bar: Bar
  #steps = 0

  constructor(work: Pick<Work, "progress">, byEpochs: boolean) {
    this.#work = work
    this.#byEpochs = byEpochs
    this.#bar = work.progress("learning", undefined, "steps")
  }

  show(text: string): Promise<void> {
    return this.#bar.show(text)
  }

  at({ objective, iteration, of }: Step): void {
    this.#steps++
    // the EM that provides the first guess is one more run before the epochs
    if (this.#byEpochs && of !== undefined && iteration === 1) {
      this.#bar.stop()
      this.#bar = this.#work.progress("learning", of, "epochs")
    }
    this.#bar.at(of === undefined ? this.#steps : iteration, `objective ${plain(objective, 6)}`)
  }

  stop(): void {
    this.#bar.stop()
  }
}
