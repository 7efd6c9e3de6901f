/** A progress bar with rate and time left, on a terminal only; otherwise nothing is loaded or drawn. */
import type { SingleBar } from "cli-progress"
import { count, duration } from "../format.ts"
import { shown } from "./shown.ts"

export class Progress {
  readonly #label: string
  readonly #total: number | undefined
  readonly #unit: string
  readonly #live: boolean
  readonly #began = performance.now()
  #bar: SingleBar | undefined
  #done = 0
  #more = ""
  #loading = false
  #stopped = false
  #drawn = 0

  constructor(label: string, total: number | undefined, unit: string, live: boolean) {
    this.#label = label
    this.#total = total
    this.#unit = unit
    this.#live = live
  }

  /** Adds to what is done. */
  advance(by = 1, more = this.#more): void {
    this.#done += by
    this.#more = more
    this.#draw()
  }

  /** Sets what is done in all. */
  at(done: number, more = this.#more): void {
    this.#done = done
    this.#more = more
    this.#draw()
  }

  /** Draws what begins now, before work that lets nothing be drawn. */
  async show(more: string): Promise<void> {
    this.#more = more
    if (this.#live && !this.#stopped) await this.#open()
  }

  /** Clears the line, so that something else can be written. */
  pause(): void {
    if (this.#bar) process.stderr.write("\r\u001b[K")
  }

  stop(): void {
    this.#stopped = true
    this.#bar?.stop()
    if (this.#bar) process.stderr.write("\u001b[1A\r\u001b[K")
    this.#bar = undefined
  }

  #draw(): void {
    if (!this.#live || this.#stopped) return
    const now = performance.now()
    // short work needs no bar, and redrawing it more often would not be seen
    if (now - this.#began < 300 || now - this.#drawn < 100) return
    this.#drawn = now
    if (this.#bar) this.#bar.update(this.#value(), this.#words())
    else void this.#open()
  }

  async #open(): Promise<void> {
    if (this.#loading) return
    this.#loading = true
    const { default: progress } = await import("cli-progress")
    if (this.#stopped) return
    this.#bar = new progress.SingleBar({
      format:
        this.#total === undefined
          ? "{label}  {amount}{more}  {rate}"
          : "{label}  {bar} {percentage} %  {amount}{more}  {rate}  {left}",
      barCompleteChar: "█",
      barIncompleteChar: "░",
      barsize: 24,
      hideCursor: true,
      clearOnComplete: false,
      stream: process.stderr,
      gracefulExit: false,
    })
    this.#bar.start(this.#total ?? Number.MAX_SAFE_INTEGER, this.#value(), this.#words())
  }

  #value(): number {
    return this.#total === undefined ? this.#done : Math.min(this.#done, this.#total)
  }

  #words(): Record<string, string> {
    const seconds = (performance.now() - this.#began) / 1000
    const rate = this.#done / seconds
    const left = this.#total === undefined || rate === 0 ? undefined : (this.#total - this.#done) / rate
    return {
      label: this.#label,
      amount:
        this.#total === undefined
          ? `${count(Math.round(this.#done))} ${this.#unit}`
          : `${count(Math.round(this.#done))}/${count(this.#total)} ${this.#unit}`,
      more: this.#more === "" ? "" : `, ${shown(this.#more)}`,
      rate: rate >= 10 ? `${count(Math.round(rate))}/s` : `${rate.toFixed(1)}/s`,
      left: left === undefined ? "" : `${duration(Math.max(left, 0))} left`,
    }
  }
}
