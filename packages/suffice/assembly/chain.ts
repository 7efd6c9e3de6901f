/**
 * Recursions of chains: twin of src/kernels/chain.ts, the same steps and so the same bits. Two states are in each register; matrices have K states per step, a
 * multiple of four, 0 behind the k that there are. Square tables are K × K: `table` by rows (from-states), `turned` by columns.
 */
import { expOf, expRest, expSeries, logNormal } from "./exp-log"

const LEAST: f64 = 1e-100
const IMPOSSIBLE: f64 = -1
/** Steps whose b is computed together. */
const STRIP: i32 = 32

/**
 * b, tops ← scaled scores of steps from … to − 1, where state l of step t is at scores + 8·(l·column + t). `tags` 0: there are none. `work`: scratch for (k + 1)·32 numbers twice. What
 * is behind the last score of a state is read, not used.
 */
export function scaleSteps(
  scores: usize,
  column: i32,
  k: i32,
  K: i32,
  tags: usize,
  from: i32,
  to: i32,
  b: usize,
  tops: usize,
  work: usize,
): void {
  const line = (<usize>column) << 3
  const wide = (<usize>STRIP) << 3
  const row = (<usize>K) << 3
  const end = <usize>k * wide
  const xs = work + wide
  const es = xs + end
  for (let t = from; t < to; t += STRIP) {
    const count = min(STRIP, to - t)
    const width = (<usize>((count + 1) & ~1)) << 3
    const at = scores + ((<usize>t) << 3)
    let anyImpossible = false
    for (let i: usize = 0; i < width; i += 16) {
      let top = f64x2.splat(-Infinity)
      for (let l = 0, s = at + i; l < k; l++, s += line) top = f64x2.pmax(top, v128.load(s))
      v128.store(work + i, top)
      if (v128.any_true(f64x2.eq(top, f64x2.splat(-Infinity)))) anyImpossible = true
    }
    for (let l: usize = 0, s = at; l < end; l += wide, s += line) {
      for (let i: usize = 0; i < width; i += 16) {
        const x = f64x2.sub(v128.load(s + i), v128.load(work + i))
        v128.store(xs + l + i, x)
        v128.store(es + l + i, expRest(x))
      }
    }
    for (let i: usize = 0; i < end; i += 16) v128.store(es + i, expSeries(v128.load(es + i)))
    for (let l: usize = 0, s = at, to = b + <usize>t * row; l < end; l += wide, s += line, to += 8) {
      for (let i: usize = 0, put = to; i < width; i += 16, put += 2 * row) {
        const e = expOf(v128.load(xs + l + i), v128.load(es + l + i))
        const possible = f64x2.gt(v128.load(s + i), f64x2.splat(-Infinity))
        const value = v128.bitselect(e, f64x2.splat(IMPOSSIBLE), possible)
        v128.store_lane<f64>(put, value, 0)
        if (i + 8 < (<usize>count) << 3) v128.store_lane<f64>(put + row, value, 1)
      }
    }
    for (let n = 0; n < count; n++) {
      const put = b + <usize>(t + n) * row
      const top = load<f64>(work + ((<usize>n) << 3))
      store<f64>(tops + ((<usize>(t + n)) << 3), top)
      for (let l = k; l < K; l++) store<f64>(put + ((<usize>l) << 3), 0)
      if (!anyImpossible || top > -Infinity) continue
      const tag = tags ? load<i32>(tags + ((<usize>(t + n)) << 2)) : -1
      for (let l = 0; l < k; l++) store<f64>(put + ((<usize>l) << 3), tag < 0 || tag === l ? 1 : IMPOSSIBLE)
    }
  }
}

/** Forward over one sequence, steps from … to − 1; returns Σ ln c_t, or NaN if it has to be redone in logarithms. */
export function forward(
  K: i32,
  hasZeros: i32,
  initial: usize,
  table: usize,
  ends: usize,
  b: usize,
  alpha: usize,
  scale: usize,
  from: i32,
  to: i32,
): f64 {
  const row = (<usize>K) << 3
  const zero = f64x2.splat(0)
  const eights = row & ~63
  let sum: f64 = 0
  let product: f64 = 1
  for (let t = from; t < to; t++) {
    const a = alpha + <usize>t * row
    const bt = b + <usize>t * row
    const before = a - row
    if (t === from) for (let j: usize = 0; j < row; j += 16) v128.store(a + j, v128.load(initial + j))
    else {
      let j: usize = 0
      for (; j < eights; j += 64) {
        let a0 = zero
        let a1 = zero
        let a2 = zero
        let a3 = zero
        let p = table + j
        for (let i: usize = 0; i < row; i += 8, p += row) {
          const v = v128.load_splat<f64>(before + i)
          a0 = f64x2.add(a0, f64x2.mul(v, v128.load(p)))
          a1 = f64x2.add(a1, f64x2.mul(v, v128.load(p, 16)))
          a2 = f64x2.add(a2, f64x2.mul(v, v128.load(p, 32)))
          a3 = f64x2.add(a3, f64x2.mul(v, v128.load(p, 48)))
        }
        v128.store(a + j, a0)
        v128.store(a + j, a1, 16)
        v128.store(a + j, a2, 32)
        v128.store(a + j, a3, 48)
      }
      if (j < row) {
        let a0 = zero
        let a1 = zero
        let p = table + j
        for (let i: usize = 0; i < row; i += 8, p += row) {
          const v = v128.load_splat<f64>(before + i)
          a0 = f64x2.add(a0, f64x2.mul(v, v128.load(p)))
          a1 = f64x2.add(a1, f64x2.mul(v, v128.load(p, 16)))
        }
        v128.store(a + j, a0)
        v128.store(a + j, a1, 16)
      }
    }
    let both = zero
    let lost = zero
    for (let j: usize = 0; j < row; j += 16) {
      const reached = v128.load(a + j)
      const joint = f64x2.mul(reached, v128.load(bt + j))
      lost = v128.or(lost, v128.and(f64x2.eq(joint, zero), f64x2.gt(reached, zero)))
      const kept = v128.and(joint, f64x2.gt(joint, zero))
      v128.store(a + j, kept)
      both = f64x2.add(both, kept)
    }
    if (hasZeros && v128.any_true(lost)) return NaN
    let c = f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1)
    if (!(c > LEAST)) return NaN
    const part = f64x2.splat(1 / c)
    for (let j: usize = 0; j < row; j += 16) v128.store(a + j, f64x2.mul(v128.load(a + j), part))
    if (t === to - 1) {
      const end = endOf(ends, row, a)
      if (!(end > LEAST)) return NaN
      c *= end
    }
    store<f64>(scale + ((<usize>t) << 3), c)
    product *= c
    if (product < LEAST) {
      sum += f64x2.extract_lane(logNormal(f64x2.splat(product)), 0)
      product = 1
    }
  }
  return sum + f64x2.extract_lane(logNormal(f64x2.splat(product)), 0)
}

function endOf(ends: usize, row: usize, a: usize): f64 {
  let both = f64x2.splat(0)
  for (let j: usize = 0; j < row; j += 16) {
    both = f64x2.add(both, f64x2.mul(v128.load(a + j), v128.load(ends + j)))
  }
  return f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1)
}

/**
 * Backward over one sequence: w γ of state l and step t at values + 8·(l·column + t), and counts += w Σ_t ξ_t, by columns, as `turned` and its logarithms are. b is overwritten. `work`: scratch for 2K + K² numbers.
 * Returns Σ_t Σ ξ ln a, or NaN, and nothing counted, if it has to be redone in logarithms.
 */
export function backward(
  k: i32,
  K: i32,
  turned: usize,
  logTurned: usize,
  ends: usize,
  b: usize,
  alpha: usize,
  scale: usize,
  from: i32,
  to: i32,
  weight: f64,
  values: usize,
  column: i32,
  counts: usize,
  work: usize,
): f64 {
  const row = (<usize>K) << 3
  const line = (<usize>column) << 3
  const zero = f64x2.splat(0)
  const w = f64x2.splat(weight)
  const eights = row & ~63
  const beta = work
  const gamma = work + row
  const sums = gamma + row
  const square = <usize>K * row
  for (let j: usize = 0; j < square; j += 16) v128.store(sums + j, zero)
  const end = endOf(ends, row, alpha + <usize>(to - 1) * row)
  for (let j: usize = 0; j < row; j += 16) {
    v128.store(beta + j, f64x2.div(v128.load(ends + j), f64x2.splat(end)))
  }
  let last = to - 1
  for (let t = to - 1; t >= from; t--) {
    const a = alpha + <usize>t * row
    const bt = b + <usize>t * row
    let c = load<f64>(scale + ((<usize>t) << 3))
    if (t === to - 1) c /= end
    const part = f64x2.splat(1 / c)
    let total = zero
    for (let j: usize = 0; j < row; j += 16) {
      const after = v128.load(beta + j)
      const both = f64x2.mul(v128.load(a + j), after)
      total = f64x2.add(total, both)
      v128.store(gamma + j, f64x2.mul(w, both))
      const own = v128.load(bt + j)
      // in place of b, as nothing else needs it
      v128.store(bt + j, v128.and(f64x2.mul(f64x2.mul(own, after), part), f64x2.gt(own, zero)))
    }
    let put = values + ((<usize>t) << 3)
    for (let l = 0; l < k; l++, put += line) store<f64>(put, load<f64>(gamma + ((<usize>l) << 3)))
    const all = f64x2.extract_lane(total, 0) + f64x2.extract_lane(total, 1)
    if (!(all > 0.5 && all < 2)) return NaN
    if (t === from) break
    let i: usize = 0
    for (; i < eights; i += 64) {
      let a0 = zero
      let a1 = zero
      let a2 = zero
      let a3 = zero
      let p = turned + i
      for (let j: usize = 0; j < row; j += 8, p += row) {
        const v = v128.load_splat<f64>(bt + j)
        a0 = f64x2.add(a0, f64x2.mul(v, v128.load(p)))
        a1 = f64x2.add(a1, f64x2.mul(v, v128.load(p, 16)))
        a2 = f64x2.add(a2, f64x2.mul(v, v128.load(p, 32)))
        a3 = f64x2.add(a3, f64x2.mul(v, v128.load(p, 48)))
      }
      v128.store(beta + i, a0)
      v128.store(beta + i, a1, 16)
      v128.store(beta + i, a2, 32)
      v128.store(beta + i, a3, 48)
    }
    if (i < row) {
      let a0 = zero
      let a1 = zero
      let p = turned + i
      for (let j: usize = 0; j < row; j += 8, p += row) {
        const v = v128.load_splat<f64>(bt + j)
        a0 = f64x2.add(a0, f64x2.mul(v, v128.load(p)))
        a1 = f64x2.add(a1, f64x2.mul(v, v128.load(p, 16)))
      }
      v128.store(beta + i, a0)
      v128.store(beta + i, a1, 16)
    }
    // steps t … last wait to be added
    if (last - t + 1 === TOGETHER || t === from + 1) {
      addMoves(alpha, b, row, t, last, sums)
      last = t - 1
    }
  }
  let term = zero
  for (let j: usize = 0; j < square; j += 16) {
    const xi = f64x2.mul(v128.load(turned + j), v128.load(sums + j))
    const there = f64x2.gt(xi, zero)
    v128.store(counts + j, f64x2.add(v128.load(counts + j), v128.and(f64x2.mul(w, xi), there)))
    term = f64x2.add(term, v128.and(f64x2.mul(xi, v128.load(logTurned + j)), there))
  }
  return f64x2.extract_lane(term, 0) + f64x2.extract_lane(term, 1)
}

/** Steps whose ξ are added together. */
const TOGETHER: i32 = 32

/** sums(j, i) += Σ α_{t−1}(i) w_t(j) over the steps from `last` down to `first`, four by four states at a time; w_t stands in place of b_t. */
function addMoves(alpha: usize, b: usize, row: usize, first: i32, last: i32, sums: usize): void {
  const count = last - first + 1
  const top = <usize>last * row
  for (let j: usize = 0; j < row; j += 32) {
    for (let i: usize = 0; i < row; i += 32) {
      let x = sums + (j >> 3) * row + i
      let a0 = v128.load(x)
      let a1 = v128.load(x, 16)
      x += row
      let b0 = v128.load(x)
      let b1 = v128.load(x, 16)
      x += row
      let c0 = v128.load(x)
      let c1 = v128.load(x, 16)
      x += row
      let d0 = v128.load(x)
      let d1 = v128.load(x, 16)
      let q = alpha + top - row + i
      let w = b + top + j
      for (let n = 0; n < count; n++, q -= row, w -= row) {
        const q0 = v128.load(q)
        const q1 = v128.load(q, 16)
        let v = v128.load_splat<f64>(w)
        a0 = f64x2.add(a0, f64x2.mul(q0, v))
        a1 = f64x2.add(a1, f64x2.mul(q1, v))
        v = v128.load_splat<f64>(w, 8)
        b0 = f64x2.add(b0, f64x2.mul(q0, v))
        b1 = f64x2.add(b1, f64x2.mul(q1, v))
        v = v128.load_splat<f64>(w, 16)
        c0 = f64x2.add(c0, f64x2.mul(q0, v))
        c1 = f64x2.add(c1, f64x2.mul(q1, v))
        v = v128.load_splat<f64>(w, 24)
        d0 = f64x2.add(d0, f64x2.mul(q0, v))
        d1 = f64x2.add(d1, f64x2.mul(q1, v))
      }
      v128.store(x, d0)
      v128.store(x, d1, 16)
      x -= row
      v128.store(x, c0)
      v128.store(x, c1, 16)
      x -= row
      v128.store(x, b0)
      v128.store(x, b1, 16)
      x -= row
      v128.store(x, a0)
      v128.store(x, a1, 16)
    }
  }
}

/** Every sequence: scaled and forward; sums[i] ← Σ ln c_t, or NaN. */
export function forwardRows(
  k: i32,
  K: i32,
  hasZeros: i32,
  initial: usize,
  table: usize,
  ends: usize,
  scores: usize,
  column: i32,
  tags: usize,
  offsets: usize,
  rows: i32,
  b: usize,
  alpha: usize,
  scale: usize,
  tops: usize,
  sums: usize,
  work: usize,
): void {
  const last = load<i32>(offsets + ((<usize>rows) << 2))
  scaleSteps(scores, column, k, K, tags, load<i32>(offsets), last, b, tops, work)
  for (let i = 0; i < rows; i++, offsets += 4) {
    const sum = forward(
      K,
      hasZeros,
      initial,
      table,
      ends,
      b,
      alpha,
      scale,
      load<i32>(offsets),
      load<i32>(offsets, 4),
    )
    store<f64>(sums + ((<usize>i) << 3), sum)
  }
}

/** Every sequence backward; values of those with weight 0 are 0. */
export function backwardRows(
  k: i32,
  K: i32,
  turned: usize,
  logTurned: usize,
  ends: usize,
  b: usize,
  alpha: usize,
  scale: usize,
  offsets: usize,
  rows: i32,
  weights: usize,
  values: usize,
  column: i32,
  counts: usize,
  terms: usize,
  work: usize,
): void {
  for (let i = 0; i < rows; i++, offsets += 4) {
    const from = load<i32>(offsets)
    const to = load<i32>(offsets, 4)
    const weight = load<f64>(weights + ((<usize>i) << 3))
    let term: f64 = 0
    if (weight === 0 || from === to) {
      for (let l = 0; l < k; l++) {
        const at = values + ((<usize>(l * column + from)) << 3)
        memory.fill(at, 0, (<usize>(to - from)) << 3)
      }
    } else {
      term = backward(
        k,
        K,
        turned,
        logTurned,
        ends,
        b,
        alpha,
        scale,
        from,
        to,
        weight,
        values,
        column,
        counts,
        work,
      )
    }
    store<f64>(terms + ((<usize>i) << 3), term)
  }
}
