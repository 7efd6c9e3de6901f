/**
 * From naive Bayes to a tree to sdEM. Three columns are nearly copies of each other, so that naive Bayes counts one piece of evidence three times; a fourth tells of the
 * label only together with the first. A tree below the label (TAN, Friedman et al. 1997) sees both; sdEM learns either model to predict.
 */
import { bernoulli, classes, em, fit, given, independent, network, specify } from "suffice"
import { sdem } from "suffice/learn"
import { evaluate } from "suffice/measure"
import { structure } from "suffice/structure"

const coin = (probability: number) => ({ probability })
const copy = { given: { false: coin(0.05), true: coin(0.95) } }
const flips = (p: number) => ({ given: { false: coin(p), true: coin(1 - p) } })
const body = network({
  a: bernoulli(),
  b: given(["a"], bernoulli()),
  c: given(["b"], bernoulli()),
  d: given(["a"], bernoulli()),
  e: bernoulli(),
})
/** The truth: rows are drawn of it, and nobody predicts better. */
const truth = specify(classes("y", body, { levels: ["no", "yes"] }), {
  y: {
    probabilities: { no: 0.5, yes: 0.5 },
    given: {
      no: { a: coin(0.3), b: copy, c: copy, d: flips(0.25), e: coin(0.3) },
      yes: { a: coin(0.7), b: copy, c: copy, d: flips(0.75), e: coin(0.7) },
    },
  },
})
const [train, test] = [4000, 8000].map((count, seed) => truth.sample(count, { seed }))

const [a, b, c, d, e] = Array.from({ length: 5 }, () => bernoulli())
const naive = classes("y", independent({ a, b, c, d, e }))
const { model: tree, edges } = await structure(train, { search: "tan", target: "y" })

const score = async (model: typeof naive, learner = em()) =>
  evaluate(await fit(model, train, { learner }), test)
const scores = {
  "naive Bayes, counted": await score(naive),
  "naive Bayes, sdEM": await score(naive, sdem()),
  "tree, counted": await score(tree as unknown as typeof naive),
  "tree, sdEM": await score(tree as unknown as typeof naive, sdem()),
  "the truth": evaluate(truth, test),
}
for (const [name, { accuracy, logLoss }] of Object.entries(scores))
  console.log(name.padEnd(22), accuracy.toFixed(3), logLoss.toFixed(3))

const pairs = edges.map(({ from, to }) => [from, to].sort().join("")).filter(pair => !/[ey]/.test(pair))
const { logLoss: stated } = scores["the truth"]
const beside = (name: keyof typeof scores) => ({ stated, measured: scores[name].logLoss })
export const result = {
  "pairs of a, b, c and d in the tree": { stated: "ab ad bc", measured: pairs.sort().join(" ") },
  "log-loss of naive Bayes, counted, beside the truth's": beside("naive Bayes, counted"),
  "log-loss of naive Bayes, sdEM, beside the truth's": beside("naive Bayes, sdEM"),
  "log-loss of the tree, counted, beside the truth's": beside("tree, counted"),
  "log-loss of the tree, sdEM, beside the truth's": beside("tree, sdEM"),
}
