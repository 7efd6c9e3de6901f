/**
 * Strings of two hidden kinds: naive Bayes without labels, also called latent class analysis.
 *
 *     p(x) = Σ_k π_k Π_j p(x_j | k)      one categorical per position j over the alphabet a, b, c
 *
 * Strings of the first kind look like "aabbc", those of the second like "cabca"; each letter is blurred.
 */
import { categorical, em, fit, independent, mixture, specify } from "suffice"

const alphabet = ["a", "b", "c"]
const patterns = ["aabbc", "cabca"]
const keep = 0.7 // the chance that a letter is the pattern's own; the two others share the rest
const byPosition = <Value>(text: string, of: (letter: string) => Value) =>
  Object.fromEntries([...text].map((letter, j) => [`position ${j}`, of(letter)]))

// ── a model of strings, and strings drawn from it ──────────────────────────────────────────────────
const letters = independent(byPosition(patterns[0], () => categorical({ levels: alphabet })))
const model = mixture(2, letters, { name: "pattern" })
const blurred = (own: string) => ({
  probabilities: Object.fromEntries(alphabet.map(other => [other, other === own ? keep : (1 - keep) / 2])),
})
const truth = specify(model, {
  pattern: {
    probabilities: { 0: 0.4, 1: 0.6 },
    given: { 0: byPosition(patterns[0], blurred), 1: byPosition(patterns[1], blurred) },
  },
})
const drawn = truth.sample(3000, { seed: 2 })
const strings = drawn.map(({ pattern: _, ...string }) => string)

// ── EM from several first guesses, then the most probable letter of each position ──────────────────
const fitted = await fit(model, strings, { learner: em({ restarts: 4 }), seed: 2 })
type Letters = Record<string, { probabilities: Record<string, number> }>
const { pattern } = fitted.describe() as { pattern: { probabilities: number[]; given: Letters[] } }
const likeliest = (p: Record<string, number>) => alphabet.reduce((a, b) => (p[b] > p[a] ? b : a))
const found = [0, 1].map(k =>
  Object.values(pattern.given[k]).map(({ probabilities }) => likeliest(probabilities)),
)
const first = found[0].join("") === patterns[0] ? 0 : 1 // components have no order
const own = [...patterns[0]].map((letter, j) => pattern.given[first][`position ${j}`].probabilities[letter])
const right = (kinds: boolean[]) => kinds.filter((kind, i) => kind === (drawn[i].pattern === 0)).length / 3000

export const result = {
  "first pattern": { stated: patterns[0], measured: found[first].join("") },
  "second pattern": { stated: patterns[1], measured: found[1 - first].join("") },
  "share of the first": { stated: 0.4, measured: pattern.probabilities[first] },
  "p(own letter) in the first": { stated: keep, measured: own.reduce((a, b) => a + b) / own.length },
  "strings sorted as drawn, beside the truth's own": {
    stated: right(truth.predict(strings, { target: "pattern" }).map(({ value }) => value === 0)),
    measured: right(fitted.predict(strings, { target: "pattern" }).map(({ value }) => value === first)),
  },
}
console.table(result)
