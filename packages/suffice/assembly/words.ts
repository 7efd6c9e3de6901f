/**
 * Bags of words scored by parameters that live in this memory: the twin of scoreWords in src/kernels/word-rows.ts, the same steps and so the
 * same bits. The slots of a word lie side by side.
 */
import { countOf, fetch, fetchedOf, fetchRow, LINE, number, weighedOf, whole, wordsOf } from "./word-table"

/**
 * out[p·rows + i] = Σ_t x_t θ_wp − A_p Σ_t x_t, −0 of rows without words, which added to anything leaves it as it is. Twenty slots at a
 * time, then eight and two, so that their sums stay in registers. `row`: room for one number per slot, and one more.
 */
export function scoreWords(
  table: usize,
  rows: i32,
  params: usize,
  size: i32,
  slots: i32,
  out: usize,
  row: usize,
): void {
  for (let i = 0; i < rows; i++) fetchRow(table, i)
  for (let i = 0; i < rows; i++) {
    const words = wordsOf(table, i)
    const weighed = weighedOf(table, i)
    const count = countOf(table, i)
    if (slots > LINE) fetch(params, fetchedOf(table, i), count, slots, slots)
    let length: f64 = 0
    for (let t = 0; t < count; t++) length += load<f64>(number(weighed, t))
    let p = 0
    for (; p + 20 <= slots; p += 20) {
      let a = f64x2.splat(0)
      let b = a
      let c = a
      let d = a
      let e = a
      let f = a
      let g = a
      let h = a
      let j = a
      let k = a
      for (let t = 0; t < count; t++) {
        const x = v128.load_splat<f64>(number(weighed, t))
        const theta = number(params, whole(words, t) * slots + p)
        a = f64x2.add(a, f64x2.mul(x, v128.load(theta)))
        b = f64x2.add(b, f64x2.mul(x, v128.load(theta, 16)))
        c = f64x2.add(c, f64x2.mul(x, v128.load(theta, 32)))
        d = f64x2.add(d, f64x2.mul(x, v128.load(theta, 48)))
        e = f64x2.add(e, f64x2.mul(x, v128.load(theta, 64)))
        f = f64x2.add(f, f64x2.mul(x, v128.load(theta, 80)))
        g = f64x2.add(g, f64x2.mul(x, v128.load(theta, 96)))
        h = f64x2.add(h, f64x2.mul(x, v128.load(theta, 112)))
        j = f64x2.add(j, f64x2.mul(x, v128.load(theta, 128)))
        k = f64x2.add(k, f64x2.mul(x, v128.load(theta, 144)))
      }
      const at = number(row, p)
      v128.store(at, a)
      v128.store(at, b, 16)
      v128.store(at, c, 32)
      v128.store(at, d, 48)
      v128.store(at, e, 64)
      v128.store(at, f, 80)
      v128.store(at, g, 96)
      v128.store(at, h, 112)
      v128.store(at, j, 128)
      v128.store(at, k, 144)
    }
    for (; p + 8 <= slots; p += 8) {
      let a = f64x2.splat(0)
      let b = a
      let c = a
      let d = a
      for (let t = 0; t < count; t++) {
        const x = v128.load_splat<f64>(number(weighed, t))
        const theta = number(params, whole(words, t) * slots + p)
        a = f64x2.add(a, f64x2.mul(x, v128.load(theta)))
        b = f64x2.add(b, f64x2.mul(x, v128.load(theta, 16)))
        c = f64x2.add(c, f64x2.mul(x, v128.load(theta, 32)))
        d = f64x2.add(d, f64x2.mul(x, v128.load(theta, 48)))
      }
      const at = number(row, p)
      v128.store(at, a)
      v128.store(at, b, 16)
      v128.store(at, c, 32)
      v128.store(at, d, 48)
    }
    // an odd slot comes with a number that nobody reads
    for (; p < slots; p += 2) {
      let a = f64x2.splat(0)
      for (let t = 0; t < count; t++) {
        const theta = number(params, whole(words, t) * slots + p)
        a = f64x2.add(a, f64x2.mul(v128.load_splat<f64>(number(weighed, t)), v128.load(theta)))
      }
      v128.store(number(row, p), a)
    }
    for (p = 0; p < slots; p++) {
      const score = load<f64>(number(row, p)) - length * load<f64>(number(params, size + p))
      store<f64>(number(out, p * rows + i), count > 0 ? score : -0.0)
    }
  }
}
