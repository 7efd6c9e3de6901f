/** The kernels, as one module: src/kernels/wasm/. Host data goes from `heapBase` on. */
export { absorbSlots, distances, whiten } from "./dense"
export { absorbColumns, scoreColumns } from "./diagonal"
export { collapse } from "./responsibilities"
export { moveEach, moveOne, scoreWords, settleWords } from "./words"

export function heapBase(): usize {
  return __heap_base
}
