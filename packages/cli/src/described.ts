/** What `describe()` says, as rows of tables: every leaf with the values of the switches above it. */
import type { Description } from "suffice"
import { clipped, percent, plain } from "./format.ts"

export interface Above {
  readonly name: string
  readonly level: string
}

export interface SwitchPart {
  readonly part: "switch"
  readonly name: string
  readonly above: readonly Above[]
  readonly probabilities: Readonly<Record<string, number>>
}

export interface LeafPart {
  readonly part: "leaf"
  readonly name: string
  readonly family: string
  readonly above: readonly Above[]
  readonly parameters: Description
}

/** What goes from state to state. */
export interface ChainPart {
  readonly part: "chain"
  /** The column of its steps. */
  readonly name: string
  readonly above: readonly Above[]
  readonly initial: Readonly<Record<string, number>>
  /** By state, what comes next. */
  readonly transitions: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Where the end is modelled: how probable it is after each state. */
  readonly ends?: Readonly<Record<string, number>>
  /** How many steps it stays on average; null: it is never left. */
  readonly stay: Readonly<Record<string, number | null>>
  /** Where the end is not modelled: how much of the time it spends there in the long run. */
  readonly stationary?: Readonly<Record<string, number>>
}

export type Part = SwitchPart | LeafPart | ChainPart

/** What the states of a chain are called above its leaves. */
export const STATE_OF = "state"

export function partsOf(description: Description, above: readonly Above[] = []): Part[] {
  return Object.entries(description).flatMap(([name, value]): Part[] => {
    const part = value as Description
    if (typeof part.family === "string") {
      const leaf: LeafPart = { part: "leaf", name, family: part.family, above, parameters: part }
      if (!Array.isArray(part.parents) || part.given === undefined) return [leaf]
      const isLevel = (parent: string): boolean =>
        LEVELS.includes((description[parent] as Description).family as string)
      return underParents(leaf, (part.parents as string[]).filter(isLevel), part.given as Description)
    }
    const given = part.given as Record<string, Description>
    if (part.transitions !== undefined) {
      const { given: _, ...chain } = part
      const own = { part: "chain", name, above, ...chain } as unknown as ChainPart
      return [
        own,
        ...Object.entries(given).flatMap(([level, body]) =>
          partsOf(body, [...above, { name: STATE_OF, level }]),
        ),
      ]
    }
    const probabilities = part.probabilities as Record<string, number>
    return [
      { part: "switch", name, above, probabilities },
      ...Object.entries(given).flatMap(([level, body]) => partsOf(body, [...above, { name, level }])),
    ]
  })
}

/** A column of a network, once for each configuration of its parents with levels; numbers are in its parameters. */
function underParents(leaf: LeafPart, parents: readonly string[], below: Description): LeafPart[] {
  if (parents.length === 0) return [{ ...leaf, parameters: below }]
  const [name, ...rest] = parents
  return Object.entries(below as Record<string, Description>).flatMap(([level, deeper]) =>
    underParents({ ...leaf, above: [...leaf.above, { name, level }] }, rest, deeper),
  )
}

const LEVELS = ["categorical", "bernoulli"]

/** The parameters of a leaf in a line: "mean 217.2, sd 6.5". */
export function summaryOf({ parameters }: LeafPart, most = 4): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => {
      if (name === "family") return []
      if (typeof value === "number") return [`${name} ${plain(value)}`]
      if (typeof value !== "object" || value === null) return [`${name} ${String(value)}`]
      if (isTopics(value)) return [`${name}: ${shortened(value.map(wordsOf), 3)}`]
      const entries = Object.entries(value as Record<string, unknown>)
      if (name === "covariance") {
        const sds = entries.map(([column, row]) => `${column} ${plain(deviation(row, column))}`)
        return [`sd: ${shortened(sds, most)}`]
      }
      const numbers = entries.filter((entry): entry is [string, number] => typeof entry[1] === "number")
      if (name === "probabilities" || name === "words") {
        const sorted = [...numbers].sort((a, b) => b[1] - a[1])
        return [
          shortened(
            sorted.map(([level, p]) => `${clipped(level, 20)} ${percent(p)}`),
            most,
          ),
        ]
      }
      return [
        `${name}: ${shortened(
          numbers.map(([column, x]) => `${column} ${plain(x)}`),
          most,
        )}`,
      ]
    })
    .join(", ")
}

interface TopicDescription {
  readonly alpha: number
  readonly words: Readonly<Record<string, number>>
}

function isTopics(value: object): value is TopicDescription[] {
  return Array.isArray(value) && value.every(one => typeof one?.alpha === "number" && one.words)
}

/** A topic by its α and its most probable words. */
function wordsOf({ alpha, words }: TopicDescription): string {
  const sorted = Object.entries(words).sort((a, b) => b[1] - a[1])
  const first = sorted.slice(0, 3).map(([word]) => clipped(word, 20))
  return `${first.join(" ")} (α ${plain(alpha, 2)})`
}

/** Of one column of a normal: spreads that have no square are described themselves. */
function spreadOf(parameters: LeafPart["parameters"], column: string): number {
  const { sd, covariance, variance } = parameters as Record<string, Record<string, unknown> | undefined>
  return sd ? (sd[column] as number) : deviation((covariance ?? variance)![column], column)
}

function deviation(row: unknown, column: string): number {
  const variance = typeof row === "number" ? row : (row as Record<string, number>)[column]
  return Math.sqrt(variance)
}

function shortened(items: readonly string[], most: number): string {
  return items.length > most
    ? `${items.slice(0, most).join(", ")} … (${items.length} in all)`
    : items.join(", ")
}

/** A leaf, column by column: a normal has a mean and a spread for each. */
export function linesOf(leaf: LeafPart): { column: string; summary: string }[] {
  if (leaf.family !== "normal") return [{ column: leaf.name, summary: summaryOf(leaf) }]
  const mean = leaf.parameters.mean as Record<string, number>
  return Object.entries(mean).map(([column, value]) => ({
    column,
    summary: `mean ${plain(value)}, sd ${plain(spreadOf(leaf.parameters, column))}`,
  }))
}

/** Mean and standard deviation of numeric columns under each value of one switch. */
export interface Component {
  readonly level: string
  readonly probability: number
  readonly means: ReadonlyMap<string, number>
  readonly deviations: ReadonlyMap<string, number>
  /** Covariances inside one normal, by "x\u0000y". */
  readonly covariances: ReadonlyMap<string, number>
  readonly parts: readonly LeafPart[]
}

/** Mean and standard deviation of families that describe something else. */
const PLACES: Readonly<Record<string, (parameters: Record<string, number>) => readonly [number, number]>> = {
  exponential: ({ mean }) => [mean, mean],
  gamma: ({ mean, shape }) => [mean, mean / Math.sqrt(shape)],
  logNormal: ({ logMean, logSd }) => {
    const mean = Math.exp(logMean + (logSd * logSd) / 2)
    return [mean, mean * Math.sqrt(Math.expm1(logSd * logSd))]
  },
  beta: ({ alpha, beta }) => {
    const mean = alpha / (alpha + beta)
    return [mean, Math.sqrt((mean * (1 - mean)) / (alpha + beta + 1))]
  },
  geometric: ({ mean }) => [mean, Math.sqrt(mean * (1 + mean))],
}

/** The components of the outermost switch of this name; leaves below further switches are left out. */
export function componentsOf(parts: readonly Part[], name: string): Component[] {
  const found = parts.find((part): part is SwitchPart => part.part === "switch" && part.name === name)
  if (!found) return []
  const depth = found.above.length
  return Object.entries(found.probabilities).map(([level, probability]) => {
    const leaves = parts.filter(
      (part): part is LeafPart =>
        part.part === "leaf" &&
        part.above.length === depth + 1 &&
        part.above[depth].name === name &&
        part.above[depth].level === level &&
        found.above.every((one, i) => part.above[i].name === one.name && part.above[i].level === one.level),
    )
    const means = new Map<string, number>()
    const deviations = new Map<string, number>()
    const covariances = new Map<string, number>()
    for (const { name: column, family, parameters } of leaves) {
      if (family === "gaussian") {
        means.set(column, parameters.mean as number)
        deviations.set(column, parameters.sd as number)
      } else if (family === "poisson") {
        means.set(column, parameters.rate as number)
        deviations.set(column, Math.sqrt(parameters.rate as number))
      } else if (Object.hasOwn(PLACES, family)) {
        const [mean, deviation] = PLACES[family](parameters as Record<string, number>)
        means.set(column, mean)
        deviations.set(column, deviation)
      } else if (family === "normal") {
        const mean = parameters.mean as Record<string, number>
        const covariance = (parameters.covariance ?? {}) as Record<string, unknown>
        for (const [one, value] of Object.entries(mean)) {
          means.set(one, value)
          deviations.set(one, spreadOf(parameters, one))
          const row = covariance[one]
          if (typeof row !== "object" || row === null) continue
          for (const [other, c] of Object.entries(row as Record<string, number>))
            covariances.set(`${one}\u0000${other}`, c)
        }
      }
    }
    return { level, probability, means, deviations, covariances, parts: leaves }
  })
}
