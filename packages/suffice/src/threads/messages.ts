/** The messages between `fit` and its workers. Rows are sent once; then each sweep sends θ and receives statistics. */
import type { Block, Chunk } from "../contract/block.ts"
import type { Swept } from "../engine/sweep-total.ts"
import type { ErrorCode } from "../errors.ts"
import type { FramePlace, Spill } from "../frames/spill.ts"
import type { SweepTask } from "../frames/sweeper.ts"

export type Command =
  /** The model in its saved form: the worker lays it out again and replies with a sweep of one block at θ. */
  | {
      readonly type: "lay"
      readonly task: SweepTask
      readonly params: Float64Array
      readonly probe: Block
    }
  /** The worker keeps this chunk until the fit is over. */
  | { readonly type: "store"; readonly number: number; readonly chunk: Chunk }
  /** θ of the next sweep. */
  | { readonly type: "params"; readonly params: Float64Array }
  /** Sweep the stored chunks of these numbers; or the chunk in the message, which is not stored. */
  | { readonly type: "sweep"; readonly numbers: readonly number[]; readonly chunk?: Chunk }
  /** Sweep the rows of these frames, which the worker reads itself, or which are in the message. */
  | { readonly type: "frames"; readonly number: number; readonly places: readonly FramePlace[] }
  /** The fit is over: nothing of it is kept. */
  | { readonly type: "forget" }

export type Reply =
  | { readonly type: "laid"; readonly swept: Swept }
  | { readonly type: "refused"; readonly why: string }
  /** A row was refused: the error, as the caller would have thrown it. */
  | {
      readonly type: "failed"
      readonly number: number
      readonly code: ErrorCode
      readonly message: string
      readonly details: Readonly<Record<string, unknown>>
    }
  /** One entry per chunk, in their order; `number` is that of the first. */
  | { readonly type: "swept"; readonly number: number; readonly swept: readonly Swept[] }

/** What a worker reports to its owner. */
export interface Listener {
  onReply(reply: Reply): void
  /** It ended without being asked to, or never started. */
  onExit(why: string): void
}

/** A worker of any platform. */
export interface WorkerHandle {
  post(command: Command, transfer: ArrayBuffer[]): void
  /** Whether the worker keeps the program from ending: yes while someone waits for it. */
  keepAlive(waiting: boolean): void
  end(): void
}

/** Reads part of a file, in a worker that can. */
export type ReadPlace = (path: string, position: number, length: number) => Uint8Array<ArrayBuffer>

/** What a platform provides: package.json names the file for each under "#workers". */
export interface Platform {
  spawn(listener: Listener): WorkerHandle
  cores(): number
  /** Files for rows that are too many to hold, where there are any. */
  readonly spill?: Spill | undefined
  /** Calls `act` after this many milliseconds, unless the function it returns is called first. The timer does not keep a program from ending. */
  later(milliseconds: number, act: () => void): () => void
}
