/**
 * Normals with full matrices, complete rows: scores: the twin of src/kernels/dense-scores.ts, two rows in each register.
 * Column j of x is at x + 8·stride·j; it can be read up to the next multiple of four rows, whatever is there.
 *
 * Matrices and rows are laid out anew in panels of four, 0 where they end, so that an inner loop has two places to go on from and no corner:
 * engines keep eight sums in registers where the loop is that short. A product with such a 0 changes no bit of a sum.
 */

/** The next multiple of four. */
export function fours(count: i32): i32 {
  return (count + 3) & ~3
}

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

/** Columns up to the next multiple of four are 0 in `work`, which is long enough for them. */
function clear(work: usize, d: i32): void {
  memory.fill(work + ((<usize>d) << 5), 0, (<usize>(fours(d) - d)) << 5)
}

/**
 * Slot by slot scores[i] += top − ½ |L⁻¹ (x_i − mean)|². Means, packed L⁻¹ and tops lie slot after slot; `panel` is scratch for
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
 * column j at means + 8·meanStride·j. `centres` is scratch for fours(d) · fours(slots) numbers, `work` for 9 fours(d).
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
  p = f64x2.sub(f64x2.splat(top), f64x2.mul(f64x2.splat(0.5), p))
  q = f64x2.sub(f64x2.splat(top), f64x2.mul(f64x2.splat(0.5), q))
  addFour(scores, i, rows, p, q)
}

/** scores[p, i] += b_p + w_p · x_i, two slots at a time; b and w (d) lie slot after slot. */
export function scoreLines(
  x: usize,
  stride: i32,
  rows: i32,
  d: i32,
  slots: i32,
  lines: usize,
  scores: usize,
): void {
  const column = (<usize>stride) << 3
  const line = (<usize>(d + 1)) << 3
  const next = (<usize>rows) << 3
  for (let p = 0; p < slots; p += 2, lines += 2 * line, scores += 2 * next) {
    // the last of an odd number of slots stands in for a second one
    const beside = p + 1 < slots ? line : 0
    for (let i = 0; i < rows; i += 4) {
      let a0 = v128.load_splat<f64>(lines)
      let a1 = a0
      let b0 = v128.load_splat<f64>(lines + beside)
      let b1 = b0
      let at = x + ((<usize>i) << 3)
      for (let w = lines + 8; w < lines + line; w += 8, at += column) {
        const x0 = v128.load(at)
        const x1 = v128.load(at, 16)
        let s = v128.load_splat<f64>(w)
        a0 = f64x2.add(a0, f64x2.mul(s, x0))
        a1 = f64x2.add(a1, f64x2.mul(s, x1))
        s = v128.load_splat<f64>(w + beside)
        b0 = f64x2.add(b0, f64x2.mul(s, x0))
        b1 = f64x2.add(b1, f64x2.mul(s, x1))
      }
      addFour(scores, i, rows, a0, a1)
      if (beside) addFour(scores + next, i, rows, b0, b1)
    }
  }
}

/** scores[i … i + 3] += p, q, of those that are rows. */
function addFour(scores: usize, i: i32, rows: i32, p: v128, q: v128): void {
  const to = scores + ((<usize>i) << 3)
  if (i + 3 < rows) {
    v128.store(to, f64x2.add(v128.load(to), p))
    v128.store(to, f64x2.add(v128.load(to, 16), q), 16)
  } else {
    store<f64>(to, load<f64>(to) + f64x2.extract_lane(p, 0))
    if (i + 1 < rows) store<f64>(to, load<f64>(to, 8) + f64x2.extract_lane(p, 1), 8)
    if (i + 2 < rows) store<f64>(to, load<f64>(to, 16) + f64x2.extract_lane(q, 0), 16)
  }
}
