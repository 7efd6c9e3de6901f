/**
 * Leaves of a product, each with a column of its own: their scores are added one after the other, as if each leaf had been asked by
 * itself, but what they are added to stays in registers. The twins are the `score` of gaussian and of categorical, leaf by leaf.
 */

/**
 * scores[p,i] += Σ_j top − ½ (x_ij − μ)² / σ², over the columns j that were seen, j after j. Column j is at x + 8·stride·j, NaN where a
 * cell is missing; its μ, ½/σ² and top in slot p are at params + 24·(slots·j + p).
 */
export function scoreNumbers(
  x: usize,
  stride: i32,
  rows: i32,
  d: i32,
  slots: i32,
  params: usize,
  scores: usize,
): void {
  const column = (<usize>stride) << 3
  const width = 24 * <usize>slots
  const end = params + <usize>d * width
  for (let p = 0; p < slots; p++, params += 24, scores += (<usize>rows) << 3) {
    let i: usize = 0
    for (const whole = (<usize>(rows & ~7)) << 3; i < whole; i += 64) {
      const to = scores + i
      let a = v128.load(to)
      let b = v128.load(to, 16)
      let c = v128.load(to, 32)
      let e = v128.load(to, 48)
      let at = x + i
      for (let theta = params; theta < end; theta += width, at += column) {
        const mean = v128.load_splat<f64>(theta)
        const half = v128.load_splat<f64>(theta, 8)
        const top = v128.load_splat<f64>(theta, 16)
        a = added(a, v128.load(at), mean, half, top)
        b = added(b, v128.load(at, 16), mean, half, top)
        c = added(c, v128.load(at, 32), mean, half, top)
        e = added(e, v128.load(at, 48), mean, half, top)
      }
      v128.store(to, a)
      v128.store(to, b, 16)
      v128.store(to, c, 32)
      v128.store(to, e, 48)
    }
    for (const last = (<usize>rows) << 3; i < last; i += 16) {
      // the scores of the next slot begin right behind the last row
      const both = i + 8 < last
      let a = both ? v128.load(scores + i) : v128.load_splat<f64>(scores + i)
      let at = x + i
      for (let theta = params; theta < end; theta += width, at += column) {
        const mean = v128.load_splat<f64>(theta)
        const half = v128.load_splat<f64>(theta, 8)
        a = added(a, v128.load(at), mean, half, v128.load_splat<f64>(theta, 16))
      }
      if (both) v128.store(scores + i, a)
      else store<f64>(scores + i, f64x2.extract_lane(a, 0))
    }
  }
}

/** sum + top − half (x − mean)², or the sum where x is missing. */
function added(sum: v128, x: v128, mean: v128, half: v128, top: v128): v128 {
  const c = f64x2.sub(x, mean)
  const score = f64x2.sub(top, f64x2.mul(f64x2.mul(half, c), c))
  return v128.bitselect(f64x2.add(sum, score), sum, f64x2.eq(score, score))
}

/**
 * scores[p,i] += Σ_j θ_j[code_ij, p], over the columns j that were seen, j after j. Column j is at codes + 4·stride·j, −1 where a cell is
 * missing; its table, level after level, at params + 8·starts[j], each level padded to an even number of slots.
 */
export function scoreLevels(
  codes: usize,
  stride: i32,
  rows: i32,
  d: i32,
  slots: i32,
  params: usize,
  starts: usize,
  scores: usize,
): void {
  const column = (<usize>stride) << 2
  const line = (<usize>rows) << 3
  const width = (<usize>((slots + 1) & ~1)) << 3
  const ends = starts + ((<usize>d) << 2)
  for (let i = 0; i < rows; i++, codes += 4, scores += 8) {
    let left = slots
    let to = scores
    let own = params
    // six slots at a time, and then up to four: what is read beyond the last of them is left alone
    for (; left > 4; left -= 6, to += 6 * line, own += 48) {
      const last = left > 5 ? to + 5 * line : to
      let a = pair(to, to + line)
      let b = pair(to + 2 * line, to + 3 * line)
      let c = pair(to + 4 * line, last)
      let at = codes
      for (let start = starts; start < ends; start += 4, at += column) {
        const code = load<i32>(at)
        if (code < 0) continue
        const theta = own + ((<usize>load<i32>(start)) << 3) + <usize>code * width
        a = f64x2.add(a, v128.load(theta))
        b = f64x2.add(b, v128.load(theta, 16))
        c = f64x2.add(c, v128.load(theta, 32))
      }
      // backwards: one that is not there stands where the first is
      part(to + 4 * line, last, c)
      part(to + 2 * line, to + 3 * line, b)
      part(to, to + line, a)
    }
    if (left <= 0) continue
    const second = left > 1 ? to + line : to
    const third = left > 2 ? to + 2 * line : to
    const fourth = left > 3 ? to + 3 * line : to
    let a = pair(to, second)
    let b = pair(third, fourth)
    let at = codes
    for (let start = starts; start < ends; start += 4, at += column) {
      const code = load<i32>(at)
      if (code < 0) continue
      const theta = own + ((<usize>load<i32>(start)) << 3) + <usize>code * width
      a = f64x2.add(a, v128.load(theta))
      b = f64x2.add(b, v128.load(theta, 16))
    }
    part(third, fourth, b)
    part(to, second, a)
  }
}

/** Two numbers that lie apart. */
function pair(first: usize, second: usize): v128 {
  return v128.load64_lane(second, v128.load64_zero(first), 1)
}

/** To their places; of equal ones the first number counts. */
function part(first: usize, second: usize, both: v128): void {
  v128.store64_lane(second, both, 1)
  v128.store64_lane(first, both, 0)
}
