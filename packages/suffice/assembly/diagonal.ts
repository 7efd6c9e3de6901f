/**
 * Normals with uncorrelated columns: the twins of src/kernels/diagonal-rows.ts, two rows in each register.
 * Column j of x is at x + 8·stride·j, NaN where a cell is missing; it can be read up to the next multiple of four rows.
 */

/** From column to column in bytes where blocks have their usual size, as kernels.ts has it: a place in the instruction costs nothing. */
const COLUMN: usize = 8 * 488

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
 * Slot by slot scores[i] += Σ_j top_j − Σ_j ½ (x_ij − μ_j)² / σ²_j, over the columns that were seen. Slot p has its μ, 1/σ² and top
 * at params, 8·(d + 2·variances)·p further on; column j has variance j·step. The params are spent, and behind them there is space for a
 * number per slot. `complete`: no cell is missing.
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
  const line = (<usize>rows) << 3
  const means = (<usize>d) << 3
  const variances = step ? means : 8
  const reach = means + 2 * variances
  const end = params + <usize>slots * reach
  let i = 0
  for (let p = params, to = end; p < end; p += reach, to += 8) {
    const tops = p + means + variances
    for (let half = p + means; half < tops; half += 8) store<f64>(half, 0.5 * load<f64>(half))
    let top: f64 = 0
    for (let j = 0, at = tops; j < d; j++, at += by) top += load<f64>(at)
    store<f64>(to, top)
  }
  if (complete) {
    // eight rows at a time, which stay in the first cache for all slots: four sums in registers
    for (; i + 7 < rows; i += 8) {
      let to = scores + ((<usize>i) << 3)
      let top = end
      for (let p = params; p < end; p += reach, to += line, top += 8) {
        let a = f64x2.splat(0)
        let b = f64x2.splat(0)
        let c = f64x2.splat(0)
        let e = f64x2.splat(0)
        let at = x + ((<usize>i) << 3)
        let mean = p
        let half = p + means
        const halves = half
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
        const all = v128.load_splat<f64>(top)
        v128.store(to, f64x2.add(v128.load(to), f64x2.sub(all, a)))
        v128.store(to, f64x2.add(v128.load(to, 16), f64x2.sub(all, b)), 16)
        v128.store(to, f64x2.add(v128.load(to, 32), f64x2.sub(all, c)), 32)
        v128.store(to, f64x2.add(v128.load(to, 48), f64x2.sub(all, e)), 48)
      }
    }
  }
  // with holes, and the last rows
  for (; i < rows; i += 2) {
    let to = scores + ((<usize>i) << 3)
    for (let p = params; p < end; p += reach, to += line) {
      let a = f64x2.splat(0)
      let seenTops = f64x2.splat(0)
      let at = x + ((<usize>i) << 3)
      let half = p + means
      for (let mean = p; mean < p + means; mean += 8, half += by, at += column) {
        const cells = v128.load(at)
        const seen = f64x2.eq(cells, cells)
        const h = v128.load_splat<f64>(half)
        const c = f64x2.sub(cells, v128.load_splat<f64>(mean))
        a = f64x2.add(a, v128.and(f64x2.mul(f64x2.mul(h, c), c), seen))
        seenTops = f64x2.add(seenTops, v128.and(v128.load_splat<f64>(half + variances), seen))
      }
      const sum = f64x2.sub(seenTops, a)
      if (i + 1 < rows) v128.store(to, f64x2.add(v128.load(to), sum))
      else store<f64>(to, load<f64>(to) + f64x2.extract_lane(sum, 0))
    }
  }
}

/**
 * Slot by slot, and by column over the rows that hold it: sums += Σ w (d), Σ wx (d), Σ wx² (d). Even and odd rows are summed apart and
 * then together. Slot p has its weights at weights + 8·rows·p, with space for one more behind the last, and its sums at sums + 24·d·p.
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
  const line = (<usize>rows) << 3
  const whole = line & ~15
  const width = (<usize>d) << 3
  const end = sums + 3 * width * <usize>slots
  const behind = sums + width
  let at = x
  if (complete && column === COLUMN) {
    for (let to = sums, w = weights; to < end; to += 3 * width, w += line) {
      let total = f64x2.splat(0)
      for (let i: usize = 0; i < whole; i += 16) total = f64x2.add(total, v128.load(w + i))
      // the last of an odd number of rows goes with the even ones
      const odd = rows & 1 ? load<f64>(w + whole) : 0
      const n = f64x2.extract_lane(total, 0) + odd + f64x2.extract_lane(total, 1)
      for (let j: usize = 0; j < (width & ~31); j += 8) store<f64>(to + j, load<f64>(to + j) + n)
    }
    // four columns at a time, which stay in the first cache for all slots: eight sums in registers
    for (; sums + 24 < behind; sums += 32) {
      for (let to = sums, from = weights; to < end; to += 3 * width, from += line) {
        let a = f64x2.splat(0)
        let b = f64x2.splat(0)
        let c = f64x2.splat(0)
        let e = f64x2.splat(0)
        let aa = f64x2.splat(0)
        let bb = f64x2.splat(0)
        let cc = f64x2.splat(0)
        let ee = f64x2.splat(0)
        let w = from
        for (let cell = at; cell < at + whole; cell += 16, w += 16) {
          const weight = v128.load(w)
          let cells = v128.load(cell)
          let wx = f64x2.mul(weight, cells)
          a = f64x2.add(a, wx)
          aa = f64x2.add(aa, f64x2.mul(wx, cells))
          cells = v128.load(cell, COLUMN)
          wx = f64x2.mul(weight, cells)
          b = f64x2.add(b, wx)
          bb = f64x2.add(bb, f64x2.mul(wx, cells))
          cells = v128.load(cell, 2 * COLUMN)
          wx = f64x2.mul(weight, cells)
          c = f64x2.add(c, wx)
          cc = f64x2.add(cc, f64x2.mul(wx, cells))
          cells = v128.load(cell, 3 * COLUMN)
          wx = f64x2.mul(weight, cells)
          e = f64x2.add(e, wx)
          ee = f64x2.add(ee, f64x2.mul(wx, cells))
        }
        const odd = rows & 1 ? from + whole : 0
        put(to + width, width, at + whole, odd, a, aa)
        put(to + width + 8, width, at + whole + COLUMN, odd, b, bb)
        put(to + width + 16, width, at + whole + 2 * COLUMN, odd, c, cc)
        put(to + width + 24, width, at + whole + 3 * COLUMN, odd, e, ee)
      }
      at += 4 * COLUMN
    }
  }
  for (; sums < behind; sums += 8, at += column) {
    for (let to = sums, from = weights; to < end; to += 3 * width, from += line) {
      let total = f64x2.splat(0)
      let sum = f64x2.splat(0)
      let square = f64x2.splat(0)
      for (let i: usize = 0; i < whole; i += 16) {
        const cells = v128.load(at + i)
        const seen = f64x2.eq(cells, cells)
        const w = v128.and(v128.load(from + i), seen)
        const wx = v128.and(f64x2.mul(w, cells), seen)
        total = f64x2.add(total, w)
        sum = f64x2.add(sum, wx)
        square = f64x2.add(square, v128.and(f64x2.mul(wx, cells), seen))
      }
      const last = load<f64>(at + whole)
      const odd = rows & 1 && last === last ? from + whole : 0
      let total0 = f64x2.extract_lane(total, 0)
      if (odd) total0 += load<f64>(odd)
      store<f64>(to, load<f64>(to) + (total0 + f64x2.extract_lane(total, 1)))
      put(to + width, width, at + whole, odd, sum, square)
    }
  }
}

/** Σ wx and Σ wx² of a column; the last of an odd number of rows, its weight at `odd`, goes with the even ones. */
function put(sums: usize, width: usize, last: usize, odd: usize, sum: v128, square: v128): void {
  let sum0 = f64x2.extract_lane(sum, 0)
  let square0 = f64x2.extract_lane(square, 0)
  if (odd) {
    const cell = load<f64>(last)
    const wx = load<f64>(odd) * cell
    sum0 += wx
    square0 += wx * cell
  }
  store<f64>(sums, load<f64>(sums) + (sum0 + f64x2.extract_lane(sum, 1)))
  store<f64>(sums + width, load<f64>(sums + width) + (square0 + f64x2.extract_lane(square, 1)))
}
