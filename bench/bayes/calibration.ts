/**
 * Priors in the units of the data, checked by simulation (Cook, Gelman & Rubin 2006; Talts et al. 2018), by nothing but what the package exports.
 *
 *     θ ~ prior, rows ~ θ        the rank of θ among draws of its posterior is uniform, and 90 % intervals hold it 90 times of 100
 *
 * Where nothing is hidden the posterior is exact, so anything else is a mistake.
 */
import {
  bernoulli,
  categorical,
  classes,
  type Description,
  dice,
  exponential,
  fit,
  gaussian,
  geometric,
  given,
  independent,
  linear,
  logNormal,
  type Model,
  multinomial,
  network,
  normal,
  poisson,
  type Row,
  specify,
  wordSet,
} from "suffice"
import { bayes } from "suffice/learn"
import { percent, table, verdict } from "../page.ts"

/** Ranks are counted in the first replicates, as the bar says; intervals in all, whose share has a standard error of 0.5 %. */
const RANKED = 500
const REPLICATES = 4000
/** Draws of the posterior per replicate: ranks 0 … 20, and a χ² with an even number of degrees. */
const DRAWS = 20
const BINS = DRAWS + 1
const PROBABILITY = 0.9

interface Subject {
  readonly name: string
  readonly model: Model
  readonly rows: number
  /** Cells that are not drawn. */
  given?(roll: ReturnType<typeof dice>): Row
  /** A number whose next value is predicted with an interval. */
  readonly target?: string
}

const loose = (model: unknown): Model => model as Model
const label = { levels: ["a", "b"], prior: { probabilities: { a: 0.3, b: 0.7 }, strength: 4 } } as const
const labelled = (body: unknown): Model => loose(classes("y", body as never, label as never))
const mean = { u: 3, v: -20 }
const covariance = { u: { u: 4, v: 3 }, v: { u: 3, v: 9 } }
const words = ["fog", "moon", "rain", "sun"]

const SUBJECTS: readonly Subject[] = [
  {
    name: "bernoulli",
    model: loose(independent({ x: bernoulli({ prior: { probability: 0.3, strength: 3 } }) })),
    rows: 6,
  },
  {
    name: "categorical",
    model: loose(
      independent({
        x: categorical({
          levels: ["a", "b", "c"],
          prior: { probabilities: { a: 0.2, b: 0.5, c: 0.3 }, strength: 5 },
        }),
      }),
    ),
    rows: 6,
  },
  {
    name: "multinomial",
    model: loose(
      independent({ x: multinomial({ words, prior: { words: { sun: 3, fog: 0.5 }, other: 1 } }) }),
    ),
    rows: 5,
  },
  {
    name: "wordSet",
    model: loose(
      independent({ x: wordSet({ words, prior: { words: { sun: 0.7 }, other: 0.4, strength: 4 } }) }),
    ),
    rows: 5,
  },
  {
    name: "poisson",
    model: loose(independent({ x: poisson({ prior: { rate: 4, strength: 2 } }) })),
    rows: 4,
  },
  {
    name: "exponential",
    model: loose(independent({ x: exponential({ prior: { mean: 8, strength: 2 } }) })),
    rows: 4,
    target: "x",
  },
  {
    name: "geometric",
    model: loose(independent({ x: geometric({ prior: { mean: 3, strength: 2 } }) })),
    rows: 4,
  },
  {
    name: "logNormal",
    model: loose(
      independent({ x: logNormal({ prior: { logMean: 5, strength: 2, logSd: 0.8, degrees: 5 } }) }),
    ),
    rows: 4,
    target: "x",
  },
  {
    name: "gaussian",
    model: loose(independent({ x: gaussian({ prior: { mean: 170, strength: 2, sd: 10, degrees: 5 } }) })),
    rows: 4,
    target: "x",
  },
  {
    name: "gaussian, tied, in classes",
    model: labelled(
      independent({
        x: gaussian({ variance: "tied", prior: { mean: 170, strength: 2, sd: 10, degrees: 5 } }),
      }),
    ),
    rows: 6,
    target: "x",
  },
  ...(["full", "tied"] as const).map(
    (shape): Subject => ({
      name: `normal, ${shape}, in classes`,
      model: labelled(
        normal(["u", "v"], { covariance: shape, prior: { mean, strength: 2, degrees: 5, covariance } }),
      ),
      rows: 8,
      target: "u",
    }),
  ),
  ...(["diag", "spherical"] as const).map(
    (shape): Subject => ({
      name: `normal, ${shape}`,
      model: loose(
        normal(["u", "v"], {
          covariance: shape,
          prior: { mean, strength: 2, degrees: 5, sd: shape === "diag" ? { u: 2, v: 3 } : { u: 2, v: 2 } },
        }),
      ),
      rows: 4,
      target: "u",
    }),
  ),
  {
    name: "normal, identity",
    model: loose(normal(["u", "v"], { covariance: "identity", prior: { mean, strength: 2 } as never })),
    rows: 3,
    target: "u",
  },
  {
    name: "linear",
    model: loose(
      linear("y", ["u", "v"], {
        prior: {
          intercept: 1,
          coefficients: { u: 2, v: -1 },
          strength: 3,
          sd: 2,
          degrees: 5,
          on: { mean, covariance },
        },
      }),
    ),
    rows: 5,
    given: roll => ({ u: 3 + 2 * roll.normal(), v: -20 + 3 * roll.normal() }),
    target: "y",
  },
  {
    name: "network of levels, a number and a count",
    model: loose(
      network({
        a: categorical({ levels: ["p", "q"], prior: { probabilities: { p: 0.4, q: 0.6 }, strength: 4 } }),
        b: given(["a"], bernoulli({ prior: { probability: 0.3, strength: 3 } })),
        x: given(["b"], gaussian({ prior: { mean: 170, strength: 2, sd: 10, degrees: 5 } })),
        n: given(["a", "b"], poisson({ prior: { rate: 4, strength: 2 } })),
      }),
    ),
    rows: 8,
    target: "x",
  },
]

/** The numbers of a description by their paths; what a regression stands on is no parameter. */
function numbersIn(value: unknown, path = ""): [string, number][] {
  if (typeof value === "number") return [[path, value]]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "on" ? [] : numbersIn(inner, `${path}.${name}`),
  )
}

function intervalsIn(value: unknown, path = ""): [string, readonly [number, number]][] {
  if (typeof value !== "object" || value === null) return []
  if ("interval" in value) return [[path, value.interval as [number, number]]]
  return Object.entries(value).flatMap(([name, inner]) => intervalsIn(inner, `${path}.${name}`))
}

/** p(χ² > x) with an even number of degrees: e^(−x/2) Σ_{k < degrees/2} (x/2)^k / k! */
function chance(x: number, degrees: number): number {
  let term = Math.exp(-x / 2)
  let sum = 0
  for (let k = 0; k < degrees / 2; k++) {
    sum += term
    term *= x / 2 / (k + 1)
  }
  return sum
}

/** The least p of a parameter, and how often intervals hold what they should. */
async function calibrated({ model, rows: count, given, target }: Subject) {
  const learner = bayes()
  const roll = dice(25)
  const before = await fit(model, [], { learner, threads: 1 })
  const ranks = new Map<string, Int32Array>()
  const held = new Map<string, number>()
  let predicted = 0
  for (let replicate = 0; replicate < REPLICATES; replicate++) {
    const [drawn] = before.draws(1, { seed: roll.integer(2 ** 30) }) as [Description]
    const truth = specify(model, drawn)
    const row = (): Row =>
      truth.sample(1, {
        seed: roll.integer(2 ** 30),
        words: 4,
        ...(given && { given: given(roll) as never }),
      })[0] as Row
    const rows = Array.from({ length: count }, row)
    const fitted = await fit(model, rows as never, { learner, threads: 1 })
    const now = numbersIn(drawn)
    if (replicate < RANKED) {
      const below = new Map(now.map(([path]) => [path, 0]))
      for (const other of fitted.draws(DRAWS, { seed: roll.integer(2 ** 30) })) {
        const values = new Map(numbersIn(other))
        for (const [path, value] of now) if (values.get(path)! < value) below.set(path, below.get(path)! + 1)
      }
      for (const [path, rank] of below) {
        const counts = ranks.get(path) ?? new Int32Array(BINS)
        counts[rank]++
        ranks.set(path, counts)
      }
    }
    const values = new Map(now)
    for (const [path, [low, high]] of intervalsIn(fitted.credible({ probability: PROBABILITY }))) {
      const value = values.get(path)!
      held.set(path, (held.get(path) ?? 0) + (value >= low && value <= high ? 1 : 0))
    }
    if (target !== undefined) {
      const next = row()
      const [{ interval }] = fitted.predict(
        [next] as never,
        { target, coverage: PROBABILITY } as never,
      ) as never as { interval: [number, number] }[]
      const value = next[target] as number
      if (value >= interval[0] && value <= interval[1]) predicted++
    }
  }
  // what never varies is no parameter: ones on the diagonal of a correlation
  const moving = [...ranks].filter(([, counts]) => counts[0] < RANKED)
  const least = moving.map(([, counts]) => {
    const wanted = RANKED / BINS
    return chance(
      counts.reduce((sum, count) => sum + (count - wanted) ** 2 / wanted, 0),
      BINS - 1,
    )
  })
  const shares = [...held].filter(([path]) => moving.some(([other]) => other === path))
  return {
    parameters: moving.length,
    p: Math.min(...least),
    shares: shares.map(([, count]) => count / REPLICATES),
    predicted: target === undefined ? undefined : predicted / REPLICATES,
  }
}

/** Of all subjects, or of those with these names. */
export async function calibration(names: readonly string[] = []): Promise<string> {
  const lines: string[][] = []
  for (const subject of SUBJECTS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const { parameters, p, shares, predicted } = await calibrated(subject)
    const [low, high] = [Math.min(...shares), Math.max(...shares)]
    const all = [low, high, ...(predicted === undefined ? [] : [predicted])]
    lines.push([
      subject.name,
      String(subject.rows),
      String(parameters),
      p < 0.001 ? p.toExponential(1) : p.toFixed(3),
      `${percent(low)} – ${percent(high)}`,
      predicted === undefined ? "–" : percent(predicted),
      verdict(p > 0.001 && all.every(share => share >= 0.88 && share <= 0.92)),
    ])
    console.log(lines.at(-1)!.join("  "))
  }
  return table(
    [
      "family",
      "rows",
      "parameters",
      `least p of χ², ${RANKED} replicates`,
      `90 % credible intervals hold, %`,
      "predictive, %",
      "met",
    ],
    lines,
  )
}
