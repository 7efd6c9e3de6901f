/**
 * Topics (latent Dirichlet allocation; Blei, Ng & Jordan 2003): every document is a mixture of topics, in proportions of its own.
 *
 *     score(c | φ, α) = max_θ  Σ_w c_w ln Σ_k θ_k φ_kw − α₀·KL(m ‖ θ)          α₀ = Σα,  m = α/α₀
 *
 * It is the MAP of θ in the softmax basis (the exponent of θ_k is α_k, not α_k − 1, so that α < 1 is fine), measured from the empty document, which scores
 * 0. It is concave in θ: one maximum, whatever the start, so nothing is kept per document. With one topic it is `multinomial`. It is not a
 * log-density: `logDensity` returns a bound (evidence.ts).
 *
 * prior: η pseudo-counts per word and topic. α: given, or learned from statistics that add (leaf.ts).
 */
import type { Bag } from "../../contract/cells.ts"
import type { Family, FamilyKind } from "../../contract/family.ts"
import type { Guide } from "../../contract/guide.ts"
import { SufficeError, show } from "../../errors.ts"
import { type Option, type Table, valuesOf } from "../../option-table.ts"
import { bagColumn, bagGiven, bagNeed, bagOptions, type ScaledBagOptions, someWords } from "../bag.ts"
import { BAG, scaling } from "../bag-options.ts"
import { call, inWords, noMean } from "../guide.ts"
import { prior } from "../options.ts"
import { topicsLeaf } from "./leaf.ts"

export interface TopicsOptions extends ScaledBagOptions {
  /** The number of topics that all contexts have in common, each in proportions of its own. The default is 0. */
  readonly shared?: number
  /** α, the prior of the proportions: "learned" (the default), a number for every topic, or one for each. */
  readonly proportions?: "learned" | number | readonly number[]
  /** η, pseudo-counts per word and topic. The default is 0.01 or, for normalised documents, 0.05 divided by the topics of a context. */
  readonly prior?: number
}

const OPTIONS = {
  shared: { fallback: 0, read: (_where, name, value) => whole(name, value) } as Option<number>,
  // checked once the number of topics is known
  proportions: { fallback: undefined, read: (_where, _name, value) => value } as Option<
    TopicsOptions["proportions"]
  >,
  prior: prior(undefined),
  ...BAG,
  scaling,
} satisfies Table<TopicsOptions>

/** The family behind `topics(own, column, options)`. */
export function topicsFamily(own: number, options: TopicsOptions = {}): Family<Bag> {
  const { shared, proportions, prior, ...bag } = valuesOf("topics", OPTIONS, options)
  whole("the number of topics", own)
  const topics = own + shared
  if (topics === 0) {
    throw new SufficeError(
      "option",
      'topics: there are 0 topics, and none that are shared. A document needs at least one. Write for example topics(20, "words"), or topics(0, "words", { shared: 20 }) below classes().',
      { family: "topics", option: "topics", value: own },
    )
  }
  const alpha = proportions === undefined ? undefined : checkedProportions(proportions, topics)
  const need = bagNeed("topics", bag)
  return {
    name: "topics",
    options: {
      topics: own,
      ...(shared > 0 && { shared }),
      ...(proportions !== undefined && { proportions }),
      ...(prior !== undefined && { prior }),
      ...bagOptions(need),
    },
    need,
    measure: "mass",
    hasLatents: true,
    bind: (columns, [place], slots) =>
      topicsLeaf(bagColumn(columns[0], need), place, { slots, own, shared }, { alpha, prior }),
  }
}

function whole(what: string, value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number
  throw new SufficeError(
    "option",
    `topics: ${what} is ${show(value)}. It counts topics, so it must be a whole number ≥ 0. Write for example topics(20, "words").`,
    { family: "topics", option: what === "shared" ? "shared" : "topics", value },
  )
}

/** One α for each topic; undefined: they are learned. */
function checkedProportions(value: TopicsOptions["proportions"], topics: number): Float64Array | undefined {
  if (value === "learned") return undefined
  const isAlpha = (alpha: unknown): boolean =>
    typeof alpha === "number" && alpha > 0 && Number.isFinite(alpha)
  if (isAlpha(value)) return new Float64Array(topics).fill(value as number)
  if (Array.isArray(value) && value.length === topics && value.every(isAlpha)) return Float64Array.from(value)
  const wrong = Array.isArray(value) ? value.findIndex(alpha => !isAlpha(alpha)) : -1
  const found = !Array.isArray(value)
    ? `proportions is ${show(value)}`
    : wrong >= 0
      ? `proportions[${wrong}] is ${show(value[wrong])}`
      : `proportions lists ${value.length} numbers for ${topics} topics`
  throw new SufficeError(
    "option",
    `topics: ${found}. It is α, the prior of a document's proportions: a finite number above 0, or one for each topic. Write for example 0.1, or leave it out to learn it.`,
    { family: "topics", option: "proportions", value },
  )
}

export const topicsKind: FamilyKind = {
  name: "topics",
  make(options, functions) {
    const { topics, ...rest } = options
    return topicsFamily(topics as number, bagGiven("topics", rest, functions) as TopicsOptions)
  },
  specimens: [
    { options: { topics: 2 }, cell: someWords },
    { options: { topics: 3, proportions: 0.5, prior: 0.5 }, cell: someWords },
    { options: { topics: 1, prior: 1 }, cell: someWords },
    { options: { topics: 2, proportions: [0.4, 0.2], scaling: "tfidf" }, cell: someWords },
  ],
}

export const topicsGuide = {
  title: "topics",
  columns: ["text"],
  joint: true,
  topics: true,
  initial: { lowercase: true, topics: 5 },
  settings: [{ option: "topics", from: 1, to: 200, usual: 5 }],
  summary: inWords,
  mean: noMean,
  makers: ["topics"],
  code: ([column], { topics, ...options }) => call("topics", options, topics, column),
} as const satisfies Guide
