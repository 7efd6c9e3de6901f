/**
 * Random networks of levels, numbers and hidden columns with random parameters, and what follows from these by enumeration: every combination of levels, and
 * in each the numbers as one normal distribution, by its covariance. Nothing of the network's own code is used.
 */
import type { Model } from "../../../contract/model.ts"
import type { Description } from "../../../contract/report.ts"
import { categorical } from "../../../families/categorical.ts"
import { gaussian } from "../../../families/gaussian.ts"
import { dice } from "../../../random.ts"
import { given, hidden, type NetworkNode, network } from "../declare.ts"

export type WorldRow = Record<string, number | null>

export interface WorldNode {
  readonly name: string
  /** 0: a number. */
  readonly levels: number
  readonly isHidden: boolean
  readonly parents: readonly number[]
}

/** What is known of a row: its density, and of each number its mean and variance given the rest. */
export interface Known {
  readonly density: number
  readonly means: readonly number[]
  readonly variances: readonly number[]
}

export interface World {
  readonly nodes: readonly WorldNode[]
  readonly model: Model
  readonly description: Description
  /** A row in which these columns are seen. */
  row(isSeen: (j: number) => boolean): WorldRow
  known(row: WorldRow): Known
}

/** The line of a number in one configuration of its parents with levels. */
interface Line {
  readonly intercept: number
  readonly slopes: readonly number[]
  readonly sd: number
}

/** `variant`: the same arrows with other parameters. */
export function worldOf(seed: number, variant = 0): World {
  const arrows = dice(seed)
  const rolls = dice([seed, variant])
  const count = 2 + arrows.integer(7)
  const kinds = Array.from({ length: count }, (_, v) => v > 0 && arrows.uniform() < 0.4)
  const levels = kinds.map(isNumber => (isNumber ? 0 : 2 + arrows.integer(2)))
  const parents = kinds.map((isNumber, v) => {
    const own: number[] = []
    for (let u = 0; u < v; u++)
      if ((isNumber || !kinds[u]) && own.length < 3 && arrows.uniform() < 0.5) own.push(u)
    return own
  })
  const isHidden = kinds.map(
    (isNumber, v) => !isNumber && parents.some(own => own.includes(v)) && arrows.uniform() < 0.2,
  )
  if (isHidden.every(is => is)) isHidden[0] = false
  const nodes: WorldNode[] = kinds.map((_, v) => ({
    name: `x${v}`,
    levels: levels[v],
    isHidden: isHidden[v],
    parents: parents[v],
  }))
  const levelParents = parents.map(own => own.filter(u => levels[u] > 0))
  const numberParents = parents.map(own => own.filter(u => levels[u] === 0))
  const configurations = levelParents.map(own => own.reduce((product, u) => product * levels[u], 1))
  const tables = nodes.map(({ levels }, v) =>
    Array.from({ length: levels === 0 ? 0 : configurations[v] }, () => {
      const raw = Array.from({ length: levels }, () => 0.05 + rolls.uniform())
      const sum = raw.reduce((a, b) => a + b)
      return raw.map(p => p / sum)
    }),
  )
  const lines: Line[][] = nodes.map(({ levels }, v) =>
    Array.from({ length: levels > 0 ? 0 : configurations[v] }, () => ({
      intercept: rolls.normal(),
      slopes: numberParents[v].map(() => rolls.normal()),
      sd: 0.5 + rolls.uniform(),
    })),
  )
  const declared: Record<string, NetworkNode> = {}
  const description: Record<string, Description> = {}
  // declared in the opposite order: it must not matter
  for (let v = count - 1; v >= 0; v--) {
    const family =
      levels[v] === 0
        ? gaussian()
        : isHidden[v]
          ? hidden(levels[v])
          : categorical({ levels: Array.from({ length: levels[v] }, (_, l) => l) })
    const { name } = nodes[v]
    declared[name] = given(
      parents[v].map(u => nodes[u].name),
      family,
    )
    const leaf = (c: number): Description => {
      if (levels[v] > 0)
        return { probabilities: Object.fromEntries(tables[v][c].map((p, l) => [String(l), p])) }
      const { intercept, slopes, sd } = lines[v][c]
      if (slopes.length === 0) return { mean: intercept, sd }
      const coefficients = Object.fromEntries(
        numberParents[v].map((u, j) => [nodes[u].name, slopes[j]] as const),
      )
      return { intercept, coefficients, sd }
    }
    const below = (depth: number, c: number): Description => {
      const u = levelParents[v][depth]
      if (u === undefined) return leaf(c)
      const each = Array.from({ length: levels[u] }, (_, l) => [
        String(l),
        below(depth + 1, c * levels[u] + l),
      ])
      return Object.fromEntries(each) as Description
    }
    description[name] = levelParents[v].length === 0 ? leaf(0) : { given: below(0, 0) }
  }
  const numbers = nodes.flatMap((_, v) => (levels[v] === 0 ? [v] : []))

  /** The numbers given all levels: mean and covariance, from the first on. */
  const normalAt = (values: readonly number[]): { mean: number[]; cov: number[][] } => {
    const mean: number[] = []
    const cov: number[][] = nodes.map(() => [])
    for (const v of numbers) {
      const c = levelParents[v].reduce((c, u) => c * levels[u] + values[u], 0)
      const { intercept, slopes, sd } = lines[v][c]
      mean[v] = numberParents[v].reduce((sum, u, j) => sum + slopes[j] * mean[u], intercept)
      for (const w of numbers.filter(w => w < v)) {
        cov[v][w] = numberParents[v].reduce((sum, u, j) => sum + slopes[j] * cov[u][w], 0)
        cov[w][v] = cov[v][w]
      }
      cov[v][v] = numberParents[v].reduce((sum, u, j) => sum + slopes[j] * cov[v][u], sd * sd)
    }
    return { mean, cov }
  }

  const known = (row: WorldRow): Known => {
    const isMissing = (v: number): boolean => row[nodes[v].name] === null || row[nodes[v].name] === undefined
    const seen = numbers.filter(v => !isMissing(v))
    let density = 0
    const first = nodes.map(() => 0)
    const second = nodes.map(() => 0)
    const values: number[] = []
    const leaf = (product: number): void => {
      const { mean, cov } = normalAt(values)
      const { logDensity, given } = conditioned(
        seen,
        mean,
        cov,
        seen.map(v => row[nodes[v].name]!),
      )
      const share = product * Math.exp(logDensity)
      density += share
      for (const v of numbers) {
        const { mean: m, variance } = given(v)
        first[v] += share * m
        second[v] += share * (variance + m * m)
      }
    }
    const visit = (v: number, product: number): void => {
      if (v === count) {
        leaf(product)
        return
      }
      if (levels[v] === 0) {
        visit(v + 1, product)
        return
      }
      const c = levelParents[v].reduce((c, u) => c * levels[u] + values[u], 0)
      for (let l = 0; l < levels[v]; l++) {
        if (!isMissing(v) && row[nodes[v].name] !== l) continue
        values[v] = l
        visit(v + 1, product * tables[v][c][l])
      }
    }
    visit(0, 1)
    const means = first.map(sum => sum / density)
    return { density, means, variances: second.map((sum, v) => sum / density - means[v] ** 2) }
  }

  return {
    nodes,
    model: network(declared) as Model,
    description,
    known,
    row: isSeen =>
      Object.fromEntries(
        nodes.flatMap(({ name, levels, isHidden }, v) => {
          if (isHidden) return []
          const cell = levels === 0 ? 2 * rolls.normal() : rolls.integer(levels)
          return [[name, isSeen(v) ? cell : null]]
        }),
      ),
  }
}

/** A normal distribution given some of its columns: ln p of them, and what each other is. By elimination, without a root. */
export function conditioned(
  seen: readonly number[],
  mean: readonly number[],
  cov: readonly (readonly number[])[],
  x: readonly number[],
): { logDensity: number; given(v: number): { mean: number; variance: number } } {
  const inverse = inverted(seen.map(v => seen.map(w => cov[v][w])))
  const gaps = seen.map((v, i) => x[i] - mean[v])
  const solved = inverse.matrix.map(row => row.reduce((sum, a, j) => sum + a * gaps[j], 0))
  const square = solved.reduce((sum, a, i) => sum + a * gaps[i], 0)
  return {
    logDensity: -0.5 * (seen.length * Math.log(2 * Math.PI) + Math.log(inverse.determinant) + square),
    given(v) {
      const across = seen.map(w => cov[v][w])
      const told = inverse.matrix.map(row => row.reduce((sum, a, j) => sum + a * across[j], 0))
      return {
        mean: across.reduce((sum, a, i) => sum + a * solved[i], mean[v]),
        variance: across.reduce((sum, a, i) => sum - a * told[i], cov[v][v]),
      }
    },
  }
}

/** By Gauss and Jordan. */
function inverted(matrix: readonly (readonly number[])[]): { matrix: number[][]; determinant: number } {
  const d = matrix.length
  const work = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))])
  let determinant = 1
  for (let i = 0; i < d; i++) {
    const pivot = work[i][i]
    determinant *= pivot
    for (let j = 0; j < 2 * d; j++) work[i][j] /= pivot
    for (let k = 0; k < d; k++) {
      if (k === i) continue
      const factor = work[k][i]
      for (let j = 0; j < 2 * d; j++) work[k][j] -= factor * work[i][j]
    }
  }
  return { matrix: work.map(row => row.slice(d)), determinant }
}
