/** The first pass over frames, away from where they are joined. */
import type { Column, TextOptions } from "../contract/columns.ts"
import type { Description } from "../contract/report.ts"
import { Exploration, type ExploredPart } from "../data/discover.ts"
import { slicesOf } from "../data/read.ts"
import type { Weighting } from "../data/weigh.ts"
import { readFrame } from "./frame.ts"
import { modelFrom } from "./sweeper.ts"

/** What the first pass goes by: plain data. */
export interface ExploreTask {
  readonly spec: Description
  readonly weighting: Weighting
  /** In an update: the columns of the earlier model. */
  readonly known?: readonly Column[] | undefined
  readonly scaling?: TextOptions["scaling"] | undefined
}

/** Explores frames of one stretch, in order. */
export class FrameExplorer {
  readonly #exploration: Exploration

  constructor({ spec, weighting, known, scaling }: ExploreTask) {
    const schema = known && { columns: known, labels: [], readings: new Map() }
    this.#exploration = new Exploration(modelFrom(spec).uses, weighting, schema, scaling)
  }

  look(bytes: Uint8Array): void {
    const { first, columns } = readFrame(bytes)
    for (const slice of slicesOf(columns, first, "", this.#exploration.breadth)) this.#exploration.look(slice)
  }

  part(): ExploredPart {
    return this.#exploration.part()
  }
}
