/** The exports of assembly/index.ts, written by `npm run build:kernels`. Addresses are in bytes, strides in numbers. */
export interface Exports {
  readonly memory: WebAssembly.Memory
  heapBase(): number
  absorbEach(offsets: number, words: number, counts: number, rows: number, values: number, stats: number, size: number, slots: number): void
  absorbOne(offsets: number, words: number, counts: number, rows: number, slot: number, weight: number, stats: number, size: number, slots: number): void
  logWords(counts: number, size: number, slots: number, alpha: number, table: number, totals: number): number
  scoreBags(offsets: number, words: number, counts: number, rows: number, params: number, size: number, slots: number, out: number, row: number): void
  bestPaths(k: number, K: number, logInitial: number, logTable: number, logEnds: number, scores: number, column: number, tags: number, margin: number, offsets: number, rows: number, wanted: number, path: number, heights: number, pointers: number, work: number): void
  bestRows(scores: number, k: number, rows: number, codes: number): void
  backwardRows(k: number, K: number, turned: number, logTurned: number, ends: number, b: number, alpha: number, scale: number, offsets: number, rows: number, weights: number, values: number, column: number, counts: number, terms: number, work: number): void
  forwardRows(k: number, K: number, hasZeros: number, initial: number, table: number, ends: number, scores: number, column: number, tags: number, offsets: number, rows: number, b: number, alpha: number, scale: number, tops: number, sums: number, work: number): void
  scoreLines(x: number, stride: number, rows: number, d: number, slots: number, lines: number, scores: number): void
  scoreOwn(x: number, stride: number, rows: number, d: number, slots: number, means: number, inverses: number, tops: number, panel: number, work: number, scores: number): void
  scoreShared(x: number, stride: number, rows: number, d: number, slots: number, means: number, meanStride: number, inverse: number, top: number, panel: number, work: number, centres: number, scores: number): void
  absorbList(x: number, stride: number, rows: number, d: number, list: number, count: number, kept: number, picked: number, wx: number, sums: number, triangle: number): void
  absorbSlots(x: number, stride: number, rows: number, d: number, slots: number, weights: number, kept: number, list: number, packed: number, picked: number, wx: number, sums: number, triangles: number): void
  absorbColumns(x: number, stride: number, rows: number, d: number, slots: number, weights: number, sums: number, complete: number): void
  holes(x: number, stride: number, rows: number, d: number): number
  scoreColumns(x: number, stride: number, rows: number, d: number, slots: number, step: number, params: number, scores: number, complete: number): void
  scoreLevels(codes: number, stride: number, rows: number, d: number, slots: number, params: number, starts: number, scores: number): void
  scoreNumbers(x: number, stride: number, rows: number, d: number, slots: number, params: number, scores: number): void
  moveEach(table: number, rows: number, g: number, counts: number, params: number, totals: number, slots: number, least: number): void
  moveOne(table: number, rows: number, slot: number, g: number, counts: number, params: number, totals: number, slots: number, least: number): void
  settleWords(counts: number, params: number, size: number, totals: number, slots: number, least: number, share: number, mean: number): void
  collapse(scores: number, k: number, size: number, work: number): void
  posteriorRows(scores: number, k: number, rows: number, work: number, lines: number): void
  sumRuns(values: number, runs: number, inverse: number, out: number): void
  countEach(codes: number, rows: number, width: number, values: number, counts: number): void
  countOne(codes: number, rows: number, slots: number, slot: number, weight: number, counts: number): void
  sortRows(slot: number, rows: number, slots: number, order: number, starts: number): void
  sumPlain(x: number, order: number, starts: number, slots: number, sums: number): number
  turnWeights(values: number, rows: number, slots: number, width: number, out: number): void
  standardise(x: number, count: number, shift: number, inverse: number, most: number): number
  deliverTopics(words: number, x: number, count: number, slot: number, weight: number, params: number, slots: number, own: number, shared: number, size: number, g: number, phi: number, counts: number, batch: number, most: number): void
  moveTopics(words: number, count: number, stride: number, shared: number, size: number, factor: number, least: number, params: number, delta: number, totals: number, batch: number): void
  shareTopics(words: number, x: number, count: number, slot: number, weight: number, params: number, slots: number, own: number, shared: number, size: number, g: number, phi: number): void
  foldTopics(memory: number, topics: number, width: number, count: number, length: number, steps: number, tolerance: number, leaps: number): number
  endBatch(batch: number, size: number): void
  scoreTopics(words: number, x: number, count: number, params: number, slots: number, own: number, shared: number, size: number, steps: number, tolerance: number, leaps: number, memory: number, out: number, batch: number, most: number): number
  scoreWords(table: number, rows: number, params: number, size: number, slots: number, out: number, row: number): void
}
