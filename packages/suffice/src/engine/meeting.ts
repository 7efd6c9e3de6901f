import type { Tally } from "../contract.ts"

/** What rows weigh on average, by those that were met. */
export class Meeting {
  #rows: number
  #weight: number

  constructor({ rows, weight }: Tally = { rows: 0, weight: 0 }) {
    this.#rows = rows
    this.#weight = weight
  }

  /** What as many rows should weigh. */
  meet({ rows, weight }: Tally): number {
    this.#rows += rows
    this.#weight += weight
    return rows > 0 ? (rows * this.#weight) / this.#rows : 0
  }

  tally(): Tally {
    return { rows: this.#rows, weight: this.#weight }
  }
}
