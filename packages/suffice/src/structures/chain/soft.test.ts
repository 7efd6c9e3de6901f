/** Soft tags: what is believed of the state of a step. And tags that are missing and count nothing. */
import { describe, expect, test } from "vitest"
import { categorical, chain, classes, em, fit, gaussian, independent, mixture } from "../../index.ts"
import { learn, sdem } from "../../learn.ts"

type Tag = string | null | Readonly<Record<string, number>>
interface Step {
  readonly x: number
  readonly tag: Tag
}

const body = independent({ x: gaussian() })
const steps = (cells: readonly (readonly [number, Tag])[]): Step[] => cells.map(([x, tag]) => ({ x, tag }))
const half = { a: 1, b: 1 }
const rows = [
  {
    steps: steps([
      [0.1, "a"],
      [0.7, { a: 0.7, b: 0.3 }],
      [2.2, half],
      [2.1, "b"],
    ]),
  },
  {
    steps: steps([
      [1.9, { b: 3, a: 1 }],
      [2.4, "b"],
      [0.3, { a: 0.9, b: 0.1 }],
    ]),
  },
  {
    steps: steps([
      [0.2, "a"],
      [0.4, "a"],
    ]),
  },
]

/** Every combination of the levels of soft tags, as a row of its own with the product of their shares. */
function copies(all: readonly { readonly steps: readonly Step[] }[]) {
  return all.flatMap(({ steps }) => {
    let each: { steps: Step[]; weight: number }[] = [{ steps: [], weight: 1 }]
    for (const { x, tag } of steps) {
      const shares = typeof tag === "object" && tag !== null ? Object.entries(tag) : [[tag, 1] as const]
      const total = shares.reduce((sum, [, w]) => sum + w, 0)
      each = each.flatMap(copy =>
        shares.map(([level, w]) => ({
          steps: [...copy.steps, { x, tag: level }],
          weight: (copy.weight * w) / total,
        })),
      )
    }
    return each
  })
}

describe.each([false, true])("soft tags, ends: %s", ends => {
  const model = chain("tag", body, { ends })

  test("count as copies of the row, one for each combination of levels", async () => {
    const soft = await fit(model, rows)
    const copied = await fit(model, copies(rows) as never, { weight: "weight" })
    expect(soft.training!.iterations).toBe(1)
    expect(flat(soft.describe())).toEqual(
      flat(copied.describe()).map(([name, value]) => [name, expect.closeTo(value as number, 9)]),
    )
  })

  test("in one level alone are tags that are seen", async () => {
    const hidden = rows.map(({ steps }, i) => ({
      steps: steps.map((step, t) => ({ ...step, tag: (i + t) % 3 === 0 ? null : "ab"[(i + t) % 2] })),
    }))
    const same = hidden.map(({ steps }) => ({
      steps: steps.map(step => ({ ...step, tag: step.tag === null ? null : { [step.tag]: 2 } })),
    }))
    for (const learner of [
      em({ maxIterations: 5 }),
      sdem({ epochs: 2 }),
      sdem({ loss: "hinge", epochs: 2 }),
    ]) {
      const seen = await fit(model, hidden as never, { learner })
      const soft = await fit(model, same as never, { learner })
      expect(flat(soft.describe())).toEqual(
        flat(seen.describe()).map(([name, value]) => [name, expect.closeTo(value as number, 8)]),
      )
    }
  })

  test("beside hidden steps: EM climbs ln Σ over the hidden ones of exp E[ ln p(x, z) ] over the soft ones", async () => {
    const mixed = rows.map(({ steps }, i) => ({
      steps: steps.map((step, t) => (t === (i + 1) % 3 ? { ...step, tag: null } : step)),
    }))
    const given = {
      steps: {
        initial: { a: 0.6, b: 0.4 },
        transitions: ends
          ? { a: { a: 0.5, b: 0.3 }, b: { a: 0.15, b: 0.65 } }
          : { a: { a: 0.7, b: 0.3 }, b: { a: 0.2, b: 0.8 } },
        ...(ends && { ends: { a: 0.2, b: 0.2 } }),
        given: {
          a: { x: { family: "gaussian", mean: 0.4, sd: 0.8 } },
          b: { x: { family: "gaussian", mean: 1.7, sd: 0.6 } },
        },
      },
    }
    const objectives: number[] = []
    const learner = em({ start: given as never, prior: 0, maxIterations: 8, tolerance: 0 })
    for await (const step of learn(
      chain("tag", independent({ x: gaussian({ prior: 0 }) }), { ends, prior: 0 }),
      mixed as never,
      { learner },
    ))
      objectives.push(step.objective)
    const { initial, transitions, given: bodies } = given.steps
    const density = (tag: string, x: number): number => {
      const { mean, sd } = bodies[tag as "a"].x
      return -0.5 * ((x - mean) / sd) ** 2 - Math.log(sd * Math.sqrt(2 * Math.PI))
    }
    const joint = (path: readonly Step[]): number =>
      path.reduce((sum, { x, tag }, t) => {
        const own = tag as "a"
        const before = t > 0 ? (path[t - 1].tag as "a") : undefined
        const move = before ? transitions[before][own] : initial[own]
        const end = ends && t === path.length - 1 ? Math.log(0.2) : 0
        return sum + Math.log(move) + density(own, x) + end
      }, 0)
    const brute = mixed.reduce((sum, { steps }) => {
      const holes = steps.flatMap(({ tag }, t) => (tag === null ? [t] : []))
      let terms = 0
      for (let code = 0; code < 2 ** holes.length; code++) {
        const filled = steps.map((step, t) => {
          const at = holes.indexOf(t)
          return at < 0 ? step : { ...step, tag: "ab"[(code >> at) & 1] }
        })
        const mean = copies([{ steps: filled }]).reduce((m, copy) => m + copy.weight * joint(copy.steps), 0)
        terms += Math.exp(mean)
      }
      return sum + Math.log(terms)
    }, 0)
    expect(objectives[0]).toBeCloseTo(brute, 9)
    for (let n = 1; n < objectives.length; n++)
      expect(objectives[n]).toBeGreaterThanOrEqual(objectives[n - 1] - 1e-9)
  })
})

test("one soft step is a row with a soft label", async () => {
  const cells = [
    [0.1, "a"],
    [0.6, half],
    [2.2, { a: 1, b: 4 }],
    [1.8, "b"],
    [0.3, "a"],
  ] as const
  const sequences = cells.map(([x, tag]) => ({ steps: [{ x, tag }] }))
  const tagged = await fit(chain("tag", body, { prior: 0 }), sequences as never)
  const labelled = await fit(classes("tag", body), cells.map(([x, tag]) => ({ x, tag })) as never)
  const asked = [0, 1, 2, 3]
  const byStep = tagged.posterior(asked.map(x => ({ steps: [{ x }] })) as never)
  const byRow = labelled.posterior(asked.map(x => ({ x })) as never)
  for (let j = 0; j < 8; j++) expect(byStep.probabilities[j]).toBeCloseTo(byRow.probabilities[j], 9)
})

test("soft tags below a switch, and by learners of small steps", async () => {
  const below = mixture(2, chain("tag", body))
  const many = Array.from({ length: 20 }, (_, i) => rows[i % rows.length])
  const objectives: number[] = []
  for await (const step of learn(below, many as never, { learner: em({ maxIterations: 20, prior: 0 }) }))
    if (step.run === 0) objectives.push(step.objective)
  for (let n = 1; n < objectives.length; n++)
    expect(objectives[n]).toBeGreaterThanOrEqual(objectives[n - 1] - 1e-9)
  const losses: number[] = []
  for await (const step of learn(chain("tag", body), many as never, {
    learner: sdem({ epochs: 6, average: false }),
  }))
    if (step.of !== undefined) losses.push(step.objective)
  expect(losses.at(-1)!).toBeGreaterThan(losses[0])
})

describe("what is said", () => {
  test("a belief that the structure forbids, weights that are none, and a question", async () => {
    const cyclic = chain("tag", body, { transitions: { a: ["a", "b"], b: ["b"] } })
    await expect(fit(cyclic, rows as never)).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 0, step 2: "a" follows "b" in "tag". The option transitions of the chain forbids it: the row would have probability 0. Allow it there, or correct the row.]`,
    )
    const wrong = [
      {
        steps: [
          { x: 1, tag: "a" },
          { x: 2, tag: { a: -1, b: 2 } },
        ],
      },
    ]
    await expect(fit(chain("tag", body), wrong as never)).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 0, step 1 of "tag" gives level "a" the weight -1. A soft label weighs levels by finite numbers ≥ 0. Correct the weight, or leave the level out.]`,
    )
    const fitted = await fit(chain("tag", body), rows as never)
    expect(() => fitted.path(rows as never)).toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: row 0, step 1 of "tag" holds an object with 2 keys. A level is text, a boolean or a finite number. Put one level in each cell (soft labels are for fit), or choose multinomial() for lists of words.]`,
    )
    expect(JSON.stringify(fitted)).not.toContain("beliefs")
  })
})

describe("tags that are missing", () => {
  const partly = [
    {
      tokens: [
        { w: "x", tag: "a" },
        { w: "y", tag: null },
        { w: "y", tag: "b" },
        { w: "x", tag: "b" },
      ],
    },
    {
      tokens: [
        { w: "y", tag: null },
        { w: "x", tag: "a" },
        { w: "x", tag: "a" },
      ],
    },
  ]
  const tagger = chain("tag", independent({ w: categorical() }), { column: "tokens" })

  test("count nothing with em({ unlabelled: 0 }): the seen steps, and transitions between two of them", async () => {
    const fitted = await fit(tagger, partly as never, { learner: em({ unlabelled: 0, prior: 0 }) })
    expect(fitted.training!.iterations).toBe(1)
    expect(fitted.describe().tokens).toMatchObject({
      initial: { a: 1, b: 0 },
      transitions: { a: { a: 1, b: 0 }, b: { a: 0, b: 1 } },
      given: {
        a: { w: { probabilities: { x: 1, y: 0 } } },
        b: { w: { probabilities: { x: 0.5, y: 0.5 } } },
      },
    })
  })

  test("are hidden by default, and a weight in between is refused", async () => {
    const fitted = await fit(tagger, partly as never)
    expect(fitted.training!.iterations).toBeGreaterThan(1)
    await expect(
      fit(tagger, partly as never, { learner: em({ unlabelled: 0.5 }) }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[SufficeError: em: unlabelled is 0.5. It must be 0 or 1 for the tags of steps: a step counts or not. Leave it out for the default.]`,
    )
  })
})

/** Numbers of a description, with their paths. */
function flat(value: unknown, path = ""): [string, number][] {
  if (typeof value === "number") return [[path, value]]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => flat(inner, `${path}.${name}`))
}
