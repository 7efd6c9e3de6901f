/** The scores of a row of words: shared by the kernels of fixed and of moving words. */
import { number, whole } from "./word-table"

/**
 * row[p] = Σ_t x_t θ_wp; returns Σ_t x_t. Ten slots at a time, then six, four or two, so that their sums stay in registers; Σ_t x_t is summed along
 * with them each time, as a separate loop would wait on its one sum. An odd last slot is computed with an unused neighbour: there is space for it.
 */
export function scoreRow(
  words: usize,
  weighed: usize,
  count: i32,
  params: usize,
  slots: i32,
  row: usize,
): f64 {
  let length: f64 = 0
  let p = 0
  for (; p + 9 <= slots; p += 10) {
    let a = f64x2.splat(0)
    let b = a
    let c = a
    let d = a
    let e = a
    length = 0
    for (let t = 0; t < count; t++) {
      const x = v128.load_splat<f64>(number(weighed, t))
      const theta = number(params, whole(words, t) * slots + p)
      length += f64x2.extract_lane(x, 0)
      a = f64x2.add(a, f64x2.mul(x, v128.load(theta)))
      b = f64x2.add(b, f64x2.mul(x, v128.load(theta, 16)))
      c = f64x2.add(c, f64x2.mul(x, v128.load(theta, 32)))
      d = f64x2.add(d, f64x2.mul(x, v128.load(theta, 48)))
      e = f64x2.add(e, f64x2.mul(x, v128.load(theta, 64)))
    }
    const at = number(row, p)
    v128.store(at, a)
    v128.store(at, b, 16)
    v128.store(at, c, 32)
    v128.store(at, d, 48)
    v128.store(at, e, 64)
  }
  for (; p + 5 <= slots; p += 6) {
    let a = f64x2.splat(0)
    let b = a
    let c = a
    length = 0
    for (let t = 0; t < count; t++) {
      const x = v128.load_splat<f64>(number(weighed, t))
      const theta = number(params, whole(words, t) * slots + p)
      length += f64x2.extract_lane(x, 0)
      a = f64x2.add(a, f64x2.mul(x, v128.load(theta)))
      b = f64x2.add(b, f64x2.mul(x, v128.load(theta, 16)))
      c = f64x2.add(c, f64x2.mul(x, v128.load(theta, 32)))
    }
    v128.store(number(row, p), a)
    v128.store(number(row, p), b, 16)
    v128.store(number(row, p), c, 32)
  }
  for (; p + 3 <= slots; p += 4) {
    let a = f64x2.splat(0)
    let b = a
    length = 0
    for (let t = 0; t < count; t++) {
      const x = v128.load_splat<f64>(number(weighed, t))
      const theta = number(params, whole(words, t) * slots + p)
      length += f64x2.extract_lane(x, 0)
      a = f64x2.add(a, f64x2.mul(x, v128.load(theta)))
      b = f64x2.add(b, f64x2.mul(x, v128.load(theta, 16)))
    }
    v128.store(number(row, p), a)
    v128.store(number(row, p), b, 16)
  }
  for (; p < slots; p += 2) {
    let a = f64x2.splat(0)
    length = 0
    for (let t = 0; t < count; t++) {
      const x = v128.load_splat<f64>(number(weighed, t))
      length += f64x2.extract_lane(x, 0)
      a = f64x2.add(a, f64x2.mul(x, v128.load(number(params, whole(words, t) * slots + p))))
    }
    v128.store(number(row, p), a)
  }
  return length
}

/** out[p·rows + i] += row[p] − A_p Σ_t x_t */
export function addScores(
  row: usize,
  length: f64,
  params: usize,
  size: i32,
  slots: i32,
  out: usize,
  rows: i32,
): void {
  for (let p = 0; p < slots; p++) {
    const score = load<f64>(number(row, p)) - length * load<f64>(number(params, size + p))
    const to = number(out, p * rows)
    store<f64>(to, load<f64>(to) + score)
  }
}
