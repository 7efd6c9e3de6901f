/**
 * A linear-chain conditional random field is a chain: one that CRFsuite has learned, read from checks/golden/crf.json, written as probabilities. With m features a step, c_l = Σ_f exp w_fl and
 * M_ij = exp(λ_ij)·c_j^m, let κ exceed the spectral radius of M and κ v_i = Σ_j M_ij v_j + 1:
 *
 *     b_l(f) = exp(w_fl) / c_l,   a_ij = M_ij v_j / (κ v_i),   e_i = 1 / (κ v_i),   π_l ∝ c_l^m v_l
 *
 * since v telescopes along a path and κ^T is the same for all paths.
 */
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import type { Model } from "../../contract/model.ts"
import { chain, independent, multinomial, specify } from "../../index.ts"
import { evaluate } from "../../measure.ts"

type ByTag = Readonly<Record<string, number>>

interface Golden {
  readonly tags: readonly string[]
  readonly weights: {
    readonly states: Readonly<Record<string, ByTag>>
    readonly transitions: Readonly<Record<string, ByTag>>
  }
  readonly cases: readonly {
    readonly sentence: string
    readonly features: readonly (readonly string[])[]
    readonly tags: readonly string[]
    readonly best: readonly string[]
    readonly logProbability: number
    readonly marginals: readonly ByTag[]
  }[]
}

const { tags, weights, cases } = JSON.parse(
  readFileSync(new URL("../../../../../checks/golden/crf.json", import.meta.url), "utf8"),
) as Golden
const FEATURES = 2

/** The field as the parameters of a chain. */
function parameters() {
  const words = Object.keys(weights.states)
  const byTag = <T>(of: (tag: string) => T) => Object.fromEntries(tags.map(tag => [tag, of(tag)]))
  const c = byTag(tag => words.reduce((sum, word) => sum + Math.exp(weights.states[word][tag]), 0))
  const m = (from: string, to: string) => Math.exp(weights.transitions[from][to]) * c[to] ** FEATURES
  // a row sum bounds the spectral radius
  const kappa = 2 * Math.max(...tags.map(from => tags.reduce((sum, to) => sum + m(from, to), 0)))
  let v = byTag(() => 1 / kappa)
  for (let n = 0; n < 200; n++)
    v = byTag(from => (tags.reduce((sum, to) => sum + m(from, to) * v[to], 0) + 1) / kappa)
  const first = tags.reduce((sum, tag) => sum + c[tag] ** FEATURES * v[tag], 0)
  return {
    tokens: {
      initial: byTag(tag => (c[tag] ** FEATURES * v[tag]) / first),
      transitions: byTag(from => byTag(to => (m(from, to) * v[to]) / (kappa * v[from]))),
      ends: byTag(tag => 1 / (kappa * v[tag])),
      given: byTag(tag => ({
        features: {
          family: "multinomial",
          words: Object.fromEntries(words.map(word => [word, Math.exp(weights.states[word][tag]) / c[tag]])),
        },
      })),
    },
  }
}

test("a field that CRFsuite has learned has the same tags, marginals and probabilities as a chain", () => {
  const model = chain("tag", independent({ features: multinomial() }), { column: "tokens", ends: true })
  // biome-ignore lint/suspicious/noExplicitAny: a model whose columns are known at run time
  const field: any = specify(model as unknown as Model, parameters() as never)
  const asked = cases.map(({ features }) => ({ tokens: features.map(words => ({ features: words })) }))
  const paths = field.path(asked)
  const steps = field.predict(asked)
  cases.forEach(({ sentence, best, marginals, features, tags: given, logProbability }, i) => {
    expect(paths[i].values, sentence).toEqual(best)
    marginals.forEach((wanted, t) => {
      for (const tag of tags) expect(steps[i][t].probabilities[tag]).toBeCloseTo(wanted[tag], 9)
    })
    const row = { tokens: features.map((words, t) => ({ features: words, tag: given[t] })) }
    const { sequences } = evaluate(field, [row] as never) as unknown as { sequences: { logLoss: number } }
    expect(-sequences.logLoss * given.length, sentence).toBeCloseTo(logProbability, 9)
  })
})
