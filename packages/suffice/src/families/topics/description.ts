/** Topics as `describe()` prints them: α and the probabilities of words, topic by topic. */
import type { Description, Json } from "../../contract/report.ts"
import { finite, probabilitiesOf } from "../../described.ts"
import { SufficeError, show } from "../../errors.ts"
import { exp } from "../../kernels/exp.ts"
import type { BagColumn } from "../bag.ts"
import type { TopicLayout } from "./layout.ts"

/** `logChance`: ln φ of word w in topic k. */
export function describeTopics(
  { words }: BagColumn,
  { own, topics }: TopicLayout,
  alpha: Float64Array,
  logChance: (k: number, w: number) => number,
): Description {
  const topic = (k: number): Json => ({
    alpha: alpha[k],
    words: Object.fromEntries(words.map((word, w) => [word, exp(logChance(k, w))])),
  })
  const all = Array.from({ length: topics }, (_, k) => topic(k))
  return {
    ...(own > 0 && { topics: all.slice(0, own) }),
    ...(own < topics && { shared: all.slice(own) }),
  }
}

/** The inverse: α_k, and φ_k of every topic. */
export function adoptTopics(
  column: BagColumn,
  { own, shared, topics }: TopicLayout,
  description: Description,
): { readonly alphas: Float64Array; readonly phi: readonly (readonly number[])[] } {
  const listed = [
    ...listOf(column, "topics", description?.topics, own),
    ...listOf(column, "shared", description?.shared, shared),
  ]
  const alphas = new Float64Array(topics)
  const phi = listed.map((topic, k) => {
    alphas[k] = finite("topics", column.name, topic, "alpha", 0)
    if (column.words.length === 0) return []
    return probabilitiesOf("topics", column.name, { probabilities: topic.words }, column.words)
  })
  return { alphas, phi }
}

function listOf({ name }: BagColumn, what: string, value: Json | undefined, count: number): Description[] {
  if (count === 0) return []
  if (Array.isArray(value) && value.length === count) return value as Description[]
  throw new SufficeError(
    "parameters",
    `topics: ${show(what)} of column ${show(name)} is ${Array.isArray(value) ? `a list of ${value.length}` : show(value)}, where the model has ${count}. Each needs alpha and the probabilities of its words. Give the parameters as describe() prints them.`,
    { family: "topics", column: name, parameter: what },
  )
}
