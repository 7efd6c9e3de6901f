/** The checkpoint file: written from time to time, and when learning is stopped; read when it starts again. */
import { readFile, rm } from "node:fs/promises"
import { Failure } from "./failure.ts"
import { save } from "./terminal/save.ts"
import { reasonOf } from "./terminal/stream.ts"

/** Milliseconds between two writes: learning waits for each. */
const PAUSE = 5000

export class Keeper {
  /** The file that --checkpoint names; without it, one is written only if something would be lost. */
  readonly #path: string | undefined
  #latest: Uint8Array | undefined
  #written = performance.now()

  constructor(path: string | undefined) {
    this.#path = path
  }

  async read(): Promise<Uint8Array | undefined> {
    const path = this.#path
    if (path === undefined) return undefined
    return readFile(path).catch(error => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
      throw new Failure(
        "file",
        `the checkpoint ${JSON.stringify(path)} cannot be read: ${reasonOf(error)}. Learning goes on from it, if it is there. Name another file.`,
        { path },
      )
    })
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#latest = bytes
    if (this.#path === undefined || performance.now() - this.#written < PAUSE) return
    await this.#save(this.#path)
  }

  /** Learning was stopped: returns the file to resume from, if something was learned. */
  async leave(otherwise: string | undefined): Promise<string | undefined> {
    const path = this.#path ?? otherwise
    if (this.#latest === undefined || path === undefined) return undefined
    await this.#save(path)
    return path
  }

  /** Learning is done: the checkpoint is no longer needed. */
  async forget(): Promise<void> {
    if (this.#path !== undefined) await rm(this.#path, { force: true })
  }

  async #save(path: string): Promise<void> {
    await save(path, "the checkpoint", put => put(this.#latest!))
    this.#written = performance.now()
  }
}
