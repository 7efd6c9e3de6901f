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
  const stored = new Map<number, Chunk>()
  let sweeper: Sweeper | undefined
  let params: Float64Array = new Float64Array(0)

  /** The statistics of all chunks share one buffer, which is transferred at once. A chunk is good until the next is asked for. */
  function sweep(count: number, chunk: (c: number) => Chunk): { swept: Swept[]; transfer: ArrayBuffer[] } {
    const { statistics } = sweeper!.laid
    const all = new Float64Array(count * statistics)
    const swept = Array.from({ length: count }, (_, c) =>
      sweeper!.sweep(chunk(c), params, all.subarray(c * statistics, (c + 1) * statistics)),
    )
    return { swept, transfer: [all.buffer] }
  }

  function answer(number: number, count: number, chunk: (c: number) => Chunk): void {
    try {
      const { swept, transfer } = sweep(count, chunk)
      post({ type: "swept", number, swept }, transfer)
    } catch (error) {
      if (!(error instanceof SufficeError)) throw error
      const { code, message, details } = error
      post({ type: "failed", number, code, message, details }, [])
    }
  }

  return command => {
    switch (command.type) {
      case "lay": {
        stored.clear()
        params = command.params
        try {
          sweeper?.end()
          sweeper = new Sweeper(command.task)
          if (sweeper.laid.parameters !== params.length) throw new Error("it is laid out differently")
          const { swept, transfer } = sweep(1, () => [command.probe])
          post({ type: "laid", swept: swept[0] }, transfer)
        } catch (error) {
          post({ type: "refused", why: reason(error) }, [])
        }
        return
      }
      case "store":
        stored.set(command.number, command.chunk)
        return
      case "params":
        params = command.params
        return
      case "sweep": {
        const { numbers, chunk } = command
        answer(numbers[0], numbers.length, c => chunk ?? stored.get(numbers[c])!)
        return
      }
      case "frames": {
        const { number, places } = command
        answer(number, places.length, c => {
          const place = places[c]
          const bytes = "bytes" in place ? place.bytes : read!(place.path, place.position, place.length)
          return sweeper!.chunkOf(bytes)
        })
        return
      }
      case "forget":
        freeNow([...stored.values()].flatMap(buffersOf).concat(params.buffer as ArrayBuffer))
        stored.clear()
        params = new Float64Array(0)
        sweeper?.end()
        sweeper = undefined
        return
      default:
        command satisfies never
    }
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
