/**
 * Normals with full matrices, complete rows: the twins of src/kernels/dense-scores.ts and dense-sums.ts, two rows in each register.
 * Column j of x is at x + 8·stride·j; room up to the next multiple of four rows is there, whatever it holds.
 */

/**
 * scores[i] += top − ½ |L⁻¹ (x_i − mean)|²; or, where z is not 0, z ← L⁻¹ (x − mean), laid out as x. `work` holds four rows.
 * Tiles of four rows by four entries of z: eight sums in registers.
 */
export function whiten(
  x: usize,
  stride: i32,
  rows: i32,
  d: i32,
  inverse: usize,
  mean: usize,
  work: usize,
  top: f64,
  scores: usize,
  z: usize,
): void {
  const column = (<usize>stride) << 3
  for (let i = 0; i < rows; i += 4) {
    const at = x + ((<usize>i) << 3)
    for (let j = 0; j < d; j++) {
      const from = at + <usize>j * column
      const to = work + ((<usize>j) << 5)
      const m = v128.load_splat<f64>(mean + ((<usize>j) << 3))
      v128.store(to, f64x2.sub(v128.load(from), m))
      v128.store(to, f64x2.sub(v128.load(from, 16), m), 16)
    }
    let p = f64x2.splat(0)
    let q = f64x2.splat(0)
    let u = inverse // row k of L⁻¹
    let k = 0
    for (; k + 3 < d; k += 4) {
      const length = (<usize>k) << 3
      let v = u + length + 8
      let w = v + length + 16
      let y = w + length + 24
      const next = y + length + 32
      const end = u + length
      let a0 = f64x2.splat(0)
      let a1 = f64x2.splat(0)
      let b0 = f64x2.splat(0)
      let b1 = f64x2.splat(0)
      let c0 = f64x2.splat(0)
      let c1 = f64x2.splat(0)
      let d0 = f64x2.splat(0)
      let d1 = f64x2.splat(0)
      let c = work
      while (u < end) {
        const x0 = v128.load(c)
        const x1 = v128.load(c, 16)
        let s = v128.load_splat<f64>(u)
        a0 = f64x2.add(a0, f64x2.mul(s, x0))
        a1 = f64x2.add(a1, f64x2.mul(s, x1))
        s = v128.load_splat<f64>(v)
        b0 = f64x2.add(b0, f64x2.mul(s, x0))
        b1 = f64x2.add(b1, f64x2.mul(s, x1))
        s = v128.load_splat<f64>(w)
        c0 = f64x2.add(c0, f64x2.mul(s, x0))
        c1 = f64x2.add(c1, f64x2.mul(s, x1))
        s = v128.load_splat<f64>(y)
        d0 = f64x2.add(d0, f64x2.mul(s, x0))
        d1 = f64x2.add(d1, f64x2.mul(s, x1))
        u += 8
        v += 8
        w += 8
        y += 8
        c += 32
      }
      // the corner: columns k … k + 3
      let x0 = v128.load(c)
      let x1 = v128.load(c, 16)
      let s = v128.load_splat<f64>(u)
      a0 = f64x2.add(a0, f64x2.mul(s, x0))
      a1 = f64x2.add(a1, f64x2.mul(s, x1))
      s = v128.load_splat<f64>(v)
      b0 = f64x2.add(b0, f64x2.mul(s, x0))
      b1 = f64x2.add(b1, f64x2.mul(s, x1))
      s = v128.load_splat<f64>(w)
      c0 = f64x2.add(c0, f64x2.mul(s, x0))
      c1 = f64x2.add(c1, f64x2.mul(s, x1))
      s = v128.load_splat<f64>(y)
      d0 = f64x2.add(d0, f64x2.mul(s, x0))
      d1 = f64x2.add(d1, f64x2.mul(s, x1))
      x0 = v128.load(c, 32)
      x1 = v128.load(c, 48)
      s = v128.load_splat<f64>(v, 8)
      b0 = f64x2.add(b0, f64x2.mul(s, x0))
      b1 = f64x2.add(b1, f64x2.mul(s, x1))
      s = v128.load_splat<f64>(w, 8)
      c0 = f64x2.add(c0, f64x2.mul(s, x0))
      c1 = f64x2.add(c1, f64x2.mul(s, x1))
      s = v128.load_splat<f64>(y, 8)
      d0 = f64x2.add(d0, f64x2.mul(s, x0))
      d1 = f64x2.add(d1, f64x2.mul(s, x1))
      x0 = v128.load(c, 64)
      x1 = v128.load(c, 80)
      s = v128.load_splat<f64>(w, 16)
      c0 = f64x2.add(c0, f64x2.mul(s, x0))
      c1 = f64x2.add(c1, f64x2.mul(s, x1))
      s = v128.load_splat<f64>(y, 16)
      d0 = f64x2.add(d0, f64x2.mul(s, x0))
      d1 = f64x2.add(d1, f64x2.mul(s, x1))
      s = v128.load_splat<f64>(y, 24)
      d0 = f64x2.add(d0, f64x2.mul(s, v128.load(c, 96)))
      d1 = f64x2.add(d1, f64x2.mul(s, v128.load(c, 112)))
      p = f64x2.add(p, f64x2.mul(a0, a0))
      q = f64x2.add(q, f64x2.mul(a1, a1))
      p = f64x2.add(p, f64x2.mul(b0, b0))
      q = f64x2.add(q, f64x2.mul(b1, b1))
      p = f64x2.add(p, f64x2.mul(c0, c0))
      q = f64x2.add(q, f64x2.mul(c1, c1))
      p = f64x2.add(p, f64x2.mul(d0, d0))
      q = f64x2.add(q, f64x2.mul(d1, d1))
      if (z) {
        let to = z + <usize>k * column + ((<usize>i) << 3)
        v128.store(to, a0)
        v128.store(to, a1, 16)
        to += column
        v128.store(to, b0)
        v128.store(to, b1, 16)
        to += column
        v128.store(to, c0)
        v128.store(to, c1, 16)
        to += column
        v128.store(to, d0)
        v128.store(to, d1, 16)
      }
      u = next
    }
    for (; k < d; k++) {
      let a0 = f64x2.splat(0)
      let a1 = f64x2.splat(0)
      for (let j = 0, c = work; j <= k; j++, c += 32, u += 8) {
        const s = v128.load_splat<f64>(u)
        a0 = f64x2.add(a0, f64x2.mul(s, v128.load(c)))
        a1 = f64x2.add(a1, f64x2.mul(s, v128.load(c, 16)))
      }
      p = f64x2.add(p, f64x2.mul(a0, a0))
      q = f64x2.add(q, f64x2.mul(a1, a1))
      if (z) {
        const to = z + <usize>k * column + ((<usize>i) << 3)
        v128.store(to, a0)
        v128.store(to, a1, 16)
      }
    }
    if (!z) addScores(scores, i, rows, top, p, q)
  }
}

/** scores[i … i + 3] += top − ½ squares, of those that are rows. */
function addScores(scores: usize, i: i32, rows: i32, top: f64, p: v128, q: v128): void {
  const to = scores + ((<usize>i) << 3)
  p = f64x2.sub(f64x2.splat(top), f64x2.mul(f64x2.splat(0.5), p))
  q = f64x2.sub(f64x2.splat(top), f64x2.mul(f64x2.splat(0.5), q))
  if (i + 3 < rows) {
    v128.store(to, f64x2.add(v128.load(to), p))
    v128.store(to, f64x2.add(v128.load(to, 16), q), 16)
    return
  }
  store<f64>(to, load<f64>(to) + f64x2.extract_lane(p, 0))
  if (i + 1 < rows) store<f64>(to, load<f64>(to, 8) + f64x2.extract_lane(p, 1), 8)
  if (i + 2 < rows) store<f64>(to, load<f64>(to, 16) + f64x2.extract_lane(q, 0), 16)
}

/** scores[i] += top − ½ |z_i − centre|² */
export function distances(
  z: usize,
  stride: i32,
  rows: i32,
  d: i32,
  centre: usize,
  top: f64,
  scores: usize,
): void {
  const column = (<usize>stride) << 3
  for (let i = 0; i < rows; i += 4) {
    let p = f64x2.splat(0)
    let q = f64x2.splat(0)
    let at = z + ((<usize>i) << 3)
    for (let k = 0; k < d; k++, at += column) {
      const m = v128.load_splat<f64>(centre + ((<usize>k) << 3))
      const c0 = f64x2.sub(v128.load(at), m)
      const c1 = f64x2.sub(v128.load(at, 16), m)
      p = f64x2.add(p, f64x2.mul(c0, c0))
      q = f64x2.add(q, f64x2.mul(c1, c1))
    }
    addScores(scores, i, rows, top, p, q)
  }
}

/**
 * sums, slot by slot, ← Σ w, Σ wx; triangles, where wanted, ← Σ wxxᵀ, packed: over the rows that have weight, the even and the odd
 * ones summed apart and then together. Slot p has its weights at weights + 8·rows·p. `picked` and `wx` have room as x has, and
 * `kept` and `list` for as many weights and places as there are rows, and three more.
 */
export function absorbSlots(
  x: usize,
  stride: i32,
  rows: i32,
  d: i32,
  slots: i32,
  weights: usize,
  kept: usize,
  list: usize,
  picked: usize,
  wx: usize,
  sums: usize,
  triangles: usize,
): void {
  const size = (<usize>((d * (d + 1)) >> 1)) << 3
  for (let p = 0; p < slots; p++) {
    const count = keep(weights, rows, list, kept)
    let from = x
    if (count < rows) {
      gather(x, stride, d, list, count, picked)
      from = picked
    }
    weigh(from, stride, count, d, kept, wx, sums)
    if (triangles) {
      squares(from, wx, stride, count, d, triangles)
      triangles += size
    }
    weights += (<usize>rows) << 3
    sums += (<usize>(1 + d)) << 3
  }
}

/** The weights that are not 0 into `kept`, their places into `list`; returns how many. */
function keep(weights: usize, rows: i32, list: usize, kept: usize): i32 {
  let zero = f64x2.splat(0)
  const whole = (<usize>(rows & ~1)) << 3
  for (let i: usize = 0; i < whole; i += 16) {
    const w = v128.load(weights + i)
    zero = v128.or(zero, f64x2.eq(w, f64x2.splat(0)))
    v128.store(kept + i, w)
  }
  if (rows & 1) store<f64>(kept + whole, load<f64>(weights + whole))
  if (!v128.any_true(zero) && !(rows & 1 && load<f64>(weights + whole) === 0)) return rows
  let count = 0
  for (let i = 0; i < rows; i++) {
    const w = load<f64>(weights + ((<usize>i) << 3))
    store<i32>(list + ((<usize>count) << 2), i)
    store<f64>(kept + ((<usize>count) << 3), w)
    count += i32(w !== 0)
  }
  return count
}

/** Column j of `to` ← the listed rows of column j of x, both of the same stride. */
function gather(x: usize, stride: i32, d: i32, list: usize, count: i32, to: usize): void {
  const column = (<usize>stride) << 3
  for (let j = 0; j < d; j++, x += column, to += column) {
    for (let t = 0; t < count; t++) {
      const i = <usize>load<i32>(list + ((<usize>t) << 2))
      store<f64>(to + ((<usize>t) << 3), load<f64>(x + (i << 3)))
    }
  }
}

/**
 * sums[0] ← Σ w, sums[1 + j] ← Σ w x_j. Even and odd rows are summed apart and then together; wx, laid out as x, ← w·x. Up to the next
 * multiple of four rows, weights and x become 0, which changes no sum.
 */
function weigh(x: usize, stride: i32, rows: i32, d: i32, weights: usize, wx: usize, sums: usize): void {
  const column = (<usize>stride) << 3
  const length = (<usize>rows) << 3
  const whole = (<usize>((rows + 3) & ~3)) << 3
  for (let i = length; i < whole; i += 8) store<f64>(weights + i, 0)
  let total = f64x2.splat(0)
  for (let i: usize = 0; i < whole; i += 16) total = f64x2.add(total, v128.load(weights + i))
  store<f64>(sums, f64x2.extract_lane(total, 0) + f64x2.extract_lane(total, 1))
  let j = 0
  // four columns at a time, whose sums do not wait for each other
  for (; j + 3 < d; j += 4) {
    for (let i = length; i < whole; i += 8) {
      store<f64>(x + i, 0)
      store<f64>(x + column + i, 0)
      store<f64>(x + 2 * column + i, 0)
      store<f64>(x + 3 * column + i, 0)
    }
    const x1 = x + column
    const x2 = x1 + column
    const x3 = x2 + column
    const wx1 = wx + column
    const wx2 = wx1 + column
    const wx3 = wx2 + column
    let a = f64x2.splat(0)
    let b = f64x2.splat(0)
    let c = f64x2.splat(0)
    let e = f64x2.splat(0)
    for (let i: usize = 0; i < whole; i += 16) {
      const w = v128.load(weights + i)
      let product = f64x2.mul(w, v128.load(x + i))
      v128.store(wx + i, product)
      a = f64x2.add(a, product)
      product = f64x2.mul(w, v128.load(x1 + i))
      v128.store(wx1 + i, product)
      b = f64x2.add(b, product)
      product = f64x2.mul(w, v128.load(x2 + i))
      v128.store(wx2 + i, product)
      c = f64x2.add(c, product)
      product = f64x2.mul(w, v128.load(x3 + i))
      v128.store(wx3 + i, product)
      e = f64x2.add(e, product)
    }
    store<f64>(sums, f64x2.extract_lane(a, 0) + f64x2.extract_lane(a, 1), 8)
    store<f64>(sums, f64x2.extract_lane(b, 0) + f64x2.extract_lane(b, 1), 16)
    store<f64>(sums, f64x2.extract_lane(c, 0) + f64x2.extract_lane(c, 1), 24)
    store<f64>(sums, f64x2.extract_lane(e, 0) + f64x2.extract_lane(e, 1), 32)
    sums += 32
    x = x3 + column
    wx = wx3 + column
  }
  for (; j < d; j++, x += column, wx += column) {
    for (let i = length; i < whole; i += 8) store<f64>(x + i, 0)
    let sum = f64x2.splat(0)
    for (let i: usize = 0; i < whole; i += 16) {
      const product = f64x2.mul(v128.load(weights + i), v128.load(x + i))
      v128.store(wx + i, product)
      sum = f64x2.add(sum, product)
    }
    sums += 8
    store<f64>(sums, f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1))
  }
}

/**
 * out, packed, ← Σ_i wx_j x_k, k ≤ j, even and odd rows apart and then together. Tiles of four by two; what a tile computes above
 * the diagonal or beyond d is thrown away: three columns more are there, whatever they hold.
 */
function squares(x: usize, wx: usize, stride: i32, rows: i32, d: i32, out: usize): void {
  const column = (<usize>stride) << 3
  const whole = (<usize>((rows + 3) & ~3)) << 3
  for (let j = 0; j < d; j += 4) {
    const last = min(j + 3, d - 1)
    for (let k = 0; k <= last; k += 2) {
      let wa = wx + <usize>j * column
      let wb = wa + column
      let wc = wb + column
      let wd = wc + column
      let at = x + <usize>k * column
      let next = at + column
      const end = at + whole
      let a0 = f64x2.splat(0)
      let a1 = f64x2.splat(0)
      let b0 = f64x2.splat(0)
      let b1 = f64x2.splat(0)
      let c0 = f64x2.splat(0)
      let c1 = f64x2.splat(0)
      let d0 = f64x2.splat(0)
      let d1 = f64x2.splat(0)
      while (at < end) {
        const x0 = v128.load(at)
        const x1 = v128.load(next)
        let w = v128.load(wa)
        a0 = f64x2.add(a0, f64x2.mul(w, x0))
        a1 = f64x2.add(a1, f64x2.mul(w, x1))
        w = v128.load(wb)
        b0 = f64x2.add(b0, f64x2.mul(w, x0))
        b1 = f64x2.add(b1, f64x2.mul(w, x1))
        w = v128.load(wc)
        c0 = f64x2.add(c0, f64x2.mul(w, x0))
        c1 = f64x2.add(c1, f64x2.mul(w, x1))
        w = v128.load(wd)
        d0 = f64x2.add(d0, f64x2.mul(w, x0))
        d1 = f64x2.add(d1, f64x2.mul(w, x1))
        at += 16
        next += 16
        wa += 16
        wb += 16
        wc += 16
        wd += 16
      }
      put(out, d, j, k, a0, a1)
      put(out, d, j + 1, k, b0, b1)
      put(out, d, j + 2, k, c0, c1)
      put(out, d, j + 3, k, d0, d1)
    }
  }
}

/** Entries (j, k) and (j, k + 1) of a tile, where they lie in the triangle. */
function put(out: usize, d: i32, j: i32, k: i32, first: v128, second: v128): void {
  if (j >= d) return
  const to = out + ((<usize>(((j * (j + 1)) >> 1) + k)) << 3)
  if (k <= j) store<f64>(to, f64x2.extract_lane(first, 0) + f64x2.extract_lane(first, 1))
  if (k < j) store<f64>(to, f64x2.extract_lane(second, 0) + f64x2.extract_lane(second, 1), 8)
}
