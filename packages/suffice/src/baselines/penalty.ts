/**
 * ½‖w‖², without free intercepts: the part of every objective that does not depend on the data.
 * Weights are ordered by feature, then output, so the intercepts of all outputs come last.
 */
import { type DesignMatrix, sizeOf } from "./design-matrix.ts"

export class Penalty {
  readonly #w: Float64Array
  readonly #d: Float64Array
  /** The number of penalised weights; those after them are free. */
  readonly #counted: number

  constructor(x: DesignMatrix, outputs: number, freeIntercept: boolean) {
    this.#w = new Float64Array(sizeOf(x) * outputs)
    this.#d = new Float64Array(this.#w.length)
    this.#counted = freeIntercept ? x.width * outputs : this.#w.length
  }

  at(w: Float64Array): void {
    this.#w.set(w)
  }

  get value(): number {
    return 0.5 * this.#inner(this.#w, this.#w)
  }

  /** out ← w, with 0 for free weights */
  gradient(out: Float64Array): void {
    out.set(this.#w)
    out.fill(0, this.#counted)
  }

  /** out ← 1, with 0 for free weights */
  bends(out: Float64Array): void {
    out.fill(1, 0, this.#counted).fill(0, this.#counted)
  }

  along(d: Float64Array): (t: number) => { value: number; slope: number } {
    this.#d.set(d)
    const [ww, wd, dd] = [this.#inner(this.#w, this.#w), this.#inner(this.#w, d), this.#inner(d, d)]
    return t => ({ value: 0.5 * (ww + t * (2 * wd + t * dd)), slope: wd + t * dd })
  }

  move(t: number): void {
    for (let j = 0; j < this.#w.length; j++) this.#w[j] += t * this.#d[j]
  }

  #inner(a: Float64Array, b: Float64Array): number {
    let sum = 0
    for (let j = 0; j < this.#counted; j++) sum += a[j] * b[j]
    return sum
  }
}
