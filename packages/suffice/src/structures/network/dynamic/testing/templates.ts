/**
 * Random networks over steps with random parameters, and what follows from these by enumeration: every combination of the levels of all steps, and in each the numbers of a step as
 * one normal distribution. Nothing of the network's own code is used.
 */
import type { Model } from "../../../../contract/model.ts"
import type { Description } from "../../../../contract/report.ts"
import { categorical } from "../../../../families/categorical.ts"
import { gaussian } from "../../../../families/gaussian.ts"
import { dice } from "../../../../random.ts"
import { before, given, hidden, network, type StepNode } from "../../declare.ts"
import { conditioned } from "../../testing/worlds.ts"

export type Step = Record<string, number | null>

interface Parent {
  readonly of: number
  readonly isEarly: boolean
}

export interface TemplateNode {
  readonly name: string
  /** 0: a number. */
  readonly levels: number
  readonly isHidden: boolean
  readonly parents: readonly Parent[]
}

/** What is known of the steps of a row: their density, and the mean and the variance of each number, at [step][node]. */
export interface Known {
  readonly density: number
  readonly means: readonly (readonly number[])[]
  readonly variances: readonly (readonly number[])[]
}

export interface Template {
  readonly nodes: readonly TemplateNode[]
  readonly model: Model
  readonly description: Description
  steps(count: number, holes: number): Step[]
  known(steps: readonly Step[]): Known
  /** Every combination of levels of all steps that agrees with what is seen, with its probability: values[t][v]. */
  visit(steps: readonly Step[], told: (values: readonly (readonly number[])[], share: number) => void): void
}

interface Line {
  readonly intercept: number
  readonly slopes: readonly number[]
  readonly sd: number
}

/** A set of tables or lines, by configuration of the parents with levels. */
interface Tables {
  readonly levelParents: readonly Parent[]
  readonly numberParents: readonly number[]
  readonly rows: readonly (readonly number[])[]
  readonly lines: readonly Line[]
}

/** `variant`: the same arrows with other parameters. */
export function templateOf(seed: number, variant = 0, withNumbers = true): Template {
  const arrows = dice(seed)
  const rolls = dice([seed, variant])
  const kinds: number[] = []
  let states = 1
  for (let v = 0; v < 2 + arrows.integer(3); v++) {
    const isNumber = withNumbers && v > 0 && arrows.uniform() < 0.4
    const levels = isNumber ? 0 : 2 + arrows.integer(2)
    if (states * Math.max(levels, 1) > 9) continue
    states *= Math.max(levels, 1)
    kinds.push(levels)
  }
  const parents = kinds.map((levels, v): Parent[] => {
    const own: Parent[] = []
    for (let u = 0; u < v; u++)
      if ((levels === 0 || kinds[u] > 0) && own.length < 2 && arrows.uniform() < 0.6)
        own.push({ of: u, isEarly: false })
    for (let u = 0; u < kinds.length; u++)
      if (kinds[u] > 0 && own.length < 3 && arrows.uniform() < (u === v ? 0.7 : 0.25))
        own.push({ of: u, isEarly: true })
    return own
  })
  const isParent = (u: number): boolean => parents.some((own, v) => v !== u && own.some(({ of }) => of === u))
  const isHidden = kinds.map((levels, v) => levels > 0 && isParent(v) && arrows.uniform() < 0.5)
  if (isHidden.every(is => is)) isHidden[isHidden.length - 1] = false
  const nodes: TemplateNode[] = kinds.map((levels, v) => ({
    name: `x${v}`,
    levels,
    isHidden: isHidden[v],
    parents: parents[v],
  }))
  const tablesOf = (v: number, own: readonly Parent[]): Tables => {
    const levelParents = own.filter(({ of }) => kinds[of] > 0)
    const numberParents = own.filter(({ of }) => kinds[of] === 0).map(({ of }) => of)
    const count = levelParents.reduce((product, { of }) => product * kinds[of], 1)
    const rows = Array.from({ length: count }, () => {
      const raw = Array.from({ length: kinds[v] }, () => 0.05 + rolls.uniform())
      const sum = raw.reduce((a, b) => a + b, 0)
      return raw.map(p => p / sum)
    })
    const lines = Array.from({ length: count }, () => ({
      intercept: rolls.normal(),
      slopes: numberParents.map(() => rolls.normal()),
      sd: 0.5 + rolls.uniform(),
    }))
    return { levelParents, numberParents, rows, lines }
  }
  const isSplit = parents.map(own => own.some(({ isEarly }) => isEarly))
  const later = nodes.map((_, v) => tablesOf(v, parents[v]))
  const first = nodes.map((_, v) =>
    isSplit[v]
      ? tablesOf(
          v,
          parents[v].filter(({ isEarly }) => !isEarly),
        )
      : later[v],
  )
  const describe = (v: number, { levelParents, numberParents, rows, lines }: Tables): Description => {
    const leaf = (c: number): Description => {
      if (kinds[v] > 0) return { probabilities: Object.fromEntries(rows[c].map((p, l) => [String(l), p])) }
      const { intercept, slopes, sd } = lines[c]
      if (slopes.length === 0) return { mean: intercept, sd }
      const coefficients = Object.fromEntries(
        numberParents.map((u, j) => [nodes[u].name, slopes[j]] as const),
      )
      return { intercept, coefficients, sd }
    }
    const below = (depth: number, c: number): Description => {
      if (depth === levelParents.length) return leaf(c)
      const count = kinds[levelParents[depth].of]
      return Object.fromEntries(
        Array.from({ length: count }, (_, l) => [String(l), below(depth + 1, c * count + l)]),
      ) as Description
    }
    return levelParents.length === 0 ? leaf(0) : { given: below(0, 0) }
  }
  const declared: Record<string, StepNode> = {}
  const own: Record<string, Description> = {}
  // declared in the opposite order: it must not matter
  for (let v = kinds.length - 1; v >= 0; v--) {
    const { name, levels } = nodes[v]
    const family =
      levels === 0
        ? gaussian()
        : isHidden[v]
          ? hidden(levels)
          : categorical({ levels: Array.from({ length: levels }, (_, l) => l) })
    declared[name] = given(
      parents[v].map(({ of, isEarly }) => (isEarly ? before(nodes[of].name) : nodes[of].name)),
      family,
    )
    own[name] = isSplit[v]
      ? { first: describe(v, first[v]), later: describe(v, later[v]) }
      : describe(v, later[v])
  }
  const numbers = kinds.flatMap((levels, v) => (levels === 0 ? [v] : []))

  /** ln p of the seen numbers of a step, and what each is, given the levels of the step and the one before. */
  const numbersAt = (t: number, step: Step, values: readonly number[], early: readonly number[]) => {
    const mean: number[] = []
    const cov: number[][] = nodes.map(() => [])
    for (const v of numbers) {
      const { levelParents, numberParents, lines } = (t === 0 ? first : later)[v]
      const c = levelParents.reduce((c, { of, isEarly }) => c * kinds[of] + (isEarly ? early : values)[of], 0)
      const { intercept, slopes, sd } = lines[c]
      mean[v] = numberParents.reduce((sum, u, j) => sum + slopes[j] * mean[u], intercept)
      for (const w of numbers.filter(w => w < v)) {
        cov[v][w] = numberParents.reduce((sum, u, j) => sum + slopes[j] * cov[u][w], 0)
        cov[w][v] = cov[v][w]
      }
      cov[v][v] = numberParents.reduce((sum, u, j) => sum + slopes[j] * cov[v][u], sd * sd)
    }
    const seen = numbers.filter(v => typeof step[nodes[v].name] === "number")
    return conditioned(
      seen,
      mean,
      cov,
      seen.map(v => step[nodes[v].name]!),
    )
  }

  const visit: Template["visit"] = (steps, told) => {
    const values = steps.map(() => nodes.map(() => 0))
    const at = (t: number, v: number, product: number): void => {
      if (t === steps.length) {
        told(values, product)
        return
      }
      if (v === nodes.length) {
        const { logDensity } = numbersAt(t, steps[t], values[t], values[t - 1] ?? [])
        at(t + 1, 0, product * Math.exp(logDensity))
        return
      }
      if (kinds[v] === 0) {
        at(t, v + 1, product)
        return
      }
      const { levelParents, rows } = (t === 0 ? first : later)[v]
      const c = levelParents.reduce(
        (c, { of, isEarly }) => c * kinds[of] + values[isEarly ? t - 1 : t][of],
        0,
      )
      const cell = steps[t][nodes[v].name]
      for (let l = 0; l < kinds[v]; l++) {
        if (typeof cell === "number" && cell !== l) continue
        values[t][v] = l
        at(t, v + 1, product * rows[c][l])
      }
    }
    at(0, 0, 1)
  }

  return {
    nodes,
    model: network(declared, { steps: "days" }) as Model,
    description: { days: own },
    visit,
    steps: (count, holes) =>
      Array.from({ length: count }, () =>
        Object.fromEntries(
          nodes.flatMap(({ name, levels, isHidden }) => {
            if (isHidden) return []
            const cell = levels === 0 ? 2 * rolls.normal() : rolls.integer(levels)
            return [[name, rolls.uniform() < holes ? null : cell]]
          }),
        ),
      ),
    known(steps) {
      let density = 0
      const first = steps.map(() => nodes.map(() => 0))
      const second = steps.map(() => nodes.map(() => 0))
      visit(steps, (values, share) => {
        density += share
        steps.forEach((step, t) => {
          const { given } = numbersAt(t, step, values[t], values[t - 1] ?? [])
          for (const v of numbers) {
            const { mean, variance } = given(v)
            first[t][v] += share * mean
            second[t][v] += share * (variance + mean * mean)
          }
        })
      })
      const means = first.map(own => own.map(sum => sum / density))
      return {
        density,
        means,
        variances: second.map((own, t) => own.map((sum, v) => sum / density - means[t][v] ** 2)),
      }
    },
  }
}
