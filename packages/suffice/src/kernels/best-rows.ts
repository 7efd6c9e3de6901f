/** codes[i] ← argmax_l of the scores s_l of row i, which are at l·rows + i; of equal ones the first. */
export function bestRows(scores: Float64Array, k: number, rows: number, codes: Int32Array): void {
  for (let i = 0; i < rows; i++) {
    let best = 0
    let most = scores[i]
    for (let l = 1; l < k; l++) {
      const score = scores[l * rows + i]
      if (score > most) {
        most = score
        best = l
      }
    }
    codes[i] = best
  }
}
