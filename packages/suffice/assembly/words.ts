/**
 * Bags of words scored by parameters that live in this memory: the twin of scoreWords in src/kernels/word-rows.ts, the same steps and so the
 * same bits. The slots of a word lie side by side.
 */
import { addScores, scoreRow } from "./score-row"
import { countOf, fetch, fetchRow, LINE, number, weighedOf, wordsOf } from "./word-table"

/** out[p·rows + i] += Σ_t x_t θ_wp − A_p Σ_t x_t. `row`: scratch, one number per slot and one more. */
export function scoreWords(
  table: usize,
  rows: i32,
  params: usize,
  size: i32,
  slots: i32,
  out: usize,
  row: usize,
): void {
  for (let i = 0; i < rows; i++) fetchRow(table, i)
  for (let i = 0; i < rows; i++) {
    const words = wordsOf(table, i)
    const count = countOf(table, i)
    if (count === 0) continue
    if (slots > LINE) fetch(params, words, count, slots, slots)
    const length = scoreRow(words, weighedOf(table, i), count, params, slots, row)
    addScores(row, length, params, size, slots, number(out, i), rows)
  }
}
