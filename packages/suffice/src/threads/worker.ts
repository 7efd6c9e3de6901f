/** The worker's side, on any platform. It knows the families and structures of Suffice, and no others. */

import { buffersOf } from "../blocks/encoded.ts"
import type { Chunk } from "../contract/block.ts"
import type { Swept } from "../engine/sweep-total.ts"
import { SufficeError, show } from "../errors.ts"
import { Sweeper } from "../frames/sweeper.ts"
import type { Command, ReadPlace, Reply } from "./messages.ts"

/** `read`: for frames in files. */
export function commandHandler(
  post: (reply: Reply, transfer: ArrayBuffer[]) => void,
  read?: ReadPlace,
): (command: Command) => void {
  const session = new Session(post, read)
  return command => session.handle(command)
}

/** One worker: the chunks, the model and the parameters of the fit that it serves. */
class Session {
  readonly #post: (reply: Reply, transfer: ArrayBuffer[]) => void
  readonly #read: ReadPlace | undefined
  readonly #stored = new Map<number, Chunk>()
  #sweeper: Sweeper | undefined
  #params: Float64Array = new Float64Array(0)

  constructor(post: (reply: Reply, transfer: ArrayBuffer[]) => void, read: ReadPlace | undefined) {
    this.#post = post
    this.#read = read
  }

  handle(command: Command): void {
    switch (command.type) {
      case "lay":
        this.#lay(command)
        return
      case "store":
        this.#stored.set(command.number, command.chunk)
        return
      case "params":
        this.#params = command.params
        return
      case "sweep": {
        const { numbers, chunk } = command
        this.#answer(numbers[0], numbers.length, c => chunk ?? this.#stored.get(numbers[c])!)
        return
      }
      case "frames": {
        const { number, places } = command
        this.#answer(number, places.length, c => this.#sweeper!.chunkOf(this.#bytesAt(places[c])))
        return
      }
      case "forget":
        this.#forget()
        return
      default:
        command satisfies never
    }
  }

  #lay({ task, params, probe }: Extract<Command, { type: "lay" }>): void {
    this.#stored.clear()
    this.#params = params
    try {
      this.#sweeper?.end()
      this.#sweeper = new Sweeper(task)
      if (this.#sweeper.laid.parameters !== params.length) throw new Error("it is laid out differently")
      const { swept, transfer } = this.#sweep(1, () => [probe])
      this.#post({ type: "laid", swept: swept[0] }, transfer)
    } catch (error) {
      this.#post({ type: "refused", why: reason(error) }, [])
    }
  }

  #bytesAt(place: Extract<Command, { type: "frames" }>["places"][number]) {
    return "bytes" in place ? place.bytes : this.#read!(place.path, place.position, place.length)
  }

  #answer(number: number, count: number, chunk: (c: number) => Chunk): void {
    try {
      const { swept, transfer } = this.#sweep(count, chunk)
      this.#post({ type: "swept", number, swept }, transfer)
    } catch (error) {
      if (!(error instanceof SufficeError)) throw error
      const { code, message, details } = error
      this.#post({ type: "failed", number, code, message, details }, [])
    }
  }

  /** The statistics of all chunks share one buffer, which is transferred at once. A chunk is valid until the next is read. */
  #sweep(count: number, chunk: (c: number) => Chunk): { swept: Swept[]; transfer: ArrayBuffer[] } {
    const { statistics } = this.#sweeper!.laid
    const all = new Float64Array(count * statistics)
    const swept = Array.from({ length: count }, (_, c) =>
      this.#sweeper!.sweep(chunk(c), this.#params, all.subarray(c * statistics, (c + 1) * statistics)),
    )
    return { swept, transfer: [all.buffer] }
  }

  #forget(): void {
    freeNow([...this.#stored.values()].flatMap(buffersOf).concat(this.#params.buffer as ArrayBuffer))
    this.#stored.clear()
    this.#params = new Float64Array(0)
    this.#sweeper?.end()
    this.#sweeper = undefined
  }
}

/** Transfers the buffers to a closed port, which frees their memory at once: an idle worker collects no garbage, and would hold on to them. */
function freeNow(buffers: readonly ArrayBuffer[]): void {
  const { port1, port2 } = new MessageChannel()
  port2.close()
  port1.postMessage(null, [...new Set(buffers)])
  port1.close()
}

function reason(error: unknown): string {
  const unknown = error instanceof SufficeError ? (error.details.kind ?? error.details.family) : undefined
  if (unknown !== undefined) return `${show(unknown)} is not known there`
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "")
}
