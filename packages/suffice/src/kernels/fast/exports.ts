/** What assembly/index.ts exports. Addresses are in bytes, strides in numbers. */
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
  sortRows(slot: number, rows: number, slots: number, order: number, starts: number): void
  sumPlain(x: number, order: number, starts: number, slots: number, sums: number): number
  countOne(codes: number, rows: number, slots: number, slot: number, weight: number, counts: number): void
  countEach(codes: number, rows: number, width: number, values: number, counts: number): void
  turnWeights(values: number, rows: number, slots: number, width: number, out: number): void
  sumRuns(values: number, runs: number, inverse: number, out: number): void
  standardise(x: number, count: number, shift: number, inverse: number, most: number): number
  scoreNumbers(
    x: number,
    stride: number,
    rows: number,
    d: number,
    slots: number,
    params: number,
    scores: number,
  ): void
  /** `stride`: in codes. */
  scoreLevels(
    codes: number,
    stride: number,
    rows: number,
    d: number,
    slots: number,
    params: number,
    starts: number,
    scores: number,
  ): void
  scoreBags(...places: [...Bags, params: number, size: number, slots: number, out: number, row: number]): void
  absorbOne(...places: [...Bags, slot: number, weight: number, ...Counts]): void
  absorbEach(...places: [...Bags, values: number, ...Counts]): void
  logWords(counts: number, size: number, slots: number, alpha: number, table: number, totals: number): number
  foldTopics(
    memory: number,
    topics: number,
    width: number,
    count: number,
    length: number,
    steps: number,
    tolerance: number,
    leaps: number,
  ): number
  /** False: a score must be computed elsewhere. */
  scoreTopics(
    ...places: [
      ...Document,
      ...Topics,
      steps: number,
      tolerance: number,
      leaps: number,
      memory: number,
      out: number,
      ...Batch,
    ]
  ): number
  endBatch(batch: number, size: number): void
  shareTopics(...places: [...Document, slot: number, weight: number, ...Topics, g: number, phi: number]): void
  deliverTopics(
    ...places: [
      ...Document,
      slot: number,
      weight: number,
      ...Topics,
      g: number,
      phi: number,
      counts: number,
      ...Batch,
    ]
  ): void
  moveTopics(
    words: number,
    count: number,
    stride: number,
    shared: number,
    size: number,
    factor: number,
    least: number,
    params: number,
    delta: number,
    totals: number,
    batch: number,
  ): void
  forwardRows(
    k: number,
    K: number,
    hasZeros: number,
    initial: number,
    table: number,
    ends: number,
    scores: number,
    column: number,
    tags: number,
    offsets: number,
    rows: number,
    b: number,
    alpha: number,
    scale: number,
    tops: number,
    sums: number,
    work: number,
  ): void
  backwardRows(
    k: number,
    K: number,
    turned: number,
    logTurned: number,
    ends: number,
    b: number,
    alpha: number,
    scale: number,
    offsets: number,
    rows: number,
    weights: number,
    values: number,
    column: number,
    counts: number,
    terms: number,
    work: number,
  ): void
  bestPaths(
    k: number,
    K: number,
    logInitial: number,
    logTable: number,
    logEnds: number,
    scores: number,
    column: number,
    tags: number,
    margin: number,
    offsets: number,
    rows: number,
    wanted: number,
    path: number,
    heights: number,
    pointers: number,
    work: number,
  ): void
  scoreWords(
    ...places: [...Table, params: number, size: number, slots: number, out: number, row: number]
  ): void
  moveOne(...places: [...Table, slot: number, g: number, ...Moments]): void
  moveEach(...places: [...Table, g: number, ...Moments]): void
  settleWords(
    counts: number,
    params: number,
    size: number,
    totals: number,
    slots: number,
    least: number,
    share: number,
    mean: number,
  ): void
}

/** Bags: rows of words one after the other. Table: rows anywhere in memory. */
type Bags = [offsets: number, words: number, weighed: number, rows: number]
type Table = [table: number, rows: number]
/** One row of words, and topics with the number of all words. */
type Document = [words: number, weighed: number, count: number]
type Topics = [params: number, slots: number, own: number, shared: number, size: number]
/** Where the φ of a mini-batch stay, or 0, and of how many words. */
type Batch = [batch: number, most: number]
type Counts = [stats: number, size: number, slots: number]
type Moments = [counts: number, params: number, totals: number, slots: number, least: number]
