/** The start cannot go on: a sentence that says what, why, and what to do, the exit code, and what another program printed about it. */
export class Refusal extends Error {
  readonly exit: number
  readonly printed: string

  constructor(message: string, exit = 1, printed = "") {
    super(message)
    this.exit = exit
    this.printed = printed
  }
}
