/** A bar over the rows whose words are read: they are found in one pass, and encoded in another, before anything is learned. */
import type { Model } from "suffice"
import type { Bar, Work } from "./work.ts"

const PASSES = ["reading words", "encoding words"] as const

export class WordProgress {
  readonly #session: Pick<Work, "progress">
  readonly #rows: number
  #bar: Bar
  #read = 0

  constructor(session: Pick<Work, "progress">, rows: number) {
    this.#session = session
    this.#rows = rows
    this.#bar = session.progress(PASSES[0], rows)
  }

  /** Draws the bar before the first rows. */
  show(): Promise<void> {
    return this.#bar.show("")
  }

  read(rows: number): void {
    if (this.#read === this.#rows) {
      this.#bar.stop()
      this.#bar = this.#session.progress(PASSES[1], this.#rows)
    }
    this.#read += rows
    this.#bar.advance(rows)
  }

  stop(): void {
    this.#bar.stop()
  }
}

/** Does it model bags of words? */
export function hasWords({ uses }: Pick<Model, "uses">): boolean {
  return uses.some(({ need }) => need.kind === "bag")
}
