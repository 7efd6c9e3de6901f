/** What can be dragged in a figure. */

/** One coordinate: where it is, how far it may go, and in which steps. */
export interface Range {
  readonly at: number
  readonly min: number
  readonly max: number
  readonly step: number
  /** Said before its value, where there are two. */
  readonly name?: string
}

export interface HandleOptions {
  readonly name: string
  readonly colour?: string
  readonly x?: Range
  readonly y?: Range
  move(x: number, y: number): void
}
