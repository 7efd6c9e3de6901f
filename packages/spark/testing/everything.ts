/** Models with every family and structure, and rows for it: holes, weights (some 0), missing labels, steps, and text with tabs, ends of lines and emoji. */
import {
  bernoulli,
  beta,
  categorical,
  chain,
  classes,
  exponential,
  gamma,
  gaussian,
  geometric,
  given,
  independent,
  linear,
  logNormal,
  type Model,
  mixture,
  multinomial,
  negativeBinomial,
  network,
  normal,
  plate,
  poisson,
  topics,
  wordSet,
} from "suffice"

export const everything: Model = classes(
  "y",
  independent(
    network({ flag: bernoulli(), colour: given(["flag"], categorical()) }),
    { calls: poisson(), x: gaussian() },
    { wait: exponential(), size: gamma(), price: logNormal(), part: beta() },
    { tries: geometric(), over: negativeBinomial(), text: multinomial(), tags: wordSet() },
    mixture(2, normal(["a", "b"])),
    linear("z", ["x"]),
    chain(2, independent({ heat: gaussian(), load: categorical() }), { column: "days" }),
    plate("visits", independent({ cost: gaussian(), kind: categorical() })),
  ),
)

/** Something hides inside of it: EM begins with passes over the rows. */
export const withTopics = independent({ part: beta() }, topics(2, "doc"))

export type Everything = Readonly<Record<string, unknown>>

/** Row i, the same every time: numbers from sines and remainders. */
export function everyRow(i: number): Everything {
  const odd = i % 2
  const u = (k: number): number => Math.abs(Math.sin(i * 12.9898 + k * 78.233) * 43758.5453) % 1
  const hole = (k: number, value: unknown): unknown => ((i + k) % (17 + k) === 0 ? null : value)
  const word = (k: number): string => `w${Math.floor(u(k) * 9) + 3 * odd}`
  return {
    id: i,
    y: i % 6 === 0 ? null : odd ? 'o"dd\n😀' : "even\t\\",
    w: i % 11 === 0 ? 0 : 1 + (i % 3) / 4,
    flag: hole(1, u(1) < 0.3 + odd / 3),
    colour: hole(2, ["red", "gr\ten", "bl\r\nue", "🟡"][Math.floor(u(2) * (3 + odd))]),
    calls: hole(3, Math.floor(u(3) * (4 + 3 * odd))),
    x: i % 19 === 0 && i % 5 !== 0 ? null : u(4) * 3 + odd,
    wait: hole(5, 0.1 + u(5) * (1 + odd)),
    size: hole(6, 0.2 + u(6) + u(7)),
    price: hole(7, Math.exp(u(8) * 2 - odd)),
    part: hole(8, 0.05 + 0.9 * u(9)),
    tries: hole(9, Math.floor(u(10) * 5)),
    over: hole(10, Math.floor(u(11) ** 2 * 12)),
    text: hole(11, `${word(12)}\t${word(13)}\n 😀 ${word(14)}`),
    tags: hole(12, `${word(15)} ${word(16)}`),
    a: hole(13, u(17) + odd),
    b: hole(14, u(17) * 2 + u(18)),
    z: i % 19 === 0 ? null : hole(15, u(4) * 2 + u(19)),
    // topics take twenty passes over them: a quarter of the rows is enough
    doc: i % 4 ? null : hole(16, `${word(20)} ${word(21)} ${word(22)} ${word(23)}`),
    days: Array.from({ length: 1 + (i % 3) }, (_, t) => ({
      heat: (i + t) % 13 === 0 ? null : u(24 + t) + ((i + t) % 2),
      load: (i + t) % 2 ? "high" : "lo\tw",
    })),
    visits: hole(
      17,
      Array.from({ length: i % 3 }, (_, t) => ({ cost: u(30 + t), kind: (i + t) % 5 ? "call" : null })),
    ),
  }
}
