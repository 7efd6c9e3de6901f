/** θ of the documents of a block, as g = α + n at (p·rows + i)·width + k: what `score` leaves for `absorb`. */
export class Folded {
  readonly g: Float64Array

  constructor(length: number) {
    this.g = new Float64Array(length)
  }
}
