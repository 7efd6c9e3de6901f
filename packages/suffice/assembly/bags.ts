/**
 * Bags of words scored and counted, parameters and statistics living in this memory: twins of src/kernels/bag-rows.ts, the same steps and
 * so the same bits. The slots of a word lie side by side, two to a register.
 */

function number(array: usize, i: i32): usize {
  return array + ((<usize>i) << 3)
}

function whole(array: usize, i: i32): i32 {
  return load<i32>(array + ((<usize>i) << 2))
}

/** out[i·slots + p] = Σ_t x_t θ_wp − A_p Σ_t x_t; eight slots at a time, then two and one, so that their sums stay in registers. */
export function scoreBags(
  offsets: usize,
  words: usize,
  counts: usize,
  rows: i32,
  params: usize,
  size: i32,
  slots: i32,
  out: usize,
): void {
  for (let i = 0; i < rows; i++) {
    const from = whole(offsets, i)
    const end = whole(offsets, i + 1)
    const row = number(out, i * slots)
    let length: f64 = 0
    for (let t = from; t < end; t++) length += load<f64>(number(counts, t))
    let p = 0
    for (; p + 8 <= slots; p += 8) {
      let a = f64x2.splat(0)
      let b = a
      let c = a
      let d = a
      for (let t = from; t < end; t++) {
        const x = v128.load_splat<f64>(number(counts, t))
        const theta = number(params, whole(words, t) * slots + p)
        a = f64x2.add(a, f64x2.mul(x, v128.load(theta)))
        b = f64x2.add(b, f64x2.mul(x, v128.load(theta, 16)))
        c = f64x2.add(c, f64x2.mul(x, v128.load(theta, 32)))
        d = f64x2.add(d, f64x2.mul(x, v128.load(theta, 48)))
      }
      v128.store(number(row, p), a)
      v128.store(number(row, p), b, 16)
      v128.store(number(row, p), c, 32)
      v128.store(number(row, p), d, 48)
    }
    for (; p + 2 <= slots; p += 2) {
      let a = f64x2.splat(0)
      for (let t = from; t < end; t++) {
        const theta = number(params, whole(words, t) * slots + p)
        a = f64x2.add(a, f64x2.mul(v128.load_splat<f64>(number(counts, t)), v128.load(theta)))
      }
      v128.store(number(row, p), a)
    }
    if (p < slots) {
      let a: f64 = 0
      for (let t = from; t < end; t++) {
        a += load<f64>(number(counts, t)) * load<f64>(number(params, whole(words, t) * slots + p))
      }
      store<f64>(number(row, p), a)
    }
    for (p = 0; p < slots; p++) {
      const score = load<f64>(number(row, p)) - length * load<f64>(number(params, size + p))
      store<f64>(number(row, p), score)
    }
  }
}

/** stats[w·slots + slot[i]] += weight[i]·x_t; the weight of the rows behind them. Rows without words add nothing. */
export function absorbOne(
  offsets: usize,
  words: usize,
  counts: usize,
  rows: i32,
  slot: usize,
  weight: usize,
  stats: usize,
  size: i32,
  slots: i32,
): void {
  for (let i = 0; i < rows; i++) {
    const from = whole(offsets, i)
    const end = whole(offsets, i + 1)
    const w = load<f64>(number(weight, i))
    if (from === end || w === 0) continue
    const own = number(stats, whole(slot, i))
    for (let t = from; t < end; t++) {
      const at = number(own, whole(words, t) * slots)
      store<f64>(at, load<f64>(at) + w * load<f64>(number(counts, t)))
    }
    const mass = number(own, size)
    store<f64>(mass, load<f64>(mass) + w)
  }
}

/** stats[w·slots + p] += values[i·slots + p]·x_t, for every slot. */
export function absorbEach(
  offsets: usize,
  words: usize,
  counts: usize,
  rows: i32,
  values: usize,
  stats: usize,
  size: i32,
  slots: i32,
): void {
  for (let i = 0; i < rows; i++) {
    const from = whole(offsets, i)
    const end = whole(offsets, i + 1)
    if (from === end) continue
    const row = number(values, i * slots)
    for (let t = from; t < end; t++) {
      const x = v128.load_splat<f64>(number(counts, t))
      const at = number(stats, whole(words, t) * slots)
      let p = 0
      for (; p + 2 <= slots; p += 2) {
        const to = number(at, p)
        v128.store(to, f64x2.add(v128.load(to), f64x2.mul(v128.load(number(row, p)), x)))
      }
      if (p < slots) {
        const to = number(at, p)
        store<f64>(to, load<f64>(to) + load<f64>(number(row, p)) * f64x2.extract_lane(x, 0))
      }
    }
    for (let p = 0; p < slots; p++) {
      const mass = number(stats, size + p)
      store<f64>(mass, load<f64>(mass) + load<f64>(number(row, p)))
    }
  }
}
