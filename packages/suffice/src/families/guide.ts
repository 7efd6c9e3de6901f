/** Functions that guides share: parameters in words, and options as TypeScript. */
import type { Writing } from "../contract/guide.ts"
import type { Description } from "../contract/report.ts"

const PLAIN: Writing = {
  number: (value, digits = 4) => String(Number(value.toPrecision(digits))),
  share: probability => `${(100 * probability).toFixed(1)} %`,
  name: text => text,
  most: 4,
}

type Numbers = Readonly<Record<string, number>>

/** The parameters in a line, whatever they are. */
export function inWords(parameters: Description, writing: Writing = PLAIN): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => (name === "family" ? [] : [parameterInWords(name, value, writing)]))
    .join(", ")
}

function parameterInWords(name: string, value: unknown, writing: Writing): string {
  if (typeof value === "number") return `${name} ${writing.number(value)}`
  if (typeof value !== "object" || value === null) return `${name} ${String(value)}`
  if (isTopics(value)) {
    const topics = value.map(topic => topicInWords(topic, writing))
    return `${name}: ${shortened(topics, 3)}`
  }
  const entries = Object.entries(value as Record<string, unknown>)
  if (name === "covariance") {
    const sds = entries.map(([column, row]) => `${column} ${writing.number(deviation(row, column))}`)
    return `sd: ${shortened(sds, writing.most)}`
  }
  const numbers = entries.filter((entry): entry is [string, number] => typeof entry[1] === "number")
  if (name === "probabilities" || name === "words") {
    const shares = byProbability(numbers).map(([level, p]) => `${writing.name(level)} ${writing.share(p)}`)
    return shortened(shares, writing.most)
  }
  const each = numbers.map(([column, x]) => `${column} ${writing.number(x)}`)
  return `${name}: ${shortened(each, writing.most)}`
}

interface TopicDescription {
  readonly alpha: number
  readonly words: Numbers
}

function isTopics(value: object): value is TopicDescription[] {
  return Array.isArray(value) && value.every(one => typeof one?.alpha === "number" && one.words)
}

/** A topic by its α and its most probable words. */
function topicInWords({ alpha, words }: TopicDescription, { number, name }: Writing): string {
  const first = byProbability(Object.entries(words)).slice(0, 3)
  return `${first.map(([word]) => name(word)).join(" ")} (α ${number(alpha, 2)})`
}

function byProbability(entries: readonly [string, number][]): [string, number][] {
  return [...entries].sort((a, b) => b[1] - a[1])
}

/** The standard deviation of a column, from its row of a covariance or from its variance. */
export function deviation(row: unknown, column: string): number {
  return Math.sqrt(typeof row === "number" ? row : (row as Numbers)[column])
}

function shortened(items: readonly string[], most: number): string {
  return items.length > most
    ? `${items.slice(0, most).join(", ")} … (${items.length} in all)`
    : items.join(", ")
}

// ── code ───────────────────────────────────────────────────────────────────────────────────────────

/** gamma({ prior: 2 }), linear("y", ["x"], { prior: 2 }) */
export function call(maker: string, options: Description, ...before: readonly unknown[]): string {
  const last = Object.keys(options).length === 0 ? [] : [record(options)]
  return `${maker}(${[...before.map(value => JSON.stringify(value)), ...last].join(", ")})`
}

export function record(options: Description): string {
  const entries = Object.entries(options).map(([name, value]) => `${key(name)}: ${JSON.stringify(value)}`)
  return `{ ${entries.join(", ")} }`
}

/** A name before a colon. */
export function key(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
}

/** `mean` of families that have none. */
export function noMean(): undefined {
  return undefined
}
