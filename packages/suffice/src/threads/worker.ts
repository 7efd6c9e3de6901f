/** The worker's side, on any platform. It knows the families and structures of Suffice, and no others. */

import { beliefs } from "../beliefs/list.ts"
import { buffersOf } from "../blocks/encoded.ts"
import type { Chunk } from "../contract/block.ts"
import type { Work } from "../contract/leaf.ts"
import { believing, learning } from "../engine/believe.ts"
import { type Laid, lay } from "../engine/lay.ts"
import { ChunkSweep, type Swept } from "../engine/sweep.ts"
import { SufficeError, show } from "../errors.ts"
import { families } from "../families/list.ts"
import { preferKernels } from "../kernels/fast/use.ts"
import { largeStructures } from "../structures/large.ts"
import { reviveModel } from "../structures/list.ts"
import type { Command, Reply } from "./messages.ts"

export function commandHandler(
  post: (reply: Reply, transfer: ArrayBuffer[]) => void,
): (command: Command) => void {
  const known = new Map(families.map(kind => [kind.name, kind]))
  const stored = new Map<number, Chunk>()
  let laid: Laid | undefined
  let certain = false
  let params: Float64Array = new Float64Array(0)

  /** The statistics of all chunks share one buffer, which is transferred at once. */
  function sweep(chunks: readonly Chunk[]): { swept: Swept[]; transfer: ArrayBuffer[] } {
    const { statistics } = laid!
    const all = new Float64Array(chunks.length * statistics)
    let spent: Work
    const swept = chunks.map((chunk, c) => {
      const stats = all.subarray(c * statistics, (c + 1) * statistics)
      const sweep = new ChunkSweep(laid!, params, certain, stats, spent)
      for (const block of chunk) sweep.add(block)
      spent = sweep.work
      const { logLikelihood, entropy, guessed } = sweep
      return { stats, logLikelihood, entropy, guessed }
    })
    return { swept, transfer: [all.buffer] }
  }

  return command => {
    switch (command.type) {
      case "lay": {
        stored.clear()
        certain = command.certain
        params = command.params
        try {
          preferKernels(command.kernels)
          const revival = { families: known, most: Number.POSITIVE_INFINITY }
          const model = reviveModel(command.spec, revival, largeStructures)
          laid = lay(command.isBelieved ? believing(model, beliefs, learning) : model, command.columns)
          if (laid.parameters !== params.length) throw new Error("it is laid out differently")
          const { swept, transfer } = sweep([[command.probe]])
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
        try {
          const { swept, transfer } = sweep(chunk ? [chunk] : numbers.map(number => stored.get(number)!))
          post({ type: "swept", number: numbers[0], swept }, transfer)
        } catch (error) {
          if (!(error instanceof SufficeError)) throw error
          const { code, message, details } = error
          post({ type: "failed", number: numbers[0], code, message, details }, [])
        }
        return
      }
      case "forget":
        freeNow([...stored.values()].flatMap(buffersOf).concat(params.buffer as ArrayBuffer))
        stored.clear()
        params = new Float64Array(0)
        laid = undefined
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
