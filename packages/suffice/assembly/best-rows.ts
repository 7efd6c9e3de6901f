/** The highest of a row's scores: the twin of src/kernels/best-rows.ts, two rows in each register, and no branch that could be guessed wrongly. */

/** codes[i] ← the first l < k at which the score at scores + 8·(rows·l + i) is highest; an odd one out has whatever lies behind it beside it. */
export function bestRows(scores: usize, k: i32, rows: i32, codes: usize): void {
  const column = (<usize>rows) << 3
  const end = scores + column
  for (; scores < end; scores += 16, codes += 8) {
    let most = v128.load(scores)
    let best = i64x2.splat(0)
    let at = scores
    for (let l = 1; l < k; l++) {
      at += column
      const score = v128.load(at)
      const above = f64x2.gt(score, most)
      most = v128.bitselect(score, most, above)
      best = v128.bitselect(i64x2.splat(l), best, above)
    }
    store<i32>(codes, i32x4.extract_lane(best, 0))
    store<i32>(codes, i32x4.extract_lane(best, 2), 4)
  }
}
