/** Scores of nodes, read by the configuration of their parents. */

/** out[p·rows + i] += table[code_i·slots + c_i·P + p] if neither is missing. */
export function addTable(
  table: Float64Array,
  codes: Int32Array,
  configurations: Int32Array,
  slots: number,
  P: number,
  rows: number,
  out: Float64Array,
): void {
  for (let p = 0; p < P; p++) {
    const to = p * rows
    for (let i = 0; i < rows; i++) {
      if (codes[i] >= 0 && configurations[i] >= 0)
        out[to + i] += table[codes[i] * slots + configurations[i] * P + p]
    }
  }
}

/** out[p·rows + i] += scores[(c_i·P + p)·rows + i] if c_i is not missing. */
export function addScores(
  scores: Float64Array,
  configurations: Int32Array,
  P: number,
  rows: number,
  out: Float64Array,
): void {
  for (let i = 0; i < rows; i++) {
    const c = configurations[i]
    if (c < 0) continue
    for (let p = 0; p < P; p++) out[p * rows + i] += scores[(c * P + p) * rows + i]
  }
}
