/** Hidden Markov models beside hmmlearn: the best log-likelihood of many starts. */
import { atLeast, type Section } from "../bars.ts"
import { kept } from "../kept.ts"
import { table } from "../page.ts"
import { series } from "./corpora.ts"
import { optimumOf } from "./ours.ts"
import { optimumByHmmlearn } from "./peers.ts"

const RESTARTS = 20

export async function optima(): Promise<Section> {
  const results: { name: string; states: number; ours: number; theirs: number }[] = []
  for (const one of series()) {
    const { name, states } = one
    const ours = await kept("chains", ["optimum", name, states], () => optimumOf(one, RESTARTS))
    results.push({ name, states, ours, theirs: optimumByHmmlearn(one, RESTARTS).best })
  }
  const rows = results.map(({ name, states, ours, theirs }) => [
    name,
    String(states),
    ours.toFixed(4),
    theirs.toFixed(4),
  ])
  return {
    bars: results.map(({ name, states, ours, theirs }) =>
      atLeast(
        `log-likelihood, ${name}, ${states} states, no prior, ${RESTARTS} starts: hmmlearn's − 0.01`,
        theirs - 0.01,
        ours,
        3,
      ),
    ),
    text: [
      "## Optima of hidden Markov models",
      `The best log-likelihood of ${RESTARTS} starts, without priors, beside the best of hmmlearn's ${RESTARTS}.`,
      table(["series", "states", "ours", "hmmlearn"], rows),
    ],
  }
}
