/** Documents folded in the scratch of the row memory, where they are gathered; those that are too long are left to the plain twin. */
import { documentMemory, foldTopics, type TopicKernels } from "../topic-rows.ts"
import type { RowMemory } from "./row-memory.ts"

export function topicKernels({
  arena: { wasm, numbers },
  scratch: { start, length },
}: RowMemory): TopicKernels {
  const own = numbers.subarray(start, start + length)
  return {
    documentMemory: needed => (needed <= length ? own : documentMemory(needed)),
    foldTopics(memory, topics, width, count, total, climb) {
      const { steps, tolerance, leaps } = climb
      if (memory === own)
        wasm.foldTopics(8 * start, topics, width, count, total, steps, tolerance, leaps ? 1 : 0)
      else foldTopics(memory, topics, width, count, total, climb)
    },
  }
}
