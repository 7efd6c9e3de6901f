import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import type { Dice } from "./contract/dice.ts"
import { exp } from "./kernels/exp.ts"
import { log } from "./kernels/log.ts"
import { digamma, logFactorial } from "./kernels/log-gamma.ts"
import { normalCdf } from "./kernels/normal-cdf.ts"
import { dice, diceFrom } from "./random.ts"

const golden: { dice: { seed: number[]; words: number[]; fork7: number[] }[] } = JSON.parse(
  readFileSync(new URL("../../../checks/golden/kernels.json", import.meta.url), "utf8"),
)

const WORD = 4294967296
const N = 100_000

function draws(count: number, draw: () => number): Float64Array {
  return Float64Array.from({ length: count }, draw)
}

const mean = (x: Float64Array) => x.reduce((sum, v) => sum + v, 0) / x.length

// The sample mean of f must lie within 4.5 standard errors of its expectation
function expectMean(x: Float64Array, expected: number): void {
  const m = mean(x)
  const error = Math.sqrt(mean(x.map(v => (v - m) * (v - m))) / x.length)
  expect(Math.abs(m - expected)).toBeLessThan(4.5 * error)
}

// Pearson's statistic as a standard normal (Wilson & Hilferty 1931): must be below 4
function chiSquareScore(counts: ArrayLike<number>, expected: ArrayLike<number>): number {
  let chi = 0
  for (let i = 0; i < counts.length; i++) chi += (counts[i] - expected[i]) ** 2 / expected[i]
  const v = 2 / (9 * (counts.length - 1))
  return (Math.cbrt(chi / (counts.length - 1)) - (1 - v)) / Math.sqrt(v)
}

describe("the bits", () => {
  test.each(golden.dice)(
    "of seed $seed are those of xoshiro128** under NumPy's SeedSequence",
    ({ seed, words, fork7 }) => {
      const die = dice(seed)
      const fork = die.fork(7)
      expect(words.map(() => die.integer(WORD))).toEqual(words)
      expect(fork7.map(() => fork.integer(WORD))).toEqual(fork7)
    },
  )

  test("a number and a list of that number are one seed, and so are 0 and −0", () => {
    expect(dice(7).state()).toEqual(dice([7]).state())
    expect(dice(-0).state()).toEqual(dice(0).state())
  })

  test("every draw of a seed is the same on every engine", () => {
    const die = dice(2026)
    const out = new Float64Array(3)
    die.dirichlet(Float64Array.of(0.5, 1, 4), out)
    const items = Int32Array.from({ length: 8 }, (_, i) => i)
    die.shuffle(items)
    expect({
      uniform: [die.uniform(), die.uniform()],
      integer: [die.integer(6), die.integer(1000), die.integer(2 ** 53)],
      normal: [die.normal(), die.normal(), die.normal()],
      gamma: [die.gamma(0.1), die.gamma(1), die.gamma(30)],
      beta: die.beta(2, 3),
      dirichlet: [...out],
      poisson: [die.poisson(0.5), die.poisson(9), die.poisson(1000)],
      categorical: die.categorical(Float64Array.of(9, 1, 2, 3), 1, 3),
      shuffle: [...items],
      state: die.state(),
    }).toMatchInlineSnapshot(`
      {
        "beta": 0.2305270342096477,
        "categorical": 2,
        "dirichlet": [
          0.07244519585002626,
          0.12285219274700517,
          0.8047026114029686,
        ],
        "gamma": [
          4.0855487946674315e-18,
          1.02122442361772,
          28.901794846970816,
        ],
        "integer": [
          3,
          934,
          8010579615074587,
        ],
        "normal": [
          0.5010565446959115,
          -1.8648152287913329,
          -0.16116580400111,
        ],
        "poisson": [
          0,
          13,
          968,
        ],
        "shuffle": [
          5,
          2,
          0,
          3,
          4,
          1,
          6,
          7,
        ],
        "state": [
          176056923,
          886868816,
          4277951245,
          2173421953,
          2.506552779876097,
        ],
        "uniform": [
          0.8567148130319342,
          0.5069814090191412,
        ],
      }
    `)
  })

  test("ten thousand neighbouring seeds start ten thousand different streams, balanced in every bit", () => {
    const firsts = new Set<number>()
    const ones = new Float64Array(32)
    for (let seed = 0; seed < 10_000; seed++) {
      const word = dice(seed).integer(WORD)
      firsts.add(dice(seed).uniform())
      for (let b = 0; b < 32; b++) ones[b] += (word >>> b) & 1
    }
    expect(firsts.size).toBe(10_000)
    for (const count of ones) expect(Math.abs(count - 5000)).toBeLessThan(4.5 * 50)
  })
})

describe("state", () => {
  test("goes on exactly where it was taken, a waiting second normal and JSON included", () => {
    const die = dice(5)
    for (let i = 0; i < 7; i++) {
      die.normal()
      const saved = diceFrom(JSON.parse(JSON.stringify(die.state())))
      const copy = diceFrom(die.state())
      const expected = [copy.normal(), copy.gamma(0.3), copy.integer(10), copy.normal()]
      expect([saved.normal(), saved.gamma(0.3), saved.integer(10), saved.normal()]).toEqual(expected)
    }
  })

  test("taking it changes nothing", () => {
    const [watched, left] = [dice(5), dice(5)]
    for (let i = 0; i < 5; i++) {
      watched.state()
      expect(watched.normal()).toBe(left.normal())
    }
  })
})

describe("fork", () => {
  test("does not advance its parent, and the same label at the same place is the same stream", () => {
    const die = dice(11)
    const before = die.state()
    const [a, b] = [die.fork(3), die.fork(3)]
    expect(die.state()).toEqual(before)
    expect(a.state()).toEqual(b.state())
  })

  test("streams of different labels, of parent, child and grandchild, do not correlate", () => {
    const die = dice(11)
    const streams: Dice[] = [die.fork(0), die.fork(1), die.fork(2), die.fork(-1), die.fork(0).fork(0), die]
    const columns = streams.map(stream => draws(20_000, () => stream.normal()))
    for (let i = 0; i < columns.length; i++) {
      for (let j = 0; j < i; j++) {
        expectMean(
          columns[i].map((x, n) => x * columns[j][n]),
          0,
        )
      }
    }
  })
})

describe("uniform", () => {
  test("lies in [0, 1), has mean ½ and variance 1/12, fills its bins and uses 53 bits", () => {
    const die = dice(1)
    const x = draws(N, () => die.uniform())
    expect(x.every(u => u >= 0 && u < 1)).toBe(true)
    expectMean(x, 1 / 2)
    expectMean(
      x.map(u => (u - 0.5) * (u - 0.5)),
      1 / 12,
    )
    const bins = new Float64Array(64)
    for (const u of x) bins[Math.floor(u * 64)]++
    expect(chiSquareScore(bins, new Float64Array(64).fill(N / 64))).toBeLessThan(4)
    expect(x.every(u => Number.isInteger(u * 2 ** 53))).toBe(true)
    expect(x.some(u => !Number.isInteger(u * 2 ** 52))).toBe(true)
  })

  test("neighbouring draws are independent", () => {
    const die = dice(3)
    const bins = new Float64Array(256)
    for (let i = 0; i < N; i++) bins[Math.floor(die.uniform() * 16) * 16 + Math.floor(die.uniform() * 16)]++
    expect(chiSquareScore(bins, new Float64Array(256).fill(N / 256))).toBeLessThan(4)
  })
})

describe("integer", () => {
  test.each([2, 3, 6, 10, 64, 100])("0 … n − 1 are equally likely for n = %i", n => {
    const die = dice([1, n])
    const counts = new Float64Array(n)
    for (let i = 0; i < N; i++) counts[die.integer(n)]++
    expect(chiSquareScore(counts, new Float64Array(n).fill(N / n))).toBeLessThan(4)
  })

  test.each([WORD - 1, WORD, WORD + 1, 3 * WORD, 2 ** 53 - 1, 2 ** 53])(
    "large n = %i are filled to the brim",
    n => {
      const die = dice([2, n])
      const x = draws(20_000, () => die.integer(n))
      expect(x.every(v => Number.isInteger(v) && v >= 0 && v < n)).toBe(true)
      expectMean(
        x.map(v => v / n),
        0.5,
      )
    },
  )

  test("a die with one face shows 0", () => {
    expect(dice(1).integer(1)).toBe(0)
  })
})

describe("normal", () => {
  test("has the moments 0, 1, 0, 3 and fills twenty equally likely bins", () => {
    const die = dice(8)
    const x = draws(N, () => die.normal())
    expectMean(x, 0)
    expectMean(
      x.map(v => v * v),
      1,
    )
    expectMean(
      x.map(v => v * v * v),
      0,
    )
    expectMean(
      x.map(v => v * v * v * v),
      3,
    )
    const bins = new Float64Array(20)
    for (const v of x) bins[Math.floor(normalCdf(v) * 20)]++
    expect(chiSquareScore(bins, new Float64Array(20).fill(N / 20))).toBeLessThan(4)
  })

  test("the two of a pair are uncorrelated", () => {
    const die = dice(9)
    expectMean(
      draws(N, () => die.normal() * die.normal()),
      0,
    )
  })
})

describe("gamma, beta, dirichlet", () => {
  test.each([0.05, 0.3, 0.99, 1, 2.5, 100, 1e6])(
    "gamma(%d) has mean and variance a, and E ln x = ψ(a)",
    a => {
      const die = dice([3, a])
      const x = draws(N, () => die.gamma(a))
      expectMean(x, a)
      expectMean(
        x.map(v => (v - a) * (v - a)),
        a,
      )
      expectMean(x.map(log), digamma(a))
    },
  )

  test("gamma(1) is exponential", () => {
    const die = dice(4)
    const bins = new Float64Array(20)
    for (let i = 0; i < N; i++) bins[Math.floor(exp(-die.gamma(1)) * 20)]++
    expect(chiSquareScore(bins, new Float64Array(20).fill(N / 20))).toBeLessThan(4)
  })

  test.each([
    [0.5, 0.5],
    [2, 5],
    [0.01, 3],
    [300, 200],
  ])("beta(%d, %d) has its mean and variance", (a, b) => {
    const die = dice([5, a, b])
    const m = a / (a + b)
    const x = draws(N, () => die.beta(a, b))
    expectMean(x, m)
    expectMean(
      x.map(v => (v - m) * (v - m)),
      (m * (1 - m)) / (a + b + 1),
    )
  })

  test("dirichlet sums to 1, has means α / Σα and covariances −α_i α_j / (α² (α + 1))", () => {
    const die = dice(6)
    const alpha = Float64Array.of(0.4, 2, 7)
    const total = 9.4
    const rows = Array.from({ length: 30_000 }, () => {
      const out = new Float64Array(3)
      die.dirichlet(alpha, out)
      return out
    })
    for (const row of rows) expect(Math.abs(row[0] + row[1] + row[2] - 1)).toBeLessThan(1e-15)
    for (let i = 0; i < 3; i++)
      expectMean(
        Float64Array.from(rows, row => row[i]),
        alpha[i] / total,
      )
    expectMean(
      Float64Array.from(rows, row => (row[0] - alpha[0] / total) * (row[1] - alpha[1] / total)),
      -(alpha[0] * alpha[1]) / (total * total * (total + 1)),
    )
  })

  test.each([1e-3, 1e-8, 1e-308])(
    "with shapes of %d, whose draws all underflow, the simplex is still chosen from",
    scale => {
      const die = dice(7)
      const alpha = Float64Array.of(scale, 3 * scale)
      const out = new Float64Array(2)
      const first = draws(10_000, () => {
        die.dirichlet(alpha, out)
        expect(out[0] + out[1]).toBeCloseTo(1, 15)
        return out[0]
      })
      expectMean(first, 0.25)
      expectMean(
        draws(10_000, () => die.beta(scale, 3 * scale)),
        0.25,
      )
    },
  )
})

describe("poisson", () => {
  test.each([0.1, 1, 4, 9.99, 10, 12.5, 30, 100, 1000])("poisson(%d) has its probabilities", rate => {
    const die = dice([8, rate])
    const counts: number[] = []
    const last = Math.ceil(rate + 12 * Math.sqrt(rate) + 12)
    const tally = new Float64Array(last + 1)
    for (let i = 0; i < 4 * N; i++) tally[Math.min(die.poisson(rate), last)]++
    // values in a row are pooled until ten are expected
    const expected: number[] = []
    let seen = 0
    let mass = 0
    let left = 4 * N
    for (let n = 0; n < last; n++) {
      seen += tally[n]
      mass += 4 * N * exp(n * log(rate) - rate - logFactorial(n))
      if (mass < 10 || left - mass < 10) continue
      counts.push(seen)
      expected.push(mass)
      left -= mass
      seen = 0
      mass = 0
    }
    counts.push(seen + tally[last])
    expected.push(left)
    expect(chiSquareScore(counts, expected)).toBeLessThan(4)
  })

  test.each([0.01, 1e5, 1e9])("poisson(%d) has mean and variance λ", rate => {
    const die = dice([9, rate])
    const x = draws(N, () => die.poisson(rate))
    expect(x.every(n => Number.isInteger(n) && n >= 0)).toBe(true)
    expectMean(x, rate)
    expectMean(
      x.map(n => (n - rate) * (n - rate)),
      rate,
    )
  })

  test("poisson(0) is 0", () => {
    expect(dice(1).poisson(0)).toBe(0)
  })
})

describe("categorical and shuffle", () => {
  test("categorical follows its weights, whatever their sum, and never takes a zero", () => {
    const die = dice(10)
    const weights = Float64Array.of(99, 0, 0.25, 0.5, 0, 3, 0.05, 0, 99)
    const counts = new Float64Array(7)
    for (let i = 0; i < N; i++) counts[die.categorical(weights, 1, 7)]++
    expect([counts[0], counts[3], counts[6]]).toEqual([0, 0, 0])
    const shares = [0.25, 0.5, 3, 0.05].map(w => (w * N) / 3.8)
    expect(chiSquareScore([counts[1], counts[2], counts[4], counts[5]], shares)).toBeLessThan(4)
  })

  test("the 24 orders of four items are equally likely", () => {
    const die = dice(12)
    const counts = new Map<string, number>()
    for (let i = 0; i < N; i++) {
      const items = Uint32Array.of(0, 1, 2, 3)
      die.shuffle(items)
      counts.set(items.join(""), (counts.get(items.join("")) ?? 0) + 1)
    }
    expect(counts.size).toBe(24)
    expect(chiSquareScore([...counts.values()], new Float64Array(24).fill(N / 24))).toBeLessThan(4)
  })
})
