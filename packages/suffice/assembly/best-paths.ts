/** Best paths: twin of src/kernels/best-paths.ts, the same steps and so the same bits. Two states in each register, K per step as in chain.ts. */

/**
 * Of each sequence with wanted ≠ 0: its best path and its height. State l of step t scores what is at scores + 8·(l·column + t); `tags` 0: there are none. `logTable` is K × K by
 * rows. `pointers`: K integers for each step of the longest sequence; `work`: 3K numbers.
 */
export function bestPaths(
  k: i32,
  K: i32,
  logInitial: usize,
  logTable: usize,
  logEnds: usize,
  scores: usize,
  column: i32,
  tags: usize,
  margin: f64,
  offsets: usize,
  rows: i32,
  wanted: usize,
  path: usize,
  heights: usize,
  pointers: usize,
  work: usize,
): void {
  const row = (<usize>K) << 3
  for (let n = 0; n < rows; n++, offsets += 4, wanted += 4, heights += 8) {
    const from = load<i32>(offsets)
    const to = load<i32>(offsets, 4)
    if (!load<i32>(wanted) || from === to) continue
    let now = work
    let next = work + row
    const own = next + row
    let p = pointers
    for (let t = from; t < to; t++, p += row >> 1) {
      const tag = tags ? load<i32>(tags + ((<usize>t) << 2)) : -1
      gather(scores + ((<usize>t) << 3), (<usize>column) << 3, k, tag, margin, own)
      if (t === from) {
        for (let j: usize = 0; j < row; j += 16) {
          v128.store(next + j, f64x2.add(v128.load(logInitial + j), v128.load(own + j)))
        }
      } else ahead(k, row, logTable, now, own, p, next)
      const spent = now
      now = next
      next = spent
    }
    store<f64>(heights, follow(k, K, logEnds, now, from, to, pointers, path))
  }
}

/** What a step says of each state, side by side. */
function gather(at: usize, line: usize, k: i32, tag: i32, margin: f64, own: usize): void {
  for (let l = 0; l < k; l++, at += line, own += 8) {
    const score = load<f64>(at)
    store<f64>(own, tag >= 0 && tag !== l ? score + margin : score)
  }
}

/** next ← the best way to each state, four at a time, and what the step says of it; p ← where it came from. */
function ahead(k: i32, row: usize, logTable: usize, now: usize, own: usize, p: usize, next: usize): void {
  for (let j: usize = 0; j < row; j += 32, p += 16) {
    const first = v128.load_splat<f64>(now)
    let at = logTable + j
    let h0 = f64x2.add(first, v128.load(at))
    let h1 = f64x2.add(first, v128.load(at, 16))
    let b0 = i64x2.splat(0)
    let b1 = i64x2.splat(0)
    let state = i64x2.splat(0)
    for (let i = 1; i < k; i++) {
      at += row
      state = i64x2.add(state, i64x2.splat(1))
      const from = v128.load_splat<f64>(now + ((<usize>i) << 3))
      const o0 = f64x2.add(from, v128.load(at))
      const o1 = f64x2.add(from, v128.load(at, 16))
      const m0 = f64x2.gt(o0, h0)
      const m1 = f64x2.gt(o1, h1)
      h0 = v128.bitselect(o0, h0, m0)
      h1 = v128.bitselect(o1, h1, m1)
      b0 = v128.bitselect(state, b0, m0)
      b1 = v128.bitselect(state, b1, m1)
    }
    v128.store(next + j, f64x2.add(h0, v128.load(own + j)))
    v128.store(next + j, f64x2.add(h1, v128.load(own + j, 16)), 16)
    v128.store(p, v128.shuffle<i32>(b0, b1, 0, 2, 4, 6))
  }
}

/** Back along the pointers, from the best last state; returns its height. */
function follow(
  k: i32,
  K: i32,
  logEnds: usize,
  now: usize,
  from: i32,
  to: i32,
  pointers: usize,
  path: usize,
): f64 {
  let best = 0
  let height: f64 = 0
  for (let j = 0; j < k; j++) {
    const other = load<f64>(now + ((<usize>j) << 3)) + load<f64>(logEnds + ((<usize>j) << 3))
    if (j > 0 && !(other > height)) continue
    best = j
    height = other
  }
  const possible = height !== -Infinity
  for (let t = to - 1; t >= from; t--) {
    store<i32>(path + ((<usize>t) << 2), possible ? best : -1)
    if (possible && t > from) best = load<i32>(pointers + ((<usize>((t - from) * K + best)) << 2))
  }
  return height
}
