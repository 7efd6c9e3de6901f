/** Paths of sequences that are gone through in segments, against the recursion written out over all steps. */
import { expect, test } from "vitest"
import { chain, classes, dice, gaussian, independent, specify } from "../../index.ts"

const TAGS = ["a", "b", "c"]
const MEANS = [0, 1.2, 2]
const INITIAL = [0.5, 0.3, 0.2]
const MOVES = [
  [0.7, 0.2, 0.1],
  [0.25, 0.5, 0.25],
  [0.05, 0.25, 0.7],
]
const named = (values: readonly number[]) => Object.fromEntries(TAGS.map((tag, l) => [tag, values[l]]))
const described = (ends: boolean, sign = 1) => ({
  steps: {
    initial: named(INITIAL),
    transitions: Object.fromEntries(
      TAGS.map((tag, i) => [tag, named(MOVES[i].map(p => (ends ? 0.999 : 1) * p))]),
    ),
    ...(ends && { ends: named([0.001, 0.001, 0.001]) }),
    given: Object.fromEntries(TAGS.map((tag, l) => [tag, { x: { mean: sign * MEANS[l], sd: 1 } }])),
  },
})

/** The best path and ln p(steps, path). */
function viterbi(steps: readonly { x: number; tag?: string }[], ends: boolean) {
  const back: number[][] = []
  let now = [0, 0, 0]
  steps.forEach(({ x, tag }, t) => {
    const from = TAGS.map((_, j) => {
      const ways = now.map((height, i) => height + Math.log(MOVES[i][j]) + (ends ? Math.log(0.999) : 0))
      return t === 0
        ? { i: 0, height: Math.log(INITIAL[j]) }
        : { i: ways.indexOf(Math.max(...ways)), height: Math.max(...ways) }
    })
    back.push(from.map(({ i }) => i))
    now = from.map(({ height }, j) =>
      tag !== undefined && tag !== TAGS[j]
        ? -Infinity
        : height - 0.5 * (x - MEANS[j]) ** 2 - 0.5 * Math.log(2 * Math.PI),
    )
  })
  const height = Math.max(...now)
  let state = now.indexOf(height)
  const values = new Array<string>(steps.length)
  for (let t = steps.length - 1; t >= 0; t--) {
    values[t] = TAGS[state]
    state = back[t][state]
  }
  return { values, height: height + (ends ? Math.log(0.001) : 0) }
}

/** The first steps in which two paths differ. */
const differing = (a: readonly unknown[], b: readonly unknown[]): number[] =>
  a.flatMap((value, t) => (value === b[t] ? [] : [t])).slice(0, 5)

for (const ends of [false, true])
  test(`the path of 6,000 steps is the best of all, ends: ${ends}`, () => {
    const draws = dice(5)
    const steps = Array.from({ length: 6000 }, (_, t) => ({
      x: 1 + 1.3 * draws.normal(),
      // where segments meet, and elsewhere
      ...((t === 1919 || t === 3840 || t % 700 === 5) && { tag: TAGS[t % 3] }),
    }))
    const model = chain("tag", independent({ x: gaussian() }), { ends, levels: TAGS })
    const wanted = viterbi(steps, ends)
    const [found] = specify(model, described(ends) as never).path([{ steps }] as never)
    expect(differing(found.values, wanted.values)).toEqual([])
    expect(found.logProbability).toBeCloseTo(wanted.height, 6)
    // below a switch: the context of the row
    const below = specify(classes("side", model, { levels: ["left", "right"] }), {
      side: {
        probabilities: { left: 0.5, right: 0.5 },
        given: { left: described(ends, -1), right: described(ends) },
      },
    } as never)
    const [other] = below.path([{ side: null, steps }] as never)
    expect(differing(other.values, wanted.values)).toEqual([])
  })

test("a long sequence without a path says so", () => {
  const model = chain("tag", independent({ x: gaussian() }), { levels: TAGS, transitions: "left-right" })
  const fitted = specify(model, {
    steps: {
      initial: named([1, 0, 0]),
      transitions: { a: named([0.5, 0.5, 0]), b: named([0, 0.5, 0.5]), c: named([0, 0, 1]) },
      given: described(false).steps.given,
    },
  } as never)
  const steps = Array.from({ length: 4000 }, (_, t) => ({
    x: 1,
    ...(t === 3000 && { tag: "c" }),
    ...(t === 3500 && { tag: "a" }),
  }))
  expect(() => fitted.path([{ steps }] as never)).toThrow("row 0 has no path through the states")
})
