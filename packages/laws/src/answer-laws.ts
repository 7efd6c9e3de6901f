/**
 * Laws about predict(): whatever is missing, given whatever is seen, computed in a second way.
 *
 * Long because every law brings the second way along.
 */
import type { Cell, Description, Dice } from "suffice"
import type { Use } from "suffice/contract"
import { densities, type LooseFitted, type LooseRow, numbersOf } from "./api.ts"
import { gridOf } from "./density-laws.ts"
import type { Law, Trial } from "./law.ts"
import { columnsOf, hidesInside, holds, holesOf, isScaled, labelsOf } from "./models.ts"
import { allNear, must, near, same } from "./must.ts"
import { exp, log } from "./numbers.ts"
import { fitted, hasDensity, type ModelSubject, rowsOf, switchesIn, targetsOf } from "./subjects.ts"
import { isHole, punch } from "./variants.ts"
import { inWorlds, type Share } from "./worlds.ts"

/** Rows to predict: one complete, some with holes anywhere, one without any cell. */
export function questions(
  { model }: ModelSubject,
  rows: readonly LooseRow[],
  { dice }: Trial,
  count = 7,
): LooseRow[] {
  const columns = [...labelsOf(model), ...holesOf(model)]
  const nothing = { ...rows[0], ...Object.fromEntries(columns.map(column => [column, null])) }
  const holed = punch(rows.slice(0, count), columns, 0.4, dice)
  for (const { column, need } of model.uses)
    if (need.kind === "steps") for (const row of holed.slice(1)) punchSteps(row, column, need.uses, dice)
  return [...holed, nothing]
}

/** Holes in the cells of steps, and steps in which nothing is seen. */
function punchSteps(row: Record<string, Cell>, name: string, uses: readonly Use[], dice: Dice): void {
  const steps = row[name]
  if (!Array.isArray(steps)) return
  const columns = uses.filter(({ role }) => role !== "hidden").map(({ column }) => column)
  // the first row stays whole
  const holed = punch([{}, ...(steps as LooseRow[])], columns, 0.3, dice).slice(1)
  row[name] = holed.map(step => (dice.uniform() < 0.2 ? null : step)) as never
}

/** Numeric columns that can be predicted for any row. */
export function numericOf({ model }: ModelSubject): string[] {
  const holes = holesOf(model)
  return [...columnsOf(model, "number"), ...columnsOf(model, "count")].filter(name => holes.includes(name))
}

export function hasNumbers(subject: ModelSubject): true | string {
  return numericOf(subject).length > 0 || "no column is a number"
}

/** Numbers go through θ → description → θ, which costs the last digits; probabilities of levels are not affected. */
function toleranceOf(subject: ModelSubject): number {
  return holds(subject.model, "number") || holds(subject.model, "count") ? 1e-9 : 1e-12
}

export const answerLaws: readonly Law<ModelSubject>[] = [
  {
    id: "A6.worlds",
    name: "density and posterior of anything with levels are sums over all settings of the switches",
    applies: () => true,
    effort: 0.34,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const { model, worlds } = await inWorlds(subject, rows)
      const asked = questions(subject, rows, trial)
      const tolerance = toleranceOf(subject)
      if (!isScaled(subject.model) && !hidesInside(subject.model)) {
        allNear(
          densities(model, asked),
          asked.map(row => worlds.logDensity(row)),
          tolerance,
          "ln p of the rows",
        )
      }
      for (const target of targetsOf(subject, model.describe())) {
        const { levels, probabilities, logs } = model.posterior(asked, { target })
        const predictions = model.predict(asked, { target })
        const chosen = model.labels(asked, { target })
        asked.forEach((row, i) => {
          const expected = worlds.posterior(row, target, levels)
          const own = probabilities.subarray(i * levels.length, (i + 1) * levels.length)
          allNear(own, expected, tolerance, `p(${target} | row ${i})`)
          expected.forEach((p, l) => {
            near(exp(logs[i * levels.length + l]), p, tolerance, `exp of ln p(${target} | row ${i})`)
          })
          for (const [method, value] of [
            ["predict", predictions[i].value],
            ["labels", chosen[i]],
          ] as const) {
            must(
              expected[levels.indexOf(value)] >= Math.max(...expected) - tolerance,
              () => `${method}() says ${value}, but p(${target} | row ${i}) is ${expected}.`,
            )
          }
        })
      }
      for (const of of switchesIn(model.describe()).filter(name => !labelsOf(subject.model).includes(name)))
        same(
          model.responsibilities(asked, { of }),
          model.posterior(asked, { target: of }).probabilities,
          `responsibilities() and posterior() of ${of}`,
        )
    },
  },
  {
    id: "A6.numbers",
    name: "a predicted number is the mean of the mixture over all settings, and its interval holds what it says",
    applies: hasNumbers,
    effort: 0.34,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const { model, worlds } = await inWorlds(subject, rows)
      const asked = questions(subject, rows, trial)
      const counts = columnsOf(subject.model, "count")
      for (const target of numericOf(subject)) {
        const held = [0.5, 0.8, 0.95, 0.999][trial.dice.integer(4)]
        numbersOf(model, asked, target, held).forEach(({ value, sd, interval }, i) => {
          const shares = worlds.shares(asked[i], target)
          const { mean, variance } = momentsOf(shares)
          const what = `${target} of row ${i}`
          near((value - mean) / sd, 0, 1e-8, `the mean of ${what}, in standard deviations`)
          near((sd * sd) / variance, 1, 1e-8, `the variance of ${what}`)
          ;[(1 - held) / 2, (1 + held) / 2].forEach((p, end) => {
            const x = interval[end]
            if (!counts.includes(target)) near(below(shares, x), p, 1e-9, `P(${what} ≤ ${x})`)
            else
              must(
                below(shares, x) >= p - 1e-12 && below(shares, x - 1) < p + 1e-12,
                () => `${x} is not the first count with P(${what} ≤ ${x}) ≥ ${p}.`,
              )
          })
        })
      }
    },
  },
  {
    id: "A6.integral",
    name: "a predicted number has the mean and spread of the density, and the interval its mass",
    applies: hasNumbers,
    effort: 0.34,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await fitted(subject, { data: rows, options: {} }, { steps: 4 })
      const numeric = numericOf(subject)
      const target = numeric[trial.dice.integer(numeric.length)]
      const row = questions(subject, rows, trial)[1 + trial.dice.integer(7)]
      const [{ value, sd, interval }] = numbersOf(model, [row], target)
      const isCount = columnsOf(subject.model, "count").includes(target)
      const counts = Array.from({ length: 300 }, (_, count) => count)
      const { x, dx } = isCount
        ? { x: counts, dx: counts.map(() => 1) }
        : gridOf(target, { model, rows }, subject, 1500, row)
      const p = conditional(model, row, target, x)
      let mean = 0
      for (let j = 0; j < x.length; j++) mean += x[j] * p[j] * dx[j]
      let variance = 0
      for (let j = 0; j < x.length; j++) variance += (x[j] - mean) * (x[j] - mean) * p[j] * dx[j]
      near((value - mean) / sd, 0, 1e-6, `the mean of ${target}, in standard deviations`)
      near((sd * sd) / variance, 1, 1e-6, `the variance of ${target}`)
      const mass = isCount
        ? p.reduce((sum, density, j) => (x[j] >= interval[0] && x[j] <= interval[1] ? sum + density : sum), 0)
        : massWithin(model, row, target, interval)
      must(
        isCount ? mass >= 0.95 - 1e-9 : Math.abs(mass - 0.95) < 1e-4,
        () => `the interval of ${target} holds ${mass}, not 0.95.`,
      )
    },
  },
  {
    id: "A6.conditional",
    name: "given some columns of a normal, another is normal: mean and variance in closed form",
    applies: ({ model }) =>
      (model.spec.kind === "leaf" && columnsOf(model, "number").length > 1) ||
      "the model is not one normal over several columns",
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await fitted(subject, { data: rows, options: {} })
      const columns = columnsOf(subject.model, "number")
      const { mean, covariance, variance } = model.describe()[columns.join(", ")] as Record<
        "mean" | "covariance" | "variance",
        Description
      >
      const spread = (a: string, b: string): number => {
        if (covariance) return (covariance[a] as Description)[b] as number
        return a === b ? (variance[a] as number) : 0
      }
      for (const row of questions(subject, rows, trial)) {
        for (const target of columns) {
          const seen = columns.filter(name => name !== target && !isHole(row[name]))
          // Σ_oo w = Σ_om: the weights of a regression of the target on what was seen
          const weights = solved(
            seen.map(a => seen.map(b => spread(a, b))),
            seen.map(a => spread(a, target)),
          )
          const [{ value, sd, interval }] = numbersOf(model, [row], target, 0.9)
          let expected = mean[target] as number
          let left = spread(target, target)
          seen.forEach((name, j) => {
            expected += weights[j] * ((row[name] as number) - (mean[name] as number))
            left -= weights[j] * spread(name, target)
          })
          near((value - expected) / sd, 0, 1e-8, `the mean of ${target}, in standard deviations`)
          near((sd * sd) / left, 1, 1e-8, `the variance of ${target}`)
          near((interval[1] - expected) / sd, 1.6448536269514722, 1e-8, `the upper end for ${target}`)
          near((expected - interval[0]) / sd, 1.6448536269514722, 1e-8, `the lower end for ${target}`)
        }
      }
    },
  },
  {
    id: "A6.strange",
    name: "anomalies are the rows below the quantile, prototypes the likeliest rows of their level",
    applies: hasDensity,
    effort: 0.34,
    async check(subject, trial) {
      const rows = rowsOf(subject, trial)
      const model = await fitted(subject, { data: rows, options: {} })
      const asked = [...rows.slice(0, 20), ...questions(subject, rows, trial)]
      const quantile = 0.05 + 0.3 * trial.dice.uniform()
      const found = model.anomalies(asked, { quantile })
      const scores = densities(model, asked)
      same(found.scores, scores, "the scores of anomalies()")
      const expected = [...scores.keys()]
        .filter(i => scores[i] < found.threshold)
        .sort((a, b) => scores[a] - scores[b])
      must(found.rows.join() === expected.join(), () => `anomalies() lists ${found.rows}, not ${expected}.`)
      must(
        found.rows.length <= Math.ceil(quantile * (asked.length - 1)),
        () => `${found.rows.length} of ${asked.length} rows are strange at a quantile of ${quantile}.`,
      )
      same(model.anomalies(asked, { quantile, usual: scores }).rows, found.rows, "with the same usual rows")
      for (const target of targetsOf(subject, model.describe())) {
        const { levels, probabilities } = model.posterior(rows, { target })
        const nothing = Object.fromEntries(Object.keys(rows[0]).map(column => [column, null]))
        const prior = model.posterior([nothing], { target }).probabilities
        const without = densities(
          model,
          rows.map(row => ({ ...row, [target]: null })),
        )
        model.prototypes(rows, { target, count: 4 }).forEach(({ level, rows: typical }, l) => {
          must(level === levels[l], () => `prototypes() of ${target} begin with ${level}.`)
          // ln p(row | level) = ln p(level | row) + ln p(row) − ln p(level)
          const score = (i: number): number =>
            log(probabilities[i * levels.length + l]) + without[i] - log(prior[l])
          let before = Number.POSITIVE_INFINITY
          for (const { row, logDensity, probability } of typical) {
            near(logDensity, score(row), 1e-8, `ln p(row ${row} | ${target} = ${level})`)
            near(probability, probabilities[row * levels.length + l], 1e-9, `p(${level} | row ${row})`)
            must(logDensity <= before, () => `the prototypes of ${level} do not begin with the likeliest.`)
            before = logDensity
          }
          const own = rows.filter((_, i) => {
            const chances = probabilities.subarray(i * levels.length, (i + 1) * levels.length)
            const clear = chances.every((chance, m) => m === l || chance < chances[l] - 1e-9)
            return clear && score(i) > before + 1e-8
          })
          must(
            own.length < 4,
            () => `${own.length} rows are more typical of ${level} than the last prototype.`,
          )
        })
      }
    },
  },
]

function momentsOf(shares: readonly Share[]): { mean: number; variance: number } {
  const mean = shares.reduce((sum, share) => sum + share.weight * share.mean, 0)
  const variance = shares.reduce(
    (sum, share) => sum + share.weight * (share.variance + (share.mean - mean) * (share.mean - mean)),
    0,
  )
  return { mean, variance }
}

function below(shares: readonly Share[], x: number): number {
  return shares.reduce((sum, share) => sum + share.weight * share.below(x), 0)
}

/** p(target = x | the rest of the row) = p(row with x) / p(row without) */
function conditional(model: LooseFitted, row: LooseRow, target: string, x: readonly number[]): Float64Array {
  const without = densities(model, [{ ...row, [target]: null }])[0]
  return densities(
    model,
    x.map(value => ({ ...row, [target]: value })),
  ).map(density => exp(density - without))
}

function massWithin(
  model: LooseFitted,
  row: LooseRow,
  target: string,
  [low, high]: readonly [number, number],
): number {
  const step = (high - low) / 600
  const x = Array.from({ length: 600 }, (_, j) => low + (j + 0.5) * step)
  return conditional(model, row, target, x).reduce((sum, density) => sum + density * step, 0)
}

/** Solves A x = b for a few unknowns, by elimination. */
function solved(a: readonly (readonly number[])[], b: readonly number[]): number[] {
  const rows = a.map((row, i) => [...row, b[i]])
  const n = rows.length
  for (let k = 0; k < n; k++) {
    for (let i = k + 1; i < n; i++) {
      const factor = rows[i][k] / rows[k][k]
      for (let j = k; j <= n; j++) rows[i][j] -= factor * rows[k][j]
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    for (let j = k + 1; j < n; j++) rows[k][n] -= rows[k][j] * rows[j][n]
    rows[k][n] /= rows[k][k]
  }
  return rows.map(row => row[n])
}
