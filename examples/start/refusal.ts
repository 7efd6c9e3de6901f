/** The start cannot go on: a sentence that says what, why, and what to do, and the exit code. */
export class Refusal extends Error {
  readonly exit: number

  constructor(message: string, exit = 1) {
    super(message)
    this.exit = exit
  }
}
