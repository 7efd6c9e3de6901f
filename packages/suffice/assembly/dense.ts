/**
 * Normals with full matrices, complete rows: the twins of src/kernels/dense-scores.ts and dense-sums.ts, two rows in each register.
 * Column j of x is at x + 8·stride·j; room up to the next multiple of four rows is there, whatever it holds.
 *
 * Matrices and rows are laid out anew in panels of four, 0 where they end, so that an inner loop has two places to go on from and no corner:
 * engines keep eight sums in registers where the loop is that short. A product with such a 0 changes no bit of a sum.
 */

/** The next multiple of four. */
function fours(count: i32): i32 {
  return (count + 3) & ~3
}

// ── scores ─────────────────────────────────────────────────────────────────────────────────────────

/** Packed L⁻¹ in panels of four of its rows: entries (k, j) … (k + 3, j) side by side, of the last four columns those below the diagonal. */
function panels(inverse: usize, d: i32, to: usize): void {
  for (let k = 0; k < d; k += 4) {
    for (let j = 0; j < k + 4; j++) {
      for (let r = max(j, k); r < k + 4; r++, to += 8) {
        const at = inverse + ((<usize>(((r * (r + 1)) >> 1) + j)) << 3)
        store<f64>(to, r < d ? load<f64>(at) : 0)
      }
    }
  }
}

/**
 * z ← L⁻¹ (x − mean) of the four rows from `at` on, side by side; where z is 0, their |L⁻¹ (x − mean)|² at `norms` instead. Columns of
 * `work` from d up to the next multiple of four are 0.
 */
function whiten(
  at: usize,
  column: usize,
  d: i32,
  mean: usize,
  panel: usize,
  work: usize,
  z: usize,
  norms: usize,
): void {
  const all = work + ((<usize>d) << 5)
  for (let to = work; to < all; to += 32) {
    const m = v128.load_splat<f64>(mean)
    v128.store(to, f64x2.sub(v128.load(at), m))
    v128.store(to, f64x2.sub(v128.load(at, 16), m), 16)
    mean += 8
    at += column
  }
  let p = f64x2.splat(0)
  let q = f64x2.splat(0)
  for (let end = work; end < all; end += 128) {
    let a0 = f64x2.splat(0)
    let a1 = f64x2.splat(0)
    let b0 = f64x2.splat(0)
    let b1 = f64x2.splat(0)
    let c0 = f64x2.splat(0)
    let c1 = f64x2.splat(0)
    let d0 = f64x2.splat(0)
    let d1 = f64x2.splat(0)
    for (let c = work; c < end; c += 32) {
      const x0 = v128.load(c)
      const x1 = v128.load(c, 16)
      let s = v128.load_splat<f64>(panel)
      a0 = f64x2.add(a0, f64x2.mul(s, x0))
      a1 = f64x2.add(a1, f64x2.mul(s, x1))
      s = v128.load_splat<f64>(panel, 8)
      b0 = f64x2.add(b0, f64x2.mul(s, x0))
      b1 = f64x2.add(b1, f64x2.mul(s, x1))
      s = v128.load_splat<f64>(panel, 16)
      c0 = f64x2.add(c0, f64x2.mul(s, x0))
      c1 = f64x2.add(c1, f64x2.mul(s, x1))
      s = v128.load_splat<f64>(panel, 24)
      d0 = f64x2.add(d0, f64x2.mul(s, x0))
      d1 = f64x2.add(d1, f64x2.mul(s, x1))
      panel += 32
    }
    // The corner. The branches are always taken: across them engines do not gather all that is to be loaded, for which they lack registers.
    if (end) {
      const x0 = v128.load(end)
      const x1 = v128.load(end, 16)
      let s = v128.load_splat<f64>(panel)
      a0 = f64x2.add(a0, f64x2.mul(s, x0))
      a1 = f64x2.add(a1, f64x2.mul(s, x1))
      s = v128.load_splat<f64>(panel, 8)
      b0 = f64x2.add(b0, f64x2.mul(s, x0))
      b1 = f64x2.add(b1, f64x2.mul(s, x1))
      s = v128.load_splat<f64>(panel, 16)
      c0 = f64x2.add(c0, f64x2.mul(s, x0))
      c1 = f64x2.add(c1, f64x2.mul(s, x1))
      s = v128.load_splat<f64>(panel, 24)
      d0 = f64x2.add(d0, f64x2.mul(s, x0))
      d1 = f64x2.add(d1, f64x2.mul(s, x1))
    }
    if (panel) {
      const x0 = v128.load(end, 32)
      const x1 = v128.load(end, 48)
      let s = v128.load_splat<f64>(panel, 32)
      b0 = f64x2.add(b0, f64x2.mul(s, x0))
      b1 = f64x2.add(b1, f64x2.mul(s, x1))
      s = v128.load_splat<f64>(panel, 40)
      c0 = f64x2.add(c0, f64x2.mul(s, x0))
      c1 = f64x2.add(c1, f64x2.mul(s, x1))
      s = v128.load_splat<f64>(panel, 48)
      d0 = f64x2.add(d0, f64x2.mul(s, x0))
      d1 = f64x2.add(d1, f64x2.mul(s, x1))
    }
    if (end) {
      let x0 = v128.load(end, 64)
      let x1 = v128.load(end, 80)
      let s = v128.load_splat<f64>(panel, 56)
      c0 = f64x2.add(c0, f64x2.mul(s, x0))
      c1 = f64x2.add(c1, f64x2.mul(s, x1))
      s = v128.load_splat<f64>(panel, 64)
      d0 = f64x2.add(d0, f64x2.mul(s, x0))
      d1 = f64x2.add(d1, f64x2.mul(s, x1))
      s = v128.load_splat<f64>(panel, 72)
      x0 = v128.load(end, 96)
      x1 = v128.load(end, 112)
      d0 = f64x2.add(d0, f64x2.mul(s, x0))
      d1 = f64x2.add(d1, f64x2.mul(s, x1))
    }
    panel += 80
    if (z) {
      v128.store(z, a0)
      v128.store(z, a1, 16)
      v128.store(z, b0, 32)
      v128.store(z, b1, 48)
      v128.store(z, c0, 64)
      v128.store(z, c1, 80)
      v128.store(z, d0, 96)
      v128.store(z, d1, 112)
      z += 128
    } else {
      p = f64x2.add(p, f64x2.mul(a0, a0))
      q = f64x2.add(q, f64x2.mul(a1, a1))
      p = f64x2.add(p, f64x2.mul(b0, b0))
      q = f64x2.add(q, f64x2.mul(b1, b1))
      p = f64x2.add(p, f64x2.mul(c0, c0))
      q = f64x2.add(q, f64x2.mul(c1, c1))
      p = f64x2.add(p, f64x2.mul(d0, d0))
      q = f64x2.add(q, f64x2.mul(d1, d1))
    }
  }
  if (!z) {
    v128.store(norms, p)
    v128.store(norms, q, 16)
  }
}

/** Columns up to the next multiple of four are 0 in `work`, which has room for them. */
function clear(work: usize, d: i32): void {
  memory.fill(work + ((<usize>d) << 5), 0, (<usize>(fours(d) - d)) << 5)
}

/**
 * Slot by slot scores[i] += top − ½ |L⁻¹ (x_i − mean)|². Means, packed L⁻¹ and tops lie slot after slot; `panel` has room for
 * fours(d) (fours(d) + 4) / 2 numbers, `work` for 4 fours(d) + 4.
 */
export function scoreOwn(
  x: usize,
  stride: i32,
  rows: i32,
  d: i32,
  slots: i32,
  means: usize,
  inverses: usize,
  tops: usize,
  panel: usize,
  work: usize,
  scores: usize,
): void {
  const column = (<usize>stride) << 3
  const norms = work + ((<usize>fours(d)) << 5)
  clear(work, d)
  for (let p = 0; p < slots; p++) {
    panels(inverses, d, panel)
    const top = load<f64>(tops)
    for (let i = 0; i < rows; i += 4) {
      whiten(x + ((<usize>i) << 3), column, d, means, panel, work, 0, norms)
      addScores(scores, i, rows, top, v128.load(norms), v128.load(norms, 16))
    }
    means += (<usize>d) << 3
    inverses += (<usize>((d * (d + 1)) >> 1)) << 3
    tops += 8
    scores += (<usize>rows) << 3
  }
}

/**
 * The same where all slots have one L⁻¹ and one top: z = L⁻¹x once, then |z − L⁻¹ mean|² slot by slot. Means are columns here, as x is:
 * column j at means + 8·meanStride·j. `centres` has room for fours(d) · fours(slots) numbers, `work` for 9 fours(d).
 */
export function scoreShared(
  x: usize,
  stride: i32,
  rows: i32,
  d: i32,
  slots: i32,
  means: usize,
  meanStride: i32,
  inverse: usize,
  top: f64,
  panel: usize,
  work: usize,
  centres: usize,
  scores: usize,
): void {
  const column = (<usize>stride) << 3
  const tile = (<usize>fours(d)) << 5
  const length = (<usize>d) << 5
  const z = work + tile
  const zeros = z + tile
  memory.fill(zeros, 0, (<usize>d) << 3)
  clear(work, d)
  panels(inverse, d, panel)
  for (let p = 0; p < slots; p += 4) {
    const to = centres + <usize>(p >> 2) * tile
    whiten(means + ((<usize>p) << 3), (<usize>meanStride) << 3, d, zeros, panel, work, to, 0)
  }
  const next = (<usize>rows) << 3
  for (let i = 0; i < rows; i += 4) {
    whiten(x + ((<usize>i) << 3), column, d, zeros, panel, work, z, 0)
    // two slots at a time
    for (let p = 0; p < slots; p += 2) {
      const from = centres + <usize>(p >> 2) * tile + ((<usize>(p & 3)) << 3)
      let a0 = f64x2.splat(0)
      let a1 = f64x2.splat(0)
      let b0 = f64x2.splat(0)
      let b1 = f64x2.splat(0)
      for (let k: usize = 0; k < length; k += 32) {
        const z0 = v128.load(z + k)
        const z1 = v128.load(z + k, 16)
        let m = v128.load_splat<f64>(from + k)
        let c = f64x2.sub(z0, m)
        a0 = f64x2.add(a0, f64x2.mul(c, c))
        c = f64x2.sub(z1, m)
        a1 = f64x2.add(a1, f64x2.mul(c, c))
        m = v128.load_splat<f64>(from + k, 8)
        c = f64x2.sub(z0, m)
        b0 = f64x2.add(b0, f64x2.mul(c, c))
        c = f64x2.sub(z1, m)
        b1 = f64x2.add(b1, f64x2.mul(c, c))
      }
      const to = scores + <usize>p * next
      addScores(to, i, rows, top, a0, a1)
      if (p + 1 < slots) addScores(to + next, i, rows, top, b0, b1)
    }
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
  } else {
    store<f64>(to, load<f64>(to) + f64x2.extract_lane(p, 0))
    if (i + 1 < rows) store<f64>(to, load<f64>(to, 8) + f64x2.extract_lane(p, 1), 8)
    if (i + 2 < rows) store<f64>(to, load<f64>(to, 16) + f64x2.extract_lane(q, 0), 16)
  }
}

// ── sums ───────────────────────────────────────────────────────────────────────────────────────────

/**
 * sums, slot by slot, ← Σ w, Σ wx; triangles, where wanted, ← Σ wxxᵀ, packed: over the rows that have weight, the even and the odd
 * ones summed apart and then together. Slot p has its weights at weights + 8·rows·p. `packed`, `picked` and `wx` have room for
 * fours(d) columns of fours(rows) rows each, `kept` and `list` for as many weights and places as there are rows, and three more.
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
  packed: usize,
  picked: usize,
  wx: usize,
  sums: usize,
  triangles: usize,
): void {
  const size = (<usize>((d * (d + 1)) >> 1)) << 3
  let isPacked = false
  for (let p = 0; p < slots; p++) {
    const count = keep(weights, rows, list, kept)
    if (count === rows) {
      if (!isPacked) pack(x, stride, rows, d, packed)
      isPacked = true
    } else gather(x, stride, d, list, count, picked)
    absorb(count === rows ? packed : picked, count, d, kept, wx, sums, triangles)
    if (triangles) triangles += size
    weights += (<usize>rows) << 3
    sums += (<usize>(1 + d)) << 3
  }
}

/** The same of one slot and the listed rows, whose weights stand in `kept` in the order of the list. */
export function absorbList(
  x: usize,
  stride: i32,
  rows: i32,
  d: i32,
  list: usize,
  count: i32,
  kept: usize,
  picked: usize,
  wx: usize,
  sums: usize,
  triangle: usize,
): void {
  if (count === rows) pack(x, stride, rows, d, picked)
  else gather(x, stride, d, list, count, picked)
  absorb(picked, count, d, kept, wx, sums, triangle)
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

/**
 * x in panels of four columns: of two neighbouring rows, all four columns side by side. Rows and columns up to the next multiples of four
 * are 0.
 */
function pack(x: usize, stride: i32, rows: i32, d: i32, to: usize): void {
  const column = (<usize>stride) << 3
  const panel = (<usize>fours(rows)) << 5
  const whole = (<usize>(rows & ~1)) << 3
  for (let j = 0; j < fours(d); j++, x += column) {
    const first = to + <usize>(j >> 2) * panel + ((<usize>(j & 3)) << 4)
    const end = first + panel
    let at = first
    if (j < d) {
      for (let i: usize = 0; i < whole; i += 16, at += 64) v128.store(at, v128.load(x + i))
      if (rows & 1) {
        v128.store(at, f64x2.replace_lane(f64x2.splat(0), 0, load<f64>(x + whole)))
        at += 64
      }
    }
    for (; at < end; at += 64) v128.store(at, f64x2.splat(0))
  }
}

/** The same of the listed rows. */
function gather(x: usize, stride: i32, d: i32, list: usize, count: i32, to: usize): void {
  const column = (<usize>stride) << 3
  const panel = (<usize>fours(count)) << 5
  const stop = list + ((<usize>(count & ~1)) << 2)
  for (let j = 0; j < fours(d); j++, x += column) {
    const first = to + <usize>(j >> 2) * panel + ((<usize>(j & 3)) << 4)
    const end = first + panel
    let at = first
    if (j < d) {
      for (let t = list; t < stop; t += 8, at += 64) {
        store<f64>(at, load<f64>(x + ((<usize>load<i32>(t)) << 3)))
        store<f64>(at, load<f64>(x + ((<usize>load<i32>(t, 4)) << 3)), 8)
      }
      if (count & 1) {
        const last = load<f64>(x + ((<usize>load<i32>(stop)) << 3))
        v128.store(at, f64x2.replace_lane(f64x2.splat(0), 0, last))
        at += 64
      }
    }
    for (; at < end; at += 64) v128.store(at, f64x2.splat(0))
  }
}

/**
 * sums[0] ← Σ w, sums[1 + j] ← Σ w x_j, and the triangle where wanted, of rows in panels. Weights up to the next multiple of four rows
 * become 0. Even and odd rows are summed apart and then together.
 */
function absorb(x: usize, rows: i32, d: i32, weights: usize, wx: usize, sums: usize, triangle: usize): void {
  const whole = (<usize>fours(rows)) << 3
  for (let i = (<usize>rows) << 3; i < whole; i += 8) store<f64>(weights + i, 0)
  let total = f64x2.splat(0)
  for (let i: usize = 0; i < whole; i += 16) total = f64x2.add(total, v128.load(weights + i))
  store<f64>(sums, both(total))
  let at = x
  let to = wx
  for (let j = 0; j < d; j += 4) {
    let a = f64x2.splat(0)
    let b = f64x2.splat(0)
    let c = f64x2.splat(0)
    let e = f64x2.splat(0)
    const end = weights + whole
    for (let i = weights; i < end; i += 16, at += 64, to += 64) {
      const w = v128.load(i)
      let product = f64x2.mul(w, v128.load(at))
      v128.store(to, product)
      a = f64x2.add(a, product)
      product = f64x2.mul(w, v128.load(at, 16))
      v128.store(to, product, 16)
      b = f64x2.add(b, product)
      product = f64x2.mul(w, v128.load(at, 32))
      v128.store(to, product, 32)
      c = f64x2.add(c, product)
      product = f64x2.mul(w, v128.load(at, 48))
      v128.store(to, product, 48)
      e = f64x2.add(e, product)
    }
    const sum = sums + ((<usize>j) << 3)
    store<f64>(sum, both(a), 8)
    if (j + 1 < d) store<f64>(sum, both(b), 16)
    if (j + 2 < d) store<f64>(sum, both(c), 24)
    if (j + 3 < d) store<f64>(sum, both(e), 32)
  }
  if (triangle) squares(x, wx, whole << 2, d, triangle)
}

/** The even rows and the odd ones together. */
function both(sum: v128): f64 {
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)
}

/**
 * out, packed, ← Σ_i wx_j x_k, k ≤ j, of panels so many bytes long. Tiles of four by two; what a tile computes above the diagonal or
 * beyond d is thrown away.
 */
function squares(x: usize, wx: usize, panel: usize, d: i32, out: usize): void {
  for (let j = 0; j < d; j += 4) {
    const last = min(j + 3, d - 1)
    for (let k = 0; k <= last; k += 2) {
      let w = wx + <usize>(j >> 2) * panel
      let at = x + <usize>(k >> 2) * panel + ((<usize>(k & 2)) << 4)
      const end = w + panel
      let a0 = f64x2.splat(0)
      let a1 = f64x2.splat(0)
      let b0 = f64x2.splat(0)
      let b1 = f64x2.splat(0)
      let c0 = f64x2.splat(0)
      let c1 = f64x2.splat(0)
      let d0 = f64x2.splat(0)
      let d1 = f64x2.splat(0)
      for (; w < end; w += 64) {
        const x0 = v128.load(at)
        const x1 = v128.load(at, 16)
        let s = v128.load(w)
        a0 = f64x2.add(a0, f64x2.mul(s, x0))
        a1 = f64x2.add(a1, f64x2.mul(s, x1))
        s = v128.load(w, 16)
        b0 = f64x2.add(b0, f64x2.mul(s, x0))
        b1 = f64x2.add(b1, f64x2.mul(s, x1))
        s = v128.load(w, 32)
        c0 = f64x2.add(c0, f64x2.mul(s, x0))
        c1 = f64x2.add(c1, f64x2.mul(s, x1))
        s = v128.load(w, 48)
        d0 = f64x2.add(d0, f64x2.mul(s, x0))
        d1 = f64x2.add(d1, f64x2.mul(s, x1))
        at += 64
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
  if (k <= j) store<f64>(to, both(first))
  if (k < j) store<f64>(to, both(second), 8)
}
