/** What long work needs of who asked for it: a signal that stops it, and someone to tell how far it is. */

import type { LooseModel } from "./loose.ts"

/** How far something is. */
export interface Bar {
  /** Adds to what is done. */
  advance(by?: number, more?: string): void
  /** Sets what is done in all. */
  at(done: number, more?: string): void
  /** Shows what begins now, before work that lets nothing be shown. */
  show(more: string): Promise<void>
  stop(): void
}

export interface Work {
  readonly signal: AbortSignal
  /** The command line that does the same, as it can be typed. */
  readonly command: string
  /** The model that a file declares. */
  modelIn(path: string): Promise<LooseModel>
  /** A remark besides the answer. */
  note(text: string): void
  progress(label: string, total?: number, unit?: string): Bar
}
