/**
 * Normals with uncorrelated columns: the twins of src/kernels/diagonal-rows.ts, two rows in each register.
 * Column j of x is at x + 8·stride·j, NaN where a cell is missing; room up to the next multiple of four rows is there.
 */

/** 1 if any cell is missing. */
export function holes(x: usize, stride: i32, rows: i32, d: i32): i32 {
  const column = (<usize>stride) << 3
  const whole = (<usize>(rows & ~1)) << 3
  for (let j = 0; j < d; j++, x += column) {
    let seen = f64x2.splat(0)
    for (let i: usize = 0; i < whole; i += 16) {
      const cells = v128.load(x + i)
      seen = v128.or(seen, f64x2.ne(cells, cells))
    }
    if (v128.any_true(seen)) return 1
    if (rows & 1 && load<f64>(x + whole) !== load<f64>(x + whole)) return 1
  }
  return 0
}

/** scores[i] ← Σ_j tops[j·step] − Σ_j ½ precisions[j·step] (x_ij − means[j])², over the columns that were seen. */
export function scoreColumns(
  x: usize,
  stride: i32,
  rows: i32,
  d: i32,
  means: usize,
  precisions: usize,
  tops: usize,
  step: i32,
  scores: usize,
): void {
  const column = (<usize>stride) << 3
  const by = (<usize>step) << 3
  let top: f64 = 0
  for (let j = 0; j < d; j++) top += load<f64>(tops + <usize>j * by)
  const all = f64x2.splat(top)
  for (let i = 0; i < rows; i += 4) {
    let p = f64x2.splat(0)
    let q = f64x2.splat(0)
    let at = x + ((<usize>i) << 3)
    let mean = means
    let precision = precisions
    for (let j = 0; j < d; j++) {
      const m = v128.load_splat<f64>(mean)
      const half = f64x2.mul(f64x2.splat(0.5), v128.load_splat<f64>(precision))
      const c0 = f64x2.sub(v128.load(at), m)
      const c1 = f64x2.sub(v128.load(at, 16), m)
      p = f64x2.add(p, f64x2.mul(f64x2.mul(half, c0), c0))
      q = f64x2.add(q, f64x2.mul(f64x2.mul(half, c1), c1))
      at += column
      mean += 8
      precision += by
    }
    const to = scores + ((<usize>i) << 3)
    v128.store(to, f64x2.sub(all, p))
    v128.store(to, f64x2.sub(all, q), 16)
  }
}

/** The same, where cells may be missing. */
export function scoreColumnsWithHoles(
  x: usize,
  stride: i32,
  rows: i32,
  d: i32,
  means: usize,
  precisions: usize,
  tops: usize,
  step: i32,
  scores: usize,
): void {
  const column = (<usize>stride) << 3
  const by = (<usize>step) << 3
  for (let i = 0; i < rows; i += 2) {
    let p = f64x2.splat(0)
    let all = f64x2.splat(0)
    let at = x + ((<usize>i) << 3)
    for (let j = 0; j < d; j++, at += column) {
      const half = f64x2.mul(f64x2.splat(0.5), v128.load_splat<f64>(precisions + <usize>j * by))
      const cells = v128.load(at)
      const seen = f64x2.eq(cells, cells)
      const c = f64x2.sub(cells, v128.load_splat<f64>(means + ((<usize>j) << 3)))
      p = f64x2.add(p, v128.and(f64x2.mul(f64x2.mul(half, c), c), seen))
      all = f64x2.add(all, v128.and(v128.load_splat<f64>(tops + <usize>j * by), seen))
    }
    v128.store(scores + ((<usize>i) << 3), f64x2.sub(all, p))
  }
}

/**
 * By column, over the rows that hold it: counts[j] ← Σ w, sums[j] ← Σ wx, squares[j] ← Σ wx². Even and odd rows are summed
 * apart and then together. Where `complete`, no cell is missing.
 */
export function absorbColumns(
  x: usize,
  stride: i32,
  rows: i32,
  d: i32,
  weights: usize,
  counts: usize,
  sums: usize,
  squares: usize,
  complete: i32,
): void {
  const column = (<usize>stride) << 3
  const length = (<usize>rows) << 3
  const even = (length + 15) & ~15
  if (rows & 1) store<f64>(weights + length, 0)
  let n: f64 = 0
  if (complete) {
    let total = f64x2.splat(0)
    for (let i: usize = 0; i < even; i += 16) total = f64x2.add(total, v128.load(weights + i))
    n = f64x2.extract_lane(total, 0) + f64x2.extract_lane(total, 1)
  }
  for (let j = 0; j < d; j++, x += column) {
    if (rows & 1) store<f64>(x + length, 0)
    let sum = f64x2.splat(0)
    let square = f64x2.splat(0)
    if (complete) {
      for (let i: usize = 0; i < even; i += 16) {
        const cells = v128.load(x + i)
        const wx = f64x2.mul(v128.load(weights + i), cells)
        sum = f64x2.add(sum, wx)
        square = f64x2.add(square, f64x2.mul(wx, cells))
      }
    } else {
      let total = f64x2.splat(0)
      for (let i: usize = 0; i < even; i += 16) {
        const cells = v128.load(x + i)
        const seen = f64x2.eq(cells, cells)
        const w = v128.and(v128.load(weights + i), seen)
        const wx = v128.and(f64x2.mul(w, cells), seen)
        total = f64x2.add(total, w)
        sum = f64x2.add(sum, wx)
        square = f64x2.add(square, v128.and(f64x2.mul(wx, cells), seen))
      }
      n = f64x2.extract_lane(total, 0) + f64x2.extract_lane(total, 1)
    }
    store<f64>(counts, n)
    store<f64>(sums, f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1))
    store<f64>(squares, f64x2.extract_lane(square, 0) + f64x2.extract_lane(square, 1))
    counts += 8
    sums += 8
    squares += 8
  }
}
