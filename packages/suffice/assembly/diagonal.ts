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

/**
 * Slot by slot scores[i] += Σ_j top_j − Σ_j ½ (x_ij − μ_j)² / σ²_j, over the columns that were seen. Slot p has its μ, ½/σ² and top
 * at params, 8·(d + 2·variances)·p further on; column j has variance j·step. `complete`: no cell is missing.
 */
export function scoreColumns(
  x: usize,
  stride: i32,
  rows: i32,
  d: i32,
  slots: i32,
  step: i32,
  params: usize,
  scores: usize,
  complete: i32,
): void {
  const column = (<usize>stride) << 3
  const by = (<usize>step) << 3
  const variances = step ? d : 1
  for (let p = 0; p < slots; p++) {
    const halves = params + ((<usize>d) << 3)
    const tops = halves + ((<usize>variances) << 3)
    let top: f64 = 0
    for (let j = 0; j < d; j++) top += load<f64>(tops + <usize>j * by)
    let i = 0
    if (complete) {
      // eight rows at a time: four sums in registers
      for (; i + 7 < rows; i += 8) {
        let a = f64x2.splat(0)
        let b = f64x2.splat(0)
        let c = f64x2.splat(0)
        let e = f64x2.splat(0)
        let at = x + ((<usize>i) << 3)
        let mean = params
        let half = halves
        while (mean < halves) {
          const m = v128.load_splat<f64>(mean)
          const h = v128.load_splat<f64>(half)
          const c0 = f64x2.sub(v128.load(at), m)
          const c1 = f64x2.sub(v128.load(at, 16), m)
          const c2 = f64x2.sub(v128.load(at, 32), m)
          const c3 = f64x2.sub(v128.load(at, 48), m)
          a = f64x2.add(a, f64x2.mul(f64x2.mul(h, c0), c0))
          b = f64x2.add(b, f64x2.mul(f64x2.mul(h, c1), c1))
          c = f64x2.add(c, f64x2.mul(f64x2.mul(h, c2), c2))
          e = f64x2.add(e, f64x2.mul(f64x2.mul(h, c3), c3))
          at += column
          mean += 8
          half += by
        }
        const to = scores + ((<usize>i) << 3)
        const all = f64x2.splat(top)
        v128.store(to, f64x2.add(v128.load(to), f64x2.sub(all, a)))
        v128.store(to, f64x2.add(v128.load(to, 16), f64x2.sub(all, b)), 16)
        v128.store(to, f64x2.add(v128.load(to, 32), f64x2.sub(all, c)), 32)
        v128.store(to, f64x2.add(v128.load(to, 48), f64x2.sub(all, e)), 48)
      }
    }
    // with holes, and the last rows
    for (; i < rows; i += 2) {
      let a = f64x2.splat(0)
      let seenTops = f64x2.splat(0)
      let at = x + ((<usize>i) << 3)
      for (let j = 0; j < d; j++, at += column) {
        const cells = v128.load(at)
        const seen = f64x2.eq(cells, cells)
        const h = v128.load_splat<f64>(halves + <usize>j * by)
        const c = f64x2.sub(cells, v128.load_splat<f64>(params + ((<usize>j) << 3)))
        a = f64x2.add(a, v128.and(f64x2.mul(f64x2.mul(h, c), c), seen))
        seenTops = f64x2.add(seenTops, v128.and(v128.load_splat<f64>(tops + <usize>j * by), seen))
      }
      const to = scores + ((<usize>i) << 3)
      const sum = f64x2.sub(seenTops, a)
      if (i + 1 < rows) v128.store(to, f64x2.add(v128.load(to), sum))
      else store<f64>(to, load<f64>(to) + f64x2.extract_lane(sum, 0))
    }
    params += (<usize>(d + 2 * variances)) << 3
    scores += (<usize>rows) << 3
  }
}

/**
 * Slot by slot, and by column over the rows that hold it: sums ← Σ w (d), Σ wx (d), Σ wx² (d). Even and odd rows are summed apart and
 * then together. Slot p has its weights at weights + 8·rows·p, with room for one more behind the last.
 */
export function absorbColumns(
  x: usize,
  stride: i32,
  rows: i32,
  d: i32,
  slots: i32,
  weights: usize,
  sums: usize,
  complete: i32,
): void {
  const column = (<usize>stride) << 3
  const whole = (<usize>(rows & ~1)) << 3
  const width = (<usize>d) << 3
  for (let p = 0; p < slots; p++) {
    // the last of an odd number of rows goes with the even ones
    const odd = rows & 1 ? load<f64>(weights + whole) : 0
    let n: f64 = 0
    if (complete) {
      let total = f64x2.splat(0)
      for (let i: usize = 0; i < whole; i += 16) total = f64x2.add(total, v128.load(weights + i))
      n = f64x2.extract_lane(total, 0) + odd + f64x2.extract_lane(total, 1)
    }
    let at = x
    let j = 0
    if (complete) {
      // four columns at a time: eight sums in registers
      for (; j + 3 < d; j += 4) {
        const second = at + column
        const third = second + column
        const fourth = third + column
        let a = f64x2.splat(0)
        let b = f64x2.splat(0)
        let c = f64x2.splat(0)
        let e = f64x2.splat(0)
        let aa = f64x2.splat(0)
        let bb = f64x2.splat(0)
        let cc = f64x2.splat(0)
        let ee = f64x2.splat(0)
        for (let i: usize = 0; i < whole; i += 16) {
          const w = v128.load(weights + i)
          let cells = v128.load(at + i)
          let wx = f64x2.mul(w, cells)
          a = f64x2.add(a, wx)
          aa = f64x2.add(aa, f64x2.mul(wx, cells))
          cells = v128.load(second + i)
          wx = f64x2.mul(w, cells)
          b = f64x2.add(b, wx)
          bb = f64x2.add(bb, f64x2.mul(wx, cells))
          cells = v128.load(third + i)
          wx = f64x2.mul(w, cells)
          c = f64x2.add(c, wx)
          cc = f64x2.add(cc, f64x2.mul(wx, cells))
          cells = v128.load(fourth + i)
          wx = f64x2.mul(w, cells)
          e = f64x2.add(e, wx)
          ee = f64x2.add(ee, f64x2.mul(wx, cells))
        }
        const last = whole + at
        put(sums, width, n, rows & 1 ? last : 0, odd, a, aa)
        put(sums + 8, width, n, rows & 1 ? last + column : 0, odd, b, bb)
        put(sums + 16, width, n, rows & 1 ? last + column + column : 0, odd, c, cc)
        put(sums + 24, width, n, rows & 1 ? last + column + column + column : 0, odd, e, ee)
        sums += 32
        at = fourth + column
      }
    }
    for (; j < d; j++, at += column) {
      let total = f64x2.splat(0)
      let sum = f64x2.splat(0)
      let square = f64x2.splat(0)
      for (let i: usize = 0; i < whole; i += 16) {
        const cells = v128.load(at + i)
        const seen = f64x2.eq(cells, cells)
        const w = v128.and(v128.load(weights + i), seen)
        const wx = v128.and(f64x2.mul(w, cells), seen)
        total = f64x2.add(total, w)
        sum = f64x2.add(sum, wx)
        square = f64x2.add(square, v128.and(f64x2.mul(wx, cells), seen))
      }
      let last = rows & 1 ? at + whole : 0
      let total0 = f64x2.extract_lane(total, 0)
      if (last) {
        const cell = load<f64>(last)
        if (cell === cell) total0 += odd
        else last = 0
      }
      put(sums, width, total0 + f64x2.extract_lane(total, 1), last, odd, sum, square)
      sums += 8
    }
    sums += width + width
    weights += (<usize>rows) << 3
  }
}

/** Σ w, Σ wx and Σ wx² of a column; the last of an odd number of rows, where there is one, goes with the even ones. */
function put(sums: usize, width: usize, n: f64, last: usize, w: f64, sum: v128, square: v128): void {
  let sum0 = f64x2.extract_lane(sum, 0)
  let square0 = f64x2.extract_lane(square, 0)
  if (last) {
    const cell = load<f64>(last)
    const wx = w * cell
    sum0 += wx
    square0 += wx * cell
  }
  store<f64>(sums, n)
  store<f64>(sums + width, sum0 + f64x2.extract_lane(sum, 1))
  store<f64>(sums + width + width, square0 + f64x2.extract_lane(square, 1))
}
