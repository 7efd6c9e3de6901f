/**
 * Normals with full matrices, complete rows, sums: the twin of src/kernels/dense-sums.ts, two rows in each register. Rows are laid out in
 * panels as in dense-scores.ts.
 */
import { fours } from "./dense-scores"

/**
 * sums, slot by slot, += Σ w, Σ wx; triangles, where wanted, += Σ wxxᵀ, packed: over the rows that have weight, the even and the odd
 * ones summed apart and then together. Slot p has its weights at weights + 8·rows·p. `packed`, `picked` and `wx` are scratch for
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

/** The same of one slot and the listed rows, whose weights are in `kept` in the order of the list. */
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
 * sums[0] += Σ w, sums[1 + j] += Σ w x_j, and the triangle where wanted, of rows in panels. Weights up to the next multiple of four rows
 * become 0. Even and odd rows are summed apart and then together.
 */
function absorb(x: usize, rows: i32, d: i32, weights: usize, wx: usize, sums: usize, triangle: usize): void {
  const whole = (<usize>fours(rows)) << 3
  for (let i = (<usize>rows) << 3; i < whole; i += 8) store<f64>(weights + i, 0)
  let total = f64x2.splat(0)
  for (let i: usize = 0; i < whole; i += 16) total = f64x2.add(total, v128.load(weights + i))
  add(sums, total)
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
    add(sum + 8, a)
    if (j + 1 < d) add(sum + 16, b)
    if (j + 2 < d) add(sum + 24, c)
    if (j + 3 < d) add(sum + 32, e)
  }
  if (triangle) squares(x, wx, whole << 2, d, triangle)
}

/** The even rows and the odd ones together. */
function add(to: usize, sum: v128): void {
  store<f64>(to, load<f64>(to) + (f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)))
}

/**
 * out, packed, += Σ_i wx_j x_k, k ≤ j, each panel `panel` bytes long. Tiles of four by two; what a tile computes above the diagonal or
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
  if (k <= j) add(to, first)
  if (k < j) add(to + 8, second)
}
