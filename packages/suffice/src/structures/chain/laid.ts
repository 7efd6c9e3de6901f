/** A chain with its passes and a scratch buffer. */
import { type Counts, countsOf } from "./counts.ts"
import { type Passes, passesOf } from "./passes.ts"
import { type Segments, segmentsOf } from "./segments.ts"
import { type ChainLayout, ChainWork } from "./work.ts"

export interface Chain {
  readonly layout: ChainLayout
  readonly passes: Passes
  readonly counts: Counts
  readonly segments: Segments
  /** Valid within one call. */
  readonly scratch: ChainWork
}

export function chainOf(layout: ChainLayout): Chain {
  const passes = passesOf(layout)
  const counts = countsOf(layout, passes)
  const segments = segmentsOf(layout, passes, counts)
  return { layout, passes, counts, segments, scratch: new ChainWork() }
}
