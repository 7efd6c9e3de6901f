/** What a worker does with its orders, on any platform. It knows the families and structures of Suffice, and none else. */
import { buffersOf } from "../blocks/held.ts"
import type { Chunk, Work } from "../contract.ts"
import { type Laid, lay } from "../engine/lay.ts"
import { ChunkSweep, type Swept } from "../engine/sweep.ts"
import { SufficeError, show } from "../errors.ts"
import { families } from "../families/list.ts"
import { preferKernels } from "../kernels/wasm/use.ts"
import { reviveModel } from "../structures/list.ts"
import type { Answer, Order } from "./orders.ts"

export function obeyer(post: (answer: Answer, transfer: ArrayBuffer[]) => void): (order: Order) => void {
  const known = new Map(families.map(kind => [kind.name, kind]))
  const own = new Map<number, Chunk>()
  let laid: Laid | undefined
  let certain = false
  let params: Float64Array = new Float64Array(0)

  /** The statistics of all of them lie in one array, which goes over at once. */
  function sweep(chunks: readonly Chunk[]): { swept: Swept[]; transfer: ArrayBuffer[] } {
    const { statistics } = laid!
    const room = new Float64Array(chunks.length * statistics)
    let spent: Work
    const swept = chunks.map((chunk, c) => {
      const stats = room.subarray(c * statistics, (c + 1) * statistics)
      const sweep = new ChunkSweep(laid!, params, certain, stats, spent)
      for (const block of chunk) sweep.add(block)
      spent = sweep.work
      const { logLikelihood, entropy, guessed } = sweep
      return { stats, logLikelihood, entropy, guessed }
    })
    return { swept, transfer: [room.buffer] }
  }

  return order => {
    switch (order.order) {
      case "lay": {
        own.clear()
        certain = order.certain
        params = order.params
        try {
          preferKernels(order.kernels)
          const revival = { families: known, most: Number.POSITIVE_INFINITY }
          laid = lay(reviveModel(order.spec, revival), order.columns)
          if (laid.parameters !== params.length) throw new Error("it is laid out differently")
          const { swept, transfer } = sweep([[order.probe]])
          post({ answer: "laid", swept: swept[0] }, transfer)
        } catch (error) {
          post({ answer: "refused", why: reason(error) }, [])
        }
        return
      }
      case "own":
        own.set(order.number, order.chunk)
        return
      case "turn":
        params = order.params
        return
      case "sweep": {
        const { numbers, chunk } = order
        try {
          const { swept, transfer } = sweep(chunk ? [chunk] : numbers.map(number => own.get(number)!))
          post({ answer: "swept", number: numbers[0], swept }, transfer)
        } catch (error) {
          if (!(error instanceof SufficeError)) throw error
          const { code, message, details } = error
          post({ answer: "failed", number: numbers[0], code, message, details }, [])
        }
        return
      }
      case "forget":
        giveAway([...own.values()].flatMap(buffersOf).concat(params.buffer as ArrayBuffer))
        own.clear()
        params = new Float64Array(0)
        laid = undefined
        return
      default:
        order satisfies never
    }
  }
}

/** A message to nobody: its memory is free at once. An idle worker collects no garbage, and would hold for long what it merely lets go. */
function giveAway(buffers: readonly ArrayBuffer[]): void {
  const { port1, port2 } = new MessageChannel()
  port2.close()
  port1.postMessage(null, [...new Set(buffers)])
  port1.close()
}

function reason(error: unknown): string {
  const stranger = error instanceof SufficeError ? (error.details.kind ?? error.details.family) : undefined
  if (stranger !== undefined) return `${show(stranger)} is not known there`
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "")
}
