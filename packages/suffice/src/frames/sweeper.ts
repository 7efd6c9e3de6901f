/** Chunks swept from a model in its saved form: what threads, frames on disk and other machines do alike. It knows the families and structures of Suffice. */
import { beliefs } from "../beliefs/list.ts"
import { gather } from "../blocks/gather.ts"
import type { Block, Chunk } from "../contract/block.ts"
import type { Column } from "../contract/columns.ts"
import type { Work } from "../contract/leaf.ts"
import type { Model } from "../contract/model.ts"
import type { Description } from "../contract/report.ts"
import { RowEncoder } from "../data/encode.ts"
import { slicesOf } from "../data/read.ts"
import { readingsOf } from "../data/readings.ts"
import type { Weighting } from "../data/weigh.ts"
import { believing, learning } from "../engine/believe.ts"
import { type Laid, lay } from "../engine/lay.ts"
import type { Ranks } from "../engine/sample.ts"
import { ChunkSweep } from "../engine/sweep.ts"
import type { Swept } from "../engine/sweep-total.ts"
import { families } from "../families/list.ts"
import { type KernelChoice, preferKernels } from "../kernels/fast/use.ts"
import { columnMemory } from "../kernels/twins.ts"
import { largeStructures } from "../structures/large.ts"
import { reviveModel } from "../structures/list.ts"
import { readFrame } from "./frame.ts"

/** What a sweep needs besides θ: plain data. */
export interface SweepTask {
  readonly spec: Description
  readonly columns: readonly Column[]
  readonly certain: boolean
  /** Its leaves are those that posteriors are learned with. */
  readonly isBelieved?: boolean | undefined
  readonly kernels: KernelChoice
  /** How rows of frames are read; without it only encoded chunks can be swept. */
  readonly door?: Door | undefined
}

export interface Door {
  readonly labels: readonly string[]
  readonly weighting: Weighting
}

/** The declared model of a spec; throws if it names a family or structure that is not known here. */
export function modelFrom(spec: Description): Model {
  const known = new Map(families.map(kind => [kind.name, kind]))
  return reviveModel(spec, { families: known, most: Number.POSITIVE_INFINITY }, largeStructures)
}

/** Sweeps chunks, or the rows of frames, with a model laid out from its spec. */
export class Sweeper {
  readonly laid: Laid
  readonly #certain: boolean
  readonly #encoder: RowEncoder | undefined
  readonly #label: number
  #reuse: Work

  /** "kept": chunks are good for longer than until the next one. */
  constructor({ spec, columns, certain, isBelieved, kernels, door }: SweepTask, chunks?: "kept") {
    preferKernels(kernels)
    const model = modelFrom(spec)
    this.laid = lay(isBelieved ? believing(model, beliefs, learning) : model, columns)
    this.#certain = certain
    this.#label = columns.findIndex(({ name }) => name === model.target)
    if (!door) return
    const schema = { columns, labels: door.labels, readings: readingsOf(model.uses) }
    const memory = chunks === "kept" ? undefined : columnMemory()
    this.#encoder = new RowEncoder(schema, door.weighting, undefined, undefined, memory)
  }

  /** `stats`: zeros. */
  sweep(chunk: Chunk, params: Float64Array, stats = new Float64Array(this.laid.statistics)): Swept {
    const sweep = new ChunkSweep(this.laid, params, this.#certain, stats, this.#reuse)
    for (const block of chunk) sweep.add(block)
    this.#reuse = sweep.work
    const { logLikelihood, entropy, guessed } = sweep
    return { stats, logLikelihood, entropy, guessed }
  }

  /** The rows of a frame, encoded; good until the next one. */
  chunkOf(bytes: Uint8Array): Chunk {
    const encoder = this.#encoder!
    const { first, columns } = readFrame(bytes)
    for (const slice of slicesOf(columns, first, "", encoder.breadth)) encoder.read(slice)
    return encoder.take()
  }

  /** Rows of a chunk, as a block of their own. */
  pick(chunk: Chunk, { labelled, unlabelled }: Ranks): Block {
    const seen = { ranks: new Set(labelled), next: 0 }
    const hidden = { ranks: new Set(unlabelled), next: 0 }
    const picks = { blocks: [] as Block[], rows: [] as number[] }
    for (const block of chunk) {
      const label = unlabelled.length > 0 || labelled.length > 0 ? this.#labelsOf(block) : undefined
      for (let row = 0; row < block.rows; row++) {
        const kind = label && label[row] < 0 ? hidden : seen
        if (!kind.ranks.has(kind.next++)) continue
        picks.blocks.push(block)
        picks.rows.push(row)
      }
    }
    return gather(this.laid.columns, picks)
  }

  #labelsOf(block: Block): Int32Array | undefined {
    return this.#label < 0 ? undefined : (block.cells[this.#label] as Int32Array)
  }

  /** Memory of the kernels that was lent. */
  end(): void {
    this.#encoder?.end()
  }
}
