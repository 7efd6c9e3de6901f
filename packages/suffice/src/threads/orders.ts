/** What is said between `fit` and its workers. Rows go over once, then θ there and statistics back. */
import type { Block, Chunk, Column, Description } from "../contract.ts"
import type { Swept } from "../engine/sweep.ts"
import type { ErrorCode } from "../errors.ts"
import type { KernelChoice } from "../kernels/wasm/use.ts"

export type Order =
  /** The model as it is saved: the worker lays it out again, and shows at θ what it makes of one block. */
  | {
      readonly order: "lay"
      readonly spec: Description
      readonly columns: readonly Column[]
      readonly certain: boolean
      readonly params: Float64Array
      readonly probe: Block
      readonly kernels: KernelChoice
    }
  /** These rows are yours from now on. */
  | { readonly order: "own"; readonly number: number; readonly chunk: Chunk }
  /** θ of the sweep that comes. */
  | { readonly order: "turn"; readonly params: Float64Array }
  /** Sweep your own chunks of these numbers; or the one that comes along, and forget it. */
  | { readonly order: "sweep"; readonly numbers: readonly number[]; readonly chunk?: Chunk }
  /** The fit is over: nothing of it is kept. */
  | { readonly order: "forget" }

export type Answer =
  | { readonly answer: "laid"; readonly swept: Swept }
  | { readonly answer: "refused"; readonly why: string }
  /** The rows are not as they must be: what the error would have said here. */
  | {
      readonly answer: "failed"
      readonly number: number
      readonly code: ErrorCode
      readonly message: string
      readonly details: Readonly<Record<string, unknown>>
    }
  /** Chunk by chunk, in their order; `number` is the first one's. */
  | { readonly answer: "swept"; readonly number: number; readonly swept: readonly Swept[] }

/** What a worker tells whoever made it. */
export interface Listener {
  answer(answer: Answer): void
  /** It ended without being asked to, or never began. */
  died(why: string): void
}

/** A worker of any platform. */
export interface Hand {
  post(order: Order, transfer: ArrayBuffer[]): void
  /** Is someone waiting for it? Else it does not keep a program from ending. */
  hold(waiting: boolean): void
  end(): void
}

/** What a platform brings: package.json names the file for each under "#workers". */
export interface Platform {
  spawn(listener: Listener): Hand
  cores(): number
  /** Acts after so many milliseconds, unless what it returns is called before. It does not keep a program from ending. */
  later(milliseconds: number, act: () => void): () => void
}
