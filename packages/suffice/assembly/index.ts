/** The kernels, as one module: src/kernels/wasm/. Host data goes from `heapBase` on. */

export { distances, gather, squares, weigh, whiten } from "./dense"
export { absorbColumns, holes, scoreColumns, scoreColumnsWithHoles } from "./diagonal"
export { collapse } from "./responsibilities"

export function heapBase(): usize {
  return __heap_base
}
