/**
 * Sums over the rows of each slot, column after column: the twin of src/kernels/slot-sums.ts and level-counts.ts, where that is faster.
 */

/**
 * The rows slot by slot, those of a slot in their order: the rows of slot p, told in bytes of a column of numbers, are at
 * order[starts[p]] … order[starts[p + 1] − 1].
 */
export function sortRows(slot: usize, rows: i32, slots: i32, order: usize, starts: usize): void {
  memory.fill(starts, 0, (<usize>(slots + 1)) << 2)
  const end = slot + ((<usize>rows) << 2)
  // one place on: where slot p ends is then where p + 1 begins
  for (let at = slot; at < end; at += 4) {
    const count = starts + ((<usize>load<i32>(at)) << 2)
    store<i32>(count, load<i32>(count, 4) + 1, 4)
  }
  const last = starts + ((<usize>slots) << 2)
  for (let at = starts; at < last; at += 4) store<i32>(at, load<i32>(at, 4) + load<i32>(at), 4)
  for (let at = slot, x = 0; at < end; at += 4, x += 8) {
    const next = starts + ((<usize>load<i32>(at)) << 2)
    const to = load<i32>(next)
    store<i32>(order + ((<usize>to) << 2), x)
    store<i32>(next, to + 1)
  }
  memory.copy(starts + 4, starts, (<usize>slots) << 2)
  store<i32>(starts, 0)
}

/**
 * sums[3p …] ← Σ (1, x, x²) over the rows of slot p, all of which weigh 1, four apart in two registers. Slot p has the rows at order[starts[p]] … order[starts[p + 1] − 1],
 * told in bytes. False where a cell is missing.
 */
export function sumPlain(x: usize, order: usize, starts: usize, slots: i32, sums: usize): bool {
  let all = f64x2.splat(0)
  for (const end = sums + 24 * <usize>slots; sums < end; sums += 24, starts += 4) {
    let at = order + ((<usize>load<i32>(starts)) << 2)
    const last = order + ((<usize>load<i32>(starts, 4)) << 2)
    store<f64>(sums, <f64>(<i32>(last - at) >> 2))
    let first = f64x2.splat(0)
    let second = f64x2.splat(0)
    let squares = f64x2.splat(0)
    let more = f64x2.splat(0)
    for (; at + 12 < last; at += 16) {
      const a = pair(x, load<i32>(at), load<i32>(at, 4))
      const b = pair(x, load<i32>(at, 8), load<i32>(at, 12))
      first = f64x2.add(first, a)
      second = f64x2.add(second, b)
      squares = f64x2.add(squares, f64x2.mul(a, a))
      more = f64x2.add(more, f64x2.mul(b, b))
    }
    if (at < last) {
      const a = at + 4 < last ? pair(x, load<i32>(at), load<i32>(at, 4)) : single(x, load<i32>(at))
      first = f64x2.add(first, a)
      squares = f64x2.add(squares, f64x2.mul(a, a))
      if (at + 8 < last) {
        const b = single(x, load<i32>(at, 8))
        second = f64x2.add(second, b)
        more = f64x2.add(more, f64x2.mul(b, b))
      }
    }
    store<f64>(sums, together(first, second), 8)
    squares = f64x2.add(squares, more)
    all = f64x2.add(all, squares)
    store<f64>(sums, f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1), 16)
  }
  return !v128.any_true(f64x2.ne(all, all))
}

/** The numbers at two places. */
function pair(x: usize, a: i32, b: i32): v128 {
  return v128.load64_lane(x + <usize>b, v128.load64_zero(x + <usize>a), 1)
}

/** The number at a place, and 0. */
function single(x: usize, a: i32): v128 {
  return v128.load64_zero(x + <usize>a)
}

function together(a: v128, b: v128): f64 {
  const sum = f64x2.add(a, b)
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)
}

/** counts[code·slots + slot] += weight, row after row; −1: missing. */
export function countOne(
  codes: usize,
  rows: i32,
  slots: i32,
  slot: usize,
  weight: usize,
  counts: usize,
): void {
  for (const end = codes + ((<usize>rows) << 2); codes < end; codes += 4, slot += 4, weight += 8) {
    const code = load<i32>(codes)
    if (code < 0) continue
    const at = counts + ((<usize>(code * slots + load<i32>(slot))) << 3)
    store<f64>(at, load<f64>(at) + load<f64>(weight))
  }
}

/** counts[code·width + p] += values[i·width + p] for every slot p, row i after row; width: slots, made even. */
export function countEach(codes: usize, rows: i32, width: i32, values: usize, counts: usize): void {
  const bytes = (<usize>width) << 3
  for (const end = codes + ((<usize>rows) << 2); codes < end; codes += 4, values += bytes) {
    const code = load<i32>(codes)
    if (code < 0) continue
    const to = counts + <usize>code * bytes
    for (let p: usize = 0; p < bytes; p += 16) {
      v128.store(to + p, f64x2.add(v128.load(to + p), v128.load(values + p)))
    }
  }
}

/** out[i·width + p] ← values[p·rows + i]; where slots are odd, 0 beside the last. */
export function turnWeights(values: usize, rows: i32, slots: i32, width: i32, out: usize): void {
  const line = (<usize>rows) << 3
  const step = (<usize>width) << 3
  for (let p = 0; p < slots; p += 2, values += 2 * line, out += 16) {
    let to = out
    for (let at = values; at < values + line; at += 8, to += step) {
      const first = v128.load64_zero(at)
      v128.store(to, p + 1 < slots ? v128.load64_lane(at + line, first, 1) : first)
    }
  }
}
