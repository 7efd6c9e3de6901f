/** What assembly/index.ts exports to kernels.ts. Places are bytes, strides are numbers. */
export interface Exports {
  readonly memory: WebAssembly.Memory
  heapBase(): number
  holes(x: number, stride: number, rows: number, d: number): number
  scoreOwn(
    x: number,
    stride: number,
    rows: number,
    d: number,
    slots: number,
    means: number,
    inverses: number,
    tops: number,
    panel: number,
    work: number,
    scores: number,
  ): void
  scoreShared(
    x: number,
    stride: number,
    rows: number,
    d: number,
    slots: number,
    means: number,
    meanStride: number,
    inverse: number,
    top: number,
    panel: number,
    work: number,
    centres: number,
    scores: number,
  ): void
  scoreLines(
    x: number,
    stride: number,
    rows: number,
    d: number,
    slots: number,
    lines: number,
    scores: number,
  ): void
  absorbSlots(
    x: number,
    stride: number,
    rows: number,
    d: number,
    slots: number,
    weights: number,
    kept: number,
    list: number,
    packed: number,
    picked: number,
    wx: number,
    sums: number,
    triangles: number,
  ): void
  absorbList(
    x: number,
    stride: number,
    rows: number,
    d: number,
    list: number,
    count: number,
    kept: number,
    picked: number,
    wx: number,
    sums: number,
    triangle: number,
  ): void
  scoreColumns(
    x: number,
    stride: number,
    rows: number,
    d: number,
    slots: number,
    step: number,
    params: number,
    scores: number,
    complete: number,
  ): void
  absorbColumns(
    x: number,
    stride: number,
    rows: number,
    d: number,
    slots: number,
    weights: number,
    sums: number,
    complete: number,
  ): void
  collapse(scores: number, k: number, size: number, work: number): void
  bestRows(scores: number, k: number, rows: number, codes: number): void
  posteriorRows(scores: number, k: number, rows: number, work: number, lines: number): void
}
