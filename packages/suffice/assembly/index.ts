/** The kernels, as one module: src/kernels/fast/. Host data goes from `heapBase` on. */
export { absorbEach, absorbOne, logWords, scoreBags } from "./bags"
export { bestPaths } from "./best-paths"
export { bestRows } from "./best-rows"
export { backwardRows, forwardRows } from "./chain"
export { scoreLines, scoreOwn, scoreShared } from "./dense-scores"
export { absorbList, absorbSlots } from "./dense-sums"
export { absorbColumns, holes, scoreColumns } from "./diagonal"
export { scoreLevels, scoreNumbers } from "./fused"
export { moveEach, moveOne, settleWords } from "./moving-words"
export { collapse, posteriorRows } from "./responsibilities"
export { sumRuns } from "./runs"
export { countEach, countOne, sortRows, sumPlain, turnWeights } from "./slot-sums"
export { standardise } from "./standardise"
export { deliverTopics, moveTopics, shareTopics } from "./topic-counts"
export { foldTopics } from "./topic-fold"
export { endBatch, scoreTopics } from "./topic-rows"
export { scoreWords } from "./words"

export function heapBase(): usize {
  return __heap_base
}
